// Package barrier lets the instances of a run wait for each other and exchange what each has measured. The first
// instance serves the others over HTTP.
package barrier

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Barrier is one instance's end of the exchange. It is not safe for concurrent use.
type Barrier struct {
	url          string
	instance, of int
	round        int
	server       *http.Server // of the first instance, for all; nil for the others
	client       *http.Client
}

// Open joins an instance, counted from 0. The address is a URL at which all instances reach the first one, which
// listens on its port: on every interface, unless the host is this machine itself.
func Open(address string, instance, of int) (*Barrier, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.Hostname() == "" || u.Port() == "" {
		return nil, fmt.Errorf("expected a URL such as http://pix-load-1:7070, got %q", address)
	}
	b := &Barrier{url: strings.TrimSuffix(address, "/"), instance: instance, of: of, client: &http.Client{Transport: &http.Transport{}}}
	if instance > 0 {
		return b, nil
	}
	host := u.Hostname()
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		host = ""
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, u.Port()))
	if err != nil {
		return nil, fmt.Errorf("cannot listen for the other instances: %w", err)
	}
	b.url = "http://" + listener.Addr().String()
	b.server = &http.Server{Handler: newHub(of).handler(), ReadHeaderTimeout: time.Minute}
	go b.server.Serve(listener) //nolint:errcheck // ends with Close
	return b, nil
}

// Exchange waits until every instance has brought its part, and returns the parts in the order of the instances.
// It is an error if one has left, or does not come within the patience.
func Exchange[T any](ctx context.Context, b *Barrier, patience time.Duration, mine T) ([]T, error) {
	part, err := json.Marshal(mine)
	if err != nil {
		return nil, err
	}
	b.round++
	parts, err := b.meet(ctx, part, patience)
	if err != nil {
		return nil, err
	}
	all := make([]T, len(parts))
	for i, part := range parts {
		if err := json.Unmarshal(part, &all[i]); err != nil {
			return nil, fmt.Errorf("instance %d of %d sent something else: %w", i+1, b.of, err)
		}
	}
	return all, nil
}

func (b *Barrier) meet(ctx context.Context, part []byte, patience time.Duration) ([]json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, patience+grace) // the first instance knows for whom it still waits
	defer cancel()
	path := fmt.Sprintf("/rounds/%d?instance=%d&of=%d&patience=%s", b.round, b.instance, b.of, patience)
	answer, err := b.post(ctx, path, part)
	for b.round == 1 && isUnreached(err) && ctx.Err() == nil { // the first instance may start later
		select {
		case <-time.After(100 * time.Millisecond):
			answer, err = b.post(ctx, path, part)
		case <-ctx.Done():
		}
	}
	var said refusal
	switch {
	case errors.As(err, &said):
		return nil, err
	case err != nil && b.round > 1 && ctx.Err() == nil:
		return nil, fmt.Errorf("instance 1 of %d has stopped: %w", b.of, err)
	case err != nil:
		return nil, fmt.Errorf("cannot reach instance 1 of %d: %w", b.of, err)
	}
	var parts []json.RawMessage
	return parts, json.Unmarshal(answer, &parts)
}

// isUnreached reports whether a request has not come to the first instance: also if a proxy says so.
func isUnreached(err error) bool {
	var network *net.OpError
	return errors.As(err, &network) && network.Op == "dial" || errors.Is(err, errUnready)
}

var errUnready = errors.New("a proxy does not reach it")

// refusal is what the first instance says to another.
type refusal string

func (r refusal) Error() string { return string(r) }

func (b *Barrier) post(ctx context.Context, path string, body []byte) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	response, err := b.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, mostBytes))
	text := strings.TrimSpace(string(answer))
	switch {
	case err != nil || response.StatusCode == http.StatusOK:
		return answer, err
	case response.StatusCode == http.StatusBadGateway || response.StatusCode == http.StatusServiceUnavailable:
		return nil, fmt.Errorf("%w: %s: %s", errUnready, response.Status, text)
	}
	return nil, refusal(text)
}

// Leave tells the others that this instance does not go on, so that they do not wait for it, and
// ends its part.
func (b *Barrier) Leave() {
	if b == nil {
		return
	}
	defer b.Close()
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	_, _ = b.post(ctx, "/left?instance="+strconv.Itoa(b.instance), nil) // the others time out otherwise
}

// Close ends the instance's part, once all responses to the others are sent. Nil is the end of an instance
// that is alone.
func (b *Barrier) Close() {
	if b == nil {
		return
	}
	b.client.CloseIdleConnections()
	if b.server == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	_ = b.server.Shutdown(ctx)
}

// grace is how long leaving may take.
const grace = 5 * time.Second
