package target

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"

	"github.com/pixcert/pixcert/steps/exchange"
)

func refusing(t *testing.T, refuses func(*http.Request) bool) (*Client, *atomic.Int64) {
	t.Helper()
	var refused atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if refuses(r) {
			refused.Add(1)
			w.WriteHeader(http.StatusTooManyRequests)
		}
		_, _ = io.WriteString(w, "{}")
	}))
	t.Cleanup(server.Close)
	client, err := newClient(Profile{BaseURL: server.URL}.withDefaults(), Identity{})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client, &refused
}

// 429 means that a request was not processed: it is sent again, at a rate that the target accepts, which the user
// learns.
func TestTheClientAdaptsItsRate(t *testing.T) {
	t.Parallel()
	limiter := rate.NewLimiter(50, 10)
	client, refused := refusing(t, func(*http.Request) bool { return !limiter.Allow() })
	var noting sync.Mutex
	var notes []string
	client.Watch(func(text string) {
		noting.Lock()
		defer noting.Unlock()
		notes = append(notes, text)
	})
	var sending sync.WaitGroup
	for range 8 {
		sending.Go(func() {
			for range 20 {
				assert.Equal(t, 200, client.Send(background(), get("/")).Status)
			}
		})
	}
	sending.Wait()
	require.Positive(t, refused.Load())
	require.Less(t, refused.Load(), int64(60))
	require.NotEmpty(t, notes)
	require.Equal(t, "the target returns 429, so pixcert sends fewer requests a second and repeats those", notes[0], "at once: a quick run ends before the rate is known")
	if len(notes) > 1 { // on a slow machine, there may be no time for it
		require.Regexp(t, `if this run sends more than about \d+ requests a second, .* set requestsPerSecond: \d+ in the profile`, notes[1], "other shards may send as many")
		require.Len(t, notes, 2)
	}
}

// What is refused for ever is the response.
func TestWhatIsRefusedForEver(t *testing.T) {
	t.Parallel()
	t.Run("one operation", func(t *testing.T) {
		t.Parallel()
		client, refused := refusing(t, func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/cash-out") })
		require.Equal(t, 429, client.Send(background(), cashOut()).Status)
		require.EqualValues(t, mostResends+1, refused.Load())
		require.Equal(t, 429, client.Send(background(), cashOut()).Status)
		require.EqualValues(t, mostResends+2, refused.Load(), "its next request is sent once")
		require.Equal(t, 200, client.Send(background(), get("/")).Status)
	})
	t.Run("everything, for longer than anybody waits", func(t *testing.T) {
		t.Parallel()
		client, refused := refusing(t, func(*http.Request) bool { return true })
		client.pace.since = time.Now().Add(-mostThrottled - time.Second)
		for range 20 {
			require.Equal(t, 429, client.Send(background(), get("/")).Status)
		}
		require.EqualValues(t, 20, refused.Load())
	})
}

// The limit of resends that the specification states is for the scenarios, unless the target is known to limit
// everything: then a second refusal is.
func TestOperationsWithALimitOfTheirOwn(t *testing.T) {
	t.Parallel()
	client, refused := refusing(t, func(*http.Request) bool { return true })
	resend := Request{Party: exchange.API, Operation: "resend request", Method: http.MethodPost, Path: "/", Limited: true}
	require.Equal(t, 429, client.Send(background(), resend).Status)
	require.EqualValues(t, 1, refused.Load())
	require.Zero(t, client.Wait())
	client.pace.limiter = rate.NewLimiter(1000, 1)
	require.Equal(t, 429, client.Send(background(), resend).Status)
	require.EqualValues(t, 3, refused.Load())
	require.Equal(t, rate.Limit(1000), client.pace.limiter.Limit(), "it says nothing about the rate of all requests")
}

// A refusal with the body that other operations get comes from what limits them all, also where the API has a limit.
func TestARefusalThatOthersGetIsNoLimitOfTheOperation(t *testing.T) {
	t.Parallel()
	var left atomic.Int64
	left.Store(4) // refusals
	client, refused := refusing(t, func(*http.Request) bool { return left.Add(-1) >= 0 })
	require.Equal(t, 200, client.Send(background(), get("/")).Status)
	require.EqualValues(t, 4, refused.Load())
	left.Store(3)
	resend := Request{Party: exchange.API, Operation: "resend request", Method: http.MethodPost, Path: "/", Limited: true}
	require.Equal(t, 200, client.Send(background(), resend).Status)
	require.EqualValues(t, 7, refused.Load())
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for after, want := range map[string]time.Duration{
		"7": 7 * time.Second, "0.5": time.Second / 2, "0": 0, "600": 10 * time.Minute, fmt.Sprint(int64(1) << 62): time.Hour, "99999999999": time.Hour, "+Inf": time.Hour,
	} {
		pause, demanded := RetryAfter(http.Header{"Retry-After": {after}}, time.Minute)
		assert.Equal(t, want, pause, after)
		assert.True(t, demanded, after)
	}
	for _, after := range []string{"", "soon", "-1", "NaN"} {
		pause, demanded := RetryAfter(http.Header{"Retry-After": {after}}, time.Minute)
		assert.Equal(t, time.Minute, pause, after)
		assert.False(t, demanded, after)
	}
}
