package gateway_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/test/plain"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// reference is the bundled gateway with an account that has R$ 1000.00 and no limits.
type reference struct {
	ctx      context.Context
	controls *gateway.Controls
	account  *gateway.Account
	sender   gateway.Sender
	source   *data.Source
}

func startReference(t *testing.T, seen map[gateway.Operation]int) *reference {
	t.Helper()
	target := reftest.Start(t)
	base, err := gateway.ParseURL(target.URL)
	require.NoError(t, err)
	controls, err := gateway.NewControls(target.ControlURL, "")
	require.NoError(t, err)
	t.Cleanup(controls.Close)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	accounts, err := controls.MakeAccounts(ctx, 1)
	require.NoError(t, err)
	require.NoError(t, controls.SetBalance(ctx, accounts[0].ID, 1000_00))
	require.NoError(t, controls.LiftLimits(ctx, accounts[0].ID))
	return &reference{
		ctx: ctx, controls: controls, account: gateway.NewAccount(0, accounts[0], ""),
		sender: counting{plain.New(t, base), seen}, source: data.NewSource(data.NewRun(), 0, 1),
	}
}

// counting is a sender that counts its exchanges.
type counting struct {
	gateway.Sender
	seen map[gateway.Operation]int
}

func (c counting) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	c.seen[r.Operation]++
	return c.Sender.Send(ctx, r)
}

func TestEveryOperationOfTheReference(t *testing.T) {
	t.Parallel()
	seen := map[gateway.Operation]int{}
	r := startReference(t, seen)
	r.paysOut(t)
	r.isPaid(t)
	r.reads(t)
	r.registers(t)
	for _, o := range gateway.Operations() {
		assert.Positive(t, seen[o], "%s was not carried out", o)
	}
	assert.Equal(t, 1, seen[gateway.Token], "one token lasts for all of it")
}

func (r *reference) paysOut(t *testing.T) {
	cashOut := r.source.CashOut(r.source.Next())
	answer, x := r.account.Create(r.ctx, r.sender, gateway.CashOut, &cashOut)
	require.Equal(t, gateway.Accepted, answer.Outcome, "%d %s", x.Status, x.Body)
	assert.Equal(t, http.StatusCreated, x.Status)
	assert.Equal(t, "PENDING", answer.State)
	assert.NotEmpty(t, answer.TransactionID)

	repeat, x := r.account.Create(r.ctx, r.sender, gateway.CashOut, &cashOut)
	assert.Equal(t, gateway.Refused, repeat.Outcome)
	assert.Equal(t, http.StatusBadRequest, x.Status)
	assert.Equal(t, "PIX_DUPLICATE_EXTERNAL_ID", repeat.Code)

	toCode := r.source.QRCashOut(r.source.Next())
	answer, x = r.account.Create(r.ctx, r.sender, gateway.QRCashOut, &toCode)
	require.Equal(t, gateway.Accepted, answer.Outcome, "%d %s", x.Status, x.Body)

	payee := r.source.Payee(r.source.Next())
	require.NoError(t, r.controls.AddPayee(r.ctx, payee))
	transfer := r.source.Transfer(r.source.Next(), payee)
	answer, x = r.account.Create(r.ctx, r.sender, gateway.Transfer, &transfer)
	require.Equal(t, gateway.Accepted, answer.Outcome, "%d %s", x.Status, x.Body)
	assert.Regexp(t, `^\d+$`, answer.TransactionID)
	assert.Equal(t, "PENDING", answer.State)
	repeat, _ = r.account.Create(r.ctx, r.sender, gateway.Transfer, &transfer)
	assert.Equal(t, answer.TransactionID, repeat.TransactionID, "the same transfer")

	stranger := r.source.Transfer(r.source.Next(), r.source.Payee(r.source.Next()))
	answer, x = r.account.Create(r.ctx, r.sender, gateway.Transfer, &stranger)
	assert.Equal(t, gateway.Refused, answer.Outcome)
	assert.Equal(t, http.StatusUnprocessableEntity, x.Status)
	assert.NotEmpty(t, answer.Code)

	for _, id := range []string{cashOut.ExternalID, toCode.ExternalID, transfer.IdempotencyKey} {
		found, err := r.account.Find(r.ctx, r.sender, "externalId", id)
		require.NoError(t, err)
		require.Len(t, found, 1, "one payment has the id %s", id)
		assert.Equal(t, "WITHDRAW", found[0].Operation)
		assert.Equal(t, "DEBIT", found[0].Movement)
	}
	found, err := r.account.Find(r.ctx, r.sender, "externalId", cashOut.ExternalID)
	require.NoError(t, err)
	assert.EqualValues(t, cashOut.Value, found[0].Amount)
}

func (r *reference) isPaid(t *testing.T) {
	cashIn := r.source.CashIn(r.source.Next())
	answer, x := r.account.Create(r.ctx, r.sender, gateway.CashIn, &cashIn)
	require.Equal(t, gateway.Accepted, answer.Outcome, "%d %s", x.Status, x.Body)
	paid, err := r.controls.Pay(r.ctx, r.account.ID, answer.PixCode)
	require.NoError(t, err)
	require.Len(t, paid, 32)
	_, err = r.controls.Pay(r.ctx, r.account.ID, answer.PixCode)
	assert.ErrorContains(t, err, "expected success, got 409", "a charge is paid once")

	refund := r.source.Refund(r.source.Next(), paid, int64(cashIn.Value))
	answer, x = r.account.Create(r.ctx, r.sender, gateway.Refund, &refund)
	require.Equal(t, gateway.Accepted, answer.Outcome, "%d %s", x.Status, x.Body)
	assert.Len(t, answer.RTRID, 32)

	cob := r.source.Cob(r.source.Next())
	answer, x = r.account.Create(r.ctx, r.sender, gateway.Cob, &cob)
	require.Equal(t, gateway.Accepted, answer.Outcome, "%d %s", x.Status, x.Body)
	assert.Equal(t, "ATIVA", answer.State)
	_, err = r.controls.Pay(r.ctx, r.account.ID, answer.PixCode)
	require.NoError(t, err)
}

// settles waits until nothing sent so far is pending.
func (r *reference) settles(t *testing.T) {
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		page, _, err := r.account.Transactions(r.ctx, r.sender, url.Values{"size": {"100"}})
		require.NoError(c, err)
		require.False(c, page.HasNext)
		for _, item := range page.Items {
			assert.NotEqual(c, "PENDING", item.Status, item.TransactionID)
		}
		balance, _, err := r.account.Balance(r.ctx, r.sender)
		require.NoError(c, err)
		assert.Zero(c, balance.Blocked)
	}, 30*time.Second, 10*time.Millisecond)
}

func (r *reference) reads(t *testing.T) {
	r.settles(t)
	path := fmt.Sprintf("/accounts/%d/settlement", r.account.ID)
	require.NoError(t, r.controls.Call(r.ctx, "settlement", http.MethodPut, path, map[string]string{"mode": "manual"}, nil))
	before, _, err := r.account.Balance(r.ctx, r.sender)
	require.NoError(t, err)
	held := r.source.CashOut(r.source.Next())
	answer, x := r.account.Create(r.ctx, r.sender, gateway.CashOut, &held)
	require.Equal(t, gateway.Accepted, answer.Outcome, "%d %s", x.Status, x.Body)
	after, _, err := r.account.Balance(r.ctx, r.sender)
	require.NoError(t, err)
	assert.Equal(t, before.Total(), after.Total())
	assert.Equal(t, before.Blocked+int64(held.Value), after.Blocked)
	require.NoError(t, r.controls.Call(r.ctx, "settlement", http.MethodPost, path+"s", map[string]string{
		"transactionId": answer.TransactionID, "outcome": "ERROR", "errorCode": "ORDER_REJECTED", "errorMessage": "as a test control asked",
	}, nil))
	after, _, err = r.account.Balance(r.ctx, r.sender)
	require.NoError(t, err)
	assert.Equal(t, before, after, "what is rejected comes back")

	page, _, err := r.account.Transactions(r.ctx, r.sender, url.Values{"size": {"2"}})
	require.NoError(t, err)
	assert.Len(t, page.Items, 2)
	assert.True(t, page.HasNext)
	page, _, err = r.account.TransactionsByKey(r.ctx, r.sender, held.Key, nil)
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	assert.Equal(t, held.ExternalID, page.Items[0].ExternalID)
	assert.Equal(t, "ERROR", page.Items[0].Status)
	_, x, err = r.account.Meds(r.ctx, r.sender, url.Values{"pageSize": {"5"}})
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, x.Status)
}

func (r *reference) registers(t *testing.T) {
	_, err := r.account.RegisterWebhook(r.ctx, r.sender, gateway.Webhook{
		URL: "https://127.0.0.1:9/hook", Type: "cash_out", Headers: map[string]string{"x-run": "1"},
	})
	require.NoError(t, err)
	_, err = r.account.RegisterWebhook(r.ctx, r.sender, gateway.Webhook{URL: "http://127.0.0.1:9/hook", Type: "cash_out"})
	assert.ErrorContains(t, err, "register-webhook: expected success, got 400")
	webhooks, _, err := r.account.Webhooks(r.ctx, r.sender)
	require.NoError(t, err)
	require.Len(t, webhooks, 1)
	assert.Equal(t, "https://127.0.0.1:9/hook", webhooks[0].URL)
	assert.Equal(t, "cash_out", webhooks[0].Type)
	assert.Equal(t, "1", webhooks[0].Headers["x-run"])
	assert.True(t, webhooks[0].Active)

	_, x, err := r.account.Resend(r.ctx, r.sender, "nobody's")
	assert.Error(t, err)
	assert.Equal(t, http.StatusNotFound, x.Status)
}

func TestControlsMakeDistinctAccounts(t *testing.T) {
	t.Parallel()
	target := reftest.Start(t)
	controls, err := gateway.NewControls(target.ControlURL, "")
	require.NoError(t, err)
	defer controls.Close()
	offered, err := controls.Offered(t.Context())
	require.NoError(t, err)
	assert.Subset(t, offered, []string{"accounts", "funds", "limits", "payments", "directory", "settlement"})

	made, err := controls.MakeAccounts(t.Context(), 20)
	require.NoError(t, err)
	require.NoError(t, gateway.CheckCredentials(made))

	base, err := gateway.ParseURL(target.URL)
	require.NoError(t, err)
	connections := plain.New(t, base)
	require.NoError(t, controls.Call(t.Context(), "accounts", http.MethodDelete, fmt.Sprint("/accounts/", made[1].ID), nil, nil))
	_, err = gateway.NewAccount(0, made[0], "").Token(t.Context(), connections)
	require.NoError(t, err)
	_, err = gateway.NewAccount(1, made[1], "").Token(t.Context(), connections)
	assert.ErrorContains(t, err, "token: expected success, got 401")
}
