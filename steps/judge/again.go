package judge

import (
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// arrivesAgain: the event arrived again after the last request.
func arrivesAgain(s *Scenario, i int, m language.Arrives) Result {
	sent := s.It()
	if sent == nil {
		return nothingSent()
	}
	c, r := causeOf(s, m.Event, m.Of)
	if r.Verdict != verdict.Pass {
		return r
	}
	at := receiversOf(s, m.Event)
	came := s.EventsAt(at)
	since := sent.Sent
	if s.When.After(since) { // a control made it happen again
		since = s.When
	}
	isIt := func(d *record.Delivery) bool { return c.reports(d) && d.IsCalled(m.Event) }
	n := slices.IndexFunc(came, func(d *record.Delivery) bool { return d.Sent.After(since) && isIt(d) })
	if n < 0 {
		by := sent.Index
		for _, call := range s.Calls {
			by = max(by, call.Index) // a control made it happen again
		}
		r := failBy(by, fmt.Sprintf("another %s event%s at %s", m.Event, ofWhich(s, m, c), urlsOf(at)), "none")
		return r.pending(Look{At: Deliveries, Patience: s.Terms.Deadlines.Webhook})
	}
	if len(m.Rows) > 0 {
		return oneHas(s, i, m, c, at, slices.DeleteFunc(came[n:], func(d *record.Delivery) bool { return !isIt(d) }))
	}
	r = take(s, came[n], m.Event, c, at)
	if first := came[slices.IndexFunc(came, isIt)]; sent.Op.ID == "resendWebhook" {
		r = r.and(repeats(s, first, came[n]))
	}
	if m.Header == "" || r.Verdict != verdict.Pass {
		return r
	}
	return r.and(softened(hasHeader(s, m.Header, m.Value), m.Modality))
}

// oneHas: one of several events has what the rows state: the others may repeat an earlier one.
func oneHas(s *Scenario, i int, m language.Arrives, c cause, at []record.Receiver, came []*record.Delivery) (r Result) {
	for _, d := range slices.Backward(came) {
		if r = take(s, d, m.Event, c, at).and(eventRows(s, i, c, m.Rows)); r.Verdict == verdict.Pass {
			return r
		}
	}
	return r.pending(Look{At: Deliveries, Patience: s.Terms.Deadlines.Webhook})
}

// repeated are the fields that identify a transaction and its outcome, by the name of its event: a
// resend delivers the same event again.
var repeated = map[string][]string{
	api.PayloadCashOut: {
		"status", "transactionId", "externalId", "endToEndId", "pixKey", "originalAmount", "feeAmount", "finalAmount",
		"movementType", "errorCode",
	},
	api.PayloadTransfer: {"data.status", "data.pixKey", "data.payment", "data.endToEndId", "data.creditDebitType", "data.idempotencyKey"},
	api.PayloadReceive:  {"data.status", "data.txId", "data.payment", "data.endToEndId"},
}

// repeats: a resent event says the same of its transaction as the first one.
func repeats(s *Scenario, first, again *record.Delivery) Result {
	for _, field := range repeated[again.Name] {
		was, is := jsonvalue.Find(first.Payload, field), jsonvalue.Find(again.Payload, field)
		if was.Present && is.Present && !jsonvalue.Equal(was.Value, is.Value) {
			return failEvent(s, fmt.Sprintf("%s of the resent event to be %s, as in the first one", field, was), is.String()).in(field)
		}
	}
	return pass()
}
