package capacity

import "time"

// Outcome is what a search came to.
type Outcome string

// Outcomes.
const (
	Found            Outcome = "found"             // Rate holds, confirmed; Limit does not
	ReachedMax       Outcome = "reached-max"       // the highest rate allowed holds, confirmed
	GeneratorLimited Outcome = "generator-limited" // Rate holds; more could not be offered: not the target's capacity
	NoneHeld         Outcome = "none-held"         // even the least rate tried failed
	Unconfirmed      Outcome = "unconfirmed"       // rates held short windows, none a confirming one
	Interrupted      Outcome = "interrupted"       // ended from outside
)

// Curve is what a search found, with each window on the way.
type Curve struct {
	Outcome   Outcome `json:"outcome"`
	Rate      float64 `json:"rate"`            // per second: the highest that held a confirming window; 0: none
	Held      float64 `json:"held"`            // per second: the highest that held any window; 0: none
	Limit     float64 `json:"limit,omitempty"` // per second: the least above Held that did not hold; 0: none
	Precision float64 `json:"precision"`
	Hold      Limits  `json:"hold"` // durations in nanoseconds, as all of them here
	Points    []Point `json:"points"`
}

// Point is one window of the search.
type Point struct {
	Purpose  Purpose       `json:"purpose"`
	Rate     float64       `json:"rate"`     // per second, asked for
	Offered  float64       `json:"offered"`  // per second, started
	Achieved float64       `json:"achieved"` // per second, ended without failing
	Started  time.Time     `json:"started"`  // of the window, after its warm-up
	Duration time.Duration `json:"duration"`
	P50      time.Duration `json:"p50"` // from the intended start, as P99 and P999
	P99      time.Duration `json:"p99"`
	P999     time.Duration `json:"p999"`
	Delivery time.Duration `json:"delivery"` // p99 from acceptance to webhook
	Growth   float64       `json:"growth"`   // of the backlog, per second
	MayGrow  float64       `json:"mayGrow"`  // the most that Growth may be; 0: not known
	Failed   float64       `json:"failed"`   // share
	Dropped  int64         `json:"dropped"`
	CPU      float64       `json:"cpu"` // of the generator: 1 is all of GOMAXPROCS
	Verdict  Verdict       `json:"verdict"`
	Reason   string        `json:"reason,omitempty"`
}

// point is a window with its verdict.
func (l Limits) point(step Step, w Window) Point {
	p := Point{
		Purpose: step.Purpose, Rate: step.Rate, Started: w.From, Duration: w.Duration,
		P50: w.P50, P99: w.P99, P999: w.P999, Delivery: w.DeliveryP99,
		Growth: w.BacklogGrowth(), MayGrow: l.growth(w), Dropped: w.Dropped, CPU: w.CPU,
	}
	if seconds := w.Duration.Seconds(); seconds > 0 {
		p.Offered = float64(w.Started) / seconds
		p.Achieved = float64(w.Done-w.Failed) / seconds
	}
	if w.Done > 0 {
		p.Failed = float64(w.Failed) / float64(w.Done)
	}
	p.Verdict, p.Reason = l.Judge(w)
	return p
}
