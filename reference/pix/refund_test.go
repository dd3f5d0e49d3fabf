package pix_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/pixcert/pixcert/reference/pix"
)

var receivedAt = time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)

// receivedPIX is a PIX of R$ 10.00 that paid a charge.
func receivedPIX() pix.Payment {
	return pix.Payment{
		ID: 7, Kind: pix.KindCob, TransactionID: "t", AccountID: 3, ExternalID: "txid", EndToEndID: "E60701190202603021500ABCDEFGHIJK",
		Status: pix.Confirmed, Amount: 10_00, Fee: 50, Key: "a@example.com", KeyType: pix.KeyEmail,
		Counterpart: pix.Counterpart{Name: "Maria", Document: "52998224725", ISPB: "60701190"},
		CreatedAt:   receivedAt.Add(-time.Minute), ProcessedAt: receivedAt,
	}
}

func refundOrder() pix.RefundOrder {
	return pix.RefundOrder{EndToEndID: receivedPIX().EndToEndID, ID: "r1", Amount: 10_00, Nature: pix.NatureOriginal, Description: "sorry"}
}

func TestRefundOrderByItself(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*pix.RefundOrder)
		fault  string // empty: none
	}{
		"as it is":          {func(*pix.RefundOrder) {}, ""},
		"e2eid of 31":       {func(o *pix.RefundOrder) { o.EndToEndID = o.EndToEndID[:31] }, "e2eid"},
		"e2eid of 33":       {func(o *pix.RefundOrder) { o.EndToEndID += "1" }, "e2eid"},
		"e2eid with hyphen": {func(o *pix.RefundOrder) { o.EndToEndID = o.EndToEndID[:31] + "-" }, "e2eid"},
		"id of 1":           {func(o *pix.RefundOrder) { o.ID = "x" }, ""},
		"id of 35":          {func(o *pix.RefundOrder) { o.ID = strings.Repeat("x", 35) }, ""},
		"no id":             {func(o *pix.RefundOrder) { o.ID = "" }, "id"},
		"id of 36":          {func(o *pix.RefundOrder) { o.ID = strings.Repeat("x", 36) }, "id"},
		"id with signs":     {func(o *pix.RefundOrder) { o.ID = "order-7_a.b~1/2" }, ""},
		"35 accents":        {func(o *pix.RefundOrder) { o.ID = strings.Repeat("é", 35) }, ""},
		"id with a NUL":     {func(o *pix.RefundOrder) { o.ID = "a\x00" }, "id"},
		"id in Latin-1":     {func(o *pix.RefundOrder) { o.ID = "a\xe9" }, "id"},
		"one centavo":       {func(o *pix.RefundOrder) { o.Amount = 1 }, ""},
		"nothing":           {func(o *pix.RefundOrder) { o.Amount = 0 }, "valor"},
		"less than nothing": {func(o *pix.RefundOrder) { o.Amount = -1 }, "valor"},
		"withdrawal":        {func(o *pix.RefundOrder) { o.Nature = pix.NatureWithdrawal }, ""},
		"MED_OPERACIONAL":   {func(o *pix.RefundOrder) { o.Nature = pix.NatureMEDOperational }, "natureza"},
		"MED_FRAUDE":        {func(o *pix.RefundOrder) { o.Nature = pix.NatureMEDFraud }, "natureza"},
		"another nature":    {func(o *pix.RefundOrder) { o.Nature = "X" }, "natureza"},
	} {
		order := refundOrder()
		test.change(&order)
		err := order.Check()
		if test.fault == "" {
			assert.NoError(t, err, name)
			continue
		}
		assert.ErrorContains(t, err, test.fault+" must be", name)
	}
}

func TestRefundDeadlineAndRemainder(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for _, test := range []struct {
		amount, refunded pix.Centavos
		after            time.Duration
		refused          bool
		nature           pix.Nature
	}{
		{10_00, 0, 0, false, 0},
		{10_01, 0, 0, true, pix.Invalid},
		{6_00, 4_00, day, false, 0},
		{6_01, 4_00, day, true, pix.Invalid},
		{1, 10_00, day, true, pix.Invalid},
		{10_00, 0, 89 * day, false, 0},
		{10_00, 0, 89*day + time.Microsecond, true, pix.Unprocessable},
		{10_01, 0, 90 * day, true, pix.Unprocessable}, // the deadline is judged first
	} {
		order := refundOrder()
		order.Amount = test.amount
		err := order.CheckAgainst(receivedPIX(), test.refunded, receivedAt.Add(test.after))
		if !test.refused {
			assert.NoError(t, err, "%+v", test)
			continue
		}
		var refusal *pix.Refusal
		if assert.ErrorAs(t, err, &refusal, "%+v", test) {
			assert.Equal(t, test.nature, refusal.Nature, "%+v", test)
		}
	}
}

// Whatever is asked for in whatever order, no more is given back than was received.
func TestRefundsNeverExceedTheOriginal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		original := receivedPIX()
		original.Amount = pix.Centavos(rapid.Int64Range(1, int64(pix.MaxAmount)).Draw(t, "amount"))
		var refunded pix.Centavos
		for range rapid.IntRange(1, 20).Draw(t, "orders") {
			order := refundOrder()
			order.Amount = pix.Centavos(rapid.Int64Range(1, int64(pix.MaxAmount)).Draw(t, "refund"))
			left := original.Amount - refunded
			err := order.CheckAgainst(original, refunded, receivedAt)
			require.Equal(t, order.Amount <= left, err == nil)
			if err == nil {
				refunded += order.Amount
			}
		}
		require.LessOrEqual(t, refunded, original.Amount)
	})
}

func TestNewRefund(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 3, 1, 2, 3, 0, time.UTC) // still the 2nd in São Paulo
	refund, payment := pix.NewRefund(receivedPIX(), refundOrder(), at)
	assert.Regexp(t, `^D12345678202603030102[A-Za-z0-9]{11}$`, refund.RtrID)
	assert.Len(t, refund.RtrID, 32)
	assert.Equal(t, pix.RefundInProcess, refund.Status)
	assert.Equal(t, pix.Payment{
		Kind: pix.KindRefundIn, TransactionID: payment.TransactionID, AccountID: 3, ParentID: 7, ExternalID: "r1", EndToEndID: refund.RtrID,
		Status: pix.Pending, Amount: 10_00, Description: "sorry", Key: "a@example.com", KeyType: pix.KeyEmail,
		Counterpart: receivedPIX().Counterpart, CreatedAt: at,
	}, payment)
	assert.EqualValues(t, 10_00, payment.Final(), "a refund bears no fee")

	assert.True(t, refund.Repeats(refundOrder()))
	for name, change := range map[string]func(*pix.RefundOrder){
		"amount":      func(o *pix.RefundOrder) { o.Amount-- },
		"nature":      func(o *pix.RefundOrder) { o.Nature = pix.NatureWithdrawal },
		"description": func(o *pix.RefundOrder) { o.Description = "" },
	} {
		other := refundOrder()
		change(&other)
		assert.False(t, refund.Repeats(other), name)
	}
}

func TestRefundStates(t *testing.T) {
	t.Parallel()
	states := []pix.RefundStatus{pix.RefundInProcess, pix.Returned, pix.NotReturned}
	moves := map[string]bool{"EM_PROCESSAMENTO DEVOLVIDO": true, "EM_PROCESSAMENTO NAO_REALIZADO": true}
	for _, from := range states {
		for _, to := range states {
			assert.Equal(t, moves[fmt.Sprint(from, " ", to)], from.CanBecome(to), "%s to %s", from, to)
		}
	}
	for status, payment := range map[pix.RefundStatus]pix.Result{
		pix.Returned:    {Status: pix.Confirmed},
		pix.NotReturned: {Status: pix.Error, Code: pix.OrderRejected, Message: "why"},
	} {
		result := pix.RefundResult{Status: status, Reason: "why"}
		assert.NoError(t, result.Check())
		assert.Equal(t, payment, result.OfPayment())
		assert.NoError(t, result.OfPayment().Check())
	}
	assert.Error(t, pix.RefundResult{Status: pix.RefundInProcess}.Check())
	assert.Error(t, pix.RefundResult{}.Check())
}

func TestRefundView(t *testing.T) {
	t.Parallel()
	refund, _ := pix.NewRefund(receivedPIX(), refundOrder(), receivedAt)
	refund.RtrID = "D"
	inProcess := `"id":"r1","rtrId":"D","valor":"10.00","natureza":"ORIGINAL","descricao":"sorry"`
	for _, test := range []struct {
		refund pix.Refund
		want   string
	}{
		{refund, `{` + inProcess + `,"status":"EM_PROCESSAMENTO","horario":{"solicitacao":"2026-03-02T15:00:00.000Z"}}`},
		{refund.Finish(pix.RefundResult{Status: pix.Returned}, receivedAt.Add(time.Second)),
			`{` + inProcess + `,"status":"DEVOLVIDO","horario":{"solicitacao":"2026-03-02T15:00:00.000Z","liquidacao":"2026-03-02T15:00:01.000Z"}}`},
		{refund.Finish(pix.RefundResult{Status: pix.NotReturned, Reason: "closed"}, receivedAt.Add(time.Second)),
			`{` + inProcess + `,"status":"NAO_REALIZADO","motivo":"closed","horario":{"solicitacao":"2026-03-02T15:00:00.000Z"}}`},
	} {
		requireJSON(t, test.want, test.refund.View())
	}
}

func requireJSON(t *testing.T, want string, value any) {
	t.Helper()
	got, err := json.Marshal(value)
	require.NoError(t, err)
	require.JSONEq(t, want, string(got))
}

func TestRefundEvents(t *testing.T) {
	t.Parallel()
	original := receivedPIX()
	_, given := pix.NewRefund(original, refundOrder(), receivedAt)
	given.Amount, given.EndToEndID = 4_00, "D"
	given = given.Finish(pix.Result{Status: pix.Confirmed}, receivedAt.Add(time.Second))
	const event = `{"type":"REFUND","data":{"id":7,"txId":%s,"status":"REFUNDED","payment":{"amount":"10.00","currency":"BRL"},
		"endToEndId":"E60701190202603021500ABCDEFGHIJK","creditDebitType":%q,"refunds":[{"status":"LIQUIDATED",
		"payment":{"amount":4.00,"currency":"BRL"},"endToEndId":"D","eventDate":"2026-03-02T15:00:01.000Z","information":"sorry"}]}}`
	requireJSON(t, fmt.Sprintf(event, `"txid"`, "DEBIT"), pix.NewRefundEvent(given, original))

	transfer, back := original, given
	transfer.Kind, back.Kind = pix.KindTransfer, pix.KindRefundOut
	requireJSON(t, fmt.Sprintf(event, "null", "CREDIT"), pix.NewRefundEvent(back, transfer))

	for kind, public := range map[pix.Kind]bool{
		pix.KindCob: false, pix.KindTransfer: false,
		pix.KindCashIn: true, pix.KindCashOut: true, pix.KindQRCodeCashOut: true,
	} {
		of := original
		of.Kind = kind
		_, flat := pix.RefundPayload(given, of).(pix.Reversal)
		assert.Equal(t, public, flat, kind)
	}

	for _, test := range []struct {
		kind     pix.Kind
		event    string
		movement pix.Movement
	}{
		{pix.KindRefundIn, "CashInReversal", pix.Debit},
		{pix.KindRefundOut, "CashOutReversal", pix.Credit},
	} {
		refund := given
		refund.Kind = test.kind
		reversal := pix.NewReversal(refund, original)
		assert.Equal(t, test.event, reversal.Event)
		assert.Equal(t, test.movement, reversal.MovementType)
		assert.Equal(t, pix.ParentTransaction{"t", "txid", original.EndToEndID}, reversal.ParentTransaction)
		assert.EqualValues(t, 4_00, reversal.OriginalAmount)
		flat, err := json.Marshal(reversal)
		require.NoError(t, err)
		assert.Contains(t, string(flat), `"finalAmount":4.00`)
		assert.Contains(t, string(flat), `"parentTransaction":{"transactionId":"t"`)
	}
}
