package ledger

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/load/internal/gateway"
)

// Of a payment without events that finished long ago, an event may come all the same, and a page of the list may be read
// twice: it is counted once.
func TestAForgottenPaymentIsCountedOnce(t *testing.T) {
	t.Parallel()
	for name, told := range map[string]func(s scene){
		"listed twice":         func(s scene) { s.list(0) },
		"an event, and listed": func(s scene) { s.send(3, confirmed(newID(0))) },
	} {
		s := newScene(Config{Unheard: ByKind[bool]{CashOut: true}})
		s.keep = 0
		s.Open(0, 10000, 0)
		s.pay(0, CashOut, Accepted)
		told(s)
		s.list(0)
		book := s.Book()
		assert.EqualValues(t, 1, book.Counts.PaymentsConfirmed, name)
		assert.Equal(t, []int64{9000, 9000}, []int64{book.Accounts[0].From, book.Accounts[0].To}, name)
	}
}

// list shows a payment as confirmed, in the gateway's list.
func (s scene) list(sequence uint64) {
	s.Scan(0, gateway.Listed{ExternalID: newID(sequence).ExternalID(), TransactionID: "t", Operation: operations[CashOut], Status: "CONFIRMED", Amount: 1000})
}
