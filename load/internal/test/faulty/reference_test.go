package faulty_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/test/faulty"
	"github.com/pixcert/pixcert/load/internal/test/plain"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// TestAProxyBeforeTheReference: registrations, cash-outs and transfers, repeats of both
// and every webhook pass a proxy that debits each first repeat twice.
func TestAProxyBeforeTheReference(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	reference := reftest.Start(t)
	proxy := faulty.StartProxy(t, faulty.ProxyConfig{
		Upstream: reference.URL,
		Repeats:  faulty.At(map[int64]faulty.Fault{1: faulty.DebitTwice, 2: faulty.DebitTwice}),
	})
	controls, err := gateway.NewControls(reference.ControlURL, "")
	require.NoError(t, err)
	t.Cleanup(controls.Close)
	credentials, err := controls.MakeAccounts(ctx, 1)
	require.NoError(t, err)
	const opening = 1000_00
	require.NoError(t, controls.SetBalance(ctx, credentials[0].ID, opening))
	require.NoError(t, controls.LiftLimits(ctx, credentials[0].ID))

	events := make(chan []byte, 100)
	sink := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "of the run", r.Header.Get("X-Run"))
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		events <- body
	}))
	t.Cleanup(sink.Close)
	base, err := gateway.ParseURL(proxy.URL)
	require.NoError(t, err)
	account, connections := gateway.NewAccount(0, credentials[0], ""), plain.New(t, base)
	_, err = account.RegisterWebhook(ctx, connections, gateway.Webhook{Type: "cash_out", URL: sink.URL + "/a?b=c", Headers: map[string]string{"X-Run": "of the run"}})
	require.NoError(t, err)

	source := data.NewSource(data.NewRun(), 0, 1)
	cashOut := source.CashOut(source.Next())
	payee := source.Payee(source.Next())
	require.NoError(t, controls.AddPayee(ctx, payee))
	transfer := source.Transfer(source.Next(), payee)
	ids := map[string]bool{}
	for range 2 {
		answer, exchange := account.Create(ctx, connections, gateway.CashOut, &cashOut)
		require.Equal(t, gateway.Accepted, answer.Outcome, "%s", exchange.Body)
		assert.Contains(t, string(exchange.Body), cashOut.ExternalID)
		ids[answer.TransactionID] = true
	}
	for range 2 {
		answer, exchange := account.Create(ctx, connections, gateway.Transfer, &transfer)
		require.Equal(t, gateway.Accepted, answer.Outcome, "%s", exchange.Body)
		ids[answer.TransactionID] = true
	}
	assert.Len(t, ids, 4, "each repeat is another payment")
	again, _ := account.Create(ctx, connections, gateway.CashOut, &cashOut)
	assert.Equal(t, gateway.Refused, again.Outcome)
	assert.Equal(t, "PIX_DUPLICATE_EXTERNAL_ID", again.Code)

	told := map[string]int{}
	for range 2 {
		select {
		case event := <-events:
			told[gjson.GetBytes(event, "externalId").String()+gjson.GetBytes(event, "data.idempotencyKey").String()]++
		case <-time.After(20 * time.Second):
			t.Fatal("expected an event of each payment")
		}
	}
	assert.Equal(t, map[string]int{cashOut.ExternalID: 1, transfer.IdempotencyKey: 1}, told)
	debited := 2 * int64(cashOut.Value+transfer.Value)
	balance, _, err := account.Balance(ctx, connections)
	require.NoError(t, err)
	assert.Equal(t, int64(opening-debited), balance.Total())
	assert.Equal(t, faulty.Injected{
		Payments: 2, Repeats: 3, Deliveries: 2, DebitedTwice: 2, DebitedCentavos: debited / 2,
	}, proxy.Injected())
}
