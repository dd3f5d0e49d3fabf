package sandbox

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/api"
)

// fault is a fault of a gateway or of the network that clients have to cope with. Unlike a mutant, a gateway with a
// fault may conform to the API.
type fault struct {
	name, help string
	api        func(http.Handler) http.Handler           // nil if the fault is one of webhooks
	webhooks   func(http.RoundTripper) http.RoundTripper // nil if it is one of the API
}

const (
	faultDelay     = 5 * time.Second // below the time that a delivery may take
	failedRequests = 3               // every third
)

var faults = []fault{
	{"webhook-twice", "each webhook arrives twice, with the same webhook-id", nil, sendTwice},
	{"webhook-late", "each webhook arrives 5 seconds late", nil, sendLate},
	{"webhook-out-of-order", "of two webhooks, the second arrives first", nil, sendSwapped},
	{"webhook-never", "no webhook arrives, and all count as delivered", nil, sendNothing},
	{"webhook-forged", "each webhook has another webhook-id, and none of the registered headers", nil, sendForged},
	{"error-500", "every third request gets 500, and has no effect", failEvery(http.StatusInternalServerError, "an unexpected error"), nil},
	{"error-429", "every third request gets 429 with Retry-After, and has no effect", failEvery(http.StatusTooManyRequests, "too many requests"), nil},
	{"slow", "each response takes 5 seconds", answerSlowly, nil},
	{"connection-closed", "every third request takes effect, but its connection is closed without a response", closeConnections, nil},
	{"token-rejected", "each token is rejected with 401 once, as if it had expired", rejectTokens, nil},
}

// FaultHelp lists the faults.
func FaultHelp() string {
	var text strings.Builder
	for _, f := range faults {
		fmt.Fprintf(&text, "  %-21s %s\n", f.name, f.help)
	}
	return text.String()
}

// addFault makes a gateway have a fault.
func addFault(cfg *reference.Config, name string) error {
	var names []string
	for _, f := range faults {
		if f.name == name {
			cfg.Wrap = outside(f.api, cfg.Wrap)
			cfg.WebhookTransport = outside(f.webhooks, cfg.WebhookTransport)
			return nil
		}
		names = append(names, f.name)
	}
	return fmt.Errorf("expected one of %s for --fault, got %q", strings.Join(names, ", "), name)
}

// outside applies wrap to what inner makes. Either may be nil.
func outside[T any](wrap, inner func(T) T) func(T) T {
	if wrap == nil || inner == nil {
		if wrap == nil {
			return inner
		}
		return wrap
	}
	return func(t T) T { return wrap(inner(t)) }
}

// isOperation reports whether a request is one of the API that needs a token.
func isOperation(r *http.Request) bool { return r.Header.Get("Authorization") != "" }

// failEvery rejects every third request.
func failEvery(status int, message string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		var count atomic.Int64
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !isOperation(r) || count.Add(1)%failedRequests != 0 {
				next.ServeHTTP(w, r)
				return
			}
			if status == http.StatusTooManyRequests {
				w.Header().Set("Retry-After", "1")
			}
			api.Refuse(w, r, status, message)
		})
	}
}

func closeConnections(next http.Handler) http.Handler {
	var count atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isOperation(r) || count.Add(1)%failedRequests != 0 {
			next.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(&memory{header: http.Header{}}, r)
		panic(http.ErrAbortHandler) // net/http closes the connection
	})
}

func answerSlowly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if pause(r.Context(), faultDelay) == nil {
			next.ServeHTTP(w, r)
		}
	})
}

func rejectTokens(next http.Handler) http.Handler {
	var rejected sync.Map // by token
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isOperation(r) {
			if _, again := rejected.LoadOrStore(r.Header.Get("Authorization"), true); !again {
				w.Header().Set("WWW-Authenticate", "Bearer")
				api.Refuse(w, r, http.StatusUnauthorized, "the token has expired")
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// roundTrip is a function that sends a webhook.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func sendTwice(wire http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		again, err := copyOf(r)
		if err != nil {
			return nil, err
		}
		if response, err := wire.RoundTrip(r); err == nil {
			_ = response.Body.Close()
		}
		return wire.RoundTrip(again)
	})
}

// copyOf is the same request with a body of its own.
func copyOf(r *http.Request) (*http.Request, error) {
	body, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	again := r.Clone(r.Context())
	again.Body = body
	return again, nil
}

func sendLate(wire http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		if err := pause(r.Context(), faultDelay); err != nil {
			return nil, err
		}
		return wire.RoundTrip(r)
	})
}

// sendSwapped holds a webhook back until the next one has been sent, or for a while if none follows.
func sendSwapped(wire http.RoundTripper) http.RoundTripper {
	var mu sync.Mutex
	var held chan struct{} // closed when the webhook that waits may go; nil if none waits
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		mu.Lock()
		before := held
		if held = nil; before == nil {
			held = make(chan struct{})
		}
		own := held
		mu.Unlock()
		if before != nil {
			defer close(before)
			return wire.RoundTrip(r)
		}
		timer := time.NewTimer(faultDelay)
		defer timer.Stop()
		select {
		case <-own:
			return wire.RoundTrip(r)
		case <-timer.C:
		case <-r.Context().Done():
		}
		mu.Lock()
		if held == own {
			held = nil
		}
		mu.Unlock()
		return wire.RoundTrip(r)
	})
}

func sendNothing(http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: r}, nil
	})
}

func sendForged(wire http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		forged := r.Clone(r.Context())
		forged.Header = http.Header{
			"Content-Type": r.Header["Content-Type"], "User-Agent": r.Header["User-Agent"], "Webhook-Id": {"msg_" + rand.Text()},
		}
		return wire.RoundTrip(forged)
	})
}

// pause waits for a time, or for the end of ctx, which is an error.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
