package bench

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/cmd"

	_ "github.com/pixcert/pixcert/load" // the extension
	"github.com/pixcert/pixcert/load/internal/result"
)

// runK6 is k6 with the extension. It exits the process itself.
func runK6() int {
	cmd.Execute()
	return 0
}

// launchK6 runs a script of testdata.
func launchK6(t *testing.T, script string, env []string, args ...string) *process {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", script))
	require.NoError(t, err)
	env = append(env, "K6_NO_USAGE_REPORT=true", "NO_COLOR=true")
	return launch(t, "k6", env, append(append([]string{"run", "--quiet", "--no-color"}, args...), path)...)
}

// plan is the input of testdata/run.js.
type plan struct {
	Gateway  options  `json:"gateway"`
	Scenario scenario `json:"scenario"`
	Presets  []string `json:"presets,omitempty"` // nil: correct
	Mark     int64    `json:"mark,omitempty"`    // the iteration to announce
}

// options are those of the extension's Gateway.
type options map[string]any

// scenario is k6's.
type scenario map[string]any

// arrivals is a scenario with a constant rate per second, open-loop. There are enough virtual
// users for responses within 125 ms, and none is created while the run measures.
func arrivals(rate int, d time.Duration) scenario {
	users := max(rate/8, 50)
	return scenario{
		"executor": "pix-arrival-rate", "rate": rate, "timeUnit": "1s", "duration": d.String(),
		"preAllocatedVUs": users, "maxVUs": users,
	}
}

// payments is a scenario with n payments, as fast as the gateway accepts them from a few
// payers.
func payments(n int) scenario {
	return scenario{"executor": "shared-iterations", "vus": 16, "iterations": n, "maxDuration": "10m"}
}

// run is a k6 that runs a plan.
type run struct {
	*process
	report string // the file of its result
}

func start(t *testing.T, p plan) *run {
	t.Helper()
	r := &run{report: filepath.Join(t.TempDir(), "result.json")}
	text, err := json.Marshal(p)
	require.NoError(t, err)
	r.process = launchK6(t, "run.js", []string{"PLAN=" + string(text), "RESULT=" + r.report})
	return r
}

// marked waits until the run has announced its mark.
func (r *run) marked(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool { return !r.running() || strings.Contains(r.output.String(), "the mark is reached") },
		2*time.Minute, 10*time.Millisecond)
	require.True(t, r.running(), "the run ended before its mark; it printed:\n%s", &r.output)
}

// result waits for the end of the run and reads its result.
func (r *run) result(t *testing.T, timeout time.Duration) (found result.Result, status int) {
	t.Helper()
	status = r.wait(timeout)
	found, err := result.Read(r.report)
	require.NoError(t, err, "the run ended with %d and printed:\n%s", status, &r.output)
	return found, status
}
