package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

func (c *client) register(t testing.TB, body string) answer {
	t.Helper()
	return c.as(t, http.MethodPost, "/api/webhooks", withBody(body))
}

// listed are the registrations that the client sees.
func (c *client) listed(t testing.TB) []any {
	t.Helper()
	a := c.as(t, http.MethodGet, "/api/webhooks")
	require.Equal(t, http.StatusOK, a.status, "%s", a.raw)
	list := a.fields["webhooks"].([]any)
	assert.Equal(t, json.Number(fmt.Sprint(len(list))), a.fields["total"])
	assert.Equal(t, json.Number(fmt.Sprint(c.account.ID)), a.fields["accountId"])
	return list
}

func TestWebhookIsRegisteredAndUpdated(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	assert.Empty(t, c.listed(t))
	a := c.register(t, registration)
	require.Equal(t, http.StatusOK, a.status, "%s", a.raw)
	assert.Equal(t, true, a.fields["success"])
	assert.NotEmpty(t, a.fields["message"])

	first := c.listed(t)[0].(map[string]any)
	assert.Equal(t, "cash_out", first["type"])
	assert.Equal(t, "https://hooks.example/pix", first["url"])
	assert.Equal(t, map[string]any{"X-Secret": "1"}, first["headers"])
	assert.Equal(t, true, first["isActive"])
	assert.Equal(t, json.Number("1"), first["version"])

	require.Equal(t, http.StatusOK, c.register(t, strings.Replace(registration, "X-Secret", "X-Other", 1)).status)
	list := c.listed(t)
	require.Len(t, list, 1)
	again := list[0].(map[string]any)
	assert.Equal(t, map[string]any{"X-Other": "1"}, again["headers"])
	assert.Equal(t, json.Number("2"), again["version"])
	assert.Equal(t, first["id"], again["id"])
}

func TestFourthURLIsRefused(t *testing.T) {
	t.Parallel()
	g := newGateway(t)
	c, other := g.newClient(t, 0), g.newClient(t, 0)
	at := func(n int) string { return strings.Replace(registration, "/pix", fmt.Sprintf("/pix/%d", n), 1) }
	for n := range pix.MaxWebhookURLs {
		require.Equal(t, http.StatusOK, c.register(t, at(n)).status)
	}
	a := c.register(t, at(3))
	assert.Equal(t, http.StatusBadRequest, a.status)
	checkEnvelope(t, a, http.MethodPost, "/api/webhooks")
	assert.Len(t, c.listed(t), 3)
	assert.Equal(t, http.StatusOK, c.register(t, at(0)).status, "an update is no fourth")
	assert.Equal(t, http.StatusOK, c.register(t, strings.Replace(at(3), "cash_out", "cash_in", 1)).status, "another type")
	assert.Empty(t, other.listed(t))
	assert.Equal(t, http.StatusOK, other.register(t, at(3)).status, "another account")
}

func TestInvalidRegistrations(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	headers := func(list string) string {
		return strings.Replace(registration, `[{"key":"X-Secret","value":"1"}]`, list, 1)
	}
	bodies := []string{
		`{}`, `[]`, `null`,
		strings.Replace(registration, "https:", "http:", 1),
		strings.Replace(registration, "https://hooks.example/pix", "foo", 1),
		strings.Replace(registration, "https://hooks.example/pix", "https://", 1),
		strings.Replace(registration, "https://hooks.example/pix", "https:///path", 1),
		strings.Replace(registration, "hooks.example", "hooks.example:0", 1),
		strings.Replace(registration, "hooks.example", "hooks.example:00", 1),
		strings.Replace(registration, "hooks.example", "hooks.example:65536", 1),
		strings.Replace(registration, "hooks.example", "hooks.example:70000", 1),
		strings.Replace(registration, "hooks.example", "[::1]:70000", 1),
		strings.Replace(registration, "hooks.example", "hooks.example:443443443443443443443", 1),
		strings.Replace(registration, "cash_out", "CashOut", 1),
		headers(`{"X-Secret":"1"}`),
		headers(`["X-Secret"]`),
		headers(`[{"key":"X-Secret"}]`),
		headers(`[{"key":"X-Secret","value":1}]`),
		headers(`[{"key":"","value":"1"}]`),
		headers(`[{"key":"X Secret","value":"1"}]`),
		headers(`[{"key":"X-Secret","value":"1\r\nHost: elsewhere"}]`),
		headers(`[` + strings.Repeat(`{"key":"X-Secret","value":"1"},`, 5) + `{"key":"X-Secret","value":"1"}]`),
	}
	for _, name := range []string{"host", "content-length", "connection", "transfer-encoding", "content-type", "user-agent"} {
		for _, spelling := range []string{name, strings.ToUpper(name), strings.ToUpper(name[:1]) + name[1:]} {
			bodies = append(bodies, headers(fmt.Sprintf(`[{"key":%q,"value":"1"}]`, spelling)))
		}
	}
	for _, body := range bodies {
		a := c.register(t, body)
		assert.Equal(t, http.StatusBadRequest, a.status, "%s: %s", body, a.raw)
		assert.Equal(t, pix.CodeValidation, a.code(), body)
		assert.IsType(t, []any{}, a.fields["message"], body)
		checkEnvelope(t, a, http.MethodPost, "/api/webhooks")
	}
	assert.Empty(t, c.listed(t))
}
