package module

import (
	"math"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
)

// schedule returns when an executor intends to start iteration i of all instances, relative
// to the scenario's start; false if there is no particular time.
//
// It is for k6's own executors, which do not report it. k6 numbers the iterations that it
// starts, not those that it intended to start. After it drops some, the numbers of later ones
// are too low and their intended starts too early: the latencies are then too high, and the
// run is invalid anyway. The executor pix-arrival-rate reports the exact time.
type schedule func(i uint64) (time.Duration, bool)

func newSchedule(config lib.ExecutorConfig) schedule {
	switch c := config.(type) {
	case *executor.ConstantArrivalRateConfig:
		return constant(c.Rate.Int64, c.TimeUnit.TimeDuration())
	case *executor.RampingArrivalRateConfig:
		return ramping(c)
	default:
		return func(uint64) (time.Duration, bool) { return 0, false }
	}
}

func constant(rate int64, unit time.Duration) schedule {
	if rate <= 0 {
		return func(uint64) (time.Duration, bool) { return 0, false }
	}
	period := time.Duration(float64(unit) / float64(rate))
	return func(i uint64) (time.Duration, bool) { return period * time.Duration(i), true }
}

// ramping inverts the area under the ramps: iteration i starts when that area reaches
// i+1 iterations.
func ramping(c *executor.RampingArrivalRateConfig) schedule {
	type stage struct {
		start, length   float64 // ns
		from, to        float64 // iterations per ns
		before, through float64 // iterations until its start, until its end
	}
	var stages []stage
	unit := float64(c.TimeUnit.TimeDuration())
	s := stage{to: float64(c.StartRate.Int64) / unit}
	for _, next := range c.Stages {
		s = stage{
			start: s.start + s.length, length: float64(next.Duration.TimeDuration()),
			from: s.to, to: float64(next.Target.Int64) / unit, before: s.through,
		}
		s.through = s.before + s.length*(s.from+s.to)/2
		stages = append(stages, s)
	}
	return func(i uint64) (time.Duration, bool) {
		n := float64(i) + 1
		for _, s := range stages {
			if n > s.through {
				continue
			}
			area := n - s.before
			// This form of the root does not divide by the difference of rates, so a stage
			// with a constant rate is no special case.
			root := math.Sqrt(max(0, s.from*s.from+2*area*(s.to-s.from)/s.length))
			return time.Duration(s.start + 2*area/(s.from+root)), true
		}
		return 0, false
	}
}
