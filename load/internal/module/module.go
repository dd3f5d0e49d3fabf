// Package module implements k6/x/pix: it connects a run to k6's virtual users, metrics and
// events.
package module

import (
	"errors"
	"fmt"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"

	"github.com/pixcert/pixcert/load/internal/executor"
	"github.com/pixcert/pixcert/load/internal/preset"
)

// NewModuleInstance creates the module's instance for one virtual user.
func (t *Test) NewModuleInstance(vu modules.VU) modules.Instance {
	if err := t.load(vu.InitEnv(), vu.Events()); err != nil {
		common.Throw(vu.Runtime(), err)
	}
	return &instance{test: t, vu: vu}
}

// load registers the metrics when the first script imports the module, so that thresholds can refer to them.
func (t *Test) load(init *common.InitEnvironment, events common.Events) (err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.init != nil || init == nil {
		return nil
	}
	if t.emitter.pixMetrics, err = newMetrics(init.Registry); err != nil {
		return fmt.Errorf("k6/x/pix: %w", err)
	}
	t.init = init
	t.failures.told = map[kind]bool{}
	t.follow(events)
	return nil
}

// Observer is the executors' view of the run, which must be prepared.
func (t *Test) Observer() (executor.Observer, error) {
	t.mu.Lock()
	r := t.run
	t.mu.Unlock()
	if r == nil || !r.Prepared() {
		return nil, errors.New("expected a client that is prepared before the scenario begins: call client.prepare() in setup")
	}
	r.Watch()
	return r, nil
}

type instance struct {
	test *Test
	vu   modules.VU
}

// Exports are the names that JavaScript can import.
func (i *instance) Exports() modules.Exports {
	return modules.Exports{Named: map[string]any{
		"Client":           i.newClient,
		"expectedStatuses": i.expectedStatuses,
		"thresholds":       i.thresholds,
		"summary":          i.summary,
		"result":           i.result,
	}}
}

// thresholds are the thresholds of presets, for options.thresholds. The sources of their
// limits are logged once.
func (i *instance) thresholds(call sobek.FunctionCall) sobek.Value {
	rt := i.vu.Runtime()
	names := make([]string, 0, len(call.Arguments))
	for _, v := range call.Arguments {
		names = append(names, v.String())
	}
	limits, sources, err := preset.Thresholds(names...)
	if err != nil {
		common.Throw(rt, fmt.Errorf("thresholds: %w", err))
	}
	i.test.cite(sources)
	object := rt.NewObject() // to which scripts can add limits with abortOnFail
	for metric, expressions := range limits {
		must(object.Set(metric, expressions))
	}
	return object
}
