package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/test/faulty"
)

// target is a faulty.Gateway in a separate process.
type target struct {
	URL         string
	Credentials []gateway.Credentials

	pid int
}

// gatewayVariable is the configuration of a gateway in its process's environment.
const gatewayVariable = "PIXCERT_BENCH_GATEWAY"

// serveGateway is the process: it prints a target, and serves until its input ends.
func serveGateway() int {
	var config faulty.Config
	if err := json.Unmarshal([]byte(os.Getenv(gatewayVariable)), &config); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	g, err := faulty.StartGateway(config)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_ = json.NewEncoder(os.Stdout).Encode(target{URL: g.URL, Credentials: g.Credentials()})
	_, _ = io.Copy(io.Discard, os.Stdin)
	g.Close()
	return 0
}

// startTarget starts a gateway that lives until the test ends.
func startTarget(t *testing.T, config faulty.Config) *target {
	t.Helper()
	text, err := json.Marshal(config)
	require.NoError(t, err)
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), roleVariable+"=gateway", gatewayVariable+"="+string(text))
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		stdin.Close()
		require.NoError(t, cmd.Wait())
	})
	var at target
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(line, &at))
	at.pid = cmd.Process.Pid
	return &at
}

// payments is how many cash-outs it has accepted.
func (g *target) payments(t *testing.T) int64 {
	t.Helper()
	response, err := http.Get(g.URL + "/payments")
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	n, err := strconv.ParseInt(string(text), 10, 64)
	require.NoError(t, err)
	return n
}
