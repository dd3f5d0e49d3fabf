package ledger

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPaymentsInFlightWidenWhatIsExpected(t *testing.T) {
	t.Parallel()
	s := newScene(Config{Fees: ByKind[int64]{CashOut: 10}})
	s.Open(0, 10000, 0)
	expect := func(from, to int64) {
		t.Helper()
		gotFrom, gotTo := s.Expect(0)
		assert.Equal(t, []int64{from, to}, []int64{gotFrom, gotTo})
	}
	id := s.pay(0, CashOut, InFlight)
	expect(8990, 10000)
	s.Answered(id, Answer{Fate: Accepted, At: s.at(2)})
	expect(8990, 10000)
	s.send(3, cashOut(id.ExternalID(), "CONFIRMED", "t", 1000, 25))
	expect(8975, 8975)
	s.pay(1, CashOut, NoResponse)
	expect(8975-1025, 8975)
	s.pay(2, Cob, Accepted)
	expect(8975-1025, 8975+1000)

	assert.Zero(t, s.Audit(0, 9975, 0).Drift)
	assert.EqualValues(t, 1, s.Audit(0, 9976, 0).Drift)
	assert.EqualValues(t, -5, s.Audit(0, 7945, 0).Drift)
	assert.EqualValues(t, 5, s.Book().Counts.MoneyDrift)
}

func TestWhatWasBlockedAtTheOpeningMayLeave(t *testing.T) {
	t.Parallel()
	for actual, drift := range map[int64]int64{9000: 0, 8700: 0, 8699: -1, 9001: 1} {
		s := newScene(Config{})
		s.Open(0, 10000, 300)
		s.send(3, confirmed(s.pay(0, CashOut, Accepted)))
		assert.Equal(t, drift, s.Audit(0, actual, 0).Drift, actual)
		book := s.Book()
		requireWhole(t, book)
		assert.Equal(t, drift, book.Accounts[0].Drift, actual)
	}
}

func TestAnOverdraftIsDrift(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name                   string
		opening, actual, drift int64
	}{
		{"below nothing", 1500, -500, -500},
		{"less below nothing than the payments took", 1500, -100, -100},
		{"one payment too few booked", 1500, 500, 500},
		{"already below nothing", -200, -2200, -2000},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(Config{})
			s.Open(0, c.opening, 0)
			s.send(3, confirmed(s.pay(0, CashOut, Accepted)))
			s.send(4, confirmed(s.pay(1, CashOut, Accepted)))
			assert.Equal(t, c.drift, s.Audit(0, c.actual, 0).Drift)
			assert.Equal(t, max(c.drift, -c.drift), s.Book().Counts.MoneyDrift)
		})
	}
}
