package module

import (
	"context"
	"fmt"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"
	"golang.org/x/sync/semaphore"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/run"
)

// user is a script's Client as seen by one virtual user, and when its calls were intended. Calls return
// promises and send off the user's JavaScript thread.
//
// Many methods: one for each call of the API that a script makes, and the few that all of them share.
type user struct {
	vu         modules.VU
	test       *Test
	objects    map[int]*jsAccount
	base       string // URL of the gateway, without a trailing slash
	exchanging *semaphore.Weighted

	state *lib.State // nil before the first call
	run   *run.Run   // nil before it is prepared

	begun     bool
	iteration int64
}

// overlapping is how many async calls of one virtual user may send at the same time; the
// others wait.
const overlapping = 100

// sender sends with the virtual user's HTTP client.
func (u *user) sender(tags metrics.TagsAndMeta, p *params, expected statuses) *sender {
	return &sender{user: u, state: u.state, tags: tags, params: p, expected: expected}
}

// work is a call whose arguments have been read: it runs off the JavaScript thread.
// Its value includes network failures.
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
		p.settle(u.thrown(w(ctx, c)))
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

// thrown makes a call fail without a response if the script's option throw says so.
func (u *user) thrown(value any, err error) (any, error) {
	if r, ok := value.(replied); ok && err == nil && u.state.Options.Throw.Bool && r.exchange().Status == 0 {
		return nil, r.exchange().Err
	}
	return value, err
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

// intended is when the schedule intended a call, and how much of the time since then the
// generator was late. For the first call of an iteration, it is now minus the lateness of the
// iteration, so that what the script did before the call does not count. For later calls, it
// is now, because they depend on earlier ones and on pauses of the script.
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
