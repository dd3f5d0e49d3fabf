package executor

import (
	"fmt"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/errext/exitcodes"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/lib/types"
	"gopkg.in/guregu/null.v3"

	"github.com/pixcert/pixcert/load/internal/capacity"
)

// CapacityConfig is a scenario with the executor pix-capacity. Rates are iterations per
// timeUnit; durations of windows are whole seconds.
type CapacityConfig struct {
	scenario

	StartRate null.Float         `json:"startRate"`
	MaxRate   null.Float         `json:"maxRate"`
	Growth    null.Float         `json:"growth"`    // 2
	Precision null.Float         `json:"precision"` // 0.05
	Warmup    types.NullDuration `json:"warmup"`    // 3s, of each window
	Window    types.NullDuration `json:"window"`    // 10s
	Confirm   types.NullDuration `json:"confirm"`   // three windows, as far as [capacity.Longest] allows
	Recovery  types.NullDuration `json:"recovery"`  // 30s, at most
	Hold      Hold               `json:"hold"`
}

// Hold is the limits that a rate has to meet. Default: responses within 500ms, webhooks
// within 2s, one failure in a thousand.
type Hold struct {
	Latency  types.NullDuration `json:"latency"`
	Delivery types.NullDuration `json:"delivery"`
	Failed   null.Float         `json:"failed"`
}

var _ lib.ExecutorConfig = &CapacityConfig{}

func newCapacityConfig(name string) *CapacityConfig {
	return &CapacityConfig{
		scenario:  newScenario(name, CapacityType),
		Growth:    null.NewFloat(2, false),
		Precision: null.NewFloat(0.05, false),
		Warmup:    types.NewNullDuration(3*time.Second, false),
		Window:    types.NewNullDuration(10*time.Second, false),
		Recovery:  types.NewNullDuration(30*time.Second, false),
		Hold: Hold{
			Latency:  types.NewNullDuration(500*time.Millisecond, false),
			Delivery: types.NewNullDuration(2*time.Second, false),
			Failed:   null.NewFloat(0.001, false),
		},
	}
}

// search is the configuration of the search, with rates per second.
func (c *CapacityConfig) search() capacity.Config {
	confirm := c.Confirm.TimeDuration()
	if !c.Confirm.Valid {
		confirm = max(c.Window.TimeDuration(), min(3*c.Window.TimeDuration(), capacity.Longest))
	}
	return capacity.Config{
		Start: c.perSecond(c.StartRate), Max: c.perSecond(c.MaxRate),
		Growth: c.Growth.Float64, Precision: c.Precision.Float64,
		Warmup: c.Warmup.TimeDuration(), Window: c.Window.TimeDuration(), Confirm: confirm,
		Recovery: c.Recovery.TimeDuration(),
		Hold: capacity.Limits{
			Latency: c.Hold.Latency.TimeDuration(), Delivery: c.Hold.Delivery.TimeDuration(), Failed: c.Hold.Failed.Float64,
		},
	}
}

// Validate reports errors by the fields' names.
func (c *CapacityConfig) Validate() []error {
	errs := c.validate()
	if c.TimeUnit.TimeDuration() <= 0 {
		return errs // rates need a valid timeUnit
	}
	if err := c.search().Validate(); err != nil {
		errs = append(errs, err)
	}
	for name, d := range map[string]types.NullDuration{"window": c.Window, "confirm": c.Confirm} {
		if d.TimeDuration()%time.Second != 0 {
			errs = append(errs, fmt.Errorf("%s: expected whole seconds, because measurements are per second, got %s", name, d))
		}
	}
	return errs
}

// bound is how long the search takes at most: each window also waits for a whole second.
func (c *CapacityConfig) bound() time.Duration {
	search := c.search()
	search.Warmup += time.Second
	return search.MaxDuration()
}

// GetDescription is the line that k6 prints for the scenario.
func (c *CapacityConfig) GetDescription(et *lib.ExecutionTuple) string {
	search := c.search()
	return fmt.Sprintf("capacity from %g to %g iterations/s within %s, for at most %s (%s)",
		search.Start, search.Max, search.Hold, c.bound().Round(time.Second), c.describe(et.ScaleInt64))
}

// GetExecutionRequirements is the number of virtual users needed, and for how long at most.
func (c *CapacityConfig) GetExecutionRequirements(et *lib.ExecutionTuple) []lib.ExecutionStep {
	return c.required(et.ScaleInt64, c.bound())
}

// HasWork is true: an instance that cannot search says why, see NewExecutor.
func (c *CapacityConfig) HasWork(*lib.ExecutionTuple) bool { return true }

// IsDistributable is false: one instance searches.
func (c *CapacityConfig) IsDistributable() bool { return false }

// NewExecutor refuses to run in an execution segment.
func (c *CapacityConfig) NewExecutor(es *lib.ExecutionState, logger *logrus.Entry) (lib.Executor, error) {
	if segment := es.ExecutionTuple.Segment; segment.FloatLength() != 1 {
		err := fmt.Errorf("scenario %s: expected one instance, because a search is not divided into execution segments, got %s", c.Name, segment)
		return nil, errext.WithExitCodeIfNone(err, exitcodes.InvalidConfig)
	}
	e := &Capacity{config: c, state: es, logger: logger}
	e.BaseExecutor = executor.NewBaseExecutor(inBar{c, &e.bar}, es, logger)
	return e, nil
}
