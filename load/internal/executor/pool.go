package executor

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/lib"
)

// pool is the virtual users of a scenario. If none is free, it creates unplanned ones, one at a time.
type pool struct {
	state    *lib.ExecutionState
	logger   *logrus.Entry
	observer Observer
	abort    context.CancelCauseFunc // ends the scenario, with the error of a script that aborts the test
	config   *config
	most     int64

	start   time.Time // of the schedule
	due     chan slot // unbuffered: a send succeeds only if a user is free
	wanted  chan struct{}
	unused  int64        // unplanned virtual users not created yet
	waited  atomic.Int64 // arrivals for a virtual user: all were busy when they were due
	warned  bool
	workers sync.WaitGroup
	active  sync.WaitGroup // virtual users not returned
	adding  sync.WaitGroup
}

func newPool(c *config, state *lib.ExecutionState, logger *logrus.Entry, observer Observer, abort context.CancelCauseFunc) *pool {
	planned, most := state.ExecutionTuple.ScaleInt64(c.PreAllocatedVUs.Int64), state.ExecutionTuple.ScaleInt64(c.most())
	return &pool{
		state: state, logger: logger, observer: observer, abort: abort, config: c,
		most: most, unused: most - planned, due: make(chan slot), wanted: make(chan struct{}),
	}
}

// open starts the planned virtual users; ctx interrupts their iterations.
func (p *pool) open(ctx context.Context) error {
	for range p.most - p.unused {
		vu, err := p.state.GetPlannedVU(p.logger, false)
		if err != nil {
			p.close(0)
			return err
		}
		p.add(ctx, vu)
	}
	p.adding.Go(func() { p.addWorkers(ctx) })
	return nil
}

// addWorkers creates an unplanned virtual user each time one is requested.
func (p *pool) addWorkers(ctx context.Context) {
	for range p.wanted {
		vu, err := p.state.GetUnplannedVU(ctx, p.logger)
		if err != nil {
			p.logger.WithError(err).Error("cannot create an unplanned virtual user")
			continue
		}
		p.add(ctx, vu)
	}
}

// add makes a virtual user work until the pool is closed.
func (p *pool) add(ctx context.Context, vu lib.InitializedVU) {
	var s slot // in progress
	p.active.Add(1)
	active := vu.Activate(&lib.VUActivationParams{
		RunContext: ctx,
		Scenario:   p.config.Name, Exec: p.config.GetExec(), Env: p.config.GetEnv(), Tags: p.config.GetTags(),
		DeactivateCallback: func(vu lib.InitializedVU) {
			p.state.ReturnVU(vu, false)
			p.active.Done()
		},
		GetNextIterationCounters: func() (uint64, uint64) { return s.local, s.global },
	})
	id := vu.GetID()
	p.workers.Go(func() {
		for free := time.Now(); ; free = time.Now() {
			var more bool
			if s, more = <-p.due; !more {
				return
			}
			p.state.ModCurrentlyActiveVUsCount(+1)
			at := p.start.Add(s.due)
			p.observer.Intend(id, at, p.ready(at, free))
			p.iterate(ctx, active)
			p.state.ModCurrentlyActiveVUsCount(-1)
		}
	})
}

// ready returns since when only the generator delayed an arrival: it was due, and its virtual user
// was free. It counts an arrival that waited for one.
func (p *pool) ready(due, free time.Time) time.Time {
	if !free.After(due) {
		return due
	}
	p.waited.Add(1)
	return free
}

// iterate runs one iteration and counts it as full, even if the script throws, or as interrupted.
func (p *pool) iterate(ctx context.Context, vu lib.ActiveVU) {
	err := vu.RunOnce()
	switch {
	case ctx.Err() != nil:
		p.state.AddInterruptedIterations(1)
	case errext.IsInterruptError(err):
		p.state.AddInterruptedIterations(1)
		p.abort(err)
	default:
		if err != nil {
			text, fields := errext.Format(err)
			p.logger.WithFields(logrus.Fields(fields)).Error(text)
			p.observer.Threw()
		}
		p.state.AddFullIterations(1)
	}
}

// await passes an iteration to the first free virtual user. If there is none, one more is created, but no more than there are
// waiting arrivals. It returns false if none was free until the deadline or the end of ctx.
func (p *pool) await(ctx context.Context, s slot, deadline <-chan time.Time) bool {
	select {
	case p.due <- s:
		return true
	default:
	}
	for wish := p.more(); ; {
		select {
		case p.due <- s:
			return true
		case wish <- struct{}{}:
			p.unused--
			wish = nil
		case <-deadline:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// more receives requests for one more virtual user; nil at the maximum.
func (p *pool) more() chan<- struct{} {
	if p.unused > 0 {
		return p.wanted
	}
	if !p.warned {
		p.warned = true
		p.logger.Warnf("insufficient virtual users: all %d (maxVUs) are busy", p.most)
	}
	return nil
}

// close lets iterations end within the grace period, interrupts the others, and returns the virtual users.
func (p *pool) close(grace time.Duration) {
	close(p.wanted)
	ended := make(chan struct{})
	go func() {
		p.adding.Wait() // adds no worker from here on
		close(p.due)
		p.workers.Wait()
		close(ended)
	}()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-ended:
	case <-timer.C:
	}
	p.abort(nil)
	<-ended
	p.active.Wait()
}
