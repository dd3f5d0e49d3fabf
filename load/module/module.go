// Package module is k6/x/pix: it binds a run to k6's virtual users, its metrics and its
// events.
package module

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"

	"github.com/pixcert/pixcert/load/executor"
	"github.com/pixcert/pixcert/load/preset"
	"github.com/pixcert/pixcert/load/run"
)

// Module is what all virtual users of this process share.
type Module struct {
	mu      sync.Mutex
	current *test // nil: no script was loaded yet
}

// New makes the module, once per process.
func New() *Module { return &Module{} }

// NewModuleInstance binds the module to one virtual user.
func (m *Module) NewModuleInstance(vu modules.VU) modules.Instance {
	if err := m.load(vu); err != nil {
		common.Throw(vu.Runtime(), err)
	}
	return &instance{module: m, vu: vu}
}

// load makes the process's test when the first script imports the module. Metrics are
// registered then, so that thresholds may name them.
func (m *Module) load(vu modules.VU) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.current != nil || vu.InitEnv() == nil {
		return nil
	}
	registry := vu.InitEnv().Registry
	metrics, err := newMetrics(registry)
	if err != nil {
		return fmt.Errorf("k6/x/pix: %w", err)
	}
	env := vu.InitEnv().RuntimeOptions.Env
	m.current = &test{
		registry: registry, metrics: metrics, logger: vu.InitEnv().Logger,
		variable: func(name string) string { return first(env[name], os.Getenv(name)) },
	}
	m.current.follow(vu.Events())
	return nil
}

// Observer is what the executors know of the run, which has to be ready by then.
func (m *Module) Observer() (executor.Observer, error) {
	r := m.running()
	if r == nil || !r.Prepared() {
		return nil, errors.New("expected a gateway that is ready before the scenario begins: call gateway.prepare() in setup")
	}
	return r.Observer(), nil
}

// running is the run, once there is one.
func (m *Module) running() *run.Run {
	m.mu.Lock()
	t := m.current
	m.mu.Unlock()
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.run
}

type instance struct {
	module *Module
	vu     modules.VU
}

// Exports are the module's names in JavaScript.
func (i *instance) Exports() modules.Exports {
	return modules.Exports{Named: map[string]any{
		"Gateway":       i.newGateway,
		"thresholds":    i.thresholds,
		"handleSummary": i.handleSummary,
	}}
}

// thresholds are those of named presets, as options.thresholds takes them. Where their
// figures come from is told once.
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
	i.module.current.cite(sources)
	return rt.ToValue(limits)
}
