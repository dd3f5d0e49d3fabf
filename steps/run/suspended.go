package run

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/wording"
)

// While this machine is suspended, or pixcert is stopped, deadlines pass, tokens expire and webhooks get lost: what
// ran then says nothing about the target.

const (
	clockTick = time.Second
	// longestTick is the longest time between two ticks on a busy machine. A longer one is that of a stopped process.
	longestTick = 10 * time.Second
	// mostDrift is how far the wall clock may move against the monotonic clock, which stands still in a suspended
	// machine, between two ticks. Smaller steps are those of a synchronized clock.
	mostDrift = 3 * time.Second
)

// suspensions notices from the clocks that this machine was suspended.
type suspensions struct {
	read func() reading
	note func(string)

	mu     sync.Mutex
	latest reading
	all    []suspension
}

// reading is what the clocks show at one moment.
type reading struct {
	at   time.Time // with the monotonic clock
	wall time.Time // without it
}

func readClocks() reading {
	now := time.Now()
	return reading{now, now.Round(0)}
}

// suspension is the time between two readings.
type suspension struct{ from, to reading }

// elapsed is the time on the monotonic clock.
func (s suspension) elapsed() time.Duration { return s.to.at.Sub(s.from.at) }

// drift is how much more time passed on the wall clock.
func (s suspension) drift() time.Duration { return s.to.wall.Sub(s.from.wall) - s.elapsed() }

func (s suspension) String() string {
	took := max(s.elapsed(), s.drift().Abs())
	return fmt.Sprintf("this machine was suspended, pixcert was stopped, or the clock was set (by %s at %s): scenarios that ran then run again",
		wording.Duration(took.Round(time.Second)), clock(s.to.wall))
}

// watch reads the clocks at each tick, until ctx ends.
func (s *suspensions) watch(ctx context.Context) {
	ticks := time.NewTicker(clockTick)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			s.look()
		case <-ctx.Done():
			return
		}
	}
}

// look compares the clocks with what they showed before.
func (s *suspensions) look() {
	s.mu.Lock()
	defer s.mu.Unlock()
	one := suspension{s.latest, s.read()}
	s.latest = one.to
	if one.from.at.IsZero() {
		return
	}
	if one.elapsed() > longestTick || one.drift().Abs() > mostDrift {
		s.all = append(s.all, one)
		s.note(one.String())
	}
}

// since reports whether the machine was suspended after began.
func (s *suspensions) since(began time.Time) bool {
	s.look() // it may have ended after the latest tick
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all) > 0 && !s.all[len(s.all)-1].to.at.Before(began)
}

// notes describes the suspensions, for the report.
func (s *suspensions) notes() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.all {
		all = append(all, one.String())
	}
	return all
}

// watchClocks watches the clocks until the returned function is called, which waits for the watcher to end.
func (r *run) watchClocks(ctx context.Context) (stop func()) {
	r.suspended.look()
	ctx, cancel := context.WithCancel(ctx)
	var watcher sync.WaitGroup
	watcher.Go(func() { r.suspended.watch(ctx) })
	return func() {
		cancel()
		watcher.Wait()
	}
}
