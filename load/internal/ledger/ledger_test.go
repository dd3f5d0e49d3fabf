package ledger

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
)

// counts leaves the zeros out.
func counts(c Counts) map[string]int64 {
	some := map[string]int64{}
	for _, name := range countNames {
		if n := c.Get(name); n != 0 {
			some[name] = n
		}
	}
	return some
}

func TestWhatBecomesOfAPayment(t *testing.T) {
	t.Parallel()
	type want map[string]int64
	cases := []struct {
		name   string
		cfg    Config
		happen func(s scene)
		want   want
		money  int64 // what is left of an opening R$ 100.00; -1: a range
	}{
		{"confirmed", Config{}, func(s scene) {
			s.send(3, confirmed(s.pay(0, CashOut, Accepted)))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"its fee is taken from the event", Config{}, func(s scene) {
			id := s.pay(0, QRCashOut, Accepted)
			s.send(3, cashOut(id.ExternalID(), "CONFIRMED", transactionID(id), 1000, 50))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 8950},
		{"the event is faster than the answer", Config{}, func(s scene) {
			id := s.pay(0, CashOut, InFlight)
			s.send(1.5, confirmed(id))
			s.Answered(id, Answer{Fate: Accepted, TransactionID: transactionID(id), At: s.at(2)})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"failed: its money is back", Config{}, func(s scene) {
			s.send(3, failed(s.pay(0, CashOut, Accepted)))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_failed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 10000},
		{"refused", Config{}, func(s scene) {
			s.pay(0, CashOut, Refused)
		}, want{"payments_sent": 1, "payments_refused": 1}, 10000},
		{"no event, and nobody looks", Config{}, func(s scene) {
			s.pay(0, CashOut, Accepted)
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_unknown": 1}, -1},
		{"no event, and the gateway lists it as confirmed", Config{}, func(s scene) {
			s.LookedUp(s.pay(0, CashOut, Accepted), gateway.Listed{Status: "Confirmado", Amount: 1000, Fee: 50})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_lost": 1}, 8950},
		{"no event, and the gateway lists it as pending", Config{}, func(s scene) {
			s.LookedUp(s.pay(0, CashOut, Accepted), gateway.Listed{Status: "Pendente", Amount: 1000})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_unsettled": 1}, -1},
		{"no event, and what the gateway lists cannot be read", Config{}, func(s scene) {
			s.LookedUp(s.pay(0, CashOut, Accepted), gateway.Listed{Status: "?", Amount: 1000})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_unknown": 1}, -1},
		{"an answer that tells the end, and no event", Config{}, func(s scene) {
			id := s.pay(0, QRCashOut, InFlight)
			s.Answered(id, Answer{Fate: Accepted, TransactionID: "t", At: s.at(2), Ended: true})
			assert.Zero(t, s.Pending())
			s.LookedUp(id, gateway.Listed{Status: "CONFIRMED", Amount: 1000})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1}, 9000},
		{"an answer that tells the end, and an event too", Config{}, func(s scene) {
			id := s.pay(0, QRCashOut, InFlight)
			s.Answered(id, Answer{Fate: Accepted, TransactionID: "t-0", At: s.at(2), Ended: true})
			s.send(3, confirmed(id))
			s.send(4, confirmed(id))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 2, "webhooks_matched": 1, "webhooks_duplicate": 1}, 9000},
		{"what is charged for a payment that fails is open", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, strings.Replace(cashOut(id.ExternalID(), "ERROR", transactionID(id), 1000, 50), `"finalAmount":10.50`, `"finalAmount":10.00`, 1))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_failed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 10000},
		{"a CashOut of another status", Config{}, func(s scene) {
			s.send(3, cashOut(s.pay(0, CashOut, Accepted).ExternalID(), "DENIED", "t-0", 1000, 0))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_unknown": 1, "webhooks_received": 1, "webhooks_malformed": 1}, -1},
		{"a TRANSFER of a status that the specification does not list", Config{}, func(s scene) {
			id := s.pay(0, Transfer, Accepted)
			s.send(3, transfer(id.UUID(), "DENIED", "10.00"))
			s.LookedUp(id, gateway.Listed{Status: "ERROR", Amount: 1000})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_failed": 1, "webhooks_received": 1, "webhooks_other": 1}, 10000},
		{"a paid charge, told without a status", Config{}, func(s scene) {
			s.send(3, `{"event":"CashInConfirmed","externalId":"`+s.pay(0, CashIn, Accepted).ExternalID()+`","amount":10.00}`)
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 11000},
		{"a greeting", Config{}, func(s scene) {
			s.send(3, `{"event":"WEBHOOK_TEST"}`)
		}, want{"webhooks_received": 1, "webhooks_other": 1}, 10000},
		{"accepted, and not listed", Config{}, func(s scene) {
			s.LookedUp(s.pay(0, CashOut, Accepted))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_vanished": 1}, 10000},
		{"a transfer, not found by its idempotency key", Config{}, func(s scene) {
			s.LookedUp(s.pay(0, Transfer, Accepted))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_unreported": 1}, -1},
		{"a transfer without a response, not found", Config{}, func(s scene) {
			s.LookedUp(s.pay(0, Transfer, NoResponse))
		}, want{"payments_sent": 1, "payments_no_response": 1, "payments_unreported": 1}, -1},
		{"a refund that is not found", Config{}, func(s scene) {
			s.LookedUp(s.pay(0, Refund, Accepted))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_unreported": 1}, -1},
		{"a transfer that the gateway lists as pending", Config{}, func(s scene) {
			s.LookedUp(s.pay(0, Transfer, NoResponse), gateway.Listed{Status: "Pendente", Amount: 1000})
		}, want{"payments_sent": 1, "payments_no_response": 1, "payments_unsettled": 1}, -1},
		{"a transfer that fails is told by nobody", Config{}, func(s scene) {
			s.LookedUp(s.pay(0, Transfer, Accepted), gateway.Listed{Status: "ERROR", Amount: 1000})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_failed": 1}, 10000},
		{"confirmed by its event, and listed as failed", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, confirmed(id))
			s.LookedUp(id, gateway.Listed{Status: "Error", Amount: 1000})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_failed": 1, "webhooks_received": 1, "webhooks_contradictory": 1}, 10000},
		{"confirmed late by its event, and listed with another amount", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(30, confirmed(id))
			s.LookedUp(id, gateway.Listed{Status: "Confirmado", Amount: 1001})
			s.LookedUp(id, gateway.Listed{Status: "Confirmado", Amount: 1001})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "payments_misstated": 1, "webhooks_received": 1, "webhooks_matched": 1, "webhooks_late": 1}, 9000},
		{"confirmed by its event, and listed as pending still", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, confirmed(id))
			s.LookedUp(id, gateway.Listed{Status: "Pendente", Amount: 1000})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"no response, and not listed", Config{}, func(s scene) {
			s.LookedUp(s.pay(0, CashOut, NoResponse))
		}, want{"payments_sent": 1, "payments_no_response": 1, "payments_not_created": 1}, 10000},
		{"no response, and listed", Config{}, func(s scene) {
			s.LookedUp(s.pay(0, CashOut, NoResponse), gateway.Listed{Status: "ERROR", Amount: 1000})
		}, want{"payments_sent": 1, "payments_no_response": 1, "payments_failed": 1, "webhooks_lost": 1}, 10000},
		{"no response, and its event comes", Config{}, func(s scene) {
			s.send(3, confirmed(s.pay(0, CashOut, NoResponse)))
		}, want{"payments_sent": 1, "payments_no_response": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"no response, not listed, and its event comes after all", Config{}, func(s scene) {
			id := s.pay(0, CashOut, NoResponse)
			s.LookedUp(id)
			s.send(3, confirmed(id))
		}, want{"payments_sent": 1, "payments_no_response": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"no response, and nobody looks", Config{}, func(s scene) {
			s.pay(0, CashOut, NoResponse)
		}, want{"payments_sent": 1, "payments_no_response": 1, "payments_unknown": 1}, -1},
		{"interrupted", Config{}, func(s scene) {
			s.pay(0, CashOut, InFlight)
		}, want{"payments_sent": 1, "payments_unknown": 1}, -1},
		{"two events", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, confirmed(id))
			s.send(4, confirmed(id))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 2, "webhooks_matched": 1, "webhooks_duplicate": 1}, 9000},
		{"two events, one of them asked for", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.ExpectResend(id)
			s.send(3, confirmed(id))
			s.send(4, confirmed(id))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 2, "webhooks_matched": 1, "webhooks_resent": 1}, 9000},
		{"a resend that does not come", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, confirmed(id))
			s.ExpectResend(id)
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1, "webhooks_resend_lost": 1}, 9000},
		{"one of three resends, of which one may not have been sent", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, confirmed(id))
			for range 3 {
				s.ExpectResend(id)
			}
			s.DoubtResend(id)
			s.send(4, confirmed(id))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 2, "webhooks_matched": 1, "webhooks_resent": 1, "webhooks_resend_lost": 1}, 9000},
		{"a resend that nobody knows to be sent", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, confirmed(id))
			s.ExpectResend(id)
			s.DoubtResend(id)
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"two events, after a resend that was refused", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, confirmed(id))
			s.ExpectResend(id)
			s.UnexpectResend(id)
			s.send(4, confirmed(id))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 2, "webhooks_matched": 1, "webhooks_duplicate": 1}, 9000},
		{"three events, while one resend is refused and one is not", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.ExpectResend(id)
			s.ExpectResend(id)
			s.send(3, confirmed(id))
			s.send(4, confirmed(id))
			s.send(5, confirmed(id))
			s.UnexpectResend(id)
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 3, "webhooks_matched": 1, "webhooks_resent": 1, "webhooks_duplicate": 1}, 9000},
		{"two ends", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, failed(id))
			s.send(4, confirmed(id))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 2, "webhooks_matched": 1, "webhooks_contradictory": 1}, 9000},
		{"two ends, and the gateway lists the other", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, confirmed(id))
			s.send(4, failed(id))
			s.LookedUp(id, gateway.Listed{Status: "ERROR", Amount: 1000})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_failed": 1, "webhooks_received": 2, "webhooks_matched": 1, "webhooks_contradictory": 1}, 10000},
		{"refused, and an event comes", Config{}, func(s scene) {
			s.send(3, confirmed(s.pay(0, CashOut, Refused)))
		}, want{"payments_sent": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_contradictory": 1}, 9000},
		{"an event comes, and then the refusal", Config{}, func(s scene) {
			id := s.pay(0, CashOut, InFlight)
			s.send(1.5, confirmed(id))
			s.Answered(id, Answer{Fate: Refused, At: s.at(2)})
		}, want{"payments_sent": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_contradictory": 1}, 9000},
		{"late", Config{}, func(s scene) {
			s.send(12.001, confirmed(s.pay(0, CashOut, Accepted)))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1, "webhooks_late": 1}, 9000},
		{"just in time", Config{}, func(s scene) {
			s.send(12, confirmed(s.pay(0, CashOut, Accepted)))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"another amount", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, cashOut(id.ExternalID(), "CONFIRMED", transactionID(id), 1001, 0))
			s.LookedUp(id, gateway.Listed{Status: "CONFIRMED", Amount: 1000})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_malformed": 1}, 9000},
		{"cut short, and then whole", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, confirmed(id)[:250])
			s.send(4, confirmed(id))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 2, "webhooks_matched": 1, "webhooks_malformed": 1}, 9000},
		{"cut before any id", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, confirmed(id)[:100])
			s.LookedUp(id, gateway.Listed{Status: "CONFIRMED", Amount: 1000})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_malformed": 1, "webhooks_lost": 1}, 9000},
		{"another transaction's id", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, cashOut(id.ExternalID(), "CONFIRMED", "t-other", 1000, 0))
			s.send(4, confirmed(id))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 2, "webhooks_matched": 1, "webhooks_malformed": 1}, 9000},
		{"another transaction's id, before the answer", Config{}, func(s scene) {
			id := s.pay(0, CashOut, InFlight)
			s.send(1.5, cashOut(id.ExternalID(), "CONFIRMED", "t-other", 1000, 0))
			s.Answered(id, Answer{Fate: Accepted, TransactionID: transactionID(id), At: s.at(2)})
			s.send(4, confirmed(id))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 2, "webhooks_matched": 1, "webhooks_malformed": 1}, 9000},
		{"nobody's", Config{}, func(s scene) {
			s.send(3, cashOut("order-1", "CONFIRMED", "t", 1000, 0))
			s.send(3, confirmed(newID(4)))                                        // an id that no payment has
			s.send(3, confirmed(data.ID{Run: testRun + 1}))                       // of another run
			s.send(3, confirmed(data.ID{Run: testRun, Instance: 1, Sequence: 1})) // of another instance
			s.send(3, `{"event":"MedCreated","id":5,"status":"OPEN"}`)
			s.send(3, cashOut("order-2", "PENDING", "t", 1000, 0))
		}, want{"webhooks_received": 6, "webhooks_orphan": 3, "webhooks_other": 3}, 10000},
		{"nobody's, with a UUID that looks like that of a run", Config{}, func(s scene) {
			other := data.ID{Run: testRun + 1, Instance: 30_000, Sequence: 1 << 40} // as random bits are
			s.send(3, cashOut("order-1", "CONFIRMED", data.ID{Run: testRun + 1}.UUID(), 1000, 0))
			s.send(3, cashOut("order-1", "CONFIRMED", other.UUID(), 1000, 0))
			s.send(3, transfer(other.UUID(), "LIQUIDATED", "10.00"))
		}, want{"webhooks_received": 3, "webhooks_orphan": 3}, 10000},
		{"processed at a time without an offset", Config{}, func(s scene) {
			s.send(3, strings.Replace(confirmed(s.pay(0, CashOut, Accepted)), "T23:30:00.000Z", " 23:30:00", 1))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"a repeat that was taken for another payment", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.Repeated(id, "a", "b")
			s.send(3, confirmed(id))
			s.LookedUp(id, gateway.Listed{Status: "CONFIRMED", Amount: 1000}, gateway.Listed{Status: "CONFIRMED", Amount: 1000})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1,
			"repeats_sent": 1, "double_debits": 1}, 9000},
		{"a repeat that was debited too, and both are told of", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.Repeated(id, "a", "b")
			s.send(3, confirmed(id))
			s.send(4, cashOut(id.ExternalID(), "CONFIRMED", "t-second", 1000, 0))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 2, "webhooks_matched": 1,
			"webhooks_duplicate": 1, "repeats_sent": 1, "double_debits": 1}, 9000},
		{"a repeat that was debited too, and both are told of before the answers", Config{}, func(s scene) {
			id := newID(0)
			s.Register(Payment{ID: id, Amount: 1000, Sent: s.at(1), Repeated: true}, s.at(1))
			s.send(1.5, cashOut(id.ExternalID(), "CONFIRMED", "t-second", 1000, 0))
			s.send(1.6, confirmed(id))
			s.Repeated(id, "a", "b")
			s.Answered(id, Answer{Fate: Accepted, TransactionID: transactionID(id), At: s.at(2)})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 2, "webhooks_matched": 1,
			"webhooks_duplicate": 1, "repeats_sent": 1, "double_debits": 1}, 9000},
		{"a cash-in, whose event names what was received", Config{}, func(s scene) {
			id := s.pay(0, CashIn, Accepted)
			s.send(3, `{"event":"CashIn","status":"CONFIRMED","transactionId":"of what was received","externalId":"`+id.ExternalID()+`","originalAmount":10.00}`)
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 11000},
		{"repeats that were not", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.Repeated(id, "a", "")
			s.send(3, confirmed(id))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1, "repeats_sent": 1}, 9000},
		{"a transfer", Config{Fees: ByKind[int64]{Transfer: 7}}, func(s scene) {
			id := newID(0)
			s.Register(Payment{ID: id, Kind: Transfer, Amount: 1000, Sent: s.at(1)}, s.at(1))
			s.Answered(id, Answer{Fate: Accepted, TransactionID: "17", At: s.at(2)})
			s.send(3, transfer(id.UUID(), "LIQUIDATED", "10.00"))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 8993},
		{"a transfer that is told of in words of the gateway's own", Config{}, func(s scene) {
			id := newID(0)
			s.Register(Payment{ID: id, Kind: Transfer, Amount: 1000, Sent: s.at(1)}, s.at(1))
			s.Answered(id, Answer{Fate: Accepted, TransactionID: "17", At: s.at(2)})
			s.send(3, transfer(id.UUID(), "QUEUED", "10.00"))
			s.send(4, transfer(id.UUID(), "LIQUIDATED", "10.00"))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 2, "webhooks_matched": 1, "webhooks_other": 1}, 9000},
		{"a paid cob", Config{}, func(s scene) {
			s.send(3, receive(s.pay(0, Cob, Accepted).ExternalID(), "10.00"))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 11000},
		{"a paid cash-in, less its fee", Config{}, func(s scene) {
			id := s.pay(0, CashIn, Accepted)
			s.send(3, `{"event":"CashIn","status":"CONFIRMED","transactionId":"t-0","externalId":"`+id.ExternalID()+
				`","originalAmount":10.00,"feeAmount":0.30,"finalAmount":9.70}`)
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 10970},
		{"a paid cash-in in words of the gateway's own", Config{}, func(s scene) {
			id := s.pay(0, CashIn, Accepted)
			s.send(3, `{"kind":"pix.received","status":"CONFIRMED","charge":{"reference":"`+id.ExternalID()+`"},"value":"10.00"}`)
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 11000},
		{"a paid cash-in whose status lies deeper, told without its fee", Config{}, func(s scene) {
			id := s.pay(0, CashIn, Accepted)
			s.send(3, `{"event":"pix.received","amount":9.70,"pix":{"charge":{"reference":"`+id.ExternalID()+`","status":"CONFIRMED"}}}`)
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 11000},
		{"a transfer of a run before", Config{}, func(s scene) {
			s.send(3, transfer(data.ID{Run: testRun + 1, Instance: 3, Sequence: 1e6}.UUID(), "LIQUIDATED", "10.00"))
		}, want{"webhooks_received": 1, "webhooks_other": 1}, 10000},
		{"a greeting to a URL that was registered", Config{}, func(s scene) {
			s.send(3, `{"event":"Ping","message":"hello"}`)
		}, want{"webhooks_received": 1, "webhooks_other": 1}, 10000},
		{"failed, with a final amount of nothing", Config{}, func(s scene) {
			id := s.pay(0, CashOut, Accepted)
			s.send(3, strings.Replace(failed(id), `"finalAmount":10.00`, `"finalAmount":0`, 1))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_failed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 10000},
		{"a cash-out with fields of the gateway's own", Config{}, func(s scene) {
			body := confirmed(s.pay(0, CashOut, Accepted))
			s.send(3, body[:len(body)-1]+`,"id":17,"type":"WITHDRAW","data":{"status":"SENT","id":"x","transactionId":"other","originalAmount":1}}`)
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"a transfer with fields of the gateway's own", Config{}, func(s scene) {
			id := newID(0)
			s.Register(Payment{ID: id, Kind: Transfer, Amount: 1000, Sent: s.at(1)}, s.at(1))
			s.Answered(id, Answer{Fate: Accepted, TransactionID: "17", At: s.at(2)})
			body := strings.Replace(transfer(id.UUID(), "LIQUIDATED", "10.00"), `"data":{`, `"data":{"type":"INSTANT","event":"settled",`, 1)
			body = strings.Replace(body, `"remittanceInformation"`, `"amount":1000,"remittanceInformation"`, 1)
			s.send(3, body[:len(body)-1]+`,"id":"delivery-1","status":"SENT","amount":1000}`)
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"a refund, named by its rtrId", Config{}, func(s scene) {
			original, id := newID(5), s.pay(0, Refund, InFlight)
			s.Alias(id, "D1234567820260301233000000000000A")
			s.send(3, refund(original.ExternalID(), "D1234567820260301233000000000000A", "10.00", "DEBIT"))
			s.Answered(id, Answer{Fate: Accepted, At: s.at(2)})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"a refund whose event comes twice before its rtrId is known", Config{}, func(s scene) {
			original, id := s.pay(1, Cob, Accepted), s.pay(0, Refund, InFlight)
			s.send(3, receive(original.ExternalID(), "10.00"))
			s.send(3, refund(original.ExternalID(), "D1234567820260301233000000000000A", "10.00", "DEBIT"))
			s.send(3, refund(original.ExternalID(), "D1234567820260301233000000000000A", "10.00", "DEBIT"))
			s.Alias(id, "D1234567820260301233000000000000A")
			s.Answered(id, Answer{Fate: Accepted, At: s.at(2)})
		}, want{"payments_sent": 2, "payments_accepted": 2, "payments_confirmed": 2, "webhooks_received": 3, "webhooks_matched": 2, "webhooks_duplicate": 1}, 10000},
		{"a refund that nobody asked for", Config{}, func(s scene) {
			s.send(3, refund(newID(5).ExternalID(), "D9", "10.00", "DEBIT"))
		}, want{"webhooks_received": 1, "webhooks_orphan": 1}, 10000},
		{"a refund that is cut short", Config{}, func(s scene) {
			original, id := s.pay(1, Cob, Accepted), s.pay(0, Refund, Accepted)
			s.Alias(id, "D1234567820260301233000000000000A")
			s.send(3, receive(original.ExternalID(), "10.00"))
			body := refund(original.ExternalID(), "D1234567820260301233000000000000A", "10.00", "DEBIT")
			s.send(3, body[:len(body)-5])
			s.LookedUp(id, gateway.Listed{Status: "CONFIRMED", Amount: 1000})
		}, want{"payments_sent": 2, "payments_accepted": 2, "payments_confirmed": 2, "webhooks_received": 2, "webhooks_matched": 1, "webhooks_malformed": 1}, 10000},
		{"a refund of a cash-in", Config{}, func(s scene) {
			id := s.pay(0, Refund, Accepted)
			s.send(3, reversal(id.ExternalID(), newID(5).ExternalID(), 1000))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"a refund that fails is told by nobody", Config{}, func(s scene) {
			s.LookedUp(s.pay(0, Refund, Accepted), gateway.Listed{Status: "ERROR", Amount: 1000})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_failed": 1}, 10000},
		{"a refund told as a credit, before its rtrId is known", Config{}, func(s scene) {
			original, id := newID(5), s.pay(0, Refund, InFlight)
			s.send(3, refund(original.ExternalID(), "D1234567820260301233000000000000A", "10.00", "CREDIT"))
			s.Alias(id, "D1234567820260301233000000000000A")
			s.Answered(id, Answer{Fate: Accepted, At: s.at(2)})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"a refund told as a credit by its own id", Config{}, func(s scene) {
			id := s.pay(0, Refund, Accepted)
			s.send(3, refund(newID(5).ExternalID(), id.ExternalID(), "10.00", "CREDIT"))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 1, "webhooks_matched": 1}, 9000},
		{"a refund that is under way", Config{}, func(s scene) {
			id := s.pay(0, Refund, Accepted)
			s.Alias(id, "D1234567820260301233000000000000A")
			s.send(3, `{"type":"REFUND","data":{"status":"PROCESSING","endToEndId":"D1234567820260301233000000000000A"}}`)
			s.send(4, refund(newID(5).ExternalID(), "D1234567820260301233000000000000A", "10.00", "DEBIT"))
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_confirmed": 1, "webhooks_received": 2, "webhooks_matched": 1, "webhooks_other": 1}, 9000},
		{"no webhooks at all, and no answer", Config{Unheard: ByKind[bool]{CashOut: true}}, func(s scene) {
			s.pay(0, CashOut, NoResponse)
		}, want{"payments_sent": 1, "payments_no_response": 1, "payments_unknown": 1}, -1},
		{"no webhooks at all, and the gateway lists it as pending", Config{Unheard: ByKind[bool]{CashOut: true}}, func(s scene) {
			s.LookedUp(s.pay(0, CashOut, Accepted), gateway.Listed{Status: "PENDING", Amount: 1000})
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_unsettled": 1}, -1},
		{"no webhooks at all", Config{Unheard: ByKind[bool]{CashOut: true}}, func(s scene) {
			s.pay(0, CashOut, Accepted)
		}, want{"payments_sent": 1, "payments_accepted": 1, "payments_unchecked": 1}, -1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(c.cfg)
			s.Open(0, 10000, 0)
			c.happen(s)
			s.Audit(0, 10000, 0)
			book := s.Book()
			got := counts(book.Counts)
			delete(got, "money_drift") // told by what the account is expected to have
			delete(got, "payments_compared")
			assert.Equal(t, map[string]int64(c.want), got)
			require.Len(t, book.Accounts, 1)
			money := book.Accounts[0]
			if c.money < 0 {
				assert.Equal(t, []int64{9000, 10000}, []int64{money.From, money.To}, "a payment that may have been settled")
			} else {
				assert.Equal(t, []int64{c.money, c.money}, []int64{money.From, money.To})
			}
			from, to := s.Expect(0)
			assert.Equal(t, []int64{money.From, money.To}, []int64{from, to})
			requireWhole(t, book)
		})
	}
}

// requireWhole holds the sums that every book keeps, and that its file is the same book.
func requireWhole(t require.TestingT, b Book) {
	c := b.Counts
	require.Equal(t, c.PaymentsSent, c.PaymentsRefused+c.PaymentsConfirmed+c.PaymentsFailed+c.PaymentsUnsettled+
		c.PaymentsVanished+c.PaymentsNotCreated+c.PaymentsUnknown+c.PaymentsUnreported+c.PaymentsUnchecked, "every payment ends as one thing: %+v", c)
	require.Equal(t, c.WebhooksReceived, c.received())
	text, err := json.Marshal(b)
	require.NoError(t, err)
	var read Book
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, counts(b.Counts), counts(read.Counts))
	require.Equal(t, b.Accounts, read.Accounts)
}

func TestReceiptTellsTimes(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	r := s.send(3.25, confirmed(s.pay(0, CashOut, Accepted)))
	assert.Equal(t, Matched, r.Verdict)
	assert.Equal(t, "1.25s", r.Acceptance.String())
	assert.Equal(t, "2.75s", r.Intended.String())

	r = s.send(1.5, confirmed(s.pay(1, CashOut, InFlight)))
	assert.Equal(t, "0s", r.Acceptance.String(), "it came before the answer")
	assert.Equal(t, "1s", r.Intended.String())

	r = s.send(3, confirmed(s.pay(2, CashOut, NoResponse)))
	assert.Equal(t, "2s", r.Acceptance.String(), "since the send, as there was no answer")
}

func TestOutOfOrder(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	send := func(sequence uint64, account int, second string) Receipt {
		id := newID(sequence)
		s.Register(Payment{ID: id, Kind: CashOut, Account: account, Amount: 1000, Sent: s.at(1)}, s.at(0.5))
		s.Answered(id, Answer{Fate: Accepted, TransactionID: transactionID(id), At: s.at(2)})
		body := strings.Replace(confirmed(id), "23:30:00.000Z", "23:30:"+second+"Z", 1)
		return s.Receive(Delivery{Account: account, Body: []byte(body), At: s.at(20)})
	}
	assert.False(t, send(0, 0, "05.000").OutOfOrder)
	assert.False(t, send(1, 0, "05.000").OutOfOrder, "at the same time")
	assert.False(t, send(2, 0, "04.000").OutOfOrder, "processed and delivered concurrently")
	assert.True(t, send(5, 0, "03.999").OutOfOrder)
	assert.False(t, send(3, 1, "02.000").OutOfOrder, "of another account")
	assert.False(t, send(4, 0, "06.000").OutOfOrder)
	assert.EqualValues(t, 1, s.Counts().WebhooksOutOfOrder)
	book := s.Book()
	assert.EqualValues(t, 1, book.Counts.WebhooksOutOfOrder)
	late, disordered := 0, []string{}
	for _, e := range book.Examples {
		switch e.Sort {
		case "webhooks_late":
			late++
		case "webhooks_out_of_order":
			disordered = append(disordered, e.Detail)
		}
	}
	assert.Equal(t, 6, late, "what is late and out of order is an example of both")
	assert.Equal(t, []string{"expected a processingDate at most 1s before 2026-03-01T23:30:05.000Z, that of an earlier webhook, got 2026-03-01T23:30:03.999Z"}, disordered)
}

func TestAWebhookAtTheURLOfAnotherAccountIsMalformed(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	id := s.pay(0, CashOut, Accepted)
	r := s.Receive(Delivery{Account: 3, Body: []byte(confirmed(id)), At: s.at(3)})
	assert.Equal(t, Malformed, r.Verdict)
	assert.Equal(t, "expected the event at the URL of the payment's account 0, got it at that of account 3", r.Reason)
	assert.Equal(t, Matched, s.Receive(Delivery{Account: 0, Body: []byte(confirmed(id)), At: s.at(3)}).Verdict)
}

func TestLatenessIsAMatterOfTimesNotOfTurns(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	id := s.pay(0, CashOut, InFlight)
	s.send(13, confirmed(id)) // it comes after the answer, and is entered before it
	assert.Zero(t, s.Counts().WebhooksLate)
	s.Answered(id, Answer{Fate: Accepted, TransactionID: transactionID(id), At: s.at(2)})
	assert.EqualValues(t, 1, s.Counts().WebhooksLate)
}

func TestARepeatThatIsAnotherPaymentNamesBothTransactions(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	answered, listed := s.pay(0, CashOut, Accepted), s.pay(1, CashOut, Accepted)
	s.Repeated(answered, "t-1", "t-2")
	s.LookedUp(listed, gateway.Listed{TransactionID: "t-3", Status: "CONFIRMED", Amount: 1000}, gateway.Listed{TransactionID: "t-4"}, gateway.Listed{TransactionID: "t-5"})
	details := map[string]string{}
	for _, e := range s.Book().Examples {
		if e.Sort == "double_debits" {
			details[e.Payment] = e.Detail
		}
	}
	assert.Equal(t, map[string]string{
		answered.ExternalID(): "the responses contain different transaction ids: t-1, t-2",
		listed.ExternalID():   "the gateway lists it more than once: t-3, t-4",
	}, details)
}
