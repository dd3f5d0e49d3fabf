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

// user is a virtual user with a gateway: its connections, and when its calls were
// intended. All of it belongs to the user's JavaScript thread, but for the connections and
// the emitter.
type user struct {
	vu          modules.VU
	state       *lib.State
	options     *options
	run         *run.Run
	failed      func(*gateway.Exchange) // tells the first of each kind
	connections gateway.Sender
	emitter     *emitter // nil: no http_req_* metrics
	exchanging  chan struct{}
	start       *start

	begun     bool
	iteration int64
	scenario  string
	schedule  schedule
}

// overlapping is how many promises of one virtual user exchange at a time; the others
// wait for their turn.
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

// work is a call without its arguments: what remains is to be done off the JavaScript
// thread as well as on it. A failure of the network is among the values.
type work func(context.Context, run.Call) (any, error)

// now does the work in a call that waits for it.
func (u *user) now(a *gateway.Account, w work) sobek.Value {
	value, err := w(u.vu.Context(), u.call(a))
	if err != nil {
		common.Throw(u.vu.Runtime(), err)
	}
	return u.vu.Runtime().ToValue(value)
}

// later does the work in a call that gives a promise.
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

// promise is one that is rejected with an Error of JavaScript, as a call that waits
// throws.
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

// call is what the calls of an iteration have in common, taken on the JavaScript thread.
func (u *user) call(a *gateway.Account) run.Call {
	base := u.state.Tags.GetCurrentValues()
	return run.Call{
		Account:  a,
		Sender:   u.sender(base, successful),
		Repeat:   u.sender(base, successfulOrRepeat),
		Intended: u.intended(),
	}
}

func successful(status int) bool { return status >= 200 && status < 400 }

// successfulOrRepeat takes the refusals of a repeat for what was expected.
func successfulOrRepeat(status int) bool {
	return successful(status) || status == 400 || status == 409
}

// intended is when the schedule wanted a call: for the first of an iteration as long ago
// as the iteration began late, so that what the script did before it is not counted; for a
// later one now, since it follows from what came before it, pauses of the script included.
func (u *user) intended() time.Time {
	now := time.Now()
	if u.begun && u.iteration == u.state.Iteration {
		return now
	}
	u.begun, u.iteration = true, u.state.Iteration
	at, ready, scheduled := u.scheduled()
	begun, ok := u.start.at()
	if !scheduled || !ok {
		return now
	}
	u.run.Lag(ready, begun)
	return now.Add(-max(begun.Sub(at), 0))
}

// scheduled is when the scenario's executor wanted this iteration to start, and from when
// on it could: k6's own executors start those alone for which a virtual user is free.
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
