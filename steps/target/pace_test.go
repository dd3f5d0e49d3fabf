package target

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
)

func TestSendAddsTheHeadersOfTheProfile(t *testing.T) {
	t.Parallel()
	headers := make(chan http.Header, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { headers <- r.Header }))
	t.Cleanup(server.Close)
	p := Profile{BaseURL: server.URL, Control: &ControlAccess{URL: server.URL}, Header: map[string]string{"x-api-key": "key", "X-Shop": "extra"}}
	client, err := newClient(p.withDefaults(), Identity{})
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)

	r := post("/", "{}")
	r.Header = http.Header{"x-SHOP": {"the request's own"}}
	e := client.Send(background(), r)
	came := <-headers
	assert.Equal(t, []string{"key"}, came.Values("X-Api-Key"))
	assert.Equal(t, []string{"the request's own"}, came.Values("X-Shop"))
	assert.Equal(t, []string{"key"}, e.Header["X-Api-Key"], "it is recorded")
	assert.Equal(t, http.Header{"x-SHOP": {"the request's own"}}, r.Header, "the request stays as it is")

	r.Party = exchange.Control
	client.Send(background(), r)
	assert.Empty(t, (<-headers).Values("X-Api-Key"), "the controls are another party")
}

// The pace holds over all goroutines; waiting is no part of the answer's time, and no
// deadline runs meanwhile.
func TestSendKeepsThePace(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close)
	const pace, requests, patience = 5, 31, 5 * time.Second // the last waits longer than an answer may take
	p := Profile{BaseURL: server.URL, Control: &ControlAccess{URL: server.URL}, RequestsPerSecond: pace, Deadlines: Deadlines{Answer: patience}}
	client, err := newClient(p.withDefaults(), Identity{})
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)

	started := time.Now()
	var waiting sync.WaitGroup
	for range requests {
		waiting.Go(func() {
			e := client.Send(background(), get("/"))
			assert.Empty(t, e.Err)
			assert.Less(t, e.Took, patience)
		})
	}
	waiting.Wait()
	assert.GreaterOrEqual(t, time.Since(started), time.Second*(requests-1)/pace)

	ctx, cancel := context.WithCancel(background())
	client.pace.limiter.ReserveN(time.Now(), 1)
	cancel()
	e := client.Send(ctx, get("/"))
	assert.True(t, strings.HasPrefix(e.Err, "pixcert stopped waiting"), e.Err)
	assert.False(t, e.Sent.IsZero())
}

func TestProfileHidesItsSecrets(t *testing.T) {
	t.Parallel()
	p := Profile{
		Accounts: []Account{{ClientSecret: "secret of the account", Key: []byte("-----BEGIN PRIVATE KEY-----\nkeyOfTheAccount\n-----END PRIVATE KEY-----\n")}},
		Control:  &ControlAccess{Token: "token of the controls"},
		TLS:      TLS{Key: []byte("keyOfTheClient")}, Sink: Sink{Key: []byte("keyOfTheSink")},
		Header: map[string]string{"X-Shop": "value of a header", "X-Tiny": "no"}, Secrets: []string{"argument of a command"},
	}
	var redactor exchange.Redactor
	p.Hide(&redactor)
	for _, secret := range []string{
		"secret of the account", "keyOfTheAccount", "token of the controls", "keyOfTheClient", "keyOfTheSink", "value of a header", "argument of a command",
	} {
		assert.Equal(t, "reported: ***", redactor.Text("reported: "+secret))
	}
	e := redactor.Exchange(exchange.Exchange{URL: "http://gateway/", Header: http.Header{"X-Tiny": {"no"}, "X-Other": {"no"}}})
	assert.Equal(t, http.Header{"X-Tiny": {"***"}, "X-Other": {"no"}}, e.Header)
	assert.Contains(t, e.Curl(), `-H "X-Tiny: $X_TINY"`)
}
