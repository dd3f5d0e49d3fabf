package model

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/spec"
)

// Thing is a payment, charge, refund or MED case.
type Thing struct {
	ID            int // of the step that made it
	Noun          string
	Makes         api.Made
	Account       language.Account
	Amount        money.Centavos
	Fee           money.Centavos
	State         api.State
	Of            int           // of a refund or case, the ID of the charge
	Refunded      spec.Range    // of a charge, or returned of a payment
	MadeAt        time.Duration // as Elapsed
	Registrations int           // of webhooks, up to then
	Splits        []Split       // of a charge
	OneKey        bool          // two of them go to one key
}

const medCase = "MED case"

// Unknown is a state that the specification does not define, or that cannot be known.
const Unknown api.State = ""

// overdue is the state of a payment that was not settled for so long that the gateway may have given it up.
const overdue api.State = "overdue"

// expired is the state of a transfer that was not settled in time, whatever the gateway calls it.
const expired api.State = "expired"

// approved and rejected are the states of a case that is analyzed, by its result.
const approved, rejected = api.State(api.Approved), api.State(api.Rejected)

// Split is a part of a charge that somebody else gets.
type Split struct {
	Amount    money.Centavos
	Percent   int // 0 for a fixed amount
	Immediate bool
}

// kept is what surely stays with the account, besides a fee.
func (t Thing) kept() money.Centavos {
	kept := t.Amount
	for _, s := range t.Splits {
		kept -= s.Amount
	}
	return kept
}

// mayBlock reports whether it is unspecified for how long a payment of the account blocks money: it is known only of a
// transfer that has not failed.
func (t Thing) mayBlock() bool {
	return t.Account == language.TheAccount && t.Makes == api.Payment && (t.Noun != "transfer" || t.State == api.Failed)
}

// isReported reports whether events of a thing surely arrive: a case against a payment that was received.
func (t Thing) isReported() bool { return t.Noun == medCase && t.Of != 0 }

// Things are those that were accepted, in their order.
type Things []Thing

// made is the thing that a step made; nil if it made none.
func (all Things) made(id int) *Thing {
	return all.first(func(t *Thing) bool { return t.ID == id && id != 0 })
}

func (all Things) first(is func(*Thing) bool) *Thing {
	for i := range all {
		if is(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// lastReceived is the ID of the last charge that was paid. A refund that names none is of that one.
func (all Things) lastReceived() (id int) {
	for _, t := range all {
		if t.State == api.Concluded || t.State == api.Confirmed && t.Makes == api.Charge {
			id = t.ID
		}
	}
	return id
}

// lastContested is the ID of the charge of the last case; 0 for an unknown payment.
func (all Things) lastContested() (id int) {
	for _, t := range all {
		if t.Noun == medCase {
			id = t.Of
		}
	}
	return id
}

// contest reports whether a MED case is about a charge.
func (all Things) contest(charge *Thing) bool {
	return slices.ContainsFunc(all, func(t Thing) bool { return t.Noun == medCase && t.Of == charge.ID })
}

// cases is how many MED cases there are.
func (all Things) cases() (n int) {
	for _, t := range all {
		if t.Noun == medCase {
			n++
		}
	}
	return n
}

// hasSent reports whether the account has sent a payment that can be resent.
func (all Things) hasSent() bool {
	return slices.ContainsFunc(all, func(t Thing) bool {
		return t.Account == language.TheAccount && (t.Noun == "cash-out" || t.Noun == "QR cash-out")
	})
}

// firstPending is the first payment of the account that waits for the bank; nil for none.
func (all Things) firstPending() *Thing {
	return all.first(func(t *Thing) bool {
		return t.Account == language.TheAccount && t.Makes == api.Payment && t.State == api.Pending
	})
}

// firstUnpaid is the first charge of the account that can be paid; nil for none.
func (all Things) firstUnpaid() *Thing {
	return all.first(func(t *Thing) bool {
		return t.Account == language.TheAccount && (t.State == api.Active || t.Noun == "cash-in" && t.State == api.Pending)
	})
}

// pendingRefund is the first refund of a charge that waits for the bank; nil for none.
func (all Things) pendingRefund(charge int) *Thing {
	return all.first(func(t *Thing) bool { return t.Of == charge && t.State == api.Processing })
}
