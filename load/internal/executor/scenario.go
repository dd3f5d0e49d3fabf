package executor

import (
	"fmt"
	"time"

	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/errext/exitcodes"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/lib/types"
	"gopkg.in/guregu/null.v3"
)

// scenario is the common part of the executors' configuration: k6's own options, the unit of
// rates, the number of virtual users created before the start, and their maximum.
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

// watched sets the scenario's observer.
func (s *scenario) watched(observe func() (Observer, error)) {
	s.observe = func() (Observer, error) {
		observer, err := observe()
		if err != nil {
			err = errext.WithExitCodeIfNone(fmt.Errorf("%s: %w", s.Type, err), exitcodes.ScriptException)
		}
		return observer, err
	}
}

// validate reports errors by the fields' names.
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

// perSecond converts a rate of the script.
func (s *scenario) perSecond(rate null.Float) float64 {
	return rate.Float64 / s.TimeUnit.TimeDuration().Seconds()
}

// share is an instance's part of a number.
type share func(of int64) int64

// most is the maximum number of virtual users.
func (s *scenario) most() int64 { return max(s.MaxVUs.Int64, s.PreAllocatedVUs.Int64) }

// required is the virtual users that k6 has to provide, and for how long.
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
