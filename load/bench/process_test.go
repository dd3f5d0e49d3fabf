package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// process is this program in another role, until its test ends.
type process struct {
	t      *testing.T
	cmd    *exec.Cmd
	stdin  io.Closer
	output reftest.Output
	exited chan struct{}
	err    error // of the process, once it has exited
}

// launch starts this program in another role. Its standard input ends when the test wants it
// to end.
func launch(t *testing.T, role string, env []string, args ...string) *process {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	p := &process{t: t, cmd: exec.Command(program, args...), exited: make(chan struct{})}
	p.cmd.Env = append(append(os.Environ(), env...), roleVariable+"="+role)
	p.cmd.Dir = t.TempDir()
	p.cmd.Stdout, p.cmd.Stderr = &p.output, &p.output
	p.stdin, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	go func() {
		p.err = p.cmd.Wait()
		close(p.exited)
	}()
	t.Cleanup(p.end)
	return p
}

// end kills the process if it still runs, and waits for it.
func (p *process) end() {
	p.stdin.Close()
	_ = p.cmd.Process.Kill()
	<-p.exited
}

// wait waits for the end and returns the exit status.
func (p *process) wait(timeout time.Duration) int {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), timeout)
	defer cancel()
	select {
	case <-p.exited:
		return p.cmd.ProcessState.ExitCode()
	case <-ctx.Done():
		p.t.Fatalf("expected the process to end within %v, but it did not; it printed:\n%s", timeout, p.output.String())
		return -1
	}
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// running says whether it is still running.
func (p *process) running() bool {
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// cpu is the CPU time of a process so far, user and system, to a hundredth of a second.
func cpu(t *testing.T, pid int) time.Duration {
	t.Helper()
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	require.NoError(t, err)
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // the name may contain spaces
	var ticks int64
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(field, 10, 64)
		require.NoError(t, err)
		ticks += n
	}
	return time.Duration(ticks) * (time.Second / 100)
}

// resident is a line of a process's memory in bytes: VmRSS now, VmHWM at most so far. It
// is false when the process has ended.
func resident(pid int, line string) (bytes int64, running bool) {
	status, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "status"))
	if err != nil {
		return 0, false
	}
	_, rest, running := strings.Cut(string(status), line+":")
	var kibibytes int64
	_, err = fmt.Sscan(rest, &kibibytes)
	return kibibytes << 10, running && err == nil
}
