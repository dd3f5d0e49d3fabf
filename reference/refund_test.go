package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features/contract"
)

// paidCob makes a cob of R$ 10.00 and has somebody pay it; it gives the end-to-end id.
func paidCob(t *testing.T, g *Gateway, controls, accessToken, txid string) string {
	t.Helper()
	status, made := send(t, http.MethodPut, g.URL()+"/cob/"+txid, bearer(accessToken), `{"calendario":{},"valor":{"original":"10.00"}}`)
	require.Equal(t, http.StatusCreated, status, "%v", made)
	status, paid := send(t, http.MethodPost, controls+"/payments", nil, fmt.Sprintf(`{"pixCode":%q}`, made["location"]))
	require.Equal(t, http.StatusCreated, status, "%v", paid)
	return paid["endToEndId"].(string)
}

func TestRefundFromRequestToWebhook(t *testing.T) {
	t.Parallel()
	authority := newAuthority(t)
	sink, events := receiver(t, authority)
	g := start(t, Config{WebhookCA: authority.Pool()})
	controls, accessToken := newAccount(t, g)
	send(t, http.MethodPost, g.URL()+"/api/webhooks", bearer(accessToken), fmt.Sprintf(`{"url":%q,"eventType":"refund_in"}`, sink.URL))
	endToEnd := paidCob(t, g, controls, accessToken, "7978c0c97ea847e78e8849634473c1f1")
	refund := func(id, body string) map[string]any {
		status, answer := send(t, http.MethodPut, g.URL()+"/pix/"+endToEnd+"/devolucao/"+id, bearer(accessToken), body)
		require.Equal(t, http.StatusCreated, status, "%v", answer)
		return answer
	}

	// What fails tells nobody: the first webhook is that of the refund after it.
	send(t, http.MethodPut, controls+"/refunds", nil, `{"mode":"manual"}`)
	failed := refund("r1", `{"valor":"10.00"}`)
	result := fmt.Sprintf("%s/refunds/%s/result", controls, failed["rtrId"])
	status, _ := send(t, http.MethodPost, result, nil, `{"status":"NAO_REALIZADO","motivo":"account closed"}`)
	require.Equal(t, http.StatusNoContent, status)
	done := refund("r2", `{"valor":"4.00","descricao":"sorry"}`)
	_, balance := send(t, http.MethodGet, g.URL()+"/balance", bearer(accessToken), "")
	assert.Equal(t, []any{106.0, 4.0}, []any{balance["netBalance"], balance["blockedBalance"]})
	status, _ = send(t, http.MethodPut, controls+"/refunds", nil, `{"mode":"automatic"}`)
	require.Equal(t, http.StatusNoContent, status)

	raw := next(t, events)
	wire, err := contract.Load()
	require.NoError(t, err)
	assert.Empty(t, wire.CheckWebhook("refundResult", raw), "%s", raw)
	var event struct {
		Data struct {
			EndToEndID string
			Refunds    []map[string]any
		}
	}
	require.NoError(t, json.Unmarshal(raw, &event))
	assert.Equal(t, endToEnd, event.Data.EndToEndID)
	require.Len(t, event.Data.Refunds, 1)
	assert.Equal(t, done["rtrId"], event.Data.Refunds[0]["endToEndId"])
	assert.Equal(t, "sorry", event.Data.Refunds[0]["information"])

	_, shown := send(t, http.MethodGet, fmt.Sprintf("%s/refunds/%s", controls, done["rtrId"]), nil, "")
	assert.Equal(t, "DEVOLVIDO", shown["status"])
	_, balance = send(t, http.MethodGet, g.URL()+"/balance", bearer(accessToken), "")
	assert.Equal(t, []any{106.0, 0.0}, []any{balance["netBalance"], balance["blockedBalance"]})
	_, list := send(t, http.MethodGet, g.URL()+"/api/transactions?type=REFUND_IN", bearer(accessToken), "")
	var states []any
	for _, item := range list["data"].([]any) {
		item := item.(map[string]any)
		states = append(states, []any{item["externalId"], item["operationType"], item["movementType"], item["status"]})
	}
	assert.Equal(t, []any{[]any{"r2", "Refund in", "DEBIT", "Confirmado"}, []any{"r1", "Refund in", "DEBIT", "Error"}}, states)
}

func TestMEDFromClaimToResult(t *testing.T) {
	t.Parallel()
	authority := newAuthority(t)
	sink, events := receiver(t, authority)
	g := start(t, Config{WebhookCA: authority.Pool()})
	controls, accessToken := newAccount(t, g)
	for _, event := range []string{"med_created", "med_accepted", "med_rejected"} {
		send(t, http.MethodPost, g.URL()+"/api/webhooks", bearer(accessToken), fmt.Sprintf(`{"url":%q,"eventType":%q}`, sink.URL, event))
	}
	endToEnd := paidCob(t, g, controls, accessToken, "7978c0c97ea847e78e8849634473c1f1")
	for result, want := range map[string]string{"APPROVED": "MedAccepted", "REJECTED": "MedRejected"} {
		status, med := send(t, http.MethodPost, controls+"/meds", nil, fmt.Sprintf(`{"endToEnd":%q,"cause":"FRAUD"}`, endToEnd))
		require.Equal(t, http.StatusCreated, status, "%v", med)
		path := fmt.Sprintf("%s/meds/%.0f", controls, med["id"])
		for _, move := range []string{`{"status":"RECEIVED"}`, fmt.Sprintf(`{"status":"ANALYZED","analysisResult":%q}`, result)} {
			status, answer := send(t, http.MethodPatch, path, nil, move)
			require.Equal(t, http.StatusOK, status, "%v", answer)
		}
		told := map[any]any{}
		for range 2 { // in no promised order
			raw := next(t, events)
			assert.NotContains(t, string(raw), "52998224725", "the document is masked")
			var event map[string]any
			require.NoError(t, json.Unmarshal(raw, &event))
			told[event["event"]] = event["id"]
		}
		assert.Equal(t, map[any]any{"MedCreated": med["id"], want: med["id"]}, told)
	}
	_, list := send(t, http.MethodGet, g.URL()+"/api/med?status=ANALYZED&isReconciled=true", bearer(accessToken), "")
	assert.Len(t, list["data"], 2)
	_, balance := send(t, http.MethodGet, g.URL()+"/balance", bearer(accessToken), "")
	assert.Equal(t, []any{110.0, 0.0}, []any{balance["netBalance"], balance["blockedBalance"]}, "a case moves no money")
}
