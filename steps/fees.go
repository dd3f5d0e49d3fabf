package steps

import (
	"github.com/pixcert/pixcert/steps/target"
)

// A movement of money can be judged where the fees are known: they are zero for a new
// account, where there is a control that could say otherwise, and else what the profile
// tells.

// tellsFees says whether the profile tells every fee.
func (o offer) tellsFees() bool { return o.fees.CashOut != "" && o.fees.CashIn != "" }

// feeless says whether the profile tells that the accounts have no fees.
func (o offer) feeless([]string) bool {
	return o.tellsFees() && feeOf(o.fees.CashOut) == 0 && feeOf(o.fees.CashIn) == 0
}

// hasNoFees is so already: it is what the profile tells or, where there is the control,
// how each account is opened.
func (s *scenario) hasNoFees() error { return nil }

// judgesFees marks a sentence on movements of which a fee may be taken.
func judgesFees(s sentence) sentence {
	return either(target.FeesControl, func(o offer, _ []string) bool { return o.tellsFees() }, s)
}

// slack is by how much more than a sentence says a part of the account's balance may
// fall, or rise, for fees that the profile tells: what is sent costs up to its fee, when
// it is ordered or when it settles, and brings it back when it fails; of what is received
// up to its fee is kept. What is blocked may hold a fee too. It is nothing where there is
// the control, which leaves no fee but what a sentence says. A gateway that takes less
// than its fee, or a fee where it should take none, is not found out within the slack.
func (s *scenario) slack(which string) (fall, rise centavos) {
	if s.run.offered.controls[target.FeesControl] {
		return 0, 0
	}
	out, in := feeOf(s.run.offered.fees.CashOut), feeOf(s.run.offered.fees.CashIn)
	for _, t := range s.attempts {
		if t.actor != s.account || !t.accepted() {
			continue
		}
		switch t.op.makes {
		case payment, refund:
			fall, rise = fall+out, rise+out
			if t.returned {
				fall += in
			}
		case charge:
			fall += in
		}
	}
	if which == "blocked" {
		fall = max(fall, rise)
		rise = fall
	}
	return fall, rise
}

// mayBeFee: a fall beyond what a sentence says, of an account whose fees nobody tells, may
// be the fee of a payment that settles now. It is none where it comes to the amount of a
// payment.
func (s *scenario) mayBeFee(fall centavos) bool {
	if fall <= 0 || s.run.offered.controls[target.FeesControl] || s.run.offered.tellsFees() {
		return false
	}
	accepted := false
	for _, t := range s.attempts {
		if t.actor != s.account || !t.accepted() || t.op.makes == nothing {
			continue
		}
		amount, ok := t.ordered()
		if !ok || fall >= amount {
			return false
		}
		accepted = true
	}
	return accepted
}

// feeOf reads a fee of the profile; one that is not told is none.
func feeOf(decimal string) centavos {
	fee, err := parseAmount(decimal)
	if err != nil {
		return 0
	}
	return fee
}
