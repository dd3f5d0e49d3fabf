package work

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/pixcert/pixcert/reference/store"
)

// sender makes the HTTP requests of deliveries.
type sender struct {
	client    *http.Client
	userAgent string
}

const defaultUserAgent = "pixcert-reference"

// maxAnswer bounds how much of a receiver's answer is read, so that its connection can
// be used again. A longer one costs the connection.
const maxAnswer = 64 << 10

func newSender(cfg Config) *sender {
	dialer := &net.Dialer{Timeout: deliveryTimeout, Control: cfg.DialControl}
	transport := &http.Transport{
		DialContext:         dialer.DialContext,
		TLSClientConfig:     cfg.TLS.Clone(),
		TLSHandshakeTimeout: deliveryTimeout,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        maxCouriers * maxBatch,
		MaxIdleConnsPerHost: maxBatch,
		IdleConnTimeout:     30 * time.Second,
	}
	var wire http.RoundTripper = transport
	if cfg.Wrap != nil {
		wire = cfg.Wrap(transport)
	}
	s := &sender{
		client: &http.Client{
			Transport:     closableTransport{wire, transport},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
			Timeout:       deliveryTimeout,
		},
		userAgent: cfg.UserAgent,
	}
	if s.userAgent == "" {
		s.userAgent = defaultUserAgent
	}
	return s
}

// closableTransport closes the idle connections below whatever wraps them.
type closableTransport struct {
	http.RoundTripper
	wire *http.Transport
}

func (t closableTransport) CloseIdleConnections() { t.wire.CloseIdleConnections() }

func (s *sender) close() { s.client.CloseIdleConnections() }

// send makes one attempt: POST, the registered headers, the gateway's own on top of
// them. Redirects are not followed, so that they count as failures.
func (s *sender) send(ctx context.Context, d store.Delivery) store.Attempt {
	attempt := store.Attempt{At: time.Now()}
	status, err := s.post(ctx, d)
	attempt.Status, attempt.Took = status, time.Since(attempt.At)
	if err != nil {
		attempt.Failure = err.Error()
	}
	return attempt
}

func (s *sender) post(ctx context.Context, d store.Delivery) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, d.URL, strings.NewReader(d.Body))
	if err != nil {
		return 0, err
	}
	for _, header := range d.Headers {
		request.Header.Set(header.Key, header.Value)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", s.userAgent)
	request.Header.Set("webhook-id", d.MessageID)
	response, err := s.client.Do(request)
	if err != nil {
		return 0, shorten(err)
	}
	defer response.Body.Close()
	io.CopyN(io.Discard, response.Body, maxAnswer) // the status is the answer, whatever its body does
	return response.StatusCode, nil
}

// shorten leaves method and URL out, which the log names beside the failure.
func shorten(err error) error {
	if wrapped := errors.Unwrap(err); wrapped != nil {
		return wrapped
	}
	return err
}
