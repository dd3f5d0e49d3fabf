package executor

import (
	"context"
	"time"

	"github.com/pixcert/pixcert/load/internal/capacity"
)

// load offers iterations on a schedule.
type load struct {
	pool     *pool
	observer Observer
	idle     int64  // the backlog before the search
	dropped  func() // an iteration was
	started  uint64 // iterations
}

// offer starts iterations at the step's rate, evenly spaced, during warm-up and window. Late ones start immediately, each with the time at which it was due, so
// that the rate never drifts. The window begins at a whole second, because observations are per
// second. It returns false if ctx ended.
func (l *load) offer(ctx context.Context, step capacity.Step, start time.Time) (capacity.Window, bool) {
	from := ceil(start.Add(step.Warmup))
	to := from.Add(step.Window)
	window := capacity.Window{From: from.Round(0).UTC(), Duration: step.Window}
	var warmup, judged tally
	sample := from // when to sample the backlog next
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	for i := int64(0); ; i++ {
		at := start.Add(time.Duration(float64(i) / step.Rate * float64(time.Second)))
		for end := min(at.UnixNano(), to.UnixNano()); end >= sample.UnixNano(); sample = sample.Add(time.Second) {
			if !until(ctx, timer, sample) {
				return window, false
			}
			if sample.Equal(from) {
				l.observer.Observe(from, from)
			}
			window.Backlog = append(window.Backlog, l.observer.Backlog())
		}
		if !at.Before(to) {
			break
		}
		if !until(ctx, timer, at) {
			return window, false
		}
		if at.Before(from) {
			l.start(at, &warmup)
			continue
		}
		window.Scheduled++
		if l.start(at, &judged) {
			window.Started++
		} else {
			window.Dropped++
		}
	}
	window.Late = judged.late.Load()
	window.Observation = l.observer.Observe(from, to)
	return window, true
}

// start starts an iteration, or counts it as dropped and returns false.
func (l *load) start(at time.Time, t *tally) bool {
	if !l.pool.start(arrival{at: at, local: l.started, global: l.started, tally: t}) {
		l.dropped()
		return false
	}
	l.started++
	return true
}

const (
	sampleEvery = 50 * time.Millisecond // between two samples of the backlog
	stuck       = 5 * time.Second       // a backlog that does not shrink for this long is lost, not pending
)

// recover waits until all iterations have ended and the backlog is empty or no longer
// shrinks. It returns false if that takes too long.
func (l *load) recover(ctx context.Context, bound time.Duration) bool {
	deadline := time.Now().Add(bound)
	least, shrunk := l.observer.Backlog(), time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	for now := shrunk; ; now = time.Now() {
		backlog := l.observer.Backlog()
		if backlog < least {
			least, shrunk = backlog, now
		}
		gone := backlog <= l.idle || now.Sub(shrunk) >= stuck
		if gone && l.pool.running.Load() == 0 {
			l.idle = max(l.idle, backlog)
			return true
		}
		if now.After(deadline) || !until(ctx, timer, now.Add(sampleEvery)) {
			return ctx.Err() != nil
		}
	}
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

// ceil rounds t up to a whole second, on t's monotonic clock.
func ceil(t time.Time) time.Time {
	whole := t.Truncate(time.Second)
	if whole.Before(t) {
		whole = whole.Add(time.Second)
	}
	return t.Add(whole.Sub(t))
}
