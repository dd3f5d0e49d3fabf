package plan

import (
	"fmt"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/dimensions"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/translation"
)

// Estimate is roughly what a run sends, how long it takes at the profile's requestsPerSecond, and what it costs the
// accounts of the profile. Waiting, and running again what fails, takes additional time.
type Estimate struct {
	Requests int           `json:"requests"`         // to the API; requestsPerSecond does not limit those to the test controls
	Thorough int           `json:"requestsThorough"` // if every three choices are sent together; exploring adds more
	PerSec   float64       `json:"requestsPerSecond,omitempty"`
	Duration time.Duration `json:"durationNs,omitempty"` // 0 if the profile has no requestsPerSecond

	// In centavos; 0 if a control creates the accounts, with their money.
	Spends  money.Centavos `json:"spendsCentavos,omitempty"`  // on payments and known fees, from all accounts together
	Largest money.Centavos `json:"largestCentavos,omitempty"` // that one scenario must find available

	accounts  int  // that share the payments
	topsUp    bool // the control funds refills an account that has too little
	feesKnown bool
}

// EstimateOf estimates the requests and the payments of what can be tested, from the effects of the steps.
func EstimateOf(all []*Scenario, offered Offer) Estimate {
	profile := offered.profile
	e := Estimate{PerSec: profile.RequestsPerSecond, accounts: len(profile.Accounts), topsUp: offered.Controls[target.Funds], feesKnown: profile.Fees.CashOut != ""}
	fee := money.OrZero(profile.Fees.CashOut)
	for _, s := range all {
		if !s.Runs() {
			continue
		}
		n := s.requests(offered.Fixed())
		e.Requests, e.Thorough = e.Requests+n, e.Thorough+n+s.moreIfThorough()
		if offered.Fixed() {
			spent, payments := s.spends()
			e.Spends += spent + money.Centavos(payments)*fee
			e.Largest = max(e.Largest, s.available())
		}
	}
	if e.PerSec > 0 {
		e.Duration = time.Duration(float64(e.Requests) / e.PerSec * float64(time.Second)).Round(time.Second)
	}
	return e
}

// Needed is what an account of the profile must have available before a run, to test everything.
func (e Estimate) Needed() money.Centavos {
	return e.Largest + e.Spends/money.Centavos(max(1, e.accounts))
}

// IsFree reports whether a run spends nobody's money.
func (e Estimate) IsFree() bool { return e.Largest+e.Spends == 0 }

// Money says what a run spends, and what an account needs for that; empty if it is free.
func (e Estimate) Money(in translation.Language) string {
	if e.IsFree() {
		return ""
	}
	from := in.Say("the account")
	if e.accounts > 1 {
		from = in.Say("the accounts")
	}
	text := in.Sayf("A run spends about %v from %s", e.Spends, from)
	if !e.feesKnown {
		text += in.Say(", plus fees")
	}
	if e.topsUp {
		return text + in.Say("; if an account has too little, the control funds tops it up")
	}
	return text + in.Sayf(". To test everything, each account needs %v available", e.Needed())
}

// ToppedUp reports whether the control funds supplies the money.
func (e Estimate) ToppedUp() bool { return e.topsUp }

// TooLow says what a balance is too low for if it is not topped up; empty if it is not.
func (e Estimate) TooLow(available money.Centavos) string {
	if available >= e.Needed() {
		return ""
	}
	return fmt.Sprintf("%v available, but this run needs about %v: scenarios that need more than is left could not be tested; top the account up, or add the test control funds", available, e.Needed())
}

// Requests to the API that are not those of the steps, or of steps that send more than one, on average over the
// features.
const (
	shapes     = 7  // of an operation
	ofShapes   = 27 // a request in every shape
	ofValues   = 15 // or with every value
	ofAWalk    = 6  // pages of a list
	ofAList    = 3  // until a list shows what it must
	ofAControl = 1  // to see what a test control has done
	ofAnOpened = 1  // the token of an account
	ofABalance = 2  // the balance before and after something
	ofAFixed   = 4  // the same on an account of the profile, which others may use
)

// requests estimates how many requests to the API a scenario sends.
func (s *Scenario) requests(fixed bool) int {
	balance := ofABalance
	if fixed {
		balance = ofAFixed
	}
	n := ofAnOpened*s.Accounts + balance*len(s.Reads)
	for _, step := range s.Steps {
		n += ofAControl * len(step.Effects.Controls)
		if step.Effects.Reads.Has(language.Lists) {
			n += ofAList
		}
		switch m := step.Meaning.(type) {
		case language.Send:
			n += times(m)
		case language.SendMany:
			n += m.Count
		case language.Walk:
			n += ofAWalk
		default:
			n += len(step.Effects.Requests)
		}
	}
	return n
}

// times is how often a step sends its request.
func times(m language.Send) int {
	switch {
	case len(m.Dimensions) > 0:
		return combinations(m, dimensions.Pairs)
	case m.EveryShape:
		return ofShapes
	case m.Varies():
		return ofValues
	}
	return max(1, m.AtOnce)
}

// combinations is how many requests combine the choices of a step, with about as many shapes as the features have.
func combinations(m language.Send, strength int) int {
	all, err := dimensions.Of(m, make([]language.Shape, shapes))
	if err != nil {
		return ofValues // the scenario will say what is wrong
	}
	return len(dimensions.Rows(all, strength))
}

// moreIfThorough is how many more requests a scenario sends if every three choices are combined.
func (s *Scenario) moreIfThorough() (n int) {
	for _, step := range s.Steps {
		if m, is := step.Meaning.(language.Send); is && len(m.Dimensions) > 0 {
			n += combinations(m, dimensions.Strength(m, dimensions.Triples)) - combinations(m, dimensions.Pairs)
		}
	}
	return n
}

// usual is the amount of a payment, unless its step states another.
const usual = money.Centavos(1_00)

// spends estimates what a scenario pays from its accounts, with how many payments. What must be rejected costs
// nothing. Refunds only return what the account has received.
func (s *Scenario) spends() (spent money.Centavos, payments int) {
	for i, step := range s.Steps {
		switch m := step.Meaning.(type) {
		case language.SendMany:
			spent, payments = spent+money.Centavos(m.Count)*m.Amount, payments+m.Count
		case language.Send:
			amount := amountOf(m)
			if amount == 0 || language.MustBeRefused(s.Steps, i) {
				continue
			}
			n := times(m)
			if m.Same {
				n = 1
			}
			spent, payments = spent+money.Centavos(n)*amount, payments+n
		}
	}
	return spent, payments
}

// amountOf is what a request pays; 0 if it is no payment, or not a valid one.
func amountOf(m language.Send) money.Centavos {
	if m.Operation == nil || !m.Operation.TakesMoney() || m.Operation.Makes == api.Refund || m.Raw != nil {
		return 0
	}
	amount := usual
	for _, c := range m.Changes {
		switch c.Value.Kind {
		case language.Invalid, language.Mistyped:
			return 0
		}
		if c.Name == m.Operation.Amount && c.Where == language.Body {
			amount = max(0, money.OrZero(strings.Trim(string(c.Value.JSON), `"`))) // of a literal
		}
	}
	return amount
}

// available is the most that a step requires an account to have.
func (s *Scenario) available() money.Centavos {
	most := money.Centavos(0)
	for _, step := range s.Steps {
		if open, opens := step.Meaning.(language.Open); opens {
			most = max(most, open.Available)
		}
	}
	return most
}
