package target

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
)

// silentAt answers 401 to every request but those to some paths, or to none at all once
// dead is set: there it closes the connection, so that no deadline has to pass.
func silentAt(t *testing.T, dead *atomic.Bool, silent ...string) *Target {
	address := serveRaw(t, func(conn *net.TCPConn, in *bufio.Reader) {
		r, err := readRequest(in)
		if err != nil || dead.Load() {
			return
		}
		for _, path := range silent {
			if r.URL.Path == path {
				return
			}
		}
		said("HTTP/1.1 401 X\r\nContent-Length: 2\r\n\r\n{}")(conn)
	})
	return open(t, Profile{BaseURL: "http://" + address, Control: &ControlAccess{URL: "http://" + address}})
}

// neverAnswers is how long to wait for a party that will not answer again: long enough to ask several times.
const neverAnswers = time.Second

func TestADeadTargetIsGivenUp(t *testing.T) {
	t.Parallel()
	var dead atomic.Bool
	target := silentAt(t, &dead)
	target.Client.apiLiveness.patience = neverAnswers
	require.Empty(t, target.Client.Send(background(), get("/")).Err)
	dead.Store(true)
	for range askAfter {
		require.Nil(t, target.Client.GivenUp(exchange.API))
		e := target.Client.Send(background(), get("/"))
		assert.False(t, Unsent(e))
		assert.NotEmpty(t, e.Err)
	}
	assert.Regexp(t, `^the target stopped responding at \d\d:\d\d:\d\d UTC, after 1 request$`, target.Client.GivenUp(exchange.API).String())
	e := target.Client.Send(background(), get("/"))
	assert.True(t, Unsent(e))
	assert.Contains(t, e.Err, "not sent: the target stopped responding")
	assert.Nil(t, target.Client.GivenUp(exchange.Control), "the controls are another matter")
}

// A load balancer that responds for a gateway that is down is not the gateway; one failing operation is.
func TestAProxyWithoutItsGatewayIsGivenUp(t *testing.T) {
	t.Parallel()
	var down atomic.Bool
	address := serveRaw(t, func(conn *net.TCPConn, in *bufio.Reader) {
		r, err := readRequest(in)
		switch {
		case err != nil:
		case down.Load() || r.URL.Path == "/api/pix/cash-out":
			said("HTTP/1.1 503 X\r\nContent-Length: 20\r\n\r\nno healthy upstream\n")(conn)
		default:
			said("HTTP/1.1 401 X\r\nContent-Length: 2\r\n\r\n{}")(conn)
		}
	})
	target := open(t, Profile{BaseURL: "http://" + address})
	target.Client.apiLiveness.patience = neverAnswers
	for range giveUpAfter + askAfter {
		require.False(t, Unsent(target.Client.Send(background(), post("/api/pix/cash-out", "{}"))))
	}
	require.Empty(t, target.Client.Send(background(), get("/")).Err)
	down.Store(true)
	for range askAfter {
		require.Equal(t, 503, target.Client.Send(background(), get("/")).Status)
	}
	require.Regexp(t, `^the target stopped responding at .* UTC, after \d+ requests?; requests then got 503, as from a proxy whose gateway is down$`, target.Client.GivenUp(exchange.API).String())
	require.True(t, Unsent(target.Client.Send(background(), get("/"))))
}

func TestDeadControlsAreGivenUp(t *testing.T) {
	t.Parallel()
	var dead atomic.Bool
	dead.Store(true)
	target := silentAt(t, &dead)
	target.Client.controlLiveness.patience = neverAnswers
	for range askAfter {
		r := get("/accounts")
		r.Party = exchange.Control
		target.Client.Send(background(), r)
	}
	assert.Contains(t, target.Client.GivenUp(exchange.Control).String(), "test controls")
	assert.Nil(t, target.Client.GivenUp(exchange.API))
}

// One operation that never answers is a finding about that operation, however often it
// is sent; but not as the only thing for ever.
func TestASilentOperationEndsNoRun(t *testing.T) {
	t.Parallel()
	var dead atomic.Bool
	target := silentAt(t, &dead, "/api/pix/cash-out")
	for range 3 * askAfter {
		e := target.Client.Send(background(), post("/api/pix/cash-out", "{}"))
		require.False(t, Unsent(e))
	}
	require.Empty(t, target.Client.Send(background(), get("/")).Err)
	for range giveUpAfter {
		require.False(t, Unsent(target.Client.Send(background(), post("/api/pix/cash-out", "{}"))))
	}
	require.True(t, Unsent(target.Client.Send(background(), post("/api/pix/cash-out", "{}"))))
}

// A target that is restarted while it is asked is not given up, and nothing is sent until
// it is back.
func TestARestartEndsNoRun(t *testing.T) {
	t.Parallel()
	var dead atomic.Bool
	target := silentAt(t, &dead)
	target.Client.apiLiveness.patience = time.Minute
	dead.Store(true)
	var wait sync.WaitGroup
	for range 4 * askAfter {
		wait.Go(func() { target.Client.Send(background(), get("/")) })
	}
	time.AfterFunc(300*time.Millisecond, func() { dead.Store(false) })
	wait.Wait()
	assert.Nil(t, target.Client.GivenUp(exchange.API))
	assert.Empty(t, target.Client.Send(background(), get("/")).Err)
}

// Who no longer waits has heard nothing.
func TestAnInterruptedRunGivesNothingUp(t *testing.T) {
	t.Parallel()
	var dead atomic.Bool
	dead.Store(true)
	target := silentAt(t, &dead)
	ended, cancel := context.WithCancel(background())
	cancel()
	for range giveUpAfter {
		target.Client.Send(ended, Request{Method: http.MethodGet, Path: "/"})
	}
	assert.Nil(t, target.Client.GivenUp(exchange.API))
}
