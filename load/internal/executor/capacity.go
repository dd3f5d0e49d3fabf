package executor

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/capacity"
)

// Capacity runs one search.
type Capacity struct {
	*executor.BaseExecutor
	config *CapacityConfig
	state  *lib.ExecutionState
	logger *logrus.Entry
	bar    bar

	windows atomic.Int64 // judged
	step    atomic.Pointer[capacity.Step]
}

var _ lib.Executor = &Capacity{}

// GetConfig is the scenario's configuration.
func (e *Capacity) GetConfig() lib.ExecutorConfig { return e.config }

// Run searches until the end, an interrupt, or the end of ctx.
func (e *Capacity) Run(parent context.Context, out chan<- metrics.SampleContainer) error {
	observer, err := e.config.observe()
	if err != nil {
		return err
	}
	search, err := capacity.New(e.config.search())
	if err != nil {
		return err
	}
	ctx, pool := e.config.pool(parent, e.state, e.logger, observer, e.progress)
	defer pool.abort(nil)
	if err := pool.open(ctx); err != nil {
		return err
	}
	load := &load{
		pool: pool, observer: observer, idle: observer.Backlog(),
		dropped: func() { drop(ctx, out, e.state.Test, e.config.Name, 1) },
	}
	e.bar.show(pool.progress)
	e.explore(ctx, search, load)
	pool.close(e.config.GetGracefulStop())
	curve := search.Curve()
	e.logger.Info(curve.String())
	observer.Found(curve)
	if parent.Err() != nil {
		return nil
	}
	return pool.interrupted() // nil, unless the script aborted the test
}

// explore runs the windows of the search until it ends or ctx does.
func (e *Capacity) explore(ctx context.Context, search *capacity.Search, load *load) {
	for {
		step, more := search.Next()
		if !more {
			return
		}
		e.step.Store(&step)
		if step.Recovery > 0 && !load.recover(ctx, step.Recovery) {
			e.logger.Warnf("capacity: the backlog is not empty after %s of recovery; the next window starts with it", step.Recovery)
		}
		window, ok := load.offer(ctx, step, time.Now())
		if !ok {
			return
		}
		point := search.Judge(window)
		e.windows.Add(1)
		e.logger.Infof("capacity: %s %.4g/s %s (done %.4g/s, p99 %s) %s",
			step.Purpose, step.Rate, point.Verdict, point.Achieved, point.P99.Round(10*time.Microsecond), point.Reason)
	}
}

// progress is how much of its maximum duration the search has used, and its current step, for
// the progress bar and for scripts. The search may end at any time before.
func (e *Capacity) progress(spent time.Duration) (float64, []string) {
	bound := e.config.bound()
	columns := []string{fmt.Sprintf("%d windows", e.windows.Load()), fmt.Sprintf("%s of at most %s", spent.Truncate(time.Second), bound.Round(time.Second))}
	if step := e.step.Load(); step != nil {
		columns = append([]string{fmt.Sprintf("%s %.4g iters/s", step.Purpose, step.Rate)}, columns...)
	}
	return min(1, float64(spent)/float64(bound)), columns
}
