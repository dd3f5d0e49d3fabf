package reference

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features/contract"
)

// listing is an account of a running gateway with what it takes to list.
type listing struct {
	t                    *testing.T
	g                    *Gateway
	controls, token, own string // own is the account's PIX key
}

// call sends a request that must succeed, holds the answer against the wire contract
// where it is the API's, and gives it.
func (l *listing) call(method, url, body string) map[string]any {
	l.t.Helper()
	header := bearer(l.token)
	header["x-idempotency-key"] = "6f1f3c1e-5f0c-4d0e-9a55-6a6f0c7a1b22"
	status, answer := send(l.t, method, url, header, body)
	require.Less(l.t, status, 300, "%s %s: %v", method, url, answer)
	return answer
}

func (l *listing) api(method, path, body string) map[string]any {
	l.t.Helper()
	return l.call(method, l.g.URL()+path, body)
}

// list gives the items of a list, the newest first, and its metadata.
func (l *listing) list(path string) ([]map[string]any, map[string]any) {
	l.t.Helper()
	answer := l.api(http.MethodGet, path, "")
	wire, err := contract.Load()
	require.NoError(l.t, err)
	operation, ok := wire.Operation("listTransactions")
	require.True(l.t, ok)
	raw, err := json.Marshal(answer)
	require.NoError(l.t, err)
	assert.Empty(l.t, operation.CheckResponse(http.StatusOK, http.Header{"Content-Type": {"application/json"}}, raw, nil), "%s", raw)
	var items []map[string]any
	for _, item := range answer["data"].([]any) {
		items = append(items, item.(map[string]any))
	}
	return items, answer["metadata"].(map[string]any)
}

const (
	payeeKey = "9e3a5e0c-8f7d-4a52-9d1f-0c4b7a1e2d33"
	cobTxID  = "7978c0c97ea847e78e8849634473c1f1"
)

// newListing makes an account that has one finished payment of each kind.
func newListing(t *testing.T, g *Gateway) *listing {
	t.Helper()
	controls, token := newAccount(t, g)
	l := &listing{t: t, g: g, controls: controls, token: token}
	l.call(http.MethodPut, g.ControlsURL()+"/directory/"+payeeKey,
		`{"name":"Maria","document":"52998224725","ispb":"60701190","accountStatus":"ACTIVE"}`)

	l.api(http.MethodPost, "/api/pix/cash-out",
		`{"value":1.00,"externalId":"out-1","details":{"key":"`+payeeKey+`","keyType":"RANDOM","name":"Maria","document":"52998224725"}}`)
	l.api(http.MethodPost, "/api/pix/cash-out-qrcode", `{"value":2.00,"externalId":"qr-1","qrCode":"00020126580014br.gov.bcb.pix`+
		`0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D"}`)
	l.api(http.MethodPost, "/dict/pix", `{"pixKey":"`+payeeKey+`","payment":{"currency":"BRL","amount":3.00}}`)
	sold := l.api(http.MethodPost, "/api/pix/cash-in", sale)
	cob := l.api(http.MethodPut, "/cob/"+cobTxID, `{"calendario":{"expiracao":60},"valor":{"original":"5.00"}}`)
	l.own = cob["chave"].(string)
	l.call(http.MethodPost, controls+"/payments", fmt.Sprintf(`{"pixCode":%q}`, sold["pixCode"]))
	received := l.call(http.MethodPost, controls+"/payments", fmt.Sprintf(`{"pixCode":%q}`, cob["location"]))
	l.api(http.MethodPut, "/pix/"+received["endToEndId"].(string)+"/devolucao/refund1", `{"valor":"4.00"}`)
	// A control that moves the clock answers when nothing that is due is left to do.
	l.call(http.MethodPut, controls+"/clock", `{"advance":"1s"}`)
	items, _ := l.list("/api/transactions?externalId=out-1")
	require.Len(t, items, 1)
	l.call(http.MethodPost, controls+"/returns", fmt.Sprintf(`{"endToEndId":%q,"amount":"0.50"}`, items[0]["endToEndId"]))
	return l
}

func TestListsShowEveryKind(t *testing.T) {
	t.Parallel()
	l := newListing(t, start(t, Config{}))
	items, metadata := l.list("/api/transactions")
	assert.Equal(t, 7.0, metadata["total"])
	shown := make(map[string][]any)
	for _, item := range items {
		require.Equal(t, "Confirmado", item["status"], "%v", item)
		shown[fmt.Sprint(item["originalAmount"])] = []any{item["operationType"], item["movementType"], item["externalId"]}
	}
	assert.Equal(t, map[string][]any{
		"1":   {"Pix out", "DEBIT", "out-1"},
		"2":   {"Pix out", "DEBIT", "qr-1"},
		"3":   {"Pix out", "DEBIT", "6f1f3c1e-5f0c-4d0e-9a55-6a6f0c7a1b22"},
		"10":  {"Pix in", "CREDIT", "sale-1"},
		"5":   {"Pix in", "CREDIT", cobTxID},
		"4":   {"Refund in", "DEBIT", "refund1"},
		"0.5": {"Refund out", "CREDIT", ""},
	}, shown)

	var walked []any
	for page := 1; ; page++ {
		items, metadata := l.list(fmt.Sprintf("/api/transactions?size=2&page=%d", page))
		for _, item := range items {
			walked = append(walked, item["transactionId"])
		}
		if metadata["hasNext"] == false {
			break
		}
	}
	var all []any
	for _, item := range items {
		all = append(all, item["transactionId"])
	}
	assert.Equal(t, all, walked)
}

func TestListByKeyShowsWhatWentToItAndCameBack(t *testing.T) {
	t.Parallel()
	l := newListing(t, start(t, Config{}))
	for key, want := range map[string][]float64{ // amounts
		payeeKey:                               {0.5, 1, 3},
		"123E4567-E12B-12D1-A456-426655440000": {2},
		l.own:                                  {4, 5, 10},
		"nobody@example.com":                   nil,
	} {
		items, _ := l.list("/api/pix/transactions/pix-key/" + url.PathEscape(key))
		var amounts []float64
		for _, item := range items {
			amounts = append(amounts, item["originalAmount"].(float64))
		}
		slices.Sort(amounts)
		assert.Equal(t, want, amounts, key)
	}
}

func TestEveryKindIsResent(t *testing.T) {
	t.Parallel()
	authority := newAuthority(t)
	sink, events := receiver(t, authority)
	l := newListing(t, start(t, Config{WebhookCA: authority.Pool()}))
	items, _ := l.list("/api/transactions")
	logged := make(map[any]bool)
	for _, item := range items {
		sent := l.api(http.MethodPost, "/api/resend-webhook/"+item["endToEndId"].(string), fmt.Sprintf(`{"url":%q}`, sink.URL))
		assert.Equal(t, 200.0, sent["statusCode"])
		assert.False(t, logged[sent["webhookLogId"]], "each resend has a log line of its own")
		logged[sent["webhookLogId"]] = true
		// A refund is told under its original's ids or under its own.
		assert.Regexp(t, fmt.Sprintf("%v|%v", item["endToEndId"], item["transactionId"]), string(next(t, events)))
	}
	l.api(http.MethodPost, "/api/webhooks", fmt.Sprintf(`{"url":%q,"eventType":"cash_in"}`, sink.URL))
	l.api(http.MethodPost, "/api/resend-webhook/"+cobTxID, "")
	assert.Contains(t, string(next(t, events)), cobTxID)
	status, _ := send(t, http.MethodPost, l.g.URL()+"/api/resend-webhook/out-1", bearer(l.token), "")
	assert.Equal(t, http.StatusBadRequest, status, "nothing is registered for cash_out")
	sink.Close()
	status, answer := send(t, http.MethodPost, l.g.URL()+"/api/resend-webhook/"+cobTxID, bearer(l.token), "")
	assert.Equal(t, http.StatusBadGateway, status, "%v", answer)
}
