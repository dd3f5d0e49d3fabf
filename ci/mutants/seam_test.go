package mutants

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func canceled(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// deliver sends an event through a mutant to a receiver of its own, and returns what
// arrived there.
func deliver(t *testing.T, f fault, body string, header ...string) []received {
	t.Helper()
	sink := &gateway{status: 204}
	server := httptest.NewServer(sink)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/hook", strings.NewReader(body))
	require.NoError(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response, err := Mutant{fault: f}.Webhooks(http.DefaultTransport).RoundTrip(r)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Less(t, response.StatusCode, 300)
	return sink.calls
}

func TestWebhooks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault   fault
		arrives []received
	}{
		"as it is":   {sending(failed, drop("status")), []received{{"POST", "/hook", "", `{"status":"CONFIRMED"}`}}},
		"altered":    {sending(confirmed, set("status", `"ERROR"`)), []received{{"POST", "/hook", "", `{"status":"ERROR"}`}}},
		"twice":      {doubling(event, always), []received{{"POST", "/hook", "", `{"status":"CONFIRMED"}`}, {"POST", "/hook", "", `{"status":"CONFIRMED"}`}}},
		"never":      {ignoring(event, always), nil},
		"as another": {sending(always, method("GET"), body("")), []received{{"GET", "/hook", "", ""}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, c.arrives, deliver(t, c.fault, `{"status":"CONFIRMED"}`))
		})
	}
}

func TestAnEventThatCannotBeDelivered(t *testing.T) {
	t.Parallel()
	broken := errors.New("connection reset")
	wire := transportFunc(func(*http.Request) (*http.Response, error) { return nil, broken })
	r := httptest.NewRequest(http.MethodPost, "https://sink.invalid/", nil)
	_, err := Mutant{fault: doubling(event, always)}.Webhooks(wire).RoundTrip(r)
	assert.ErrorIs(t, err, broken)
}

func TestControls(t *testing.T) {
	t.Parallel()
	g := &gateway{status: 204}
	m := Mutant{fault: blockedAfter()}
	h := m.Controls(g)
	answer := do(h, http.MethodPost, "/accounts/93/settlements", `{"outcome":"ERROR","errorCode":"PAYMENT_EXPIRED"}`)
	assert.Equal(t, 204, answer.StatusCode)
	require.Len(t, g.calls, 2)
	assert.Equal(t, received{"PUT", "/accounts/93/limits", "", `{"perTransaction":"0.00"}`}, g.calls[1])
}

func TestMoneyThatIsMade(t *testing.T) {
	t.Parallel()
	g := &gateway{status: 409, answer: `{"message":"paid already"}`}
	h := Mutant{fault: leaving(payment, was(409), "20.00")}.Controls(g)
	answer := do(h, http.MethodPost, "/accounts/93/payments", `{"pixCode":"000201"}`)
	assert.Equal(t, 409, answer.StatusCode)
	require.Len(t, g.calls, 2)
	assert.Equal(t, received{"PUT", "/accounts/93/balance", "", `{"available":"20.00"}`}, g.calls[1])

	do(h, http.MethodPost, "/accounts/93/settlements", `{}`)
	assert.Len(t, g.calls, 3, "another control is left alone")
}

func blockedAfter() fault { return changing(bank, blockingAfter("PAYMENT_EXPIRED")) }

func TestALongBodyPassesUntouched(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxBody+1)
	g := &gateway{status: 413, answer: `{}`}
	answer := pay(Mutant{fault: ignoring(cashOut, always)}.API(g), "t", long)
	assert.Equal(t, 413, answer.StatusCode)
	assert.Equal(t, []string{long}, g.bodies())
}

func TestPieces(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(Mutant{fault: answering(list, always, inPieces)}.API(&gateway{status: 200, answer: `{"total":0}`}))
	defer server.Close()
	response, err := server.Client().Get(server.URL + "/api/webhooks")
	require.NoError(t, err)
	defer response.Body.Close()
	assert.Equal(t, []string{"chunked"}, response.TransferEncoding)
	b, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	assert.Equal(t, `{"total":0}`, string(b))
}

func TestTogether(t *testing.T) {
	t.Parallel()
	g := &gateway{status: 201, answer: `{"status":"PENDING"}`}
	m := Together(
		Mutant{Name: "a", fault: answering(cashOut, accepted, status(200))},
		Mutant{Name: "b", fault: answering(cashOut, accepted, set("status", `"DONE"`))},
	)
	answer := pay(m.API(g), "t", `{}`)
	assert.Equal(t, 200, answer.StatusCode)
	assert.JSONEq(t, `{"status":"DONE"}`, read(t, answer))
	assert.Equal(t, "a and b", m.Name)
}
