// Package module implements k6/x/pix: it connects a run to k6's virtual users, metrics and
// events.
package module

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"sync"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/lib"

	"github.com/pixcert/pixcert/load/internal/executor"
	"github.com/pixcert/pixcert/load/internal/preset"
	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/run"
)

// Test is the one test that k6 runs in this process, shared by all of its virtual users: the run of its scripts'
// Client, and the metrics that are pushed to k6.
type Test struct {
	options *options
	given   []byte                  // the options in the script
	config  run.Config              // for a single instance
	init    *common.InitEnvironment // nil: no script is loaded yet

	mu        sync.Mutex
	run       *run.Run            // nil: no call yet
	state     *lib.State          // of the virtual user that prepared the run
	execution *lib.ExecutionState // nil: outside of a test
	emitter   emitter
	prepared  bool
	result    *result.Result
	ended     bool // its scenarios and teardown
	shown     bool // the script's handleSummary has shown the verdict
	sources   []preset.Source
	vus       []modules.VU // with a client
	refused   error        // why the run could not be prepared

	failures struct {
		sync.Mutex
		told map[kind]bool // those that were logged
	}
}

// New is the test of this process.
func New() *Test { return &Test{} }

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

// thresholds are those of presets, for options.thresholds.
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
	i.test.mu.Lock()
	defer i.test.mu.Unlock()
	for _, s := range sources {
		if !slices.Contains(i.test.sources, s) {
			i.test.sources = append(i.test.sources, s)
		}
	}
	object := rt.NewObject() // to which scripts can add limits with abortOnFail
	for metric, expressions := range limits {
		must(object.Set(metric, expressions))
	}
	return object
}

// configure sets the test's options, which the first Client has. A script has only one, because a result covers one.
func (t *Test) configure(vu modules.VU, given []byte) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.vus = append(t.vus, vu)
	if t.given != nil {
		if !bytes.Equal(t.given, given) {
			return fmt.Errorf("%s: expected the same value as in this test's first new Client, got another: a test has one client, with the same options in all virtual users", different(t.given, given))
		}
		return nil
	}
	if vu.InitEnv() == nil {
		return errors.New("expected new Client in the script's init code, outside of its functions, got it later")
	}
	o, err := parseOptions(given)
	if err != nil {
		return err
	}
	const id = "PIX_RUN" // scripts read the other variables
	o.Run = cmp.Or(o.Run, t.init.RuntimeOptions.Env[id], os.Getenv(id))
	if t.config, err = o.config(); err != nil {
		return err
	}
	t.config.Script = scriptOf(vu.Runtime())
	t.options, t.given = &o, given
	return nil
}

// different is the first option in which two objects differ. Their values may be secret.
func different(one, other []byte) string {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(one, &a) != nil || json.Unmarshal(other, &b) != nil {
		return "options"
	}
	names := maps.Clone(a)
	maps.Copy(names, b)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !bytes.Equal(a[name], b[name]) {
			return name
		}
	}
	return "order of the options"
}

// scriptOf is the script's file name.
func scriptOf(rt *sobek.Runtime) string {
	stack := rt.CaptureCallStack(0, nil)
	if len(stack) == 0 {
		return ""
	}
	return path.Base(stack[len(stack)-1].SrcName())
}

// runID is the run's id, as in results.
func (t *Test) runID() string { return run.FormatRunID(t.config.ID) }

// begin creates the run. It needs information about the test that only a virtual user has.
func (t *Test) begin(state *lib.State) (*run.Run, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.run != nil {
		return t.run, nil
	}
	c := t.config
	own := state.Options.ExecutionSegment
	var err error
	if c.Instance, c.Instances, err = position(own, state.Options.ExecutionSegmentSequence); err != nil {
		return nil, err
	}
	if own != nil {
		c.Segment = own.String()
	}
	c.Version = run.Module("go.k6.io/k6/v2").Version
	t.emitter.open(t.init.Registry, state)
	c.Metrics = &t.emitter
	c.Say = func(what string) { t.init.Logger.Info(what + "; press Ctrl+C to skip the rest") }
	t.run, err = run.New(c)
	return t.run, err
}

// prepare prepares the run, once, and starts sending counts every second.
func (t *Test) prepare(u *user, r *run.Run) error {
	if err := r.Prepare(u.vu.Context(), u.network()); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.prepared && t.result == nil {
		t.prepared, t.state, t.execution = true, u.state, lib.GetExecutionState(u.vu.Context())
		t.emitter.begin(t.run)
	}
	return nil
}

// refuse keeps the first reason why the run could not be prepared.
func (t *Test) refuse(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.refused = cmp.Or(t.refused, err)
}

func (u *user) network() run.Network {
	measured := u.sender(u.state.Tags.GetCurrentValues(), nil, successes)
	unmeasured, state := *measured, *u.state // which the virtual user changes meanwhile
	unmeasured.state, unmeasured.unmeasured = &state, true
	return run.Network{Sender: measured, Unmeasured: &unmeasured}
}
