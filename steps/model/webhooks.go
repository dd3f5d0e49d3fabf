package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/spec"
)

// webhookMoves are about registrations, receivers, and the events that arrive at them.
var webhookMoves = []Move{
	{Event: "has URLs with headers for", Ways: api.EventTypes, Given: true, Optional: true, do: registerBefore},
	{Event: "receives webhooks", Given: true, do: receive},
	{Event: "is sent for", Noun: "webhook registration", Ways: api.EventTypes, Shows: "WHK-001 WHK-030 WHK-031 WHK-050", do: register},
	{Event: "is sent again with other headers", Noun: "webhook registration", Shows: "WHK-033 WHK-034 WHK-037", do: registerAgain},
	{Event: "is sent at a known URL for", Noun: "webhook registration", Ways: api.EventTypes, Shows: "WHK-033 WHK-036 WHK-038", do: registerKnown},
	{Event: "is sent by the other account at a URL of this one", Noun: "webhook registration", By: language.TheOther, Shows: "AUTH-011 WHK-058", do: registerAsOther},
	{Event: "is sent with each transport header", Noun: "webhook registration", Shows: "WHK-021 WHK-022 WHK-023 WHK-024 WHK-025 WHK-026", Late: true, do: registerTransport},
	{Event: "is listed", Noun: "webhook registration", Shows: "WHK-044 WHK-050 WHK-053 WHK-054 WHK-055", Looks: true, do: listRegistrations},
	{Event: "has webhook endpoints that return", Noun: "webhook registration", Ways: []string{"202", "200"}, Shows: "WHK-039 RSD-018", do: setReceipt},
	{Event: "is confirmed while receivers fail", Noun: "cash-out", From: states{api.Pending}, Shows: "WHK-039 EVT-002 OUT-074", Late: true, do: whileFailing(confirm)},
	{Event: "is confirmed while receivers fail", Noun: "transfer", From: states{api.Pending}, Shows: "WHK-039 EVT-002 DICT-061", Late: true, do: whileFailing(confirm)},
	{Event: "is paid while receivers fail, by", Noun: "cob", From: states{api.Active}, Ways: payers[:1], Shows: "WHK-039 EVT-002 COB-059", Late: true, do: whileFailing(payCharge)},
	{Event: "is paid while receivers fail, by", Noun: "cash-in", From: states{api.Pending}, Ways: payers[:1], Shows: "WHK-039 EVT-002 IN-069", Late: true, do: whileFailing(payCharge)},
	{Event: "is confirmed while receivers fail", Noun: "refund", From: states{api.Processing}, Shows: "WHK-039 EVT-003 DEV-052", Late: true, do: whileFailing(confirmRefund)},
}

// headersOf are custom headers that registrations have.
var headersOf = []string{
	"[]", `[{"key":"X-Pixcert-A","value":"1"}]`, `[{"key":"X-Pixcert-A","value":"AbC xYz=/+,;:2"},{"key":"x-pixcert-lower","value":"== ~!@#$^*()"}]`, "a list of 5",
	`[{"key":"X-Pixcert-B","value":"007"},{"key":"X-Pixcert-C","value":"a b"},{"key":"X-Pixcert-D","value":"Zz"}]`, "absent",
}

// transport are the headers that a registration cannot override (Webhooks, headers).
var transport = []string{"Host", "Content-Length", "Connection", "Transfer-Encoding", "Content-Type", "User-Agent"}

// receive registers a URL for each type of event. Of those for MED cases there is none if the gateway has no such cases.
func receive(p *play) {
	receiveAll(p)
	if !p.gw.the().Fresh {
		return
	}
	isFull := func(eventType string) bool { return p.gw.Hooks.isFull(language.TheAccount, eventType) }
	p.needs(!slices.ContainsFunc(api.EventTypes, isFull))
	for _, eventType := range api.EventTypes {
		if eventType == api.TypeMEDCreated {
			p.refs.URLsLost = true
		}
		registers(p, addURL(p), eventType)
	}
	p.refs.LastHook = 0
}

// registerBefore registers one or two URLs whose headers the events of the scenario have.
func registerBefore(p *play) {
	n := p.below(4) - 1
	p.needs(p.gw.the().Fresh && n >= 1 && !p.gw.Hooks.EveryType && p.gw.Hooks.count(language.TheAccount, p.step.Way)+n <= api.MostURLs)
	first := p.below(5)
	for i := range n {
		p.given("the account has sent a webhook registration with:")
		p.with("eventType", `"`+p.step.Way+`"`)
		p.with("headers", headersOf[(first+i)%5])
		registers(p, addURL(p), p.step.Way)
	}
	p.refs.LastHook = p.step.ID
}

// register registers a URL that was not sent before.
func register(p *play) {
	p.needs(p.gw.the().Fresh && !p.gw.Hooks.ReceiversFailed)
	eventType := p.step.Way
	p.when("the account sends a webhook registration with:")
	p.with("eventType", `"`+eventType+`"`)
	p.with("headers", pick(p, headersOf))
	if p.oneIn(5) {
		p.with("url", "a URL with a query")
	}
	u := addURL(p)
	if p.gw.Hooks.isFull(language.TheAccount, eventType) {
		p.rejected("400")
		return
	}
	registered(p, p.step.ID)
	registers(p, u, eventType)
	p.gw.Hooks.addReceiver()
}

// sendRegistration registers a URL that was sent before.
func sendRegistration(p *play, url int, eventType, headers string) {
	p.when("%v sends a webhook registration with:", p.who)
	p.with("url", p.refs.URLs[url])
	p.with("eventType", `"`+eventType+`"`)
	p.with("headers", headers)
}

// registered says that a registration is accepted, of a step.
func registered(p *play, step int) {
	p.then("the request is accepted")
	p.refs.clear()
	p.refs.LastHook = step
}

// registerAgain updates the registration that was sent last.
func registerAgain(p *play) {
	p.needs(p.refs.LastHook != 0)
	p.when("the account sends the request again with headers %s", pick(p, headersOf[:5]))
	registered(p, p.refs.LastHook)
}

// registerKnown updates a registration, or registers its URL for another type: mostly one that somebody has registered
// it for.
func registerKnown(p *play) {
	which, eventType := namedURLs(p), p.step.Way
	if used := slices.DeleteFunc(slices.Clone(which), func(i int) bool {
		return !slices.Contains(slices.Concat(p.gw.Hooks.types(language.TheAccount, i), p.gw.Hooks.types(language.TheOther, i)), eventType)
	}); !p.oneIn(4) && len(used) > 0 {
		which = used
	}
	p.needs(len(which) > 0)
	u := pick(p, which)
	sendRegistration(p, u, eventType, pick(p, headersOf[:5]))
	if !p.gw.Hooks.accepts(language.TheAccount, u, eventType) {
		p.rejected("400")
		return
	}
	registered(p, p.step.ID)
	registers(p, u, eventType)
}

func registerAsOther(p *play) {
	which, eventType := namedURLs(p), pick(p, api.EventTypes[:2])
	p.needs(len(which) > 0 && p.gw.Accounts[language.TheOther].Fresh)
	u := pick(p, which)
	if own := p.gw.Hooks.types(language.TheAccount, u)[0]; !p.oneIn(2) && !strings.HasPrefix(own, "med_") { // whose events would not show whose they are
		eventType = own
	}
	p.needs(!p.gw.Hooks.isFull(language.TheOther, eventType))
	sendRegistration(p, u, eventType, pick(p, headersOf[:5]))
	p.then("the request is accepted")
	p.gw.Hooks.register(language.TheOther, u, eventType)
	p.refs.clearOf(language.TheOther)
}

// registerTransport updates a registration with each transport header in turn, at some place among others. Whether that is
// rejected, or the header is ignored, is unspecified, but no event has it.
func registerTransport(p *play) {
	which := namedURLs(p)
	p.needs(len(which) > 0)
	u := pick(p, which)
	types := p.gw.Hooks.types(language.TheAccount, u)
	for _, name := range transport {
		if p.oneIn(4) {
			name = strings.ToLower(name)
		}
		headers := []string{`{"key":"X-Pixcert-A","value":"1"}`, `{"key":"X-Pixcert-B","value":"2"}`}
		headers = slices.Insert(headers, p.below(3), fmt.Sprintf(`{"key":%q,"value":%q}`, name, marker))
		sendRegistration(p, u, pick(p, types), "["+strings.Join(headers, ",")+"]")
		p.then("the request is accepted, or rejected with 400 or 422")
	}
	p.refs.clear()
	p.gw.Hooks.mark()
}

func listRegistrations(p *play) {
	who := language.TheAccount
	if p.oneIn(3) && p.gw.Hooks.any(language.TheOther) {
		who = language.TheOther
	}
	p.needs(who != language.TheAccount || p.gw.Hooks.any(language.TheAccount) && !p.gw.Hooks.Marked)
	listsRegistrations(p, who)
}

// listsRegistrations lists what an account has registered.
func listsRegistrations(p *play, who language.Account) {
	p.when("%v sends a webhook list request", who)
	p.then("the request is accepted")
	p.then("each registration is listed as it was last sent")
	p.refs.clearOf(who)
}

// setReceipt sets which success receivers report.
func setReceipt(p *play) {
	p.needs(p.gw.Hooks.any(language.TheAccount) && p.gw.Hooks.Receipt != p.step.Way && (p.gw.Hooks.Receipt != "" || p.step.Way != "200"))
	p.gw.Hooks.setReceipt(p.step.Way)
	p.when("the webhook endpoint returns %s", p.gw.Hooks.Receipt)
}

// whileFailing does something while receivers fail. Whether their URLs stay active, and when they get the next events, is
// unspecified: afterwards, something is said only of the others, and nothing else may have sent an event meanwhile.
func whileFailing(do func(*play)) func(*play) {
	return func(p *play) {
		p.needs(p.gw.Hooks.any(language.TheAccount) && !p.gw.Hooks.ReceiversFailed)
		p.needs(!p.refs.Uncounted[api.Payment] && !p.refs.Uncounted[api.Refund] && !slices.ContainsFunc(p.gw.Things, func(t Thing) bool { return mayReport(p, t) }))
		which := "the webhook endpoint"
		if all := endpointsOf(p, p.step.Move.Noun); !p.oneIn(3) && len(all) > 0 {
			which = fmt.Sprintf("the %v webhook endpoint", language.Nth(pick(p, all)))
		}
		p.when("%s returns %s", which, pick(p, []string{"500", "404", "503"}))
		do(p)
		p.when("the webhook endpoint returns %s", cmp.Or(p.gw.Hooks.Receipt, "200"))
		p.gw.Hooks.receiversFail()
		p.refs.forgetURLs()
	}
}

// mayReport reports whether an event of another thing than the step's may still come: when it is sent is unspecified, or no
// sentence has waited for it.
func mayReport(p *play, t Thing) bool {
	switch {
	case t.Account != language.TheAccount || t.ID == p.it.ID:
		return false
	case slices.Contains(states{Unknown, overdue, expired}, t.State) || t.Noun == "refund" || t.Noun == medCase:
		return true
	}
	return t.Noun == "transfer" && (t.State == api.Failed || t.Refunded.Most > 0 || t.State == api.Completed && !p.gw.Hooks.EveryType)
}

// reportedAs is the type of event that reports what becomes of a thing, by noun.
var reportedAs = map[string]string{"cash-out": api.TypeCashOut, "transfer": api.TypeCashOut, "cob": api.TypeCashIn, "cash-in": api.TypeCashIn, "refund": api.TypeRefundIn}

// endpointsOf are the webhook endpoints that sentences can name and that receive the events of a thing.
func endpointsOf(p *play, noun string) (all []int) {
	for i, u := range p.refs.URLs {
		if n := u.Endpoint; n > 0 && slices.Contains(p.gw.Hooks.types(language.TheAccount, i), reportedAs[noun]) {
			all = append(all, n)
		}
	}
	return all
}

// addURL is a URL that the account sends for the first time.
func addURL(p *play) int {
	p.refs.addURL()
	return p.gw.Hooks.add()
}

// registers registers a URL for a type of event.
func registers(p *play, url int, eventType string) {
	if p.gw.Hooks.register(language.TheAccount, url, eventType) {
		p.refs.addEndpoint(url, p.gw.Hooks.Registrations)
	}
}

// namedURLs are the positions of the URLs that sentences can name and that are registered.
func namedURLs(p *play) (all []int) {
	for i, u := range p.refs.URLs {
		if u.Nth > 0 && len(p.gw.Hooks.types(language.TheAccount, i)) > 0 {
			all = append(all, i)
		}
	}
	return all
}

// loseURLCount notes that a wrong request may have had a URL, which sentences count.
func loseURLCount(p *play, noun string) {
	if slices.Contains([]string{"webhook registration", "resend request"}, noun) {
		p.refs.URLsLost = true
	}
	if noun == "resend request" {
		p.gw.Hooks.resend(1)
	}
}

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
		p.when("the account sends a webhook registration using its first token")
		p.when("the account sends the request again with:")
		p.with("url", p.refs.URLs[i])
		p.with("eventType", `"`+pick(p, p.gw.Hooks.types(language.TheAccount, i))+`"`)
	} else {
		p.when("the account sends a %s using its first token", p.step.Way)
	}
	if slices.Contains(ofWebhooks, p.step.Way) {
		p.rejected("404")
	} else {
		p.rejected(refusedFor(spec.Void))
	}
}

func listRemovedOthers(p *play) {
	p.needs(p.gw.Hooks.any(language.TheOther))
	listsRegistrations(p, language.TheOther)
}
