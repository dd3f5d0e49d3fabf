package plan

import (
	"time"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
)

// What a scenario sends besides the requests that its sentences are about, on average, as runs against the reference
// have shown.
const (
	forAccount = 3 // an account with its money, and a token
	forLook    = 2 // a balance or a list, which may be read again
)

// Requests estimates how many requests a scenario sends, to the API and to the controls.
func (s *Scenario) Requests() (n int) {
	n = forAccount * max(1, s.Accounts)
	for _, step := range s.Steps {
		e := step.Effects
		if len(e.Requests) > 0 {
			n += max(1, e.Sends)
		}
		n += len(e.Controls)
		if step.Type == catalogue.Outcome && e.Reads != 0 {
			n += forLook
		}
		if step.Type == catalogue.Outcome && e.Reads.Has(language.BalanceMoves) {
			n++
		}
	}
	return n + len(s.Reads)
}

// Estimate is about how much a run sends.
type Estimate struct {
	Requests int // to the API and to the controls
}

// EstimateOf estimates what the scenarios that run send.
func EstimateOf(all []*Scenario) (e Estimate) {
	for _, s := range all {
		if s.Runs() {
			e.Requests += s.Requests()
		}
	}
	return e
}

// Took returns about how long that takes at so many requests a second.
func (e Estimate) Took(perSecond float64) time.Duration {
	if perSecond <= 0 {
		return 0
	}
	return time.Duration(float64(e.Requests) / perSecond * float64(time.Second))
}
