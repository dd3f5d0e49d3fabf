package model

import (
	"cmp"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// resendMoves are about events that are sent again: by each id of a transaction, to each URL, by either account.
var resendMoves = []Move{
	{Event: "has its webhook sent again", Noun: "cash-out", From: api.PaymentStates.Later, Ways: resends, Shows: "RSD-003 RSD-004 RSD-010 RSD-014 RSD-019 RSD-020 RSD-021", do: resend},
	{Event: "has its webhook sent again", Noun: "QR cash-out", From: api.PaymentStates.Later, Ways: resends, Shows: "RSD-003 RSD-004 RSD-010 RSD-014 RSD-019 RSD-020 RSD-021", do: resend},
	{Event: "has its webhook sent again", Noun: "transfer", From: states{api.Completed}, Shows: "RSD-004 RSD-020", do: resendTransfer},
	{Event: "has its webhook sent again", Noun: "cob", From: states{api.Concluded}, Shows: "RSD-004 RSD-020", do: resendCob},
	{Event: "has its webhook sent again", Noun: "cash-in", From: states{api.Confirmed}, Ways: resends, Shows: "RSD-003 RSD-004 RSD-010 RSD-013 RSD-020", do: resendCharge},
	{Event: "has its webhook sent again", Noun: "split cash-in", From: states{api.Confirmed}, Ways: resends, Shows: "RSD-003 RSD-004 RSD-010 RSD-013 RSD-020", do: resendCharge},
	{Event: "has its webhook sent again by its", Noun: "refund", From: states{api.Refunded}, Ways: []string{"rtrId", "id"}, Shows: "RSD-004 RSD-013", do: resendRefund},

	{Event: "is resent by the other account", Noun: "cash-out", From: api.PaymentStates.Later, Ways: byIDs, By: language.TheOther, Shows: "RSD-023 RSD-024 AUTH-011", do: resendAsOther},
	{Event: "is resent by the other account before its end", Noun: "cash-out", From: states{api.Pending}, By: language.TheOther, Shows: "RSD-023 AUTH-011", do: resendAsOther},
	{Event: "is resent by the other account", Noun: "QR cash-out", From: api.PaymentStates.Later, Ways: byIDs, By: language.TheOther, Shows: "RSD-023 RSD-024 AUTH-011", do: resendAsOther},
	{Event: "is resent by the other account before its end", Noun: "QR cash-out", From: states{api.Pending}, By: language.TheOther, Shows: "RSD-023 AUTH-011", do: resendAsOther},
	{Event: "is resent by the other account", Noun: "cob", From: states{api.Concluded}, By: language.TheOther, Shows: "RSD-023 RSD-024 AUTH-011", do: resendChargeAsOther},
	{Event: "is resent by the other account", Noun: "cash-in", From: states{api.Confirmed}, By: language.TheOther, Shows: "RSD-023 RSD-024 AUTH-011", do: resendChargeAsOther},
	{Event: "is resent by the other account", Noun: "split cash-in", From: states{api.Confirmed}, By: language.TheOther, Shows: "RSD-023 RSD-024 AUTH-011", do: resendChargeAsOther},
	{Event: "of the other account is resent by this one", Noun: "cash-out", From: states{Unknown}, Shows: "RSD-023 RSD-024 AUTH-011", do: resendOthers},
}

const (
	byExternalID = "by its externalId"
	byE2EID      = "by its endToEndId"
	toNewURL     = "to a new URL"
	threeTimes   = "three times"
)

var (
	byIDs   = []string{byExternalID, byE2EID}
	resends = append(slices.Clone(byIDs), toNewURL, threeTimes)
)

func resend(p *play) {
	t := p.it
	p.needs(p.gw.Hooks.EveryType && t.Refunded.Most == 0 && t.Account == language.TheAccount && p.gw.Hooks.resend(3))
	if p.step.Way != threeTimes {
		resendPayment(p, t, p.step.Way)
		return
	}
	isListed := t.State == api.Confirmed && p.gw.Time.Elapsed-t.MadeAt < window // what a list shows of money that comes back is unspecified
	if isListed {
		p.returnTo(t)
		p.then("the payment is listed with:")
		p.with("status", quoted(t.State.Label()))
	}
	way := pick(p, byIDs)
	for range 3 {
		resendPayment(p, t, way)
		if isListed {
			p.then("the payment is listed as before")
		}
	}
}

// resendPayment has the event of a payment sent again.
func resendPayment(p *play, t *Thing, way string) {
	p.returnTo(t)
	if way == byE2EID {
		p.when("a CashOut event of %s arrives", p.refs.named(t))
		p.when("the account sends a resend request with path transactionIdentifier the endToEndId of the event")
	} else {
		sendResend(p, way, "")
	}
	resent(p, t, api.PayloadCashOut, way)
	p.refs.clear()
}

// sendResend requests a resend by an id, or by the last externalId if there is none.
func sendResend(p *play, way, id string) {
	if way != toNewURL && id == "" {
		p.when("the account sends a resend request")
		return
	}
	p.when("the account sends a resend request with:")
	if id != "" {
		p.with("path transactionIdentifier", id)
	}
	if way == toNewURL {
		p.with("url", "a new URL")
		addURL(p)
	}
}

// resent says that a resend is accepted, what its response has, and that the event arrives. To which of several URLs it
// goes is unspecified.
func resent(p *play, t *Thing, event, way string) {
	p.then("the request is accepted")
	p.then("the response has:")
	switch {
	case way == toNewURL:
		p.with("statusCode", 200)
	case p.gw.Hooks.ReceiptsDiffer:
		p.with("statusCode", "200 or 202")
	default:
		p.with("statusCode", cmp.Or(p.gw.Hooks.Receipt, "200"))
	}
	if p.gw.Hooks.Logged {
		p.with("webhookLogId", "different from the first webhookLogId")
	}
	p.gw.Hooks.resent()
	if way == toNewURL {
		p.then("the %s event arrives at that URL", event)
	} else {
		p.then("the %s event of %s arrives again", event, p.refs.named(t))
	}
	if p.gw.Hooks.Marked {
		p.then("no event has a header containing %q", marker)
	}
}

func resendTransfer(p *play) {
	p.needs(p.gw.Hooks.EveryType && p.it.Refunded.Most == 0 && p.gw.Hooks.resend(1))
	p.when("a TRANSFER event of %s arrives", p.refs.named(p.it))
	p.when("the account sends a resend request with path transactionIdentifier the endToEndId of the event")
	p.then("the request is accepted, or rejected with 404")
	p.then("if the request was accepted, the TRANSFER event of %s arrives again", p.refs.named(p.it))
	p.refs.clear()
}

// resendCob: whether a charge of the Central Bank's kind can be resent is unspecified.
func resendCob(p *play) {
	p.needs(p.it.Account == language.TheAccount)
	mayResend(p, "the endToEndId", "404", "RECEIVE")
}

// resendRefund: whether a refund can be resent, and by which of its ids, is unspecified; and by its id, whether it could
// also be the payment that is found.
func resendRefund(p *play) {
	event := map[string]string{"rtrId": "refund_in"}[p.step.Way]
	mayResend(p, "the "+p.step.Way, "400 or 404", event)
	p.unmoved()
}

// mayResend requests a resend that may be rejected.
func mayResend(p *play, id, rejected, event string) {
	p.needs(p.gw.Hooks.EveryType && p.gw.Hooks.resend(1))
	sendResend(p, "", id+" of "+p.refs.named(p.it))
	p.then("the request is accepted, or rejected with %s", rejected)
	if event != "" {
		p.then("if the request was accepted, the %s event of %s arrives again", event, p.refs.named(p.it))
	}
	p.refs.clear()
}

// resendCharge: the externalId is the last that was sent, and what arrives at a new URL is about the last charge.
func resendCharge(p *play) {
	t, way := p.it, p.step.Way
	isLast := p.refs.Last[t.Makes] == t.ID
	p.needs(p.gw.Hooks.EveryType && t.Account == language.TheAccount && p.gw.Hooks.resend(3))
	p.needs((way != byExternalID || p.refs.isLastMade(t)) && (way != toNewURL || isLast))
	id, times := "the endToEndId of "+p.refs.named(t), 1
	switch way {
	case byExternalID:
		id = "the account's transaction.externalId"
	case threeTimes:
		times = 3
	}
	for range times {
		sendResend(p, way, id)
		resent(p, t, api.TypeCashIn, way)
	}
	p.refs.clear()
}

// --- other accounts' transactions ---

// resendInVain requests a resend that finds nothing, to a new URL, because an account without any may be told so first.
// Without an id, the request has the last externalId.
func resendInVain(p *play, id string) {
	p.needs(p.gw.Hooks.resend(1))
	p.when("%v sends a resend request with:", p.who)
	if id != "" {
		p.with("path transactionIdentifier", id)
	}
	p.with("url", "a new URL")
	if p.who == language.TheAccount {
		addURL(p)
	}
	p.then("the request is rejected with 404")
	p.refs.clearOf(p.who)
}

// resendAsOther: an account that has used the same externalId has a payment of its own by that name.
func resendAsOther(p *play) {
	t, id := p.it, ""
	byEvent := p.step.Way == byE2EID
	p.needs(t.Account == language.TheAccount && (byEvent || !p.refs.of(t).SharedID))
	p.returnTo(t)
	if byEvent {
		p.needs(p.gw.Hooks.EveryType && t.Refunded.Most == 0)
		p.when("a CashOut event of %s arrives", p.refs.named(t))
		id = "the endToEndId of the event"
	}
	resendInVain(p, id)
}

// resendChargeAsOther has the event of a paid charge sent again by the account that was not paid.
func resendChargeAsOther(p *play) {
	if p.it.Account == language.TheOther {
		p.who = language.TheAccount
	}
	resendInVain(p, "the endToEndId of "+p.refs.named(p.it))
}

// resendOthers: the externalId is the one that the other account has sent last.
func resendOthers(p *play) {
	t := p.it
	p.needs(t.Account == language.TheOther && !p.refs.of(t).SharedID && p.refs.LastSent[language.TheOther] == t.ID)
	resendInVain(p, "the other account's externalId")
}
