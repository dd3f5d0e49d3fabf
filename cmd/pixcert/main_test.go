package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// asCommand makes the test binary behave as the command, so that a test can run it in
// a process of its own.
const asCommand = "PIXCERT_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	os.Unsetenv(profileVariable)
	os.Unsetenv("GITHUB_ACTIONS") // the tests may run there, and the command would print workflow commands
	if os.Getenv(asCommand) != "" {
		main()
	}
	if len(os.Args) == 6 && os.Args[1] == asRelay {
		os.Exit(relay(os.Args[2], os.Args[4], os.Args[5]))
	}
	state, err := os.MkdirTemp("", "pixcert-state-")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_STATE_HOME", state) // not the user's
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(state)
		os.Exit(code)
	}))
}

// invoke runs the command in this process.
func invoke(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = execute(t.Context(), "pixcert", args, &out, &err)
	return status, out.String(), err.String()
}

// recorded is what a run of the command left behind.
type recorded struct {
	status         int
	stdout, stderr string
	run            *verdict.Run
	files          map[string][]byte // of its report
}

// wholeRun is a run of everything on the bundled reference. It is shared by the tests that only look
// at such a run.
var wholeRun = sync.OnceValues(func() (r recorded, err error) {
	dir, err := os.MkdirTemp("", "pixcert-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	var out, errs bytes.Buffer
	r.status = execute(context.Background(), "pixcert", []string{"certify", "--reference", "--report", dir}, &out, &errs)
	r.stdout, r.stderr = out.String(), errs.String()
	if r.run, err = report.Read(dir); err != nil {
		return r, fmt.Errorf("%w; it printed:\n%s\n%s", err, r.stdout, r.stderr)
	}
	r.files = map[string][]byte{}
	for _, name := range []string{report.JSONFile, report.JUnitFile, report.HTMLFile} {
		if r.files[name], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return r, err
		}
	}
	return r, nil
})

// takesMinutes marks a test that make test leaves out, and make nightly runs.
func takesMinutes(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it takes minutes: make nightly runs it")
	}
}

func TestTheBundledReferenceConforms(t *testing.T) {
	t.Parallel()
	whole, err := wholeRun()
	require.NoError(t, err)
	stdout := whole.stdout
	require.Equal(t, 0, whole.status, "%s\n%s", stdout, whole.stderr)
	require.Empty(t, whole.stderr)
	require.Contains(t, stdout, "Conforms")
	require.NotContains(t, stdout, "\x1b", "no control characters where there is no terminal")

	var document struct {
		Outcome    string
		ExitStatus int
	}
	require.NoError(t, json.Unmarshal(whole.files[report.JSONFile], &document))
	require.Equal(t, "conforms", document.Outcome)

	var junit struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
	}
	require.NoError(t, xml.Unmarshal(whole.files[report.JUnitFile], &junit))
	require.Positive(t, junit.Tests)
	require.Zero(t, junit.Failures)

	require.NotRegexp(t, regexp.MustCompile(`(?i)(src|href)="?https?://`), string(whole.files[report.HTMLFile]), "the report is self-contained")
}

func read(t *testing.T, file string, parse func([]byte) error) {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, parse(b))
}

func TestARunThatCannotStartSaysWhatToDo(t *testing.T) {
	t.Parallel()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html><body>It works!</body></html>")
	}))
	defer page.Close()
	stopped := httptest.NewServer(http.NotFoundHandler())
	stopped.Close()
	elsewhere := httptest.NewServer(http.NotFoundHandler())
	defer elsewhere.Close()

	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"the target is stopped":  {[]string{"certify", "--url", stopped.URL}, "start"},
		"a wrong URL":            {[]string{"certify", "--url", elsewhere.URL}, "404"},
		"no URL at all":          {[]string{"certify", "--url", "gateway"}, "expected a URL such as"},
		"a page":                 {[]string{"certify", "--url", page.URL}, "web page"},
		"an empty URL":           {[]string{"certify", "--url", ""}, "variable"},
		"controls of an image":   {[]string{"certify", "--image", "acme", "--control-url", "http://gateway"}, "a container port"},
		"an empty image":         {[]string{"certify", "--image", ""}, "variable"},
		"controls alone":         {[]string{"certify", "--control-url", page.URL}, "--url"},
		"an unknown tag":         {[]string{"certify", "--tags", "@cash-out.debti"}, "@cash-out.debit"},
		"a tag expression":       {[]string{"certify", "--tags", "@cash-out.debit and"}, "expected"},
		"an unknown rule":        {[]string{"certify", "--rule", "cash-out.debti"}, "cash-out.debit"},
		"nothing selected":       {[]string{"certify", "--tags", "@cash-out.debit and @token.issued"}, "widen"},
		"an unknown flag":        {[]string{"certify", "--nonsense"}, "--nonsense"},
		"no concurrency":         {[]string{"certify", "--concurrency", "0"}, "at least 1"},
		"no command":             {nil, "expected"},
		"a rule without mutants": {[]string{"mutants", "--rule", "no.such-rule"}, "no.such-rule"},
	} {
		t.Run(name, func(t *testing.T) {
			if len(c.args) > 0 && c.args[0] == "certify" {
				c.args = append(c.args, "--report", t.TempDir())
			}
			status, _, stderr := invoke(t, c.args...)
			require.Equal(t, exitNotRun, status)
			require.Contains(t, stderr, "pixcert: ")
			require.Contains(t, stderr, c.says)
		})
	}
}

// Without test controls, a gateway can be certified only in part, which is never a success.
func TestATargetWithoutControlsIsIncomplete(t *testing.T) {
	t.Parallel()
	profile, stop, err := bundled(t.Context(), reference.Config{})
	require.NoError(t, err)
	defer stop()
	status, stdout, _ := invoke(t, "certify", "--url", profile.BaseURL, "--report", t.TempDir())
	require.Equal(t, verdict.Incomplete.ExitStatus(), status)
	require.Contains(t, stdout, "Incomplete")
	require.Contains(t, stdout, "accounts")
}

// The reference and the suite run in separate processes.
func TestServeIsCertifiedByURL(t *testing.T) {
	t.Parallel()
	serve := exec.Command(os.Args[0], "serve", "--listen", "127.0.0.1:0", "--controls", "127.0.0.1:0")
	serve.Env = append(os.Environ(), asCommand+"=1")
	stdout, err := serve.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, serve.Start())
	defer func() {
		require.NoError(t, serve.Process.Signal(os.Interrupt))
		require.NoError(t, serve.Wait())
	}()
	printed := readUntil(t, bufio.NewScanner(stdout), "Ctrl-C")
	urls := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindAllString(printed, 2)
	require.Len(t, urls, 2, printed)

	status, out, errs := invoke(t, "certify", "--url", urls[0], "--control-url", urls[1], "--report", t.TempDir(),
		"--tags", "@token or @cash-out or @refund or @webhook or @delivery or @lists")
	require.Equal(t, 0, status, "%s\n%s", out, errs)
}

func readUntil(t *testing.T, lines *bufio.Scanner, mark string) string {
	t.Helper()
	var all strings.Builder
	for lines.Scan() {
		fmt.Fprintln(&all, lines.Text())
		if strings.Contains(lines.Text(), mark) {
			return all.String()
		}
	}
	require.FailNow(t, "no line contains "+mark, all.String())
	return ""
}

// number is that of a variable of the environment; usual if it is not set.
func number(t *testing.T, variable string, usual int64) int64 {
	t.Helper()
	given := os.Getenv(variable)
	if given == "" {
		return usual
	}
	n, err := strconv.ParseInt(given, 10, 64)
	require.NoError(t, err, "%s is a number", variable)
	return n
}

// Each scenario gets the same verdict and as many warnings one at a time as in the shared run, which
// runs 24 at a time. PIXCERT_SEEDS is the number of orders. (TestSoak has other concurrencies.)
func TestTheVerdictsDoNotDependOnTheOrder(t *testing.T) {
	takesMinutes(t)
	t.Parallel()
	seeds := number(t, "PIXCERT_SEEDS", 1)
	whole, err := wholeRun()
	require.NoError(t, err)
	want := verdictsAndWarnings(whole.run)
	for seed := int64(1); seed <= seeds; seed++ {
		require.Equal(t, want, verdicts(t, seed, 1), "seed %d", seed)
	}
}

func verdicts(t *testing.T, seed int64, concurrency int) map[string]string {
	t.Helper()
	profile, stop, err := bundled(t.Context(), reference.Config{})
	require.NoError(t, err)
	defer stop()
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Seed: seed, Concurrency: concurrency})
	require.NoError(t, err)
	for _, s := range result.Scenarios {
		if s.Finding != nil {
			t.Logf("%s/%s: %+v", s.Rule, s.Name, *s.Finding)
		}
	}
	return verdictsAndWarnings(result)
}

func verdictsAndWarnings(result *verdict.Run) map[string]string {
	all := map[string]string{}
	for _, s := range result.Scenarios {
		all[s.ID()] = fmt.Sprintf("%v, %d warnings", s.Verdict, len(s.Warnings))
	}
	return all
}

// An interrupted run ends at once and leaves nothing behind.
func TestARunCanBeInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	var out, errs bytes.Buffer
	status := execute(ctx, "pixcert", []string{"certify", "--concurrency", "1", "--report", t.TempDir()}, &out, &errs)
	require.Equal(t, exitNotRun, status)
	require.Contains(t, errs.String(), "interrupted")
}

// A panic of the command is not reported as success.
func TestAPanicIsNotSwallowed(t *testing.T) {
	require.Panics(t, func() { execute(t.Context(), "pixcert", []string{"--help"}, panicking{}, panicking{}) })
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("no room to write") }
