package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

func TestCashOutIsAccepted(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 100_00)
	a := c.cashOut(t, withBody(order("10.29", "order-7")))
	require.Equal(t, http.StatusCreated, a.status, "%s", a.raw)
	assert.Equal(t, "order-7", a.fields["externalId"])
	assert.Equal(t, "PENDING", a.fields["status"])
	assert.Len(t, a.fields, 4)
	available, blocked := c.balance(t)
	assert.EqualValues(t, 89_71, available)
	assert.EqualValues(t, 10_29, blocked)
}

func TestBalancesAreExact(t *testing.T) {
	t.Parallel()
	g := newGateway(t)
	for _, funds := range []string{"0.00", "0.07", "0.29", "1.15", "8.41", "136.42", "142.20", "90071992547409.93"} {
		amount, err := pix.ParseAmount(funds)
		require.NoError(t, err)
		c := g.newClient(t, amount)
		a := c.as(t, http.MethodGet, "/accounts/balances")
		data := a.fields["data"].([]any)
		require.Len(t, data, 1)
		assert.Equal(t, map[string]any{
			"available": json.Number(funds), "blocked": json.Number("0.00"), "overdraft": json.Number("0.00"),
		}, data[0].(map[string]any)["balanceAmount"])
	}
	c := g.newClient(t, 10_00)
	require.Equal(t, http.StatusCreated, c.cashOut(t, withBody(order("3.00", "x"))).status)
	for _, path := range []string{"/balance", "/api/balance"} {
		a := c.as(t, http.MethodGet, path)
		assert.Equal(t, json.Number("10.00"), a.fields["grossBalance"])
		assert.Equal(t, json.Number("3.00"), a.fields["blockedBalance"])
		assert.Equal(t, json.Number("7.00"), a.fields["netBalance"])
		assert.NotEmpty(t, a.fields["consultedAt"])
	}
}

// replaced is a valid order with one thing changed.
func replaced(old, new string) edit {
	return withBody(strings.Replace(order("1.00", "fresh"), old, new, 1))
}

func TestInvalidOrders(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 100_00)
	for _, fault := range []struct {
		name   string
		edit   edit
		code   string
		naming []string // one message for each, which contains it
	}{
		{"an empty object", withBody(`{}`), pix.CodeValidation, []string{"value", "externalId", "details"}},
		{"no object", withBody(`[]`), pix.CodeValidation, []string{"object"}},
		{"null", withBody(`null`), pix.CodeValidation, []string{"object"}},
		{"zero", withBody(order("0", "x")), pix.CodeInvalidAmount, []string{"value must be at least 0.01"}},
		{"below zero", withBody(order("-0.01", "x")), pix.CodeInvalidAmount, []string{"value"}},
		{"a third decimal", withBody(order("1.234", "x")), pix.CodeInvalidAmount, []string{"value"}},
		{"too little in two ways", withBody(order("0.001", "x")), pix.CodeInvalidAmount, []string{"value"}},
		{"beyond all money", withBody(order("1e30", "x")), pix.CodeInvalidAmount, []string{"value"}},
		{"an amount in quotes", withBody(order(`"1.00"`, "x")), pix.CodeValidation, []string{"value"}},
		{"an amount of null", withBody(order("null", "x")), pix.CodeValidation, []string{"value"}},
		{"an empty externalId", withBody(order("1.00", "")), pix.CodeValidation, []string{"externalId"}},
		{"a key that is not of its type", replaced("fulano@example.com", "11987654321"), pix.CodeInvalidKey, []string{"details.key"}},
		{"an unknown keyType", replaced("EMAIL", "X"), pix.CodeValidation, []string{"details.keyType must be one of EMAIL, PHONE, DOCUMENT, RANDOM"}},
		{"a long description", replaced("lunch", strings.Repeat("é", 141)), pix.CodeValidation, []string{"description"}},
		{"a long name", replaced("Fulano de Tal", strings.Repeat("x", 101)), pix.CodeValidation, []string{"name"}},
		{"a short document", replaced("52998224725", "5299822472"), pix.CodeValidation, []string{"document"}},
		{"amount and key", withBody(strings.Replace(order("0", "x"), "fulano@", "fulano", 1)), pix.CodeValidation, []string{"value", "details.key"}},
		{"amount and externalId", withBody(order("0", "")), pix.CodeValidation, []string{"0.01", "externalId"}},
		{"an unknown scenario", withHeader(scenarioHeader, "unknown"), pix.CodeValidation, []string{scenarioHeader}},
	} {
		a := c.cashOut(t, fault.edit)
		assert.Equal(t, http.StatusBadRequest, a.status, "%s: %s", fault.name, a.raw)
		assert.Equal(t, fault.code, a.code(), "%s: %s", fault.name, a.raw)
		checkEnvelope(t, a, http.MethodPost, "/api/pix/cash-out")
		if assert.Len(t, a.messages(), len(fault.naming), "%s: %s", fault.name, a.raw) {
			for i, word := range fault.naming {
				assert.Contains(t, a.messages()[i], word, fault.name)
			}
		}
		if fault.code == pix.CodeValidation {
			assert.IsType(t, []any{}, a.fields["message"], fault.name)
			assert.NotContains(t, a.fields, "errorCode", fault.name)
		} else {
			assert.Equal(t, fault.code, a.fields["errorCode"], fault.name)
		}
	}
	available, blocked := c.balance(t)
	assert.EqualValues(t, 100_00, available)
	assert.EqualValues(t, 0, blocked)
}

func TestBusinessRefusals(t *testing.T) {
	t.Parallel()
	g := newGateway(t)
	day := time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
	night := time.Date(2026, 3, 2, 23, 0, 0, 0, time.UTC) // 20:00 in São Paulo
	limit := pix.Centavos(50_00)
	for _, refusal := range []struct {
		code   string
		at     time.Time
		limits pix.Limits
		value  string
	}{
		{pix.CodeInsufficientBalance, day, pix.Limits{}, "99.51"}, // with the fee
		{pix.CodeTransactionLimit, day, pix.Limits{PerTransaction: &limit}, "50.01"},
		{pix.CodeDailyLimit, day, pix.Limits{Daily: &limit}, "50.01"},
		{pix.CodeNightLimit, night, pix.Limits{Night: &limit}, "50.01"},
	} {
		c := g.newClient(t, 100_00)
		_, err := g.store.SetClock(t.Context(), c.account.ID, refusal.at)
		require.NoError(t, err)
		_, err = g.store.Configure(t.Context(), c.account.ID, func(s *pix.Settings) {
			s.Limits, s.Fees.CashOut = refusal.limits, 50
		})
		require.NoError(t, err)
		c.token = c.requestToken(t).fields["access_token"].(string) // at the new time
		a := c.cashOut(t, withBody(order(refusal.value, "x")))
		assert.Equal(t, http.StatusBadRequest, a.status)
		assert.Equal(t, refusal.code, a.code(), "%s", a.raw)
		assert.Equal(t, refusal.code, a.fields["errorCode"])
		checkEnvelope(t, a, http.MethodPost, "/api/pix/cash-out")
		available, _ := c.balance(t)
		assert.EqualValues(t, 100_00, available, refusal.code)
	}
}

func TestOneOrderManyTimesAtOnce(t *testing.T) {
	t.Parallel()
	c := newGateway(t).newClient(t, 100_00)
	const times = 16
	answers := make([]answer, times)
	var wg sync.WaitGroup
	for i := range times {
		wg.Go(func() { answers[i] = c.cashOut(t, withBody(order("10.00", "same"))) })
	}
	wg.Wait()
	var accepted answer
	for _, a := range answers {
		if a.status == http.StatusCreated {
			require.Nil(t, accepted.fields, "two were accepted")
			accepted = a
		}
	}
	require.NotNil(t, accepted.fields, "none was accepted")
	for _, a := range answers {
		if a.status == http.StatusCreated {
			continue
		}
		assert.Equal(t, http.StatusBadRequest, a.status)
		assert.Equal(t, pix.CodeDuplicateExternalID, a.code())
		assert.Equal(t, map[string]any{
			"externalId": "same", "existingTransactionId": accepted.fields["transactionId"],
		}, a.fields["details"])
	}
	available, blocked := c.balance(t)
	assert.EqualValues(t, 90_00, available)
	assert.EqualValues(t, 10_00, blocked)
	assert.NoError(t, c.store.CheckLedger(t.Context(), c.account.ID))
}
