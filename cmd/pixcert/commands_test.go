package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/hostile"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// document has the fields of verdict.json that the tests check.
type document struct {
	Target     string
	Outcome    verdict.Outcome
	ExitStatus int
	Strict     bool
	Reach      verdict.Reach
	Ended      *struct {
		Reason string
		NotRun int
	}
	Counts struct {
		Scenarios struct{ Total, Pass, Fail, NotRun int }
	}
}

func documentOf(t *testing.T, dir string) document {
	t.Helper()
	var d document
	read(t, filepath.Join(dir, report.JSONFile), func(b []byte) error { return json.Unmarshal(b, &d) })
	return d
}

// profileFile writes pixcert.yaml for a running target into a directory.
func profileFile(t *testing.T, dir string, p target.Profile, more ...string) string {
	t.Helper()
	file := filepath.Join(dir, "pixcert.yaml")
	lines := append([]string{"url: " + p.BaseURL, "controls: {url: " + p.Control.URL + "}"}, more...)
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return file
}

// --rerun-failed runs against the target of the report, also from another directory, and never against
// the bundled reference.
func TestRerunFailedTestsTheTargetOfTheReport(t *testing.T) {
	wrong := faulty(t, "confirms a cash-out immediately")
	red := target.Profile{BaseURL: wrong[1], Control: &target.ControlAccess{URL: wrong[3]}}
	project, elsewhere := t.TempDir(), t.TempDir()
	profileFile(t, project, red)
	profileFile(t, elsewhere, bundledFor(t)) // a profile of another target, which must not be used
	dir := filepath.Join(project, "report")
	for name, args := range map[string][]string{"by flags": wrong, "by a profile": {"pixcert.yaml"}, "by the profile of the directory": nil} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(project)
			status, stdout, stderr := invoke(t, append([]string{"certify", "--rule", "cash-out.accepted"}, args...)...)
			require.Equal(t, 1, status, "%s\n%s", stdout, stderr)
			before, err := report.Read("report")
			require.NoError(t, err)

			t.Chdir(elsewhere)
			status, stdout, stderr = invoke(t, "certify", "--rerun-failed", "--report", dir)
			require.Equal(t, 1, status, "%s\n%s", stdout, stderr)
			after, err := report.Read(dir)
			require.NoError(t, err)
			require.Equal(t, before.Target, after.Target)
			require.Equal(t, slugs(before.Failed()), slugs(after.Failed()))
		})
	}
	t.Run("unless another is named", func(t *testing.T) {
		t.Chdir(elsewhere)
		status, _, stderr := invoke(t, "certify", "--rerun-failed", "--report", dir, "--reference")
		require.Equal(t, exitNotRun, status, "a report about another target is not replaced")
		require.Contains(t, stderr, "is about "+red.BaseURL+", but this run would test the bundled reference gateway: run without --rerun-failed, or with another --report")
	})
}

func TestRerunFailedWithoutItsProfile(t *testing.T) {
	wrong := faulty(t, "confirms a cash-out immediately")
	project := t.TempDir()
	file := profileFile(t, project, target.Profile{BaseURL: wrong[1], Control: &target.ControlAccess{URL: wrong[3]}})
	dir := filepath.Join(project, "report")
	status, _, _ := invoke(t, "certify", file, "--rule", "cash-out.accepted", "--report", dir)
	require.Equal(t, 1, status)
	require.NoError(t, os.Remove(file))
	before := documentOf(t, dir)
	status, _, stderr := invoke(t, "certify", "--rerun-failed", "--report", dir)
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "cannot read the profile of")
	require.Contains(t, stderr, "pass the profile or --url")
	require.Equal(t, before, documentOf(t, dir))
}

// A flag overrides a value of the profile that is not available.
func TestFlagsOverrideUnsetVariables(t *testing.T) {
	t.Parallel()
	gateway, project := faulty(t), t.TempDir()
	file := filepath.Join(project, "pixcert.yaml")
	text := "url: ${PIXCERT_NOT_SET}\ncontrols: {url: '${PIXCERT_NOT_SET}', token: '${PIXCERT_NOT_SET}'}\nsink: {listen: '${PIXCERT_NOT_SET}'}\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	args := append([]string{"certify", file, "--rule", "balance.overdraft", "--report", filepath.Join(project, "report")}, gateway...)
	status, _, stderr := invoke(t, append(args, "--sink", "127.0.0.1:0")...)
	require.Equal(t, 0, status, stderr)
	status, _, stderr = invoke(t, args...)
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "pixcert.yaml:3: sink.listen: environment variable PIXCERT_NOT_SET is not set")
	require.NotContains(t, stderr, "url")

	require.NoError(t, os.WriteFile(file, []byte("url: http://127.0.0.1:1\ncontrols: {url: http://127.0.0.1:1, token: '${PIXCERT_NOT_SET}'}\n"), 0o600))
	p, err := (&targetFlags{Profile: file, ControlToken: "given"}).profile(&console{}, "")
	require.NoError(t, err)
	require.Equal(t, "given", p.Control.Token)
	require.NoError(t, os.WriteFile(file, []byte("url: http://127.0.0.1:1\ncontrols: {url: http://127.0.0.1:1, token: own}\n"), 0o600))
	p, err = (&targetFlags{Profile: file, ControlToken: "given"}).profile(&console{err: t.Output()}, "")
	require.NoError(t, err)
	require.Equal(t, "own", p.Control.Token)
}

// A report of the bundled reference is continued on the bundled reference, even if there is a profile
// in the directory.
func TestRerunFailedOfTheReference(t *testing.T) {
	t.Chdir(t.TempDir())
	profileFile(t, ".", target.Profile{BaseURL: "http://127.0.0.1:1", Control: &target.ControlAccess{URL: "http://127.0.0.1:1"}})
	cut, end := context.WithCancelCause(t.Context())
	out := writerFunc(func(said []byte) (int, error) {
		if bytes.Contains(said, []byte(" scenarios: ")) { // some have been judged
			end(errors.New("the test ends it"))
		}
		return len(said), nil
	})
	var errs bytes.Buffer
	require.Equal(t, exitNotRun, execute(cut, "pixcert", []string{"certify", "--reference", "--tags", "@balance or @cash-out or @lists"}, out, &errs), errs.String())
	isPartial(t, "report")
	partial := documentOf(t, "report")

	status, stdout, stderr := invoke(t, "certify", "--rerun-failed")
	require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
	rest := documentOf(t, "report")
	require.Equal(t, partial.Target, rest.Target)
	require.Equal(t, partial.Counts.Scenarios.Total, rest.Counts.Scenarios.Total, "what was judged before stays")
	require.Zero(t, rest.Counts.Scenarios.NotRun)
	require.Nil(t, rest.Ended)
}

// certify and plan use the profile of PIXCERT_PROFILE, or that in the current directory.
func TestTheProfileInTheDirectory(t *testing.T) {
	t.Chdir(t.TempDir())
	gateway := bundledFor(t)
	profileFile(t, ".", gateway)
	for _, command := range []string{"certify", "plan"} {
		status, stdout, stderr := invoke(t, command, "--rule", "token.issued")
		require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
		require.Contains(t, stdout, gateway.BaseURL)
		require.Contains(t, stderr, "using pixcert.yaml; for the bundled reference gateway, pass --reference")

		status, stdout, stderr = invoke(t, command, "--rule", "token.issued", "--reference")
		require.Equal(t, 0, status, stderr)
		require.Contains(t, stdout, "the bundled reference gateway")
		require.Empty(t, stderr)

		other := bundledFor(t)
		status, stdout, stderr = invoke(t, command, "--rule", "balance.overdraft", "--url", other.BaseURL)
		require.Contains(t, stdout, other.BaseURL, "a URL alone names another target")
		require.NotContains(t, stderr, "pixcert.yaml", status)
	}
	status, _, stderr := invoke(t, "certify", "--reference", "pixcert.yaml")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "--reference selects the bundled gateway")
}

// The printed commands name the reference, so that they also work in a directory with a profile.
func TestTheReferenceIsNamedInTheReport(t *testing.T) {
	dir := t.TempDir()
	status, _, stderr := invoke(t, "certify", "--rule", "token.issued", "--report", dir)
	require.Equal(t, 0, status, stderr)
	read(t, filepath.Join(dir, report.HTMLFile), func(b []byte) error {
		require.Contains(t, string(b), "pixcert certify --reference --rule token.issued")
		return nil
	})
}

// After Ctrl-C and SIGTERM there is a partial report that can be continued, and records that can be
// judged again.
func TestAnInterruptedRunLeavesAPartialReport(t *testing.T) {
	for name, signal := range map[string]os.Signal{"Ctrl-C": os.Interrupt, "SIGTERM": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			certify := exec.CommandContext(t.Context(), os.Args[0], "certify", "--reference", "--keep-all", "--tags", "@balance or @cash-out or @lists", "--report", dir)
			certify.Env = append(os.Environ(), asCommand+"=1")
			var stderr bytes.Buffer
			certify.Stderr = &stderr
			stdout, err := certify.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, certify.Start())
			lines := bufio.NewScanner(stdout)
			said := readUntil(t, lines, " scenarios: ") // some have been judged
			require.NoError(t, certify.Process.Signal(signal))
			for lines.Scan() {
				said += lines.Text() + "\n"
			}
			_ = certify.Wait() // its status follows
			require.Equal(t, exitNotRun, certify.ProcessState.ExitCode(), "%s\n%s", said, stderr.String())
			require.Contains(t, said, "○ Ended early: "+signal.String()+" signal received at ")
			require.Contains(t, stderr.String(), "the report is partial. To continue: "+os.Args[0]+" certify --rerun-failed --report "+dir)
			isPartial(t, dir)
			status, judged, errs := invoke(t, "judge", dir)
			require.Equal(t, exitNotRun, status, errs)
			require.Contains(t, judged, "0 verdicts differ")
		})
	}
}

// isPartial checks a report of a run that ended early.
func isPartial(t *testing.T, dir string) {
	t.Helper()
	partial := documentOf(t, dir)
	require.Equal(t, verdict.EndedEarly, partial.Outcome)
	require.Positive(t, partial.Ended.NotRun)
	require.Equal(t, partial.Ended.NotRun, partial.Counts.Scenarios.NotRun)
	require.Positive(t, partial.Counts.Scenarios.Pass)
}

// A timeout that ends a run before it begins is named, not mistaken for an unreachable target.
func TestATimeoutBeforeTheFirstScenario(t *testing.T) {
	t.Parallel()
	silent := bundledFor(t)
	silent.BaseURL = misbehaving(t, hostile.Config{Upstream: silent.BaseURL, Spoil: hostile.Spoils["silence"]})
	for _, args := range [][]string{{"--reference", "--timeout", "1ns"}, {"--url", silent.BaseURL, "--control-url", silent.Control.URL, "--timeout", "10ms"}} {
		status, _, stderr := invoke(t, append([]string{"certify", "--report", t.TempDir()}, args...)...)
		require.Equal(t, exitNotRun, status)
		require.Equal(t, "pixcert: --timeout "+args[len(args)-1]+" reached before any scenario was judged; allow more time\n", stderr)
	}
}

// A shard that is continued keeps what it has judged, so that it can be merged.
func TestAContinuedShardCanBeMerged(t *testing.T) {
	t.Parallel()
	one, two, whole := t.TempDir(), t.TempDir(), t.TempDir()
	target := faulty(t, twoFaults...)
	status, _, _ := certifyCashOuts(t, one, append(slices.Clone(target), "--shard", "1/2", "--seed", "7")...)
	require.Equal(t, 1, status)
	before := documentOf(t, one)
	status, _, stderr := invoke(t, "certify", "--rerun-failed", "--report", one)
	require.Equal(t, 1, status, stderr)
	require.NotContains(t, stderr, "note: ")
	after := documentOf(t, one)
	require.Equal(t, before.Counts, after.Counts)
	certifyCashOuts(t, two, append(slices.Clone(target), "--shard", "2/2", "--seed", "7")...)
	status, stdout, stderr := invoke(t, "merge", one, two, "--report", whole)
	require.Equal(t, 1, status, stderr)
	require.Contains(t, stdout, "Does not conform")
	require.Equal(t, after.Counts.Scenarios.Pass+documentOf(t, two).Counts.Scenarios.Pass, documentOf(t, whole).Counts.Scenarios.Pass)
}

// A timeout leaves a partial report, too, if anything was judged by then.
func TestATimeoutLeavesAPartialReport(t *testing.T) {
	dir := t.TempDir()
	for timeout := time.Second; ; timeout *= 2 {
		status, stdout, stderr := invoke(t, "certify", "--timeout", timeout.String(), "--report", dir)
		if strings.Contains(stderr, "before any scenario was judged") {
			continue // too short for this machine
		}
		require.Equal(t, exitNotRun, status, stderr)
		require.Contains(t, stdout, "Ended early: --timeout "+timeout.String()+" reached at ")
		isPartial(t, dir)
		return
	}
}

// A run that judges nothing does not replace the previous report.
func TestARunThatJudgesNothingKeepsTheReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	status, _, stderr := invoke(t, "certify", "--rule", "token.issued", "--report", dir)
	require.Equal(t, 0, status, stderr)
	before := documentOf(t, dir)

	status, _, _ = invoke(t, "certify", "--timeout", "1ns", "--report", dir)
	require.Equal(t, exitNotRun, status)
	require.Equal(t, before, documentOf(t, dir))

	profile := bundledFor(t)
	profile.BaseURL = misbehaving(t, hostile.Config{Upstream: profile.BaseURL, After: 3, Spoil: hostile.Spoils["closes"]})
	file := profileFile(t, t.TempDir(), profile, "deadlines: {answer: 3s}")
	status, _, stderr = invoke(t, "certify", file, "--rule", "balance.centavos", "--report", dir)
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "the target stopped responding at ")
	require.Equal(t, before, documentOf(t, dir))
}

// A target that dies gets no verdict, and its report can be continued once it is back.
func TestADeadTargetIsContinuedWhenItIsBack(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	const last = 300
	profile, stop, err := bundled(t.Context(), reference.Config{Wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if requests.Add(1) > last {
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(w, r)
		})
	}})
	require.NoError(t, err)
	defer stop()
	project := t.TempDir()
	file, dir := profileFile(t, project, profile, "deadlines: {answer: 3s}"), filepath.Join(project, "report")
	status, stdout, stderr := invoke(t, "certify", file, "--tags", "@balance or @token or @bearer", "--report", dir)
	require.Equal(t, exitNotRun, status, "%s\n%s", stdout, stderr)
	require.Regexp(t, `Ended early: the target stopped responding at \d\d:\d\d:\d\d UTC, after \d+ requests; \d+ scenarios did not run`, stdout)
	require.Contains(t, stdout, "The results above cover only what ran before that")
	require.Contains(t, stderr, "--rerun-failed")
	isPartial(t, dir)
	require.Zero(t, documentOf(t, dir).Counts.Scenarios.Fail, "silence fails no rule")

	requests.Store(-1 << 32)
	profileFile(t, project, profile) // nothing has to be waited for any more
	status, stdout, stderr = invoke(t, "certify", "--rerun-failed", "--report", dir)
	require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
}

// Wrong credentials end a run after a few requests, before any scenario.
func TestWrongCredentialsEndTheRun(t *testing.T) {
	profile := openSandbox(t, reference.Config{}, 1, "all")
	profile.Accounts[0].ClientSecret = "not-the-secret-of-this-account"
	var tokens atomic.Int64
	profile.BaseURL = misbehaving(t, hostile.Config{Upstream: profile.BaseURL, Witness: func(*http.Request, []byte, *http.Response, []byte) { tokens.Add(1) }})
	_, err := run.Certify(t.Context(), run.Options{Target: profile})
	require.ErrorContains(t, err, "accounts[0] in the profile: the target refuses the credentials: 401")
	require.Less(t, tokens.Load(), int64(10))
}

func TestAQuickRun(t *testing.T) {
	t.Parallel()
	status, stdout, stderr := invoke(t, "certify", "--depth", "quick", "--rule", "balance.centavos", "--report", t.TempDir())
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "✓ No failures found (tested: 1 of 1 rule)\n", "even if all of it fits")
	status, _, stderr = invoke(t, "certify", "--depth", "quick", "--shard", "1/2", "--report", t.TempDir())
	require.Equal(t, 2, status)
	require.Contains(t, stderr, "omit --shard and --rerun-failed")
}

// --rerun-failed updates the report: what passed in it stays. Once nothing fails, there is nothing to do.
func TestRerunFailedKeepsTheReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fault := &atomic.Bool{}
	fault.Store(true)
	profile, stop, err := bundled(t.Context(), reference.Config{Wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if fault.Load() && r.URL.Path == "/accounts/balances" {
				w.WriteHeader(http.StatusTeapot)
				return
			}
			next.ServeHTTP(w, r)
		})
	}})
	require.NoError(t, err)
	t.Cleanup(stop)
	args := []string{"certify", "--url", profile.BaseURL, "--control-url", profile.Control.URL, "--report", dir}
	status, stdout, stderr := invoke(t, append(args, "--rule", "balance.answer", "--rule", "token.issued", "--rule", "token.body")...)
	require.Equal(t, 1, status, "%s\n%s", stdout, stderr)
	before := documentOf(t, dir)
	fault.Store(false)
	status, stdout, stderr = invoke(t, append(args, "--rerun-failed")...)
	require.Zero(t, status, "%s\n%s", stdout, stderr)
	after := documentOf(t, dir)
	require.Equal(t, before.Counts.Scenarios.Total, after.Counts.Scenarios.Total, "what passed before stays")
	require.Zero(t, after.Counts.Scenarios.Fail)
	status, stdout, stderr = invoke(t, append(args, "--rerun-failed")...)
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "Nothing to re-run: in the report in "+dir+", no scenario failed. Its outcome: conforms\n")
	require.Equal(t, after, documentOf(t, dir))
}

func TestFailFast(t *testing.T) {
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, append([]string{"certify", "--fail-fast", "--concurrency", "1", "--tags", "@cash-out", "--report", dir}, faulty(t, "confirms a cash-out immediately")...)...)
	require.Equal(t, 1, status, "%s\n%s", stdout, stderr)
	require.Contains(t, stdout, "✗ Does not conform: stopped at the first failure (--fail-fast); ")
	d := documentOf(t, dir)
	require.Equal(t, 1, d.ExitStatus)
	require.Equal(t, 1, d.Counts.Scenarios.Fail)
	require.Positive(t, d.Ended.NotRun)
}

func TestQuiet(t *testing.T) {
	t.Parallel()
	status, stdout, stderr := invoke(t, append([]string{"certify", "--quiet", "--rule", "cash-out.accepted", "--report", t.TempDir()}, faulty(t, "confirms a cash-out immediately")...)...)
	require.Equal(t, 1, status, stderr)
	require.Empty(t, stderr)
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	require.Contains(t, lines, "✗ Does not conform")
	require.Equal(t, "  Partial run: cash-out.accepted", lines[len(lines)-1])
	for _, line := range lines[:len(lines)-3] {
		require.True(t, strings.HasPrefix(line, "✗ cash-out.accepted: "), line)
	}

	status, stdout, _ = invoke(t, "certify", "-q", "--rule", "token.issued", "--report", t.TempDir())
	require.Equal(t, 0, status)
	require.Equal(t, "✓ Conforms (selected rules only)\n  Partial run: token.issued\n", stdout)

	whole, err := wholeRun()
	require.NoError(t, err)
	var out bytes.Buffer
	progress.New(&out, progress.Options{Quiet: true}).Done(whole.run, "")
	require.Equal(t, "✓ Conforms\n", out.String())
}

// With --strict a warning fails the rule; the report says so and a re-run stays strict.
func TestStrict(t *testing.T) {
	t.Parallel()
	profile, stop, err := bundled(t.Context(), reference.Config{Wrap: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodPost || r.URL.Path != "/api/pix/cash-in" {
				next.ServeHTTP(w, r)
				return
			}
			answer := httptest.NewRecorder()
			next.ServeHTTP(answer, r)
			for name, values := range answer.Header() {
				w.Header()[name] = values
			}
			w.Header().Del("Content-Length")
			w.WriteHeader(answer.Code)
			_, _ = w.Write(bytes.ReplaceAll(answer.Body.Bytes(), []byte("HTTP_ERROR"), []byte("VALIDATION")))
		})
	}})
	require.NoError(t, err)
	defer stop()
	dir := t.TempDir()
	args := []string{"certify", "--tags", "@cash-in.additional-info and @open:values-of-another-type", "--report", dir, "--url", profile.BaseURL, "--control-url", profile.Control.URL}
	status, stdout, stderr := invoke(t, args...)
	require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
	require.Contains(t, stdout, "warning")

	status, stdout, stderr = invoke(t, append(args, "--strict", "--keep-all")...)
	require.Equal(t, 1, status, "%s\n%s", stdout, stderr)
	require.Contains(t, stdout, "with --strict")
	require.Contains(t, stdout, "Warnings count as failures (--strict)")
	d := documentOf(t, dir)
	require.True(t, d.Strict)
	require.Equal(t, verdict.DoesNotConform, d.Outcome)
	status, stdout, _ = invoke(t, "judge", dir)
	require.Equal(t, 1, status)
	require.Contains(t, stdout, "0 verdicts differ")

	past, err := report.Read(dir)
	require.NoError(t, err)
	status, _, stderr = invoke(t, "replay", past.Failed()[0].Slug(), "--report", dir, "--attempts", "1")
	require.Equal(t, exitFailsAgain, status, stderr)

	status, _, stderr = invoke(t, "certify", "--rerun-failed", "--report", dir)
	require.Equal(t, 1, status, stderr)
	require.Equal(t, d.Counts.Scenarios.Fail, documentOf(t, dir).Counts.Scenarios.Fail)
}

// plan and certify report the same counts.
func TestPlanAndCertifyReportTheSameCounts(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	for name, p := range map[string]target.Profile{
		"all controls":   bundledFor(t),
		"one account":    openSandbox(t, reference.Config{}, 1),
		"no controls":    openSandbox(t, reference.Config{}, 1, "all"),
		"no settlement":  without(bundledFor(t), target.Settlement),
		"public only":    claiming(bundledFor(t), target.Public),
		"no sandboxes":   unsandboxed(bundledFor(t)),
		"no fees, clock": without(bundledFor(t), target.FeesControl, target.Clock),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := run.Options{Target: p, Tags: "@cash-out or @balance or @contract"}
			forecast, err := run.Foresee(t.Context(), options, false)
			require.NoError(t, err)
			result, err := run.Certify(t.Context(), options)
			require.NoError(t, err)
			assert.Equal(t, forecast.Reach, result.Reach())
		})
	}
}

// plan --offline needs nothing but the profile, and assumes what certify would find.
func TestPlanOfflineNeedsNoCredentials(t *testing.T) {
	t.Chdir(t.TempDir())
	status, _, stderr := invoke(t, "init", "--yes", "--url", "https://sandbox.example", "--controls", "https://controls.example", "--accounts", "1")
	require.Equal(t, 0, status, stderr)
	require.NoError(t, os.RemoveAll("certs"))
	status, stdout, stderr := invoke(t, "plan", "--offline")
	require.Equal(t, 0, status, stderr)
	require.Regexp(t, `^Test plan for https://sandbox\.example\n  \d+ features, `, stdout)
	reach := regexp.MustCompile(`(\d+) of (\d+) rules can be tested`).FindStringSubmatch(stdout)
	require.NotNil(t, reach, stdout)
	require.Equal(t, reach[2], reach[1], "every rule that applies")
	require.Contains(t, stderr, "not available here, assumed correct: PIXCERT_CLIENT_ID_1, PIXCERT_CLIENT_SECRET_1")
}

// plan prints the same counts as certify before its first scenario, also with flags that change them.
func TestPlanPrintsWhatCertifyDoes(t *testing.T) {
	profile := openSandbox(t, reference.Config{}, 1)
	dir := t.TempDir()
	certificate, key := filepath.Join(dir, "one.pem"), filepath.Join(dir, "one.key")
	require.NoError(t, os.WriteFile(certificate, profile.Accounts[0].Certificate, 0o600))
	require.NoError(t, os.WriteFile(key, profile.Accounts[0].Key, 0o600))
	file := filepath.Join(dir, "pixcert.yaml")
	require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, `url: %s
controls: {url: %s, without: [accounts]}
accounts: [{clientId: %s, clientSecret: %s, certificate: one.pem, id: %d}]
`, profile.BaseURL, profile.Control.URL, profile.Accounts[0].ClientID, profile.Accounts[0].ClientSecret, profile.Accounts[0].AccountID), 0o600))
	for _, flags := range [][]string{nil, {"--sink", profile.Sink.Listen}} {
		args := append([]string{file, "--tags", "@delivery or @balance"}, flags...)
		_, planned, stderr := invoke(t, append([]string{"plan"}, args...)...)
		require.NotEmpty(t, planned, stderr)
		_, certified, stderr := invoke(t, append([]string{"certify", "--report", t.TempDir()}, args...)...)
		require.NotEmpty(t, certified, stderr)
		for _, pattern := range []string{`\d+ features?, \d+ rules?, \d+ scenarios?`, `\d+ of \d+ rules can be tested.*`} {
			same := regexp.MustCompile(pattern)
			require.NotEmpty(t, same.FindString(planned), planned)
			require.Equal(t, same.FindString(planned), same.FindString(certified), flags)
		}
	}
}

// Each addition to a profile unlocks what the plan promises, from a profile with nothing to one with
// everything.
func TestUnlocksGainWhatThePlanPromises(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	profile := unsandboxed(without(openSandbox(t, reference.Config{}, 1), controls...))
	profile.Sink.Listen = ""
	now, err := run.Foresee(t.Context(), run.Options{Target: profile}, true)
	require.NoError(t, err)
	for _, promised := range now.Unlocks {
		for _, means := range promised.Means {
			add(t, &profile, means)
		}
		after, err := run.Foresee(t.Context(), run.Options{Target: profile}, true)
		require.NoError(t, err)
		before := wholeRules(now)
		gained := slices.DeleteFunc(wholeRules(after), func(rule string) bool { return slices.Contains(before, rule) })
		require.ElementsMatch(t, promised.Rules, gained, promised.Means) // none, if it completes no rule
		require.Equal(t, promised.Scenarios, testable(after)-testable(now), promised.Means)
		now = after
	}
	require.True(t, now.Reach.Complete())
}

// add adds to a profile what an unlock names.
func add(t *testing.T, p *target.Profile, means string) {
	t.Helper()
	if name, isControl := strings.CutPrefix(means, "control "); isControl {
		access := *p.Control
		access.Without = slices.DeleteFunc(slices.Clone(access.Without), func(c target.Control) bool { return string(c) == name })
		p.Control = &access
		return
	}
	switch means {
	case "sink.listen in the profile":
		p.Sink.Listen = "127.0.0.1:9443"
	case "accounts in the profile: two":
		p.Accounts = append(slices.Clone(p.Accounts), p.Accounts[0])
	case "fees in the profile":
		p.Fees = target.Fees{CashOut: "0.00", CashIn: "0.00"}
	case "sandboxScenarios in the profile":
		p.SandboxScenarios = map[string]string{}
		for _, outcome := range strings.Fields("CONFIRMED TAX_ID_MISMATCH INVALID_TAX_ID BLOCKED_ACCOUNT ACCOUNT_CLOSED ORDER_REJECTED PAYMENT_EXPIRED SETTLEMENT_TIMEOUT") {
			p.SandboxScenarios[outcome] = outcome
		}
	default:
		require.FailNow(t, "an addition that this test does not know", means)
	}
}

// wholeRules returns the rules that can be tested completely.
func wholeRules(f *plan.Forecast) []string {
	var rules []string
	for _, feature := range f.Features {
		for _, rule := range feature.Rules {
			if rule.Applicable > 0 && rule.Testable == rule.Applicable {
				rules = append(rules, rule.Name)
			}
		}
	}
	return rules
}

func without(p target.Profile, controls ...target.Control) target.Profile {
	p.Control.Without = append(p.Control.Without, controls...)
	return p
}

func claiming(p target.Profile, families ...target.Family) target.Profile {
	p.Families = families
	return p
}

func unsandboxed(p target.Profile) target.Profile {
	p.SandboxScenarios = nil
	return p
}

// A budget that suffices changes nothing but the order; one that does not is no success of the whole.
func TestABudget(t *testing.T) {
	t.Parallel()
	status, stdout, stderr := invoke(t, "certify", "--budget", "5m", "--rule", "balance.centavos", "--report", t.TempDir())
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "✓ Conforms (selected rules only)\n")
	status, stdout, stderr = invoke(t, "certify", "--budget", "1ns", "--rule", "lists.combined", "--report", t.TempDir())
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "✓ No failures found (tested: 1 of 1 rule)\n")
	require.Contains(t, stdout, "Left out for lack of time: 3 scenarios")
	require.Regexp(t, `Covered: \d+ of \d+ pairs of choices`, stdout)
	status, _, stderr = invoke(t, "certify", "--budget", "5m", "--shard", "1/2", "--report", t.TempDir())
	require.Equal(t, 2, status)
	require.Contains(t, stderr, "omit --shard and --rerun-failed")
}

// A thorough run of some rules sends each three choices together; it does not explore.
func TestAThoroughRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	status, stdout, stderr := invoke(t, "certify", "--depth", "thorough", "--rule", "lists.combined", "--report", dir)
	require.Zero(t, status, stderr)
	require.Regexp(t, `Covered: (\d+) of (\d+) triples of choices`, stdout)
	require.NotContains(t, stdout, "Exploring")
	status, stdout, _ = invoke(t, "explain", "--report", dir, "GET", "/api/transactions")
	require.Zero(t, status)
	require.Contains(t, stdout, "query status")
	require.Regexp(t, `Last run: (\d+) of (\d+) combinations were sent and judged`, stdout)
}
