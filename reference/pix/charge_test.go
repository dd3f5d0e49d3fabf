package pix

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var (
	noon = time.Date(2026, 3, 2, 15, 0, 0, 0, time.UTC)
	shop = Account{ID: 7, Name: "Padaria São João", PixKey: "123e4567-e12b-12d1-a456-426655440000"}
	ana  = Counterpart{Name: "Ana", Document: "52998224725", ISPB: "60701190"}
)

func TestChargeEndsOnce(t *testing.T) {
	t.Parallel()
	ends := map[ChargeEvent]ChargeStatus{
		ChargePaid:            "CONCLUIDA",
		ChargeEndedByReceiver: "REMOVIDA_PELO_USUARIO_RECEBEDOR",
		ChargeEndedByPSP:      "REMOVIDA_PELO_PSP",
		ChargeExpired:         "REMOVIDA_PELO_PSP",
	}
	for event, end := range ends {
		next, can := ChargeActive.After(event)
		assert.True(t, can, event)
		assert.Equal(t, end, next, event)
		for again := range ends {
			_, can := end.After(again)
			assert.False(t, can, "%s after %s", again, end)
		}
	}
}

func TestChargeIsPayableUntilTheInstantOfItsExpiry(t *testing.T) {
	t.Parallel()
	charge := NewCob(shop, CobOrder{TxID: "x", Life: time.Minute, Amount: 1}, noon)
	assert.True(t, charge.Payable(noon))
	assert.True(t, charge.Payable(noon.Add(time.Minute-time.Microsecond)))
	assert.False(t, charge.Payable(noon.Add(time.Minute)))
	charge.Status = ChargeConcluded
	assert.False(t, charge.Payable(noon))
}

func TestChargeTakesAnotherAmountWhereItMayBeChanged(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		changeable    bool
		offered, want Centavos // 0: refused
	}{
		{false, 0, 10_00},
		{false, 10_00, 10_00},
		{false, 10_01, 0},
		{false, 9_99, 0},
		{true, 0, 10_00},
		{true, 10_01, 10_01},
		{true, 1, 1},
		{true, MaxAmount + 1, 0},
		{true, -1, 0},
	} {
		got, err := Charge{Amount: 10_00, Changeable: test.changeable}.AmountOf(test.offered)
		if test.want == 0 {
			var refusal *Refusal
			assert.ErrorAs(t, err, &refusal, "%+v", test)
			continue
		}
		require.NoError(t, err, "%+v", test)
		assert.Equal(t, test.want, got, "%+v", test)
	}
}

func TestChargeHasADynamicCodeOfItsOwn(t *testing.T) {
	t.Parallel()
	order := CashInOrder{Amount: 10_50, ExternalID: "sale-1", Life: time.Hour, Payer: ana}
	one, other := NewCashIn(shop, order, noon), NewCashIn(shop, order, noon)
	assert.NotEqual(t, one.Charge.Code, other.Charge.Code)
	assert.NotEqual(t, one.CorrelationID, other.CorrelationID)
	assert.Equal(t, noon.Add(time.Hour), one.Charge.ExpiresAt)

	code, err := ParseBRCode(one.Charge.Code)
	require.NoError(t, err)
	assert.True(t, code.Dynamic)
	assert.NotEmpty(t, code.URL)
	assert.EqualValues(t, 10_50, code.Amount)
	assert.Equal(t, "Padaria Sao Joao", code.Name)
}

func TestBeingPaidNeverCostsMoney(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		amount := anyAmount(t)
		var split Centavos
		if splits := anySplits(t, amount); SplitsFit(amount, splits) {
			for _, s := range splits {
				split += s.Share(amount)
			}
		}
		fee := Centavos(rapid.Int64Range(0, int64(MaxAmount)).Draw(t, "fee"))
		made := NewCashIn(shop, CashInOrder{Amount: amount}, noon)
		p := made.Charge.Receive(made.Payment, amount, fee, split, ana, noon)
		assert.GreaterOrEqual(t, p.Final()-split, Centavos(0))
		assert.LessOrEqual(t, p.Fee, fee)
		assert.Equal(t, amount, p.Final()+p.Fee)
	})
}

func TestCashInIsToldAsACashOutIs(t *testing.T) {
	t.Parallel()
	made := NewCashIn(shop, CashInOrder{Amount: 10_00, ExternalID: "sale-1", Payer: Counterpart{Name: "Rui"}}, noon)
	p := made.Charge.Receive(made.Payment, 10_00, 25, 0, ana, noon).Finish(Result{Status: Confirmed}, noon)
	event := NewCashInResult(p)
	assert.Equal(t, "CashIn", event.Event)
	assert.Equal(t, Credit, event.MovementType)
	assert.Equal(t, [3]Centavos{10_00, 25, 9_75}, [3]Centavos{event.OriginalAmount, event.FeeAmount, event.FinalAmount})
	assert.Equal(t, shop.PixKey, event.PixKey)
	assert.Equal(t, "Ana", event.Counterpart.Name, "who paid, not who was expected to")
	assert.Nil(t, event.ErrorCode)
	assert.Nil(t, event.ErrorMessage)
}

func TestReceiveHidesTheDocument(t *testing.T) {
	t.Parallel()
	charge := NewCob(shop, CobOrder{TxID: "7978c0c97ea847e78e8849634473c1f1", Amount: 7, Life: time.Hour}, noon)
	p := charge.Receive(Payment{}, 7, 0, 0, ana, noon).Finish(Result{Status: Confirmed}, noon)
	p.ID = 12
	told, err := json.Marshal(NewReceiveEvent(p))
	require.NoError(t, err)
	assert.JSONEq(t, `{"type":"RECEIVE","data":{"id":12,"txId":"7978c0c97ea847e78e8849634473c1f1","status":"LIQUIDATED",
		"payment":{"amount":"0.07","currency":"BRL"},"endToEndId":"`+p.EndToEndID+`",
		"debtorAccount":{"name":"Ana","document":"***.982.247-**"}}}`, string(told))
	assert.Contains(t, p.EndToEndID, "E60701190202603021500")
	assert.NotContains(t, string(told), ana.Document)
}
