package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features/contract"
)

const sale = `{"transaction":{"value":10.00,"description":"sale","externalId":"sale-1"},` +
	`"payer":{"fullName":"Fulano de Tal","document":"52998224725"},` +
	`"splits":[{"pixKey":"rui@example.com","pixKeyType":"EMAIL","name":"Rui","document":"52998224725","type":"PERCENTAGE","value":30}]}`

// next waits for a webhook.
func next(t *testing.T, events <-chan []byte) []byte {
	t.Helper()
	select {
	case raw := <-events:
		return raw
	case <-time.After(deadline):
		t.Fatal("no webhook arrived")
		return nil
	}
}

func TestCashInFromCodeToSplit(t *testing.T) {
	t.Parallel()
	authority := newAuthority(t)
	sink, events := receiver(t, authority)
	g := start(t, Config{WebhookCA: authority.Pool()})
	controls, accessToken := newAccount(t, g)
	send(t, http.MethodPut, controls+"/fees", nil, `{"cashIn":"0.25"}`)
	send(t, http.MethodPost, g.URL()+"/api/webhooks", bearer(accessToken), fmt.Sprintf(`{"url":%q,"eventType":"cash_in"}`, sink.URL))
	status, made := send(t, http.MethodPost, g.URL()+"/api/pix/cash-in", bearer(accessToken), sale)
	require.Equal(t, http.StatusCreated, status, "%v", made)

	status, paid := send(t, http.MethodPost, controls+"/payments", nil, fmt.Sprintf(`{"pixCode":%q}`, made["pixCode"]))
	require.Equal(t, http.StatusCreated, status, "%v", paid)
	var event map[string]any
	require.NoError(t, json.Unmarshal(next(t, events), &event))
	for field, want := range map[string]any{
		"event": "CashIn", "status": "CONFIRMED", "movementType": "CREDIT", "transactionId": made["transactionId"],
		"externalId": "sale-1", "endToEndId": paid["endToEndId"], "processingDate": paid["receivedAt"],
		"originalAmount": 10.0, "feeAmount": 0.25, "finalAmount": 9.75, "errorCode": nil, "errorMessage": nil,
	} {
		assert.Equal(t, want, event[field], field)
	}
	_, balance := send(t, http.MethodGet, g.URL()+"/balance", bearer(accessToken), "")
	assert.Equal(t, []any{106.75, 3.0}, []any{balance["netBalance"], balance["blockedBalance"]})

	status, _ = send(t, http.MethodPut, controls+"/clock", nil, `{"advance":"1d"}`)
	require.Equal(t, http.StatusOK, status)
	_, splits := send(t, http.MethodGet, fmt.Sprintf("%s/splits?transactionId=%s", controls, made["transactionId"]), nil, "")
	assert.Equal(t, map[string]any{"left": "7.00", "splits": []any{
		map[string]any{"pixKey": "rui@example.com", "amount": "3.00", "status": "PAID"},
	}}, splits, "executed before the clock answered")
}

func TestCobIsToldAsReceive(t *testing.T) {
	t.Parallel()
	authority := newAuthority(t)
	sink, events := receiver(t, authority)
	g := start(t, Config{WebhookCA: authority.Pool()})
	controls, accessToken := newAccount(t, g)
	send(t, http.MethodPost, g.URL()+"/api/webhooks", bearer(accessToken), fmt.Sprintf(`{"url":%q,"eventType":"cash_in"}`, sink.URL))
	const txid = "7978c0c97ea847e78e8849634473c1f1"
	status, made := send(t, http.MethodPut, g.URL()+"/cob/"+txid, bearer(accessToken), `{"calendario":{"expiracao":60},"valor":{"original":"10.00"}}`)
	require.Equal(t, http.StatusCreated, status, "%v", made)
	status, paid := send(t, http.MethodPost, controls+"/payments", nil, fmt.Sprintf(`{"pixCode":%q}`, made["location"]))
	require.Equal(t, http.StatusCreated, status, "%v", paid)

	raw := next(t, events)
	wire, err := contract.Load()
	require.NoError(t, err)
	assert.Empty(t, wire.CheckWebhook("chargeReceived", raw), "%s", raw)
	assert.Contains(t, string(raw), `"txId":"`+txid+`"`)
	assert.NotContains(t, string(raw), "52998224725", "the document is masked")

	send(t, http.MethodPut, controls+"/clock", nil, `{"advance":"2m"}`)
	_, shown := send(t, http.MethodGet, controls+"/charges/"+txid, nil, "")
	assert.Equal(t, "CONCLUIDA", shown["status"], "a paid charge does not expire")
}

func TestUnpaidCobExpiresBeforeTheClockAnswers(t *testing.T) {
	t.Parallel()
	g := start(t, Config{})
	controls, accessToken := newAccount(t, g)
	const txid = "7978c0c97ea847e78e8849634473c1f1"
	status, made := send(t, http.MethodPut, g.URL()+"/cob/"+txid, bearer(accessToken), `{"calendario":{"expiracao":60},"valor":{"original":"10.00"}}`)
	require.Equal(t, http.StatusCreated, status, "%v", made)
	send(t, http.MethodPut, controls+"/clock", nil, `{"advance":"60s"}`)
	_, shown := send(t, http.MethodGet, controls+"/charges/"+txid, nil, "")
	assert.Equal(t, "REMOVIDA_PELO_PSP", shown["status"])
	status, _ = send(t, http.MethodPost, controls+"/payments", nil, fmt.Sprintf(`{"pixCode":%q}`, made["location"]))
	assert.Equal(t, http.StatusConflict, status)
}
