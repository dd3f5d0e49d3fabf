package pix_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/reference/pix"
)

var staticCode = pix.BRCode{Key: "+5511987654321", Name: "Padaria", City: "Sao Paulo"}

func TestQRCodeOrderIsCheckedAmountFirst(t *testing.T) {
	t.Parallel()
	fixed := staticCode
	fixed.Amount = 1_98_00
	for name, test := range map[string]struct {
		amount pix.Centavos
		text   string
		code   string
	}{
		"any amount":          {1, staticCode.String(), ""},
		"the amount":          {1_98_00, fixed.String(), ""},
		"a centavo less":      {1_97_99, fixed.String(), pix.CodeQRCodeMismatch},
		"a centavo more":      {1_98_01, fixed.String(), pix.CodeQRCodeMismatch},
		"nothing":             {0, fixed.String(), pix.CodeInvalidAmount},
		"too much":            {pix.MaxAmount + 1, staticCode.String(), pix.CodeInvalidAmount},
		"nothing, of no code": {0, "000201", pix.CodeInvalidAmount},
		"no code":             {1, "00020101", pix.CodeInvalidQRCode},
		"a wrong checksum":    {1, staticCode.String()[:len(staticCode.String())-4] + "0000", pix.CodeInvalidQRCode},
	} {
		_, err := pix.QRCodeOrder{Amount: test.amount, Text: test.text}.Check()
		assert.Equal(t, test.code, codeOf(err), name)
	}
}

func TestQRCodePaysItsKeyOrItsAddress(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		code           pix.BRCode
		key, directory string
	}{
		{staticCode, "+5511987654321", "+5511987654321"},
		{pix.BRCode{Key: "Fulano@Example.com", Name: "F", City: "C"}, "Fulano@Example.com", "fulano@example.com"},
		{pix.BRCode{URL: "pix.example/qr/1", Dynamic: true, Name: "F", City: "C"}, "pix.example/qr/1", ""},
	} {
		order := pix.QRCodeOrder{Amount: 1_00, Text: test.code.String(), ExternalID: "x"}
		code, err := order.Check()
		require.NoError(t, err)
		p := pix.NewQRCodeCashOut(1, order, code, 10, noon)
		assert.Equal(t, test.key, p.Key)
		assert.Equal(t, test.directory, code.DirectoryKey())
		assert.Equal(t, test.code.Name, p.Counterpart.Name, "where the order names nobody")
		assert.EqualValues(t, 1_10, p.Final())

		order.Name = "Somebody"
		assert.Equal(t, "Somebody", pix.NewQRCodeCashOut(1, order, code, 0, noon).Counterpart.Name)
	}
}

// Whatever an order leaves out, its event is what the wire contract says.
func TestQRCodeEvent(t *testing.T) {
	t.Parallel()
	wire, err := contract.Load()
	require.NoError(t, err)
	dynamic := pix.BRCode{URL: "pix.example/qr/1", Dynamic: true, Name: "F", City: "C"}
	for _, code := range []pix.BRCode{staticCode, dynamic} {
		p := pix.NewQRCodeCashOut(1, pix.QRCodeOrder{Amount: 1_00, ExternalID: "x"}, code, 10, noon)
		for _, result := range []pix.Result{{Status: pix.Confirmed}, pix.Rejected(pix.OrderRejected)} {
			event, err := json.Marshal(pix.NewCashOutResult(p.Finish(result, noon)))
			require.NoError(t, err)
			assert.Empty(t, wire.CheckWebhook("cashOutResult", event), "%s", event)
		}
	}
}

func TestQRCodeWithoutDocumentIsSettledAllTheSame(t *testing.T) {
	t.Parallel()
	p := pix.NewQRCodeCashOut(1, pix.QRCodeOrder{}, staticCode, 0, noon)
	assert.Equal(t, pix.Confirmed, pix.Settle(p, nil).Status)
	assert.Equal(t, pix.Confirmed, pix.Settle(p, &pix.DirectoryEntry{Document: "52998224725", Status: pix.AccountActive}).Status)
	assert.Equal(t, pix.AccountClosed, pix.Settle(p, &pix.DirectoryEntry{Document: "52998224725", Status: pix.AccountShut}).Code)
}

func TestReturnsStayWithinTheOriginal(t *testing.T) {
	t.Parallel()
	original := pix.Payment{ID: 7, Kind: pix.KindTransfer, AccountID: 1, Amount: 10_00, Counterpart: pix.Counterpart{Name: "A", ISPB: "60701190"}}
	for _, test := range []struct {
		amount, returned pix.Centavos
		code             string
	}{
		{1, 0, ""}, {10_00, 0, ""}, {4_00, 6_00, ""},
		{10_01, 0, pix.CodeValidation}, {4_01, 6_00, pix.CodeValidation}, {1, 10_00, pix.CodeValidation}, {0, 0, pix.CodeValidation},
	} {
		p, err := pix.NewReturn(original, test.amount, test.returned, noon)
		assert.Equal(t, test.code, codeOf(err), test)
		if err == nil {
			assert.Regexp(t, `^D60701190202603011500[0-9A-Za-z]{11}$`, p.EndToEndID)
			assert.Equal(t, []any{pix.Confirmed, int64(7), test.amount, original.Counterpart}, []any{p.Status, p.ParentID, p.Final(), p.Counterpart})
		}
	}
}
