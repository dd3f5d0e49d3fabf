package ledger

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/gateway"
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
	s.Open(0, 10_000, 0)
	cut, failed1, listed, ok := s.pay(0, CashOut, InFlight), s.pay(1, CashOut, Accepted), s.pay(2, CashOut, Accepted), s.pay(3, CashOut, Accepted)
	s.Answered(cut, Answer{Fate: NoResponse, At: s.at(2), Why: "cash-out: no response: connection reset"})
	s.send(3, failed(failed1))
	s.LookedUp(listed, gateway.Listed{Status: "ERROR", Amount: 1000})
	s.send(3, confirmed(ok))
	book := s.Book()
	assert.Equal(t, []string{cut.ExternalID()}, book.ids("payments_no_response"))
	assert.ElementsMatch(t, []string{failed1.ExternalID(), listed.ExternalID()}, book.ids("payments_failed"))
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
		}, 8000, "account 0: the balance is off by exactly what webhooks of unknown transactions report (t-second): carried out more than once: " + newID(0).ExternalID(), "webhooks_malformed"},
		"more than once, under the same id": {func(s scene) {
			s.send(4, cashOut(newID(0).ExternalID(), "CONFIRMED", "t-second", 1000, 0))
			s.send(5, cashOut(newID(0).ExternalID(), "CONFIRMED", "t-third", 1000, 0))
		}, 7000, "report (t-second, t-third): carried out more than once: " + newID(0).ExternalID(), "webhooks_malformed"},
		"reported as failed, and under the same id": {func(s scene) {
			id := s.pay(1, CashOut, Accepted)
			s.send(3, failed(id))
			s.send(4, cashOut(id.ExternalID(), "CONFIRMED", "t-second", 1000, 50))
		}, 7950, "a payment was carried out twice, or one that the run did not send", "webhooks_malformed"},
		"carried out twice, under another id": {func(s scene) {
			s.send(4, cashOut("another", "CONFIRMED", "t-second", 1000, 50))
			s.send(5, cashOut("another", "CONFIRMED", "t-second", 1000, 50)) // delivered again
		}, 7950, "report (t-second): a payment was carried out twice, or one that the run did not send", "webhooks_orphan"},
		"without a transaction id": {func(s scene) {
			s.send(4, strings.Replace(transfer("11111111-1111-4111-8111-111111111111", "LIQUIDATED", "10.00"), `"id":`, `"no":`, 1))
		}, 8000, "account 0: the balance is off by exactly what webhooks of unknown transactions report: a payment", "webhooks_orphan"},
		"both ways": {func(s scene) {
			s.send(4, cashOut("a", "CONFIRMED", "x", 1000, 0))
			s.send(4, cashOut("b", "CONFIRMED", "y", 700, 0))
		}, 7300, "report (x, y): ", "webhooks_orphan"},
		"another amount":                {func(s scene) { s.send(4, cashOut("a", "CONFIRMED", "x", 900, 0)) }, 8000, "", ""},
		"it failed":                     {func(s scene) { s.send(4, cashOut("a", "ERROR", "x", 1000, 0)) }, 8000, "", ""},
		"an orphan, and the money fits": {func(s scene) { s.send(4, cashOut("a", "CONFIRMED", "x", 1000, 0)) }, 9000, "", ""},
		"no webhook":                    {func(scene) {}, 8000, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(Config{})
			s.Open(0, 10_000, 0)
			s.send(3, confirmed(s.pay(0, CashOut, Accepted)))
			c.happen(s)
			s.Audit(0, c.total, 0)
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
		s.Open(0, 10_000, 0)
		one, other, ok := s.pay(0, CashOut, Accepted), s.pay(1, CashOut, Accepted), s.pay(2, CashOut, Accepted)
		s.send(3, failed(one))
		s.send(4, failed(other))
		s.send(5, cashOut(ok.ExternalID(), "CONFIRMED", transactionID(ok), 1000, c.fee))
		s.Audit(0, c.total, 0)
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
	s.Open(0, 10_000, 0)
	s.Open(1, 10_000, 0)
	for i := range uint64(maxExamples) { // paid back, and all the examples that are kept
		id := newID(i)
		s.Register(Payment{ID: id, Kind: CashOut, Account: 1, Amount: 1000, Sent: s.at(1)}, s.at(1))
		s.Answered(id, Answer{Fate: Accepted, TransactionID: transactionID(id), At: s.at(2)})
		s.Receive(Delivery{Account: 1, Body: []byte(failed(id)), At: s.at(3)})
	}
	for i := range uint64(4) {
		s.send(4, failed(s.pay(maxExamples+i, CashOut, Accepted)))
	}
	s.Audit(0, 6_000, 0)
	s.Audit(1, 10_000, 0)
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
	s.Open(0, 10_000, 0)
	id := s.pay(0, CashOut, InFlight)
	s.send(1.5, cashOut(id.ExternalID(), "CONFIRMED", "t-second", 1000, 0))
	s.send(1.6, confirmed(id))
	s.Answered(id, Answer{Fate: Accepted, TransactionID: transactionID(id), At: s.at(2)})
	s.Audit(0, 8000, 0)
	causes := s.Book().Causes
	require.Len(t, causes, 1)
	assert.Equal(t, "account 0: the balance is off by exactly what webhooks of unknown transactions report (t-second): carried out more than once: "+id.ExternalID(), causes[0].Text)
}
