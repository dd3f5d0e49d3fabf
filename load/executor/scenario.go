package executor

import (
	"fmt"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/lib/types"
	"gopkg.in/guregu/null.v3"
)

// scenario is what a script writes for any of the executors: how k6 runs it, the unit of its
// rates, and its virtual users, those made before it starts and how many there may be when
// these are busy.
type scenario struct {
	executor.BaseConfig
	TimeUnit        types.NullDuration `json:"timeUnit"` // 1s
	PreAllocatedVUs null.Int           `json:"preAllocatedVUs"`
	MaxVUs          null.Int           `json:"maxVUs"` // preAllocatedVUs

	observe func() (Observer, error)
}

func newScenario(name, executorType string) scenario {
	return scenario{
		BaseConfig: executor.NewBaseConfig(name, executorType),
		TimeUnit:   types.NewNullDuration(time.Second, false),
	}
}

// watched tells the scenario whom it loads.
func (s *scenario) watched(observe func() (Observer, error)) { s.observe = observe }

// validate says what is wrong, by the fields' names.
func (s *scenario) validate() []error {
	errs := s.BaseConfig.Validate()
	wrong := func(field, expected string, got any) {
		errs = append(errs, fmt.Errorf("%s: expected %s, got %v", field, expected, got))
	}
	if s.TimeUnit.TimeDuration() <= 0 {
		wrong("timeUnit", "a duration above 0", s.TimeUnit)
	}
	if s.PreAllocatedVUs.Int64 < 1 {
		wrong("preAllocatedVUs", "at least 1", s.PreAllocatedVUs.Int64)
	}
	if s.MaxVUs.Valid && s.MaxVUs.Int64 < s.PreAllocatedVUs.Int64 {
		wrong("maxVUs", fmt.Sprintf("at least preAllocatedVUs, %d", s.PreAllocatedVUs.Int64), s.MaxVUs.Int64)
	}
	return errs
}

// perSecond is a rate of the script's.
func (s *scenario) perSecond(rate null.Float) float64 {
	return rate.Float64 / s.TimeUnit.TimeDuration().Seconds()
}

// share is an instance's part of a number.
type share func(of int64) int64

func whole(of int64) int64 { return of }

// most is how many virtual users there may be.
func (s *scenario) most() int64 { return max(s.MaxVUs.Int64, s.PreAllocatedVUs.Int64) }

// required is what k6 has to keep ready while the scenario runs, and until when.
func (s *scenario) required(share share, length time.Duration) []lib.ExecutionStep {
	planned := share(s.PreAllocatedVUs.Int64)
	return []lib.ExecutionStep{
		{
			PlannedVUs:      uint64(planned),                   //nolint:gosec // validated
			MaxUnplannedVUs: uint64(share(s.most()) - planned), //nolint:gosec // validated
		},
		{TimeOffset: length + s.GetGracefulStop()},
	}
}

func (s *scenario) describe(share share) string {
	return fmt.Sprintf("maxVUs: %d-%d, gracefulStop: %s", share(s.PreAllocatedVUs.Int64), share(s.most()), s.GetGracefulStop())
}
