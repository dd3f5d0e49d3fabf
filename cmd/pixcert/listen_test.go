package main

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/sandbox"
	"github.com/pixcert/pixcert/reference/seedfile"
)

// listening is a running pixcert listen.
type listening struct {
	t     *testing.T
	typed *os.File
	ended chan error

	mu   sync.Mutex
	text bytes.Buffer
	seen int // bytes of text that were waited for
}

func (l *listening) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// listens runs pixcert listen until the test ends, and waits until it has registered.
func (c *tried) listens(command listenCmd) *listening {
	c.t.Helper()
	input, typed, err := os.Pipe()
	require.NoError(c.t, err)
	l := &listening{t: c.t, typed: typed, ended: make(chan error)}
	ctx, stop := context.WithCancel(c.t.Context())
	command.Sandbox.Profile = c.box.Profile
	command.Listen = cmp.Or(command.Listen, "127.0.0.1:0")
	go func() { l.ended <- command.Run(ctx, &console{out: l, err: l, in: input}) }()
	c.t.Cleanup(func() {
		stop()
		require.NoError(c.t, <-l.ended)
		require.NoError(c.t, typed.Close())
	})
	l.prints(`Account \d+ sends .* to https://127\.0\.0\.1:\d+\.`)
	return l
}

// patience is how long tests wait for what must happen, on the slowest machine.
const patience = time.Minute

// prints waits for the next line that matches.
func (l *listening) prints(pattern string) string {
	l.t.Helper()
	line := l.printsWithin(patience, pattern)
	require.NotEmpty(l.t, line, "expected %s, got %s", pattern, l.all())
	return line
}

// printsWithin returns the next line that matches, or "" if there is none by then.
func (l *listening) printsWithin(wait time.Duration, pattern string) string {
	expected := regexp.MustCompile(pattern)
	for deadline := time.Now().Add(wait); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if line := l.next(expected); line != "" {
			return line
		}
	}
	return ""
}

func (l *listening) next(expected *regexp.Regexp) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	text := l.text.Bytes()[l.seen:]
	found := expected.FindIndex(text)
	if found == nil {
		return ""
	}
	l.seen += found[1]
	return string(text[found[0]:found[1]])
}

func (l *listening) all() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func (l *listening) types(line string) {
	l.t.Helper()
	_, err := io.WriteString(l.typed, line+"\n")
	require.NoError(l.t, err)
}

// application is a developer's own server.
type application struct {
	*httptest.Server
	requests chan *http.Request // with their bodies read
	bodies   chan string
	status   chan int // of the next answers; 200 if empty
}

func newApplication(t *testing.T) *application {
	a := &application{requests: make(chan *http.Request, 100), bodies: make(chan string, 100), status: make(chan int, 1)}
	a.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		a.requests <- r
		a.bodies <- string(body)
		select {
		case status := <-a.status:
			http.Error(w, "not today", status)
		default:
		}
	}))
	t.Cleanup(a.Close)
	return a
}

// Deliveries reach an application on http, unchanged, and its answer reaches the gateway.
func TestListenForwards(t *testing.T) {
	t.Parallel()
	c, app := tryOut(t), newApplication(t)
	l := c.listens(listenCmd{ForwardTo: app.URL + "/webhooks/{event}"})
	c.cashOut("out-1")
	l.prints(`#1   cash_out     CashOut CONFIRMED out-1 R\$ 10\.00 -> 200 in \d+ ms\n`)
	request, body := <-app.requests, <-app.bodies
	require.Equal(t, "/webhooks/cash_out", request.URL.Path)
	require.Equal(t, "application/json", request.Header.Get("Content-Type"))
	require.NotEmpty(t, request.Header.Get("webhook-id"))
	require.Contains(t, body, `"externalId":"out-1"`)

	app.status <- http.StatusTeapot
	c.cashIn("sale-1")
	c.triggers("paid")
	l.prints(`#2   cash_in      CashIn CONFIRMED sale-1 R\$ 25\.00 -> 418 in \d+ ms: not today\n`)
	failed := <-app.requests

	// The gateway repeats the delivery some minutes after it has noted the failure. listen may print it
	// a moment before that: then one step of its clock is not enough.
	repeated := `#3   cash_in      CashIn CONFIRMED sale-1 R\$ 25\.00 -> 200 in \d+ ms, repeats #2\n`
	for range 30 {
		c.triggers("time", "6m")
		if l.printsWithin(2*time.Second, repeated) != "" {
			break
		}
	}
	require.Regexp(t, repeated, l.all())
	require.Equal(t, failed.Header.Get("webhook-id"), (<-app.requests).Header.Get("webhook-id"))
}

// The events of every kind of transaction are resent on request; those of MED cases cannot be.
func TestListenResends(t *testing.T) {
	t.Parallel()
	c, app := tryOut(t), newApplication(t)
	l := c.listens(listenCmd{ForwardTo: app.URL})
	l.types("")
	l.prints("nothing to resend: no webhook has arrived")

	const txid = "7978c0c97ea847e78e8849634473c1f1"
	c.made(http.MethodPut, "/cob/"+txid, `{"calendario":{"expiracao":3600},"valor":{"original":"25.00"}}`)
	c.cashIn("sale-1")
	var received string // of the cash-in, then of the cob
	refund := func() {
		c.made(http.MethodPut, "/pix/"+received+"/devolucao/r"+pix.NewUUID()[:8], `{"valor":"1.00"}`)
	}
	charge := func() {
		c.triggers("paid")
		received = c.made(http.MethodGet, "/api/transactions?type=PAYMENT&status=CONFIRMED", "")["data"].([]any)[0].(map[string]any)["endToEndId"].(string)
	}
	number := 0
	for _, step := range []struct {
		event string
		do    func()
	}{
		{"cash_out +CashOut", func() { c.cashOut("out-1") }},
		{"refund_out +CashOutReversal", func() { c.triggers("returned", "out-1") }},
		{"cash_out +TRANSFER", func() { c.transfer() }},
		{"refund_out +REFUND", func() { c.triggers("returned") }},
		{"cash_in +CashIn", charge},
		{"refund_in +CashInReversal", refund},
		{"cash_in +RECEIVE", charge},
		{"refund_in +REFUND", refund},
	} {
		step.do()
		number++
		l.prints(step.event)
		want := <-app.bodies
		l.types("")
		l.prints(step.event + `.*repeats #`)
		require.Equal(t, want, <-app.bodies, step.event)
		number++
	}
	l.types("1")
	l.prints(`CashOut CONFIRMED out-1.*repeats #1\n`)
	l.types("99")
	l.prints(`expected the number of a delivery from 1 to 17, got 99`)
	c.triggers("med")
	l.prints("med_created")
	l.types("")
	l.prints(`delivery 18 cannot be resent: the API resends the events of transactions, and this one is med_created`)
	l.types("r")
	l.prints(`expected Enter or the number of a delivery, got "r"`)
}

func TestListenWithoutAnApplication(t *testing.T) {
	t.Parallel()
	c := tryOut(t)
	l := c.listens(listenCmd{Verbose: true, Events: []string{"cash_out"}})
	c.cashOut("out-1")
	l.prints(`-> 200`)
	l.prints(`"externalId": "out-1"`)
	registered := c.made(http.MethodGet, "/api/webhooks", "")["webhooks"].([]any)
	require.Len(t, registered, 1)

	stopped := httptest.NewServer(http.NotFoundHandler())
	stopped.Close()
	other := c.listens(listenCmd{ForwardTo: stopped.URL, Events: []string{"cash_out"}, Listen: "0.0.0.0:0"})
	c.cashOut("out-2")
	other.prints(`-> 502 in \d+ ms: .*refused`)
}

// A reset removes the registrations; listen notices and registers again. When its token expires, it renews it silently.
func TestListenSurvivesAReset(t *testing.T) {
	t.Parallel()
	c := tryOut(t)
	l := c.listens(listenCmd{Events: []string{"cash_out", "cash_in"}, interval: 10 * time.Millisecond})
	survives := func() {
		response, err := http.Post(c.gateway.ControlsURL()+"/reset", "", nil)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusNoContent, response.StatusCode)
		l.prints(`The gateway lost registrations, for instance by a reset\. Registered again for cash_out, cash_in\.\n`)
		c.cashOut("out-1")
		l.prints(`CashOut CONFIRMED out-1`)
	}
	survives()
	c.triggers("time", "31m")
	c.token = c.as(0).token
	survives()
	require.NotContains(t, l.all(), "401")
}

// A gateway that is gone is said to be so, once.
func TestListenNoticesThatTheGatewayIsGone(t *testing.T) {
	t.Parallel()
	box, err := sandbox.New(t.TempDir(), seedfile.Example())
	require.NoError(t, err)
	gateway, err := reference.Start(t.Context(), reference.Config{Seed: box.Seed()})
	require.NoError(t, err)
	require.NoError(t, box.WriteProfile(gateway, sandbox.Access{}))
	c := &tried{t: t, gateway: gateway, box: box}
	l := c.listens(listenCmd{Events: []string{"cash_out"}, interval: 10 * time.Millisecond})
	require.NoError(t, gateway.Close(t.Context()))
	l.prints(`the gateway stopped responding, so its registrations are not checked any more`)
	require.NotContains(t, l.all(), "cannot check", "a request without a response waits for the end of the outage")
}

func TestListenRefuses(t *testing.T) {
	t.Parallel()
	c := tryOut(t)
	for says, args := range map[string][]string{
		"expected --profile":                                   {},
		"--event: expected one of cash_in, cash_out":           {"--profile", c.box.Profile, "--event", "pix"},
		"--forward-to: expected a URL with http:// or https:/": {"--profile", c.box.Profile, "--forward-to", "localhost"},
		"--public-url: expected a URL with https://":           {"--profile", c.box.Profile, "--public-url", "http://example.com"},
		"found none":                  {"--profile", c.box.Profile, "--account", "9"},
		"choose a free local address": {"--profile", c.box.Profile, "--listen", strings.TrimPrefix(c.gateway.URL(), "http://")},
	} {
		status, _, stderr := invoke(t, append([]string{"listen"}, args...)...)
		require.Equal(t, exitNotRun, status)
		require.Contains(t, stderr, says)
	}
	for range 3 {
		c.listens(listenCmd{Events: []string{"cash_in"}})
	}
	status, _, stderr := invoke(t, "listen", "--profile", c.box.Profile, "--listen", "127.0.0.1:0", "--event", "cash_in")
	require.Equal(t, exitNotRun, status)
	require.Contains(t, stderr, "register for cash_in: expected 2xx, got 400")
	require.Contains(t, stderr, "listen at an address that is registered already")
}
