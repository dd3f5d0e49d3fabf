// Package executor implements pix-arrival-rate, a k6 executor for open-loop arrivals that
// records when each arrival was due.
package executor

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/errext/exitcodes"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/result"
)

// Type is the executor's name in a script.
const Type = "pix-arrival-rate"

// Observer is the run. It measures the target; the executor adds what only it knows: the schedule.
type Observer interface {
	// Intend reports when the user's next iteration was due, and when it was ready: due, and the user free, so that only the
	// generator could delay it. It is called on the user's own goroutine, right before the iteration.
	Intend(vu uint64, at, ready time.Time)
	// Threw reports an iteration that threw an error.
	Threw()
	// Arrived reports the counts of a scenario's arrivals when it is over.
	Arrived(result.Arrivals)
}

// Register registers the executor with k6. It requests the observer when a scenario starts.
// Call Register once per process, before options are read.
func Register(observe func() (Observer, error)) {
	lib.RegisterExecutorConfigType(Type, func(name string, raw []byte) (lib.ExecutorConfig, error) {
		c, err := parse(name, raw)
		c.observe = observe
		return c, err
	})
}

// arrivalRate offers iterations on a schedule. If all virtual users are busy, arrivals wait, as payers do, which is part of
// their latency. k6's own executors drop them, and do not report when an iteration was due.
type arrivalRate struct {
	*executor.BaseExecutor

	config *config
	state  *lib.ExecutionState
	logger *logrus.Entry
	now    atomic.Pointer[progress]
	part   *lib.ExecutionTuple
}

var _ lib.Executor = &arrivalRate{}

// GetConfig is the scenario's configuration.
func (e *arrivalRate) GetConfig() lib.ExecutorConfig { return e.config }

// Init computes the instance's part: arrivals go only to instances with a virtual user.
func (e *arrivalRate) Init(context.Context) (err error) {
	e.part, err = e.state.ExecutionTuple.GetNewExecutionTupleFromValue(e.config.most())
	return err
}

// Run offers the schedule until its end, an interrupt, or the end of ctx.
func (e *arrivalRate) Run(parent context.Context, out chan<- metrics.SampleContainer) error {
	observer, err := e.config.observe()
	if err != nil {
		return errext.WithExitCodeIfNone(fmt.Errorf("%s: %w", Type, err), exitcodes.ScriptException)
	}
	begun := time.Now()
	progress := progress(func() (float64, []string) { return e.progress(time.Since(begun)) })
	ctx, abort := context.WithCancelCause(lib.WithScenarioState(parent, &lib.ScenarioState{
		Name: e.config.Name, Executor: Type, StartTime: begun, ProgressFn: progress,
	}))
	defer abort(nil)
	pool := newPool(e.config, e.state, e.logger, observer, abort)
	if err := pool.open(ctx); err != nil {
		return err
	}
	e.now.Store(&progress)
	arrivals := e.offer(ctx, pool)
	pool.close(e.config.GetGracefulStop())
	arrivals.Waited, arrivals.MaxVUs = pool.waited.Load(), pool.most
	e.drop(parent, out, arrivals.Dropped)
	observer.Arrived(arrivals)
	if err := context.Cause(ctx); parent.Err() == nil && errext.IsInterruptError(err) {
		return err // of the script, which aborted the test
	}
	return nil
}

const lateStart = 100 * time.Millisecond // how late an arrival may start at the end of the schedule

// offer passes each arrival, when it is due, to the first free virtual user. Those that are due shortly before the end may be
// as late as any other. What still waits then is dropped; an interrupt drops nothing.
func (e *arrivalRate) offer(ctx context.Context, pool *pool) (seen result.Arrivals) {
	length, _ := e.config.length()
	slots := e.config.slots(e.part)
	pool.start = time.Now()
	next := time.NewTimer(0)
	defer next.Stop()
	end := time.NewTimer(length + min(lateStart, e.config.GetGracefulStop()))
	defer end.Stop()

	for s, ok := slots.next(); ok; s, ok = slots.next() {
		next.Reset(time.Until(pool.start.Add(s.due)))
		select {
		case <-next.C:
		case <-ctx.Done():
			return seen
		}
		seen.Due++
		if pool.await(ctx, s, end.C) {
			continue
		}
		if ctx.Err() == nil {
			left := slots.left()
			seen.Due += left
			seen.Dropped = 1 + left
		}
		return seen
	}
	return seen
}

// drop counts iterations for which no virtual user was free, like k6's executors.
func (e *arrivalRate) drop(ctx context.Context, out chan<- metrics.SampleContainer, n int64) {
	if n == 0 {
		return
	}
	e.logger.Warnf("%d arrivals never started because no virtual user was free before the end: increase maxVUs, or find out why iterations take so long", n)
	test := e.state.Test
	tags := test.RunTags
	if test.Options.SystemTags.Has(metrics.TagScenario) {
		tags = tags.With("scenario", e.config.Name)
	}
	metrics.PushIfNotDone(ctx, out, metrics.Sample{
		TimeSeries: metrics.TimeSeries{Metric: test.BuiltinMetrics.DroppedIterations, Tags: tags},
		Time:       time.Now(),
		Value:      float64(n),
	})
}

// progress is how much of the schedule is over, and its current rate.
func (e *arrivalRate) progress(spent time.Duration) (float64, []string) {
	length, _ := e.config.length()
	rate := newRamps(e.config.legs()).rate(min(spent, length-1)) * e.part.Segment.FloatLength()
	return min(1, float64(spent)/float64(length)),
		[]string{fmt.Sprintf("%.4g iters/s", rate), fmt.Sprintf("%s/%s", min(spent, length).Truncate(time.Second), length)}
}

// progress is how much of a scenario is over, 0 to 1, and a description.
type progress func() (share float64, columns []string)

// inBar is a configuration whose name shows the scenario's progress in k6's progress bar. An extension can only change
// the name on the left; otherwise k6 would stay at "0% started".
type inBar struct {
	lib.ExecutorConfig
	now *atomic.Pointer[progress]
}

// barWidth is how much of a name k6 shows: the width of the bar is that of the longest name at the start.
const barWidth = 30

// GetName is the scenario's name and progress.
func (b inBar) GetName() string {
	text := b.ExecutorConfig.GetName()
	if now := b.now.Load(); now != nil {
		share, columns := (*now)()
		text = fmt.Sprintf("%s %.0f%% %s", text, 100*share, columns[0])
	}
	return fmt.Sprintf("%-*s", barWidth, text)
}
