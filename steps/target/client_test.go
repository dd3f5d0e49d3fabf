package target

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
)

// sent is the bytes of a request as a server gets them.
func sent(t *testing.T, basePath string, r Request) (wire string, e exchange.Exchange) {
	received := make(chan string, 1)
	address := serveRaw(t, func(conn *net.TCPConn, in *bufio.Reader) {
		var all strings.Builder
		for !strings.HasSuffix(all.String(), "\r\n\r\n"+string(r.Body)) {
			b, err := in.ReadByte()
			if err != nil {
				break
			}
			all.WriteByte(b)
		}
		received <- all.String()
		_, _ = io.WriteString(conn, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
	})
	e = open(t, Profile{BaseURL: "http://" + address + basePath}).Client.Send(background(), r)
	require.Empty(t, e.Err)
	return strings.ReplaceAll(<-received, address, "HOST"), e
}

func TestSendSendsBytesAsGiven(t *testing.T) {
	t.Parallel()
	body := "{\"value\":1e1, \"value\" : 10.00,\"\xff\":\"\x00\"}"
	r := post("/pay/a%zz/é?x=%2f&y", body)
	r.Header = http.Header{
		"X-SSL-Client-Cert": {"-----BEGIN%20+%2B"},
		"x-lower":           {"one", "tw\xe9o"},
		"X-Empty":           {""},
		"Content-Type":      {"text/plain; charset=latin-9"},
		"Authorization":     {"bearer  x"},
	}
	wire, e := sent(t, "/base%2fpath/", r)
	want := "POST /base%2fpath/pay/a%zz/é?x=%2f&y HTTP/1.1\r\n" +
		"Host: HOST\r\n" +
		"User-Agent: pixcert/1.2 run=r1 rule=a.b\r\n" +
		"Content-Length: 38\r\n" +
		"Authorization: bearer  x\r\n" +
		"Content-Type: text/plain; charset=latin-9\r\n" +
		"X-Empty: \r\n" +
		"X-SSL-Client-Cert: -----BEGIN%20+%2B\r\n" +
		"x-lower: one\r\n" +
		"x-lower: tw\xe9o\r\n" +
		"\r\n" + body
	assert.Equal(t, want, wire)
	assert.Equal(t, body, string(e.Body))
	assert.Equal(t, []string{"pixcert/1.2 run=r1 rule=a.b"}, e.Header["User-Agent"])
	assert.NotContains(t, r.Header, "User-Agent", "the caller's header stays")
	assert.True(t, strings.HasSuffix(e.URL, "/base%2fpath/pay/a%zz/é?x=%2f&y"), e.URL)
}

func TestSendWithoutBody(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]string{
		"GET":  "GET /x HTTP/1.1\r\nHost: other\r\nUser-Agent: mine\r\n\r\n",
		"POST": "POST /x HTTP/1.1\r\nHost: other\r\nUser-Agent: mine\r\nContent-Length: 0\r\n\r\n",
	} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			r := Request{Method: method, Path: "/x", Header: http.Header{"User-Agent": {"mine"}, "Host": {"other"}}}
			wire, _ := sent(t, "", r)
			assert.Equal(t, want, wire)
		})
	}
}

func TestSendRecordsTheAnswer(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, `{"a":1}`)
	}))
	t.Cleanup(server.Close)
	e := open(t, Profile{BaseURL: server.URL}).Client.Send(background(), post("/x", "{}"))
	assert.Equal(t, 201, e.Status)
	assert.Equal(t, `{"a":1}`, string(e.ResponseBody))
	assert.Equal(t, "application/json", e.ResponseHeader.Get("Content-Type"))
	assert.Empty(t, e.Err)
	assert.False(t, e.Truncated)
	assert.Equal(t, exchange.API, e.Party)
	assert.Equal(t, "cash-out", e.Operation)
	assert.Equal(t, server.URL+"/x", e.URL)
	assert.False(t, e.Sent.IsZero())
	assert.Positive(t, e.Took)
}

func TestSendToControls(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.URL.Path) }))
	t.Cleanup(server.Close)
	r := get("/controls")
	r.Party = exchange.Control
	e := open(t, Profile{BaseURL: "http://127.0.0.1:1", Control: &ControlAccess{URL: server.URL + "/c/"}}).Client.Send(background(), r)
	assert.Equal(t, "/c/controls", string(e.ResponseBody))
	e = open(t, Profile{BaseURL: "http://127.0.0.1:1"}).Client.Send(background(), r)
	assert.Equal(t, "the profile has no control URL", e.Err)
}

func TestSendOverTLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Proto) }))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	e := open(t, Profile{BaseURL: server.URL, TLS: TLS{CA: ca}}).Client.Send(background(), get("/"))
	assert.Empty(t, e.Err)
	assert.Equal(t, "HTTP/1.1", string(e.ResponseBody))
	e = open(t, Profile{BaseURL: server.URL}).Client.Send(background(), get("/"))
	assert.Equal(t, "its TLS certificate is not trusted: unknown issuer", e.Err)
	e = open(t, Profile{BaseURL: strings.Replace(server.URL, "127.0.0.1", "localhost", 1), TLS: TLS{CA: ca}}).Client.Send(background(), get("/"))
	assert.Contains(t, e.Err, "its TLS certificate is for a different host: certificate is valid for example.com, *.example.com, not localhost")
}

func TestSendReportsWhatItCannotSend(t *testing.T) {
	t.Parallel()
	client := open(t, Profile{BaseURL: "http://127.0.0.1:1"}).Client
	for name, c := range map[string]struct {
		r   Request
		err string
	}{
		"nothing listens": {get("/"), "connection refused"},
		"no method":       {Request{Method: "A B"}, "invalid method"},
		"line feed":       {Request{Method: "GET", Header: http.Header{"A": {"b\nc"}}}, "invalid header field value"},
		"bad name":        {Request{Method: "GET", Header: http.Header{"A b": {"c"}}}, "invalid header field name"},
		"POST with a NUL": {Request{Method: "POST", Header: http.Header{"\x00": {""}}, Body: []byte("x")}, "invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := client.Send(background(), c.r)
			assert.Contains(t, e.Err, c.err)
			assert.Zero(t, e.Status)
		})
	}
}

func TestSendSplitsNoRequest(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	e := open(t, Profile{BaseURL: server.URL}).Client.Send(background(), get("/a\r\nB: c"))
	assert.Contains(t, e.Err, "can't write control character")
}

func TestSendEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(background())
	address := serveRaw(t, func(_ *net.TCPConn, in *bufio.Reader) {
		if _, err := readRequest(in); err == nil {
			cancel()
			_, _ = in.Peek(1)
		}
	})
	e := open(t, Profile{BaseURL: "http://" + address}).Client.Send(ctx, get("/"))
	assert.Equal(t, "pixcert stopped waiting: context canceled", e.Err)
	cancel()
}

func TestSendReusesConnections(t *testing.T) {
	t.Parallel()
	const workers, each = 16, 20
	var opened atomic.Int64
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	client := open(t, Profile{BaseURL: server.URL}).Client
	t.Cleanup(client.CloseIdleConnections)
	var wait sync.WaitGroup
	for range workers {
		wait.Go(func() {
			for range each {
				e := client.Send(background(), post("/", "{}"))
				assert.Equal(t, "{}", string(e.ResponseBody), e.Err)
			}
		})
	}
	wait.Wait()
	assert.LessOrEqual(t, opened.Load(), int64(3*workers), "of %d requests", workers*each)
}

// closesUnderSecond answers the first request of a connection and closes it under
// the second; closes are what it got.
type closesUnderSecond struct {
	mu       sync.Mutex
	requests []string
}

func (c *closesUnderSecond) handle(conn *net.TCPConn, in *bufio.Reader) {
	for i := range 2 {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		wire, err := httputil.DumpRequest(r, true)
		if err != nil {
			return
		}
		c.mu.Lock()
		c.requests = append(c.requests, r.Method+" "+string(wire[bytes.LastIndexByte(wire, '\n')+1:]))
		c.mu.Unlock()
		if i == 0 {
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
		}
	}
}

func TestSendSendsNoPaymentTwice(t *testing.T) {
	t.Parallel()
	var server closesUnderSecond
	client := open(t, Profile{BaseURL: "http://" + serveRaw(t, server.handle)}).Client
	assert.Equal(t, 200, client.Send(background(), post("/", "one")).Status)
	e := client.Send(background(), post("/", "two"))
	assert.Zero(t, e.Status)
	assert.True(t, Undecided(e), e.Err)
	for _, body := range []string{"three", "four", "five"} {
		e = client.Send(background(), post("/", body))
		assert.Equal(t, 200, e.Status, "over a fresh connection: %s", e.Err)
		assert.False(t, Undecided(e))
	}
	server.mu.Lock()
	defer server.mu.Unlock()
	assert.Equal(t, []string{"POST one", "POST two", "POST three", "POST four", "POST five"}, server.requests)
}

func TestSendRepeatsAGet(t *testing.T) {
	t.Parallel()
	var server closesUnderSecond
	client := open(t, Profile{BaseURL: "http://" + serveRaw(t, server.handle)}).Client
	for range 4 {
		assert.Equal(t, 200, client.Send(background(), get("/")).Status)
	}
}

// What a fresh connection brings is the target's doing, whatever the method.
func TestSendDecidesOnFreshConnections(t *testing.T) {
	t.Parallel()
	address := serveRaw(t, answering(func(*net.TCPConn) {}))
	e := open(t, Profile{BaseURL: "http://" + address}).Client.Send(background(), post("/", "{}"))
	assert.False(t, Undecided(e))
	assert.Equal(t, "the target closed the connection before responding", e.Err)
}

func TestClientRefusesProfiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		p   Profile
		err string
	}{
		"no URL":          {Profile{}, `base URL: expected a URL such as https://gateway.example`},
		"no scheme":       {Profile{BaseURL: "localhost:8080"}, `base URL: expected`},
		"another scheme":  {Profile{BaseURL: "ftp://x"}, "expected a URL such as"},
		"no host":         {Profile{BaseURL: "http://:80"}, "expected a URL such as"},
		"no URL at all":   {Profile{BaseURL: "http://a b"}, "expected a URL such as"},
		"query":           {Profile{BaseURL: "http://x/?a"}, "remove the query or fragment"},
		"user":            {Profile{BaseURL: "http://u:secret@x"}, "base URL: remove the user name"},
		"bad control URL": {Profile{BaseURL: "http://x", Control: &ControlAccess{URL: "x"}}, `control URL: expected`},
		"bad CA":          {Profile{BaseURL: "http://x", TLS: TLS{CA: []byte("x")}}, "tls.ca: expected PEM"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := newClient(c.p.withDefaults(), Identity{})
			require.ErrorContains(t, err, c.err)
			assert.NotContains(t, err.Error(), "secret")
		})
	}
}

// --- what a request costs, beside one of a bare client ---

func echo(b *testing.B) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	}))
	b.Cleanup(server.Close)
	return server
}

func BenchmarkSend(b *testing.B) {
	client := open(b, Profile{BaseURL: echo(b).URL}).Client
	r := post("/", `{"value":1.00}`)
	r.Header = http.Header{"Content-Type": {"application/json"}}
	b.ReportAllocs()
	for b.Loop() {
		if e := client.Send(background(), r); e.Status != 200 {
			b.Fatal(e.Err)
		}
	}
}

func BenchmarkBareClient(b *testing.B) {
	url := echo(b).URL
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{}}}
	defer client.CloseIdleConnections()
	b.ReportAllocs()
	for b.Loop() {
		response, err := client.Post(url, "application/json", strings.NewReader(`{"value":1.00}`))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadAll(response.Body); err != nil {
			b.Fatal(err)
		}
		response.Body.Close()
	}
}
