package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/history"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Each run adds a line to the history; the report and compare show the trend.
func TestHistory(t *testing.T) {
	t.Parallel()
	dir, runs := t.TempDir(), filepath.Join(t.TempDir(), "runs")
	certify := func(gateway ...string) (page string) {
		args := append([]string{"certify", "--rule", "cash-out.accepted", "--quiet", "--report", dir, "--history", runs}, gateway...)
		_, _, stderr := invoke(t, args...)
		require.NotContains(t, stderr, "history")
		content, err := os.ReadFile(filepath.Join(dir, report.HTMLFile))
		require.NoError(t, err)
		return string(content)
	}
	require.Contains(t, certify("--reference"), "Comparing latencies takes 5 more runs.")
	file := filepath.Join(runs, history.File)
	line, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, append(line, "{\"schema\":1,\n"...), 0o600)) // a run that was killed
	status, _, stderr := invoke(t, "certify", "--rule", "cash-out.accepted", "--report", dir, "--history", runs, "--reference")
	require.Zero(t, status)
	require.Contains(t, stderr, "pixcert: warning: history.jsonl:2: skipped a damaged line")

	entries, _, err := history.Read(runs)
	require.NoError(t, err)
	require.Len(t, entries, 2)
	require.Equal(t, verdict.Conforms, entries[0].Outcome)
	require.Contains(t, entries[0].P50Ms, "cash-out")
	require.Contains(t, entries[0].Passing, "cash-out.accepted")
	require.NotEmpty(t, entries[0].Edition)

	entries[0].Failing, entries[0].Passing = entries[0].Passing, nil // as if it had failed
	first, err := json.Marshal(entries[0])
	require.NoError(t, err)
	second, err := json.Marshal(entries[1])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(string(first)+"\n"+string(second)+"\n"), 0o600))
	status, stdout, stderr := invoke(t, "compare", "--history", runs)
	require.Zero(t, status, stderr)
	require.Regexp(t, `✗✓ +cash-out\.accepted +passes since .* UTC: failed in 1 of 2 runs`, stdout)
	status, stdout, stderr = invoke(t, "compare", "--history", runs, dir, dir)
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "No scenario changed")
	require.Contains(t, stdout, "History of the bundled reference gateway: 2 runs")
	status, stdout, stderr = invoke(t, "compare", "--history", runs, "--json")
	require.Zero(t, status, stderr)
	var trend history.Trend
	require.NoError(t, json.Unmarshal([]byte(stdout), &trend))
	require.Equal(t, history.Recovered, trend.Rules[0].Change)
	require.Contains(t, certify("--reference"), "passes since")
}

// What cannot work is said before anything is sent.
func TestHistoryThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "taken")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	status, _, stderr := invoke(t, "certify", "--reference", "--history", file, "--report", t.TempDir())
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "cannot write the history in "+file)
	require.Contains(t, stderr, "choose another directory with --history")
	status, _, stderr = invoke(t, "compare", "--history", t.TempDir())
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "has no runs yet: run pixcert certify --history")
	status, _, stderr = invoke(t, "compare", "--history", t.TempDir(), "--html", "x")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "--html: a page needs reports")
}

// A run that updates an earlier report is none of its own.
func TestAHistoryHasNoContinuedRuns(t *testing.T) {
	t.Parallel()
	dir, runs := t.TempDir(), filepath.Join(t.TempDir(), "runs")
	gateway := faulty(t, "confirms a cash-out immediately")
	certify := func(flags ...string) (status int, stderr string) {
		args := append([]string{"certify", "--rule", "cash-out.accepted", "--report", dir, "--history", runs}, flags...)
		status, _, stderr = invoke(t, append(args, gateway...)...)
		return status, stderr
	}
	status, stderr := certify()
	require.Equal(t, 1, status, stderr)
	status, stderr = certify("--rerun-failed")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "omit --history or --rerun-failed")
	entries, _, err := history.Read(runs)
	require.NoError(t, err)
	require.Len(t, entries, 1)
}

// The report of a run that fails has the response of the reference next to that of the target.
func TestTheReferenceInAReport(t *testing.T) {
	t.Parallel()
	gateway, dir := faulty(t, "confirms a cash-out immediately"), t.TempDir()
	status, stdout, stderr := invoke(t, append([]string{"certify", "--rule", "cash-out.accepted", "--rule", "contract.cash-out", "--report", dir}, gateway...)...)
	require.Equal(t, 1, status, stderr)
	require.Contains(t, stdout, "Waiting for the responses of the bundled reference gateway")
	run, err := report.Read(dir)
	require.NoError(t, err)
	cause := run.Causes()[0].Scenario
	require.Contains(t, string(cause.Subject().ResponseBody), `"CONFIRMED"`)
	require.NotNil(t, cause.Reference)
	require.Contains(t, string(cause.Reference.ResponseBody), `"PENDING"`)
	require.NotEmpty(t, run.Statements[cause.Rule])
	require.NotEmpty(t, run.Latencies)
	for _, rule := range run.Rules {
		require.Equal(t, "POST /api/pix/cash-out", rule.Subject)
	}
	page, err := os.ReadFile(filepath.Join(dir, report.HTMLFile))
	require.NoError(t, err)
	require.Contains(t, string(page), "Response of the reference gateway")
}

// The user's own features may send a secret of the run to the reference, too.
func TestTheReferenceInAReportKeepsSecrets(t *testing.T) {
	t.Parallel()
	const secret = "3f9c2d71e8a04b56-of-the-controls"
	profile, stop, err := bundled(t.Context(), reference.Config{Wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body) // of a token request
			if bytes.Contains(body, []byte(secret)) {
				w.WriteHeader(http.StatusTeapot)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			next.ServeHTTP(w, r)
		})
	}})
	require.NoError(t, err)
	t.Cleanup(stop)
	rules, dir := ownDir(t, "Feature: F\n@core.secret\nRule: R\nScenario: S\nGiven an account\nWhen the account sends a token request with clientSecret \""+secret+"\"\nThen the request is rejected with 401\n"), t.TempDir()
	status, _, stderr := invoke(t, "certify", "--features", rules, "--rule", "core.secret", "--fail-fast", "--report", dir,
		"--url", profile.BaseURL, "--control-url", profile.Control.URL, "--control-token", secret)
	require.Equal(t, 1, status, stderr)
	run, err := report.Read(dir)
	require.NoError(t, err)
	reference := run.Causes()[0].Scenario.Reference
	require.NotNil(t, reference, stderr)
	require.Equal(t, 401, reference.Status)
	require.Contains(t, string(reference.Body), "***")
	for _, name := range []string{report.JSONFile, report.HTMLFile} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NotContains(t, string(content), secret, name)
	}
}
