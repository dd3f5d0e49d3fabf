package controls

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/reference/store"
)

// receive has somebody pay a cob of R$ 10.00.
func (b *bench) receive(t *testing.T) pix.Payment {
	t.Helper()
	charge, err := b.store.Cob(t.Context(), b.account, pix.CobOrder{TxID: "7978c0c97ea847e78e8849634473c1f1", Life: time.Hour, Amount: 10_00})
	require.NoError(t, err)
	payment, err := b.store.PayCharge(t.Context(), b.account, charge.Code, 0, somebody)
	require.NoError(t, err)
	return payment
}

func TestRefunds(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	original := b.receive(t)
	status, answer := b.call(http.MethodPut, b.path("/refunds"), `{"mode":"manual"}`)
	require.Equal(t, http.StatusNoContent, status, "%v", answer)
	assert.Equal(t, pix.Manual, b.state(t).Refunds)
	assert.Equal(t, pix.Automatic, b.state(t).Settlement, "each mode by itself")
	assert.Zero(t, b.ran.Load())

	for i, result := range []struct {
		body string
		want map[string]any
	}{
		{`{"status":"DEVOLVIDO"}`, map[string]any{"status": "DEVOLVIDO"}},
		{`{"status":"NAO_REALIZADO","motivo":"account closed"}`, map[string]any{"status": "NAO_REALIZADO", "motivo": "account closed"}},
		{`{"status":"NAO_REALIZADO"}`, map[string]any{"status": "NAO_REALIZADO"}},
	} {
		refund, err := b.store.Refund(t.Context(), b.account, pix.RefundOrder{
			EndToEndID: original.EndToEndID, ID: fmt.Sprint("r", i), Amount: 2_00, Nature: pix.NatureOriginal,
		})
		require.NoError(t, err)
		path := b.path("/refunds/" + refund.RtrID)
		status, shown := b.call(http.MethodGet, path, "")
		require.Equal(t, http.StatusOK, status)
		assert.Equal(t, "EM_PROCESSAMENTO", shown["status"])
		assert.Equal(t, "2.00", shown["valor"])

		status, answer := b.call(http.MethodPost, path+"/result", result.body)
		require.Equal(t, http.StatusNoContent, status, "%v", answer)
		for range 2 {
			_, shown = b.call(http.MethodGet, path, "")
			assert.Equal(t, result.want["status"], shown["status"])
			assert.Equal(t, result.want["motivo"], shown["motivo"])
			status, _ = b.call(http.MethodPost, path+"/result", `{"status":"DEVOLVIDO","motivo":"again"}`)
			assert.Equal(t, http.StatusConflict, status, "a second time")
		}
	}
	assert.EqualValues(t, 8_00, b.state(t).Available)

	status, _ = b.call(http.MethodPut, b.path("/refunds"), `{"mode":"automatic"}`)
	assert.Equal(t, http.StatusNoContent, status)
	assert.Equal(t, b.account, b.ran.Load(), "what was in process is carried out before the answer")
}

func TestMEDs(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	original := b.receive(t)
	open := func(body string) string {
		status, opened := b.call(http.MethodPost, b.path("/meds"), body)
		require.Equal(t, http.StatusCreated, status, "%v", opened)
		return b.path(fmt.Sprintf("/meds/%.0f", opened["id"]))
	}
	analyzed := open(fmt.Sprintf(`{"endToEnd":%q,"reason":"REFUND_CANCELLATION","cause":"SOCIAL_ENGINEERING","description":"deceived"}`, original.EndToEndID))
	cancelled := open(`{"endToEnd":"E60701190202603011200k3v9x2m7q1z","cause":null}`)
	for _, call := range []struct {
		path, body string
		status     int
	}{
		{analyzed, `{"status":"ANALYZED","analysisResult":"APPROVED"}`, 409},
		{analyzed, `{"status":"OPEN"}`, 409},
		{analyzed, `{"status":"RECEIVED"}`, 200},
		{analyzed, `{"status":"RECEIVED"}`, 409},
		{analyzed, `{"status":"ANALYZED"}`, 400},
		{analyzed, `{"status":"RECEIVED","analysisResult":"APPROVED"}`, 400},
		{analyzed, `{"status":"ANALYZED","analysisResult":"APPROVED","analysisDetails":"a fraud"}`, 200},
		{analyzed, `{"status":"CANCELLED"}`, 409},
		{cancelled, `{"status":"CANCELLED"}`, 200},
		{cancelled, `{"status":"RECEIVED"}`, 409},
	} {
		status, answer := b.call(http.MethodPatch, call.path, call.body)
		assert.Equal(t, call.status, status, "%s: %v", call.body, answer)
		if status != http.StatusOK {
			assert.NotEmpty(t, answer["message"])
		}
	}
	meds, _, err := b.store.MEDs(t.Context(), b.account, store.MEDFilter{Created: pix.Period{Before: time.Now().Add(time.Hour)}}, 1, 10)
	require.NoError(t, err)
	require.Len(t, meds, 2)
	foreign, own := meds[0].View(), meds[1].View()
	assert.Equal(t, pix.MEDCancelled, foreign.Status)
	assert.Equal(t, pix.MEDRefundRequest, foreign.Reason)
	assert.Nil(t, foreign.Cause)
	assert.False(t, foreign.IsReconciled)
	assert.Equal(t, pix.MEDRefundCancellation, own.Reason)
	assert.Equal(t, "SOCIAL_ENGINEERING", *own.Cause)
	assert.Equal(t, "deceived", *own.Description)
	assert.Equal(t, "APPROVED", *own.AnalysisResult)
	assert.Equal(t, original.ID, *own.OriginalTransactionID)
}
