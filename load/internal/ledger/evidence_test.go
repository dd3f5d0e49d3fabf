package ledger

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ids are the payments of the examples of a sort.
func (b Book) ids(sort string) (ids []string) {
	for _, e := range b.Examples {
		if e.Sort == sort {
			ids = append(ids, e.Payment)
		}
	}
	return ids
}

func TestEveryTroubleNamesItsPayments(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	s.Open(0, 10_000)
	cut, failed1, listed, ok := s.pay(0, CashOut, InFlight), s.pay(1, CashOut, Accepted), s.pay(2, CashOut, Accepted), s.pay(3, CashOut, Accepted)
	s.Answered(cut, Answer{Fate: NoResponse, At: s.at(2), Why: "cash-out: no response: connection reset"})
	s.send(3, failed(failed1))
	s.LookedUp(listed, Found{Count: 1, Status: "ERROR", Amount: 1000})
	s.send(3, confirmed(ok))
	for i := range 150 {
		s.Took(Payment{ID: newID(uint64(i)), Sent: s.at(1)}, time.Duration(i)*time.Millisecond)
	}
	s.Took(Payment{ID: newID(7), Sent: s.at(1)}, time.Millisecond) // faster than those that are kept
	book := s.Book()
	assert.Equal(t, []string{cut.ExternalID()}, book.ids("payments_no_response"))
	assert.ElementsMatch(t, []string{failed1.ExternalID(), listed.ExternalID()}, book.ids("payments_failed"))
	slow := book.ids("payments_slow")
	assert.Len(t, slow, mostSlow)
	assert.Equal(t, []string{newID(149).ExternalID(), newID(148).ExternalID()}, slow[:2], "the longest first")
	assert.NotContains(t, slow, newID(49).ExternalID())
	assert.Contains(t, slow, newID(50).ExternalID())
	for _, e := range book.Examples {
		if e.Sort == "payments_no_response" {
			assert.Contains(t, e.Detail, "connection reset")
		}
	}
}

func TestFindingsThatBelongTogetherAreOneFault(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		happen func(s scene)
		total  int64 // in the end, of an opening R$ 100.00 and one payment of R$ 10.00
		says   string
		first  string
	}{
		"carried out twice, under the same id": {func(s scene) {
			s.send(4, cashOut(newID(0).ExternalID(), "CONFIRMED", "t-second", 1000, 0))
		}, 8000, "account 0: a webhook of an unknown transaction (t-second), and a balance that is off by its amount: payment " + newID(0).ExternalID() + " was carried out twice", "webhooks_malformed"},
		"more than once, under the same id": {func(s scene) {
			s.send(4, cashOut(newID(0).ExternalID(), "CONFIRMED", "t-second", 1000, 0))
			s.send(5, cashOut(newID(0).ExternalID(), "CONFIRMED", "t-third", 1000, 0))
		}, 7000, "2 webhooks of unknown transactions (t-second, t-third), and a balance that is off by the sum of their amounts: payment " + newID(0).ExternalID() + " was carried out 3 times", "webhooks_malformed"},
		"reported as failed, and under the same id": {func(s scene) {
			id := s.pay(1, CashOut, Accepted)
			s.send(3, failed(id))
			s.send(4, cashOut(id.ExternalID(), "CONFIRMED", "t-second", 1000, 50))
		}, 7950, "a payment was carried out twice, or one that the run did not send", "webhooks_malformed"},
		"carried out twice, under another id": {func(s scene) {
			s.send(4, cashOut("another", "CONFIRMED", "t-second", 1000, 50))
			s.send(5, cashOut("another", "CONFIRMED", "t-second", 1000, 50)) // delivered again
		}, 7950, "an unknown transaction (t-second), and a balance that is off by its amount: a payment was carried out twice, or one that the run did not send", "webhooks_orphan"},
		"without a transaction id": {func(s scene) {
			s.send(4, strings.Replace(transfer("11111111-1111-4111-8111-111111111111", "LIQUIDATED", "10.00"), `"id":`, `"no":`, 1))
		}, 8000, "account 0: a webhook of an unknown transaction, and a balance", "webhooks_orphan"},
		"both ways": {func(s scene) {
			s.send(4, cashOut("a", "CONFIRMED", "x", 1000, 0))
			s.send(4, cashOut("b", "CONFIRMED", "y", 700, 0))
		}, 7300, "2 webhooks", "webhooks_orphan"},
		"another amount":                {func(s scene) { s.send(4, cashOut("a", "CONFIRMED", "x", 900, 0)) }, 8000, "", ""},
		"it failed":                     {func(s scene) { s.send(4, cashOut("a", "ERROR", "x", 1000, 0)) }, 8000, "", ""},
		"an orphan, and the money fits": {func(s scene) { s.send(4, cashOut("a", "CONFIRMED", "x", 1000, 0)) }, 9000, "", ""},
		"no webhook":                    {func(scene) {}, 8000, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(Config{})
			s.Open(0, 10_000)
			s.send(3, confirmed(s.pay(0, CashOut, Accepted)))
			c.happen(s)
			s.Audit(0, c.total)
			book := s.Book()
			if c.total == 8000 {
				assert.Equal(t, []string{newID(0).ExternalID()}, book.ids("money_drift"), "the payment of the amount that is missing")
			}
			if c.says == "" {
				assert.Empty(t, book.Causes)
				return
			}
			require.Len(t, book.Causes, 1, "%+v", book.Examples)
			assert.Contains(t, book.Causes[0].Text, c.says)
			assert.Equal(t, []string{c.first, "money_drift"}, book.Causes[0].Findings)
			assert.Equal(t, c.total-9000, book.Causes[0].Amount)
			assert.False(t, strings.Contains(book.Causes[0].Text, "%!"))
		})
	}
}

// A gateway that reports payments as ERROR and keeps their money has one fault.
func TestPaymentsReportedAsErrorThatWereNotPaidBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fee, total int64
		want       string
	}{
		"paid back":               {0, 9_000, ""},
		"kept":                    {0, 7_000, "account 0: the balance lacks R$ 20.00, exactly the money of 2 payments reported as ERROR: "},
		"kept, with fees":         {50, 6_850, "lacks R$ 21.00, exactly the money of 2 payments reported as ERROR: "},
		"kept, but not the fees":  {50, 6_950, "lacks R$ 20.00, exactly the money of 2 payments reported as ERROR: "},
		"one of them was kept":    {0, 8_000, ""},
		"more is missing":         {0, 6_999, ""},
		"there is more than ever": {0, 11_000, ""},
	} {
		s := newScene(Config{})
		s.Open(0, 10_000)
		one, other, ok := s.pay(0, CashOut, Accepted), s.pay(1, CashOut, Accepted), s.pay(2, CashOut, Accepted)
		s.send(3, failed(one))
		s.send(4, failed(other))
		s.send(5, cashOut(ok.ExternalID(), "CONFIRMED", transactionID(ok), 1000, c.fee))
		s.Audit(0, c.total)
		book := s.Book()
		if c.want == "" {
			assert.Empty(t, book.Causes, name)
			continue
		}
		require.Len(t, book.Causes, 1, name)
		assert.Contains(t, book.Causes[0].Text, c.want+one.ExternalID()+", "+other.ExternalID(), name)
		assert.Equal(t, []string{"money_drift"}, book.Causes[0].Findings, name)
		assert.Equal(t, book.Counts.MoneyDrift, -book.Causes[0].Amount, "all of the drift is explained")
	}
}

func TestACauseWithoutExamplesNamesNoPayment(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	s.Open(0, 10_000)
	s.Open(1, 10_000)
	for i := range uint64(maxExamples) { // paid back, and all the examples that are kept
		id := newID(i)
		s.Register(Payment{ID: id, Kind: CashOut, Account: 1, Amount: 1000, Sent: s.at(1)})
		s.Answered(id, Answer{Fate: Accepted, TransactionID: transactionID(id), At: s.at(2)})
		s.Receive(Delivery{Account: 1, Body: []byte(failed(id)), At: s.at(3)})
	}
	for i := range uint64(4) {
		s.send(4, failed(s.pay(maxExamples+i, CashOut, Accepted)))
	}
	s.Audit(0, 6_000)
	s.Audit(1, 10_000)
	book := s.Book()
	require.Len(t, book.Causes, 1)
	assert.Equal(t, "account 0: the balance lacks R$ 40.00, exactly the money of 4 payments reported as ERROR", book.Causes[0].Text)
}

func TestAnEventThatAStallOfTheReceiverDelayedIsNotLate(t *testing.T) {
	t.Parallel()
	for stalled, late := range map[time.Duration]int64{0: 1, time.Second: 1, 3 * time.Second: 0} {
		s := newScene(Config{Late: 10 * time.Second, Stalled: func(from, to time.Time) time.Duration {
			assert.Equal(t, 12*time.Second, to.Sub(from), "since the response")
			return stalled
		}})
		id := s.pay(0, CashOut, Accepted) // answered at 2
		s.send(14, confirmed(id))
		assert.Equal(t, late, s.Counts().WebhooksLate, stalled)
	}
}

// A second transaction is named whenever its webhook arrives.
func TestASecondTransactionBeforeTheFirstIsNamed(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	s.Open(0, 10_000)
	id := s.pay(0, CashOut, InFlight)
	s.send(1.5, cashOut(id.ExternalID(), "CONFIRMED", "t-second", 1000, 0))
	s.send(1.6, confirmed(id))
	s.Answered(id, Answer{Fate: Accepted, TransactionID: transactionID(id), At: s.at(2)})
	s.Audit(0, 8000)
	causes := s.Book().Causes
	require.Len(t, causes, 1)
	assert.Equal(t, "account 0: a webhook of an unknown transaction (t-second), and a balance that is off by its amount: payment "+id.ExternalID()+" was carried out twice", causes[0].Text)
}

// A webhook is quoted with the field in dispute, wherever that is.
func TestAQuotationHasTheFieldInDispute(t *testing.T) {
	t.Parallel()
	padding := `{"padding":"` + strings.Repeat("x", 500) + `",`
	for name, c := range map[string]struct{ body, sort, quoted string }{
		"another amount":      {cashOut(newID(0).ExternalID(), "CONFIRMED", "t-0", 1234, 0), "webhooks_malformed", `"originalAmount":12.34`},
		"unknown transaction": {cashOut("another", "CONFIRMED", "t-9", 1234, 0), "webhooks_orphan", `"originalAmount":12.34`},
		"final amount":        {strings.Replace(cashOut(newID(0).ExternalID(), "CONFIRMED", "t-0", 1000, 0), `"finalAmount":10.00`, `"finalAmount":77.00`, 1), "webhooks_malformed", `"finalAmount":77.00`},
		"no status":           {cashOut(newID(0).ExternalID(), "ODD", "t-0", 1000, 0), "webhooks_malformed", `"status":"ODD"`},
		"a date":              {strings.Replace(confirmed(newID(0)), "2026-03-01T23:30:00.000Z", "yesterday", 1), "webhooks_malformed", `"processingDate":"yesterday"`},
		"no amount":           {`"and":""`, "webhooks_malformed", "expected JSON"},
		"a transfer":          {transfer(newID(1).UUID(), "LIQUIDATED", "12.34"), "webhooks_malformed", `"payment":{"amount":"12.34"`},
	} {
		s := newScene(Config{})
		s.pay(0, CashOut, Accepted)
		s.pay(1, Transfer, Accepted)
		s.send(3, padding+strings.TrimPrefix(c.body, "{"))
		for _, e := range s.Book().Examples {
			if e.Sort == c.sort {
				assert.Contains(t, e.Detail, c.quoted, name)
				assert.LessOrEqual(t, len(e.Detail), 900)
			}
		}
		assert.Len(t, s.Book().ids(c.sort), 1, name)
	}
}
