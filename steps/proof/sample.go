package proof

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"syscall"

	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Tally counts the results of running every rule against gateways with one fault each.
type Tally struct {
	Failed     int
	Incomplete int // because of the fault, something could not be tested
	Conformed  int // although the fault showed
	Moot       int // conformed, with the fault only where nothing may depend on it: see Gateway
	NeverShown int // so that no rule could have found it
}

// Add adds another tally.
func (t *Tally) Add(more Tally) {
	t.Failed += more.Failed
	t.Incomplete += more.Incomplete
	t.Conformed += more.Conformed
	t.Moot += more.Moot
	t.NeverShown += more.NeverShown
}

// Sample runs every rule against each gateway until one fails. A fault has to be found wherever
// it shows, not only in the scenarios of the rule that it breaks; those run first only to save time.
func (p Proof) Sample(ctx context.Context, faulty []Gateway) (Tally, error) {
	p.AllRules, p.patient = true, true // an event that is late on a busy machine is no fault that was found
	var tally Tally
	err := each(ctx, faulty, atOnceWithAllRules, p.untilFailure, func(i int, s sampled) {
		mark, g := "failed", faulty[i]
		switch {
		case s.failed != "":
			tally.Failed++
			g.Name += ", fails " + s.failed
		case s.shown == 0:
			mark = "not triggered"
			tally.NeverShown++
		case s.untested:
			mark = "incomplete"
			tally.Incomplete++
		case s.shown == s.moot:
			mark = "moot"
			tally.Moot++
		default:
			mark = "CONFORMED"
			tally.Conformed++
		}
		g.Name += fmt.Sprintf(" (seed %d, shown %d times)", p.Options.Seed, s.shown)
		p.print(mark, g, nil)
	})
	return tally, err
}

// Record runs every rule against each gateway to its end. The run is nil if it did not start because of the fault.
func (p Proof) Record(ctx context.Context, faulty []Gateway, keep func(i int, run *verdict.Run)) error {
	p.AllRules = true
	return each(ctx, faulty, atOnceWithAllRules, func(ctx context.Context, g Gateway) (*verdict.Run, error) {
		run, err := p.certify(ctx, g)
		if run == nil && ctx.Err() == nil && !ofMachine(err) {
			err = nil
		}
		return run, err
	}, keep)
}

// sampled is the result of a run, and how often the fault had shown by then.
type sampled struct {
	failed   string // the scenario, or why the run ended early or did not start
	untested bool   // something that the controls would allow to test: such a run does not conform
	shown    int64
	moot     int64
}

func (p Proof) untilFailure(ctx context.Context, g Gateway) (sampled, error) {
	p.Options.First, p.Options.FailFast = g.First, true // also at a breach that no scenario looks for
	first := &firstFailure{}
	result, err := p.run(ctx, g, first)
	switch {
	case result == nil && ctx.Err() == nil && !ofMachine(err) && g.Shown != nil && g.Shown() > 0: // it is found before the first scenario
		return sampled{failed: err.Error(), shown: g.Shown()}, nil
	case result == nil:
		return sampled{}, err
	case first.id != "": // the run was ended on purpose
		return sampled{failed: first.id, shown: g.Shown()}, nil
	}
	s := sampled{shown: g.Shown()}
	if g.Moot != nil {
		s.moot = g.Moot()
	}
	if result.Ended != nil {
		s.failed = result.Ended.Reason
	}
	s.untested = slices.ContainsFunc(result.Scenarios, func(s verdict.Scenario) bool {
		return s.Verdict == verdict.CouldNotTest && len(s.Missing) == 0
	})
	return s, err
}

// ofMachine reports whether the machine is to blame for an error, such as a port in use or a full disk: errors about
// a target have none of the system in their chain, only what it sent.
func ofMachine(err error) bool {
	var network *net.OpError
	var system syscall.Errno
	return errors.As(err, &network) || errors.As(err, &system)
}

// firstFailure ends a run with the first scenario that fails.
type firstFailure struct {
	progress.Progress
	of   string // the rule of the scenario; empty for any
	then func()
	once sync.Once
	id   string
}

func (f *firstFailure) Finished(s verdict.Scenario) {
	if s.Verdict == verdict.Fail && (f.of == "" || f.of == s.Rule) {
		f.once.Do(func() {
			f.id = s.ID()
			if s.Finding != nil {
				f.id += fmt.Sprintf(" (expected %s; got %s)", s.Finding.Expected, s.Finding.Got)
			}
			f.then()
		})
	}
}
