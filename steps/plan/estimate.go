package plan

import (
	"time"

	"github.com/pixcert/pixcert/steps/language"
)

// Estimate is roughly what a run sends, and how long it takes at the profile's requestsPerSecond. Waiting, and running
// again what fails, takes additional time.
type Estimate struct {
	Requests int           `json:"requests"` // to the API and the test controls
	PerSec   float64       `json:"requestsPerSecond,omitempty"`
	Duration time.Duration `json:"durationNs,omitempty"` // 0 if the profile has no requestsPerSecond
}

// EstimateOf estimates the requests of what can be tested, from the effects of the steps.
func EstimateOf(all []*Scenario, perSecond float64) Estimate {
	e := Estimate{PerSec: perSecond}
	for _, s := range all {
		if s.Runs() {
			e.Requests += s.requests()
		}
	}
	if perSecond > 0 {
		e.Duration = time.Duration(float64(e.Requests) / perSecond * float64(time.Second)).Round(time.Second)
	}
	return e
}

// Requests of steps that send more than one, on average over the features.
const (
	ofVariants = 24 // a request in every shape, or with every value
	ofAWalk    = 6  // pages of a list
	ofALook    = 2  // until a list or a balance shows what it must
	ofAnOpened = 3  // an account, its token, and its settings
)

// requests estimates how many requests a scenario sends.
func (s *Scenario) requests() int {
	n := ofAnOpened*s.Accounts + len(s.Reads)
	for _, step := range s.Steps {
		n += len(step.Effects.Controls)
		if step.Effects.Reads != 0 {
			n += ofALook
		}
		switch m := step.Meaning.(type) {
		case language.Send:
			if m.Varies() {
				n += ofVariants
			} else {
				n += max(1, m.AtOnce)
			}
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
