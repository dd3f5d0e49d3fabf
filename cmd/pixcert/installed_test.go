package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAShellCompletesWords(t *testing.T) {
	for line, want := range map[string]string{
		"pixcert comp":              "completion compare",
		"pixcert completion ":       "bash zsh fish",
		"pixcert serve --tls":       "--tls-cert --tls-key",
		"pixcert certify --rerun":   "--rerun-failed",
		"pixcert certify pixcert.y": "",
	} {
		t.Setenv("COMP_LINE", line)
		status, stdout, stderr := invoke(t)
		require.Zero(t, status, stderr)
		assert.ElementsMatch(t, strings.Fields(want), strings.Fields(stdout), line)
	}
}

func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for shell := range completionScripts {
		status, stdout, _ := invoke(t, "completion", shell)
		assert.Zero(t, status)
		assert.Contains(t, stdout, "pixcert", shell)
	}
	status, _, stderr := invoke(t, "completion", "cmd.exe")
	assert.Equal(t, exitNotRun, status)
	assert.Contains(t, stderr, "bash")
}

func TestTheManualPageHasEveryCommand(t *testing.T) {
	t.Parallel()
	status, stdout, stderr := invoke(t, "man")
	require.Zero(t, status, stderr)
	for _, command := range kong.Must(&commands{}).Model.Children {
		if command.Passthrough {
			continue
		}
		assert.Contains(t, stdout, "\n.SH \"PIXCERT "+strings.ToUpper(command.Name)+"\"\n.nf\nUsage: pixcert "+command.Name)
	}
	assert.Contains(t, stdout, `\-\-control\-url`)
	assert.NotRegexp(t, `(?m)^'`, stdout, "a line that roff would read as a request")
}

// An argument overrides a variable; an empty variable counts as not set.
func TestVariablesSetFlags(t *testing.T) {
	t.Setenv("PIXCERT_LISTEN", "0.0.0.0:9090")
	t.Setenv("PIXCERT_CONTROLS", "off")
	t.Setenv("PIXCERT_ALLOW_PRIVATE_WEBHOOKS", "true")
	t.Setenv("PIXCERT_TRUST_PROXY", "10.0.0.0/8,::1/128")
	t.Setenv("PIXCERT_DATA", "")
	t.Setenv("PIXCERT_VERSION", "1.2.3")
	parsed, _, err := parse([]string{"serve", "--controls", "127.0.0.1:0"}, t.Output(), t.Output())
	require.NoError(t, err)
	serve := parsed.Selected().Target.Interface().(serveCmd)
	assert.Equal(t, "0.0.0.0:9090", serve.Listen)
	assert.Equal(t, "127.0.0.1:0", serve.Controls)
	assert.True(t, *serve.Private)
	assert.Len(t, serve.Edge.TrustProxy, 2)
	assert.Nil(t, serve.Data)

	parsed, _, err = parse([]string{"init"}, t.Output(), t.Output())
	require.NoError(t, err)
	assert.Empty(t, parsed.Selected().Target.Interface().(initCmd).Controls, "a flag of another meaning")
}

// Every variable that the image, the compose file and their pages set is one of a flag.
func TestVariablesOfTheImageAreThoseOfFlags(t *testing.T) {
	t.Parallel()
	var flags []string
	for _, command := range kong.Must(&commands{}).Model.Children {
		if slices.Contains(configurable, command.Name) {
			for _, flag := range command.Flags {
				flags = append(flags, variableOf(flag.Name))
			}
		}
	}
	for _, file := range []string{"ci/image/Dockerfile", "ci/image/pixcert.yaml", "ci/PACKAGES.md", "reference/compose.yaml", "reference/TESTCONTAINERS.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(file)))
		require.NoError(t, err)
		used := regexp.MustCompile(`PIXCERT_[A-Z_]+`).FindAllString(string(text), -1)
		require.NotEmpty(t, used, file)
		assert.Subset(t, flags, used, file)
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		start  func(http.Handler) *httptest.Server
		flags  []string
		status int
		answer int
	}{
		"ready":     {httptest.NewServer, nil, http.StatusOK, 0},
		"TLS":       {httptest.NewTLSServer, []string{"--mtls"}, http.StatusOK, 0},
		"not ready": {httptest.NewServer, nil, http.StatusServiceUnavailable, exitNotRun},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := c.start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				assert.Equal(t, "/healthz", r.URL.Path)
				w.WriteHeader(c.status)
			}))
			defer server.Close()
			status, _, stderr := invoke(t, append([]string{"health", "--listen", server.Listener.Addr().String()}, c.flags...)...)
			assert.Equal(t, c.answer, status, stderr)
		})
	}
	for listen, want := range map[string]string{
		"0.0.0.0:8080": "http://localhost:8080/healthz", "[::]:80": "http://localhost:80/healthz", ":80": "http://localhost:80/healthz",
		"127.0.0.1:80": "http://127.0.0.1:80/healthz", "gateway:80": "http://gateway:80/healthz",
	} {
		assert.Equal(t, want, (&healthCmd{Listen: listen}).url(), listen)
	}
}

func TestK6IsAnotherProgram(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the image, which has k6, is for Linux")
	}
	t.Setenv("PATH", t.TempDir())
	status, _, stderr := invoke(t, "k6", "run", "script.js")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "load/README.md")

	require.NoError(t, os.WriteFile(filepath.Join(os.Getenv("PATH"), "k6"), []byte("#!/bin/sh\necho \"$@\"\nexit 99\n"), 0o700)) //nolint:gosec // a program
	program, err := os.Executable()
	require.NoError(t, err)
	run := exec.Command(program, "k6", "run", "--vus", "1", "script.js")
	run.Env = append(os.Environ(), asCommand+"=1")
	out, err := run.Output()
	require.Equal(t, "run --vus 1 script.js\n", string(out))
	var failed *exec.ExitError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, 99, failed.ExitCode())
}
