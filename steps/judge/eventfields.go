package judge

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// reportsStatus: the response to a resend reports the status that its destination has returned, not that of a place to
// which it was redirected.
func reportsStatus(s *facts, t *record.Attempt) []Breach {
	status, ok := listing.WholeNumber(t.Answer, "statusCode")
	if !t.Accepted() || !ok {
		return nil
	}
	at := []string{t.SentText("url")}
	if _, given := t.SentField("url"); !given {
		if s.Accounts[t.Account].Fixed { // it may have URLs of somebody else
			return nil
		}
		at = nil
		for _, r := range s.Accounts[t.Account].Receivers {
			at = append(at, r.URL)
		}
	}
	var returned []int
	for _, d := range s.Events {
		if slices.Contains(at, d.At) && d.Sent.After(t.Sent) && d.Sent.Before(t.Sent.Add(t.Took)) {
			returned = append(returned, d.Exchange.Status)
		}
	}
	if len(returned) == 0 || slices.Min(returned) != slices.Max(returned) {
		return nil
	}
	return breachIf(returned[0] != status, fmt.Sprintf("statusCode to be what the destination has returned, %d", returned[0]), strconv.Itoa(status), "statusCode")
}

// logIDsAreUnique: every resend of an account has a log entry of its own.
func logIDsAreUnique(s *facts) (all []Met) {
	known := map[string]bool{}
	for _, t := range s.Requests() {
		id := jsonvalue.Text(t.Answer, "webhookLogId")
		if t.Op.ID != "resendWebhook" || !t.Accepted() || id == "" {
			continue
		}
		if key := fmt.Sprint(t.Account) + " " + id; !known[key] {
			known[key] = true
			continue
		}
		all = append(all, metIn(t.Exchange, breach("each resend to have a webhookLogId of its own", "that of an earlier one", "webhookLogId"))...)
	}
	return all
}

// keepsQuery: an event is sent to its URL with the query that the URL has. Of one path, several may be registered.
func keepsQuery(s *facts, d *record.Delivery) []Breach {
	var queries []string
	for _, t := range s.Requests() {
		at, query, _ := strings.Cut(t.SentText("url"), "?")
		if at == d.At {
			queries = append(queries, query)
		}
	}
	if len(queries) == 0 || slices.Contains(queries, d.Query) {
		return nil
	}
	return breach("an event at "+d.At+" with the query of its URL, "+queries[0], strconv.Quote(d.Query), "")
}

// ofTransaction are the fields of an event that identify a transaction and its outcome. However often and wherever it
// is sent, they are the same.
var ofTransaction = map[string][]string{
	api.PayloadCashOut: {
		"transactionId", "externalId", "endToEndId", "pixKey", "originalAmount", "feeAmount", "finalAmount", "movementType",
		"transactionType", "errorCode", "counterpart.name", "counterpart.document", "counterpart.bank.bankISPB",
	},
	api.PayloadTransfer: {
		"data.pixKey", "data.payment", "data.endToEndId", "data.creditDebitType", "data.idempotencyKey",
		"data.creditorAccount.name", "data.creditorAccount.document", "data.creditorAccount.ispb",
	},
	api.PayloadReceive: {"data.payment", "data.endToEndId", "data.debtorAccount.name", "data.debtorAccount.document"},
	api.PayloadRefund: {
		"data.txId", "data.payment", "data.endToEndId", "data.creditDebitType", "data.refunds[0].status", "data.refunds[0].payment",
		"data.refunds[0].information",
	},
}

// ofAnyTransaction are such fields of an event whose payload is open ("payload of a cash_in event").
var ofAnyTransaction = []string{"externalId", "endToEndId", "originalAmount", "finalAmount", "data.externalId", "data.endToEndId", "data.originalAmount", "data.payment"}

// repeatsFirst: an event says the same as the first of its transaction and status.
func repeatsFirst(s *facts, d *record.Delivery) []Breach {
	id := transactionOf(s, d)
	first := slices.IndexFunc(s.Events, func(e *record.Delivery) bool {
		return e.Name == d.Name && e.Wrapped == d.Wrapped && e.State() == d.State() && transactionOf(s, e) == id
	})
	if id == "" || first < 0 || s.Events[first] == d {
		return nil
	}
	resent := slices.ContainsFunc(s.Requests(), func(t *record.Attempt) bool { return t.Op.ID == "resendWebhook" && d.Sent.After(t.Sent) })
	rule, which := "delivery.every-url", "another event of its payment"
	if resent {
		rule, which = "resend.same-event", "the first event of its payment"
	}
	fields := ofTransaction[d.Name]
	if fields == nil {
		fields = ofAnyTransaction
	}
	for _, field := range fields {
		was, is := jsonvalue.Find(s.Events[first].Payload, field), jsonvalue.Find(d.Payload, field)
		if was.Present && is.Present && !jsonvalue.Equal(was.Value, is.Value) {
			return []Breach{{rule, fmt.Sprintf("%s to be %s, as in %s", field, was, which), is.String(), field}}
		}
	}
	return nil
}

// transactionOf is the id by which an event names the one thing of the scenario that it is about; empty if there is none.
func transactionOf(s *facts, d *record.Delivery) string {
	inEvent, inAnswer := "", ""
	switch d.Name {
	case api.PayloadCashOut:
		inEvent, inAnswer = "transactionId", "transactionId"
	case api.PayloadTransfer:
		inEvent, inAnswer = "id", "id"
	case api.PayloadReceive:
		inEvent, inAnswer = "txId", "txid"
	case api.PayloadRefund:
		return refundOf(s, d)
	default: // of a cash_in event, at least what identifies it
		if s.hasCases() || slices.ContainsFunc(s.Requests(), func(t *record.Attempt) bool { return t.Is(api.Refund) }) {
			return ""
		}
		inEvent, inAnswer = "transactionId", "transactionId"
	}
	id := d.Text(inEvent)
	named := slices.DeleteFunc(s.Requests(), func(t *record.Attempt) bool {
		return t.Is(api.Nothing) || !t.Accepted() || jsonvalue.Text(t.Answer, inAnswer) != id
	})
	if id == "" || len(named) != 1 || named[0].IsPlayed() || s.isUnusual(named[0]) {
		return ""
	}
	return id
}

// refundOf is the id by which an event names its only refund; empty if that may be another id ("what a REFUND event repeats").
func refundOf(s *facts, d *record.Delivery) string {
	id := jsonvalue.Text(d.Payload, "data.refunds[0].endToEndId")
	named := slices.DeleteFunc(s.Requests(), func(t *record.Attempt) bool {
		return !t.Is(api.Refund) || !t.Accepted() || id != jsonvalue.Text(t.Answer, "rtrId") && id != t.Parameter("id")
	})
	if id == "" || len(named) != 1 || len(jsonvalue.Items(d.Payload, "data.refunds")) != 1 {
		return ""
	}
	return id
}

// refundsInReais: amounts are in BRL, also those of each refund in an event.
func refundsInReais(s *facts, d *record.Delivery) []Breach {
	if d.Name != api.PayloadRefund || !s.isOfScenario(d) {
		return nil
	}
	b := notInReais(d, "data.payment", anEvent(d)+" with the currency BRL")
	for i := range jsonvalue.Items(d.Payload, "data.refunds") {
		if b == nil {
			b = notInReais(d, fmt.Sprintf("data.refunds[%d].payment", i), "each refund of a REFUND event to have the currency BRL")
		}
	}
	return b
}

// listsOwnRefunds: a refund in an event has the valor of one that was requested. The event may be about money that a payee has
// given back.
func listsOwnRefunds(s *facts, d *record.Delivery) []Breach {
	if d.Name != api.PayloadRefund || !s.isOfScenario(d) {
		return nil
	}
	var requested []money.Centavos
	for _, t := range s.Requests() {
		if amount, ok := t.Amount(); ok && t.Is(api.Refund) {
			requested = append(requested, amount)
		}
	}
	for i := range jsonvalue.Items(d.Payload, "data.refunds") {
		field := fmt.Sprintf("data.refunds[%d].payment.amount", i)
		if got, ok := money.At(d.Payload, field); ok && len(requested) > 0 && !slices.Contains(requested, got) && !slices.Contains(s.returns(), got) {
			return breach("a refund in a REFUND event to have the valor of one that was requested", got.String(), field)
		}
	}
	return nil
}

// agreesWithCharge: a RECEIVE has the txid of its cob letter by letter, and its amount unless the payer has paid another.
func agreesWithCharge(s *facts, d *record.Delivery) []Breach {
	got := d.Text("txId")
	ofCob := slices.DeleteFunc(s.Requests(), func(t *record.Attempt) bool {
		return t.Op.ID != "cob" || !t.Accepted() || s.isUnusual(t) || !strings.EqualFold(t.Parameter("txid"), got)
	})
	if d.Name != api.PayloadReceive || len(ofCob) == 0 {
		return nil
	}
	ofCob = slices.DeleteFunc(ofCob, func(t *record.Attempt) bool { return t.Parameter("txid") != got })
	if len(ofCob) == 0 {
		return breach("data.txId of a RECEIVE event to be the txid of its charge", "a txid in which the case of letters differs", "data.txId")
	}
	paid, err := money.Parse(jsonvalue.Text(d.Payload, "data.payment.amount"))
	charged, ok := ofCob[0].Amount()
	paysOther := func(c record.Call) bool {
		amount, err := money.Parse(c.Text("amount"))
		return err == nil && amount != charged
	}
	isOther := len(ofCob) == 1 && ok && err == nil && paid != charged && !slices.ContainsFunc(s.callsOf(target.Payments, http.MethodPost), paysOther)
	return breachIf(isOther, fmt.Sprintf("data.payment.amount of a RECEIVE event to be the amount of its charge, %v", charged), paid.String(), "data.payment.amount")
}
