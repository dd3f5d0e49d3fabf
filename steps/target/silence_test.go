package target

import (
	"bufio"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/exchange"
)

// silentAt answers 401 to every request but those to some paths, or to none at all once
// dead is set: there it closes the connection, so that no deadline has to pass.
func silentAt(t *testing.T, dead *atomic.Bool, silent ...string) *Target {
	address := serveRaw(t, func(conn *net.TCPConn, in *bufio.Reader) {
		r, err := readRequest(in)
		if err != nil || dead.Load() || slices.Contains(silent, r.URL.Path) {
			return
		}
		said("HTTP/1.1 401 X\r\nContent-Length: 2\r\n\r\n{}")(conn)
	})
	return watched(t, Profile{BaseURL: "http://" + address, Control: &ControlAccess{URL: "http://" + address}})
}

func watched(t *testing.T, p Profile) *Target {
	target := open(t, p)
	target.Client.Watch(func(string) {})
	t.Cleanup(target.Client.Close)
	return target
}

// neverAnswers is how long to wait for a party that will not answer again: long enough to ask several times.
const neverAnswers = time.Second

func cashOut() Request {
	r := post("/api/pix/cash-out", "{}")
	r.Operation = "cash-out"
	return r
}

func TestADeadTargetIsGivenUp(t *testing.T) {
	t.Parallel()
	var dead atomic.Bool
	target := silentAt(t, &dead)
	target.Client.apiLiveness.patience = neverAnswers
	require.Empty(t, target.Client.Send(background(), get("/")).Err)
	dead.Store(true)
	e := target.Client.Send(background(), get("/"))
	assert.True(t, NoResponse(e), e.Err)
	assert.Regexp(t, `^the target stopped responding at \d\d:\d\d:\d\d UTC, after 1 request$`, target.Client.GivenUp(exchange.API).String())
	e = target.Client.Send(background(), get("/"))
	assert.True(t, Unsent(e))
	assert.Contains(t, e.Err, "not sent: the target stopped responding")
	assert.Nil(t, target.Client.GivenUp(exchange.Control), "the controls are another matter")
}

// An edge that closes every connection without a client certificate answers whoever shows one.
func TestAnEdgeThatClosesWithoutACertificateIsAlive(t *testing.T) {
	t.Parallel()
	target := watched(t, mutual(t, tls.RequestClientCert, func(s *httptest.Server) {
		answer := s.Config.Handler
		s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if len(r.TLS.PeerCertificates) == 0 {
				panic(http.ErrAbortHandler)
			}
			answer.ServeHTTP(w, r)
		})
	}))
	target.Client.apiLiveness.patience = neverAnswers
	r := get("/")
	r.Certificate, _ = client(t, certs.Valid)
	require.Empty(t, target.Client.Send(background(), r).Err)
	r.Certificate = &tls.Certificate{}
	e := target.Client.Send(background(), r)
	require.True(t, NoResponse(e), e.Err)
	require.Nil(t, target.Client.GivenUp(exchange.API))
	require.Empty(t, target.Client.Outages())
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
	target := watched(t, Profile{BaseURL: "http://" + address})
	target.Client.apiLiveness.patience = neverAnswers
	e := target.Client.Send(background(), cashOut())
	require.True(t, NoResponse(e))
	require.True(t, target.Client.Responding(e))
	down.Store(true)
	require.Equal(t, 503, target.Client.Send(background(), get("/")).Status)
	require.Regexp(t, `^the target stopped responding at .* UTC, after \d+ requests?; requests then got 503, as from a proxy whose gateway is down$`, target.Client.GivenUp(exchange.API).String())
	require.True(t, Unsent(target.Client.Send(background(), get("/"))))
}

// An error of the API is a response of the gateway, whatever its status.
func TestAnEnvelopeIsNoProxys(t *testing.T) {
	t.Parallel()
	for body, isProxy := range map[string]bool{
		`{"code":"PUB_AUTH_UPSTREAM_ERROR"}`: false, `{"statusCode":503}`: false, `{"message":"no upstream"}`: true, `<html>`: true, "": true, "null": true, "[]": true,
	} {
		assert.Equal(t, isProxy, MayBeProxy(exchange.Exchange{Status: 503, ResponseBody: []byte(body)}), body)
	}
}

func TestDeadControlsAreGivenUp(t *testing.T) {
	t.Parallel()
	var dead atomic.Bool
	dead.Store(true)
	target := silentAt(t, &dead)
	target.Client.controlLiveness.patience = neverAnswers
	r := get("/accounts")
	r.Party = exchange.Control
	target.Client.Send(background(), r)
	assert.Contains(t, target.Client.GivenUp(exchange.Control).String(), "test controls")
	assert.Nil(t, target.Client.GivenUp(exchange.API))
}

// One operation that never answers ends no run. No more of it is sent until it is tried alone; if it is silent then,
// too, it is never sent again.
func TestASilentOperationEndsNoRun(t *testing.T) {
	t.Parallel()
	var dead atomic.Bool
	target := silentAt(t, &dead, "/api/pix/cash-out")
	client := target.Client
	for range mostUnanswered {
		e := client.Send(background(), cashOut())
		require.True(t, NoResponse(e), e.Err)
		require.True(t, client.Responding(e))
	}
	e := client.Send(background(), cashOut())
	require.True(t, Unsent(e))
	require.True(t, Held(e), e.Err)
	require.Empty(t, client.Send(background(), get("/")).Err)
	client.Alone(true)
	e = client.Send(background(), cashOut())
	require.True(t, NoResponse(e), e.Err)
	client.Silenced(e, "it is silent")
	e = client.Send(background(), cashOut())
	require.Equal(t, "it is silent", Established(e), e.Err)
	require.Nil(t, client.GivenUp(exchange.API))
	require.Empty(t, client.Outages())
}

// A target that responds has not stopped responding, however malformed its responses are.
func TestMalformedResponsesEndNoRun(t *testing.T) {
	t.Parallel()
	for name, response := range map[string]string{
		"malformed": "HTTP/1.1 nonsense\r\n\r\n", "oversized": "HTTP/1.1 200 OK\r\nX-Filler: " + strings.Repeat("a", maxHeader) + "\r\n\r\n", "chunks": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var broken atomic.Bool
			address := serveRaw(t, func(conn *net.TCPConn, in *bufio.Reader) {
				if _, err := readRequest(in); err != nil {
					return
				}
				if broken.Load() {
					said(response)(conn)
					return
				}
				said("HTTP/1.1 401 X\r\nContent-Length: 2\r\n\r\n{}")(conn)
			})
			target := watched(t, Profile{BaseURL: "http://" + address})
			target.Client.apiLiveness.patience = neverAnswers
			broken.Store(true)
			for range 200 {
				e := target.Client.Send(background(), cashOut())
				require.NotEmpty(t, e.Err)
				require.False(t, NoResponse(e), e.Err)
				require.False(t, Unsent(e), e.Err)
			}
			require.Nil(t, target.Client.GivenUp(exchange.API))
		})
	}
}

// A target that is restarted is not given up, and nothing is sent until it is back. The outage is recorded.
func TestARestartEndsNoRun(t *testing.T) {
	t.Parallel()
	var dead atomic.Bool
	target := silentAt(t, &dead)
	require.Empty(t, target.Client.Send(background(), get("/")).Err)
	began := time.Now()
	dead.Store(true)
	var wait sync.WaitGroup
	for range 32 {
		wait.Go(func() { target.Client.Send(background(), get("/")) })
	}
	assert.Eventually(t, func() bool { return len(target.Client.Outages()) > 0 }, 10*time.Second, time.Millisecond)
	dead.Store(false)
	wait.Wait()
	assert.Nil(t, target.Client.GivenUp(exchange.API))
	assert.Empty(t, target.Client.Send(background(), get("/")).Err)
	outages := target.Client.Outages()
	require.Len(t, outages, 1)
	require.True(t, outages[0].From.Before(began))
	require.True(t, outages[0].To.After(began))
	require.True(t, target.Client.WasOut(began, time.Now()))
	require.False(t, target.Client.WasOut(outages[0].To.Add(time.Nanosecond), time.Now()))
}

// A target that closes many requests at once, and responds at once again, was restarted: its operation is not silent.
func TestRequestsThatEndTogetherAreOne(t *testing.T) {
	t.Parallel()
	var liveness liveness
	together := exchange.Exchange{Sent: time.Now(), Took: time.Millisecond}
	for range 2 * mostUnanswered {
		liveness.unanswered(cashOut(), together)
	}
	require.Empty(t, liveness.withheld(cashOut(), new(atomic.Bool)))
	timedOut := exchange.Exchange{Sent: time.Now(), Took: 10 * time.Second}
	for range mostUnanswered {
		liveness.unanswered(cashOut(), timedOut)
	}
	require.NotEmpty(t, liveness.withheld(cashOut(), new(atomic.Bool)))
}

// A target that responds to nothing for a while has an outage, although no request times out.
func TestAFrozenTargetHasAnOutage(t *testing.T) {
	t.Parallel()
	var freeze atomic.Bool
	thawed := make(chan struct{})
	address := serveRaw(t, func(conn *net.TCPConn, in *bufio.Reader) {
		if _, err := readRequest(in); err != nil {
			return
		}
		if freeze.Load() {
			<-thawed
		}
		said("HTTP/1.1 401 X\r\nContent-Length: 2\r\n\r\n{}")(conn)
	})
	target := watched(t, Profile{BaseURL: "http://" + address, Deadlines: Deadlines{Answer: time.Minute}})
	freeze.Store(true)
	var e exchange.Exchange
	done := make(chan struct{})
	go func() {
		e = target.Client.Send(background(), get("/"))
		close(done)
	}()
	require.Eventually(t, func() bool { return len(target.Client.Outages()) == 1 }, time.Minute, 10*time.Millisecond)
	freeze.Store(false)
	close(thawed)
	<-done
	require.Empty(t, e.Err)
	require.NoError(t, target.Client.AwaitResponses(background()))
	require.False(t, target.Client.Outages()[0].To.IsZero())
}

// Who no longer waits has heard nothing.
func TestAnInterruptedRunGivesNothingUp(t *testing.T) {
	t.Parallel()
	var dead atomic.Bool
	dead.Store(true)
	target := silentAt(t, &dead)
	ended, cancel := context.WithCancel(background())
	cancel()
	for range 100 {
		target.Client.Send(ended, Request{Method: http.MethodGet, Path: "/"})
	}
	assert.Nil(t, target.Client.GivenUp(exchange.API))
	assert.Empty(t, target.Client.Outages())
}

// What looks like a silent operation is tried again now and then, since it may have been the edge of an outage.
func TestAHeldOperationIsTriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var alone atomic.Bool
		h, r := &liveness{}, get("/")
		for range mostUnanswered {
			require.Empty(t, h.withheld(r, &alone))
			h.unanswered(r, exchange.Exchange{Sent: time.Now(), Took: stalled})
		}
		require.Contains(t, h.withheld(r, &alone), held)
		time.Sleep(heldFor)
		require.Empty(t, h.withheld(r, &alone))
		require.Contains(t, h.withheld(r, &alone), held, "one at a time")
		h.answered(r)
		require.Empty(t, h.withheld(r, &alone))
	})
}
