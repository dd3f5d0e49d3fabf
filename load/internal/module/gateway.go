package module

import (
	"errors"
	"fmt"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/lib"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/run"
)

// jsGateway is a script's Gateway as seen by one virtual user.
type jsGateway struct {
	vu      modules.VU
	test    *test
	object  *sobek.Object
	user    *user // nil before the first call
	objects map[int]*jsAccount
}

// newGateway is the constructor Gateway. All virtual users construct the same one.
func (i *instance) newGateway(call sobek.ConstructorCall) *sobek.Object {
	rt := i.vu.Runtime()
	t, err := i.module.test(i.vu, argument(rt, call.Argument(0)))
	if err != nil {
		common.Throw(rt, fmt.Errorf("gateway: %w", err))
	}
	t.join(i.vu)
	g := &jsGateway{vu: i.vu, test: t, object: call.This, objects: map[int]*jsAccount{}}
	for name, f := range map[string]func(sobek.FunctionCall) sobek.Value{
		"prepare": g.prepare,
		"account": g.account,
		"audit":   g.audit,
		"offers":  g.offers,
	} {
		must(g.object.Set(name, f))
	}
	g.define(g.object, nil, g.charging())
	must(g.object.Set("run", t.runID()))
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

func (g *jsGateway) prepare(sobek.FunctionCall) sobek.Value {
	g.ready()
	return sobek.Undefined()
}

// ready prepares the run, unless that is done, and this virtual user.
func (g *jsGateway) ready() *user {
	if g.user != nil {
		return g.user
	}
	rt := g.vu.Runtime()
	if g.vu.State() == nil {
		common.Throw(rt, errors.New("gateway: expected calls only in setup, scenarios and teardown, got one in the init code"))
	}
	u, err := newUser(g.vu, g.test)
	if err == nil {
		err = g.test.prepare(u)
	}
	if err != nil {
		g.refuse(err)
	}
	g.user = u
	return u
}

// refuse ends the test: if its gateway cannot be prepared, no other call can prepare it, and
// k6 would count each iteration that throws as a success. Setup ends the test by throwing.
func (g *jsGateway) refuse(err error) {
	err = fmt.Errorf("gateway: %w", err)
	g.test.refuse(errors.Unwrap(err))
	rt := g.vu.Runtime()
	if lib.GetScenarioState(g.vu.Context()) == nil || g.vu.Context().Err() != nil {
		common.Throw(rt, err)
	}
	rt.Interrupt(&errext.InterruptError{Reason: err.Error()})
	_, interrupted := rt.RunString("0") // an interrupt takes effect at the next instruction
	panic(interrupted)
}

// account is one of the instance's accounts: this virtual user's own, or the i-th.
func (g *jsGateway) account(call sobek.FunctionCall) sobek.Value {
	u := g.ready()
	n := u.run.Accounts()
	i := 0
	if u.state.VUID > 0 {
		i = int((u.state.VUID - 1) % uint64(n))
	}
	if v := call.Argument(0); !common.IsNullish(v) {
		i = int(v.ToInteger())
		if i < 0 || i >= n {
			common.Throw(g.vu.Runtime(), fmt.Errorf("account: expected an index from 0 to %d, got %s", n-1, v))
		}
	}
	return g.accountObject(i).object
}

func (g *jsGateway) accountObject(i int) *jsAccount {
	a, ok := g.objects[i]
	if !ok {
		a = newAccount(g, g.user.run.Account(i))
		g.objects[i] = a
	}
	return a
}

// offers says whether the target has a test control that works for this run's accounts.
func (g *jsGateway) offers(call sobek.FunctionCall) sobek.Value {
	return g.vu.Runtime().ToValue(g.ready().run.Offers(call.Argument(0).String()))
}

// audit compares the balances with the ledger, now.
func (g *jsGateway) audit(sobek.FunctionCall) sobek.Value {
	u := g.ready()
	audits := make([]audit, 0, u.run.Accounts())
	for i := range u.run.Accounts() {
		m, err := u.run.Check(g.vu.Context(), u.network().Sender, u.run.Account(i))
		if err != nil {
			common.Throw(g.vu.Runtime(), fmt.Errorf("audit: %w", err))
		}
		audits = append(audits, newAudit(m))
	}
	return g.vu.Runtime().ToValue(audits)
}

// method is a method of a JavaScript object. It reads its arguments, which may throw, and
// returns the remaining work. The params are its last argument.
type method struct {
	name   string
	params int // the index of the params
	read   func(call sobek.FunctionCall, later bool) work
}

// define adds methods to an object, and to its object async, where they return promises.
func (g *jsGateway) define(object *sobek.Object, account *gateway.Account, methods []method) {
	async := g.vu.Runtime().NewObject()
	must(object.Set("async", async))
	for _, m := range methods {
		call := func(arguments sobek.FunctionCall, later bool) (*user, run.Call, work) {
			u := g.ready()
			p := u.readParams(m.name, arguments.Argument(m.params))
			w := m.read(arguments, later)
			return u, u.call(account, p), w
		}
		must(object.Set(m.name, func(arguments sobek.FunctionCall) sobek.Value {
			u, c, w := call(arguments, false)
			return u.now(c, w)
		}))
		must(async.Set(m.name, func(arguments sobek.FunctionCall) sobek.Value {
			u, c, w := call(arguments, true)
			return u.later(c, w)
		}))
	}
}
