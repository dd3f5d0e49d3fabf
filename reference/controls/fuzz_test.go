package controls

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/store"
)

// FuzzCall shows that any call of any control is served or refused with a 4xx, and that the ledger stays
// right.
func FuzzCall(f *testing.F) {
	s, err := store.Open(f.Context(), "")
	require.NoError(f, err)
	f.Cleanup(func() { require.NoError(f, s.Close()) })
	account, _, err := s.CreateAccount(f.Context(), store.NewAccount{})
	require.NoError(f, err)
	require.NoError(f, s.SaveSnapshot(f.Context(), "start"))
	c := &controls{Config{
		Store: s, Log: slog.New(slog.DiscardHandler),
		RunDue:    func(context.Context, int64) error { return nil },
		Interrupt: func(ctx context.Context, do func(context.Context) error) error { return do(ctx) },
		Seed:      store.Seed{Accounts: []store.NewAccount{{ID: account.ID, ClientID: account.ClientID, Secret: "secret"}}},
	}}
	handler := New(c.Config)
	calls := c.calls()
	for i := range calls {
		for _, body := range []string{
			"", "{}", "null", `{"certificate":"x"}`, `{"available":"100.00"}`, `{"cashOut":"0.50","cashIn":"0.00"}`,
			`{"perTransaction":null,"daily":"1.00","requestsPerMinute":0}`, `{"now":"2026-03-01T23:30:00Z"}`, `{"advance":"31m"}`, `{"advance":"-99999d"}`,
			`{"name":"A","document":"52998224725","ispb":"60701190","accountStatus":"ACTIVE"}`, `{"mode":"manual"}`,
			`{"transactionId":"x","outcome":"CONFIRMED"}`, `{"id":17,"outcome":"ERROR","errorCode":"ORDER_REJECTED"}`,
			`{"pixCode":"000201","amount":"12.00","payer":{"name":"A","document":"52998224725","ispb":"60701190"}}`, `{"by":"psp"}`,
			`{"status":"NAO_REALIZADO","motivo":"x"}`, `{"endToEndId":"E1","amount":"10.00"}`,
			`{"endToEnd":"E60701190202603011200k3v9x2m7q1z","reason":"REFUND_REQUEST","cause":"x"}`, `{"status":"ANALYZED","analysisResult":"APPROVED"}`,
			`{"auth":"error","pixProvider":"unavailable","minimumExpiration":300}`,
		} {
			f.Add(uint8(i), "1", "id=x&transactionId=x", body)
		}
		f.Add(uint8(i), "maria@example.com", "%zz", "{")
	}
	f.Fuzz(func(t *testing.T, index uint8, id, query, body string) {
		call := calls[int(index)%len(calls)]
		path := call.path
		for strings.Contains(path, "{") {
			begin, end := strings.Index(path, "{"), strings.Index(path, "}")
			value := url.PathEscape(id)
			if path[begin:end] == "{account" {
				value = "1"
			}
			path = path[:begin] + value + path[end+1:]
		}
		r := httptest.NewRequest(call.method, "http://127.0.0.1:8081"+path, strings.NewReader(body))
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code >= http.StatusInternalServerError {
			t.Fatalf("%s %s: %d: %s", call.method, path, w.Code, w.Body)
		}
		if w.Body.Len() > 0 && !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%s %s: %d, and the response is no JSON: %s", call.method, path, w.Code, w.Body)
		}
		if err := s.RestoreSnapshot(t.Context(), "start"); err != nil && call.path != "/snapshots/{name}" {
			t.Fatal(err)
		} else if err != nil { // it was deleted
			require.NoError(t, s.SaveSnapshot(t.Context(), "start"))
		}
		require.NoError(t, s.CheckLedger(t.Context(), account.ID))
	})
}
