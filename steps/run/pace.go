package run

import (
	"fmt"
	"time"

	"github.com/pixcert/pixcert/steps/wording"
)

// sayAfter is how long a run takes before it says how long it will take.
const sayAfter = 10 * time.Second

// sayPace says, once, how many scenarios run at a time if the target is why they are few, and how long that takes.
func (r *run) sayPace(finished int) {
	took := time.Since(r.began)
	if finished == 0 || took < sayAfter || r.options.Budget > 0 || r.saidPace.Load() {
		return
	}
	left := time.Duration(float64(took) / float64(finished) * float64(r.runnable-finished)).Round(time.Minute)
	if left < 2*time.Minute || !r.saidPace.CompareAndSwap(false, true) {
		return
	}
	about := fmt.Sprintf("about %d min", int(left.Minutes()))
	if limit, rate := r.stage.Load.Limit(), r.target.Client.Rate(); rate > 0 {
		about += fmt.Sprintf(" left: pixcert sends at most %.0f requests a second", rate)
	} else if limit <= r.options.Concurrency/2 {
		about = fmt.Sprintf("%s at a time: more does not make this gateway faster; %s", wording.Count(limit, "scenario"), about)
	} else {
		about += fmt.Sprintf(" left, at %s at a time", wording.Count(r.options.Concurrency, "scenario"))
	}
	r.options.Progress.Note(about)
}
