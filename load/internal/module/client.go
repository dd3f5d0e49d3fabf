package module

import (
	"errors"
	"fmt"
	"strings"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/lib"
	"golang.org/x/sync/semaphore"

	"github.com/pixcert/pixcert/load/internal/gateway"
)

// newClient is the constructor Client. All virtual users construct the same one.
func (i *instance) newClient(call sobek.ConstructorCall) *sobek.Object {
	rt := i.vu.Runtime()
	t := i.test
	if err := t.configure(i.vu, argument(rt, call.Argument(0))); err != nil {
		common.Throw(rt, fmt.Errorf("client: %w", err))
	}
	u := &user{vu: i.vu, test: t, objects: map[int]*jsAccount{}, base: strings.TrimRight(t.config.URL.String(), "/"), exchanging: semaphore.NewWeighted(overlapping)}
	for name, f := range map[string]func(sobek.FunctionCall) sobek.Value{
		"prepare": u.prepare,
		"account": u.account,
		"offers":  u.offers,
	} {
		must(call.This.Set(name, f))
	}
	u.define(call.This, nil, u.methods())
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
	n := u.run.Accounts()
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
	return u.accountObject(i).object
}

func (u *user) accountObject(i int) *jsAccount {
	a, ok := u.objects[i]
	if !ok {
		a = newAccount(u, u.run.Account(i))
		u.objects[i] = a
	}
	return a
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
