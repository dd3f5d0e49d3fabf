package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

func (c *client) meds(t testing.TB, query string) answer {
	t.Helper()
	return c.as(t, http.MethodGet, "/api/med?"+query)
}

// medIDs are those of the cases on a page.
func medIDs(t testing.TB, a answer) []string {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, "%s", a.raw)
	list := []string{}
	for _, item := range a.fields["data"].([]any) {
		list = append(list, fmt.Sprint(item.(map[string]any)["id"]))
	}
	return list
}

func TestMEDList(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	empty := c.meds(t, "")
	assert.Empty(t, medIDs(t, empty))
	assert.JSONEq(t, `{"data":[],"metadata":{"total":0,"page":1,"pageSize":20,"totalPages":0}}`, string(empty.raw))

	// 23:30 of the first of March in São Paulo, and an hour later.
	_, err := c.store.SetClock(t.Context(), c.account.ID, time.Date(2026, 3, 2, 2, 30, 0, 0, time.UTC))
	require.NoError(t, err)
	c.renew(t)
	original := c.received(t, "10.00")
	own, err := c.store.OpenMED(t.Context(), c.account.ID, pix.MEDClaim{EndToEndID: original.EndToEndID, Cause: "FRAUD"})
	require.NoError(t, err)
	_, err = c.store.AdvanceClock(t.Context(), c.account.ID, time.Hour)
	require.NoError(t, err)
	c.renew(t)
	foreign, err := c.store.OpenMED(t.Context(), c.account.ID, pix.MEDClaim{EndToEndID: "E60701190202603011200k3v9x2m7q1z"})
	require.NoError(t, err)
	_, err = c.store.MoveMED(t.Context(), c.account.ID, own.ID, pix.MEDMove{Status: pix.MEDReceived})
	require.NoError(t, err)

	first, second := fmt.Sprint(own.ID), fmt.Sprint(foreign.ID)
	for query, want := range map[string][]string{
		"":                   {second, first},
		"status=OPEN":        {second},
		"status=RECEIVED":    {first},
		"status=CANCELLED":   {},
		"status=ANALYZED":    {},
		"isReconciled=true":  {first},
		"isReconciled=false": {second},
		"pageSize=1":         {second},
		"pageSize=1&page=2":  {first},
		"pageSize=1&page=3":  {},
		"pageSize=100":       {second, first},
		"endDate=2026-03-01": {first}, // of São Paulo, the whole of it
		"startDate=2026-03-02&endDate=2026-03-02": {second},
		"startDate=2026-03-02T03:00:00Z":          {second},
		"endDate=2026-03-02T03:00:00Z":            {first},
		"startDate=2020-01-01&endDate=2030-01-01": {second, first}, // no rule about its length
		"startDate=2026-03-03":                    {},
		"unknown=1":                               {second, first},
	} {
		assert.Equal(t, want, medIDs(t, c.meds(t, query)), query)
	}
	page := c.meds(t, "pageSize=1&page=2")
	assert.Equal(t, map[string]any{"total": json.Number("2"), "page": json.Number("2"), "pageSize": json.Number("1"), "totalPages": json.Number("2")},
		page.fields["metadata"])
	item := page.fields["data"].([]any)[0].(map[string]any)
	assert.Equal(t, true, item["isReconciled"])
	assert.Equal(t, json.Number(fmt.Sprint(original.ID)), item["originalTransactionId"])
	contested := item["originalTransaction"].(map[string]any)
	assert.Equal(t, json.Number("10.00"), contested["amount"])
	assert.Equal(t, "CASH_IN", contested["transactionType"])
	assert.Equal(t, "***.982.247-**", contested["document"])

	assert.Empty(t, medIDs(t, c.newClient(t, 0).meds(t, "")), "of another account")
}

// renew gives the client a token that is good by the account's clock.
func (c *client) renew(t testing.TB) {
	t.Helper()
	account, err := c.store.Account(t.Context(), c.account.ID)
	require.NoError(t, err)
	c.token, err = c.api.tokenKeys.sign(t.Context(), account)
	require.NoError(t, err)
}

func TestMEDListRefusesInTheSimpleEnvelope(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 0)
	for query, word := range map[string]string{
		"status=FOO":                    "status",
		"status=open":                   "status",
		"status=":                       "status",
		"status=OPEN&status=OPEN":       "status",
		"isReconciled=yes":              "isReconciled",
		"isReconciled=":                 "isReconciled",
		"startDate=foo":                 "startDate",
		"endDate=foo":                   "endDate",
		"endDate=2026-02-30":            "endDate",
		"startDate=2026-03-02T03:00:00": "startDate", // without its zone
		"startDate=2026-03-02&endDate=2026-03-01": "startDate",
		"page=0":            "page",
		"page=-1":           "page",
		"page=x":            "page",
		"pageSize=0":        "pageSize",
		"pageSize=101":      "pageSize",
		"pageSize=1.5":      "pageSize",
		"status=%00":        "status",
		"page=0&pageSize=0": "; ",
	} {
		a := c.meds(t, query)
		assert.Equal(t, http.StatusBadRequest, a.status, query)
		checkEnvelope(t, a, http.MethodGet, "/api/med")
		assert.Contains(t, fmt.Sprint(a.fields["message"]), word, query)
	}
	unauthorized := c.as(t, http.MethodGet, "/api/med", withHeader("Authorization"))
	assert.Equal(t, http.StatusUnauthorized, unauthorized.status)
	checkEnvelope(t, unauthorized, http.MethodGet, "/api/med")
}

func TestMEDListIsLimited(t *testing.T) {
	t.Parallel()
	g := newGateway(t)
	c, other := g.newClient(t, 0), g.newClient(t, 0)
	three := 3
	_, err := c.store.Configure(t.Context(), c.account.ID, func(s *pix.Settings) { s.Limits.RequestsPerMinute = &three })
	require.NoError(t, err)
	for _, query := range []string{"", "status=FOO", ""} { // what is refused counts
		assert.NotEqual(t, http.StatusTooManyRequests, c.meds(t, query).status)
	}
	a := c.meds(t, "")
	require.Equal(t, http.StatusTooManyRequests, a.status)
	checkEnvelope(t, a, http.MethodGet, "/api/med")
	assert.Regexp(t, `^([1-9]|[1-5][0-9]|60)$`, a.header.Get("Retry-After"))
	assert.Equal(t, http.StatusOK, other.meds(t, "").status, "another account")
	_, err = c.store.AdvanceClock(t.Context(), c.account.ID, time.Minute)
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, c.meds(t, "").status, "a minute later")
	_, err = c.store.Configure(t.Context(), c.account.ID, func(s *pix.Settings) { s.Limits.RequestsPerMinute = nil })
	require.NoError(t, err)
	for range 5 {
		assert.Equal(t, http.StatusOK, c.meds(t, "").status, "without a limit")
	}
}
