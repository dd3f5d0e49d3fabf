package capacity

import "time"

// Outcome of a search.
type Outcome string

// Outcomes.
const (
	Found            Outcome = "found"             // Rate passed and is confirmed; Limit failed
	ReachedMax       Outcome = "reached-max"       // the highest rate allowed passed and is confirmed
	GeneratorLimited Outcome = "generator-limited" // Rate passed; more could not be offered: not the target's capacity
	NoneHeld         Outcome = "none-held"         // even the lowest rate tried failed
	Unconfirmed      Outcome = "unconfirmed"       // rates passed short windows, but none a confirming one
	Interrupted      Outcome = "interrupted"       // stopped from outside
)

// Curve is the result of a search, with all its windows.
type Curve struct {
	Outcome   Outcome `json:"outcome"`
	Rate      float64 `json:"rate"`            // per second: the highest that passed a confirming window; 0: none
	Held      float64 `json:"held"`            // per second: the highest that passed any window; 0: none
	Limit     float64 `json:"limit,omitempty"` // per second: the lowest above Held that failed; 0: none
	Precision float64 `json:"precision"`
	Hold      Limits  `json:"hold"` // durations in nanoseconds, as everywhere in a curve
	Points    []Point `json:"points"`
}

// Point is one window of the search.
type Point struct {
	Purpose  Purpose       `json:"purpose"`
	Rate     float64       `json:"rate"`     // per second, requested
	Offered  float64       `json:"offered"`  // per second, started
	Achieved float64       `json:"achieved"` // per second, successful
	Started  time.Time     `json:"started"`  // of the window, after its warm-up
	Duration time.Duration `json:"duration"`
	P50      time.Duration `json:"p50"` // from the intended start, as P99 and P999
	P99      time.Duration `json:"p99"`
	P999     time.Duration `json:"p999"`
	Delivery time.Duration `json:"delivery"` // p99 from acceptance to webhook
	Growth   float64       `json:"growth"`   // of the backlog, per second
	MayGrow  float64       `json:"mayGrow"`  // limit on Growth; 0: unknown
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
