package contract_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features/contract"
)

func operation(t testing.TB, id string) *contract.Operation {
	t.Helper()
	c, err := contract.Load()
	require.NoError(t, err)
	op, ok := c.Operation(id)
	require.True(t, ok, id)
	return op
}

func TestOperations(t *testing.T) {
	t.Parallel()
	c, err := contract.Load()
	require.NoError(t, err)
	want := [][3]string{
		{"token", "POST", "/api/auth/token"},
		{"balances", "GET", "/accounts/balances"},
		{"standardBalance", "GET", "/balance"},
		{"transfer", "POST", "/dict/pix"},
		{"cashOut", "POST", "/api/pix/cash-out"},
		{"cashOutQRCode", "POST", "/api/pix/cash-out-qrcode"},
		{"cashIn", "POST", "/api/pix/cash-in"},
		{"cob", "PUT", "/cob/{txid}"},
		{"refund", "PUT", "/pix/{e2eid}/devolucao/{id}"},
		{"listMeds", "GET", "/api/med"},
		{"listTransactionsByKey", "GET", "/api/pix/transactions/pix-key/{pixKey}"},
		{"listTransactions", "GET", "/api/transactions"},
		{"registerWebhook", "POST", "/api/webhooks"},
		{"listWebhooks", "GET", "/api/webhooks"},
		{"resendWebhook", "POST", "/api/resend-webhook/{transactionIdentifier}"},
	}
	var got [][3]string
	for _, op := range c.Operations() {
		got = append(got, [3]string{op.ID, op.Method, op.Path})
		found, ok := c.Find(op.Method, op.Path)
		assert.True(t, ok)
		assert.Same(t, op, found)
	}
	assert.Equal(t, want, got)
	_, ok := c.Operation("cashin")
	assert.False(t, ok)
}

// The bodies of valid requests; each case of TestCheckRequest changes one thing.
const (
	validToken   = `{"clientId":"3f0c5b1e-6a7d-4f55-9b0e-2f4f7f1f8a11","clientSecret":"s"}`
	validCashOut = `{"value":10.50,"externalId":"order-1","description":"Pedido",` +
		`"details":{"key":"fulano@example.com","keyType":"EMAIL","name":"Fulano","document":"52998224725"}}`
	validWebhook = `{"url":"https://hooks.example/pix","eventType":"cash_out","headers":[{"key":"a","value":"1"}]}`
)

func TestCheckRequest(t *testing.T) {
	t.Parallel()
	type change struct{ from, to string }
	long := func(n int) string { return strings.Repeat("é", n) }
	for _, test := range []struct {
		operation, valid string
		change           change
		want             []string // the messages; none for a body that is still valid
	}{
		{"token", validToken, change{}, nil},
		{"token", validToken, change{`{`, `{"unknown":1,`}, nil},
		{"token", validToken, change{"3f0c5b1e-6a7d-4f55-9b0e", "3F0C5B1E-6A7D-4F55-BB0E"}, nil},
		{"token", validToken, change{"-4f55-", "-1f55-"}, []string{"clientId must be a UUID of version 4"}},
		{"token", validToken, change{"-9b0e-", "-7b0e-"}, []string{"clientId must be a UUID of version 4"}},
		{"token", validToken, change{"8a11", "8a11 "}, []string{"clientId must be a UUID of version 4"}},
		{"token", validToken, change{`"s"`, `5`}, []string{"clientSecret must be a string"}},
		{"token", validToken, change{validToken, `{}`}, []string{"clientId is required", "clientSecret is required"}},
		{"token", validToken, change{validToken, `[]`}, []string{"the body must be an object"}},
		{"token", validToken, change{validToken, `null`}, []string{"the body must be an object"}},
		{"token", validToken, change{"clientId", "clientid"}, []string{"clientId is required"}},

		{"cashOut", validCashOut, change{}, nil},
		{"cashOut", validCashOut, change{"10.50", "0.01"}, nil},
		{"cashOut", validCashOut, change{"10.50", "1e1"}, nil},
		{"cashOut", validCashOut, change{"10.50", "10"}, nil},
		{"cashOut", validCashOut, change{"10.50", "1.230"}, nil},
		{"cashOut", validCashOut, change{"10.50", "90071992547409.93"}, nil},
		{"cashOut", validCashOut, change{"10.50", "0.29"}, nil},
		{"cashOut", validCashOut, change{"10.50", "0"}, []string{"value must be at least 0.01"}},
		{"cashOut", validCashOut, change{"10.50", "-1"}, []string{"value must be at least 0.01"}},
		{"cashOut", validCashOut, change{"10.50", "0.001"}, []string{"value must be at least 0.01"}},
		{"cashOut", validCashOut, change{"10.50", "1.234"}, []string{"value must have at most 2 decimals"}},
		{"cashOut", validCashOut, change{"10.50", "1e-3"}, []string{"value must be at least 0.01"}},
		{"cashOut", validCashOut, change{"10.50", `"10.50"`}, []string{"value must be a number"}},
		{"cashOut", validCashOut, change{"10.50", `null`}, []string{"value must be a number"}},
		{"cashOut", validCashOut, change{`"order-1"`, `1`}, []string{"externalId must be a string"}},
		{"cashOut", validCashOut, change{"Pedido", long(140)}, nil},
		{"cashOut", validCashOut, change{"Pedido", long(141)}, []string{"description must have at most 140 characters"}},
		{"cashOut", validCashOut, change{"Fulano", long(100)}, nil},
		{"cashOut", validCashOut, change{"Fulano", long(101)}, []string{"details.name must have at most 100 characters"}},
		{"cashOut", validCashOut, change{"52998224725", "11222333000181"}, nil},
		{"cashOut", validCashOut, change{"52998224725", "5299822472"}, []string{"details.document must be a CPF of 11 digits or a CNPJ of 14 digits"}},
		{"cashOut", validCashOut, change{"52998224725", `52998224725\n`}, []string{"details.document must be a CPF of 11 digits or a CNPJ of 14 digits"}},
		{"cashOut", validCashOut, change{"EMAIL", "CPF"}, []string{"details.keyType must be one of EMAIL, PHONE, DOCUMENT, RANDOM"}},
		{"cashOut", validCashOut, change{`"details"`, `"detail"`}, []string{"details is required"}},
		{"cashOut", validCashOut, change{validCashOut, `{"details":{},"value":0}`}, []string{
			"value must be at least 0.01", "externalId is required",
			"details.key is required", "details.keyType is required", "details.name is required", "details.document is required",
		}},

		{"registerWebhook", validWebhook, change{}, nil},
		{"registerWebhook", validWebhook, change{"https", "HTTPS"}, nil},
		{"registerWebhook", validWebhook, change{"https", "http"}, []string{"url must be an HTTPS URL"}},
		{"registerWebhook", validWebhook, change{"hooks.example", ""}, []string{"url must be an HTTPS URL"}},
		{"registerWebhook", validWebhook, change{"hooks.example", "hooks example"}, []string{"url must be an HTTPS URL"}},
		{"registerWebhook", validWebhook, change{"cash_out", "CashOut"}, []string{
			"eventType must be one of cash_in, cash_out, refund_in, refund_out, med_created, med_accepted, med_rejected",
		}},
		{"registerWebhook", validWebhook, change{`,"headers":[{"key":"a","value":"1"}]`, ``}, nil},
		{"registerWebhook", validWebhook, change{`[{"key":"a","value":"1"}]`, `{"a":"1"}`}, []string{"headers must be an array"}},
		{"registerWebhook", validWebhook, change{`{"key":"a","value":"1"}`, strings.Repeat(`{"key":"a","value":"1"},`, 4) + `{"key":"b","value":""}`}, nil},
		{"registerWebhook", validWebhook, change{`{"key":"a","value":"1"}`, strings.Repeat(`{"key":"a","value":"1"},`, 5) + `{"value":5}`}, []string{
			"headers must have at most 5 items", "headers[5].key is required", "headers[5].value must be a string",
		}},

		{"listWebhooks", `{}`, change{}, nil}, // has no body
	} {
		name := test.operation + " " + test.change.to
		t.Run(name[:min(len(name), 60)], func(t *testing.T) {
			t.Parallel()
			text := test.valid
			if test.change != (change{}) {
				require.Contains(t, text, test.change.from)
				text = strings.Replace(text, test.change.from, test.change.to, 1)
			}
			body, err := contract.Decode([]byte(text), contract.Limits{})
			require.NoError(t, err)
			assert.Equal(t, test.want, messages(operation(t, test.operation).CheckRequest(body)))
		})
	}
}

func messages(violations []contract.Violation) []string {
	var all []string
	for _, v := range violations {
		all = append(all, v.Message)
	}
	return all
}

func TestViolationNamesFieldAndRule(t *testing.T) {
	t.Parallel()
	body, err := contract.Decode([]byte(`{"value":0.001,"externalId":"a","details":{"key":"k","keyType":"X","name":"n"}}`), contract.Limits{})
	require.NoError(t, err)
	assert.Equal(t, []contract.Violation{
		{Field: "value", Rule: "minimum", Message: "value must be at least 0.01"},
		{Field: "details.keyType", Rule: "enum", Message: "details.keyType must be one of EMAIL, PHONE, DOCUMENT, RANDOM"},
		{Field: "details.document", Rule: "required", Message: "details.document is required"},
	}, operation(t, "cashOut").CheckRequest(body))
}

// Ten comes after two, and the order does not hang on that of a map.
func TestViolationsInOrder(t *testing.T) {
	t.Parallel()
	body, err := contract.Decode([]byte(`{"headers":[`+strings.Repeat(`{"value":1},`, 10)+`{}],"eventType":1}`), contract.Limits{})
	require.NoError(t, err)
	op := operation(t, "registerWebhook")
	first := op.CheckRequest(body)
	require.Len(t, first, 3+2*11)
	assert.Equal(t, []string{"url", "eventType", "headers", "headers[0].key", "headers[0].value"}, fields(first[:5]))
	assert.Equal(t, []string{"headers[2].key", "headers[2].value"}, fields(first[7:9]))
	assert.Equal(t, []string{"headers[10].key", "headers[10].value"}, fields(first[23:]))
	for range 20 {
		assert.Equal(t, first, op.CheckRequest(body))
	}
}

func fields(violations []contract.Violation) []string {
	var all []string
	for _, v := range violations {
		all = append(all, v.Field)
	}
	return all
}

func TestHostileArrayIsBounded(t *testing.T) {
	t.Parallel()
	text := `{"url":"https://a.example","eventType":"cash_in","headers":[` + strings.Repeat("0,", 200_000) + `0]}`
	body, err := contract.Decode([]byte(text), contract.Limits{})
	require.NoError(t, err)
	violations := operation(t, "registerWebhook").CheckRequest(body)
	assert.Len(t, violations, 1+1000)
	assert.Equal(t, "headers must have at most 5 items", violations[0].Message)
	assert.Len(t, body.(map[string]any)["headers"], 200_001, "the body stays as it was")
}

func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	op := operation(t, "cashOut")
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				body, err := contract.Decode([]byte(`{"value":0}`), contract.Limits{})
				assert.NoError(t, err)
				assert.Len(t, op.CheckRequest(body), 3)
			}
		})
	}
	group.Wait()
}

// The widest numbers that Decode takes cost no noticeable time. (The bound is that of a busy
// machine; wider ones take more time than there is.)
func TestWidestNumbers(t *testing.T) {
	t.Parallel()
	op := operation(t, "cashOut")
	for _, literal := range []string{"1e100", "1e-100", strings.Repeat("9", 64), "0." + strings.Repeat("9", 62)} {
		body, err := contract.Decode([]byte(`{"value":`+literal+`}`), contract.Limits{})
		require.NoError(t, err)
		began := time.Now()
		assert.NotEmpty(t, op.CheckRequest(body))
		assert.Less(t, time.Since(began), time.Minute)
	}
}

func BenchmarkCheckCashOut(b *testing.B) {
	op := operation(b, "cashOut")
	body, err := contract.Decode([]byte(validCashOut), contract.Limits{})
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		if violations := op.CheckRequest(body); violations != nil {
			b.Fatal(violations)
		}
	}
}

func BenchmarkDecodeCashOut(b *testing.B) {
	body := []byte(validCashOut)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := contract.Decode(body, contract.Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}
