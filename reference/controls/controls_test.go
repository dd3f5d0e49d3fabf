package controls

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is the controls over a store in memory, with one account.
type bench struct {
	handler     http.Handler
	store       *store.Store
	account     int64
	certificate *certs.Certificate
	ran         atomic.Int64 // the account whose due work was asked for last
}

func newBench(t *testing.T) *bench {
	t.Helper()
	s, err := store.Open(t.Context(), "")
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	b := &bench{store: s}
	b.handler = New(Config{Store: s, Log: slog.New(slog.DiscardHandler), RunDue: func(_ context.Context, id int64) error {
		b.ran.Store(id)
		return nil
	}})
	b.certificate = certificate(t)
	status, created := b.call(http.MethodPost, "/accounts", pemBody(t, b.certificate))
	require.Equal(t, http.StatusCreated, status, "%v", created)
	b.account = int64(created["accountId"].(float64))
	return b
}

func certificate(t *testing.T) *certs.Certificate {
	t.Helper()
	authority, err := certs.NewAuthority()
	require.NoError(t, err)
	c, err := authority.Issue(certs.Client{})
	require.NoError(t, err)
	return c
}

func pemBody(t *testing.T, c *certs.Certificate) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"certificate": string(c.PEM())})
	require.NoError(t, err)
	return string(body)
}

func (b *bench) call(method, path, body string) (int, map[string]any) {
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, httptest.NewRequest(method, "http://127.0.0.1:8081"+path, strings.NewReader(body)))
	var fields map[string]any
	_ = json.Unmarshal(w.Body.Bytes(), &fields) // what has no body has no fields
	return w.Code, fields
}

// path is one below the account's.
func (b *bench) path(below string) string { return fmt.Sprintf("/accounts/%d%s", b.account, below) }

func (b *bench) state(t *testing.T) pix.Account {
	t.Helper()
	account, err := b.store.Account(t.Context(), b.account)
	require.NoError(t, err)
	return account
}

// pay makes a pending payment of R$ 1.00.
func (b *bench) pay(t *testing.T) pix.Payment {
	t.Helper()
	_, err := b.store.SetBalance(t.Context(), b.account, 100_00)
	require.NoError(t, err)
	payment, err := b.store.CashOut(t.Context(), b.account, pix.CashOutOrder{
		Amount: 1_00, ExternalID: pix.NewUUID(), Key: "a@example.com", KeyType: pix.KeyEmail, Name: "A", Document: "52998224725",
	})
	require.NoError(t, err)
	return payment
}

func TestDiscovery(t *testing.T) {
	t.Parallel()
	status, found := newBench(t).call(http.MethodGet, "/controls", "")
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, 1.0, found["protocol"])
	assert.Equal(t, []any{
		"accounts", "funds", "fees", "limits", "clock", "certificates", "directory", "settlement",
		"payments", "charges", "refunds", "returns", "splits", "med", "faults",
	}, found["controls"])
}

func TestAccounts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	status, created := b.call(http.MethodPost, "/accounts", pemBody(t, certificate(t)))
	require.Equal(t, http.StatusCreated, status)
	for _, field := range []string{"clientId", "clientSecret", "name", "document", "ispb", "pixKey"} {
		assert.NotEmpty(t, created[field], field)
	}
	path := fmt.Sprintf("/accounts/%.0f", created["accountId"])
	status, _ = b.call(http.MethodDelete, path, "")
	assert.Equal(t, http.StatusNoContent, status)
	status, _ = b.call(http.MethodDelete, path, "")
	assert.Equal(t, http.StatusNotFound, status)
}

func TestCertificates(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	second := certificate(t)
	holders := func() []int64 {
		ids, err := b.store.CertificateHolders(t.Context(), second.Fingerprint())
		require.NoError(t, err)
		return ids
	}
	status, answer := b.call(http.MethodPost, b.path("/certificates"), pemBody(t, second))
	require.Equal(t, http.StatusCreated, status)
	assert.Equal(t, second.Fingerprint(), answer["sha256"])
	assert.Equal(t, []int64{b.account}, holders())
	status, _ = b.call(http.MethodDelete, b.path("/certificates/"+second.Fingerprint()), "")
	assert.Equal(t, http.StatusNoContent, status)
	assert.Empty(t, holders())
}

func TestSettings(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, set := range []struct{ path, body string }{
		{"/balance", `{"available":"90071992547409.93"}`},
		{"/fees", `{"cashOut":"0.50"}`},
		{"/limits", `{"perTransaction":"500.00","daily":null,"requestsPerMinute":5}`},
		{"/faults", `{"auth":"unavailable"}`},
		{"/faults", `{"pixProvider":"unavailable","minimumExpiration":300}`},
		{"/settlement", `{"mode":"manual"}`},
	} {
		status, answer := b.call(http.MethodPut, b.path(set.path), set.body)
		assert.Equal(t, http.StatusNoContent, status, "%s: %v", set.path, answer)
	}
	account, defaults := b.state(t), pix.DefaultLimits()
	assert.EqualValues(t, 90071992547409_93, account.Available)
	assert.Equal(t, pix.Fees{CashOut: 50}, account.Fees)
	assert.EqualValues(t, 500_00, *account.Limits.PerTransaction)
	assert.Nil(t, account.Limits.Daily, "null lifts it")
	assert.Equal(t, defaults.Night, account.Limits.Night, "what is left out stays")
	assert.Equal(t, 5, *account.Limits.RequestsPerMinute)
	assert.Equal(t, pix.Faults{Auth: pix.AuthUnavailable, PixProvider: pix.PixProviderUnavailable, MinimumExpiration: 300}, account.Faults)
	assert.Equal(t, pix.Manual, account.Settlement)
	assert.Zero(t, b.ran.Load())

	status, _ := b.call(http.MethodPut, b.path("/settlement"), `{"mode":"automatic"}`)
	assert.Equal(t, http.StatusNoContent, status)
	assert.Equal(t, b.account, b.ran.Load(), "what was pending is settled before the answer")
}

func TestClock(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	start := time.Date(2026, 3, 1, 23, 30, 0, 0, time.UTC)
	began := time.Now() // the clock goes on meanwhile
	for _, move := range []struct {
		body string
		want time.Time
	}{
		{`{"now":"2026-03-01T23:30:00Z"}`, start},
		{`{"advance":"30s"}`, start.Add(30 * time.Second)},
		{`{"advance":"31m"}`, start.Add(31*time.Minute + 30*time.Second)},
		{`{"now":"2026-03-01T23:30:00Z"}`, start},
		{`{"advance":"2h"}`, start.Add(2 * time.Hour)},
		{`{"advance":"89d"}`, start.Add(89*24*time.Hour + 2*time.Hour)},
	} {
		b.ran.Store(0)
		status, answer := b.call(http.MethodPut, b.path("/clock"), move.body)
		require.Equal(t, http.StatusOK, status, "%s: %v", move.body, answer)
		now := b.state(t).Now()
		assert.WithinRange(t, now, move.want, move.want.Add(time.Since(began)), move.body)
		assert.Equal(t, b.account, b.ran.Load(), move.body)
	}
}

func TestSettlement(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, outcome := range []struct {
		body  string
		state pix.Status
	}{
		{`"outcome":"CONFIRMED"`, pix.Confirmed},
		{`"outcome":"ERROR","errorCode":"ORDER_REJECTED","errorMessage":"no"`, pix.Error},
		{`"outcome":"ERROR","errorCode":"SETTLEMENT_TIMEOUT"`, pix.Error},
	} {
		payment := b.pay(t)
		body := fmt.Sprintf(`{"transactionId":%q,%s}`, payment.TransactionID, outcome.body)
		status, answer := b.call(http.MethodPost, b.path("/settlements"), body)
		assert.Equal(t, http.StatusNoContent, status, "%v", answer)
		settled, err := b.store.Payment(t.Context(), b.account, payment.TransactionID)
		require.NoError(t, err)
		assert.Equal(t, outcome.state, settled.Status)
		status, _ = b.call(http.MethodPost, b.path("/settlements"), body)
		assert.Equal(t, http.StatusConflict, status, "a second time")
	}
}

func TestTransfersSettleByTheirNumber(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	status, _ := b.call(http.MethodPut, "/directory/fulano@example.com", `{"name":"A","document":"52998224725","ispb":"60701190","accountStatus":"ACTIVE"}`)
	require.Equal(t, http.StatusNoContent, status)
	_, err := b.store.SetBalance(t.Context(), b.account, 10_00)
	require.NoError(t, err)
	transfer, err := b.store.Transfer(t.Context(), b.account, pix.TransferOrder{
		IdempotencyKey: pix.NewUUID(), Key: "fulano@example.com", Currency: pix.Currency, Amount: 10_00, Expiration: time.Minute,
	})
	require.NoError(t, err)
	body := fmt.Sprintf(`{"id":%d,"outcome":"CONFIRMED"}`, transfer.ID)
	for _, want := range []int{http.StatusNoContent, http.StatusConflict} {
		status, answer := b.call(http.MethodPost, b.path("/settlements"), body)
		assert.Equal(t, want, status, "%v", answer)
	}
	assert.Zero(t, b.state(t).Blocked)
}

func TestReturns(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	payment := b.pay(t)
	for _, call := range []struct {
		amount string
		status int
	}{
		{"1.00", http.StatusConflict}, // it is pending
		{"1.01", http.StatusBadRequest},
		{"0.00", http.StatusBadRequest},
		{"0.40", http.StatusCreated},
		{"0.61", http.StatusBadRequest},
		{"0.60", http.StatusCreated},
		{"0.01", http.StatusBadRequest},
	} {
		status, answer := b.call(http.MethodPost, b.path("/returns"), fmt.Sprintf(`{"endToEndId":%q,"amount":%q}`, payment.EndToEndID, call.amount))
		assert.Equal(t, call.status, status, "%s: %v", call.amount, answer)
		if call.status == http.StatusConflict {
			_, err := b.store.Settle(t.Context(), b.account, payment.TransactionID, pix.Result{Status: pix.Confirmed})
			require.NoError(t, err)
		}
	}
	assert.EqualValues(t, 100_00, b.state(t).Available)
}

func TestDirectoryKeysAreReadFromThePath(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	entry := `{"name":"A","document":"52998224725","ispb":"60701190","accountStatus":"ACTIVE"}`
	for _, key := range []string{
		"52998224725", "fulano@example.com", "a+b%c/d@example.com", "+5511987654321", "7d9f0335-8dcc-4054-9bf9-0dbd61d36906",
	} {
		for _, path := range []string{url.PathEscape(key), strings.ReplaceAll(url.QueryEscape(key), "+", "%20")} {
			status, answer := b.call(http.MethodPut, "/directory/"+path, entry)
			assert.Equal(t, http.StatusNoContent, status, "%s: %v", path, answer)
		}
	}
	for _, key := range []string{"Fulano@example.com", "119876543", "abc", "7D9F0335-8DCC-4054-9BF9-0DBD61D36906"} {
		status, _ := b.call(http.MethodPut, "/directory/"+key, entry)
		assert.Equal(t, http.StatusBadRequest, status, key)
	}
}

func TestCallsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	payment := b.pay(t)
	for _, call := range []struct {
		method, path, body string
		status             int
	}{
		{http.MethodPost, "/accounts", `{}`, 400},
		{http.MethodPost, "/accounts", `{"certificate":"x"}`, 400},
		{http.MethodPost, "/accounts", ``, 400},
		{http.MethodPut, b.path("/balance"), `{}`, 400},
		{http.MethodPut, b.path("/balance"), `{"available":null}`, 400},
		{http.MethodPut, b.path("/balance"), `{"available":100}`, 400},
		{http.MethodPut, b.path("/balance"), `{"available":"-0.01"}`, 400},
		{http.MethodPut, b.path("/balance"), `{"available":"0.001"}`, 400},
		{http.MethodPut, b.path("/balance"), `{"available":"1e99"}`, 400},
		{http.MethodPut, b.path("/balance"), `{"availabel":"1.00"}`, 400},
		{http.MethodPut, b.path("/balance"), `{"available":"1.00","available":"2.00"}`, 400},
		{http.MethodPut, b.path("/fees"), `{"cashOut":"x"}`, 400},
		{http.MethodPut, b.path("/limits"), `{"daily":"-1"}`, 400},
		{http.MethodPut, b.path("/limits"), `{"requestsPerMinute":-1}`, 400},
		{http.MethodPut, b.path("/clock"), `{}`, 400},
		{http.MethodPut, b.path("/clock"), `{"now":"2026-03-01T23:30:00Z","advance":"1s"}`, 400},
		{http.MethodPut, b.path("/clock"), `{"now":"yesterday"}`, 400},
		{http.MethodPut, b.path("/clock"), `{"now":"9999-03-01T23:30:00Z"}`, 400},
		{http.MethodPut, b.path("/clock"), `{"advance":"soon"}`, 400},
		{http.MethodPut, b.path("/clock"), `{"advance":"99999999999d"}`, 400},
		{http.MethodPut, b.path("/settlement"), `{"mode":"later"}`, 400},
		{http.MethodPost, b.path("/settlements"), `{"outcome":"CONFIRMED"}`, 400},
		{http.MethodPost, b.path("/settlements"), fmt.Sprintf(`{"transactionId":%q,"outcome":"PENDING"}`, payment.TransactionID), 400},
		{http.MethodPost, b.path("/settlements"), fmt.Sprintf(`{"transactionId":%q,"outcome":"ERROR"}`, payment.TransactionID), 400},
		{http.MethodPost, b.path("/settlements"), `{"transactionId":"unknown","outcome":"CONFIRMED"}`, 404},
		{http.MethodPost, b.path("/settlements"), `{"id":17,"outcome":"CONFIRMED"}`, 404},
		{http.MethodPost, b.path("/settlements"), `{"id":17,"transactionId":"x","outcome":"CONFIRMED"}`, 400},
		{http.MethodPost, b.path("/returns"), `{"endToEndId":"E1"}`, 400},
		{http.MethodPost, b.path("/returns"), `{"endToEndId":"E1","amount":"1.00"}`, 404},
		{http.MethodPut, b.path("/faults"), `{"auth":"sometimes"}`, 400},
		{http.MethodPut, b.path("/faults"), `{"pixProvider":"sometimes"}`, 400},
		{http.MethodPut, b.path("/faults"), `{"minimumExpiration":-1}`, 400},
		{http.MethodPut, b.path("/faults"), `{"minimumExpiration":1.5}`, 400},
		{http.MethodPut, "/directory/52998224725", `{"document":"1","accountStatus":"ACTIVE"}`, 400},
		{http.MethodPut, "/directory/52998224725", `{"document":"52998224725","accountStatus":"GONE"}`, 400},
		{http.MethodDelete, b.path("/certificates/0000"), ``, 404},
		{http.MethodPut, "/accounts/999999/balance", `{"available":"1.00"}`, 404},
		{http.MethodPut, "/accounts/nobody/balance", `{"available":"1.00"}`, 404},
		{http.MethodPut, "/accounts/999999/clock", `{"advance":"1s"}`, 404},
		{http.MethodPost, b.path("/payments"), `{}`, 400},
		{http.MethodPost, b.path("/payments"), `{"pixCode":"000201"}`, 404},
		{http.MethodPost, b.path("/payments"), `{"pixCode":"000201","amount":"0.00"}`, 400},
		{http.MethodPost, b.path("/payments"), `{"pixCode":"000201","payer":{"document":"1"}}`, 400},
		{http.MethodPost, b.path("/payments"), `{"pixCode":"000201","payer":{"ispb":"1"}}`, 400},
		{http.MethodPost, b.path("/charges/x/end"), `{}`, 400},
		{http.MethodPost, b.path("/charges/x/end"), `{"by":"payer"}`, 400},
		{http.MethodPost, b.path("/charges/x/end"), `{"by":"psp"}`, 404},
		{http.MethodGet, b.path("/charges/x"), ``, 404},
		{http.MethodGet, b.path("/splits?transactionId=x"), ``, 404},
		{http.MethodPut, b.path("/refunds"), `{"mode":"later"}`, 400},
		{http.MethodPost, b.path("/refunds/D1/result"), `{"status":"DEVOLVIDO"}`, 404},
		{http.MethodPost, b.path("/refunds/D1/result"), `{"status":"EM_PROCESSAMENTO"}`, 400},
		{http.MethodGet, b.path("/refunds/D1"), ``, 404},
		{http.MethodPost, b.path("/meds"), `{}`, 400},
		{http.MethodPost, b.path("/meds"), `{"endToEnd":"E1"}`, 400},
		{http.MethodPost, b.path("/meds"), `{"endToEnd":"E60701190202603011200k3v9x2m7q1z","reason":"ANGER"}`, 400},
		{http.MethodPatch, b.path("/meds/1"), `{"status":"RECEIVED"}`, 404},
		{http.MethodPatch, b.path("/meds/x"), `{"status":"RECEIVED"}`, 404},
		{http.MethodPatch, b.path("/meds/1"), `{"status":"DONE"}`, 400},
		{http.MethodGet, "/nothing", ``, 404},
		{http.MethodGet, b.path("/balance"), ``, 405},
	} {
		status, answer := b.call(call.method, call.path, call.body)
		assert.Equal(t, call.status, status, "%s %s %s: %v", call.method, call.path, call.body, answer)
		assert.NotEmpty(t, answer["message"], "%s %s %s", call.method, call.path, call.body)
	}
	assert.EqualValues(t, 99_00, b.state(t).Available)
}
