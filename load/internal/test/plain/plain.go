// Package plain sends the requests of tests without k6.
package plain

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pixcert/pixcert/load/internal/gateway"
)

// Sender sends with net/http to a base URL.
type Sender struct {
	base   string
	client *http.Client
}

// New sends until the test ends.
func New(t testing.TB, base *url.URL) *Sender {
	client := &http.Client{Timeout: 20 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	t.Cleanup(client.CloseIdleConnections)
	return &Sender{strings.TrimRight(base.String(), "/"), client}
}

// Send makes an exchange.
func (s *Sender) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	x := &gateway.Exchange{Request: r, Timing: gateway.Timing{Start: time.Now()}}
	x.Status, x.Body, x.Err = s.send(ctx, r)
	dial, ok := errors.AsType[*net.OpError](x.Err)
	x.Unsent = ok && dial.Op == "dial"
	x.Timing.End = time.Now()
	return x
}

func (s *Sender) send(ctx context.Context, r *gateway.Request) (status int, body []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, r.Operation.Method, s.base+r.Path, io.NopCloser(bytes.NewReader(r.Body))) // read once: never repeated
	if err != nil {
		return 0, nil, err
	}
	request.ContentLength = int64(len(r.Body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+r.Bearer)
	for i := 0; i+1 < len(r.Header); i += 2 {
		request.Header.Set(r.Header[i], r.Header[i+1])
	}
	response, err := s.client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	if body, err = io.ReadAll(response.Body); err != nil {
		return 0, nil, err
	}
	return response.StatusCode, body, nil
}
