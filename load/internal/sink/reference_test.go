package sink_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/sink"
	"github.com/pixcert/pixcert/load/internal/test/plain"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// Every kind of payment, at the reference: its event comes to the sink, is matched, and
// the balance is what the ledger expects, with the fees that the account is charged.
func TestEveryKindOfPaymentIsMatched(t *testing.T) {
	t.Parallel()
	target := reftest.Start(t)
	b := newBooks(t, target)
	ctx := t.Context()

	for range 3 {
		id := b.source.Next()
		cashOut := b.source.CashOut(id)
		b.pay(t, id, ledger.CashOut, int64(cashOut.Value), func() (gateway.Answer, *gateway.Exchange) {
			return b.account.Create(ctx, b.sender, gateway.CashOut, &cashOut)
		})
		id = b.source.Next()
		qr := b.source.QRCashOut(id)
		b.pay(t, id, ledger.QRCashOut, int64(qr.Value), func() (gateway.Answer, *gateway.Exchange) {
			return b.account.Create(ctx, b.sender, gateway.QRCashOut, &qr)
		})
		id = b.source.Next()
		payee := b.source.Payee(id)
		require.NoError(t, b.controls.AddPayee(ctx, payee))
		transfer := b.source.Transfer(id, payee)
		b.pay(t, id, ledger.Transfer, int64(transfer.Value), func() (gateway.Answer, *gateway.Exchange) {
			return b.account.Create(ctx, b.sender, gateway.Transfer, &transfer)
		})

		id = b.source.Next()
		cashIn := b.source.CashIn(id)
		charge, _ := b.account.Create(ctx, b.sender, gateway.CashIn, &cashIn)
		b.refund(t, b.receive(t, id, ledger.CashIn, int64(cashIn.Value), charge), int64(cashIn.Value))
		id = b.source.Next()
		cob := b.source.Cob(id)
		charge, _ = b.account.Create(ctx, b.sender, gateway.Cob, &cob)
		b.refund(t, b.receive(t, id, ledger.Cob, int64(cob.Value), charge), int64(cob.Value))
	}

	select {
	case <-b.Idle():
	case <-time.After(20 * time.Second):
		t.Errorf("expected every event within 20 s, got none for %d payments", b.Pending())
	}
	balance, _, err := b.account.Balance(ctx, b.sender)
	require.NoError(t, err)
	b.Audit(0, balance.Total(), 0)
	book := b.Book()
	const order = "webhooks_out_of_order" // the reference promises none
	for _, e := range book.Examples {
		if e.Sort != order {
			t.Errorf("%s: payment %s: %s", e.Sort, e.Payment, e.Detail)
		}
	}
	var some map[string]int64
	text, err := json.Marshal(book.Counts)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &some))
	maps.DeleteFunc(some, func(name string, n int64) bool { return n == 0 || name == order })
	assert.Equal(t, map[string]int64{"payments_sent": 21, "payments_accepted": 21, "payments_confirmed": 21,
		"webhooks_received": 21, "webhooks_matched": 21}, some)
	assert.Equal(t, book.Accounts[0].From, book.Accounts[0].To)
	assert.Zero(t, b.sink.Strays())
}

// books are an account at a target, with what keeps account of it.
type books struct {
	*ledger.Ledger
	sink     *sink.Sink
	account  *gateway.Account
	sender   gateway.Sender
	controls *gateway.Controls
	source   *data.Source
}

func newBooks(t *testing.T, target *reftest.Target) *books {
	t.Helper()
	ctx := t.Context()
	const cashOutFee, cashInFee = 50, 30
	run := data.NewRun()
	b := &books{
		Ledger: ledger.New(ledger.Config{Run: run, Fees: ledger.ByKind[int64]{ledger.Cob: cashInFee}}),
		source: data.NewSource(run, 0, 1),
	}
	b.source.Amounts(100, 10_000)
	base, err := url.Parse(target.URL)
	require.NoError(t, err)
	b.sender = plain.New(t, base)
	b.controls, err = gateway.NewControls(target.ControlURL, "")
	require.NoError(t, err)
	t.Cleanup(b.controls.Close)
	made, err := b.controls.MakeAccounts(ctx, 1)
	require.NoError(t, err)
	require.NoError(t, b.controls.SetBalance(ctx, made[0].ID, 100_000_00))
	require.NoError(t, b.controls.LiftLimits(ctx, made[0].ID))
	fees := map[string]string{"cashOut": data.FormatAmount(cashOutFee), "cashIn": data.FormatAmount(cashInFee)}
	require.NoError(t, b.controls.Call(ctx, "fees", http.MethodPut, fmt.Sprintf("/accounts/%d/fees", made[0].ID), fees, nil))
	b.account = gateway.NewAccount(0, made[0], "")

	b.sink, err = sink.Open(sink.Config{Root: "run", Receive: func(d ledger.Delivery) { b.Receive(d) }})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, b.sink.Close(context.Background())) })
	for _, eventType := range []string{"cash_in", "cash_out", "refund_in", "refund_out"} {
		_, err := b.account.RegisterWebhook(ctx, b.sender, gateway.Webhook{URL: b.sink.URL(0, eventType), Type: eventType})
		require.NoError(t, err)
	}
	b.Open(0, 100_000_00, 0)
	return b
}

// pay enters a payment, sends it and enters its answer.
func (b *books) pay(t *testing.T, id data.ID, kind ledger.Kind, value int64, send func() (gateway.Answer, *gateway.Exchange)) {
	t.Helper()
	now := time.Now()
	b.Register(ledger.Payment{ID: id, Kind: kind, Amount: value, Sent: now}, now)
	answer, exchange := send()
	require.Equal(t, gateway.Accepted, answer.Outcome, "%d %s", exchange.Status, exchange.Body)
	if answer.RTRID != "" {
		b.Alias(id, answer.RTRID)
	}
	b.Answered(id, ledger.Answer{Fate: ledger.Accepted, TransactionID: answer.TransactionID, At: exchange.Timing.End})
}

// receive has somebody pay a charge.
func (b *books) receive(t *testing.T, id data.ID, kind ledger.Kind, value int64, charge gateway.Answer) (endToEndID string) {
	t.Helper()
	require.Equal(t, gateway.Accepted, charge.Outcome)
	now := time.Now()
	b.Register(ledger.Payment{ID: id, Kind: kind, Amount: value, Sent: now}, now)
	endToEndID, err := b.controls.Pay(t.Context(), b.account.Credentials.ID, charge.PixCode)
	require.NoError(t, err)
	b.Answered(id, ledger.Answer{Fate: ledger.Accepted, TransactionID: charge.TransactionID, At: time.Now()})
	return endToEndID
}

// refund refunds a received PIX.
func (b *books) refund(t *testing.T, endToEndID string, value int64) {
	t.Helper()
	id := b.source.Next()
	refund := b.source.Refund(id, endToEndID, value)
	b.pay(t, id, ledger.Refund, value, func() (gateway.Answer, *gateway.Exchange) {
		return b.account.Create(t.Context(), b.sender, gateway.Refund, &refund)
	})
}
