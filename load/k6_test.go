package load

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/cmd"

	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// asK6 makes the test binary run as k6 with this extension, so that tests cover the real
// program, including its exit status.
const asK6 = "PIXCERT_TEST_AS_K6"

func TestMain(m *testing.M) {
	if os.Getenv(asK6) != "" {
		cmd.Execute()
		return
	}
	os.Exit(m.Run())
}

// k6Run is the output of one k6 process.
type k6Run struct {
	status         int
	stdout, stderr string
	dir            string // its working directory
}

// runK6 runs a script in k6 to its end. Variables are NAME=value; args go before the
// script's name.
func runK6(t *testing.T, script string, env []string, args ...string) k6Run {
	t.Helper()
	k := startK6(t, script, env, args...)
	return k.wait(t)
}

// k6Process is a running k6.
type k6Process struct {
	*exec.Cmd
	stdout, stderr reftest.Output
}

func startK6(t *testing.T, script string, env []string, args ...string) *k6Process {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "script.ts")
	require.NoError(t, os.WriteFile(path, []byte(script), 0o600))
	return start(t, dir, env, program(t), append(append([]string{"run", "--quiet", "--no-color"}, args...), path)...)
}

// program is this test binary: it is k6 if asK6 is set.
func program(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	return path
}

// start starts a process in a directory, without the environment variables that k6 or the
// scripts read.
func start(t *testing.T, dir string, env []string, program string, args ...string) *k6Process {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(cancel)
	k := &k6Process{Cmd: exec.CommandContext(ctx, program, args...)}
	k.Dir = dir
	k.WaitDelay = 10 * time.Second // for what a shell has left behind
	k.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "PIX_") || strings.HasPrefix(v, "K6_")
	})
	k.Env = append(append(k.Env, asK6+"=1", "K6_NO_USAGE_REPORT=true", "NO_COLOR=true", "PIX_RESULT=result.json"), env...)
	k.Stdout, k.Stderr = &k.stdout, &k.stderr
	require.NoError(t, k.Start())
	return k
}

func (k *k6Process) wait(t *testing.T) k6Run {
	t.Helper()
	err := k.Wait()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		require.NoError(t, err, k.stderr.String())
	}
	return k6Run{status: k.ProcessState.ExitCode(), stdout: k.stdout.String(), stderr: k.stderr.String(), dir: k.Dir}
}

func TestTheModuleIsRegistered(t *testing.T) {
	t.Parallel()
	k := runK6(t, `
		import * as pix from "k6/x/pix";
		export default function () { console.log("module is a " + typeof pix); }`, nil)
	requireSound(t, k)
	require.Contains(t, k.stderr, "module is a object")
}
