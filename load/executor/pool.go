package executor

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sirupsen/logrus"
	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/executor"

	"github.com/pixcert/pixcert/load/capacity"
)

// pool is the virtual users of a scenario. Those beyond the planned ones are made one at a
// time, while nobody is free.
type pool struct {
	state    *lib.ExecutionState
	logger   *logrus.Entry
	observer interface {
		Intend(vu uint64, at, ready time.Time) // as of [Observer]
		Threw()
	}
	abort    context.CancelCauseFunc // ends the scenario, with the error of a script that aborts the test
	scenario executor.BaseConfig
	planned  int64
	most     int64

	due      chan arrival // unbuffered: somebody is free, or nobody
	wanted   chan struct{}
	unused   int64 // unplanned virtual users not made yet
	warned   bool
	running  atomic.Int64
	workers  sync.WaitGroup
	active   sync.WaitGroup // virtual users not given back
	hatchery sync.WaitGroup
	reason   atomic.Pointer[error]
}

// arrival is one iteration: when it is due, its number in this instance and among all of
// them, and who counts it.
type arrival struct {
	at            time.Time
	local, global uint64
	tally         *tally
}

// tally counts the iterations of a part of the schedule.
type tally struct {
	late   atomic.Int64 // more than [capacity.LateStart] after they were due
	waited atomic.Int64 // for a virtual user: theirs was busy when they were due
}

// open takes the planned virtual users; ctx interrupts their iterations.
func (p *pool) open(ctx context.Context) error {
	p.due, p.wanted = make(chan arrival), make(chan struct{})
	p.unused = p.most - p.planned
	for range p.planned {
		vu, err := p.state.GetPlannedVU(p.logger, false)
		if err != nil {
			p.close(0, p.abort)
			return err
		}
		p.add(ctx, vu)
	}
	p.hatchery.Go(func() { p.hatch(ctx) })
	return nil
}

// hatch makes an unplanned virtual user each time one is wanted.
func (p *pool) hatch(ctx context.Context) {
	for range p.wanted {
		vu, err := p.state.GetUnplannedVU(ctx, p.logger)
		if err != nil {
			p.logger.WithError(err).Error("an unplanned virtual user could not be made")
			continue
		}
		p.add(ctx, vu)
	}
}

// add lets a virtual user work until the pool is closed.
func (p *pool) add(ctx context.Context, vu lib.InitializedVU) {
	var a arrival // under way
	p.active.Add(1)
	active := vu.Activate(&lib.VUActivationParams{
		RunContext: ctx,
		Scenario:   p.scenario.Name, Exec: p.scenario.GetExec(), Env: p.scenario.GetEnv(), Tags: p.scenario.GetTags(),
		DeactivateCallback: func(vu lib.InitializedVU) {
			p.state.ReturnVU(vu, false)
			p.active.Done()
		},
		GetNextIterationCounters: func() (uint64, uint64) { return a.local, a.global },
	})
	id := vu.GetID()
	p.workers.Go(func() {
		for free := time.Now(); ; free = time.Now() {
			var more bool
			if a, more = <-p.due; !more {
				return
			}
			p.running.Add(1)
			p.state.ModCurrentlyActiveVUsCount(+1)
			p.observer.Intend(id, a.at, a.ready(free))
			p.iterate(ctx, active)
			p.state.ModCurrentlyActiveVUsCount(-1)
			p.running.Add(-1)
		}
	})
}

// ready counts the arrival, and tells from when on nothing but the generator kept it from
// starting: it was due, and its virtual user was free.
func (a arrival) ready(free time.Time) time.Time {
	if time.Since(a.at) > capacity.LateStart {
		a.tally.late.Add(1)
	}
	if !free.After(a.at) {
		return a.at
	}
	a.tally.waited.Add(1)
	return free
}

// iterate runs one iteration and counts it: a full one, whatever the script's error, or
// an interrupted one.
func (p *pool) iterate(ctx context.Context, vu lib.ActiveVU) {
	err := vu.RunOnce()
	switch {
	case ctx.Err() != nil:
		p.state.AddInterruptedIterations(1)
	case errext.IsInterruptError(err):
		p.state.AddInterruptedIterations(1)
		p.reason.CompareAndSwap(nil, &err)
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

// start hands an iteration to a virtual user that is free. False: there is none, and one
// more is made while there may be more.
func (p *pool) start(a arrival) bool {
	select {
	case p.due <- a:
		return true
	default:
	}
	select {
	case p.more() <- struct{}{}:
		p.unused--
	default: // one is being made
	}
	return false
}

// await hands an iteration to the first virtual user that is free; when there is none, one
// more is made: no more than there are arrivals that wait. False: until the deadline, or
// now if that has passed, none was free; or ctx ended.
func (p *pool) await(ctx context.Context, a arrival, deadline <-chan time.Time) bool {
	select {
	case p.due <- a:
		return true
	default:
	}
	for wish := p.more(); ; {
		select {
		case p.due <- a:
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

// more takes the wish for one more virtual user; nil: there may be no more.
func (p *pool) more() chan<- struct{} {
	if p.unused > 0 {
		return p.wanted
	}
	if !p.warned {
		p.warned = true
		p.logger.Warnf("insufficient virtual users: all of maxVUs, %d, are busy", p.most)
	}
	return nil
}

// interrupted is the error of the script that aborted the test, if one did.
func (p *pool) interrupted() error {
	if err := p.reason.Load(); err != nil {
		return *err
	}
	return nil
}

// close lets iterations under way end within the grace, interrupts the others, and
// returns when all virtual users are given back.
func (p *pool) close(grace time.Duration, interrupt context.CancelCauseFunc) {
	close(p.wanted)
	ended := make(chan struct{})
	go func() {
		p.hatchery.Wait() // adds no worker from here on
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
	interrupt(nil)
	<-ended
	p.active.Wait()
}
