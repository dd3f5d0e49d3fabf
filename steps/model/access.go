package model

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// accessMoves are about tokens, certificates, and accounts that meet each other's things.
var accessMoves = []Move{
	{Event: "is kept", Noun: "token request", Shows: "TOK-022", do: keepToken},
	{Event: "is sent", Noun: "token request", Shows: "TOK-016 TOK-017 TOK-020 TOK-022", do: requestToken},
	{Event: "is sent by the other account", Noun: "token request", By: language.TheOther, Shows: "TOK-016 AUTH-011", do: requestToken},
	{Event: "is kept and used after", Noun: "token request", Ways: []string{"0 seconds", "1770 seconds", "1801 seconds"}, Shows: "TOK-022 TOK-023 TOK-024", Late: true, do: useToken},
	{Event: "is kept, and used before and after its end", Noun: "token request", Shows: "TOK-022 TOK-023 TOK-024", Late: true, do: useTokenTwice},
	{Event: "is long expired, and used for a", Noun: "token request", Ways: bearers, Shows: "TOK-024 AUTH-011", Wrong: true, do: useExpired},
	{Event: "has the other account's claims, and is used for a", Noun: "token request", Ways: bearers, Shows: "AUTH-011", Wrong: true, do: useForged},
	{Event: "fails as the upstream", Noun: "token request", Ways: upstream, Shows: "TOK-053 TOK-055 TOK-057", do: loseUpstream},

	{Event: "gets a certificate:", Noun: "token request", Ways: []string{"a valid", "an RSA", "an ECDSA", "an expired", "a not yet valid", "a revoked"}, Shows: "TOK-028 TOK-029 TOK-030", do: addCertificate},
	{Event: "gets a certificate of the other account", Noun: "token request", By: language.TheOther, Shows: "TOK-031 TOK-051", do: addCertificate},
	{Event: shared, Noun: "token request", Shows: "TOK-028 TOK-031", do: addShared},
	{Event: "loses certificate", Noun: "token request", Ways: certificates, Shows: "TOK-032 TOK-045", do: revokeCertificate},
	{Event: "is sent with certificate", Noun: "token request", Ways: certificates, Shows: "TOK-028 TOK-029 TOK-030 TOK-031 TOK-032 TOK-041 TOK-043 TOK-045 TOK-051", do: present},
	{Event: "is sent by the other account with certificate", Noun: "token request", Ways: certificates, By: language.TheOther, Shows: "TOK-029 TOK-031 TOK-032 TOK-045 TOK-051", do: present},
	{Event: "is sent with the other account's own certificate", Noun: "token request", Shows: "TOK-031 TOK-051", do: presentOthers},
	{Event: "is sent with a certificate that was never registered", Noun: "token request", Shows: "TOK-029 TOK-045", do: presentUnknown},

	{Event: "has the same externalId as a payment of the other account", Noun: "cash-out", From: api.PaymentStates.All(), By: language.TheOther, Shows: "OUT-011 AUTH-011", do: shareExternalID},
	{Event: "is followed by one of the account under its externalId", Noun: "cash-out", From: states{Unknown}, Shows: "OUT-011 RSD-024 AUTH-011", do: followExternalID},
	{Event: "is absent from the other account's list", By: language.TheOther, Shows: "LTX-031 AUTH-011", Looks: true, do: listOthers},
}

const shared = "gets a certificate that the other account has, too"

var (
	certificates = []string{"the first added", "the second added"}
	upstream     = []string{"returns an invalid response", "is unreachable"}
	bearers      = bearerNouns()
)

// bearerNouns are the requests that need a token, and nothing else that is not always there.
func bearerNouns() (all []string) {
	for _, op := range api.Operations {
		if op.Bearer && op.Makes != api.Refund && op.ID != "resendWebhook" && op.ID != "standardBalance" {
			all = append(all, op.Noun)
		}
	}
	return all
}

func keepToken(p *play) {
	p.needs(!p.refs.Kept || p.refs.KeptAt != p.gw.Time.Elapsed)
	p.when("the account has a token")
	p.refs.Kept, p.refs.KeptAt = true, p.gw.Time.Elapsed
}

func requestToken(p *play) {
	p.when("%v sends a token request", p.who)
	p.then("the request is accepted with 201")
	p.then("the response has:")
	p.with("token_type", `"Bearer"`)
	p.with("expires_in", api.TokenLifetime.Seconds())
	p.when("%v sends a balance request using the returned token", p.who)
	p.then("the request is accepted")
	p.refs.clearOf(p.who)
}

// useToken: whether a newer token ends an older one is unspecified, so that it is used before another one is
// requested.
func useToken(p *play) {
	p.keepNewToken()
	age := time.Duration(0)
	if p.step.Way != "0 seconds" {
		age = p.passSeconds(p.step.Way)
	}
	noun := "balance request"
	switch {
	case age == 0:
		noun = pick(p, reads)
	case age < api.TokenLifetime: // cases may be listed only a minute later, when it has expired
		noun = pick(p, readsAtOnce)
	}
	p.when("the account sends a %s using its first token", noun)
	if age > api.TokenLifetime {
		p.then("the request is rejected with %s", refusedFor(spec.Expired))
	} else {
		p.then("the request is accepted")
	}
	p.refs.clear()
}

// useTokenTwice: what a token was used for does not make it live longer.
func useTokenTwice(p *play) {
	noun := pick(p, reads)
	p.keepNewToken()
	p.passSeconds("900 seconds")
	p.when("the account sends a %s using its first token", noun)
	p.then("the request is accepted")
	p.passSeconds("901 seconds")
	p.when("the account sends a %s using its first token", noun)
	p.then("the request is rejected with %s", refusedFor(spec.Expired))
	p.refs.clear()
}

// refusedFor is how a request is rejected for the state of its token.
func refusedFor(token api.State) string {
	statuses, _ := spec.Access(spec.Any(token))
	return spelled(statuses)
}

var (
	readsAtOnce = []string{"balance request", "transaction list request", "webhook list request"}
	reads       = append(slices.Clone(readsAtOnce), "MED list request") // whose limit per minute is not known
)

func useExpired(p *play) {
	p.needs(p.refs.Kept && p.gw.Time.Elapsed-p.refs.KeptAt > api.TokenLifetime && mayUseWrongly(&p.gw, p.step.Way))
	p.when("the account sends a %s using its first token", p.step.Way)
	if rows := filtersOf(p, p.step.Way); len(rows) > 0 {
		p.then("the request is rejected with %s", refusedFor(spec.Expired))
		p.when("the account sends the request again with:")
		p.table(rows)
	}
	loseURLCount(p, p.step.Way)
	p.rejected(refusedFor(spec.Expired))
}

// filtersOf are valid parameters of a list; none for other requests, and for some.
func filtersOf(p *play, noun string) (rows [][]string) {
	for _, parameter := range slices.Sorted(maps.Keys(queries[noun])) {
		if !p.oneIn(2) {
			rows = append(rows, []string{"query " + parameter, pick(p, queries[noun][parameter])})
		}
	}
	return rows
}

func useForged(p *play) {
	p.needs(p.gw.Accounts[language.TheOther].Open && mayUseWrongly(&p.gw, p.step.Way))
	p.when("the account sends a %s using its token with the other account's claims", p.step.Way)
	loseURLCount(p, p.step.Way)
	p.rejected(refusedFor(spec.Unmade))
}

// mayUseWrongly reports whether a request can be sent with a wrong token: what a payment must not do shows
// while no other money moves.
func mayUseWrongly(g *Gateway, noun string) bool {
	return (noun != "transfer" || g.Settings.Key) && (api.MustNamed(noun).Makes != api.Payment || g.moneySettled(language.TheAccount))
}

func loseUpstream(p *play) {
	p.when("upstream authentication %s", p.step.Way)
	p.when("the account sends a token request")
	p.then("the request is rejected with %s", map[string]string{upstream[0]: api.UpstreamError.Refusal(), upstream[1]: api.UpstreamUnavailable.Refusal()}[p.step.Way])
	p.when("upstream authentication is reachable again")
	p.when("the account sends a token request")
	p.then("the request is accepted with 201")
	p.refs.clear()
}

// --- certificates ---

// addCertificate: for how long a test's certificate is valid bounds the time that may pass.
func addCertificate(p *play) {
	c := Certificate{Of: p.who, Kind: cmp.Or(p.step.Way, "a valid"), Revoked: p.step.Way == "a revoked", Shared: p.step.Move.Event == shared}
	p.needs(!p.gw.Time.Dated && len(p.gw.Certificates) != len(certificates))
	p.when("%v also has %s certificate", c.Of, c.Kind)
	p.gw.Certificates.add(c)
}

func addShared(p *play) {
	p.needs(p.gw.Accounts[language.TheOther].Open)
	addCertificate(p)
	p.when("the other account also has that certificate")
}

// added is which certificate a step names; false if there is none.
func added(p *play) (i int, ok bool) {
	i = slices.Index(certificates, p.step.Way)
	return i, i < len(p.gw.Certificates) && p.gw.Time.Elapsed <= day
}

func revokeCertificate(p *play) {
	i, ok := added(p)
	p.needs(ok && !p.gw.Certificates[i].Revoked)
	p.when("%s certificate is revoked", p.step.Way)
	p.gw.Certificates.revoke(i)
}

func present(p *play) {
	i, ok := added(p)
	p.needs(ok)
	c := p.gw.Certificates[i]
	p.needs(p.who == c.Of || c.Revoked || c.Kind == "a valid") // of several obstacles, which one counts is unspecified
	p.when("%v requests a token with %s certificate", p.who, p.step.Way)
	p.then("the request is %s", outcomeOf(c, p.who))
	p.refs.clearOf(p.who)
}

// outcomeOf is what becomes of a token request of an account with a certificate.
func outcomeOf(c Certificate, who language.Account) string {
	if flaws := c.flaws(who); len(flaws) > 0 {
		return "rejected with " + refusal(flaws...)
	}
	return "accepted with 201"
}

// flaws are what is wrong with a certificate for an account.
func (c Certificate) flaws(who language.Account) []spec.Flaw {
	switch flaws := spec.FlawsOf(c.Kind); {
	case c.Shared && who != c.Of:
		return nil
	case c.Shared && c.Revoked: // it is another account's
		return append(flaws, spec.Revoked, spec.OfAnother)
	case c.Revoked:
		return append(flaws, spec.Revoked)
	case who != c.Of:
		return append(flaws, spec.OfAnother)
	default:
		return flaws
	}
}

// refusal is how a token request is rejected for a certificate with some flaws, of which any may count.
func refusal(flaws ...spec.Flaw) string {
	var all []string
	for _, code := range spec.RejectedFor(flaws...) {
		all = append(all, code.Refusal())
	}
	return strings.Join(all, ", or rejected with ")
}

func presentOthers(p *play) {
	p.needs(p.gw.Accounts[language.TheOther].Open)
	p.when("the account requests a token with the other account's certificate")
	p.rejected(refusal(spec.OfAnother))
}

func presentUnknown(p *play) {
	p.when("the account requests a token with a certificate that was never registered")
	p.rejected(refusal(spec.Unregistered))
}

// --- other accounts ---

// shareExternalID: the externalId is the one that the account has sent last.
func shareExternalID(p *play) {
	p.needs(!p.refs.of(p.it).SharedID && p.refs.LastSent[language.TheAccount] == p.it.ID)
	shareID(p, payWith(p, []string{"externalId", "the account's externalId"}))
}

// followExternalID: the externalId is the one that the other account has sent last.
func followExternalID(p *play) {
	p.needs(p.it.Account == language.TheOther && !p.refs.of(p.it).SharedID && p.refs.LastSent[language.TheOther] == p.it.ID)
	shareID(p, payWith(p, []string{"externalId", "the other account's externalId"}))
}

// shareID notes that a payment has the externalId of that of the step.
func shareID(p *play, t *Thing) {
	p.refs.of(p.it).SharedID, p.refs.of(t).SharedID = true, true
}

func listOthers(p *play) {
	p.needs(p.gw.hasListed(language.TheOther) || p.gw.hasListed(language.TheAccount))
	p.then("the other account's transaction list contains exactly the matching payments for every filter")
}

// expiredMoves repeat requests under a token that was valid when they were accepted: an expired one is rejected whatever
// the gateway remembers of the request.
var expiredMoves = []Move{
	{Event: repeatedLate, Noun: "cash-out", Shows: "AUTH-020 TOK-024", Late: true, do: repeatExpired},
	{Event: repeatedLate, Noun: "QR cash-out", Shows: "AUTH-023 TOK-024", Late: true, do: repeatExpired},
	{Event: repeatedLate, Noun: "transfer", Shows: "AUTH-017 TOK-024", Late: true, do: repeatExpired},
	{Event: repeatedLate, Noun: "cash-in", Shows: "AUTH-026 TOK-024", Late: true, do: repeatExpired},
	{Event: repeatedLate, Noun: "cob", Shows: "AUTH-029 TOK-024", Late: true, do: repeatExpired},
	{Event: repeatedLate, Noun: "webhook registration", Shows: "AUTH-044 TOK-024", Late: true, do: repeatExpired},
	{Event: "is refunded, and again when the token has expired", Noun: "cob", From: states{api.Concluded}, Shows: "AUTH-032 TOK-024", Late: true, do: refundExpired},
}

const (
	repeatedLate = "is sent, and again when its token has expired"
	usualAmount  = money.Centavos(1_00) // of a request that states none
)

// expiredOrUsed: of an expired token and an id that was used, which counts is unspecified.
const expiredOrUsed = "400 or 401 or 409"

func repeatExpired(p *play) {
	op := api.MustNamed(p.step.Move.Noun)
	p.needs(!p.gw.Settings.ProviderDown && !p.refs.Uncounted[op.Makes])
	switch op.Makes {
	case api.Payment: // it is settled first, so that nothing else moves money when it is repeated
		p.needs(p.gw.holds(false) && p.gw.Fees.Out == 0 && p.canPay(usualAmount))
	case api.Nothing:
		p.needs(p.gw.the().Fresh && !p.gw.Hooks.ReceiversFailed && !p.gw.Hooks.Marked && !p.gw.Hooks.isFull(language.TheAccount, api.TypeCashOut))
	}
	p.keepNewToken()
	p.when("the account sends a %s using its first token", op.Noun)
	p.then("the request is accepted")
	again := "the account sends the request again"
	switch op.Makes {
	case api.Payment:
		p.it = p.spend(usualAmount)
		p.noteBody(p.it, language.ValidRequest{})
		p.refs.of(p.it).TokenExpired = true
		confirm(p)
	case api.Charge:
		p.demand(usualAmount)
	default:
		again += " with headers " + pick(p, headersOf[1:5])
		registers(p, addURL(p), api.TypeCashOut)
		p.gw.Hooks.addReceiver()
	}
	p.passSeconds("1801 seconds")
	p.needs(mayUseWrongly(&p.gw, op.Noun))
	p.when("%s", again)
	switch op.Noun {
	case "transfer":
		p.rejected(refusedFor(spec.Expired))
	case "webhook registration":
		p.rejected(refusedFor(spec.Expired))
		listsRegistrations(p, language.TheAccount)
	default:
		p.rejected(expiredOrUsed)
	}
}

// refundExpired: a refund that states nothing is of what was received last.
func refundExpired(p *play) {
	t := p.it
	p.needs(t.ID == p.gw.Things.lastReceived() && t.Amount-t.Refunded.Most >= usualAmount)
	p.needs(p.gw.refundable(p.it, usualAmount) && !p.refs.Uncounted[api.Refund])
	p.keepNewToken()
	p.when("the account sends a refund using its first token")
	p.then("the request is accepted")
	p.refunded(usualAmount)
	p.passSeconds("1801 seconds")
	p.needs(p.gw.moneySettled(language.TheAccount))
	p.when("the account sends the request again")
	p.rejected(expiredOrUsed)
}
