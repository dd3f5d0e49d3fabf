package reference

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"runtime/pprof"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// spawnVariable holds what a spawned gateway is to do, as JSON.
const spawnVariable = "PIXCERT_TEST_GATEWAY"

// spawnConfig is what a spawned gateway is told.
type spawnConfig struct {
	Data    string // as in Config
	Profile string // file for a CPU profile of its life; empty: none
}

// spawned is a gateway with controls in a process of its own, so that what it costs can
// be told from what its callers cost.
type spawned struct {
	API, Controls string
	ask           io.Writer
	answers       *json.Decoder
	command       *exec.Cmd
}

// kill ends the gateway as a crash does.
func (s *spawned) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, s.command.Process.Kill())
	_ = s.command.Wait() // it says that it was killed
}

func (s *spawned) URL() string         { return s.API }
func (s *spawned) ControlsURL() string { return s.Controls }

// spawn starts this very program as a gateway that does not verify receivers of
// webhooks. It ends with the test.
func spawn(t testing.TB, cfg spawnConfig) *spawned {
	t.Helper()
	told, err := json.Marshal(cfg)
	require.NoError(t, err)
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), spawnVariable+"="+string(told))
	command.Stderr = os.Stderr
	stdin, err := command.StdinPipe()
	require.NoError(t, err)
	stdout, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		stdin.Close() // which ends it
		if command.ProcessState == nil {
			require.NoError(t, command.Wait())
		}
	})
	s := &spawned{ask: stdin, answers: json.NewDecoder(stdout), command: command}
	require.NoError(t, s.answers.Decode(s))
	return s
}

// cpu is the processor time that the gateway has used.
func (s *spawned) cpu(t testing.TB) time.Duration {
	t.Helper()
	_, err := fmt.Fprintln(s.ask)
	require.NoError(t, err)
	var used time.Duration
	require.NoError(t, s.answers.Decode(&used))
	return used
}

// serveSpawned serves until standard input ends, and answers each line of it with the
// processor time used so far.
func serveSpawned() {
	fail := func(err error) {
		if err != nil {
			fmt.Fprintln(os.Stderr, "spawned gateway:", err)
			os.Exit(1)
		}
	}
	var cfg spawnConfig
	fail(json.Unmarshal([]byte(os.Getenv(spawnVariable)), &cfg))
	if cfg.Profile != "" {
		file, err := os.Create(cfg.Profile)
		fail(err)
		fail(pprof.StartCPUProfile(file))
		defer pprof.StopCPUProfile()
	}

	debug.SetGCPercent(400) // as the command serve has it
	g, err := Start(context.Background(), Config{Data: cfg.Data, ControlsListen: "127.0.0.1:0", WebhookInsecure: true})
	fail(err)
	answer := json.NewEncoder(os.Stdout)
	fail(answer.Encode(spawned{API: g.URL(), Controls: g.ControlsURL()}))
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fail(answer.Encode(processorTime()))
	}
	fail(g.Close(context.Background()))
}

// processorTime is what this process has used.
func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // cannot fail for SELF
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
