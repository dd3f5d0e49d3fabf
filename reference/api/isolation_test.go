package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// openEndpoints are those that ask for no token: what they serve is nobody's.
var openEndpoints = map[string]bool{
	"POST /api/auth/token": true, "POST /oauth/token": true,
	"GET /openapi.yaml": true, "GET /openapi.json": true, "GET /healthz": true, "HEAD /healthz": true,
}

// endpoints are all that the gateway routes, "GET /balance".
func endpoints(t testing.TB, g *gateway) []string {
	t.Helper()
	var all []string
	require.NoError(t, chi.Walk(g.api.routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		all = append(all, method+" "+route)
		return nil
	}))
	return all
}

// No endpoint that is added later can forget to ask for a token.
func TestEveryEndpointAsksForAToken(t *testing.T) {
	t.Parallel()
	g := newGateway(t)
	for _, endpoint := range endpoints(t, g) {
		method, path, _ := strings.Cut(endpoint, " ")
		a := g.send(t, call{method: method, path: path, header: http.Header{"Content-Type": {"application/json"}}})
		assert.Equal(t, !openEndpoints[endpoint], a.status == http.StatusUnauthorized, "%s: %d", endpoint, a.status)
	}
}

// victim is a client who has something of everything.
type victim struct {
	*client
	paid, received pix.Payment
}

const victimsKey, victimsTxID = "6f1d2c3b-4a59-4e68-8f77-1b2c3d4e5f60", "7978c0c97ea847e78e8849634473c1f1"

func newVictim(t testing.TB) victim {
	t.Helper()
	v := victim{client: newPayer(t, 777_77)}
	require.Equal(t, http.StatusOK, v.register(t, strings.ReplaceAll(registration, "hooks.example", "victims.example")).status)
	v.paid = v.settle(t, v.pay(t, "victims-order", pix.KeyEmail, "fulano@example.com"), pix.Result{Status: pix.Confirmed})
	v.received = v.client.received(t, "10.00")
	require.Equal(t, http.StatusOK, v.transfer(t, withHeader(idempotencyHeader, victimsKey)).status)
	require.Equal(t, http.StatusCreated, v.cob(t, victimsTxID).status)
	require.Equal(t, http.StatusCreated, v.refund(t, v.received, "victimsrefund", `{"valor":"1.00"}`).status)
	_, err := v.store.OpenMED(t.Context(), v.account.ID, pix.MEDClaim{EndToEndID: v.paid.EndToEndID, Reason: "REFUND_REQUEST"})
	require.NoError(t, err)
	return v
}

// Whatever a stranger names of another account, at any endpoint, tells nothing of it and
// changes nothing for it.
func TestAccountsSeeNothingOfEachOther(t *testing.T) {
	t.Parallel()
	v := newVictim(t)
	stranger := v.newClient(t, 100_00)
	available, blocked := v.balance(t)
	of := func(name string) edit { return withBody(strings.ReplaceAll(order("1.00", name), "lunch", "mine")) }
	for _, endpoint := range endpoints(t, v.gateway) {
		method, path, _ := strings.Cut(endpoint, " ")
		var calls []call
		ask := func(status int, path string, edits ...edit) {
			c := call{method: method, path: path, header: http.Header{"Authorization": {"Bearer " + stranger.token}, "Content-Type": {"application/json"}}}
			for _, e := range edits {
				e(&c)
			}
			calls = append(calls, c)
			a := v.send(t, c)
			assert.Equal(t, status, a.status, "%s: %s", endpoint, a.raw)
			for _, secret := range []string{
				v.account.ClientID, v.account.PixKey, v.paid.TransactionID, v.paid.EndToEndID, v.received.TransactionID,
				v.received.EndToEndID, "victims.example", "777.77",
			} {
				if !strings.Contains(c.path, secret) { // what a stranger names may come back
					assert.NotContains(t, string(a.raw), secret, "%s", endpoint)
				}
			}
		}
		switch endpoint {
		case "GET /accounts/balances", "GET /balance", "GET /api/balance", "GET /api/webhooks", "GET /api/med":
			ask(200, path)
		case "POST /api/pix/cash-out":
			ask(201, path, of("victims-order")) // its own, not a duplicate
		case "POST /api/pix/cash-out-qrcode":
			ask(400, path, withBody(`{"value":1.00,"qrCode":"000201","externalId":"victims-order"}`))
		case "POST /api/pix/cash-in":
			ask(201, path, sale("sale-1", "victims-sale"))
		case "POST /dict/pix":
			ask(200, path, withBody(transferBody("10.55", "1.00")), withHeader(idempotencyHeader, victimsKey))
		case "PUT /cob/{txid}":
			ask(201, "/cob/"+victimsTxID, withBody(`{"calendario":{},"valor":{"original":"1.00"}}`))
		case "PUT /pix/{e2eid}/devolucao/{id}":
			for _, id := range []string{"victimsrefund", "another"} {
				ask(404, "/pix/"+v.received.EndToEndID+"/devolucao/"+id, withBody(`{"valor":"1.00"}`))
			}
		case "GET /api/transactions":
			ask(200, path)
			ask(200, path+"?externalId=victims-order")
			ask(200, path+"?endToEndId="+v.paid.EndToEndID)
		case "GET /api/pix/transactions/pix-key/{pixKey}":
			ask(200, "/api/pix/transactions/pix-key/"+v.account.PixKey)
			ask(200, "/api/pix/transactions/pix-key/"+url.PathEscape("fulano@example.com"))
		case "POST /api/webhooks":
			ask(200, path, withBody(registration))
		case "POST /api/resend-webhook/{transactionIdentifier}":
			for _, id := range []string{fmt.Sprint(v.paid.ID), v.paid.EndToEndID, v.paid.TransactionID, v.received.EndToEndID, victimsKey} {
				ask(404, "/api/resend-webhook/"+id, withBody(`{"url":"https://strangers.example"}`))
			}
		}
		assert.Equal(t, openEndpoints[endpoint], len(calls) == 0, "%s: what can a stranger name there?", endpoint)
	}
	assert.Empty(t, v.sent, "nothing was sent")
	now, nowBlocked := v.balance(t)
	assert.Equal(t, []pix.Centavos{available, blocked}, []pix.Centavos{now, nowBlocked})
	assert.Len(t, v.listed(t), 1)
	_, metadata := v.list(t, "/api/transactions")
	assert.Equal(t, json.Number("4"), metadata["total"])
}
