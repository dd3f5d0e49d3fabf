package executor

import (
	"context"
	"fmt"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/measure"
)

// ArrivalRate offers iterations on a schedule and records when each was due. If all virtual
// users are busy, arrivals wait, as payers do: the wait is part of their latency from the
// intended start. k6's own executors drop them, and do not report when an iteration was due.
type ArrivalRate struct {
	*executor.BaseExecutor

	config *ArrivalRateConfig
	state  *lib.ExecutionState
	logger *logrus.Entry
	bar    bar
	part   *lib.ExecutionTuple
}

var _ lib.Executor = &ArrivalRate{}

// GetConfig is the scenario's configuration.
func (e *ArrivalRate) GetConfig() lib.ExecutorConfig { return e.config }

// Init computes the instance's part: arrivals go only to instances with a virtual user.
func (e *ArrivalRate) Init(context.Context) (err error) {
	e.part, err = e.state.ExecutionTuple.GetNewExecutionTupleFromValue(e.config.most())
	return err
}

// Run offers the schedule until its end, an interrupt, or the end of ctx.
func (e *ArrivalRate) Run(parent context.Context, out chan<- metrics.SampleContainer) error {
	observer, err := e.config.observe()
	if err != nil {
		return err
	}
	ctx, pool := e.config.pool(parent, e.state, e.logger, observer, e.progress)
	defer pool.abort(nil)
	if err := pool.open(ctx); err != nil {
		return err
	}
	e.bar.show(pool.progress)
	arrivals := e.offer(ctx, pool)
	pool.close(e.config.GetGracefulStop())
	arrivals.MaxVUs = pool.most
	if arrivals.Dropped > 0 {
		drop(parent, out, e.state.Test, e.config.Name, arrivals.Dropped)
		e.logger.Warnf("%d arrivals never started because no virtual user was free before the end: increase maxVUs, or find out why iterations take so long", arrivals.Dropped)
	}
	observer.Arrived(arrivals)
	if parent.Err() == nil {
		return pool.interrupted() // nil, unless the script aborted the test
	}
	return nil
}

// lateStart is how late an arrival may start at the end of the schedule.
const lateStart = 100 * time.Millisecond

// offer passes each arrival, when it is due, to the first free virtual user. Arrivals that
// are due shortly before the end may be as late as any other. Those that still wait then are
// dropped; those cut off by an interrupt are not counted as dropped.
func (e *ArrivalRate) offer(ctx context.Context, pool *pool) (seen measure.Arrivals) {
	var all tally
	length, _ := e.config.length()
	slots := e.slots()
	start := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	end := time.NewTimer(length + min(lateStart, e.config.GetGracefulStop()))
	defer end.Stop()
	defer func() { seen.Waited = all.waited.Load() }()

	for s, ok := slots.next(); ok; s, ok = slots.next() {
		at := start.Add(s.due)
		if !until(ctx, timer, at) {
			return seen
		}
		seen.Due++
		if pool.await(ctx, arrival{at: at, local: s.local, global: s.global, tally: &all}, end.C) {
			continue
		}
		if ctx.Err() != nil {
			return seen
		}
		left := slots.left()
		seen.Due += left
		seen.Dropped = 1 + left
		break
	}
	return seen
}

// until waits until a time. It returns false if ctx ended.
func until(ctx context.Context, timer *time.Timer, at time.Time) bool {
	wait := time.Until(at)
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer.Reset(wait)
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// progress is how much of the schedule is over, and its current rate, for the progress bar
// and for scripts.
func (e *ArrivalRate) progress(spent time.Duration) (float64, []string) {
	length, _ := e.config.length()
	rate := NewRamps(e.config.legs()).rate(min(spent, length-1)) * e.part.Segment.FloatLength()
	return min(1, float64(spent)/float64(length)),
		[]string{fmt.Sprintf("%.4g iters/s", rate), fmt.Sprintf("%s/%s", min(spent, length).Truncate(time.Second), length)}
}

// slots are an instance's places in the schedule of all instances.
type slots struct {
	ramps Ramps
	place spacing
	index *lib.SegmentedIndex
}

// slot is one of them: when it is due from the start, and its numbers in the instance and in
// all instances.
type slot struct {
	due           time.Duration
	local, global uint64
}

func (e *ArrivalRate) slots() *slots {
	return &slots{NewRamps(e.config.legs()), e.config.spacing(), lib.NewSegmentedIndex(e.part)}
}

func (s *slots) next() (slot, bool) {
	local, global := s.index.Next() // from 1
	due, ok := s.ramps.Due(s.place(global - 1))
	return slot{due, uint64(local - 1), uint64(global - 1)}, ok //nolint:gosec // not negative
}

// left counts the others.
func (s *slots) left() (n int64) {
	for _, ok := s.next(); ok; _, ok = s.next() {
		n++
	}
	return n
}
