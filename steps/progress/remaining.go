package progress

import (
	"time"

	"github.com/pixcert/pixcert/steps/verdict"
)

// remaining estimates how long the rest of a run takes, from the scenarios that have run so far.
type remaining struct {
	scenarios    int
	least        int // that a quick run does not leave out; 0 for a whole run
	ran, skipped int // skipped take no time
}

// finished counts a scenario, and reports whether it ran.
func (r *remaining) finished(s verdict.Scenario) bool {
	if s.ExchangeCount == 0 && (s.Verdict == verdict.CouldNotTest || s.Verdict == verdict.NotApplicable) {
		r.skipped++
		return false
	}
	r.ran++
	return true
}

// runnable is how many scenarios run. Those that do not are known before the first one runs, or soon after. A quick run
// leaves out all but the least if they take as long as it has time for.
func (r *remaining) runnable() int {
	if r.least > 0 {
		return max(r.least, r.ran)
	}
	return r.scenarios - r.skipped
}

// percent is how many of the scenarios that run have finished.
func (r *remaining) percent() int {
	if r.ran == 0 {
		return 0
	}
	return r.ran * 100 / r.runnable()
}

// Bounds within which an estimate is worth a word.
const (
	earliest = 10 * time.Second // of a run, for an estimate
	shortest = 10 * time.Second // that is left
	fewRan   = 20               // scenarios
)

// time estimates what is left after a run took some time; 0 if that is too early to say, or short.
func (r *remaining) time(took time.Duration) time.Duration {
	if took < earliest || r.ran < fewRan {
		return 0
	}
	left := time.Duration(float64(took) * float64(r.runnable()-r.ran) / float64(r.ran))
	if left < shortest {
		return 0
	}
	return left
}

// left is what is left as an estimate: "about 40 s left", "about 3 min left".
func (p paint) left(d time.Duration) string {
	if d < 90*time.Second {
		return p.in.Sayf("about %d s left", 10*int((d+5*time.Second)/(10*time.Second)))
	}
	return p.in.Sayf("about %d min left", int((d+30*time.Second)/time.Minute))
}
