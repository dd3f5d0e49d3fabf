package module

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sirupsen/logrus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/netext/httpext"
	"go.k6.io/k6/v2/metrics"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
	"golang.org/x/time/rate"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/run"
)

// virtual is a virtual user's sender to a URL, with its samples.
func virtual(t *testing.T, base string) (*sender, chan metrics.SampleContainer) {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	registry, samples := metrics.NewRegistry(), make(chan metrics.SampleContainer, 100)
	logger := logrus.New()
	logger.SetOutput(io.Discard)
	state := &lib.State{
		Options: lib.Options{SystemTags: &metrics.DefaultSystemTagSet}, BuiltinMetrics: metrics.RegisterBuiltinMetrics(registry),
		Logger: logger, Transport: transport, BufferPool: lib.NewBufferPool(), Samples: samples, Tags: lib.NewVUStateTags(registry.RootTagSet()),
	}
	u := &user{state: state, base: base, test: &Test{options: &options{Config: run.Config{Timeout: 20 * time.Second}}}}
	return u.sender(state.Tags.GetCurrentValues(), nil, successes), samples
}

// transfer is a payment, which has an idempotency key.
func transfer() *gateway.Request {
	return &gateway.Request{Operation: gateway.Transfer, Path: "/dict/pix", Header: []string{"x-idempotency-key", "k"}, Body: []byte(`{"value":1}`)}
}

// serve answers every connection with a handler of its bytes.
func serve(t *testing.T, listener net.Listener, handle func(net.Conn)) {
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				handle(conn)
			}()
		}
	}()
}

// The gateway reads the second request on a connection, and closes it: the payment may have been made.
func TestAPaymentIsSentOnce(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if requests.Add(1) == 2 {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, "{}")
	}))
	defer server.Close()
	s, samples := virtual(t, server.URL)
	require.NoError(t, s.exchange(t.Context(), transfer(), successes).Err)
	require.False(t, (<-samples).(*httpext.Trail).ConnReused)

	x := s.exchange(t.Context(), transfer(), successes)
	require.Error(t, x.Err)
	assert.Zero(t, x.Status)
	assert.False(t, x.Unsent)
	assert.True(t, (<-samples).(*httpext.Trail).ConnReused)
	assert.EqualValues(t, 2, requests.Load(), "sent once")
	assert.Positive(t, x.Timing.Waiting)
}

// net/http sends a request again after a stream error PROTOCOL_ERROR, unless it cannot read the body again.
func TestAPaymentIsSentOnceOverHTTP2(t *testing.T) {
	t.Parallel()
	certified := httptest.NewTLSServer(nil)
	defer certified.Close()
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: certified.TLS.Certificates, NextProtos: []string{"h2"}})
	require.NoError(t, err)
	var requests atomic.Int64
	serve(t, listener, func(conn net.Conn) {
		_, _ = io.ReadFull(conn, make([]byte, len(http2.ClientPreface)))
		framer := http2.NewFramer(conn, conn)
		_ = framer.WriteSettings()
		for {
			frame, err := framer.ReadFrame()
			if err != nil {
				return
			}
			if data, ok := frame.(*http2.DataFrame); !ok || !data.StreamEnded() {
				continue
			}
			if requests.Add(1) == 2 {
				_ = framer.WriteRSTStream(frame.Header().StreamID, http2.ErrCodeProtocol)
				continue
			}
			var header bytes.Buffer
			_ = hpack.NewEncoder(&header).WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
			_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: frame.Header().StreamID, BlockFragment: header.Bytes(), EndHeaders: true, EndStream: true})
		}
	})
	s, _ := virtual(t, "https://"+listener.Addr().String())
	require.NoError(t, s.exchange(t.Context(), transfer(), successes).Err)
	x := s.exchange(t.Context(), transfer(), successes)
	require.ErrorContains(t, x.Err, "PROTOCOL_ERROR")
	assert.False(t, x.Unsent)
	assert.EqualValues(t, 2, requests.Load(), "sent once")
}

func TestARedirectRepeatsNoPayment(t *testing.T) {
	t.Parallel()
	var requests atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	s, _ := virtual(t, server.URL)
	x := s.exchange(t.Context(), transfer(), successes)
	assert.Equal(t, http.StatusTemporaryRedirect, x.Status)
	assert.EqualValues(t, 1, requests.Load())
}

func TestARequestWithoutAConnectionWasNeverSent(t *testing.T) {
	t.Parallel()
	s, samples := virtual(t, "http://127.0.0.1:1")
	x := s.exchange(t.Context(), transfer(), successes)
	require.ErrorContains(t, x.Err, "connection refused")
	assert.NotContains(t, x.Err.Error(), "/dict/pix")
	assert.True(t, x.Unsent)
	assert.Equal(t, "1212", x.ErrorCode)
	assert.Len(t, samples, 1, "k6 counts it")
}

// The wait for the script's limit of requests per second is no latency.
func TestALatencyBeginsAfterTheLimit(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") }))
	defer server.Close()
	s, _ := virtual(t, server.URL)
	const limit = 300 * time.Millisecond
	s.state.RPSLimit = rate.NewLimiter(rate.Every(limit), 1)
	require.NoError(t, s.exchange(t.Context(), transfer(), successes).Err)
	x := s.exchange(t.Context(), transfer(), successes)
	require.NoError(t, x.Err)
	assert.Greater(t, x.Paced, limit/2)
	assert.Less(t, x.Timing.End.Sub(x.Timing.Start), x.Paced)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	ended := s.exchange(ctx, transfer(), successes)
	require.ErrorContains(t, ended.Err, "canceled")
	assert.True(t, ended.Unsent)
}
