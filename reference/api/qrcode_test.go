package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// qrCodeBody is the body of a valid cash-out to a code.
func qrCodeBody(value, code, externalID, more string) string {
	return fmt.Sprintf(`{"value":%s,"qrCode":%q,"externalId":%q%s}`, value, code, externalID, more)
}

func TestCashOutToQRCode(t *testing.T) {
	t.Parallel()
	const path = "/api/pix/cash-out-qrcode"
	c := newGateway(t).newClient(t, 100_00)
	code := pix.BRCode{Key: "52998224725", Name: "Fulano de Tal", City: "Brasilia"}
	open := code.String()
	code.Amount = 10_00
	fixed := code.String()
	long := pix.BRCode{Key: strings.Repeat("a", 64) + "@examples.com", Name: "F", City: "C", TxID: strings.Repeat("a", 25)}.String()
	for i, good := range []struct{ value, code, more string }{
		{"0.01", open, ""},
		{"10", fixed, `,"description":"lunch","name":"Fulano","document":"11222333000181"`},
		{"1.23", open, `,"description":"` + strings.Repeat("x", 140) + `","document":"52998224725"`},
		{"1", long, ""},
		{"1", pix.BRCode{URL: "pix.example/qr/1", Dynamic: true, Name: "F", City: "C"}.String(), ""},
	} {
		a := c.as(t, http.MethodPost, path, withBody(qrCodeBody(good.value, good.code, fmt.Sprint(i), good.more)))
		require.Equal(t, http.StatusCreated, a.status, "%s: %s", good, a.raw)
		assert.Equal(t, fmt.Sprint(i), a.fields["externalId"])
		assert.Equal(t, "PENDING", a.fields["status"])
		assert.Len(t, a.fields, 4)
	}
	available, blocked := c.balance(t)
	assert.Equal(t, [2]pix.Centavos{86_76, 13_24}, [2]pix.Centavos{available, blocked})

	for _, bad := range []struct {
		name   string
		body   string
		status int
		code   string
		naming string
	}{
		{"an empty object", `{}`, 400, pix.CodeValidation, "value"},
		{"zero", qrCodeBody("0", open, "x", ""), 400, pix.CodeInvalidAmount, "value"},
		{"a third decimal", qrCodeBody("1.234", open, "x", ""), 400, pix.CodeInvalidAmount, "value"},
		{"an amount in quotes", qrCodeBody(`"10"`, open, "x", ""), 400, pix.CodeValidation, "value"},
		{"another amount", qrCodeBody("10.01", fixed, "x", ""), 400, pix.CodeQRCodeMismatch, "10.00"},
		{"a wrong checksum", qrCodeBody("1", open[:len(open)-4]+"0000", "x", ""), 400, pix.CodeInvalidQRCode, "checksum"},
		{"49 characters", qrCodeBody("1", open[:49], "x", ""), 400, pix.CodeValidation, "qrCode"},
		{"501 characters", qrCodeBody("1", open+strings.Repeat("0", 501-len(open)), "x", ""), 400, pix.CodeValidation, "qrCode"},
		{"another beginning", qrCodeBody("1", "000202"+open[6:], "x", ""), 400, pix.CodeValidation, "qrCode"},
		{"an empty externalId", qrCodeBody("1", open, "", ""), 400, pix.CodeValidation, "externalId"},
		{"a short document", qrCodeBody("1", open, "x", `,"document":"12"`), 400, pix.CodeValidation, "document"},
		{"too much", qrCodeBody("86.77", open, "x", ""), 400, pix.CodeInsufficientBalance, "balance"},
		{"a used externalId", qrCodeBody("1", open, "0", ""), 409, pix.CodeDuplicateExternalID, "externalId"},
	} {
		a := c.as(t, http.MethodPost, path, withBody(bad.body))
		assert.Equal(t, bad.status, a.status, "%s: %s", bad.name, a.raw)
		assert.Equal(t, bad.code, a.code(), "%s: %s", bad.name, a.raw)
		assert.Contains(t, strings.Join(a.messages(), "; "), bad.naming, bad.name)
		checkEnvelope(t, a, http.MethodPost, path)
	}
	a := c.as(t, http.MethodPost, path, withBody(qrCodeBody("1", open, "x", "")), withHeader(scenarioHeader, "unknown"))
	assert.Equal(t, http.StatusBadRequest, a.status)
}
