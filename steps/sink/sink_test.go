package sink

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
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

func TestEventArrivesAsSent(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/run/1", nil)
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

	require.Len(t, m.Since(0), 1)
	e := m.Since(0)[0]
	assert.Equal(t, "/run/1", e.Path)
	assert.Equal(t, m.URL()+"?a=b%2f", s.URL(e))
	assert.Equal(t, "a=b%2f", e.Query)
	assert.Equal(t, http.MethodPut, e.Method)
	assert.Equal(t, []string{"one", "two"}, e.Header["X-Custom"])
	assert.Equal(t, "{\"a\":\"\xff\"}", string(e.Body))
	assert.False(t, e.Truncated)
	assert.WithinRange(t, e.At, before, time.Now())
	assert.True(t, s.IsReached())
}

// Whoever waits for a channel and then reads what arrived misses nothing, whatever arrives
// meanwhile, and is not told of what it has read.
func TestDeliveriesNotify(t *testing.T) {
	t.Parallel()
	const senders, each = 8, 50
	s, client := listen(t)
	arrived := make(chan struct{}, 1)
	boxes := []*Mailbox{s.Open("a", arrived), s.Open("b", arrived)}
	var sending sync.WaitGroup
	for i := range senders {
		sending.Go(func() {
			for range each {
				assert.Equal(t, 200, deliver(t, client, boxes[i%2].URL(), "1"))
			}
		})
	}
	read := make([]int, len(boxes))
	for read[0]+read[1] < senders*each {
		select {
		case <-arrived:
		case <-time.After(time.Minute):
			require.FailNow(t, "a delivery notified nobody", "%v were read", read)
		}
		for i, m := range boxes {
			read[i] += len(m.Since(read[i]))
		}
	}
	sending.Wait()
	assert.Equal(t, []int{senders / 2 * each, senders / 2 * each}, read)
}

func TestSinceLeavesOutWhatWasRead(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/a", nil)
	assert.Empty(t, m.Since(0))
	for _, body := range []string{"1", "2", "3"} {
		deliver(t, client, m.URL(), body)
	}
	later := m.Since(1)
	require.Len(t, later, 2)
	assert.Equal(t, "2", string(later[0].Body))
	assert.Equal(t, "3", string(later[1].Body))
	_ = append(later, Event{}) // by its reader, whom the next delivery must not disturb
	deliver(t, client, m.URL(), "4")
	assert.Equal(t, "4", string(m.Since(3)[0].Body))
	m.Close()
	assert.Len(t, m.Since(0), 4, "still to be read")
}

func TestAnswerIsThatOfLaterDeliveries(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m, other := s.Open("/a", nil), s.Open("/b", nil)
	assert.Equal(t, 200, deliver(t, client, m.URL(), "1"))
	m.Answer(503)
	assert.Equal(t, 503, deliver(t, client, m.URL(), "1"))
	assert.Equal(t, 200, deliver(t, client, other.URL(), "1"))
	m.Answer(204)
	assert.Equal(t, 204, deliver(t, client, m.URL(), "1"))
	var answers []int
	for _, e := range m.Since(0) {
		answers = append(answers, e.Status)
	}
	assert.Equal(t, []int{200, 503, 204}, answers, "all are kept, whatever the answer")
}

func TestUnknownPaths(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/a", nil)
	assert.Equal(t, 404, deliver(t, client, m.URL()+"/b", "1"))
	m.Close()
	m.Close()
	assert.Equal(t, 404, deliver(t, client, m.URL(), "1"))
	assert.Equal(t, Response{Status: 404}, m.deliver(Event{}), "one that was on its way")
	assert.Empty(t, m.Since(0))
}

// A target whose webhooks are registered for good is not asked to repeat them.
func TestKnownPathsAreAcknowledged(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	s.Acknowledge("/kept")
	url := s.base + "/kept"
	assert.Equal(t, 200, deliver(t, client, url, "early"))
	m := s.Open("/kept", nil)
	assert.Equal(t, 200, deliver(t, client, url, "1"))
	m.Close()
	assert.Equal(t, 200, deliver(t, client, url, "late"))
	assert.Len(t, m.Since(0), 1, "only its own")
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
	m := s.Open("/a", nil)
	assert.Equal(t, "https://hooks.example:9443/tests/a", m.URL())
	for path, want := range map[string]int{"/a": 200, "/tests/a": 200, "/other/a": 404} {
		answer := httptest.NewRecorder()
		s.receive(answer, httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader("1")))
		assert.Equal(t, want, answer.Code, path)
	}
	assert.Len(t, m.Since(0), 2)
}

func TestOpenTakesAPathOver(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	first := s.Open("/a", nil)
	second := s.Open("/a", nil)
	first.Close()
	assert.Equal(t, 200, deliver(t, client, second.URL(), "1"))
	assert.Empty(t, first.Since(0))
	assert.Len(t, second.Since(0), 1)
}

func TestCloseEndsTheSink(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/a", nil)
	deliver(t, client, m.URL(), "1")
	require.NoError(t, s.Close())
	_, err := client.Post(m.URL(), "application/json", strings.NewReader("2"))
	require.Error(t, err)
	assert.Len(t, m.Since(0), 1, "still to be read")
	require.NoError(t, s.Close(), "twice")
}

func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/a", nil)
	whole := []byte(`"` + strings.Repeat("a", maxBody-2) + `"`)
	assert.Equal(t, 200, deliver(t, client, m.URL(), string(whole)))
	assert.Equal(t, 200, deliver(t, client, m.URL(), string(whole)+"b"))
	events := m.Since(0)
	require.Len(t, events, 2)
	assert.False(t, events[0].Truncated)
	assert.True(t, events[1].Truncated)
	assert.Len(t, events[0].Body, maxBody, "it can be read")
	assert.Less(t, len(events[1].Body), maxBody/10)
	assert.Equal(t, maxBody, len(events[1].Body)+events[1].LeftOut)
}

func TestFloodsAreBounded(t *testing.T) {
	t.Parallel()
	s, _ := listen(t)
	many, large := s.Open("/a", nil), s.Open("/b", nil)
	for i := range maxEvents + 5 {
		assert.Equal(t, 200, many.deliver(Event{Body: fmt.Append(nil, i)}).Status)
	}
	assert.Len(t, many.Since(0), maxEvents)
	assert.Equal(t, "0", string(many.Since(0)[0].Body), "the first are kept")
	body := make([]byte, maxBody)
	for range maxSize/maxBody + 3 {
		assert.Equal(t, 200, large.deliver(Event{Body: body}).Status)
	}
	assert.Len(t, large.Since(0), maxSize/maxBody)
}

// A sender that offers only CBC gets no connection.
func TestNoCBC(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	config := client.Transport.(*http.Transport).TLSClientConfig.Clone()
	config.MaxVersion = tls.VersionTLS12
	for suite, ok := range map[uint16]bool{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: true, tls.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: false} {
		config.CipherSuites = []uint16{suite}
		conn, err := tls.Dial("tcp", strings.TrimPrefix(s.base, "https://"), config)
		require.Equal(t, ok, err == nil, tls.CipherSuiteName(suite))
		if err == nil {
			conn.Close()
		}
	}
}

// Senders that hold connections open make room for those that deliver.
func TestConnectionsAreBounded(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/a", nil)
	config := client.Transport.(*http.Transport).TLSClientConfig
	for range maxConns + 20 {
		conn, err := tls.Dial("tcp", strings.TrimPrefix(s.base, "https://"), config)
		require.NoError(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc")
		require.NoError(t, err)
	}
	assert.Equal(t, 200, deliver(t, client, m.URL(), "{}"))
	s.openMu.Lock()
	defer s.openMu.Unlock()
	assert.LessOrEqual(t, len(s.open), maxConns)
}

// What arrives at a mailbox that is full is not read, and what is kept of junk is little.
func TestWhatAFloodLeaves(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/a", nil)
	junk := strings.Repeat("[", maxBody)
	for range 2*maxSize/maxBody + 1 {
		assert.Equal(t, 200, deliver(t, client, m.URL(), junk))
	}
	assert.Len(t, m.Since(0), 2*maxSize/maxBody+1, "a little of each")
	assert.Equal(t, 200, deliver(t, client, m.URL(), `{"event":"CashOut"}`))
	events := m.Since(0)
	assert.Equal(t, `{"event":"CashOut"}`, string(events[len(events)-1].Body), "there is room for what can be read")
}

// A delivery that breaks off is none, and a sender that only connects holds nothing up.
func TestHostileSenders(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/a", nil)
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
	assert.Len(t, m.Since(0), 1)
	require.NoError(t, s.Close())
}

func TestMailboxesBesideEachOther(t *testing.T) {
	t.Parallel()
	const mailboxes, each = 100, 5
	s, client := listen(t)
	var wait sync.WaitGroup
	for i := range mailboxes {
		wait.Go(func() {
			m := s.Open(fmt.Sprintf("/run/%d", i), nil)
			defer m.Close()
			var sent, kept []string
			for n := range each {
				sent = append(sent, fmt.Sprintf("%d of %d", n, i))
				assert.Equal(t, 200, deliver(t, client, m.URL(), sent[n]))
			}
			for _, e := range m.Since(0) {
				kept = append(kept, string(e.Body))
			}
			assert.Equal(t, sent, kept, "its own, in their order")
		})
	}
	wait.Wait()
}

func TestListenSaysWhatToDo(t *testing.T) {
	t.Parallel()
	s, _ := listen(t)
	_, err := Listen(strings.TrimPrefix(s.base, "https://"), "", tls.Certificate{})
	require.ErrorContains(t, err, "opening the webhook sink")
	require.ErrorContains(t, err, "choose a local address and a free port")
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

// What is wanted is kept in a flood; what strangers send to paths that nobody ever had is counted.
func TestAFloodDoesNotKeepAnEventOut(t *testing.T) {
	t.Parallel()
	s, client := listen(t)
	m := s.Open("/mine", nil)
	m.Want("order-0001")
	full := Event{Path: "/mine", Body: []byte(`{"event":"Other"}`)}
	for range maxEvents + 1 {
		m.deliver(full)
	}
	require.Len(t, m.Since(0), maxEvents)
	post := func(path, body string) { deliver(t, client, s.base+path, body) }
	post("/mine", `{"event":"Other"}`)
	post("/mine", `{"externalId":"order-0001"}`)
	post("/mine", `{"externalId":"order-0001","and":"`+strings.Repeat("a", longest)+`"}`)
	require.Len(t, m.Since(maxEvents), 1)
	for range 2 * maxWanted / 1000 {
		m.deliver(Event{Path: "/mine", Body: []byte(`order-0001` + strings.Repeat("a", 1000))})
	}
	require.Less(t, len(m.Since(maxEvents)), maxWanted/1000, "they are bounded, too")

	m.Close()
	post("/mine", `{}`)
	require.Zero(t, s.Strays(), "it is late")
	post("/theirs", `{}`)
	require.Equal(t, 1, s.Strays())
}
