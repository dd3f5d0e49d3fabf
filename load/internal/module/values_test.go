package module

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/lib"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
)

func TestAnAmountThatAnEventDoesNotTellIsNotCreated(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(newWebhook(ledger.Event{Name: "CashOut", Amount: -1, Fee: -1, Body: "{}"}))
	require.NoError(t, err)
	assert.NotContains(t, string(text), "-0.01")
	assert.NotContains(t, string(text), "value")
	w := newWebhook(ledger.Event{Amount: 1234, Fee: 0, Body: "{}"})
	assert.Equal(t, "12.34", w.Value)
	assert.Equal(t, "0.00", w.Fee)
}

func TestATokenIsReadAsItsAccountReadsIt(t *testing.T) {
	t.Parallel()
	u := &user{state: &lib.State{}}
	issued := u.newToken(&gateway.Exchange{Status: 201, Body: []byte(`{"access_token": "hush", "expires_in": 1800.0}`)})
	assert.True(t, issued.Accepted, issued.Error)
	assert.Equal(t, "hush", issued.Value)
	assert.EqualValues(t, 1800, issued.ExpiresIn)
	for status, body := range map[int]string{200: `{"access_token": "hush"}`, 201: `hush`, 401: `{"access_token": "hush"}`, 500: `hush`} {
		refused := u.newToken(&gateway.Exchange{Request: &gateway.Request{Operation: gateway.Token}, Status: status, Body: []byte(body)})
		require.NotNil(t, refused.Error, status)
		assert.NotContains(t, refused.Error.Message, "hush", status)
		assert.Empty(t, refused.Value)
	}
}
