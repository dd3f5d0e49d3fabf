package module

import (
	"context"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/gateway"
	"github.com/pixcert/pixcert/load/run"
)

// user is a virtual user with a gateway: its connections, and when its calls were intended.
// Everything except the connections and the emitter belongs to the user's JavaScript thread.
type user struct {
	vu          modules.VU
	state       *lib.State
	options     *options
	run         *run.Run
	failed      func(*gateway.Exchange) // logs the first of each kind
	connections gateway.Sender
	emitter     *emitter // nil: no http_req_* metrics
	exchanging  chan struct{}
	start       *start

	begun     bool
	iteration int64
	scenario  string
	schedule  schedule
}

// overlapping is how many async calls of one virtual user may send at the same time; the
// others wait.
const overlapping = 100

func newUser(vu modules.VU, t *test, s *start) (*user, error) {
	r, err := t.begin(vu.State())
	if err != nil {
		return nil, err
	}
	u := &user{vu: vu, state: vu.State(), options: t.options, run: r, failed: t.failed, exchanging: make(chan struct{}, overlapping), start: s}
	u.connections = u.connect()
	if t.options.HTTPMetrics {
		u.emitter = newEmitter(u.state)
	}
	return u, nil
}

// sender sends through the virtual user's connections.
func (u *user) sender(tags metrics.TagsAndMeta, expected func(status int) bool) *sender {
	return &sender{user: u, tags: tags, expected: expected}
}

// work is a call whose arguments have been read: it can run on or off the JavaScript thread.
// Its value includes network failures.
type work func(context.Context, run.Call) (any, error)

// now does the work in a synchronous call.
func (u *user) now(a *gateway.Account, w work) sobek.Value {
	value, err := w(u.vu.Context(), u.call(a))
	if err != nil {
		common.Throw(u.vu.Runtime(), err)
	}
	return u.vu.Runtime().ToValue(value)
}

// later does the work in an async call.
func (u *user) later(a *gateway.Account, w work) sobek.Value {
	p := u.promise()
	ctx, call := u.vu.Context(), u.call(a)
	go func() { // the iteration waits for it: the promise is registered
		select {
		case u.exchanging <- struct{}{}:
			defer func() { <-u.exchanging }()
		case <-ctx.Done():
			p.settle(nil, context.Cause(ctx))
			return
		}
		p.settle(w(ctx, call))
	}()
	return p.value
}

// promise is rejected with a JavaScript Error, as a synchronous call throws one.
type promise struct {
	value  sobek.Value
	settle func(value any, err error) // once, from any goroutine
}

func (u *user) promise() promise {
	rt := u.vu.Runtime()
	p, resolve, reject := rt.NewPromise()
	enqueue := u.vu.RegisterCallback()
	return promise{rt.ToValue(p), func(value any, err error) {
		enqueue(func() error {
			if err != nil {
				return reject(rt.NewGoError(err))
			}
			return resolve(value)
		})
	}}
}

// call is what the calls of an iteration have in common, read on the JavaScript thread.
func (u *user) call(a *gateway.Account) run.Call {
	base := u.state.Tags.GetCurrentValues()
	intended, late := u.intended()
	return run.Call{
		Account:  a,
		Sender:   u.sender(base, successful),
		Repeat:   u.sender(base, successfulOrRepeat),
		Intended: intended, Late: late,
	}
}

func successful(status int) bool { return status >= 200 && status < 400 }

// successfulOrRepeat also expects the refusals of a repeat.
func successfulOrRepeat(status int) bool {
	return successful(status) || status == 400 || status == 409
}

// intended is when the schedule intended a call, and how much of the time since then the
// generator was late. For the first call of an iteration, it is now minus the lateness of the
// iteration, so that what the script did before the call does not count. For later calls, it
// is now, because they depend on earlier ones and on pauses of the script.
func (u *user) intended() (at time.Time, late time.Duration) {
	now := time.Now()
	if u.begun && u.iteration == u.state.Iteration {
		return now, 0
	}
	u.begun, u.iteration = true, u.state.Iteration
	at, ready, scheduled := u.scheduled()
	begun, ok := u.start.at()
	if !scheduled || !ok {
		return now, 0
	}
	late = max(begun.Sub(ready), 0)
	u.run.Lag(late, begun)
	return now.Add(-max(begun.Sub(at), 0)), late
}

// scheduled is when the scenario's executor intended this iteration to start, and when it
// could: k6's own executors start only iterations for which a virtual user is free.
func (u *user) scheduled() (at, ready time.Time, ok bool) {
	if at, ready, ok := u.run.Intended(u.state.VUID); ok {
		return at, ready, true
	}
	scenario := lib.GetScenarioState(u.vu.Context())
	if scenario == nil || u.state.GetScenarioGlobalVUIter == nil {
		return time.Time{}, time.Time{}, false // setup, teardown
	}
	if u.schedule == nil || u.scenario != scenario.Name {
		u.scenario, u.schedule = scenario.Name, newSchedule(u.state.Options.Scenarios[scenario.Name])
	}
	offset, ok := u.schedule(u.state.GetScenarioGlobalVUIter())
	at = scenario.StartTime.Add(offset)
	return at, at, ok
}
