package controls

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

const txid = "7978c0c97ea847e78e8849634473c1f1"

func (b *bench) cob(t *testing.T, txid string, changeable bool) pix.Charge {
	t.Helper()
	charge, err := b.store.Cob(t.Context(), b.account, pix.CobOrder{
		TxID: txid, Amount: 10_00, Life: time.Hour, Changeable: changeable,
	})
	require.NoError(t, err)
	return charge
}

// payCode pays a charge; more are further members of the body, each with a comma before.
func (b *bench) payCode(code, more string) (int, map[string]any) {
	return b.call(http.MethodPost, b.path("/payments"), fmt.Sprintf(`{"pixCode":%q%s}`, code, more))
}

func TestPayments(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	charge := b.cob(t, txid, false)
	for _, amount := range []string{"9.99", "10.01"} {
		status, answer := b.payCode(charge.Code, `,"amount":"`+amount+`"`)
		assert.Equal(t, http.StatusBadRequest, status, "%v", answer)
	}
	status, paid := b.payCode(charge.Code, `,"amount":"10.00","payer":{"name":"Rui","document":"11144477735","ispb":"18236120"}`)
	require.Equal(t, http.StatusCreated, status, "%v", paid)
	assert.Regexp(t, `^E18236120\d{12}[A-Za-z0-9]{11}$`, paid["endToEndId"])
	assert.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`, paid["receivedAt"])
	assert.EqualValues(t, 10_00, b.state(t).Available)

	payment, err := b.store.Payment(t.Context(), b.account, paid["transactionId"].(string))
	require.NoError(t, err)
	assert.Equal(t, pix.Counterpart{Name: "Rui", Document: "11144477735", ISPB: "18236120"}, payment.Counterpart)

	status, _ = b.payCode(charge.Code, ``)
	assert.Equal(t, http.StatusConflict, status, "it is paid")
	assert.EqualValues(t, 10_00, b.state(t).Available)
}

func TestPayerChangesTheAmountOfAChangeableCob(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	status, answer := b.payCode(b.cob(t, txid, true).Code, `,"amount":"12.34"`)
	require.Equal(t, http.StatusCreated, status, "%v", answer)
	assert.EqualValues(t, 12_34, b.state(t).Available)
}

func TestCharges(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i, end := range []struct{ by, status string }{
		{"receiver", "REMOVIDA_PELO_USUARIO_RECEBEDOR"},
		{"psp", "REMOVIDA_PELO_PSP"},
	} {
		name := fmt.Sprintf("%s%d", txid, i)
		charge, path := b.cob(t, name, false), b.path("/charges/"+name)
		_, shown := b.call(http.MethodGet, path, "")
		assert.Equal(t, "ATIVA", shown["status"])
		status, answer := b.call(http.MethodPost, path+"/end", `{"by":"`+end.by+`"}`)
		assert.Equal(t, http.StatusNoContent, status, "%v", answer)
		_, shown = b.call(http.MethodGet, path, "")
		assert.Equal(t, end.status, shown["status"])
		status, _ = b.call(http.MethodPost, path+"/end", `{"by":"`+end.by+`"}`)
		assert.Equal(t, http.StatusConflict, status)
		status, _ = b.payCode(charge.Code, "")
		assert.Equal(t, http.StatusConflict, status)
	}
	assert.Zero(t, b.state(t).Available)
}

func TestSplits(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	made, err := b.store.CashIn(t.Context(), b.account, pix.CashInOrder{
		Amount: 10_00, ExternalID: "sale-1", Life: time.Hour, Splits: []pix.Split{
			{Key: "rui@example.com", Type: pix.SplitFixed, Value: 2_00, Immediate: true},
			{Key: "52998224725", Type: pix.SplitPercentage, Value: 10_00},
		},
	})
	require.NoError(t, err)
	path := b.path("/splits?transactionId=" + made.Payment.TransactionID)
	parts := func(first, second string) map[string]any {
		return map[string]any{"left": "7.00", "splits": []any{
			map[string]any{"pixKey": "rui@example.com", "amount": "2.00", "status": first},
			map[string]any{"pixKey": "52998224725", "amount": "1.00", "status": second},
		}}
	}
	_, shown := b.call(http.MethodGet, path, "")
	assert.Equal(t, parts("PENDING", "PENDING"), shown)
	status, answer := b.payCode(made.Charge.Code, "")
	require.Equal(t, http.StatusCreated, status, "%v", answer)
	_, shown = b.call(http.MethodGet, path, "")
	assert.Equal(t, parts("PAID", "PENDING"), shown)

	whole, err := b.store.CashIn(t.Context(), b.account, pix.CashInOrder{Amount: 5_00, ExternalID: "sale-2", Life: time.Hour})
	require.NoError(t, err)
	_, shown = b.call(http.MethodGet, b.path("/splits?transactionId="+whole.Payment.TransactionID), "")
	assert.Equal(t, map[string]any{"left": "5.00", "splits": []any{}}, shown)
}
