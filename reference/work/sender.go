package work

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// sender makes the HTTP requests of deliveries.
type sender struct {
	wire      http.RoundTripper // a client would follow redirects and add nothing that is wanted
	transport *http.Transport   // below it
	userAgent string
}

const defaultUserAgent = "pixcert-reference"

// maxAnswer bounds how much of a receiver's answer is read, so that its connection can
// be used again. A longer one costs the connection.
const maxAnswer = 64 << 10

func newSender(cfg Config) *sender {
	dialer := &net.Dialer{Timeout: DeliveryTimeout, Control: cfg.DialControl, Resolver: cfg.Resolver}
	// HTTP/1.1: HTTP/2 would cost both ends more for each delivery, and one slow answer
	// holds up no other where connections are kept.
	transport := &http.Transport{
		DialContext:         dialer.DialContext,
		TLSClientConfig:     cfg.TLS.Clone(),
		TLSHandshakeTimeout: DeliveryTimeout,
		MaxIdleConns:        maxURLs + maxMore,
		MaxIdleConnsPerHost: maxURLs + maxMore, // the URLs may all be of one host
		IdleConnTimeout:     30 * time.Second,
	}
	s := &sender{wire: transport, transport: transport, userAgent: cfg.UserAgent}
	if cfg.Wrap != nil {
		s.wire = cfg.Wrap(transport)
	}
	if s.userAgent == "" {
		s.userAgent = defaultUserAgent
	}
	return s
}

func (s *sender) close() { s.transport.CloseIdleConnections() }

// send makes one attempt, for as long as ctx lets it: POST, the registered headers, the
// gateway's own on top of them. Redirects are not followed, so that they count as
// failures.
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
	if err != nil { // which would tell the whole URL
		return 0, fmt.Errorf("%s cannot be requested", pix.ShownURL(d.URL))
	}
	for _, header := range d.Headers {
		request.Header.Set(header.Key, header.Value)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", s.userAgent)
	request.Header.Set("webhook-id", d.MessageID)
	if user := request.URL.User; user != nil && request.Header.Get("Authorization") == "" {
		password, _ := user.Password()
		request.SetBasicAuth(user.Username(), password)
	}
	response, err := s.wire.RoundTrip(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	io.CopyN(io.Discard, response.Body, maxAnswer) // the status is the answer, whatever its body does
	return response.StatusCode, nil
}
