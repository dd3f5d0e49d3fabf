package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// asRelay makes the test binary a control command: asRelay URL CONTROL METHOD PATH forwards the call to
// the controls at URL.
const asRelay = "relay-to"

func relay(url, method, path string) (exit int) {
	request, err := http.NewRequest(method, url+path, os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer response.Body.Close()
	exits := map[int]int{400: 40, 404: 44, 409: 49, 501: 51}
	switch {
	case response.StatusCode < 300:
		_, _ = io.Copy(os.Stdout, response.Body)
		return 0
	case exits[response.StatusCode] != 0:
		_, _ = io.Copy(os.Stderr, response.Body)
		return exits[response.StatusCode]
	default:
		return 1
	}
}

// relayed starts the bundled reference with its controls behind a command.
func relayed(t *testing.T) target.Profile {
	t.Helper()
	profile, stop, err := bundled(t.Context(), reference.Config{})
	require.NoError(t, err)
	t.Cleanup(stop)
	profile.Control = &target.ControlAccess{Command: []string{os.Args[0], asRelay, profile.Control.URL}}
	return profile
}

// Controls work by a command as well as over HTTP. PIXCERT_EVERY_RULE=1 runs every rule.
func TestAGatewayIsCertifiedByACommand(t *testing.T) {
	t.Parallel()
	tags := "@cash-out.debit or @token.issued or @splits.unpaid"
	if os.Getenv("PIXCERT_EVERY_RULE") != "" {
		tags = ""
	}
	result, err := run.Certify(t.Context(), run.Options{Target: relayed(t), Tags: tags, Seed: 1})
	require.NoError(t, err)
	require.Equal(t, verdict.Conforms, result.Outcome(), "%s", whatFell(result))
	t.Logf("%d rules in %v", len(result.Rules), result.Took)
}

// whatFell lists what did not pass, a line for each scenario.
func whatFell(result *verdict.Run) string {
	var all strings.Builder
	for _, s := range result.Scenarios {
		if s.Finding != nil {
			fmt.Fprintf(&all, "%s/%s: %s: %+v\n", s.Rule, s.Name, s.Verdict, *s.Finding)
		}
	}
	return all.String()
}

// The example adapter adds the controls funds and settlement to a gateway, as a server and as a
// command. Here it translates for the reference, which has some other controls itself.
func TestTheExampleAdapterServes(t *testing.T) {
	t.Parallel()
	for name, access := range map[string]func(url string) *target.ControlAccess{
		"as a server": func(url string) *target.ControlAccess {
			return &target.ControlAccess{URL: serveAdapter(t, url), Command: []string{os.Args[0], asRelay, url}}
		},
		"as a command": func(url string) *target.ControlAccess {
			return &target.ControlAccess{URL: url, Command: adapter(t, url)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			profile, stop, err := bundled(t.Context(), reference.Config{WrapControls: withoutThoseOfTheAdapter})
			require.NoError(t, err)
			defer stop()
			profile.Control = access(profile.Control.URL)
			result, err := run.Certify(t.Context(), run.Options{
				Target: profile, Seed: 1,
				Tags: "@cash-out.retry or @transfer.settled or @cash-out.night-limit",
			})
			require.NoError(t, err)
			require.Equal(t, []string{"accounts", "directory", "fees", "funds", "settlement"}, result.Controls)
			require.Equal(t, verdict.Incomplete, result.Outcome(), "%s", whatFell(result))
			require.Equal(t, []string{"cash-out.night-limit", "transfer.settled"}, untested(result), "%s", whatFell(result))
		})
	}
}

// untested returns the rules that could not be tested completely.
func untested(result *verdict.Run) []string {
	var rules []string
	for _, s := range result.Scenarios {
		if s.Verdict == verdict.CouldNotTest && !slices.Contains(rules, s.Rule) {
			rules = append(rules, s.Rule)
		}
	}
	return rules
}

// withoutThoseOfTheAdapter makes the gateway list only controls that the adapter lacks. The others
// still work, as its admin API.
func withoutThoseOfTheAdapter(controls http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/controls" {
			_, _ = io.WriteString(w, `{"protocol":1,"controls":["accounts","directory","fees"]}`)
			return
		}
		controls.ServeHTTP(w, r)
	})
}

// adapter is the command line of the example adapter in front of an admin API.
func adapter(t *testing.T, admin string, args ...string) []string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		require.Empty(t, os.Getenv("PIXCERT_REQUIRE_ALL"), "python3 is not installed")
		t.Skip("python3 is not installed; the example adapter is written in it")
	}
	return append([]string{"env", "GATEWAY_ADMIN=" + admin, python, filepath.Join("..", "..", "ci", "adapter", "adapter.py")}, args...)
}

// serveAdapter runs the adapter as a server and returns its URL.
func serveAdapter(t *testing.T, admin string) string {
	t.Helper()
	words := adapter(t, admin, "serve", "127.0.0.1:0")
	server := exec.Command(words[0], words[1:]...)
	var log bytes.Buffer
	server.Stderr = &log
	stdout, err := server.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, server.Start())
	t.Cleanup(func() {
		require.NoError(t, server.Process.Signal(os.Interrupt))
		require.NoError(t, server.Wait(), "%s", &log)
	})
	printed := readUntil(t, bufio.NewScanner(stdout), "http://")
	return printed[strings.Index(printed, "http://") : len(printed)-1]
}

// The exit status and the last line of output of the adapter, as a command, when something goes wrong.
func TestTheExampleAdapterRefuses(t *testing.T) {
	t.Parallel()
	profile, stop, err := bundled(t.Context(), reference.Config{})
	require.NoError(t, err)
	defer stop()
	for name, c := range map[string]struct {
		args       []string
		body, says string
		exit       int
	}{
		"discovery":        {[]string{"controls", "GET", "/controls"}, "", `{"protocol": 1, "controls": ["funds", "settlement"]}`, 0},
		"no JSON":          {[]string{"funds", "PUT", "/accounts/1/balance"}, "{", "invalid body: JSONDecodeError", 40},
		"no amount":        {[]string{"funds", "PUT", "/accounts/1/balance"}, `{"available":"much"}`, "invalid body: ", 40},
		"nothing named":    {[]string{"settlement", "POST", "/accounts/1/settlements"}, `{}`, "invalid body: KeyError('outcome')", 40},
		"unknown account":  {[]string{"funds", "PUT", "/accounts/404/balance"}, `{"available":"1.00"}`, "not found", 44},
		"another control":  {[]string{"clock", "PUT", "/accounts/1/clock"}, `{}`, "no such call: PUT /accounts/1/clock", 51},
		"called otherwise": {nil, "", "no packages", 1},
	} {
		t.Run(name, func(t *testing.T) {
			words := adapter(t, profile.Control.URL, c.args...)
			command := exec.Command(words[0], words[1:]...)
			command.Stdin = strings.NewReader(c.body)
			out, _ := command.CombinedOutput()
			require.Equal(t, c.exit, command.ProcessState.ExitCode(), "%s", out)
			require.Contains(t, string(out), c.says)
		})
	}
}
