package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// webhookMoves are about registrations, receivers, and the events that arrive at them.
var webhookMoves = []Move{
	{Event: "has URLs with headers for", Ways: api.EventTypes, Given: true, Optional: true, do: registerBefore},
	{Event: "receives webhooks", Given: true, do: receive},
	{Event: "is sent for", Noun: "webhook registration", Ways: api.EventTypes, Shows: "WHK-001 WHK-030 WHK-031 WHK-050", do: register},
	{Event: "is sent again with other headers", Noun: "webhook registration", Shows: "WHK-033 WHK-034 WHK-037", do: registerAgain},
	{Event: "is sent at a known URL for", Noun: "webhook registration", Ways: api.EventTypes, Shows: "WHK-033 WHK-036 WHK-038", do: registerKnown},
	{Event: "is sent by the other account at a URL of this one", Noun: "webhook registration", Shows: "AUTH-011 WHK-058", do: registerAsOther},
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

// marker is what no header of an event contains.
const marker = "pixcert-marker"

// register registers a URL that was not sent before.
func register(p *play) bool {
	if !p.Fresh || p.Mended {
		return false
	}
	eventType := p.step.Way
	p.when("the account sends a webhook registration with:")
	p.with("eventType", `"`+eventType+`"`)
	p.with("headers", headersOf[p.luck()%len(headersOf)])
	if p.luck()%5 == 0 {
		p.with("url", "a URL with a query")
	}
	h := p.hooks()
	u := h.addURL()
	if h.count(eventType) >= api.MostURLs {
		p.rejected("400")
		return true
	}
	p.registered()
	h.register(u, eventType)
	h.ReceiptsDiffer = h.ReceiptsDiffer || p.Receipt != ""
	p.LastHook = p.step.ID
	return true
}

// registered says that a registration is accepted.
func (p *play) registered() {
	p.then("the request is accepted")
	p.forget()
}

// registerAgain updates the registration that was sent last.
func registerAgain(p *play) bool {
	if p.LastHook == 0 {
		return false
	}
	p.when("the account sends the request again with headers %s", headersOf[p.luck()%(len(headersOf)-1)])
	hook := p.LastHook
	p.registered()
	p.LastHook = hook
	return true
}

// registerKnown updates a registration, or registers its URL for another type: mostly one that somebody has registered
// it for.
func registerKnown(p *play) bool {
	which, eventType := p.Hooks.named(), p.step.Way
	if used := slices.DeleteFunc(slices.Clone(which), func(i int) bool {
		u := p.Hooks.URLs[i]
		return !slices.Contains(u.Types, eventType) && !slices.Contains(u.Theirs, eventType)
	}); len(used) > 0 && p.luck()%4 > 0 {
		which = used
	}
	if len(which) == 0 {
		return false
	}
	h := p.hooks()
	u := &h.URLs[which[p.luck()/4%len(which)]]
	p.when("the account sends a webhook registration with:")
	p.with("url", *u)
	p.with("eventType", `"`+eventType+`"`)
	p.with("headers", headersOf[p.luck()%(len(headersOf)-1)])
	if !slices.Contains(u.Types, eventType) && h.count(eventType) >= api.MostURLs {
		p.rejected("400")
		return true
	}
	p.registered()
	h.register(u, eventType)
	p.LastHook = p.step.ID
	return true
}

func registerAsOther(p *play) bool {
	which, eventType := p.Hooks.named(), api.EventTypes[p.luck()%2]
	if len(which) == 0 || !p.OtherFresh {
		return false
	}
	u := &p.hooks().URLs[which[p.luck()/8%len(which)]]
	if own := u.Types[0]; p.luck()/2%2 > 0 && !strings.HasPrefix(own, "med_") { // whose events would not show whose they are
		eventType = own
	}
	if p.Hooks.theirs(eventType) >= api.MostURLs {
		return false
	}
	p.when("the other account sends a webhook registration with:")
	p.with("url", *u)
	p.with("eventType", `"`+eventType+`"`)
	p.with("headers", headersOf[p.luck()%(len(headersOf)-1)])
	p.then("the request is accepted")
	if !slices.Contains(u.Theirs, eventType) {
		u.Theirs = append(slices.Clone(u.Theirs), eventType)
	}
	p.forgetOf(language.TheOther)
	return true
}

// registerTransport updates a registration with each transport header in turn, at some place among others. Whether that is
// rejected, or the header is ignored, is left open, but no event has it.
func registerTransport(p *play) bool {
	which := p.Hooks.named()
	if len(which) == 0 {
		return false
	}
	h := p.hooks()
	u := &h.URLs[which[p.luck()/512%len(which)]]
	for i, name := range transport {
		if (p.luck()+i)%4 == 0 {
			name = strings.ToLower(name)
		}
		headers := []string{`{"key":"X-Pixcert-A","value":"1"}`, `{"key":"X-Pixcert-B","value":"2"}`}
		headers = slices.Insert(headers, (p.luck()/64+i)%3, fmt.Sprintf(`{"key":%q,"value":%q}`, name, marker))
		p.when("the account sends a webhook registration with:")
		p.with("url", *u)
		p.with("eventType", `"`+u.Types[p.luck()/64%len(u.Types)]+`"`)
		p.with("headers", "["+strings.Join(headers, ",")+"]")
		p.then("the request is accepted, or rejected with 400 or 422")
	}
	p.forget()
	h.Marked = true
	return true
}

func listRegistrations(p *play) bool {
	who := language.TheAccount
	if p.hasTheirs() && p.luck()%3 == 0 {
		who = language.TheOther
	}
	if who == language.TheAccount && (!p.Hooks.any() || p.Hooks.Marked) {
		return false
	}
	p.listsRegistrations(who)
	return true
}

// listsRegistrations lists what an account has registered.
func (p *play) listsRegistrations(who language.Account) {
	p.when("%v sends a webhook list request", who)
	p.then("the request is accepted")
	p.then("each registration is listed as it was last sent")
	p.forgetOf(who)
}

// hasTheirs reports whether the other account has registered a URL.
func (s *State) hasTheirs() bool {
	return slices.ContainsFunc(s.Hooks.URLs, func(u URL) bool { return len(u.Theirs) > 0 })
}

// setReceipt sets which success receivers report.
func setReceipt(p *play) bool {
	if !p.Hooks.any() || p.Receipt == p.step.Way || p.Receipt == "" && p.step.Way == "200" {
		return false
	}
	p.hooks().ReceiptsDiffer = false
	p.Receipt = p.step.Way
	p.when("the webhook endpoint returns %s", p.Receipt)
	return true
}

// whileFailing does something while receivers fail. Whether their URLs stay active, and when they get the next events, is
// left open: afterwards, something is said only of the others, and nothing else may have sent an event meanwhile.
func whileFailing(do func(*play) bool) func(*play) bool {
	return func(p *play) bool {
		if !p.Hooks.any() || p.Mended || p.Uncounted[api.Payment] || p.Uncounted[api.Refund] || slices.ContainsFunc(p.Things, p.mayReport) {
			return false
		}
		which := "the webhook endpoint"
		if all := p.endpointsOf(p.step.Move.Noun); len(all) > 0 && p.luck()%3 > 0 {
			which = fmt.Sprintf("the %v webhook endpoint", language.Nth(all[p.luck()%len(all)]))
		}
		p.when("%s returns %s", which, []string{"500", "404", "503"}[p.luck()/3%3])
		if !do(p) {
			return false
		}
		p.when("the webhook endpoint returns %s", cmp.Or(p.Receipt, "200"))
		p.Hooks = Hooks{Lost: true, Endpoints: p.Hooks.Endpoints, Resends: p.Hooks.Resends}
		p.Webhooks, p.Mended, p.LastHook = false, true, 0
		return true
	}
}

// mayReport reports whether an event of another thing than the step's may still come: when it is sent is left open, or no
// sentence has waited for it.
func (p *play) mayReport(t Thing) bool {
	switch {
	case t.Account != language.TheAccount || t.Step == p.it.Step:
		return false
	case slices.Contains(states{Unknown, overdue, expired}, t.State) || t.Noun == "refund" || t.Noun == medCase:
		return true
	}
	return t.Noun == "transfer" && (t.State == api.Failed || t.Returned > 0 || t.State == api.Completed && !p.Webhooks)
}

// reportedAs is the type of event that reports what becomes of a thing, by noun.
var reportedAs = map[string]string{"cash-out": api.TypeCashOut, "transfer": api.TypeCashOut, "cob": api.TypeCashIn, "cash-in": api.TypeCashIn, "refund": api.TypeRefundIn}

// endpointsOf are the webhook endpoints that sentences can name and that receive the events of a thing.
func (s *State) endpointsOf(noun string) (all []int) {
	for _, u := range s.Hooks.URLs {
		if u.Endpoint > 0 && slices.Contains(u.Types, reportedAs[noun]) {
			all = append(all, u.Endpoint)
		}
	}
	return all
}

// arrivesEverywhere says that the event of a payment, charge or refund arrives at each URL.
func (p *play) arrivesEverywhere(t *Thing, event, eventType string) {
	if t.Account == language.TheAccount {
		p.everywhere(event+" event of "+p.named(t), event == eventType, eventType)
	}
}

// everywhere says that an event arrives at each URL, with the headers of that one. The payloads of those without a name
// of their own are not shown: at a URL of several types, one may be of another type.
func (p *play) everywhere(event string, unnamed bool, eventType string) {
	switch n := p.Hooks.count(eventType); {
	case p.Mended:
		p.then("a %s arrives at each URL that has not failed", event)
	case !p.Fresh || n == 0:
	case p.Hooks.Marked:
		p.then("a %s arrives at each URL", event)
		p.then("no event has a header containing %q", marker)
	case unnamed && !p.Hooks.haveOneType(eventType):
		p.then("a %s arrives at each URL", event)
	default:
		p.then("a %s arrives at each URL with its headers", event)
	}
}
