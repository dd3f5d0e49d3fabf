package ledger

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/load/internal/gateway"
)

// Of payments that finished long ago, two bits are left: enough to know further events and resends of them.
func TestForgottenPaymentsAreStillKnown(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	s.keep = 0
	s.Open(0, 10000, 0)
	for i, fate := range []Fate{Accepted, Accepted, Refused, Accepted} {
		id := s.pay(uint64(i), CashOut, fate)
		if i == 1 {
			s.send(3, failed(id))
		} else if fate == Accepted {
			s.send(3, confirmed(id))
		}
	}
	assert.Empty(t, s.payments)

	assert.Equal(t, Duplicate, s.send(4, confirmed(newID(0))).Verdict)
	assert.Equal(t, Duplicate, s.send(4, failed(newID(1))).Verdict)
	assert.Equal(t, Contradictory, s.send(4, confirmed(newID(2))).Verdict)
	// What was refused and then reported as confirmed has moved money all the same.
	s.ExpectResend(newID(3))
	assert.Equal(t, Resent, s.send(5, confirmed(newID(3))).Verdict)

	book := s.Book()
	assert.Equal(t, map[string]int64{
		"payments_sent": 4, "payments_accepted": 3, "payments_confirmed": 3, "payments_failed": 1,
		"webhooks_received": 7, "webhooks_matched": 3, "webhooks_duplicate": 2, "webhooks_resent": 1, "webhooks_contradictory": 1,
	}, counts(book.Counts))
	assert.EqualValues(t, 7000, book.Accounts[0].To)
}

// Of payments without events, two bits tell that the list has not shown them yet.
func TestAListTellsTheOutcomeOfForgottenPayments(t *testing.T) {
	t.Parallel()
	s := newScene(Config{Unheard: ByKind[bool]{CashOut: true}})
	s.keep = 1
	s.Open(0, 10000, 0)
	for i := range 4 {
		s.pay(uint64(i), CashOut, Accepted)
	}
	scan := func(sequence uint64, status string, amount int64) bool {
		return s.Scan(0, gateway.Listed{ExternalID: newID(sequence).ExternalID(), TransactionID: strconv.FormatUint(sequence, 10), Operation: "WITHDRAW", Status: status, Amount: amount, Fee: 50})
	}
	assert.True(t, scan(3, "CONFIRMED", 1001), "still in full")
	assert.True(t, scan(0, "CONFIRMED", 1000))
	assert.True(t, scan(0, "CONFIRMED", 1000), "a page that is read again")
	assert.True(t, scan(1, "PENDING", 1000))
	assert.False(t, scan(9, "CONFIRMED", 1000), "never sent")
	assert.Len(t, s.Undecided(map[int]bool{0: true}), 1, "it is pending")
	assert.True(t, scan(1, "ERROR", 1000))

	book := s.Book()
	assert.Equal(t, map[string]int64{
		"payments_sent": 4, "payments_accepted": 4, "payments_confirmed": 2, "payments_failed": 1, "payments_unchecked": 1,
		"payments_compared": 1, "payments_misstated": 1,
	}, counts(book.Counts))
	assert.EqualValues(t, 10000-2*1050, book.Accounts[0].To)
	assert.EqualValues(t, 10000-3*1050, book.Accounts[0].From, "with the payment that is unchecked")
}

// Names that the gateway gave to payments are kept as long as these, and their duplicates recognized a while longer.
func TestNamesOfForgottenPaymentsAreForgotten(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	s.keep = 2
	const payments = 50
	for i := range uint64(payments) {
		id := s.pay(i, CashIn, Accepted)
		s.Alias(id, "E"+strconv.FormatUint(i, 10))
		assert.Equal(t, Matched, s.send(3, paidCharge(i)).Verdict)
	}
	assert.Len(t, s.nameless.aliases, s.keep)
	assert.Len(t, s.nameless.named, s.keep)
	assert.Equal(t, Duplicate, s.send(4, paidCharge(0)).Verdict)
	assert.Equal(t, Duplicate, s.send(4, paidCharge(payments-1)).Verdict)
	assert.Equal(t, Orphan, s.send(4, paidCharge(payments)).Verdict)
}

// paidCharge is an event that names its payment only by the end-to-end id.
func paidCharge(i uint64) string {
	return `{"event":"CashIn","status":"CONFIRMED","endToEndId":"E` + strconv.FormatUint(i, 10) + `","originalAmount":10.00,"feeAmount":0}`
}

// A transfer that is accepted and never carried out keeps its money blocked.
func TestMoneyThatStaysBlockedIsUnsettled(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		blocked, opening   int64
		unsettled, unknown int64
	}{
		"none is blocked":            {0, 0, 0, 2},
		"that of one":                {1000, 0, 1, 1},
		"that of one, and its fee":   {1050, 0, 1, 1},
		"that of both":               {2000, 0, 2, 0},
		"less than that of one":      {999, 0, 0, 2},
		"what was blocked before":    {1500, 1000, 0, 2},
		"that of another is in full": {3000, 1000, 2, 0},
	} {
		s := newScene(Config{})
		s.Open(0, 10000, c.opening)
		one := s.pay(0, Transfer, Accepted)
		s.pay(1, Transfer, Accepted)
		s.Audit(0, 10000, c.blocked)
		book := s.Book()
		assert.Equal(t, []int64{c.unsettled, c.unknown}, []int64{book.Counts.PaymentsUnsettled, book.Counts.PaymentsUnreported}, name)
		if c.unsettled > 0 {
			assert.Contains(t, book.ids("payments_unsettled"), one.UUID(), name)
		}
	}
	s := newScene(Config{})
	s.Open(0, 10000, 0)
	s.LookedUp(s.pay(0, CashOut, Accepted), gateway.Listed{Status: "PENDING", Amount: 1000})
	s.pay(1, Transfer, Accepted)
	s.Audit(0, 10000, 1000)
	assert.EqualValues(t, 1, s.Book().Counts.PaymentsUnsettled, "the money of the one that the list shows")
	s.Audit(0, 10000, 2000)
	assert.EqualValues(t, 2, s.Book().Counts.PaymentsUnsettled)
	s.Close(true)
	assert.EqualValues(t, 1, s.Book().Counts.PaymentsUnsettled, "nobody waited for the other")
}
