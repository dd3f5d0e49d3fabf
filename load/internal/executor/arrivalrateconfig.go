package executor

import (
	"fmt"
	"strconv"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/lib/types"
	"gopkg.in/guregu/null.v3"
)

// ArrivalRateConfig is a scenario with the executor pix-arrival-rate: a constant rate for a
// duration, or stages. Rates are iterations per timeUnit of all instances together; they may
// have decimals.
type ArrivalRateConfig struct {
	scenario

	Rate     null.Float         `json:"rate,omitzero"`
	Duration types.NullDuration `json:"duration,omitzero"`

	StartRate null.Float `json:"startRate,omitzero"` // 0
	Stages    []Stage    `json:"stages,omitempty"`

	Arrivals null.String `json:"arrivals,omitzero"` // even
	Seed     null.Int    `json:"seed,omitzero"`     // of poisson arrivals; 0
}

// Stage changes the rate linearly to the target, or immediately without a duration.
type Stage struct {
	Duration types.NullDuration `json:"duration"`
	Target   null.Float         `json:"target"`
}

var _ lib.ExecutorConfig = &ArrivalRateConfig{}

func newArrivalRateConfig(name string) *ArrivalRateConfig {
	return &ArrivalRateConfig{scenario: newScenario(name, ArrivalRateType)}
}

// legs are the rates of the scenario, per second.
func (c *ArrivalRateConfig) legs() (from float64, legs []Leg) {
	if c.Rate.Valid {
		rate := c.perSecond(c.Rate)
		return rate, []Leg{{c.Duration.TimeDuration(), rate}}
	}
	for _, s := range c.Stages {
		legs = append(legs, Leg{s.Duration.TimeDuration(), c.perSecond(s.Target)})
	}
	return c.perSecond(c.StartRate), legs
}

// spacing is that of the arrivals.
func (c *ArrivalRateConfig) spacing() spacing {
	if c.Arrivals.String == "poisson" {
		return poisson(uint64(c.Seed.Int64)) //nolint:gosec // any bits
	}
	return evenly
}

// length returns the length of the schedule and its highest rate, per second.
func (c *ArrivalRateConfig) length() (length time.Duration, peak float64) {
	peak, legs := c.legs()
	for _, l := range legs {
		length, peak = length+l.Length, max(peak, l.To)
	}
	return length, peak
}

// Validate reports errors by the fields' names.
func (c *ArrivalRateConfig) Validate() []error {
	errs := c.validate()
	wrong := func(field, expected string, got any) {
		errs = append(errs, fmt.Errorf("%s: expected %s, got %v", field, expected, got))
	}
	if a := c.Arrivals; a.Valid && a.String != "even" && a.String != "poisson" {
		wrong("arrivals", `"even" or "poisson"`, strconv.Quote(a.String))
	}
	switch {
	case c.Rate.Valid && (c.StartRate.Valid || len(c.Stages) > 0):
		wrong("rate", "either rate and duration or startRate and stages", "both")
	case c.Rate.Valid:
		if c.Rate.Float64 <= 0 {
			wrong("rate", "a number above 0", c.Rate.Float64)
		}
		if c.Duration.TimeDuration() <= 0 {
			wrong("duration", "a duration above 0", c.Duration)
		}
	default:
		c.validateStages(wrong)
	}
	return errs
}

func (c *ArrivalRateConfig) validateStages(wrong func(field, expected string, got any)) {
	if c.Duration.Valid {
		wrong("duration", "rate in addition to duration", "none")
	}
	if c.StartRate.Float64 < 0 {
		wrong("startRate", "a number of 0 or more", c.StartRate.Float64)
	}
	if len(c.Stages) == 0 {
		wrong("stages", "at least one, or rate and duration", "none")
	}
	for i, s := range c.Stages {
		if !s.Duration.Valid || s.Duration.TimeDuration() < 0 {
			wrong(fmt.Sprintf("stages[%d].duration", i), "a duration of 0 or more", s.Duration)
		}
		if !s.Target.Valid || s.Target.Float64 < 0 {
			wrong(fmt.Sprintf("stages[%d].target", i), "a number of 0 or more", s.Target.Ptr())
		}
	}
}

// GetDescription is the line that k6 prints for the scenario.
func (c *ArrivalRateConfig) GetDescription(et *lib.ExecutionTuple) string {
	length, peak := c.length()
	return fmt.Sprintf("up to %.4g iterations/s for %s (%s)", peak*et.Segment.FloatLength(), length, c.describe(et.ScaleInt64))
}

// GetExecutionRequirements is the number of virtual users needed, and for how long.
func (c *ArrivalRateConfig) GetExecutionRequirements(et *lib.ExecutionTuple) []lib.ExecutionStep {
	length, _ := c.length()
	return c.required(et.ScaleInt64, length)
}

// HasWork says whether this instance has a virtual user. The arrivals of instances without
// one go to the others.
func (c *ArrivalRateConfig) HasWork(et *lib.ExecutionTuple) bool { return et.ScaleInt64(c.most()) > 0 }

// NewExecutor creates the executor of this instance's part.
func (c *ArrivalRateConfig) NewExecutor(es *lib.ExecutionState, logger *logrus.Entry) (lib.Executor, error) {
	e := &ArrivalRate{config: c, state: es, logger: logger}
	e.BaseExecutor = executor.NewBaseExecutor(inBar{c, &e.bar}, es, logger)
	return e, nil
}
