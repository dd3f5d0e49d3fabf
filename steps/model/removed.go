package model

import (
	"slices"

	"github.com/pixcert/pixcert/steps/language"
)

// removedMoves are about an account that is removed, which ends a walk.
var removedMoves = []Move{
	{Event: "is removed, and sends a", Ways: removedWays, Shows: "WHK-041 WHK-059 AUTH-011", Late: true, do: removeAccount},
	{Event: "of the other account stays when this one is removed", Noun: "webhook registration", Shows: "WHK-036 WHK-058", Looks: true, Removed: true, do: listRemovedOthers},
}

const atKnownURL = "webhook registration at a known URL"

// removedWays are requests that need nothing else. Only those to the webhooks' endpoints are surely rejected with 404
// (Endpoints 12 and 13).
var (
	ofWebhooks  = []string{atKnownURL, "webhook registration", "webhook list request"}
	removedWays = append(slices.Clone(ofWebhooks), "balance request", "cob", "MED list request", "transaction list request")
)

// removeAccount removes an account, which then sends a request with a token that has not expired. All is said at once: the
// balance, with which a rejection may be compared, cannot be read any more.
func removeAccount(p *play) {
	which := namedURLs(p)
	p.needs(p.step.Way != atKnownURL || len(which) > 0)
	p.when("the account has a token")
	p.when("the account is removed")
	p.gw.the().remove()
	if p.step.Way == atKnownURL {
		i := pick(p, which)
		u := p.gw.Hooks.URLs[i]
		p.when("the account sends a webhook registration using its first token")
		p.when("the account sends the request again with:")
		p.with("url", p.refs.URLs[i])
		p.with("eventType", `"`+pick(p, u.Types[language.TheAccount])+`"`)
	} else {
		p.when("the account sends a %s using its first token", p.step.Way)
	}
	if slices.Contains(ofWebhooks, p.step.Way) {
		p.rejected("404")
	} else {
		p.rejected("401 or 404")
	}
}

func listRemovedOthers(p *play) {
	p.needs(p.gw.Hooks.any(language.TheOther))
	listsRegistrations(p, language.TheOther)
}
