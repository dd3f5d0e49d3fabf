package plan

import (
	"slices"

	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Bounds within which it is no accident that the scenarios that fail have a control in common.
const (
	fewestFailing = 8  // scenarios
	exceptions    = 20 // at most one in so many of the failing scenarios does not call the control
	others        = 2  // at least one in so many of all scenarios does not
	callers       = 10 // at least one in so many of the scenarios that call it fails
)

// Suspect returns the control that almost all failing scenarios call, and most others do not: it may be the
// control that does not do what it says, not the API, unless it is proven that it does. Of one that does
// nothing, many callers fail. If there are several, it is the one that the fewest scenarios call; nil if there is
// none.
func Suspect(all []*Scenario, proven []target.Control, failing func(*Scenario) bool) *verdict.Suspect {
	ran, failed := 0, 0
	calls, failures := map[target.Control]int{}, map[target.Control]int{}
	for _, s := range all {
		if !s.Runs() {
			continue
		}
		ran++
		fails := failing(s)
		if fails {
			failed++
		}
		for _, control := range target.AllControls {
			if s.Calls(control) {
				calls[control]++
				if fails {
					failures[control]++
				}
			}
		}
	}
	var best *verdict.Suspect
	for _, control := range target.AllControls {
		without := failed - failures[control]
		if slices.Contains(proven, control) || failed < fewestFailing || without*exceptions > failed || (ran-calls[control])*others < ran ||
			failures[control]*callers < calls[control] {
			continue
		}
		if best == nil || calls[control] < calls[target.Control(best.Control)] {
			best = &verdict.Suspect{Control: string(control), Failing: failures[control], Of: failed}
		}
	}
	return best
}
