package judge

import (
	"maps"
	"reflect"

	"github.com/anishathalye/porcupine"

	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// sequential is what an account's payments and refunds come to, one after the other: the model by which the
// requests of a burst are judged. Where the specification leaves open what happens, or when, it allows
// all of it: an amount is a span, and a request that finds others in its way may be turned away.
type sequential struct {
	available spec.Range
	spent     spec.Range            // of the daily limit
	due       money.Centavos        // that is available in the end, but perhaps not yet
	used      map[string]payment    // accepted, by their id, and by that with their noun
	refunded  map[string]spec.Range // of a charge, by its end-to-end id
}

// payment is what an id was used for.
type payment struct {
	noun   string
	amount money.Centavos
	made   string // by which its response names it
	key    string // the x-idempotency-key as it was sent
}

// limits are those of an account; 0 for none.
type limits struct {
	known                 bool
	perTransaction, daily money.Centavos
}

// happening is a part of a burst, and what came of it.
type happening struct {
	noun         string // cash-out, QR cash-out, transfer, refund; "credit" and "unrefund" are of others
	amount       money.Centavos
	fee          money.Centavos // the highest there is
	id           string
	key          string         // the x-idempotency-key as it was sent
	charge       string         // that a refund is of
	original     money.Centavos // what that charge came to
	limits       limits
	rivals       money.Centavos // what those at the same time take, if all of them are accepted
	rivalRefunds money.Centavos // what refunds of the same charge do
	sameID       bool           // another at the same time has the same id

	outcome   outcome
	made      string         // by which the response names what was made
	mayReturn bool           // the bank may reject what was accepted at once, and its money be spent again
	counts    bool           // to the daily limit, for sure; whether others than a cash-out do is left open
	due       money.Centavos // what a credit comes to at least, in the end
}

// outcome is what a response says of a request.
type outcome int

const (
	wasAccepted  outcome = iota
	unclear              // it may have been accepted: 5xx, or no response
	turnedAway           // turned away for what happens at the same time: 409, 429
	insufficient         // the money is not enough
	duplicate            // the id is used
	overTransaction
	overDaily
	overNight
	anyReason // rejected, without a code that the specification gives a meaning
	noReason  // rejected, with another status than the specification gives
)

// then is the state after a happening; false if it cannot have come out so.
func (s sequential) then(h happening) (sequential, bool) {
	switch h.noun {
	case "credit":
		s.available.Most += h.amount
		s.due += h.due
		return s, true
	case "unrefund":
		return s.refund(h.charge, spec.Range{Least: -h.amount}), true
	case "refund":
		return s.thenRefund(h)
	}
	return s.thenPayment(h)
}

func (s sequential) thenPayment(h happening) (sequential, bool) {
	switch h.outcome {
	case wasAccepted:
		before, used := s.used[h.noun+h.id]
		switch {
		case used && before.made == h.made && h.noun == "transfer": // the same again
			return s, true
		// Another transfer under a key is left open, and so is whether a key in another case is another one.
		case used && (h.noun != "transfer" || before.amount == h.amount && before.key == h.key):
			return s, false
		case h.amount > s.available.Most || h.exceeds(s):
			return s, false
		}
		s = s.use(h.id, payment{h.noun, h.amount, h.made, h.key})
		s.spent.Most += h.amount
		if h.counts {
			s.spent.Least += h.amount
		}
		if s.available.Least -= h.amount + h.fee; !h.mayReturn {
			s.available.Most -= h.amount
		}
		return s, true
	case unclear:
		s.available.Least -= h.amount + h.fee
		s.spent.Most += h.amount
		return s, true
	}
	return s, h.mayBeRejected(s)
}

// exceeds reports whether a cash-out is above a limit for sure.
func (h happening) exceeds(s sequential) bool {
	l := h.limits
	return h.noun == "cash-out" && l.known && (l.perTransaction > 0 && h.amount > l.perTransaction || l.daily > 0 && s.spent.Least+h.amount > l.daily)
}

// mayBeRejected reports whether the reason that a response gives may be so. Whether a limit may be reached, or
// only nearly, is left open.
func (h happening) mayBeRejected(s sequential) bool {
	l, whole := h.limits, h.amount+h.fee
	aboveTransaction := !l.known || l.perTransaction > 0 && whole >= l.perTransaction
	aboveDaily := !l.known || l.daily > 0 && s.spent.Most+h.rivals+whole >= l.daily
	switch h.outcome {
	case turnedAway:
		return true
	case insufficient:
		return h.mayLackMoney(s)
	case duplicate:
		return h.mayBeDuplicate(s)
	case overTransaction:
		return aboveTransaction
	case overDaily:
		return aboveDaily
	case overNight:
		return !l.known
	case anyReason:
		return h.mayLackMoney(s) || h.mayBeDuplicate(s) || aboveTransaction || aboveDaily
	}
	return false
}

func (h happening) mayLackMoney(s sequential) bool {
	return s.available.Least-h.rivals < h.amount+h.fee
}

func (h happening) mayBeDuplicate(s sequential) bool {
	_, used := s.used[h.id]
	return used || h.sameID
}

// thenRefund: when a refund takes its money is left open, and what it gets that has none.
func (s sequential) thenRefund(h happening) (sequential, bool) {
	sum := s.refunded[h.charge]
	switch h.outcome {
	case wasAccepted:
		before, used := s.used[h.noun+h.id]
		switch {
		case used && before.made == h.made: // the same refund again
			return s, true
		case sum.Least+h.amount > h.original:
			return s, false
		}
		s = s.use(h.id, payment{h.noun, h.amount, h.made, h.key}).refund(h.charge, spec.Exactly(h.amount))
		s.available.Least -= h.amount + h.fee
		return s, true
	case unclear:
		s.available.Least -= h.amount + h.fee
		return s.refund(h.charge, spec.Range{Most: h.amount}), true
	case turnedAway:
		return s, true
	case noReason:
		return s, false
	}
	return s, sum.Most+h.rivalRefunds+h.amount > h.original || h.mayLackMoney(s) || h.mayBeDuplicate(s)
}

func (s sequential) use(id string, p payment) sequential {
	if id == "" {
		return s
	}
	s.used = maps.Clone(s.used)
	s.used[id], s.used[p.noun+id] = p, p
	return s
}

func (s sequential) refund(charge string, by spec.Range) sequential {
	s.refunded = maps.Clone(s.refunded)
	s.refunded[charge] = s.refunded[charge].Plus(by)
	return s
}

// inSomeOrder reports whether a history is possible one at a time, beginning with a state, and such that
// the account can have so much available in the end; nil for any.
func inSomeOrder(first sequential, history []porcupine.Operation, left *money.Centavos) bool {
	model := porcupine.Model{
		Init:  func() any { return first },
		Equal: func(a, b any) bool { return reflect.DeepEqual(a, b) },
		Step: func(state, input, _ any) (bool, any) {
			if input == nil {
				end := state.(sequential)
				return end.available.Plus(spec.Range{Least: end.due}).Holds(*left), end
			}
			next, ok := state.(sequential).then(input.(happening))
			return ok, next
		},
	}
	if left != nil {
		last := int64(0)
		for _, o := range history {
			last = max(last, o.Return)
		}
		history = append(history[:len(history):len(history)], porcupine.Operation{ClientId: len(history), Call: last + 1, Return: last + 2})
	}
	return porcupine.CheckOperations(model, history)
}
