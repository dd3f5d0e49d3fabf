// Package module implements k6/x/pix: it connects a run to k6's virtual users, metrics and
// events.
package module

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"

	"github.com/pixcert/pixcert/load/internal/executor"
	"github.com/pixcert/pixcert/load/internal/preset"
	"github.com/pixcert/pixcert/load/internal/run"
)

// Module is shared by all virtual users of this process.
type Module struct {
	mu      sync.Mutex
	current *test // nil: no script is loaded yet
}

// New creates the module, once per process.
func New() *Module { return &Module{} }

// NewModuleInstance creates the module's instance for one virtual user.
func (m *Module) NewModuleInstance(vu modules.VU) modules.Instance {
	if err := m.load(vu); err != nil {
		common.Throw(vu.Runtime(), err)
	}
	return &instance{module: m, vu: vu}
}

// load creates the process's test when the first script imports the module, and registers
// the metrics, so that thresholds can refer to them.
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
		unjudged: vu.InitEnv().RuntimeOptions.NoThresholds.Bool,
		variable: func(name string) string { return cmp.Or(env[name], os.Getenv(name)) },
	}
	m.current.failures.told = map[kind]bool{}
	m.current.follow(vu.Events())
	return nil
}

// Observer is the executors' view of the run, which must be prepared.
func (m *Module) Observer() (executor.Observer, error) {
	r := m.running()
	if r == nil || !r.Prepared() {
		return nil, errors.New("expected a client that is prepared before the scenario begins: call client.prepare() in setup")
	}
	r.Watch()
	return r, nil
}

// running is the run, or nil if there is none yet.
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
	i.module.current.cite(sources)
	object := rt.NewObject() // to which scripts can add limits with abortOnFail
	for metric, expressions := range limits {
		must(object.Set(metric, expressions))
	}
	return object
}
