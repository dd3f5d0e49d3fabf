package ledger

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestARefusalThatTheLedgerDisprovesIsWrong(t *testing.T) {
	t.Parallel()
	const amount, fee = 1000, 50
	const most = amount + 2*fee // the fee may be an amount and a share
	type play struct {
		scene
		refuse func(sequence uint64, second float64)
	}
	cases := []struct {
		name    string
		opening int64
		happen  func(p play)
		wrong   int64
	}{
		{"the balance covers it with its fee", 2 * most, func(p play) { p.refuse(1, 10) }, 1},
		{"without its fee", 2*most - 1, func(p play) { p.refuse(1, 10) }, 0},
		{"a payment in flight may have taken it", 3*most - 1, func(p play) {
			p.pay(1, CashOut, Accepted)
			p.refuse(2, 10)
		}, 0},
		{"one that failed long ago did not", 3*most - 1, func(p play) {
			p.send(3, failed(p.pay(1, CashOut, Accepted)))
			p.Register(Payment{ID: newID(8), Kind: CashOut, Amount: 1, Sent: p.at(10)}, p.at(10)) // what is certain is sampled
			p.Answered(newID(8), Answer{Fate: Refused, At: p.at(10)})
			p.refuse(2, 20)
		}, 1},
		{"one that failed just now may not be returned yet", 3*most - 1, func(p play) {
			p.send(3, failed(p.pay(1, CashOut, Accepted)))
			p.refuse(2, 3.5)
		}, 0},
		{"money received just now may not be available yet", 2*most - 1, func(p play) {
			p.send(3, `{"event":"CashIn","status":"CONFIRMED","transactionId":"t-1","externalId":"`+p.pay(1, CashIn, Accepted).ExternalID()+`","originalAmount":10.00}`)
			p.refuse(2, 3.5)
		}, 0},
		{"what is blocked at the start may be gone", 2 * most, func(p play) {
			p.Open(0, 2*most, 100)
			p.refuse(1, 10)
		}, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newScene(Config{})
			s.Open(0, c.opening, 0)
			first := s.pay(0, CashOut, Accepted)
			s.send(2.5, cashOut(first.ExternalID(), "CONFIRMED", transactionID(first), amount, fee))
			c.happen(play{s, func(sequence uint64, second float64) {
				id := newID(sequence)
				funds := s.Register(Payment{ID: id, Kind: CashOut, Amount: amount, Sent: s.at(second)}, s.at(second))
				s.Answered(id, Answer{Fate: Refused, Short: true, Funds: funds, At: s.at(second)})
			}})
			assert.EqualValues(t, c.wrong, s.Book().Counts.PaymentsRefusedWrongly)
		})
	}
}

// The fee of a higher payment may be higher.
func TestAFeeMayBeAShareOfTheAmount(t *testing.T) {
	t.Parallel()
	s := newScene(Config{})
	s.Open(0, 3*1050-1, 0)
	first := s.pay(0, CashOut, Accepted)
	s.send(2.5, cashOut(first.ExternalID(), "CONFIRMED", transactionID(first), 1000, 50))
	id := newID(1)
	funds := s.Register(Payment{ID: id, Kind: CashOut, Amount: 2000, Sent: s.at(3)}, s.at(3))
	s.Answered(id, Answer{Fate: Refused, Short: true, Funds: funds, At: s.at(3)})
	assert.Zero(t, s.Book().Counts.PaymentsRefusedWrongly)
}
