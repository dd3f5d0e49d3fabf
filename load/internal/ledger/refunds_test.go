package ledger

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
)

// A cash-out and the payment of a charge are sent and end while the balance is read, which
// may have either of them, or neither, or both.
func TestWhatHappensWhileABalanceIsReadMayBeInIt(t *testing.T) {
	t.Parallel()
	for total, drift := range map[int64]int64{
		10000: 0, 8950: 0, 11000: 0, 9950: 0, 8949: -1, 11001: 1,
	} {
		s := newScene(Config{})
		s.Open(0, 10000, 0)
		held := s.UnderTraffic(0)
		out, in := s.pay(0, CashOut, Accepted), s.pay(1, Cob, Accepted)
		s.send(3, cashOut(out.ExternalID(), "CONFIRMED", transactionID(out), 1000, 50))
		s.send(3, receive(in.ExternalID(), "10.00"))
		from, to := s.Expect(0)
		require.Equal(t, []int64{9950, 9950}, []int64{from, to}, "all has ended")
		m := held(total)
		assert.Equal(t, Money{Account: 0, Opening: 10000, From: 8950, To: 11000, Audited: true, Actual: total, Drift: drift}, m)
		assert.Zero(t, s.Book().Counts.MoneyDrift, "it is not kept")
	}
}

func TestMoneyThatAPayeeGivesBackIsNoDrift(t *testing.T) {
	t.Parallel()
	reversed := func(id, status string, amount int64) string {
		return strings.NewReplacer("CashInReversal", "CashOutReversal", "DEBIT", "CREDIT", "CONFIRMED", status).Replace(reversal(id, "p", amount))
	}
	for name, c := range map[string]struct {
		bodies []string
		most   int64
	}{
		"a REFUND":                       {[]string{refund("", "D1234567820260301233000000000000A", "10.00", "CREDIT")}, 1000},
		"told twice":                     {[]string{refund("", "DA", "10.00", "CREDIT"), refund("", "DA", "10.00", "CREDIT")}, 1000},
		"a part, and another":            {[]string{refund("", "DA", "10.00", "CREDIT"), refund("", "DB", "2.50", "CREDIT")}, 1250},
		"a reversal":                     {[]string{reversed("r", "CONFIRMED", 700)}, 700},
		"two reversals, one of it twice": {[]string{reversed("r", "CONFIRMED", 700), reversed("r", "CONFIRMED", 700), reversed("r", "CONFIRMED", 100)}, 800},
		"under way":                      {[]string{reversed("r", "PENDING", 700)}, 0},
		"in vain":                        {[]string{reversed("r", "ERROR", 700)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(Config{})
			s.Open(0, 10000, 0)
			for _, body := range c.bodies {
				s.send(3, body)
			}
			from, to := s.Expect(0)
			assert.Equal(t, []int64{10000, 10000 + c.most}, []int64{from, to})
			assert.Zero(t, s.Audit(0, 10000+c.most, 0).Drift)
			assert.Zero(t, s.Book().Counts.MoneyDrift)
			s.Audit(0, 10001+c.most, 0)
			assert.EqualValues(t, 1, s.Book().Counts.MoneyDrift)
			assert.EqualValues(t, len(c.bodies), s.Book().Counts.WebhooksOther)
			requireWhole(t, s.Book())
		})
	}
}

// A gateway tells of a refund under the end-to-end id of the original, which the books know.
func TestTheEventOfARefundIsNotItsOriginals(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	original, back := s.pay(0, CashIn, Accepted), s.pay(1, Refund, Accepted)
	const theirs, ours = "E1234567820260301233000000000000A", "D1234567820260301233000000000000A"
	s.Alias(original, theirs)
	s.Alias(back, ours)
	named := func(transactionID, endToEndID string) string {
		return strings.NewReplacer(`"t"`, `"`+transactionID+`"`, `"feeAmount"`, `"endToEndId":"`+endToEndID+`","feeAmount"`).
			Replace(reversal("x", original.ExternalID(), 1000))
	}
	r := s.send(3, named(theirs, ours))
	assert.Equal(t, Matched, r.Verdict, r.Reason)
	assert.Equal(t, back, r.ID)
	cut := refund(theirs, ours, "10.00", "DEBIT")
	r = s.send(4, cut[:len(cut)-10])
	assert.Equal(t, Malformed, r.Verdict)
	assert.Equal(t, back, r.ID)
}

// Nobody heard by which name the refund goes.
func TestTheEventOfARefundThatNobodyHeardOfIsNoOrphan(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer Fate
		amount string
		want   string
	}{
		"no response": {NoResponse, "10.00", "webhooks_other"},
		"in flight":   {InFlight, "10.00", "webhooks_other"},
		"another one": {NoResponse, "9.99", "webhooks_orphan"},
		"refused":     {Refused, "10.00", "webhooks_orphan"},
		"known":       {Accepted, "10.00", "webhooks_orphan"},
	} {
		s := newScene(Config{})
		s.pay(0, Refund, c.answer)
		s.send(3, refund("tx", "D1234567820260301233000000000000A", c.amount, "DEBIT"))
		assert.EqualValues(t, 1, counts(s.Book().Counts)[c.want], name)
	}
}

// What nobody can match somebody has to find: by the body, also of what waited for its name.
func TestAnOrphanIsShownWithItsBody(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	s.send(1, cashOut("somebody-elses-payment", "CONFIRMED", "tx-of-an-orphan", 1000, 50))
	text, err := json.Marshal(s.Book())
	require.NoError(t, err)
	var read Book
	require.NoError(t, json.Unmarshal(text, &read))
	for name, book := range map[string]Book{"of one": s.Book(), "read again": read} {
		require.Len(t, book.Examples, 1, name)
		assert.Equal(t, "webhooks_orphan", book.Examples[0].Sort)
		assert.Contains(t, book.Examples[0].Detail, noName)
		assert.Contains(t, book.Examples[0].Detail, "tx-of-an-orphan", name)
	}
}

// The specification does not say whose side CREDIT means: it is the run's own refund.
func TestARefundOfTheRunIsNoReturnedMoney(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	s.Open(0, 10000, 0)
	id := s.pay(0, Refund, InFlight)
	event := refund("tx", rtrID(id), "10.00", "CREDIT")
	s.send(1.5, event)
	s.Alias(id, rtrID(id))
	s.Answered(id, Answer{Fate: Accepted, At: s.at(2)})
	assert.EqualValues(t, 0, s.Audit(0, 9000, 0).Drift)
	from, to := s.Expect(0)
	assert.Equal(t, []int64{9000, 9000}, []int64{from, to})
	assert.EqualValues(t, 9000, s.Book().Accounts[0].To)
}

// A gateway may list the refund's own name as an id beside its end-to-end id.
func TestARefundThatIsKnownByAnotherNameIsNoReturnedMoney(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	s.Open(0, 10000, 0)
	id := s.pay(0, Refund, InFlight)
	s.send(1.5, strings.Replace(refund("tx", "DA", "10.00", "CREDIT"), `"refunds":[{`, `"refunds":[{"id":"`+rtrID(id)+`",`, 1))
	s.Alias(id, rtrID(id))
	s.Answered(id, Answer{Fate: Accepted, At: s.at(2)})
	from, to := s.Expect(0)
	assert.Equal(t, []int64{9000, 9000}, []int64{from, to})
}

// What is charged for money that comes in widens nothing of what leaves.
func TestTheListedFeeOfACashInIsNotThatOfACashOut(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	s.Open(0, 10000, 0)
	s.pay(0, CashOut, Accepted)
	s.LookedUp(s.pay(1, CashIn, Accepted), gateway.Listed{Status: "CONFIRMED", Amount: 1000, Fee: 300})
	from, to := s.Expect(0)
	assert.Equal(t, []int64{9700, 10700}, []int64{from, to})
}

// The refund's event comes before its name is known, and before that of a later payment.
func TestAnEventThatWaitsForItsNameKeepsItsPlace(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	back, out := s.pay(0, Refund, InFlight), s.pay(1, CashOut, Accepted)
	s.send(3, refund("tx", rtrID(back), "10.00", "DEBIT"))
	s.send(4, strings.Replace(confirmed(out), "2026-03-01", "2026-03-02", 1))
	early := s.Alias(back, rtrID(back))
	require.Len(t, early, 1)
	assert.Equal(t, Matched, early[0].Verdict)
	assert.False(t, early[0].OutOfOrder)
	assert.Zero(t, s.Counts().WebhooksOutOfOrder)
}

// The URLs of an account that stays are the same in every run, and a gateway delivers again
// what nobody took: what an earlier run gave back is not this one's.
func TestTheEventOfARefundOfAnEarlierRunIsNoOrphan(t *testing.T) {
	t.Parallel()
	earlier := data.ID{Run: testRun + 1, Sequence: 5}
	for name, c := range map[string]struct {
		original string
		want     map[string]int64
	}{
		"of a run before": {earlier.ExternalID(), map[string]int64{"webhooks_received": 1, "webhooks_other": 1}},
		"of this run":     {newID(5).ExternalID(), map[string]int64{"webhooks_received": 1, "webhooks_orphan": 1}},
		"of nobody's":     {"", map[string]int64{"webhooks_received": 1, "webhooks_orphan": 1}},
	} {
		s := newScene(Config{})
		s.send(3, refund(c.original, "D1234567820260301233000000000000A", "10.00", "DEBIT"))
		assert.Equal(t, c.want, counts(s.Book().Counts), name)
	}
	s := newScene(Config{})
	id := s.pay(0, Refund, InFlight)
	s.send(1.5, refund(earlier.ExternalID(), rtrID(id), "10.00", "DEBIT"))
	receipts := s.Alias(id, rtrID(id))
	require.Len(t, receipts, 1)
	assert.Equal(t, Matched, receipts[0].Verdict, "this run gives back what one before received")
}

// The answer that tells the name comes just before the event.
func TestAnEventIsNotHeldOnceItsNameIsKnown(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	s.Open(0, 10000, 0)
	id := s.pay(0, Refund, InFlight)
	body := refund("tx", rtrID(id), "10.00", "CREDIT")
	require.Empty(t, s.Alias(id, rtrID(id)))
	assert.Equal(t, Matched, s.Receive(Delivery{Body: []byte(body), At: s.at(1.5)}).Verdict)
	from, to := s.Expect(0)
	assert.Equal(t, []int64{9000, 9000}, []int64{from, to}, "nothing is given back")
}

func TestEventsAreMatchedWhileTheirNamesBecomeKnown(t *testing.T) {
	t.Parallel()
	const payments = 1000
	s := newScene(Config{})
	var all sync.WaitGroup
	for i := range uint64(payments) {
		id := s.pay(i, Refund, InFlight)
		all.Go(func() { s.send(3, refund("tx", rtrID(id), "10.00", "DEBIT")) })
		all.Go(func() { s.Alias(id, rtrID(id)) })
	}
	all.Wait()
	assert.EqualValues(t, payments, s.Book().Counts.WebhooksMatched)
}
