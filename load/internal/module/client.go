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
)

// jsClient is a script's Client as seen by one virtual user.
type jsClient struct {
	vu      modules.VU
	test    *test
	object  *sobek.Object
	user    *user // nil before the first call
	objects map[int]*jsAccount
}

// newClient is the constructor Client. All virtual users construct the same one.
func (i *instance) newClient(call sobek.ConstructorCall) *sobek.Object {
	rt := i.vu.Runtime()
	t, err := i.module.test(i.vu, argument(rt, call.Argument(0)))
	if err != nil {
		common.Throw(rt, fmt.Errorf("client: %w", err))
	}
	t.join(i.vu)
	c := &jsClient{vu: i.vu, test: t, object: call.This, objects: map[int]*jsAccount{}}
	for name, f := range map[string]func(sobek.FunctionCall) sobek.Value{
		"prepare": c.prepare,
		"account": c.account,
		"offers":  c.offers,
	} {
		must(c.object.Set(name, f))
	}
	c.define(c.object, nil, c.methods())
	must(c.object.Set("run", t.runID()))
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

func (c *jsClient) prepare(sobek.FunctionCall) sobek.Value {
	c.ready()
	return sobek.Undefined()
}

// ready prepares the run, unless that is done, and this virtual user.
func (c *jsClient) ready() *user {
	if c.user != nil {
		return c.user
	}
	rt := c.vu.Runtime()
	if c.vu.State() == nil {
		common.Throw(rt, errors.New("client: expected calls only in setup, scenarios and teardown, got one in the init code"))
	}
	u, err := newUser(c.vu, c.test)
	if err == nil {
		err = c.test.prepare(u)
	}
	if err != nil {
		c.refuse(err)
	}
	c.user = u
	return u
}

// refuse ends the test: if its gateway cannot be prepared, no other call can prepare it, and
// k6 would count each iteration that throws as a success. Setup ends the test by throwing.
func (c *jsClient) refuse(err error) {
	err = fmt.Errorf("client: %w", err)
	c.test.refuse(errors.Unwrap(err))
	rt := c.vu.Runtime()
	if lib.GetScenarioState(c.vu.Context()) == nil || c.vu.Context().Err() != nil {
		common.Throw(rt, err)
	}
	rt.Interrupt(&errext.InterruptError{Reason: err.Error()})
	_, interrupted := rt.RunString("0") // an interrupt takes effect at the next instruction
	panic(interrupted)
}

// account is one of the instance's accounts: this virtual user's own, or the i-th.
func (c *jsClient) account(call sobek.FunctionCall) sobek.Value {
	u := c.ready()
	n := u.run.Accounts()
	i := 0
	if u.state.VUID > 0 {
		i = int((u.state.VUID - 1) % uint64(n))
	}
	if v := call.Argument(0); !common.IsNullish(v) {
		i = int(v.ToInteger())
		if i < 0 || i >= n {
			common.Throw(c.vu.Runtime(), fmt.Errorf("account: expected an index from 0 to %d, got %s", n-1, v))
		}
	}
	return c.accountObject(i).object
}

func (c *jsClient) accountObject(i int) *jsAccount {
	a, ok := c.objects[i]
	if !ok {
		a = newAccount(c, c.user.run.Account(i))
		c.objects[i] = a
	}
	return a
}

// offers says whether the target has a test control that works for this run's accounts.
func (c *jsClient) offers(call sobek.FunctionCall) sobek.Value {
	return c.vu.Runtime().ToValue(c.ready().run.Offers(call.Argument(0).String()))
}

// method is a method of a JavaScript object. It reads its arguments, which may throw, and
// returns the remaining work. The params are its last argument.
type method struct {
	name   string
	params int // the index of the params
	read   func(call sobek.FunctionCall) work
}

// define adds methods to an object. Each returns a promise.
func (c *jsClient) define(object *sobek.Object, account *gateway.Account, methods []method) {
	for _, m := range methods {
		must(object.Set(m.name, func(arguments sobek.FunctionCall) sobek.Value {
			u := c.ready()
			p := u.readParams(m.name, arguments.Argument(m.params))
			w := m.read(arguments)
			return u.later(u.call(account, p), w)
		}))
	}
}
