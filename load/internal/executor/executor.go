// Package executor implements k6 executors for open-loop arrivals that record when each
// arrival was due: pix-arrival-rate offers the rate that a script sets; the rate of
// pix-capacity follows the search of package capacity.
package executor

import (
	"context"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/capacity"
)

// The executors' names in a script.
const (
	ArrivalRateType = "pix-arrival-rate"
	CapacityType    = "pix-capacity"
)

// Observer is the run that an executor loads. The run measures the target; the executor adds
// what only it knows: the schedule.
type Observer interface {
	// Intend reports when the next iteration of the virtual user was due, and when it was
	// ready: due, and the user free, so that only the generator could delay it. It is called
	// on the user's own goroutine, right before the iteration.
	Intend(vu uint64, at, ready time.Time)
	// Threw reports an iteration that threw an error.
	Threw()
	// Arrived reports the counts of a scenario's arrivals when it is over.
	Arrived(capacity.Arrivals)
	// Observe is what completed within [from, to), both whole clock seconds. It is called
	// right after to, and also right after from, with from for both: differences, such as
	// the CPU, count from there.
	Observe(from, to time.Time) capacity.Observation
	// Backlog is the number of requests without a response plus accepted payments whose
	// webhook has not arrived, at this moment.
	Backlog() int64
	// Found receives the curve of a capacity search, whatever its outcome.
	Found(capacity.Curve)
}

// Register registers the executors with k6. They request the observer when a scenario
// starts. Call Register once per process, before options are read.
func Register(observe func() (Observer, error)) {
	register(ArrivalRateType, newArrivalRateConfig, observe)
	register(CapacityType, newCapacityConfig, observe)
}

// config is a scenario of an executor.
type config interface {
	lib.ExecutorConfig
	watched(observe func() (Observer, error))
}

func register[C config](executorType string, make func(name string) C, observe func() (Observer, error)) {
	lib.RegisterExecutorConfigType(executorType, func(name string, raw []byte) (lib.ExecutorConfig, error) {
		config, err := parse(name, raw, make)
		config.watched(observe)
		return config, err
	})
}

// drop counts iterations for which no virtual user was free, like k6's executors.
func drop(ctx context.Context, out chan<- metrics.SampleContainer, test *lib.TestRunState, scenario string, n int64) {
	tags := test.RunTags
	if test.Options.SystemTags.Has(metrics.TagScenario) {
		tags = tags.With("scenario", scenario)
	}
	metrics.PushIfNotDone(ctx, out, metrics.Sample{
		TimeSeries: metrics.TimeSeries{Metric: test.BuiltinMetrics.DroppedIterations, Tags: tags},
		Time:       time.Now(),
		Value:      float64(n),
	})
}
