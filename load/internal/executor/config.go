package executor

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/lib/types"
	"gopkg.in/guregu/null.v3"
)

// config is a scenario: a constant rate for a duration, or stages. Rates are iterations per
// timeUnit of all instances together; they may have decimals.
type config struct {
	executor.BaseConfig

	TimeUnit        types.NullDuration `json:"timeUnit"` // 1s
	PreAllocatedVUs null.Int           `json:"preAllocatedVUs"`
	MaxVUs          null.Int           `json:"maxVUs"` // preAllocatedVUs

	Rate     null.Float         `json:"rate,omitzero"`
	Duration types.NullDuration `json:"duration,omitzero"`

	StartRate null.Float `json:"startRate,omitzero"` // 0
	Stages    []stage    `json:"stages,omitempty"`

	Arrivals null.String `json:"arrivals,omitzero"` // even
	Seed     null.Int    `json:"seed,omitzero"`     // of poisson arrivals; 0

	observe func() (Observer, error)
}

// stage changes the rate linearly to the target, or immediately without a duration.
type stage struct {
	Duration types.NullDuration `json:"duration"`
	Target   null.Float         `json:"target"`
}

var _ lib.ExecutorConfig = &config{}

func newConfig(name string) *config {
	return &config{BaseConfig: executor.NewBaseConfig(name, Type), TimeUnit: types.NewNullDuration(time.Second, false)}
}

// most is the maximum number of virtual users.
func (c *config) most() int64 { return max(c.MaxVUs.Int64, c.PreAllocatedVUs.Int64) }

// perSecond converts a rate of the script.
func (c *config) perSecond(rate null.Float) float64 {
	return rate.Float64 / c.TimeUnit.TimeDuration().Seconds()
}

// legs are the rates of the scenario, per second.
func (c *config) legs() (from float64, legs []leg) {
	if c.Rate.Valid {
		rate := c.perSecond(c.Rate)
		return rate, []leg{{c.Duration.TimeDuration(), rate}}
	}
	for _, s := range c.Stages {
		legs = append(legs, leg{s.Duration.TimeDuration(), c.perSecond(s.Target)})
	}
	return c.perSecond(c.StartRate), legs
}

// slots are the instance's places in the schedule of all instances.
func (c *config) slots(own *lib.ExecutionTuple) *slots {
	place := evenly
	if c.Arrivals.String == "poisson" {
		place = poisson(uint64(c.Seed.Int64)) // #nosec G115 -- any bits
	}
	return &slots{newRamps(c.legs()), place, lib.NewSegmentedIndex(own)}
}

// length returns the length of the schedule and its highest rate, per second.
func (c *config) length() (length time.Duration, peak float64) {
	peak, legs := c.legs()
	for _, l := range legs {
		length, peak = length+l.length, max(peak, l.to)
	}
	return length, peak
}

// check is one of a field.
type check struct {
	ok              bool
	field, expected string
	got             any
}

// Validate reports errors by the fields' names.
func (c *config) Validate() []error {
	arrivals, most := c.Arrivals.String, c.MaxVUs.Int64
	checks := []check{
		{c.TimeUnit.TimeDuration() > 0, "timeUnit", "a duration above 0", c.TimeUnit},
		{c.PreAllocatedVUs.Int64 >= 1, "preAllocatedVUs", "at least 1", c.PreAllocatedVUs.Int64},
		{!c.MaxVUs.Valid || most >= c.PreAllocatedVUs.Int64, "maxVUs", fmt.Sprintf("at least preAllocatedVUs, %d", c.PreAllocatedVUs.Int64), most},
		{!c.Arrivals.Valid || arrivals == "even" || arrivals == "poisson", "arrivals", `"even" or "poisson"`, strconv.Quote(arrivals)},
	}
	switch {
	case c.Rate.Valid && (c.StartRate.Valid || len(c.Stages) > 0):
		checks = append(checks, check{false, "rate", "either rate and duration or startRate and stages", "both"})
	case c.Rate.Valid:
		checks = append(checks,
			check{c.Rate.Float64 > 0, "rate", "a number above 0", c.Rate.Float64},
			check{c.Duration.TimeDuration() > 0, "duration", "a duration above 0", c.Duration})
	default:
		checks = append(checks,
			check{!c.Duration.Valid, "duration", "rate in addition to duration", "none"},
			check{c.StartRate.Float64 >= 0, "startRate", "a number of 0 or more", c.StartRate.Float64},
			check{len(c.Stages) > 0, "stages", "at least one, or rate and duration", "none"})
		for i, s := range c.Stages {
			checks = append(checks,
				check{s.Duration.Valid && s.Duration.TimeDuration() >= 0, fmt.Sprintf("stages[%d].duration", i), "a duration of 0 or more", s.Duration},
				check{s.Target.Valid && s.Target.Float64 >= 0, fmt.Sprintf("stages[%d].target", i), "a number of 0 or more", s.Target.Ptr()})
		}
	}
	errs := c.BaseConfig.Validate()
	for _, of := range checks {
		if !of.ok {
			errs = append(errs, fmt.Errorf("%s: expected %s, got %v", of.field, of.expected, of.got))
		}
	}
	return errs
}

// GetDescription is the line that k6 prints for the scenario.
func (c *config) GetDescription(et *lib.ExecutionTuple) string {
	length, peak := c.length()
	return fmt.Sprintf("up to %.4g iterations/s for %s (maxVUs: %d-%d, gracefulStop: %s)", peak*et.Segment.FloatLength(), length,
		et.ScaleInt64(c.PreAllocatedVUs.Int64), et.ScaleInt64(c.most()), c.GetGracefulStop())
}

// GetExecutionRequirements is the number of virtual users needed, and for how long.
func (c *config) GetExecutionRequirements(et *lib.ExecutionTuple) []lib.ExecutionStep {
	length, _ := c.length()
	planned := et.ScaleInt64(c.PreAllocatedVUs.Int64)
	return []lib.ExecutionStep{
		{PlannedVUs: uint64(planned), MaxUnplannedVUs: uint64(et.ScaleInt64(c.most()) - planned)}, // #nosec G115 -- validated
		{TimeOffset: length + c.GetGracefulStop()},
	}
}

// HasWork says whether this instance has a virtual user. The arrivals of one without go to the others.
func (c *config) HasWork(et *lib.ExecutionTuple) bool { return et.ScaleInt64(c.most()) > 0 }

// NewExecutor creates the executor of this instance's part.
func (c *config) NewExecutor(es *lib.ExecutionState, logger *logrus.Entry) (lib.Executor, error) {
	e := &arrivalRate{config: c, state: es, logger: logger}
	e.BaseExecutor = executor.NewBaseExecutor(inBar{c, &e.now}, es, logger)
	return e, nil
}

// parse strictly decodes a scenario: an unknown field or a wrong type is an error that names the field.
func parse(name string, raw []byte) (*config, error) {
	c := newConfig(name)
	err := lib.StrictJSONUnmarshal(raw, c)
	if err == nil {
		return c, nil
	}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields) // without fields, the error is about the whole
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		alone, _ := json.Marshal(map[string]json.RawMessage{field: fields[field]}) // it was read
		if cause := lib.StrictJSONUnmarshal(alone, newConfig(name)); cause != nil {
			err = fmt.Errorf("%s: %w", field, cause)
			break
		}
	}
	return c, fmt.Errorf("scenario %s: %w", name, err)
}
