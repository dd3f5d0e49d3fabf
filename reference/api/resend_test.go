package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// resend asks for a transaction's webhook without a body.
func (c *client) resend(t testing.TB, identifier string, edits ...edit) answer {
	t.Helper()
	return c.as(t, http.MethodPost, "/api/resend-webhook/"+identifier, edits...)
}

func withoutContentType(c *call) { c.header.Del("Content-Type") }

// told is a client with a webhook and a confirmed payment with the externalId order-1.
func told(t testing.TB) (*client, pix.Payment) {
	t.Helper()
	c := newGateway(t).newClient(t, 100_00)
	a := c.as(t, http.MethodPost, "/api/webhooks", withBody(registration))
	require.Equal(t, http.StatusOK, a.status, "%s", a.raw)
	return c, c.settle(t, c.pay(t, "order-1", pix.KeyEmail, "fulano@example.com"), pix.Result{Status: pix.Confirmed})
}

// message is the webhook-id under which the payment's event was queued.
func (c *client) message(t testing.TB, p pix.Payment) string {
	t.Helper()
	d, err := c.store.LatestEvent(t.Context(), c.account.ID, p.TransactionID)
	require.NoError(t, err)
	return d.MessageID
}

func TestResend(t *testing.T) {
	t.Parallel()
	c, p := told(t)
	now := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
	c.setClock(t, now)
	for _, identifier := range []string{fmt.Sprint(p.ID), p.ExternalID, p.EndToEndID, p.TransactionID} {
		a := c.resend(t, identifier, withoutContentType)
		require.Equal(t, http.StatusOK, a.status, "%s: %s", identifier, a.raw)
		sentAt, err := time.Parse(time.RFC3339, a.fields["sentAt"].(string))
		require.NoError(t, err)
		assert.WithinDuration(t, now, sentAt, time.Minute, "by the account's clock")
		assert.Equal(t, json.Number("200"), a.fields["statusCode"])
		assert.NotEmpty(t, a.fields["message"])
		sent := c.sent[len(c.sent)-1]
		assert.Equal(t, "https://hooks.example/pix", sent.URL)
		assert.Equal(t, []pix.Header{{Key: "X-Secret", Value: "1"}}, sent.Headers)
		assert.Equal(t, c.message(t, p), sent.MessageID)
		assert.Contains(t, sent.Body, p.TransactionID)
	}
	log, err := c.store.DeliveryLog(t.Context(), c.account.ID)
	require.NoError(t, err)
	require.Len(t, log, 4)
	assert.Equal(t, c.sent[0].MessageID, log[0].MessageID)
	assert.NotEqual(t, log[0].ID, log[1].ID)
	after, err := c.store.Payment(t.Context(), c.account.ID, p.TransactionID)
	require.NoError(t, err)
	assert.Equal(t, p, after)
}

func TestResendTellsWhatTheDestinationAnswered(t *testing.T) {
	t.Parallel()
	c, _ := told(t)
	for _, status := range []int{202, 302, 404, 500} {
		c.destination = store.Attempt{Status: status}
		a := c.resend(t, "order-1")
		assert.Equal(t, http.StatusOK, a.status, "%s", a.raw)
		assert.Equal(t, json.Number(fmt.Sprint(status)), a.fields["statusCode"])
	}
	c.destination = store.Attempt{Failure: "connection refused"}
	a := c.resend(t, "order-1")
	assert.Equal(t, http.StatusBadGateway, a.status)
	assert.Contains(t, a.messages()[0], "connection refused")
	checkEnvelope(t, a, http.MethodPost, "/api/resend-webhook/order-1")
	log, err := c.store.DeliveryLog(t.Context(), c.account.ID)
	require.NoError(t, err)
	require.Len(t, log, 5)
	details, _ := a.fields["details"].(map[string]any)
	assert.Equal(t, json.Number(fmt.Sprint(log[4].ID)), details["webhookLogId"])
}

func TestResendToAURLForThisTimeAlone(t *testing.T) {
	t.Parallel()
	c, _ := told(t)
	before := c.as(t, http.MethodGet, "/api/webhooks")
	a := c.resend(t, "order-1", withBody(`{"url":"https://other.example/once"}`))
	require.Equal(t, http.StatusOK, a.status, "%s", a.raw)
	assert.Equal(t, "https://other.example/once", c.sent[0].URL)
	assert.Empty(t, c.sent[0].Headers, "headers may hold secrets of the registered URL")
	assert.Equal(t, string(before.raw), string(c.as(t, http.MethodGet, "/api/webhooks").raw))

	for _, body := range []string{"", "{}", `{"other":1}`} {
		require.Equal(t, http.StatusOK, c.resend(t, "order-1", withBody(body)).status)
		assert.Equal(t, "https://hooks.example/pix", c.sent[len(c.sent)-1].URL)
	}
}

func TestResendWithoutAnyRegistration(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 100_00)
	c.settle(t, c.pay(t, "order-1", pix.KeyEmail, "fulano@example.com"), pix.Result{Status: pix.Confirmed})
	other := strings.Replace(registration, "cash_out", "cash_in", 1)
	require.Equal(t, http.StatusOK, c.as(t, http.MethodPost, "/api/webhooks", withBody(other)).status)

	a := c.resend(t, "order-1")
	assert.Equal(t, http.StatusBadRequest, a.status, "%s", a.raw)
	assert.Equal(t, http.StatusOK, c.resend(t, "order-1", withBody(`{"url":"https://other.example"}`)).status)
	assert.Len(t, c.sent, 1)
}

func TestResendRefuses(t *testing.T) {
	t.Parallel()
	c, p := told(t)
	stranger := c.newClient(t, 100_00)
	c.pay(t, "pending", pix.KeyEmail, "fulano@example.com")
	for _, test := range []struct {
		identifier, body string
		status           int
	}{
		{"", "", 404},
		{"unknown", "", 404},
		{"999999", "", 404},
		{"99999999999999999999", "", 404},
		{"pending", "", 400},
		{"pending", `{"url":"https://other.example"}`, 400},
		{"order-1", `{"url":"http://other.example"}`, 400},
		{"order-1", `{"url":"https://"}`, 400},
		{"order-1", `{"url":"other.example"}`, 400},
		{"order-1", `{"url":""}`, 400},
		{"order-1", `{"url":1}`, 400},
		{"order-1", `[]`, 400},
		{"order-1", `{`, 400},
		{"order-1", ` `, 400},
	} {
		a := c.resend(t, test.identifier, withBody(test.body))
		assert.Equal(t, test.status, a.status, "%s %s: %s", test.identifier, test.body, a.raw)
		checkEnvelope(t, a, http.MethodPost, "/api/resend-webhook/"+test.identifier)
	}
	assert.Equal(t, http.StatusUnsupportedMediaType, c.resend(t, "order-1", withBody(`{}`), withoutContentType).status)
	for _, identifier := range []string{fmt.Sprint(p.ID), p.ExternalID, p.EndToEndID, p.TransactionID} {
		assert.Equal(t, http.StatusNotFound, stranger.resend(t, identifier).status, "another account's %s", identifier)
	}
	assert.Empty(t, c.sent)
}

func TestResendIsLimited(t *testing.T) {
	t.Parallel()
	c, _ := told(t)
	two := 2
	_, err := c.store.Configure(t.Context(), c.account.ID, func(s *pix.Settings) { s.Limits.RequestsPerMinute = &two })
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, c.resend(t, "order-1").status)
	assert.Equal(t, http.StatusNotFound, c.resend(t, "unknown").status, "it counts all the same")
	a := c.resend(t, "order-1")
	assert.Equal(t, http.StatusTooManyRequests, a.status)
	assert.NotEmpty(t, a.header.Get("Retry-After"))
	checkEnvelope(t, a, http.MethodPost, "/api/resend-webhook/order-1")
	assert.Len(t, c.sent, 1)

	_, err = c.store.AdvanceClock(t.Context(), c.account.ID, time.Minute)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, c.resend(t, "order-1").status)
}

// Where a resend must tell nothing of ports, every one that no receiver answered has the
// same answer after the same time, whatever went wrong and however soon.
func TestUnansweredResendsLookAlike(t *testing.T) {
	t.Parallel()
	c, p := told(t)
	const wait = 200 * time.Millisecond
	c.api.unanswered = wait
	var messages []string
	for _, failure := range []string{"connection refused", "prohibited IP address", "tls: first record does not look like a TLS handshake"} {
		c.destination = store.Attempt{Failure: failure}
		began := time.Now()
		a := c.resend(t, p.ExternalID, withBody(`{"url":"https://127.0.0.1:22"}`))
		assert.GreaterOrEqual(t, time.Since(began), wait, failure)
		assert.Equal(t, http.StatusBadGateway, a.status)
		assert.NotContains(t, string(a.raw), failure)
		messages = append(messages, a.messages()...)
	}
	assert.Equal(t, slices.Repeat(messages[:1], 3), messages)

	c.api.unanswered = time.Minute
	c.destination = store.Attempt{Status: http.StatusTeapot}
	began := time.Now()
	a := c.resend(t, p.ExternalID)
	assert.Equal(t, json.Number("418"), a.fields["statusCode"], "a receiver's own answer is told")
	assert.Less(t, time.Since(began), c.api.unanswered)
}
