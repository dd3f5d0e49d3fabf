// Package reftest runs the bundled reference gateway for tests, in a separate process, because
// this module must not import the gateway.
package reftest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// Target is a reference gateway that runs until its test ends.
type Target struct {
	URL        string // of the API, such as http://127.0.0.1:40001
	ControlURL string // of the test controls

	t       testing.TB
	program string
	data    string // directory of persistent data; empty: in memory
	process *exec.Cmd
	output  *Output
	exited  chan struct{} // closed once the process has been waited for
}

// Start builds the gateway, once per test binary, and runs it in memory on free loopback ports.
// It skips the test if the gateway's source is missing.
func Start(t testing.TB) *Target {
	t.Helper()
	return start(t, "")
}

// StartDurable is like Start, with data in a directory, which survives Kill and Restart.
func StartDurable(t testing.TB) *Target {
	t.Helper()
	return start(t, t.TempDir())
}

// Kill kills the process, like a crash, and waits until it is gone.
func (g *Target) Kill() {
	g.t.Helper()
	if err := g.process.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		g.t.Errorf("cannot end the reference gateway: %v", err)
	}
	<-g.exited
}

// Restart runs the gateway again, at the same addresses, after Kill.
func (g *Target) Restart() {
	g.t.Helper()
	g.run(strings.TrimPrefix(g.URL, "http://"), strings.TrimPrefix(g.ControlURL, "http://"))
}

// Pixcert is the command of the project with arguments, such as certify.
func (g *Target) Pixcert(arguments ...string) *exec.Cmd {
	return exec.Command(g.program, arguments...) // #nosec G204 -- the program that it has built
}

// PID is the process id, for measurements.
func (g *Target) PID() int { return g.process.Process.Pid }

const startTimeout = 30 * time.Second

func start(t testing.TB, data string) *Target {
	t.Helper()
	program, err := build()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the source of the reference gateway is missing: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	g := &Target{t: t, program: program, data: data}
	g.run("127.0.0.1:0", "127.0.0.1:0")
	t.Cleanup(g.Kill)
	return g
}

// run starts the process and reads its addresses from what it prints.
func (g *Target) run(api, controls string) {
	g.t.Helper()
	arguments := []string{"serve", "--listen", api, "--controls", controls}
	if g.data != "" {
		arguments = append(arguments, "--data", g.data)
	}
	g.output = &Output{}
	g.process = exec.Command(g.program, arguments...)             // #nosec G204 -- likewise
	g.process.Env = append(os.Environ(), "TMPDIR="+g.t.TempDir()) // killed, it cannot tidy up
	g.process.Stderr = g.output
	stdout, err := g.process.StdoutPipe()
	if err != nil {
		g.t.Fatal(err)
	}
	if err := g.process.Start(); err != nil {
		g.t.Fatalf("cannot start the reference gateway: %v", err)
	}
	ready, exited := make(chan struct{}), make(chan struct{})
	process := g.process
	g.exited = exited
	go func() {
		defer close(exited)
		g.read(stdout, ready)
		_ = process.Wait() // however it ended
	}()
	deadline := time.NewTimer(startTimeout)
	defer deadline.Stop()
	select {
	case <-ready:
	case <-exited:
		g.t.Fatalf("the reference gateway ended before it served:\n%s", g.output)
	case <-deadline.C:
		g.Kill()
		g.t.Fatalf("the reference gateway did not serve within %v:\n%s", startTimeout, g.output)
	}
}

// read takes the addresses from the first lines, and drops the rest of the output.
func (g *Target) read(stdout io.Reader, ready chan<- struct{}) {
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "API"); ok && g.URL == "" {
			g.URL = strings.TrimSpace(address)
		}
		if address, ok := strings.CutPrefix(lines.Text(), "test controls"); ok && g.ControlURL == "" {
			g.ControlURL = strings.TrimSpace(address)
		}
		if strings.Contains(lines.Text(), "Ctrl-C") { // the last line
			close(ready)
			break
		}
	}
	_, _ = io.Copy(io.Discard, stdout) // until the end
}

// build makes the program, once, and returns its path in Go's build cache: go run keeps programs
// there for the next test binary. When it builds one anew, it runs and removes it elsewhere first.
var build = sync.OnceValues(func() (string, error) {
	_, here, _, _ := runtime.Caller(0)
	source := filepath.Join(filepath.Dir(here), "..", "..", "..", "..")
	if _, err := os.Stat(filepath.Join(source, "reference", "gateway.go")); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	var printed []byte
	for range 2 {
		command := exec.CommandContext(ctx, "go", "run", "-exec", "echo", "./cmd/pixcert")
		command.Dir = source
		var err error
		command.Stderr = os.Stderr
		if printed, err = command.Output(); err != nil {
			return "", fmt.Errorf("cannot build the reference gateway: %w", err)
		}
		program := strings.TrimSpace(string(printed))
		if _, err := os.Stat(program); err == nil {
			return program, nil
		}
	}
	return "", fmt.Errorf("expected the path of the reference gateway in Go's build cache, got %q", printed)
})

// Output is a process's output, which can be read while the process runs.
type Output struct {
	mu   sync.Mutex
	kept bytes.Buffer
}

// Write is called with the output of the process.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept.Write(p)
}

// String is the output so far.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.kept.String()
}

// FreeAddress is one of the loopback on which nobody listens. Its port is none of those that the system gives to
// connections, one of which might otherwise take it first.
func FreeAddress(t testing.TB) string {
	t.Helper()
	for range 100 {
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000))) // #nosec G404 -- a port, no secret
		if err != nil {
			continue
		}
		if err := listener.Close(); err != nil {
			t.Fatal(err)
		}
		return listener.Addr().String()
	}
	t.Fatal("no port is free")
	return ""
}
