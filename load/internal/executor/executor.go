// Package executor implements pix-arrival-rate, a k6 executor for open-loop arrivals that
// records when each arrival was due.
package executor

import (
	"context"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/measure"
)

// ArrivalRateType is the executor's name in a script.
const ArrivalRateType = "pix-arrival-rate"

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
	Arrived(measure.Arrivals)
}

// Register registers the executor with k6. It requests the observer when a scenario starts. Call Register once per process, before options are read.
func Register(observe func() (Observer, error)) {
	register(ArrivalRateType, newArrivalRateConfig, observe)
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
