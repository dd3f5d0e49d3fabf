package sink

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/pixcert/pixcert/certs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// listen opens a sink and a client that trusts it, both until the test ends.
func listen(t *testing.T) (*Sink, *http.Client) {
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	certificate, err := authority.IssueServer("127.0.0.1", "localhost")
	require.NoError(t, err)
	s, err := Listen("", "", certificate)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: authority.Pool()}, MaxIdleConnsPerHost: 100}
	t.Cleanup(transport.CloseIdleConnections)
	return s, &http.Client{Transport: transport}
}

// deliver posts body and returns the status of the answer.
func deliver(t *testing.T, client *http.Client, url, body string) int {
	response, err := client.Post(url, "application/json", strings.NewReader(body))
	if !assert.NoError(t, err) {
		return 0
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

func anything(Event) bool { return true }

func holds(body string) func(Event) bool {
	return func(e Event) bool { return string(e.Body) == body }
}

func TestEventArrivesAsSent(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/run/1")
	assert.False(t, s.IsReached())
	assert.Regexp(t, `^https://127\.0\.0\.1:\d+/run/1$`, m.URL())
	request, err := http.NewRequest(http.MethodPut, m.URL()+"?a=b%2f", strings.NewReader("{\"a\":\"\xff\"}"))
	require.NoError(t, err)
	request.Header["X-Custom"] = []string{"one", "two"}
	before := time.Now()
	response, err := client.Do(request)
	require.NoError(t, err)
	response.Body.Close()
	assert.Equal(t, 200, response.StatusCode)
	assert.Equal(t, 1, response.ProtoMajor)

	e, err := m.Wait(context.Background(), anything)
	require.NoError(t, err)
	assert.Equal(t, "/run/1", e.Path)
	assert.Equal(t, "a=b%2f", e.Query)
	assert.Equal(t, http.MethodPut, e.Method)
	assert.Equal(t, []string{"one", "two"}, e.Header["X-Custom"])
	assert.Equal(t, "{\"a\":\"\xff\"}", string(e.Body))
	assert.False(t, e.Truncated)
	assert.WithinRange(t, e.At, before, time.Now())
	assert.Equal(t, []Event{e}, m.Events())
	assert.True(t, s.IsReached())
}

func TestWaitTakesPastAndFutureEvents(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("a")
	deliver(t, client, m.URL(), "1")
	deliver(t, client, m.URL(), "2")
	e, err := m.Wait(context.Background(), holds("2"))
	require.NoError(t, err)
	assert.Equal(t, "2", string(e.Body), "past")

	var asked []string
	waiting := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		e, err := m.Wait(context.Background(), func(e Event) bool {
			asked = append(asked, string(e.Body))
			if len(asked) == 2 {
				close(waiting)
			}
			return string(e.Body) == "4"
		})
		assert.NoError(t, err)
		assert.Equal(t, "4", string(e.Body), "to come")
	})
	<-waiting
	deliver(t, client, m.URL(), "3")
	deliver(t, client, m.URL(), "4")
	wait.Wait()
	assert.Equal(t, []string{"1", "2", "3", "4"}, asked, "each once and in order")
}

func TestWaitSaysWhatArrivedInstead(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/a")
	ended, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	none := func(Event) bool { return false }
	_, err := m.Wait(ended, none)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.EqualError(t, err, "no event arrived at /a: context deadline exceeded")
	for _, body := range []string{"1", "2", "\x1b[2J\n", strings.Repeat("é", 500)} {
		deliver(t, client, m.URL(), body)
	}
	_, err = m.Wait(ended, none)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.EqualError(t, err, "none of the 4 events at /a is the expected one, the last being POST 2; POST \\x1b[2J; POST "+
		strings.Repeat("é", 100)+"…: context deadline exceeded")
}

func TestAnswerIsThatOfLaterDeliveries(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m, other := s.Open("/a"), s.Open("/b")
	assert.Equal(t, 200, deliver(t, client, m.URL(), "1"))
	m.Answer(503)
	assert.Equal(t, 503, deliver(t, client, m.URL(), "1"))
	assert.Equal(t, 200, deliver(t, client, other.URL(), "1"))
	m.Answer(204)
	assert.Equal(t, 204, deliver(t, client, m.URL(), "1"))
	assert.Len(t, m.Events(), 3, "whatever the answer")
}

func TestStrays(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/a")
	assert.Equal(t, 404, deliver(t, client, m.URL()+"/b", "1"))
	assert.Equal(t, 1, s.Strays())
	m.Close()
	m.Close()
	assert.Equal(t, 404, deliver(t, client, m.URL(), "1"))
	assert.Equal(t, 2, s.Strays())
	_, err := m.Wait(context.Background(), anything)
	require.ErrorIs(t, err, ErrClosed)
}

// A target whose webhooks are registered for good is not asked to repeat them.
func TestKnownPathsAreAcknowledged(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	s.Acknowledge("/kept")
	url := s.base + "/kept"
	assert.Equal(t, 200, deliver(t, client, url, "early"))
	assert.Equal(t, 1, s.Strays())
	m := s.Open("/kept")
	assert.Equal(t, 200, deliver(t, client, url, "1"))
	m.Close()
	assert.Equal(t, 200, deliver(t, client, url, "late"))
	assert.Len(t, m.Events(), 1, "its own alone")
}

// Behind a proxy the path may come with the prefix of the public URL or without it.
func TestPathsBehindAProxy(t *testing.T) {
	t.Parallel()
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	certificate, err := authority.IssueServer("127.0.0.1")
	require.NoError(t, err)
	s, err := Listen("", "https://hooks.example:9443/tests/", certificate)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	m := s.Open("/a")
	assert.Equal(t, "https://hooks.example:9443/tests/a", m.URL())
	for path, want := range map[string]int{"/a": 200, "/tests/a": 200, "/other/a": 404} {
		answer := httptest.NewRecorder()
		s.receive(answer, httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader("1")))
		assert.Equal(t, want, answer.Code, path)
	}
	assert.Len(t, m.Events(), 2)
}

func TestOpenTakesAPathOver(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	first := s.Open("/a")
	second := s.Open("/a")
	first.Close()
	assert.Equal(t, 200, deliver(t, client, second.URL(), "1"))
	assert.Empty(t, first.Events())
	assert.Len(t, second.Events(), 1)
}

func TestCloseEndsWaits(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	closed, left := s.Open("/a"), s.Open("/b")
	deliver(t, client, closed.URL(), "1")
	waiting := make(chan struct{})
	var wait sync.WaitGroup
	wait.Go(func() {
		_, err := closed.Wait(context.Background(), func(Event) bool { close(waiting); return false })
		assert.ErrorIs(t, err, ErrClosed)
	})
	wait.Go(func() {
		_, err := left.Wait(context.Background(), anything)
		assert.ErrorIs(t, err, ErrClosed)
	})
	<-waiting
	closed.Close()
	require.NoError(t, s.Close())
	wait.Wait()
	assert.Len(t, closed.Events(), 1, "still to be read")
	require.NoError(t, s.Close(), "twice")
}

func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/a")
	whole := bytes.Repeat([]byte("a"), maxBody)
	assert.Equal(t, 200, deliver(t, client, m.URL(), string(whole)))
	assert.Equal(t, 200, deliver(t, client, m.URL(), string(whole)+"b"))
	events := m.Events()
	require.Len(t, events, 2)
	assert.False(t, events[0].Truncated)
	assert.True(t, events[1].Truncated)
	assert.Len(t, events[1].Body, maxBody)
}

func TestFloodsAreBounded(t *testing.T) {
	t.Parallel()
	s, _ := listen(t)
	many, large := s.Open("/a"), s.Open("/b")
	for i := range maxEvents + 5 {
		assert.Equal(t, 200, many.deliver(Event{Body: fmt.Append(nil, i)}))
	}
	assert.Len(t, many.Events(), maxEvents)
	assert.Equal(t, 5, many.Dropped())
	assert.Equal(t, "0", string(many.Events()[0].Body), "the first are kept")
	body := make([]byte, maxBody)
	for range maxSize/maxBody + 3 {
		large.deliver(Event{Body: body})
	}
	assert.Equal(t, 3, large.Dropped())
}

// A delivery that breaks off is none, and a sender that only connects holds nothing up.
func TestHostileSenders(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/a")
	address := strings.TrimPrefix(s.base, "https://")
	config := client.Transport.(*http.Transport).TLSClientConfig
	halfBody, err := tls.Dial("tcp", address, config)
	require.NoError(t, err)
	_, err = io.WriteString(halfBody, "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
	require.NoError(t, err)
	require.NoError(t, halfBody.CloseWrite())
	answer, err := io.ReadAll(halfBody)
	require.NoError(t, err)
	assert.Empty(t, answer)
	halfBody.Close()

	for name, bytes := range map[string]string{"no TLS": "POST /a HTTP/1.1\r\n\r\n", "garbage": "\x00\xff", "nothing": ""} {
		silent, err := net.Dial("tcp", address)
		require.NoError(t, err, name)
		defer silent.Close() // left open until the sink has closed
		_, err = io.WriteString(silent, bytes)
		require.NoError(t, err, name)
	}
	noRequest, err := tls.Dial("tcp", address, config)
	require.NoError(t, err)
	defer noRequest.Close()
	_, err = io.WriteString(noRequest, "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
	require.NoError(t, err)

	deliver(t, client, m.URL(), "1")
	assert.Len(t, m.Events(), 1)
	require.NoError(t, s.Close())
}

func TestMailboxesBesideEachOther(t *testing.T) {
	t.Parallel()
	const mailboxes, each = 100, 5
	s, client := listen(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var asked atomic.Int64
	var wait sync.WaitGroup
	for i := range mailboxes {
		wait.Go(func() {
			m := s.Open(fmt.Sprintf("/run/%d", i))
			defer m.Close()
			last := fmt.Sprintf("%d of %d", each-1, i)
			wait.Go(func() {
				for n := range each {
					assert.Equal(t, 200, deliver(t, client, m.URL(), fmt.Sprintf("%d of %d", n, i)))
				}
			})
			e, err := m.Wait(ctx, func(e Event) bool { asked.Add(1); return string(e.Body) == last })
			assert.NoError(t, err)
			assert.Equal(t, last, string(e.Body))
			assert.Len(t, m.Events(), each)
		})
	}
	wait.Wait()
	assert.Equal(t, int64(mailboxes*each), asked.Load(), "nobody is asked about another's events")
	assert.Zero(t, s.Strays())
}

func TestListenSaysWhatToDo(t *testing.T) {
	t.Parallel()
	s, _ := listen(t)
	_, err := Listen(strings.TrimPrefix(s.base, "https://"), "", tls.Certificate{})
	require.ErrorContains(t, err, "opening the webhook sink")
	require.ErrorContains(t, err, "choose an address of this machine and a free port")
}

func TestOnPort(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://hooks.example:0":     "https://hooks.example:80",
		"https://hooks.example:0/pix": "https://hooks.example:80/pix",
		"https://[2001:db8::7]:0":     "https://[2001:db8::7]:80",
		"https://hooks.example:9443/": "https://hooks.example:9443",
		"https://hooks.example":       "https://hooks.example",
	} {
		assert.Equal(t, want, onPort(base, &net.TCPAddr{Port: 80}))
	}
}

func TestReachable(t *testing.T) {
	t.Parallel()
	for want, ip := range map[string]string{"127.0.0.1:80": "127.0.0.1", "[::1]:80": "::1", "localhost:80": "0.0.0.0"} {
		assert.Equal(t, want, reachable(&net.TCPAddr{IP: net.ParseIP(ip), Port: 80}))
	}
	assert.Equal(t, "localhost:80", reachable(&net.TCPAddr{IP: net.IPv6unspecified, Port: 80}))
}
