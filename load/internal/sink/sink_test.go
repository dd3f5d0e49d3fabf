package sink

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/ledger"
)

// inbox keeps deliveries.
type inbox struct {
	mu  sync.Mutex
	all []ledger.Delivery
}

func (i *inbox) receive(d ledger.Delivery) {
	d.Body = bytes.Clone(d.Body)
	i.mu.Lock()
	defer i.mu.Unlock()
	i.all = append(i.all, d)
}

func (i *inbox) deliveries() []ledger.Delivery {
	i.mu.Lock()
	defer i.mu.Unlock()
	return append([]ledger.Delivery(nil), i.all...)
}

func open(t *testing.T, cfg Config) (*Sink, *inbox) {
	t.Helper()
	var i inbox
	cfg.Receive, cfg.Root = i.receive, cmp.Or(cfg.Root, "run")
	s, err := Open(cfg)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close(context.Background())) })
	return s, &i
}

// client trusts the sink's certificate, and reaches every host at the sink.
func client(t *testing.T, s *Sink, http2 bool) *http.Client {
	t.Helper()
	trusted := x509.NewCertPool()
	require.True(t, trusted.AppendCertsFromPEM(s.Authority()))
	transport := &http.Transport{
		TLSClientConfig:   &tls.Config{RootCAs: trusted},
		ForceAttemptHTTP2: http2,
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// A sender that offers only CBC gets no connection.
func TestNoCBC(t *testing.T) {
	t.Parallel()
	s, _ := open(t, Config{})
	config := client(t, s, false).Transport.(*http.Transport).TLSClientConfig.Clone()
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

// scarce is a listener that has no file descriptor for the first connections.
type scarce struct {
	net.Listener
	left int
}

func (l *scarce) Accept() (net.Conn, error) {
	if l.left > 0 {
		l.left--
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	return l.Listener.Accept()
}

// A sink without file descriptors says so, and receives again when there are some.
func TestASinkSurvivesAShortage(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	var i inbox
	var told atomic.Int64
	s := &Sink{cfg: Config{Receive: i.receive, Root: "run", Failed: func(error) { told.Add(1) }}}
	require.NoError(t, s.serve(&scarce{listener, 3}))
	t.Cleanup(func() { assert.NoError(t, s.Close(context.Background())) })
	require.Equal(t, http.StatusNotFound, post(t, client(t, s, false), s.base+"/nowhere", "{}"))
	require.EqualValues(t, 3, told.Load())
}

func post(t *testing.T, c *http.Client, url, body string) int {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("webhook-id", "w1")
	answer, err := c.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	require.NoError(t, err)
	return answer.StatusCode
}

func TestDelivery(t *testing.T) {
	t.Parallel()
	for _, http2 := range []bool{false, true} {
		s, inbox := open(t, Config{Root: "abc"})
		before := time.Now()
		assert.Equal(t, 200, post(t, client(t, s, http2), s.URL(7, "cash_out"), `{"a":1}`))
		all := inbox.deliveries()
		require.Len(t, all, 1)
		assert.WithinRange(t, all[0].At, before, time.Now())
		all[0].At = time.Time{}
		assert.Equal(t, ledger.Delivery{Account: 7, Type: "cash_out", Body: []byte(`{"a":1}`), WebhookID: "w1"}, all[0])
		assert.Contains(t, s.URL(7, "cash_out"), "/abc/7/cash_out")
	}
}

func TestAPUTIsADelivery(t *testing.T) {
	t.Parallel()
	s, inbox := open(t, Config{})
	r, err := http.NewRequest(http.MethodPut, s.URL(3, "cash_out"), strings.NewReader("{}"))
	require.NoError(t, err)
	answer, err := client(t, s, false).Do(r)
	require.NoError(t, err)
	answer.Body.Close()
	assert.Equal(t, 200, answer.StatusCode)
	all := inbox.deliveries()
	require.Len(t, all, 1)
	assert.Equal(t, 3, all[0].Account)
}

func TestWhatIsNoDeliveryIsAStray(t *testing.T) {
	t.Parallel()
	s, inbox := open(t, Config{Root: "1"})
	c := client(t, s, false)
	good := s.URL(0, "cash_out")
	strays := []string{
		s.base, s.base + "/", good + "/", good + "/1", strings.TrimSuffix(good, "/cash_out"),
		strings.Replace(good, "/1/", "/2/", 1), s.URL(-1, "cash_out"),
		s.URL(1_000_000, "cash_out"), s.URL(0, ""), s.URL(0, "Cash"), s.base + "/hooks" + strings.TrimPrefix(good, s.base),
	}
	for _, url := range strays {
		assert.Equal(t, 404, post(t, c, url, "{}"), url)
	}
	answer, err := c.Get(good)
	require.NoError(t, err)
	answer.Body.Close()
	assert.Equal(t, 404, answer.StatusCode, "a GET")
	assert.EqualValues(t, len(strays)+1, s.Strays())
	assert.Empty(t, inbox.deliveries())
}

func TestALargeBodyIsCutShort(t *testing.T) {
	t.Parallel()
	s, inbox := open(t, Config{})
	c := client(t, s, false)
	for _, size := range []int{maxBody, maxBody + 1, 2 * maxBody} {
		want := 200
		if size > maxBody {
			want = 413
		}
		assert.Equal(t, want, post(t, c, s.URL(0, "cash_in"), strings.Repeat("x", size)))
	}
	for _, d := range inbox.deliveries() {
		assert.Len(t, d.Body, maxBody)
	}
	assert.Len(t, inbox.deliveries(), 3)
}

func TestABodyThatDoesNotComeWholeIsNoDelivery(t *testing.T) {
	t.Parallel()
	for _, length := range []int64{-1, 100, 100_000} { // the first is chunked
		s, inbox := open(t, Config{})
		c := client(t, s, false)
		broken := io.MultiReader(strings.NewReader(`{"event":`), brokenReader{})
		r, err := http.NewRequest(http.MethodPost, s.URL(0, "cash_out"), broken)
		require.NoError(t, err)
		r.ContentLength = length
		_, err = c.Do(r)
		require.Error(t, err)
		require.Eventually(t, func() bool { return s.Strays() == 1 }, time.Minute, time.Millisecond, "%d", length)
		assert.Empty(t, inbox.deliveries())
	}
}

func TestAChunkedBodyIsADelivery(t *testing.T) {
	t.Parallel()
	s, inbox := open(t, Config{})
	c := client(t, s, false)
	for range 2 {
		r, err := http.NewRequest(http.MethodPost, s.URL(0, "cash_out"), io.MultiReader(strings.NewReader(`{"a"`), strings.NewReader(`:1}`)))
		require.NoError(t, err)
		answer, err := c.Do(r)
		require.NoError(t, err)
		answer.Body.Close()
		assert.Equal(t, 200, answer.StatusCode)
	}
	for _, d := range inbox.deliveries() {
		assert.Equal(t, `{"a":1}`, string(d.Body))
	}
	assert.Len(t, inbox.deliveries(), 2)
	assert.Zero(t, s.Strays())
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, errors.New("cut") }

func TestCloseWaitsForDeliveries(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}), make(chan struct{})
	s, err := Open(Config{Root: "run", Receive: func(ledger.Delivery) { close(entered); <-leave }})
	require.NoError(t, err)
	c := client(t, s, false)
	answered, closed := make(chan int, 1), make(chan error, 1)
	go func() { answered <- post(t, c, s.URL(0, "cash_out"), "{}") }()
	<-entered
	go func() { closed <- s.Close(context.Background()) }()
	select {
	case <-closed:
		t.Fatal("expected Close to wait")
	case <-time.After(50 * time.Millisecond):
	}
	close(leave)
	assert.NoError(t, <-closed)
	assert.Equal(t, 200, <-answered)
	_, err = net.Dial("tcp", strings.TrimPrefix(s.base, "https://"))
	assert.Error(t, err)
}

// Senders that keep connections in reserve may never use them.
func TestCloseDoesNotWaitForUnusedConnections(t *testing.T) {
	t.Parallel()
	s, _ := open(t, Config{})
	address := strings.TrimPrefix(s.base, "https://")
	raw, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer raw.Close()
	config := client(t, s, false).Transport.(*http.Transport).TLSClientConfig
	conn, err := tls.Dial("tcp", address, config)
	require.NoError(t, err)
	defer conn.Close()
	ctx, cancel := context.WithTimeout(t.Context(), readTime/2)
	defer cancel()
	require.NoError(t, s.Close(ctx))
}

func TestURLOfAnotherHost(t *testing.T) {
	t.Parallel()
	s, inbox := open(t, Config{URL: "https://pod-3.load:0/hooks/", Root: "load"})
	url := s.URL(1, "cash_in")
	assert.Regexp(t, `^https://pod-3\.load:[1-9]\d*/hooks/load/1/cash_in$`, url)

	c := client(t, s, false)
	c.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
		_, number, _ := net.SplitHostPort(addr)
		return new(net.Dialer).DialContext(ctx, network, "127.0.0.1:"+number)
	}
	assert.Equal(t, 200, post(t, c, url, "{}"), "its certificate is for that host")
	assert.Equal(t, 200, post(t, c, strings.Replace(url, "/hooks", "", 1), "{}"), "a proxy may take its path off")
	assert.Len(t, inbox.deliveries(), 2)
}

func TestMistakesAreTold(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing.pem")
	for want, cfg := range map[string]Config{
		"choose an address of this machine":    {Listen: "192.0.2.1:1"},
		"expected PEM files":                   {Certificate: missing, Key: missing},
		"expected a webhook URL such as https": {URL: "http://pod:0"},
	} {
		_, err := Open(cfg)
		assert.ErrorContains(t, err, want)
	}
}

// TestMain sends deliveries instead of running tests if the environment says where.
func TestMain(m *testing.M) {
	if url := os.Getenv("SINK_BENCH_URL"); url != "" {
		n, _ := strconv.Atoi(os.Getenv("SINK_BENCH_COUNT"))
		flood(url, n)
		return
	}
	os.Exit(m.Run())
}
