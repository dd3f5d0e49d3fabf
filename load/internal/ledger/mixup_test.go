package ledger

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/load/internal/data"
)

// A response that has the transaction id of another payment is not the webhook's fault.
func TestAResponseWithTheIDOfAnotherPayment(t *testing.T) {
	t.Parallel()
	answer := func(s scene, id data.ID, transaction string) {
		s.Answered(id, Answer{Fate: Accepted, TransactionID: transaction, At: s.at(2)})
	}
	for name, happen := range map[string]func(s scene, a, b data.ID){
		"that of an earlier response": func(s scene, a, b data.ID) {
			answer(s, a, "t-0")
			answer(s, b, "t-0")
			s.send(3, confirmed(a))
			s.send(3, confirmed(b))
		},
		"that of a later response": func(s scene, a, b data.ID) {
			answer(s, b, "t-0")
			answer(s, a, "t-0")
			s.send(3, confirmed(b))
			s.send(3, confirmed(a))
		},
		"that of a webhook before its response": func(s scene, a, b data.ID) {
			s.send(1.5, confirmed(a))
			s.send(1.5, confirmed(b))
			answer(s, b, "t-0")
			answer(s, a, "t-0")
		},
		"exchanged, webhooks first": func(s scene, a, b data.ID) {
			s.send(1.5, confirmed(b))
			s.send(1.5, confirmed(a))
			answer(s, a, "t-1")
			answer(s, b, "t-0")
		},
		"exchanged, a webhook and its response first": func(s scene, a, b data.ID) {
			s.send(1.5, confirmed(a))
			answer(s, a, "t-1")
			answer(s, b, "t-0")
			s.send(3, confirmed(b))
		},
		"exchanged, a response and its webhook first": func(s scene, a, b data.ID) {
			answer(s, a, "t-1")
			s.send(1.5, confirmed(a))
			s.send(1.5, confirmed(b))
			answer(s, b, "t-0")
		},
		"two that are exchanged": func(s scene, a, b data.ID) {
			answer(s, a, "t-1")
			answer(s, b, "t-0")
			s.send(3, confirmed(a))
			s.send(3, confirmed(b))
		},
	} {
		s := newScene(Config{})
		a, b := s.pay(0, CashOut, InFlight), s.pay(1, CashOut, InFlight)
		happen(s, a, b)
		book := s.Book()
		assert.Equal(t, map[string]int64{"payments_sent": 2, "payments_accepted": 2, "payments_confirmed": 2, "payments_mixed_up": 1, "webhooks_received": 2, "webhooks_matched": 2},
			counts(book.Counts), name)
		if assert.Len(t, book.Examples, 1, name) {
			assert.Equal(t, a.ExternalID(), book.Examples[0].Payment, name)
			assert.Contains(t, book.Examples[0].Detail, "the responses to it and to payment "+b.ExternalID()+" were mixed up: the transactionId \"t-", name)
		}
	}
}

func TestAWebhookWithTheIDOfAnotherPaymentIsMalformed(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	a, b := s.pay(0, CashOut, Accepted), s.pay(1, CashOut, Accepted)
	s.send(3, confirmed(a))
	s.send(3, cashOut(b.ExternalID(), "CONFIRMED", transactionID(a), 1000, 0))
	assert.EqualValues(t, 1, s.Counts().WebhooksMalformed)
	assert.Zero(t, s.Counts().PaymentsMixedUp)
}
