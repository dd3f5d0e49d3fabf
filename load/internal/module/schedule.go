package module

import (
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"

	arrivals "github.com/pixcert/pixcert/load/internal/executor"
)

// schedule returns when an executor intends to start iteration i of all instances, relative
// to the scenario's start; false if there is no particular time.
//
// It is for k6's own executors, which do not report it. The numbers are of iterations that k6
// intended to start: see [slots]. The executor pix-arrival-rate reports the exact time.
type schedule func(i uint64) (time.Duration, bool)

func newSchedule(config lib.ExecutorConfig) schedule {
	switch c := config.(type) {
	case *executor.ConstantArrivalRateConfig:
		period := time.Duration(float64(c.TimeUnit.TimeDuration()) / float64(c.Rate.Int64))
		return func(i uint64) (time.Duration, bool) {
			at := period * time.Duration(i)
			return at, at < c.Duration.TimeDuration()
		}
	case *executor.RampingArrivalRateConfig:
		unit := c.TimeUnit.TimeDuration().Seconds()
		legs := make([]arrivals.Leg, len(c.Stages))
		for i, s := range c.Stages {
			legs[i] = arrivals.Leg{Length: s.Duration.TimeDuration(), To: float64(s.Target.Int64) / unit}
		}
		ramps := arrivals.NewRamps(float64(c.StartRate.Int64)/unit, legs)
		return func(i uint64) (time.Duration, bool) { return ramps.Due(float64(i) + 1) }
	}
	return func(uint64) (time.Duration, bool) { return 0, false }
}
