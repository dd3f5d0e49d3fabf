package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// transferBody is a valid transfer of which fields are replaced in pairs.
func transferBody(replacements ...string) string {
	return strings.NewReplacer(replacements...).Replace(`{"pixKey":"fulano@example.com","creditorDocument":"52998224725",` +
		`"priority":"HIGH","description":"lunch","paymentFlow":"meals","expiration":600,` +
		`"payment":{"currency":"BRL","amount":10.55},"ispbDeny":["00000000"]}`)
}

func (c *client) transfer(t testing.TB, edits ...edit) answer {
	t.Helper()
	edits = append([]edit{withBody(transferBody()), withHeader(idempotencyHeader, pix.NewUUID())}, edits...)
	a := c.as(t, http.MethodPost, "/dict/pix", edits...)
	if a.status >= 400 {
		checkEnvelope(t, a, http.MethodPost, "/dict/pix")
	}
	return a
}

// newPayer is a client of a gateway whose directory knows the payee of transferBody.
func newPayer(t testing.TB, funds pix.Centavos) *client {
	t.Helper()
	c := newGateway(t).newClient(t, funds)
	require.NoError(t, c.store.PutDirectoryKey(t.Context(), pix.DirectoryEntry{
		Key: "fulano@example.com", Name: "Fulano de Tal", Document: "52998224725", ISPB: "60701190", Status: pix.AccountActive,
	}))
	return c
}

func TestTransferIsAccepted(t *testing.T) {
	t.Parallel()
	c := newPayer(t, 100_00)
	a := c.transfer(t)
	require.Equal(t, http.StatusOK, a.status, "%s", a.raw)
	assert.Equal(t, map[string]any{"currency": "BRL", "amount": json.Number("10.55")}, a.fields["payment"])
	assert.Equal(t, "PENDING", a.fields["type"])
	available, blocked := c.balance(t)
	assert.Equal(t, [2]pix.Centavos{89_45, 10_55}, [2]pix.Centavos{available, blocked})

	for _, body := range []string{
		`{"pixKey":"fulano@example.com","payment":{"amount":0.01}}`,
		transferBody(`"HIGH"`, `"NORM"`, `"creditorDocument":"52998224725",`, ""),
		transferBody(`"priority":"HIGH",`, ""),
		transferBody(`600`, `1`),
		transferBody(`600`, `10800`),
		transferBody(`600`, `1.08e4`),
		transferBody(`fulano@`, `FULANO@`),
	} {
		a := c.transfer(t, withBody(body))
		assert.Equal(t, http.StatusOK, a.status, "%s: %s", body, a.raw)
	}
}

func TestTransfersThatAreRefused(t *testing.T) {
	t.Parallel()
	c := newPayer(t, 10_55)
	for _, fault := range []struct {
		name   string
		edit   edit
		status int
		naming string
	}{
		{"no idempotency key", withHeader(idempotencyHeader), 400, idempotencyHeader},
		{"two idempotency keys", withHeader(idempotencyHeader, pix.NewUUID(), pix.NewUUID()), 400, idempotencyHeader},
		{"a malformed one", withHeader(idempotencyHeader, "abc"), 400, idempotencyHeader},
		{"a UUID of version 1", withHeader(idempotencyHeader, "6f1d2c3b-4a59-1e68-8f77-1b2c3d4e5f60"), 400, idempotencyHeader},
		{"an empty object", withBody(`{}`), 400, "pixKey"},
		{"all that is missing", withBody(`{}`), 400, "payment"},
		{"no object", withBody(`[]`), 400, "object"},
		{"not JSON", withBody(`{`), 400, "JSON"},
		{"a key that is a number", withBody(transferBody(`"fulano@example.com"`, "123")), 400, "pixKey"},
		{"no key", withBody(transferBody("fulano@example.com", "not a key")), 400, "pixKey"},
		{"HIGH without document", withBody(transferBody(`"creditorDocument":"52998224725",`, "")), 400, "creditorDocument"},
		{"a short document", withBody(transferBody("52998224725", "12")), 400, "creditorDocument"},
		{"another priority", withBody(transferBody("HIGH", "LOW")), 400, "priority"},
		{"a description that is a number", withBody(transferBody(`"lunch"`, "1")), 400, "description"},
		{"no expiration", withBody(transferBody("600", "0")), 400, "expiration"},
		{"too long an expiration", withBody(transferBody("600", "10801")), 400, "expiration"},
		{"half a second", withBody(transferBody("600", "1.5")), 400, "expiration"},
		{"an expiration in quotes", withBody(transferBody("600", `"600"`)), 400, "expiration"},
		{"a payment that is a number", withBody(transferBody(`{"currency":"BRL","amount":10.55}`, "10")), 400, "payment"},
		{"another currency", withBody(transferBody("BRL", "USD")), 400, "payment.currency"},
		{"an amount in quotes", withBody(transferBody("10.55", `"10.55"`)), 400, "payment.amount"},
		{"a third decimal", withBody(transferBody("10.55", "10.555")), 400, "payment.amount"},
		{"nothing", withBody(transferBody("10.55", "0")), 400, "payment.amount"},
		{"below zero", withBody(transferBody("10.55", "-1")), 400, "payment.amount"},
		{"beyond all money", withBody(transferBody("10.55", "1e30")), 400, "payment.amount"},
		{"one denied institution", withBody(transferBody(`["00000000"]`, `"00000000"`)), 400, "ispbDeny"},
		{"denied numbers", withBody(transferBody(`["00000000"]`, `[1]`)), 400, "ispbDeny"},
		{"an unknown key", withBody(transferBody("fulano@", "nobody@")), 422, "pixKey"},
		{"a denied institution", withBody(transferBody("00000000", "60701190")), 422, "60701190"},
		{"a centavo too much", withBody(transferBody("10.55", "10.56")), 422, "balance"},
	} {
		a := c.transfer(t, fault.edit)
		assert.Equal(t, fault.status, a.status, "%s: %s", fault.name, a.raw)
		if assert.Len(t, a.messages(), 1, fault.name) {
			assert.Contains(t, a.messages()[0], fault.naming, fault.name)
		}
	}
	available, blocked := c.balance(t)
	assert.Equal(t, [2]pix.Centavos{10_55, 0}, [2]pix.Centavos{available, blocked})
}

// RFC 9562, section 4: letters in a UUID are not case-sensitive.
func TestAnIdempotencyKeyIsOneInEverySpelling(t *testing.T) {
	t.Parallel()
	c := newPayer(t, 100_00)
	key := "6F1D2C3B-4a59-4e68-8f77-1b2c3d4e5f60"
	first := c.transfer(t, withHeader(idempotencyHeader, key))
	require.Equal(t, http.StatusOK, first.status, "%s", first.raw)
	for _, spelling := range []string{key, strings.ToLower(key), strings.ToUpper(key)} {
		repeated := c.transfer(t, withHeader(idempotencyHeader, spelling))
		assert.Equal(t, first.fields, repeated.fields, spelling)
	}
	_, blocked := c.balance(t)
	assert.EqualValues(t, 10_55, blocked)
}

func TestOneTransferManyTimesAtOnce(t *testing.T) {
	t.Parallel()
	c := newPayer(t, 100_00)
	key := withHeader(idempotencyHeader, pix.NewUUID())
	const times = 16
	answers := make([]answer, times)
	var wg sync.WaitGroup
	for i := range times {
		wg.Go(func() { answers[i] = c.transfer(t, key) })
	}
	wg.Wait()
	for _, a := range append(answers, c.transfer(t, key, withBody(transferBody("10.55", "99.99")))) {
		assert.Equal(t, http.StatusOK, a.status, "%s", a.raw)
		assert.Equal(t, answers[0].fields, a.fields)
	}
	_, blocked := c.balance(t)
	assert.EqualValues(t, 10_55, blocked)
	assert.NotEqual(t, answers[0].fields["id"], c.transfer(t).fields["id"])
}
