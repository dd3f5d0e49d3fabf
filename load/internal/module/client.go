package module

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"
	"golang.org/x/sync/semaphore"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/run"
)

// newClient is the constructor Client. All virtual users construct the same one.
func (i *instance) newClient(call sobek.ConstructorCall) *sobek.Object {
	rt := i.vu.Runtime()
	t := i.test
	if err := t.configure(i.vu, argument(rt, call.Argument(0))); err != nil {
		common.Throw(rt, fmt.Errorf("client: %w", err))
	}
	u := &user{vu: i.vu, test: t, objects: map[int]*sobek.Object{}, base: strings.TrimRight(t.config.URL.String(), "/"), exchanging: semaphore.NewWeighted(overlapping)}
	for name, f := range map[string]func(sobek.FunctionCall) sobek.Value{
		"prepare": u.prepare,
		"account": u.account,
		"offers":  u.offers,
	} {
		must(call.This.Set(name, f))
	}
	u.define(call.This, nil, []method{{"pay", 1, u.pay}, {"audit", 0, u.audit}})
	must(call.This.Set("run", t.runID()))
	return nil
}

// argument is a value as JSON, or {} if there is none.
func argument(rt *sobek.Runtime, v sobek.Value) []byte {
	if common.IsNullish(v) {
		return []byte("{}")
	}
	text, err := v.ToObject(rt).MarshalJSON()
	if err != nil {
		common.Throw(rt, err)
	}
	return text
}

// must panics on errors that only a bug in this package can cause.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (u *user) prepare(sobek.FunctionCall) sobek.Value {
	u.ready()
	return sobek.Undefined()
}

// ready prepares the run, unless that is done, and this virtual user.
func (u *user) ready() {
	if u.run != nil {
		return
	}
	u.state = u.vu.State()
	if u.state == nil {
		common.Throw(u.vu.Runtime(), errors.New("client: expected calls only in setup, scenarios and teardown, got one in the init code"))
	}
	r, err := u.test.begin(u.state)
	if err == nil {
		err = u.test.prepare(u, r)
	}
	if err != nil {
		u.refuse(err)
	}
	u.run = r
}

// refuse ends the test: if its gateway cannot be prepared, no other call can prepare it, and
// k6 would count each iteration that throws as a success. Setup ends the test by throwing.
func (u *user) refuse(err error) {
	err = fmt.Errorf("client: %w", err)
	u.test.refuse(errors.Unwrap(err))
	rt := u.vu.Runtime()
	if lib.GetScenarioState(u.vu.Context()) == nil || u.vu.Context().Err() != nil {
		common.Throw(rt, err)
	}
	rt.Interrupt(&errext.InterruptError{Reason: err.Error()})
	_, interrupted := rt.RunString("0") // an interrupt takes effect at the next instruction
	panic(interrupted)
}

// account is one of the instance's accounts: this virtual user's own, or the i-th.
func (u *user) account(call sobek.FunctionCall) sobek.Value {
	u.ready()
	n := len(u.run.Accounts())
	i := 0
	if u.state.VUID > 0 {
		i = int((u.state.VUID - 1) % uint64(n)) // #nosec G115 -- below n, which is positive
	}
	if v := call.Argument(0); !common.IsNullish(v) {
		i = int(v.ToInteger())
		if i < 0 || i >= n {
			common.Throw(u.vu.Runtime(), fmt.Errorf("account: expected an index from 0 to %d, got %s", n-1, v))
		}
	}
	if u.objects[i] == nil {
		u.objects[i] = newAccount(u, u.run.Accounts()[i])
	}
	return u.objects[i]
}

// offers says whether the target has a test control that works for this run's accounts.
func (u *user) offers(call sobek.FunctionCall) sobek.Value {
	u.ready()
	return u.vu.Runtime().ToValue(u.run.Offers(call.Argument(0).String()))
}

// method is a method of a JavaScript object. It reads its arguments, which may throw, and
// returns the remaining work. The params are its last argument.
type method struct {
	name   string
	params int // the index of the params
	read   func(call sobek.FunctionCall) work
}

// define adds methods to an object. Each returns a promise.
func (u *user) define(object *sobek.Object, account *gateway.Account, methods []method) {
	for _, m := range methods {
		must(object.Set(m.name, func(arguments sobek.FunctionCall) sobek.Value {
			u.ready()
			p := u.readParams(m.name, arguments.Argument(m.params))
			w := m.read(arguments)
			return u.later(u.call(account, p), w)
		}))
	}
}

// user is a script's Client as seen by one virtual user, and when its calls were intended. Calls return
// promises and send off the user's JavaScript thread.
type user struct {
	vu         modules.VU
	test       *Test
	objects    map[int]*sobek.Object // accounts
	base       string                // URL of the gateway, without a trailing slash
	exchanging *semaphore.Weighted

	state *lib.State // nil before the first call
	run   *run.Run   // nil before it is prepared

	begun     bool
	iteration int64
}

// overlapping is how many async calls of one virtual user may send at the same time; the others wait.
const overlapping = 100

// sender sends with the virtual user's HTTP client.
func (u *user) sender(tags metrics.TagsAndMeta, p *params, expected statuses) *sender {
	return &sender{user: u, state: u.state, tags: tags, params: p, expected: expected}
}

// work is a call whose arguments have been read, off the JavaScript thread. Its value includes network failures.
type work func(context.Context, run.Call) (any, error)

// later does the work and returns a promise, as http.asyncRequest does.
func (u *user) later(c run.Call, w work) sobek.Value {
	p := u.promise()
	ctx := u.vu.Context()
	go func() { // the iteration waits for it: the promise is registered
		if u.exchanging.Acquire(ctx, 1) != nil {
			p.settle(nil, context.Cause(ctx))
			return
		}
		defer u.exchanging.Release(1)
		p.settle(w(ctx, c))
	}()
	return p.value
}

// log logs a failure, the first of each kind. An earlier one, or a stopped virtual user, needs no log.
func (u *user) log(ctx context.Context, x *gateway.Exchange) {
	if ctx.Err() == nil && u.run != nil {
		u.test.failed(x)
	}
}

// checked logs a success that is not the documented one.
func (u *user) checked(ctx context.Context, x *gateway.Exchange) {
	if x.Invalid != nil {
		u.log(ctx, x)
	}
}

// thrown is why a call fails: it has no response, and the script's option throw is set.
func (u *user) thrown(x *gateway.Exchange) error {
	if u.state.Options.Throw.Bool && x.Status == 0 {
		return x.Err
	}
	return nil
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
			return resolve(rt.ToValue(value))
		})
	}}
}

// call is what the calls of an iteration have in common, read on the JavaScript thread.
func (u *user) call(a *gateway.Account, p *params) run.Call {
	base := u.state.Tags.GetCurrentValues()
	expected, repeated := successes, statuses{{200, 400}, {409, 409}} // which may be refused
	c := run.Call{Account: a}
	if p != nil {
		for name, value := range p.Tags {
			base.Tags = base.Tags.With(name, fmt.Sprint(value))
		}
		if p.ResponseCallback != nil {
			expected, repeated = *p.ResponseCallback, *p.ResponseCallback
			c.Expected = expected.contain
		}
	}
	c.Origin = base.Tags
	c.Sender, c.Repeat = u.sender(base, p, expected), u.sender(base, p, repeated)
	c.Intended, c.Late = u.intended(base.Tags)
	return c
}

// intended is when the schedule intended a call, and how much of the time since then the generator was late. For the first
// call of an iteration, it is now minus the lateness of the iteration, so that what the script did before does not count.
// For later calls, it is now, because they depend on earlier ones and on pauses of the script.
func (u *user) intended(origin *metrics.TagSet) (at time.Time, late time.Duration) {
	now := time.Now()
	if u.begun && u.iteration == u.state.Iteration {
		return now, 0
	}
	u.begun, u.iteration = true, u.state.Iteration
	i, ok := u.run.Intended(u.state.VUID)
	if !ok {
		return now, 0
	}
	late = max(i.Begun.Sub(i.Ready), 0)
	u.run.Lag(late)
	u.test.emitter.lag(origin, late, i.Begun)
	return now.Add(-max(i.Begun.Sub(i.At), 0)), late
}
