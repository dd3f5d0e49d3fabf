package model

import (
	"cmp"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// webhookMoves are about registrations, receivers, and events that are sent again.
var webhookMoves = []Move{
	{Event: "has a URL with headers for", Ways: []string{"cash_out", "cash_in"}, Given: true, Optional: true, do: registerBefore},
	{Event: "is sent for", Noun: "webhook registration", Ways: []string{"cash_out", "cash_in", anotherType}, Shows: "WHK-001 WHK-030 WHK-031 WHK-050", do: register},
	{Event: "is sent again with other headers", Noun: "webhook registration", Shows: "WHK-033 WHK-034 WHK-037", do: registerAgain},
	{Event: "is sent at the first URL for", Noun: "webhook registration", Ways: api.EventTypes, Shows: "WHK-033 WHK-036 WHK-038", do: registerFirst},
	{Event: "is sent by the other account at a URL of this one", Noun: "webhook registration", Shows: "AUTH-011 WHK-058", do: registerAsOther},
	{Event: "is listed", Noun: "webhook registration", Shows: "WHK-044 WHK-050 WHK-053 WHK-054 WHK-055", Looks: true, do: listRegistrations},
	{Event: "has webhook endpoints that return", Noun: "webhook registration", Ways: []string{"202", "200"}, Shows: "WHK-039 RSD-018", do: setReceipt},
	{Event: "is confirmed while receivers fail", Noun: "cash-out", From: []string{"PENDING"}, Shows: "WHK-039 EVT-002 OUT-074", do: whileFailing(confirm)},
	{Event: "is confirmed while receivers fail", Noun: "transfer", From: []string{"PENDING"}, Shows: "WHK-039 EVT-002 DICT-061", do: whileFailing(confirm)},
	{Event: "is paid while receivers fail, by", Noun: "cob", From: []string{"ATIVA"}, Ways: payers[:1], Shows: "WHK-039 EVT-002 COB-059", do: whileFailing(payCharge)},

	{Event: "has its webhook sent again", Noun: "cash-out", From: []string{"CONFIRMED", "ERROR"}, Ways: resends, Shows: "RSD-003 RSD-004 RSD-010 RSD-014 RSD-020 RSD-021", do: resend},
	{Event: "has its webhook sent again", Noun: "QR cash-out", From: []string{"CONFIRMED", "ERROR"}, Ways: resends, Shows: "RSD-003 RSD-004 RSD-010 RSD-014 RSD-020 RSD-021", do: resend},
	{Event: "has its webhook sent again", Noun: "transfer", From: []string{"COMPLETED"}, Shows: "RSD-004 RSD-020", do: resendTransfer},
	{Event: "has its webhook sent again", Noun: "cob", From: []string{"CONCLUIDA"}, Shows: "RSD-004 RSD-020", do: resendCharge},
	{Event: "has its webhook sent again", Noun: "cash-in", From: []string{"CONFIRMED"}, Shows: "RSD-004 RSD-020", do: resendCharge},
	{Event: "has its webhook sent again", Noun: "split cash-in", From: []string{"CONFIRMED"}, Shows: "RSD-004 RSD-020", do: resendCharge},
	{Event: "has its webhook sent again", Noun: "refund", From: []string{"DEVOLVIDO"}, Shows: "RSD-004", do: resendRefund},
}

const (
	anotherType = "another type"

	mostURLs = 3 // of a type of event (Webhooks, rule 3)
	toNewURL = "to a new URL"
	byE2EID  = "by its endToEndId"
)

var resends = []string{"by its externalId", byE2EID, toNewURL}

// headersOf are custom headers that registrations have.
var headersOf = []string{
	"[]", `[{"key":"X-Pixcert-A","value":"1"}]`, `[{"key":"X-Pixcert-A","value":"AbC xYz=/+,;:2"},{"key":"x-pixcert-lower","value":"== ~!@#$^*()"}]`, "a list of 5",
	`[{"key":"X-Pixcert-B","value":"007"},{"key":"X-Pixcert-C","value":"a b"},{"key":"X-Pixcert-D","value":"Zz"}]`, "absent",
}

// Hooks are the registrations of a new account, which had none before.
type Hooks struct {
	Count map[string]int  // URLs, by type of event
	First map[string]bool // types of the first URL; nil while there is none
}

func (h Hooks) clone() Hooks {
	c := Hooks{Count: map[string]int{}}
	for eventType, n := range h.Count {
		c.Count[eventType] = n
	}
	if h.First != nil {
		c.First = map[string]bool{}
		for eventType := range h.First {
			c.First[eventType] = true
		}
	}
	return c
}

// add counts a registration of another URL.
func (h *Hooks) add(eventType string) {
	if h.First == nil {
		h.First = map[string]bool{eventType: true}
	}
	h.Count[eventType]++
}

func register(p *play) bool {
	if !p.Fresh || p.WrongURL && p.Hooks.First == nil {
		return false
	}
	eventType := p.step.Way
	if eventType == anotherType {
		eventType = api.EventTypes[p.luck()%len(api.EventTypes)]
	}
	p.when("the account sends a webhook registration with:")
	p.with("eventType", `"`+eventType+`"`)
	p.with("headers", headersOf[p.luck()%len(headersOf)])
	if p.luck()%5 == 0 {
		p.with("url", "a URL with a query")
	}
	if p.Hooks.Count[eventType] >= mostURLs {
		p.rejected("400")
		return true
	}
	p.registered()
	p.Hooks = p.Hooks.clone()
	p.Hooks.add(eventType)
	p.LastHook = p.step.ID
	return true
}

// registerBefore registers a URL whose headers the events of the scenario have.
func registerBefore(p *play) bool {
	if !p.Fresh {
		return false
	}
	p.given("the account has sent a webhook registration with:")
	p.with("eventType", `"`+p.step.Way+`"`)
	p.with("headers", headersOf[1+p.luck()%(len(headersOf)-2)])
	p.Hooks = p.Hooks.clone()
	p.Hooks.add(p.step.Way)
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

// registerFirst updates the first registration, or registers its URL for another type.
func registerFirst(p *play) bool {
	if p.Hooks.First == nil {
		return false
	}
	p.when("the account sends a webhook registration with:")
	p.with("url", "the account's first url")
	p.with("eventType", `"`+p.step.Way+`"`)
	p.with("headers", headersOf[p.luck()%(len(headersOf)-1)])
	if !p.Hooks.First[p.step.Way] && p.Hooks.Count[p.step.Way] >= mostURLs {
		p.rejected("400")
		return true
	}
	p.registered()
	p.Hooks = p.Hooks.clone()
	if !p.Hooks.First[p.step.Way] {
		p.Hooks.First[p.step.Way] = true
		p.Hooks.Count[p.step.Way]++
	}
	return true
}

func registerAsOther(p *play) bool {
	if p.Hooks.First == nil || !p.OtherFresh || p.OtherHook {
		return false
	}
	p.when("the other account sends a webhook registration with:")
	p.with("url", "the account's first url")
	p.with("eventType", `"`+api.EventTypes[p.luck()%2]+`"`)
	p.then("the request is accepted")
	p.OtherHook = true
	p.forgetOf(language.TheOther)
	return true
}

func listRegistrations(p *play) bool {
	if p.Hooks.First == nil {
		return false
	}
	who := language.TheAccount
	if p.OtherHook && p.luck()%3 == 0 {
		who = language.TheOther
	}
	p.when("%v sends a webhook list request", who)
	p.then("the request is accepted")
	p.then("each registration is listed as it was last sent")
	p.forgetOf(who)
	return true
}

// setReceipt sets which success receivers report.
func setReceipt(p *play) bool {
	if p.Hooks.First == nil || p.Receipt == p.step.Way || p.Receipt == "" && p.step.Way == "200" {
		return false
	}
	p.Receipt = p.step.Way
	p.when("the webhook endpoint returns %s", p.Receipt)
	return true
}

// whileFailing does something while receivers fail. They do so once: whether a URL that often fails stays
// active is left open.
func whileFailing(do func(*play) bool) func(*play) bool {
	return func(p *play) bool {
		if p.Hooks.First == nil || p.Mended {
			return false
		}
		which := []string{"the webhook endpoint", "the first webhook endpoint"}[p.luck()%2]
		p.when("%s returns %s", which, []string{"500", "404", "503"}[p.luck()%3])
		if !do(p) {
			return false
		}
		p.when("the webhook endpoint returns %s", cmp.Or(p.Receipt, "200"))
		p.Mended = true
		return true
	}
}

// arrivesEverywhere says that the event of a payment or charge arrives at each URL. The payloads of some events
// are not shown: at a URL of several types, an event may be one of another type.
func (p *play) arrivesEverywhere(t *Thing, event, eventType string) {
	if event == eventType && p.Hooks.First[eventType] && len(p.Hooks.First) > 1 {
		return
	}
	if p.Fresh && p.Hooks.Count[eventType] > 0 && t.Account == language.TheAccount {
		p.then("a %s event of %s arrives at each URL with its headers", event, p.named(t))
	}
}

// --- resends ---

func resend(p *play) bool {
	t := p.it
	if !p.Webhooks || t.Returned > 0 || t.Account != language.TheAccount {
		return false
	}
	p.returnTo(t)
	switch p.step.Way {
	case byE2EID:
		p.when("a CashOut event of %s arrives", p.named(t))
		p.when("the account sends a resend request with path transactionIdentifier the endToEndId of the event")
	case toNewURL:
		p.when("the account sends a resend request with url a new URL")
	default:
		p.when("the account sends a resend request")
	}
	p.then("the request is accepted")
	p.then("the response has:")
	if p.step.Way == toNewURL {
		p.with("statusCode", 200)
		p.then("the CashOut event arrives at that URL")
	} else {
		p.with("statusCode", cmp.Or(p.Receipt, "200"))
		p.then("the CashOut event of %s arrives again", p.named(t))
	}
	p.forget()
	return true
}

func resendTransfer(p *play) bool {
	if !p.Webhooks || p.it.Returned > 0 {
		return false
	}
	p.when("a TRANSFER event of %s arrives", p.named(p.it))
	p.when("the account sends a resend request with path transactionIdentifier the endToEndId of the event")
	p.then("the request is accepted, or rejected with 404")
	p.then("if the request was accepted, the TRANSFER event of %s arrives again", p.named(p.it))
	p.forget()
	return true
}

// resendCharge: whether a charge of the Central Bank's kind can be resent is left open.
func resendCharge(p *play) bool {
	t := p.it
	if !p.Webhooks || t.Account != language.TheAccount {
		return false
	}
	p.when("the account sends a resend request with path transactionIdentifier the endToEndId of %s", p.named(t))
	if t.Noun == "cob" {
		p.then("the request is accepted, or rejected with 404")
		p.then("if the request was accepted, the RECEIVE event of %s arrives again", p.named(t))
	} else {
		p.then("the request is accepted")
		p.then("the cash_in event of %s arrives again", p.named(t))
	}
	p.forget()
	return true
}

// resendRefund: whether a refund can be resent, and by which of its ids, is left open.
func resendRefund(p *play) bool {
	if !p.Webhooks {
		return false
	}
	p.when("the account sends a resend request with path transactionIdentifier the rtrId of %s", p.named(p.it))
	p.then("the request is accepted, or rejected with 400 or 404")
	p.unmoved()
	p.forget()
	return true
}

// receive registers one URL for each type of event.
func receive(p *play) bool {
	if !p.once(&p.Webhooks, "the account receives webhooks of every type") {
		return false
	}
	p.Hooks = Hooks{Count: map[string]int{}}
	if p.Fresh {
		for _, eventType := range api.EventTypes {
			p.Hooks.add(eventType)
		}
		p.Hooks.First = map[string]bool{api.EventTypes[0]: true}
	}
	return true
}

// spoil notes that a wrong request had a URL: sentences may count it.
func (s *State) spoil(noun string) {
	s.WrongURL = s.WrongURL || slices.Contains([]string{"webhook registration", "resend request"}, noun)
}
