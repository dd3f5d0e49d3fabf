package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/cmd/state"
	"go.k6.io/k6/v2/errext"

	"github.com/pixcert/pixcert/load/internal/result"
)

// run executes "pix" with arguments, and returns k6's exit status.
func run(t *testing.T, args ...string) (output string, status int, err error) {
	var out bytes.Buffer
	c := pix(terminal{&out, false})
	c.SilenceUsage, c.SilenceErrors = true, true
	c.SetOut(&out)
	c.SetErr(&out)
	c.SetArgs(args)
	err = c.Execute()
	var coded errext.HasExitCode
	switch {
	case errors.As(err, &coded):
		status = int(coded.ExitCode())
	case err != nil:
		status = -1
	}
	return out.String(), status, err
}

// instance writes the result of one of two instances and returns its file.
func instance(t *testing.T, root string, index int, change func(*result.Result)) string {
	r := result.Result{
		Schema: result.Schema, Run: "00000000002a", Instances: 2, Target: "http://127.0.0.1:8080",
		Part: result.Part{
			Instance: index, Generator: result.Generator{Requests: result.Latencies{Count: 1}},
			Started: time.Date(2026, 3, 14, 9, 30, 0, 0, time.UTC), Ended: time.Date(2026, 3, 14, 9, 31, 0, 0, time.UTC),
		},
	}
	if change != nil {
		change(&r)
	}
	r.Reasons = append(r.Reasons, r.Late()...)
	r.Judge()
	file := filepath.Join(root, fmt.Sprintf("pod-%d.json", index))
	text, err := result.Encode(r)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o600))
	return file
}

func TestNewFitsK6(t *testing.T) {
	t.Parallel()
	c := New(state.NewGlobalState(context.Background()))
	assert.Equal(t, "pix", c.Name(), "k6 wants the name that it was registered under")
	var names []string
	for _, sub := range c.Commands() {
		names = append(names, sub.Name())
		assert.NotEmpty(t, sub.Short)
	}
	assert.Subset(t, names, []string{"merge", "report", "benchfmt", "thresholds"})
}

func TestMergeOfAllInstances(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	merged := filepath.Join(root, "merged.json")
	out, status, err := run(t, "merge", instance(t, root, 0, nil), instance(t, root, 1, nil), "--result", merged)
	require.NoError(t, err)
	assert.Zero(t, status)
	assert.Contains(t, out, "PASS")
	assert.Contains(t, out, "2 of 2 instances")
	out, _, err = run(t, "report", merged)
	require.NoError(t, err)
	assert.Contains(t, out, "2 of 2 instances")
}

func TestOutcomeIsTheExitStatus(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*result.Result)
		status int
	}{
		"pass": {nil, 0},
		"fail": {func(r *result.Result) { r.Thresholds = []result.Threshold{{Metric: "checks", Expression: "rate>0.9"}} }, 99},
		"wrong": {func(r *result.Result) {
			r.Thresholds = []result.Threshold{{Metric: "pix_webhooks{outcome:lost}", Expression: "count==0"}}
		}, 99},
		"nothing measured": {func(r *result.Result) { r.Generator.Requests.Count = 0 }, 99},
		"interrupted":      {func(r *result.Result) { r.Interrupted = true }, 105},
		"invalid":          {func(r *result.Result) { r.Reasons = []result.Reason{{Figure: result.Hiccup}} }, 99},
	} {
		out, status, err := run(t, "report", instance(t, t.TempDir(), 0, c.change))
		assert.Equal(t, c.status, status, "%s: %v", name, err)
		assert.Contains(t, out, "run      00000000002a", name)
	}
	_, status, err := run(t, "merge", instance(t, t.TempDir(), 1, nil))
	assert.Equal(t, 2, status, err)
	assert.ErrorContains(t, err, `the outcome of run 00000000002a is "incomplete"`)
}

func TestMisuse(t *testing.T) {
	t.Parallel()
	empty := t.TempDir()
	for want, args := range map[string][]string{
		"requires at least 1 arg": {"merge"},
		"no such file":            {"report", filepath.Join(empty, "nothing.json")},
		"nonsense":                {"thresholds", "nonsense"},
	} {
		_, status, err := run(t, args...)
		assert.ErrorContains(t, err, want)
		assert.NotZero(t, status)
	}
}

func TestAMissingResultIsNoMisuse(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	there, gone := instance(t, root, 0, nil), filepath.Join(root, "pod-1.json")
	_, status, err := run(t, "merge", there, gone)
	assert.Equal(t, 2, status)
	assert.ErrorContains(t, err, "the result of an instance is missing")
	assert.ErrorContains(t, err, gone)
}

func TestThresholds(t *testing.T) {
	t.Parallel()
	out, _, err := run(t, "thresholds", "correct")
	require.NoError(t, err)
	assert.Contains(t, out, "pix_webhooks{outcome:lost}: count==0")
}

func TestBenchstatReadsResults(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	sound := instance(t, root, 0, func(r *result.Result) {
		r.Instances, r.Script, r.Profile, r.Environment.K6 = 1, "cash-out.js", "smoke", "v2.2.0"
		r.Metrics = map[string]result.Metric{
			"pix_req_intended_duration{operation:qr-cash-out}": {Type: "trend", Time: true, Values: map[string]float64{"count": 495, "med": 253, "p(90)": 451, "p(99)": 496, "p(99.9)": 500, "max": 500}},
			"pix_req_failed": {Type: "rate", Values: map[string]float64{"rate": 0.01}},
		}
		r.Ledger.Counts.WebhooksLost = 3
	})
	invalid := instance(t, root, 1, func(r *result.Result) { r.Reasons = []result.Reason{{Figure: result.Hiccup}} })
	output, _, err := run(t, "benchfmt", sound, invalid)
	require.NoError(t, err)
	assert.Contains(t, output, "pod-1.json is left out: the run is invalid")
	assert.Contains(t, output, "script: cash-out.js\nprofile: smoke\nk6: v2.2.0\n\nBenchmarkQrCashOut ")

	// The grammar: a name that begins with Benchmark and no lower-case letter after it, the number of
	// iterations, and pairs of a value and a unit without blanks.
	values := map[string]float64{}
	for line := range strings.Lines(output) {
		if !strings.HasPrefix(line, "Benchmark") {
			continue
		}
		fields := strings.Fields(line)
		assert.Regexp(t, `^Benchmark[A-Z][A-Za-z]*$`, fields[0])
		assert.Regexp(t, `^[1-9]\d*$`, fields[1])
		require.Zero(t, len(fields)%2, line)
		for i := 2; i < len(fields); i += 2 {
			value, err := strconv.ParseFloat(fields[i], 64)
			require.NoError(t, err, line)
			values[fields[0]+" "+fields[i+1]] = value
		}
	}
	assert.InEpsilon(t, 250e6, values["BenchmarkQrCashOut p50-ns"], 0.02)
	assert.InEpsilon(t, 495e6, values["BenchmarkQrCashOut p99-ns"], 0.02)
	assert.NotContains(t, values, "BenchmarkQrCashOut p999-ns", "of too few values")
	assert.InDelta(t, 0.01, values["BenchmarkRun failed-ratio"], 1e-9)
	assert.InDelta(t, 3, values["BenchmarkRun lost-webhooks"], 0)

	_, _, err = run(t, "benchfmt", invalid)
	assert.ErrorContains(t, err, "expected at least one result of a valid run")
}
