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
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// asCommand makes the test binary behave as the command, so that a test can run it in
// a process of its own.
const asCommand = "PIXCERT_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	os.Unsetenv("GITHUB_ACTIONS") // the tests may run there, and the command would print workflow commands
	if os.Getenv(asCommand) != "" {
		main()
	}
	if len(os.Args) == 6 && os.Args[1] == asRelay {
		os.Exit(relay(os.Args[2], os.Args[4], os.Args[5]))
	}
	goleak.VerifyTestMain(m)
}

// invoke runs the command in this process.
func invoke(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	status = execute(t.Context(), args, &out, &err)
	return status, out.String(), err.String()
}

func TestTheBundledReferenceConforms(t *testing.T) {
	t.Parallel()
	report := t.TempDir()
	status, stdout, stderr := invoke(t, "certify", "--report", report)
	require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
	require.Empty(t, stderr)
	require.Contains(t, stdout, "Conforms")
	require.NotContains(t, stdout, "\x1b", "no control characters where there is no terminal")

	var document struct {
		Outcome    string
		ExitStatus int
	}
	read(t, filepath.Join(report, "verdict.json"), func(b []byte) error { return json.Unmarshal(b, &document) })
	require.Equal(t, "conforms", document.Outcome)

	var junit struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
	}
	read(t, filepath.Join(report, "junit.xml"), func(b []byte) error { return xml.Unmarshal(b, &junit) })
	require.Positive(t, junit.Tests)
	require.Zero(t, junit.Failures)

	read(t, filepath.Join(report, "index.html"), func(b []byte) error {
		require.NotRegexp(t, regexp.MustCompile(`(?i)(src|href)="?https?://`), string(b), "the report is self-contained")
		return nil
	})
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

	status, out, errs := invoke(t, "certify", "--url", urls[0], "--control-url", urls[1], "--report", t.TempDir())
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

// Each scenario gets the same verdict and as many warnings in any order and at any concurrency.
// PIXCERT_SEEDS is the number of orders for each concurrency.
func TestTheVerdictsDoNotDependOnTheOrder(t *testing.T) {
	t.Parallel()
	seeds := int64(1)
	if given := os.Getenv("PIXCERT_SEEDS"); given != "" {
		_, err := fmt.Sscan(given, &seeds)
		require.NoError(t, err)
	}
	var first map[string]string
	for _, concurrency := range []int{1, 4, 32} {
		for seed := int64(concurrency); seed < int64(concurrency)+seeds; seed++ { // other orders at each concurrency
			came := verdicts(t, seed, concurrency)
			if first == nil {
				first = came
			}
			require.Equal(t, first, came, "seed %d, concurrency %d", seed, concurrency)
		}
	}
}

func verdicts(t *testing.T, seed int64, concurrency int) map[string]string {
	t.Helper()
	profile, stop, err := bundled(t.Context(), reference.Config{})
	require.NoError(t, err)
	defer stop()
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Seed: seed, Concurrency: concurrency})
	require.NoError(t, err)
	came := map[string]string{}
	for _, s := range result.Scenarios {
		came[s.Rule+"/"+s.Name] = fmt.Sprintf("%v, %d warnings", s.Verdict, len(s.Warnings))
		if s.Finding != nil {
			t.Logf("%s/%s: %+v", s.Rule, s.Name, *s.Finding)
		}
	}
	return came
}

// An interrupted run ends at once and leaves nothing behind.
func TestARunCanBeInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	var out, errs bytes.Buffer
	status := execute(ctx, []string{"certify", "--concurrency", "1", "--report", t.TempDir()}, &out, &errs)
	require.Equal(t, exitNotRun, status)
	require.Contains(t, errs.String(), "interrupted")
}

// A panic of the command is not reported as success.
func TestAPanicIsNotSwallowed(t *testing.T) {
	require.Panics(t, func() { execute(t.Context(), []string{"--help"}, panicking{}, panicking{}) })
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("no room to write") }
