package spec

import (
	"maps"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/money"
)

// Orders are what was ordered of an account so far, by which a gateway accepts or rejects another order. It is a value: an
// order returns the next one.
type Orders struct {
	Available Range
	Spent     Range          // today, of the daily limit
	Due       money.Centavos // that is available in the end, but perhaps not yet

	used     map[string]use   // accepted, by their id, and by that with their noun
	refunded map[string]Range // of a charge, by its end-to-end id
}

// use is what an id was used for.
type use struct {
	noun   string
	amount money.Centavos
	made   string
	key    string
}

// The nouns of orders, and of what others do next to them.
const (
	CashOut   = "cash-out"
	QRCashOut = "QR cash-out"
	ATransfer = "transfer"
	ARefund   = "refund"
	ACashIn   = "cash-in" // with splits or without
	ACob      = "cob"
	Credit    = "credit"        // somebody pays a charge
	Unrefund  = "failed refund" // the bank rejects a refund
)

// Order is a request for a payment, a refund or a charge, and how it was answered.
type Order struct {
	Noun     string
	Amount   money.Centavos
	Fee      money.Centavos // the highest there is
	MinFee   money.Centavos // of a cash-out: the balance must cover it, too
	ID       string         // the externalId, the x-idempotency-key, the txid or the path of a refund, in one case; empty for none
	Key      string         // the x-idempotency-key as it was sent
	Charge   string         // that a refund is of
	Original money.Centavos // what that charge came to
	MayReuse bool           // the id of a charge may be free again, because the charge has expired
	Late     Done           // whether the time in which it can be refunded is over
	Limits   Limits
	AtNight  Done // for these

	Rivals       money.Centavos // what those at the same time take, if all of them are accepted
	RivalRefunds money.Centavos // what refunds of the same charge do
	SameID       bool           // another at the same time has the same id

	Answer    Answer
	Made      string         // by which the response names what was made
	MayReturn bool           // the bank may reject what was accepted at once, and its money be spent again
	Counts    bool           // to the daily limit, for sure; see exceeds
	Due       money.Centavos // what a credit comes to at least, in the end
}

// Answer is what a response says of an order.
type Answer int

const (
	Accepted     Answer = iota
	Unclear             // it may have been accepted: 5xx, or no response
	TurnedAway          // for what happens at the same time: 409, 429
	Insufficient        // the money is not enough
	Duplicate           // the id is used
	OverTransaction
	OverDaily
	OverNight
	AnyReason // rejected, without a code that the specification gives a meaning
	NoReason  // rejected, with another status than the specification gives
)

// reason is a row of why a gateway may reject a payment.
type reason struct {
	answers []Answer
	holds   func(Orders, Order) bool
	by      string
	open    string
}

// reasons are why a payment may be rejected, by what the response says (Cash-out, Errors).
var reasons = []reason{
	{[]Answer{Insufficient, AnyReason}, Orders.mayLackMoney, "OUT-079", ""},
	{[]Answer{Duplicate, AnyReason}, Orders.mayKnowID, "OUT-065", ""},
	{[]Answer{OverTransaction, AnyReason}, mayExceed(PerTransaction), "OUT-081", "the limit itself"},
	{[]Answer{OverDaily, AnyReason}, mayExceed(Daily), "OUT-084", "the limit itself"},
	{[]Answer{OverNight, AnyReason}, mayExceed(Night), "OUT-087", "the zone of the night"},
	{[]Answer{TurnedAway}, func(Orders, Order) bool { return true }, "", ""}, // whatever the order is
}

// After are the orders after another one, or after what somebody else did; false if it cannot have been answered so.
func (s Orders) After(o Order) (Orders, bool) {
	switch o.Noun {
	case Credit:
		s.Due += o.Due
		return s.moved(o, CashIn, Any(api.Pending, api.Confirmed)), true
	case Unrefund:
		return s.Refund(o.Charge, Range{Least: -o.Amount}), true
	case ARefund:
		return s.afterRefund(o)
	case ACashIn, ACob:
		return s.afterCharge(o)
	}
	return s.afterPayment(o)
}

// afterCharge: a charge takes no money, but each id makes one (IN-016, COB-008). Whether that of a cash-in that has expired can be
// used again is open ("externalId of an expired cash-in").
func (s Orders) afterCharge(o Order) (Orders, bool) {
	switch _, used := s.used[o.Noun+o.ID]; o.Answer {
	case Accepted:
		return s.Use(o), !used || o.MayReuse
	case Unclear, TurnedAway:
		return s, true
	}
	return s, s.mayKnowID(o)
}

func (s Orders) afterPayment(o Order) (Orders, bool) {
	switch o.Answer {
	case Accepted:
		before, used := s.used[o.Noun+o.ID]
		switch {
		case used && before.made == o.Made && o.Noun == ATransfer: // the same again
			return s, true
		// What another transfer under a key comes to is open ("another transfer under a used x-idempotency-key"), and so is
		// whether a key in another case is another one ("x-idempotency-key in another case").
		case used && (o.Noun != ATransfer || before.amount == o.Amount && before.key == o.Key):
			return s, false
		case o.Amount > s.Available.Most || o.Noun == CashOut && o.Amount+o.MinFee > s.Available.Most || s.exceeds(o): // OUT-062 OUT-079
			return s, false
		}
		s = s.Use(o)
		s.Spent = Counted(s.Spent, o.Amount, o.Fee, o.Counts)
		if o.MayReturn {
			return s.moved(o, Payment, Any(api.Pending, api.Failed)), true
		}
		return s.moved(o, Payment, Any(api.Pending)), true
	case Unclear:
		s.Spent = Counted(s.Spent, o.Amount, o.Fee, false)
		return s.moved(o, Payment, Any(api.Pending, Unmade)), true
	}
	return s, s.mayReject(o)
}

// mayReject reports whether a reason for which a response rejects a payment may hold.
func (s Orders) mayReject(o Order) bool {
	for _, row := range reasons {
		for _, answer := range row.answers {
			if answer == o.Answer && row.holds(s, o) {
				return true
			}
		}
	}
	return false
}

// SurelyAccept reports whether no reason to reject a payment may hold.
func (s Orders) SurelyAccept(o Order) bool {
	o.Answer = AnyReason
	return !s.mayReject(o)
}

// exceeds reports whether a cash-out is above a limit for sure. Whether others have limits is open ("the limits of a QR cash-out",
// "the limits of a transfer").
func (s Orders) exceeds(o Order) bool {
	isAbove := func(l Limit) bool { return o.Limits.Exceeds(l, s.spending(o)) == IsDone }
	return o.Noun == CashOut && slices.ContainsFunc(AllLimits, isAbove)
}

// mayExceed reports whether a payment may be above a limit.
func mayExceed(l Limit) func(Orders, Order) bool {
	return func(s Orders, o Order) bool { return o.Limits.Exceeds(l, s.spending(o)) != NotDone }
}

// spending is what a payment spends, with what those at the same time may.
func (s Orders) spending(o Order) Spending {
	return Spending{Amount: o.Amount, Fee: o.Fee, Today: s.Spent.Plus(Range{Most: o.Rivals}), AtNight: o.AtNight}
}

func (s Orders) mayLackMoney(o Order) bool { return s.Available.Least-o.Rivals < o.Amount+o.Fee }

func (s Orders) mayKnowID(o Order) bool {
	_, used := s.used[o.ID]
	return used || o.SameID
}

// afterRefund: when a refund takes its money is open ("money of a refund"), and so is what it gets that has none ("refund above
// the balance").
func (s Orders) afterRefund(o Order) (Orders, bool) {
	sum := s.refunded[o.Charge]
	switch o.Answer {
	case Accepted:
		before, used := s.used[o.Noun+o.ID]
		switch {
		case used && before.made == o.Made: // the same refund again
			return s, true
		case sum.Least+o.Amount > o.Original || o.Late == IsDone: // DEV-039 DEV-043
			return s, false
		}
		return s.Use(o).Refund(o.Charge, Exactly(o.Amount)).moved(o, Refund, Any(api.Processing)), true
	case Unclear:
		return s.Refund(o.Charge, Range{Most: o.Amount}).moved(o, Refund, Any(api.Processing, Unmade)), true
	case TurnedAway:
		return s, true
	case NoReason:
		return s, false
	}
	return s, sum.Most+o.RivalRefunds+o.Amount > o.Original || o.Late != NotDone || s.mayLackMoney(o) || s.mayKnowID(o)
}

// moved are the orders after an order has made something that may be in some states.
func (s Orders) moved(o Order, kind Kind, may States) Orders {
	s.Available = s.Available.Plus(Thing{Kind: kind, Amount: o.Amount, Fee: o.Fee, May: may}.Moved())
	return s
}

// Use notes what the id of an accepted order is used for.
func (s Orders) Use(o Order) Orders {
	if o.ID == "" {
		return s
	}
	if s.used = maps.Clone(s.used); s.used == nil {
		s.used = map[string]use{}
	}
	of := use{o.Noun, o.Amount, o.Made, o.Key}
	s.used[o.ID], s.used[o.Noun+o.ID] = of, of
	return s
}

// Refund notes by how much the refunds of a charge add up to more.
func (s Orders) Refund(charge string, by Range) Orders {
	if s.refunded = maps.Clone(s.refunded); s.refunded == nil {
		s.refunded = map[string]Range{}
	}
	s.refunded[charge] = s.refunded[charge].Plus(by)
	return s
}
