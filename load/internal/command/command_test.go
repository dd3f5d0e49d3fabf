package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/cmd/state"
	"go.k6.io/k6/v2/errext"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/report"
	"github.com/pixcert/pixcert/load/internal/result"
)

// run executes "pix" with arguments, and returns k6's exit status.
func run(t *testing.T, args ...string) (output string, status int, err error) {
	var out bytes.Buffer
	c := pix(terminal{&out, false})
	c.SilenceUsage, c.SilenceErrors = true, true
	c.SetOut(&out)
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

// instance writes the result of one of two instances and returns its directory.
func instance(t *testing.T, root string, index int, change func(*result.Result)) string {
	r := result.Result{
		Schema: result.Schema, Run: "00000000002a", Instance: index, Instances: 2,
		Started: time.Date(2026, 3, 14, 9, 30, 0, 0, time.UTC), Ended: time.Date(2026, 3, 14, 9, 31, 0, 0, time.UTC),
		Measurements: measure.Measurements{Figures: measure.Figures{Operations: map[string]measure.Operation{"cash-out": {Count: 1}}}},
		Target:       "http://127.0.0.1:8080", Validity: result.Validity{Valid: true},
		Ledger: ledger.Book{Run: 42, Instances: []uint16{uint16(index)}, Parts: []ledger.Part{{Instance: uint16(index)}}},
	}
	if change != nil {
		change(&r)
	}
	dir := filepath.Join(root, "pod-"+string(rune('0'+index)))
	require.NoError(t, os.MkdirAll(dir, 0o755))
	require.NoError(t, result.Write(filepath.Join(dir, result.FileName), r))
	return dir
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
	assert.Subset(t, names, []string{"merge", "compare", "trend", "report", "thresholds"})
}

func TestMergeOfAllInstances(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	instance(t, root, 0, nil)
	instance(t, root, 1, nil)
	merged := filepath.Join(root, "merged")
	for range 2 { // the second time the merged result lies there too
		out, status, err := run(t, "merge", root, "--report", merged)
		require.NoError(t, err)
		assert.Zero(t, status)
		assert.Contains(t, out, "PASS")
		assert.Contains(t, out, "2 of 2 instances")
		assert.Contains(t, out, "  report: "+merged)
	}
	for _, name := range []string{report.ResultFile, report.PageFile, report.JUnitFile} {
		assert.FileExists(t, filepath.Join(merged, name))
	}
	out, _, err := run(t, "report", merged)
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
			r.Thresholds = []result.Threshold{{Metric: "pix_webhooks_lost", Expression: "count==0"}}
		}, 99},
		"nothing measured": {func(r *result.Result) { r.Operations = nil }, 3},
		"interrupted":      {func(r *result.Result) { r.Interrupted = true }, 105},
		"invalid":          {func(r *result.Result) { r.Validity.Valid = false }, 3},
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
	there, gone := instance(t, root, 0, nil), filepath.Join(root, "pod-1")
	for name, args := range map[string][]string{
		"no such directory": {there, gone},
		"no such file":      {there, filepath.Join(gone, result.FileName)},
		"an empty one":      {there, t.TempDir()},
	} {
		_, status, err := run(t, append([]string{"merge"}, args...)...)
		assert.Equal(t, 2, status, name)
		assert.ErrorContains(t, err, "the result of an instance is missing", name)
		assert.ErrorContains(t, err, args[1], name)
	}
}

// compared writes three results a side and compares them as a pipeline does.
func compared(t *testing.T, change func(a, b *result.Result)) (output string, status int) {
	root := t.TempDir()
	start := time.Date(2026, 3, 14, 9, 30, 0, 0, time.UTC)
	for n := range 3 {
		var both [2]result.Result
		for i := range both {
			m := measure.New(start, 0)
			op := m.Origin(0).Operation("cash-out")
			for k := range 800 {
				at := start.Add(time.Duration(k) * 25 * time.Millisecond)
				took := 10*time.Millisecond + time.Duration((k*7919+i+n)%100)*time.Millisecond/20
				op.Start(at, at)
				op.Record(measure.Latency{Took: took}, measure.Latency{Took: took}, 202, false, at)
			}
			both[i] = result.Result{Schema: result.Schema, Run: "00000000002a", Instances: 1, Iterations: 800, Validity: result.Validity{Valid: true}, Measurements: m.Measurements(start.Add(20 * time.Second))}
		}
		change(&both[0], &both[1])
		for i, side := range []string{"a", "b"} {
			require.NoError(t, os.MkdirAll(filepath.Join(root, side, fmt.Sprint(n)), 0o755))
			require.NoError(t, result.Write(filepath.Join(root, side, fmt.Sprint(n), "result.json"), both[i]))
		}
	}
	a, b, page := filepath.Join(root, "a"), filepath.Join(root, "b"), filepath.Join(root, "page.html")
	_, lenient, err := run(t, "compare", a, b)
	assert.NoError(t, err)
	assert.Zero(t, lenient)
	output, status, _ = run(t, "compare", a, b, "--html", page, "--fail-on-regression")
	assert.Contains(t, output, page)
	assert.FileExists(t, page)
	return output, status
}

func TestAPipelineNoticesWhatACompareFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(a, b *result.Result)
		says   string
		status int
	}{
		"the same":             {func(_, _ *result.Result) {}, "NO WORSE", 0},
		"worse":                {func(_, b *result.Result) { b.Ledger.Counts.WebhooksLost = 1 }, "WORSE", 99},
		"better":               {func(a, _ *result.Result) { a.Ledger.Counts.WebhooksLost = 1 }, "NO WORSE", 0},
		"not valid":            {func(_, b *result.Result) { b.Validity.Valid = false }, "CANNOT TELL", 3},
		"of other things":      {func(_, b *result.Result) { b.Script = "token.js" }, "CANNOT TELL", 3},
		"nothing measured":     {func(_, b *result.Result) { b.Measurements = measure.Measurements{} }, "CANNOT TELL", 3},
		"not valid, and worse": {func(_, b *result.Result) { b.Validity.Valid, b.Ledger.Counts.WebhooksLost = false, 1 }, "WORSE", 99},
	} {
		output, status := compared(t, c.change)
		assert.True(t, strings.HasPrefix(output, c.says), "%s: %s", name, output)
		assert.Equal(t, c.status, status, name)
	}
	_, status, err := run(t, "compare", t.TempDir(), t.TempDir(), "--fail-on-regression")
	assert.Error(t, err)
	assert.NotZero(t, status)
}

func TestThresholds(t *testing.T) {
	t.Parallel()
	out, _, err := run(t, "thresholds", "correct")
	require.NoError(t, err)
	assert.Contains(t, out, "pix_webhooks_lost: count==0")
}

func TestATrendShowsTheRunsInOrder(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for i, took := range []time.Duration{30 * time.Millisecond, 10 * time.Millisecond} {
		start := time.Date(2026, 3, 14-i, 9, 30, 0, 0, time.UTC)
		m := measure.New(start, 0)
		for range 300 {
			m.Origin(0).Operation("cash-out").Record(measure.Latency{Took: took}, measure.Latency{Took: took}, 202, false, start)
		}
		dir := filepath.Join(root, fmt.Sprint(i))
		require.NoError(t, os.Mkdir(dir, 0o755))
		require.NoError(t, result.Write(filepath.Join(dir, "result.json"), result.Result{
			Schema: result.Schema, Run: "00000000002a", Instances: 1, Started: start, Validity: result.Validity{Valid: true}, Measurements: m.Measurements(start),
		}))
	}
	output, _, err := run(t, "trend", root)
	require.NoError(t, err)
	assert.Regexp(t, `started +outcome +cash-out p50 +cash-out p99 +cash-out failed +webhook from acceptance p99`, output)
	assert.Regexp(t, `(?s)2026-03-13 09:30 +pass +10 ms +10 ms +0% +–.*2026-03-14 09:30 +pass +30 ms +30 ms +0% +–`, output)
	output, _, err = run(t, "trend", root, "--figure", "webhooks_lost")
	require.NoError(t, err)
	assert.NotContains(t, output, "cash-out")
	_, _, err = run(t, "trend", root, "--figure", "cashout p99")
	assert.ErrorContains(t, err, `expected one of the figures cash-out p50, cash-out p99`)
}
