package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/replay"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/verdict"
)

// faulty starts the reference with those faults and returns the flags that select it.
func faulty(t *testing.T, faults ...string) []string {
	t.Helper()
	var chosen []mutants.Mutant
	for _, m := range mutants.All() {
		if slices.Contains(faults, m.Name) {
			chosen = append(chosen, m)
		}
	}
	require.Len(t, chosen, len(faults), "each fault is that of a mutant")
	return startMutant(t, mutants.Together(chosen...))
}

// startMutant starts a mutant and returns the flags that select it.
func startMutant(t *testing.T, m mutants.Mutant) []string {
	t.Helper()
	profile, stop, err := bundled(t.Context(), reference.Config{Wrap: m.API, WrapControls: m.Controls, WebhookTransport: m.Webhooks})
	require.NoError(t, err)
	t.Cleanup(stop)
	return []string{"--url", profile.BaseURL, "--control-url", profile.Control.URL}
}

func TestReplayShowsWhereTheTargetDiffers(t *testing.T) {
	t.Parallel()
	wrong := faulty(t, "confirms a cash-out immediately", "returns a cash-out without its time")
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, append([]string{"certify", "--report", dir, "--rule", "cash-out.accepted", "--rule", "contract.cash-out"}, wrong...)...)
	require.Equal(t, 1, status, "%s\n%s", stdout, stderr)

	past, err := report.Read(dir)
	require.NoError(t, err)
	failed := past.Failed()
	require.NotEmpty(t, failed)
	require.Contains(t, stdout, "pixcert replay "+past.Causes()[0].Scenario.Slug())

	again := func(args ...string) (int, replay.Result) {
		status, stdout, stderr := invoke(t, append([]string{"replay", "--report", dir, "--json"}, args...)...)
		require.Empty(t, stderr)
		var r replay.Result
		require.NoError(t, json.Unmarshal([]byte(stdout), &r), stdout)
		return status, r
	}
	i := slices.IndexFunc(failed, func(s verdict.Scenario) bool { return s.Rule == "cash-out.accepted" })
	status, r := again(failed[i].Slug())
	require.Equal(t, exitFailsAgain, status)
	require.Equal(t, verdict.Fail, r.Target.Verdict)
	require.Equal(t, verdict.Pass, r.Reference.Verdict)
	require.Equal(t, 1, r.Attempts)
	require.Equal(t, "POST /api/pix/cash-out", r.Blamed.Request)
	require.Equal(t, []string{`status: "CONFIRMED" | "PENDING"`}, marked(r), "the other fault is another rule's")

	status, text, _ := invoke(t, "replay", "--report", dir, failed[i].Slug())
	require.Equal(t, exitFailsAgain, status)
	require.Regexp(t, `(?m)^  > status +"CONFIRMED" +"PENDING"$`, text)
	require.Contains(t, text, "The target still fails.")
	t.Log(text)

	t.Run("both as archives", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "hars")
		status, _ := again(failed[i].Slug(), "--har", dir)
		require.Equal(t, exitFailsAgain, status)
		for _, side := range []string{"target.har", "reference.har"} {
			content, err := os.ReadFile(filepath.Join(dir, side))
			require.NoError(t, err)
			require.Contains(t, string(content), "/api/pix/cash-out")
		}
	})
	t.Run("the target passes now", func(t *testing.T) {
		right := faulty(t)
		status, r := again(append([]string{failed[i].Slug()}, right...)...)
		require.Equal(t, exitPassesNow, status)
		require.Equal(t, 4, r.Attempts)
		require.Empty(t, marked(r))
		status, text, _ := invoke(t, append([]string{"replay", "--report", dir, "--attempts", "2", failed[i].Slug()}, right...)...)
		require.Equal(t, exitPassesNow, status)
		require.Contains(t, text, "The target passes now, in both attempts.\n")
	})
	t.Run("the target fails every other time", func(t *testing.T) {
		all := mutants.All()
		fault := all[slices.IndexFunc(all, func(m mutants.Mutant) bool { return m.Name == "confirms a cash-out immediately" })]
		status, stdout, _ := invoke(t, append([]string{"replay", "--report", dir, failed[i].Slug()}, startMutant(t, fault.At(mutants.EverySecond))...)...)
		require.Equal(t, exitFailsAgain, status)
		require.Contains(t, stdout, "The target still fails, but not always: 1 of 2 attempts.\n")
	})
	t.Run("the controls have moved", func(t *testing.T) {
		status, _, stderr := invoke(t, "replay", "--report", dir, failed[i].Slug(), "--control-url", "http://127.0.0.1:1")
		require.Equal(t, exitNotRun, status, "on the target of the report")
		require.Contains(t, stderr, "127.0.0.1:1")
	})
	t.Run("no attempt", func(t *testing.T) {
		status, _, stderr := invoke(t, "replay", "--report", dir, failed[i].Slug(), "--attempts", "0")
		require.Equal(t, exitNotRun, status)
		require.Contains(t, stderr, "--attempts: expected at least 1, got 0")
	})
	t.Run("the target can no longer be tested", func(t *testing.T) {
		status, _ := again(append([]string{failed[i].Slug()}, faulty(t)[:2]...)...)
		require.Equal(t, exitNotTested, status)
	})
	t.Run("what failed is run alone", func(t *testing.T) {
		status, stdout, stderr := invoke(t, append([]string{"certify", "--rerun-failed", "--report", dir}, wrong...)...)
		require.Equal(t, 1, status, "%s\n%s", stdout, stderr)
		anew, err := report.Read(dir)
		require.NoError(t, err)
		require.Equal(t, slugs(failed), slugs(anew.Failed()))
	})
}

// A breach of the wire contract is replayed with the scenario that met it.
func TestReplayOfABreachOfTheContract(t *testing.T) {
	t.Parallel()
	profile, stop, err := bundled(t.Context(), reference.Config{Wrap: forgetsTheTimeOfACentavo})
	require.NoError(t, err)
	t.Cleanup(stop)
	dir := t.TempDir()
	// One after the other, so that the same scenario meets it first: of one with long texts, the value is not shown.
	status, stdout, _ := invoke(t, "certify", "--report", dir, "--rule", "cash-out.value", "--rule", "contract.cash-out", "--seed", "1", "--concurrency", "1",
		"--url", profile.BaseURL, "--control-url", profile.Control.URL)
	require.Equal(t, 1, status)
	past, err := report.Read(dir)
	require.NoError(t, err)
	failed := past.Failed()
	require.Len(t, failed, 1)
	require.NotEmpty(t, failed[0].Via)
	require.Contains(t, stdout, "    rule      contract.cash-out: ", "it has a line of its own")
	require.Contains(t, stdout, "pixcert replay "+failed[0].Slug()+" --report "+dir)

	status, stdout, stderr := invoke(t, "replay", "--json", "--report", dir, failed[0].Slug())
	require.Equal(t, exitFailsAgain, status, stderr)
	var r replay.Result
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	require.Equal(t, "POST /api/pix/cash-out", r.Blamed.Request)
	require.Contains(t, r.Blamed.Sent, `"value":0.01`)
	require.Len(t, marked(r), 1)
	require.Contains(t, marked(r)[0], "generateTime: absent | ")
	last := r.Steps[len(r.Steps)-1]
	require.Equal(t, verdict.Fail, last.Target, "to the contract, the scenario ends there")
	require.True(t, slices.ContainsFunc(last.Exchanges, func(row replay.Row) bool { return row.Marked }))
}

// forgetsTheTimeOfACentavo drops generateTime from the response to a cash-out of R$ 0.01.
func forgetsTheTimeOfACentavo(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(sent))
		if !bytes.Contains(sent, []byte(`"value":0.01`)) {
			next.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		w.Header().Del("Content-Length")
		w.WriteHeader(answer.Code)
		_, _ = w.Write(regexp.MustCompile(`,?"generateTime":"[^"]*"`).ReplaceAll(answer.Body.Bytes(), nil))
	})
}

func slugs(scenarios []verdict.Scenario) []string {
	var all []string
	for _, s := range scenarios {
		all = append(all, s.Slug())
	}
	return all
}

// marked returns the marked differences of the blamed exchange.
func marked(r replay.Result) []string {
	var all []string
	if r.Blamed == nil {
		return all
	}
	for _, d := range r.Blamed.Differences {
		if d.Marked {
			all = append(all, d.Field+": "+d.Target+" | "+d.Reference)
		}
	}
	return all
}

func TestAReplayThatCannotStartSaysWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, "certify", "--report", dir, "--rule", "token.issued")
	require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"no report":           {[]string{"token.issued", "--report", t.TempDir()}, "certify first"},
		"an unknown scenario": {[]string{"token.issud/x", "--report", dir}, "no scenario"},
		"nothing to replay":   {[]string{"", "--report", dir}, "several"},
		"has no failures":     {[]string{"x/y", "--report", dir}, "no failed scenarios"},
	} {
		t.Run(name, func(t *testing.T) {
			status, _, stderr := invoke(t, append([]string{"replay"}, c.args...)...)
			require.Equal(t, exitNotRun, status)
			require.Contains(t, stderr, c.says)
		})
	}
	t.Run("nothing to run again", func(t *testing.T) {
		status, _, stderr := invoke(t, "certify", "--rerun-failed", "--report", dir)
		require.Zero(t, status, stderr)
	})
}

// A run that cannot start leaves nothing behind.
func TestARunThatCannotStartLeavesNoFiles(t *testing.T) {
	t.Parallel()
	above := t.TempDir()
	status, _, stderr := invoke(t, "certify", "--url", "http://127.0.0.1:1", "--rule", "token.issued", "--report", filepath.Join(above, "report"))
	require.Equal(t, exitNotRun, status, stderr)
	left, err := os.ReadDir(above)
	require.NoError(t, err)
	require.Empty(t, left)
}

// A run that cannot start does not replace the previous report.
func TestAMistypedFlagKeepsTheReport(t *testing.T) {
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, "certify", "--report", dir, "--rule", "token.issued")
	require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
	for _, args := range [][]string{{"--rule", "token.issud"}, {"--url", "http://127.0.0.1:1"}, {"--tags", "@token and"}, {"--concurrency", "0"}} {
		status, _, _ := invoke(t, append([]string{"certify", "--report", dir}, args...)...)
		require.Equal(t, exitNotRun, status)
		require.FileExists(t, filepath.Join(dir, report.JSONFile), args)
		require.FileExists(t, filepath.Join(dir, report.HTMLFile), args)
	}
}
