package executor

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/cmd"
	"go.k6.io/k6/v2/js/modules"

	"github.com/pixcert/pixcert/load/internal/result"
)

// asK6 makes the test binary be k6, with the executor and the module that observes.
const asK6 = "PIXCERT_AS_K6"

func TestMain(m *testing.M) {
	if os.Getenv(asK6) == "" {
		os.Exit(m.Run())
	}
	eyes := &eyes{due: map[uint64]time.Time{}}
	go eyes.blink() // until the process ends
	Register(func() (Observer, error) { return eyes, nil })
	modules.Register("k6/x/eyes", eyes)
	cmd.Execute()
}

// eyes observes what a script tells it of its requests.
type eyes struct {
	mu        sync.Mutex
	due       map[uint64]time.Time
	latencies []time.Duration
	lags      []time.Duration
	slots     []int64 // numbers of iterations among all instances
	late      time.Duration
}

// blink watches how late timers fire on this machine.
func (e *eyes) blink() {
	const beat = 10 * time.Millisecond
	for due := time.Now().Add(beat); ; due = time.Now().Add(beat) {
		time.Sleep(time.Until(due))
		e.mu.Lock()
		e.late = max(e.late, time.Since(due))
		e.mu.Unlock()
	}
}

func (e *eyes) Intend(vu uint64, at, ready time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.due[vu] = at
	e.lags = append(e.lags, time.Since(ready))
}

// write keeps a value for the test that started this k6.
func write(file string, value any) {
	data, err := json.Marshal(value)
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err != nil {
		panic(err)
	}
}

// seen is what became of a scenario of pix-arrival-rate.
type seen struct {
	result.Arrivals
	Latencies, Lags []time.Duration // sorted
	Slots           []int64
}

func (e *eyes) Arrived(a result.Arrivals) {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := seen{Arrivals: a, Latencies: e.latencies, Lags: e.lags, Slots: e.slots}
	slices.Sort(all.Latencies)
	slices.Sort(all.Lags)
	write("arrivals.json", all)
	write("late.json", e.late)
}

func (e *eyes) Threw() {}

func (e *eyes) NewModuleInstance(vu modules.VU) modules.Instance { return &sight{e, vu} }

type sight struct {
	eyes *eyes
	vu   modules.VU
}

func (s *sight) Exports() modules.Exports {
	return modules.Exports{Named: map[string]any{"saw": s.saw}}
}

// saw is called by a script when its request has ended.
func (s *sight) saw(slot int64) {
	s.eyes.mu.Lock()
	defer s.eyes.mu.Unlock()
	s.eyes.slots = append(s.eyes.slots, slot)
	s.eyes.latencies = append(s.eyes.latencies, time.Since(s.eyes.due[s.vu.State().VUID]))
}

// outcome is what a run of k6 left.
type outcome struct {
	status int
	text   string // both outputs
	seen   *seen
	// Counts of k6's own summary.
	iterations, dropped int64
	// How late a timer fired at most: what the machine adds to anything.
	late time.Duration
}

// requireAll requires that all arrivals were offered; of some that were not, that the machine
// stood still.
func (o outcome) requireAll(t *testing.T, arrivals int64) {
	t.Helper()
	require.Equal(t, 0, o.status, o.text)
	require.NotNil(t, o.seen, o.text)
	require.Equal(t, arrivals, o.iterations+o.dropped, o.text)
	require.Equal(t, arrivals, o.seen.Due)
	require.Equal(t, o.dropped, o.seen.Dropped)
	if o.dropped > 0 {
		require.Greater(t, o.late, 200*time.Millisecond, "%d arrivals never started: %s", o.dropped, o.text)
	}
}

// requirePunctual requires that iterations began when they could, but for the machine.
func (o outcome) requirePunctual(t *testing.T) {
	t.Helper()
	require.Less(t, at(o.seen.Lags, 0.99), 100*time.Millisecond+2*o.late)
}

const script = `
import http from "k6/http";
import { saw } from "k6/x/eyes";
import { test, scenario } from "k6/execution";
import { abortAt } from "./abort.js";
const given = JSON.parse(__ENV.SCENARIO);
export const options = { scenarios: { pay: given } };
export default function () {
  if (scenario.iterationInTest === abortAt) test.abort("enough");
  http.get(__ENV.TARGET + __ENV.PATHNAME);
  saw(scenario.iterationInTest);
}
export function handleSummary(data) {
  const count = (name) => data.metrics[name] ? data.metrics[name].values.count : 0;
  return { "counts.json": JSON.stringify({ iterations: count("iterations"), dropped: count("dropped_iterations") }) };
}
`

// k6 is a run that can be interrupted.
type k6 struct {
	*exec.Cmd
	t      *testing.T
	folder string
	text   *strings.Builder
}

// start runs the script with a scenario that differs from the script's in some fields.
func start(t *testing.T, target, scenario, abortAt string, args ...string) *k6 {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "script.js"), []byte(script), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "abort.js"), []byte("export const abortAt = "+abortAt), 0o600))
	r := &k6{t: t, folder: folder, text: &strings.Builder{}}
	r.Cmd = exec.CommandContext(t.Context(), os.Args[0], append([]string{"run", "--no-usage-report", "--no-color", "-q"}, append(args, "script.js")...)...)
	r.Dir = folder
	r.Env = append(os.Environ(), asK6+"=1", "TARGET="+target, "SCENARIO="+scenario)
	r.Stdout, r.Stderr = r.text, r.text
	require.NoError(t, r.Start())
	return r
}

func (r *k6) end() outcome {
	r.t.Helper()
	_ = r.Wait()
	o := outcome{status: r.ProcessState.ExitCode(), text: r.text.String()}
	if data, err := os.ReadFile(filepath.Join(r.folder, "arrivals.json")); err == nil {
		o.seen = &seen{}
		require.NoError(r.t, json.Unmarshal(data, o.seen))
	}
	if data, err := os.ReadFile(filepath.Join(r.folder, "late.json")); err == nil {
		require.NoError(r.t, json.Unmarshal(data, &o.late))
	}
	if data, err := os.ReadFile(filepath.Join(r.folder, "counts.json")); err == nil {
		var counts struct{ Iterations, Dropped int64 }
		require.NoError(r.t, json.Unmarshal(data, &counts))
		o.iterations, o.dropped = counts.Iterations, counts.Dropped
	}
	return o
}

// quick responds at once.
var quick = http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})

// serve starts a target on loopback.
func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	env := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/pay" {
			t.Errorf("expected the path of the scenario's env, got %s", r.URL.Path)
		}
		handler.ServeHTTP(w, r)
	})
	server := &http.Server{Handler: env, ReadHeaderTimeout: time.Minute}
	done := make(chan struct{})
	go func() { defer close(done); _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close(); <-done })
	return "http://" + listener.Addr().String()
}
