package ledger

import (
	"fmt"
	"slices"
	"strings"
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

// The same things happen in every order, and are the same finding with the same examples.
func TestMixedUpResponsesInEveryOrder(t *testing.T) {
	t.Parallel()
	type step func(s scene, pair [2]data.ID)
	answer := func(of int, transaction string) step {
		return func(s scene, pair [2]data.ID) {
			s.Answered(pair[of], Answer{Fate: Accepted, TransactionID: transaction, At: s.at(2)})
		}
	}
	event := func(of int, transaction, status string) step {
		return func(s scene, pair [2]data.ID) {
			s.send(2, cashOut(pair[of].ExternalID(), status, transaction, 1000, 0))
		}
	}
	for name, c := range map[string]struct {
		steps []step
		sorts string
	}{
		"exchanged":        {[]step{answer(0, "t-1"), answer(1, "t-0"), event(0, "t-0", "CONFIRMED"), event(1, "t-1", "CONFIRMED")}, "payments_mixed_up"},
		"and one failed":   {[]step{answer(0, "t-1"), answer(1, "t-0"), event(0, "t-0", "ERROR"), event(1, "t-1", "CONFIRMED")}, "payments_failed payments_mixed_up"},
		"and told twice":   {[]step{answer(0, "t-1"), answer(1, "t-0"), event(0, "t-0", "CONFIRMED"), event(1, "t-1", "CONFIRMED"), event(0, "t-0", "CONFIRMED")}, "payments_mixed_up webhooks_duplicate"},
		"the first twice":  {[]step{answer(0, "t-0"), answer(1, "t-0"), event(0, "t-0", "CONFIRMED"), event(1, "t-1", "CONFIRMED")}, "payments_mixed_up"},
		"the last twice":   {[]step{answer(0, "t-1"), answer(1, "t-1"), event(0, "t-0", "CONFIRMED"), event(1, "t-1", "CONFIRMED")}, "payments_mixed_up"},
		"a wrong webhook":  {[]step{answer(0, "t-0"), answer(1, "t-1"), event(0, "t-1", "CONFIRMED"), event(1, "t-1", "CONFIRMED")}, "payments_unknown webhooks_malformed"},
		"and a right one":  {[]step{answer(0, "t-0"), answer(1, "t-1"), event(0, "t-1", "CONFIRMED"), event(0, "t-0", "CONFIRMED"), event(1, "t-1", "CONFIRMED")}, "webhooks_malformed"},
		"a wrong one only": {[]step{answer(0, "t-0"), answer(1, "t-1"), event(0, "t-1", "CONFIRMED")}, "payments_unknown payments_unknown webhooks_malformed"},
		"and a third id":   {[]step{answer(0, "t-1"), answer(1, "t-0"), event(0, "t-0", "CONFIRMED"), event(1, "t-1", "CONFIRMED"), event(0, "t-9", "CONFIRMED")}, "payments_mixed_up webhooks_malformed"},
		"not mixed up":     {[]step{answer(0, "t-0"), answer(1, "t-1"), event(0, "t-9", "CONFIRMED"), event(1, "t-1", "CONFIRMED")}, "payments_unknown webhooks_malformed"},
	} {
		eachOrder(len(c.steps), func(order []int) {
			s := newScene(Config{})
			pair := [2]data.ID{s.pay(0, CashOut, InFlight), s.pay(1, CashOut, InFlight)}
			for _, at := range order {
				c.steps[at](s, pair)
			}
			var sorts []string
			for _, e := range s.Book().Examples {
				sorts = append(sorts, e.Sort)
				assert.True(t, e.Payment == pair[0].ExternalID() || e.Sort == "payments_unknown", "%s %v: %s", name, order, e.Sort)
			}
			assert.Equal(t, c.sorts, strings.Join(sorts, " "), "%s %v", name, order)
			assert.EqualValues(t, strings.Count(c.sorts, "payments_mixed_up"), s.Counts().PaymentsMixedUp, "%s %v", name, order)
			assert.EqualValues(t, strings.Count(c.sorts, "webhooks_malformed"), s.Counts().WebhooksMalformed, "%s %v", name, order)
		})
	}
}

// eachOrder calls f with every permutation of the numbers below n.
func eachOrder(n int, f func(order []int)) {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	var from func(int)
	from = func(at int) {
		if at == n {
			f(order)
		}
		for i := at; i < n; i++ {
			order[at], order[i] = order[i], order[at]
			from(at + 1)
			order[at], order[i] = order[i], order[at]
		}
	}
	from(0)
}

// A gateway that has one transaction id for all payments is reported with each of them.
func TestAConstantTransactionIDNamesEveryPayment(t *testing.T) {
	t.Parallel()
	eachOrder(5, func(order []int) {
		s := newScene(Config{})
		for i := range uint64(5) {
			s.pay(i, CashOut, InFlight)
		}
		for _, i := range order {
			s.Answered(newID(uint64(i)), Answer{Fate: Accepted, TransactionID: "same", At: s.at(2)})
		}
		book := s.Book()
		assert.EqualValues(t, 4, book.Counts.PaymentsMixedUp, order)
		named := book.ids("payments_mixed_up")
		assert.Len(t, slices.Compact(slices.Sorted(slices.Values(named))), 4, "%v: a payment has one example", order)
		for i := range uint64(5) {
			mentioned := func(e Example) bool { return strings.Contains(e.Payment+e.Detail, newID(i).ExternalID()) }
			assert.True(t, slices.ContainsFunc(book.Examples, mentioned), "%v: payment %d", order, i)
		}
	})
}

// Each response has the id of the payment before: no webhook is wrong.
func TestResponsesThatAreOneBehind(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	for i := range uint64(6) {
		id := s.pay(i, CashOut, InFlight)
		s.Answered(id, Answer{Fate: Accepted, TransactionID: fmt.Sprintf("t-%d", max(i, 1)-1), At: s.at(2)})
		s.send(3, confirmed(id))
	}
	assert.EqualValues(t, 3, s.Counts().PaymentsMixedUp)
	assert.Zero(t, s.Counts().WebhooksMalformed)
}

// A gateway that is always wrong takes no more memory with every payment.
func TestWhatIsKeptOfEventsIsLimited(t *testing.T) {
	t.Parallel()
	const payments = mostDisputed + 2000
	for name, of := range map[string]struct{ early, response, transaction, amount string }{
		"another amount before the response":    {"t-%d", "t-%[1]d", "", "9.00"},
		"two transactions before the response":  {"t-%d", "t-%[1]d", "other", "10.00"},
		"another transaction in every response": {"t-%d", "other-%[1]d", "", "10.00"},
		"the same transaction in each response": {"t-%d", "same%.0[1]d", "", "10.00"},
	} {
		s := newScene(Config{})
		for i := range uint64(payments) {
			id := s.pay(i, CashOut, InFlight)
			s.send(1.5, strings.ReplaceAll(cashOut(id.ExternalID(), "CONFIRMED", fmt.Sprintf(of.early, i), 1000, 0), "10.00", of.amount))
			if of.transaction != "" {
				s.send(1.5, cashOut(id.ExternalID(), "CONFIRMED", of.transaction, 1000, 0))
			}
			s.Answered(id, Answer{Fate: Accepted, TransactionID: fmt.Sprintf(of.response, i), At: s.at(2)})
		}
		assert.LessOrEqual(t, len(s.early), mostDisputed, name)
		if of.amount != "10.00" {
			assert.Empty(t, s.early, name)
		}
	}
}

// The earlier of two payments may be forgotten when the later one gets its transaction id.
func TestAMixUpWithAForgottenPayment(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	first := s.pay(0, CashOut, Accepted)
	s.send(3, confirmed(first))
	s.keep = 0
	s.send(3, confirmed(s.pay(1, CashOut, Accepted)))
	later := s.pay(2, CashOut, InFlight)
	s.Answered(later, Answer{Fate: Accepted, TransactionID: transactionID(first), At: s.at(2)})
	assert.Equal(t, []string{later.ExternalID()}, s.Book().ids("payments_mixed_up"))
}
