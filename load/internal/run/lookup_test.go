package run_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/run"
	"github.com/pixcert/pixcert/load/internal/test/faulty"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// deaf is a sender that never hears the answer to an operation.
type deaf struct {
	gateway.Sender
	to gateway.Operation
}

func (s deaf) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	x := s.Sender.Send(ctx, r)
	if r.Operation == s.to {
		return &gateway.Exchange{Request: r, Err: errors.New("cut off"), Timing: x.Timing}
	}
	return x
}

// live are the counts so far of calls without tags.
func live(r *run.Run) ledger.Counts {
	if counts := r.Ledger().ByOrigin()[nil]; counts != nil {
		return *counts
	}
	return ledger.Counts{}
}

// received is a PIX that account 0 has received, whose webhook has come.
func received(t *testing.T, r *run.Run, n run.Network) (charge *run.Payment, endToEndID string) {
	t.Helper()
	charge = r.Cob(t.Context(), call(r, n, 0), nil)
	endToEndID, err := r.Pay(t.Context(), call(r, n, 0), charge)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		return live(r).WebhooksMatched == 1
	}, time.Minute, 5*time.Millisecond)
	return charge, endToEndID
}

func TestARefundWhoseWebhookIsLostIsFoundByItsOwnID(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	g := reftest.Start(t)
	proxy := faulty.StartProxy(t, faulty.ProxyConfig{Upstream: g.URL, Deliveries: faulty.At(map[int64]faulty.Fault{2: faulty.Lose})})
	r, n := against(t, g, func(c *run.Config) { c.URL, c.Accounts, c.Drain = parsed(t, proxy.URL), 1, 0 })
	require.NoError(t, r.Prepare(ctx, n))
	charge, endToEndID := received(t, r, n)
	refund := r.Refund(ctx, call(r, n, 0), endToEndID, charge.Amount)
	require.True(t, refund.Accepted(), refund.Message)
	require.Eventually(t, func() bool { return proxy.Injected().Lost == 1 }, time.Minute, 5*time.Millisecond)
	res := r.Close(ctx)
	c := res.Ledger.Counts
	assert.EqualValues(t, 2, c.PaymentsConfirmed, "%+v", res.Ledger.Examples)
	assert.EqualValues(t, 1, c.WebhooksLost)
	assert.Zero(t, c.PaymentsUnreported)
	assert.Zero(t, c.MoneyDrift)
	assert.Equal(t, res.Ledger.Accounts[0].From, res.Ledger.Accounts[0].To)
}

func TestTheWebhookOfARefundThatNobodyHeardOfIsNoOrphan(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Accounts, c.Drain = 1, 2*time.Second })
	require.NoError(t, r.Prepare(ctx, n))
	charge, endToEndID := received(t, r, n)
	to := call(r, n, 0)
	to.Sender = deaf{n.Sender, gateway.Refund}
	require.False(t, r.Refund(ctx, to, endToEndID, charge.Amount).Accepted())
	res := r.Close(ctx)
	c := res.Ledger.Counts
	assert.Zero(t, c.WebhooksOrphan, "%+v", res.Ledger.Examples)
	assert.EqualValues(t, 2, c.WebhooksMatched)
	assert.EqualValues(t, 2, c.PaymentsConfirmed)
	assert.Zero(t, c.MoneyDrift)
	assert.Equal(t, res.Ledger.Accounts[0].From, res.Ledger.Accounts[0].To)
}

// lists is a sender that does something with what lists show, from the first on.
type lists struct {
	gateway.Sender
	show func(*gateway.Exchange)
}

func (s lists) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	x := s.Sender.Send(ctx, r)
	if r.Operation == gateway.Transactions {
		s.show(x)
	}
	return x
}

// A gateway that accepts a transfer, never carries it out, and lists it under no id that the run knows.
func TestATransferThatIsNeverCarriedOutIsUnsettled(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	g := reftest.Start(t)
	r, n := against(t, g, func(c *run.Config) { c.Accounts, c.Drain = 1, 500*time.Millisecond })
	n.Unmeasured = lists{n.Sender, func(x *gateway.Exchange) { x.Body = []byte(`{"data":[],"metadata":{"hasNext":false}}`) }}
	require.NoError(t, r.Prepare(ctx, n))
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, fmt.Sprintf("%s/accounts/%d/settlement", g.ControlURL, r.Accounts()[0].ID), strings.NewReader(`{"mode":"manual"}`))
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Less(t, answer.StatusCode, 300)
	p := r.Transfer(ctx, call(r, n, 0), nil)
	require.True(t, p.Accepted(), p.Message)
	book := r.Close(ctx).Ledger
	assert.EqualValues(t, 1, book.Counts.PaymentsUnsettled, "%+v", book.Counts)
	assert.Zero(t, book.Counts.PaymentsUnreported+book.Counts.MoneyDrift)
	assert.Contains(t, examplesOf(book, "payments_unsettled")[p.ExternalID], "are still blocked")
}

// Without webhooks nobody waits for the payment, which settles once it has been looked up.
func TestAPaymentHasTheDrainTimeToSettleWithoutWebhooksToo(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	g := reftest.Start(t)
	said := make(chan string, 10)
	r, n := against(t, g, func(c *run.Config) {
		c.Accounts, c.Drain, c.Webhooks, c.Say = 1, 2*time.Second, nil, func(what string) { said <- what }
	})
	controls, err := gateway.NewControls(g.ControlURL, "")
	require.NoError(t, err)
	t.Cleanup(controls.Close)
	var settle sync.Once
	n.Unmeasured = lists{n.Sender, func(x *gateway.Exchange) {
		settle.Do(func() {
			item := gjson.GetBytes(x.Body, "data.0")
			assert.Equal(t, "Pendente", item.Get("status").Str)
			settles(t, controls, r.Accounts()[0].ID, item.Get("transactionId").Str)
		})
	}}
	require.NoError(t, r.Prepare(ctx, n))
	settlesByHand(t, controls, r.Accounts()[0].ID)
	to := call(r, n, 0)
	to.Sender = deaf{n.Sender, gateway.CashOut}
	require.False(t, r.CashOut(ctx, to, nil).Accepted())
	res := r.Close(ctx)
	c := res.Ledger.Counts
	assert.EqualValues(t, 1, c.PaymentsConfirmed, "%+v", res.Ledger.Examples)
	assert.Zero(t, c.PaymentsUnsettled)
	assert.Equal(t, "reading the gateway's lists", <-said, "as it takes more than a second")
	assert.Zero(t, c.MoneyDrift)
}

// The list shows beside the payment what was given back of it, under its external id.
func TestTheReturnOfAPaymentIsNoSecondDebit(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Accounts, c.Repeats = 1, 1 })
	shown := 0
	n.Unmeasured = lists{n.Sender, func(x *gateway.Exchange) {
		item := gjson.GetBytes(x.Body, "data.0").Raw
		body := strings.Replace(string(x.Body), item, item+","+strings.Replace(item, "Pix out", "Refund out", 1), 1)
		assert.Contains(t, body, "Refund out")
		x.Body = []byte(body)
		shown++
	}}
	require.NoError(t, r.Prepare(ctx, n))
	require.True(t, r.CashOut(ctx, call(r, n, 0), nil).Accepted())
	c := r.Close(ctx).Ledger.Counts
	assert.Equal(t, 2, shown, "in the account's list, and as a repeated payment")
	assert.Zero(t, c.DoubleDebits)
	assert.EqualValues(t, 1, c.PaymentsConfirmed)
}

func TestMoneyThatAPayeeGivesBackIsNoDrift(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	g := reftest.Start(t)
	r, n := against(t, g, func(c *run.Config) { c.Accounts = 1 })
	require.NoError(t, r.Prepare(ctx, n))
	p := r.CashOut(ctx, call(r, n, 0), nil)
	events, _ := r.Ledger().Settled(p.ID)
	event := <-events
	require.NoError(t, event.Err)
	body := fmt.Sprintf(`{"endToEndId": %q, "amount": %q}`, event.EndToEndID, data.FormatAmount(p.Amount))
	answer, err := http.Post(fmt.Sprintf("%s/accounts/%d/returns", g.ControlURL, p.Account.ID), "application/json", strings.NewReader(body))
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, 2, answer.StatusCode/100)
	require.Eventually(t, func() bool {
		return live(r).WebhooksOther == 1
	}, time.Minute, 5*time.Millisecond)
	res := r.Close(ctx)
	assert.Zero(t, res.Ledger.Counts.MoneyDrift)
	require.Len(t, res.Accounts(), 1)
	assert.Equal(t, res.Accounts()[0].Opening, res.Accounts()[0].Actual, "it came back")
}

// The specification does not show what the webhook of a cash-in says.
func TestACashInIsKnownByAnyOfItsIDs(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]func(charge *run.Payment, endToEndID string) string{
		"transactionId": func(p *run.Payment, _ string) string { return p.TransactionID },
		"correlationId": func(p *run.Payment, _ string) string { return p.CorrelationID },
		"endToEndId":    func(_ *run.Payment, endToEndID string) string { return endToEndID },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			g := reftest.Start(t)
			proxy := faulty.StartProxy(t, faulty.ProxyConfig{Upstream: g.URL, Deliveries: func(int64) faulty.Fault { return faulty.Lose }})
			r, n := against(t, g, func(c *run.Config) { c.URL, c.Accounts = parsed(t, proxy.URL), 1 })
			require.NoError(t, r.Prepare(ctx, n))
			charge := r.CashIn(ctx, call(r, n, 0), nil)
			endToEndID, err := r.Pay(ctx, call(r, n, 0), charge)
			require.NoError(t, err)
			text := fmt.Sprintf(`{"event": "CashIn", "status": "CONFIRMED", %q: %q}`, name, body(charge, endToEndID))
			client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
			t.Cleanup(client.CloseIdleConnections)
			answer, err := client.Post(r.WebhookURL(charge.Account, "cash_in"), "application/json", strings.NewReader(text))
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			c := r.Close(ctx).Ledger.Counts
			assert.EqualValues(t, 1, c.WebhooksMatched)
			assert.Zero(t, c.WebhooksOrphan+c.WebhooksLost)
			assert.Zero(t, c.MoneyDrift)
		})
	}
}

// The payment settles as the drain time ends, and its webhook is under way when it is looked up.
func TestAWebhookThatIsUnderWayAtTheEndIsNotLost(t *testing.T) {
	t.Parallel()
	for name, processedAt := range map[string]string{"listed with its time": "processedAt", "listed without a time": "settledAt"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			g := reftest.Start(t)
			proxy := faulty.StartProxy(t, faulty.ProxyConfig{Upstream: g.URL, Delay: 500 * time.Millisecond, Deliveries: func(int64) faulty.Fault { return faulty.Delay }})
			r, n := against(t, g, func(c *run.Config) { c.URL, c.Accounts, c.Drain = parsed(t, proxy.URL), 1, 5*time.Second })
			controls, err := gateway.NewControls(g.ControlURL, "")
			require.NoError(t, err)
			t.Cleanup(controls.Close)
			var p *run.Payment
			settling := before{n.Sender, gateway.Transactions, func() { settles(t, controls, p.Account.ID, p.TransactionID) }}
			n.Unmeasured = lists{settling, func(x *gateway.Exchange) {
				x.Body = []byte(strings.Replace(string(x.Body), "processedAt", processedAt, 1))
			}}
			require.NoError(t, r.Prepare(ctx, n))
			settlesByHand(t, controls, r.Accounts()[0].ID)
			p = r.CashOut(ctx, call(r, n, 0), nil)
			res := r.Close(ctx)
			c := res.Ledger.Counts
			assert.EqualValues(t, 1, c.PaymentsConfirmed, "%+v", res.Ledger.Examples)
			assert.EqualValues(t, 1, c.WebhooksMatched)
			assert.Zero(t, c.WebhooksLost)
		})
	}
}

// before is a sender that does something before an operation.
type before struct {
	gateway.Sender
	operation gateway.Operation
	do        func()
}

func (s before) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	if r.Operation == s.operation {
		s.do()
	}
	return s.Sender.Send(ctx, r)
}

func TestWithoutWebhooksTheListTellsTheFee(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	g := reftest.Start(t)
	r, n := against(t, g, func(c *run.Config) { c.Accounts, c.Webhooks = 2, nil })
	controls, err := gateway.NewControls(g.ControlURL, "")
	require.NoError(t, err)
	t.Cleanup(controls.Close)
	require.NoError(t, r.Prepare(ctx, n))
	for i := range 2 {
		fees := map[string]string{"cashOut": data.FormatAmount(int64(50 + i)), "cashIn": "0"}
		require.NoError(t, controls.Call(ctx, "fees", http.MethodPut, fmt.Sprintf("/accounts/%d/fees", r.Accounts()[i].ID), fees, nil))
		for range 7 {
			require.True(t, r.CashOut(ctx, call(r, n, i), nil).Accepted())
		}
	}
	res := r.Close(ctx)
	c := res.Ledger.Counts
	assert.Zero(t, c.MoneyDrift, "%+v", res.Accounts())
	assert.EqualValues(t, 14, c.PaymentsConfirmed)
	assert.EqualValues(t, 14, c.PaymentsCompared)
	for _, a := range res.Accounts() {
		assert.Equal(t, a.From, a.To, "every outcome and fee is known")
	}
}

// What is charged for a payment that fails, the specification does not say.
func TestAFailedPaymentDoesNotTellTheFeeOfTheOthers(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	g := reftest.Start(t)
	r, n := against(t, g, func(c *run.Config) { c.Accounts, c.Webhooks, c.Drain = 1, nil, 0 })
	controls, err := gateway.NewControls(g.ControlURL, "")
	require.NoError(t, err)
	t.Cleanup(controls.Close)
	n.Unmeasured = lists{n.Sender, func(x *gateway.Exchange) {
		if gjson.GetBytes(x.Body, "data.0.status").Str == "Error" {
			x.Body = []byte(strings.Replace(string(x.Body), `"feeAmount":0.50`, `"feeAmount":0`, 1))
		}
	}}
	require.NoError(t, r.Prepare(ctx, n))
	account := r.Accounts()[0].ID
	fees := map[string]string{"cashOut": "0.50", "cashIn": "0"}
	require.NoError(t, controls.Call(ctx, "fees", http.MethodPut, fmt.Sprintf("/accounts/%d/fees", account), fees, nil))
	settlesByHand(t, controls, account)
	for i := range 7 {
		p := r.CashOut(ctx, call(r, n, 0), func(c *data.CashOut) { c.Value = data.Amount(100 * (i + 1)) })
		require.True(t, p.Accepted())
		if i == 6 { // the highest
			rejects(t, controls, account, p.TransactionID)
		} else {
			settles(t, controls, account, p.TransactionID)
		}
	}
	res := r.Close(ctx)
	assert.Zero(t, res.Ledger.Counts.MoneyDrift, "%+v", res.Accounts())
	assert.EqualValues(t, 1, res.Ledger.Counts.PaymentsFailed)
}

// A gateway that lists a payment late, and does not answer any more then: what it did not
// list before the drain time was over tells nothing.
func TestNothingIsJudgedOfARepeatedPaymentBeforeTheDrainTimeIsOver(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	const drain = 2 * time.Second
	r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Accounts, c.Drain, c.Webhooks, c.Repeats = 1, drain, nil, 1 })
	closing := time.Now()
	n.Unmeasured = lists{n.Sender, func(x *gateway.Exchange) {
		x.Body = []byte(`{"data": [], "metadata": {"hasNext": false}}`)
		if time.Since(closing) > drain {
			x.Status = http.StatusInternalServerError
		}
	}}
	require.NoError(t, r.Prepare(ctx, n))
	to := call(r, n, 0)
	to.Sender, to.Repeat = deaf{n.Sender, gateway.CashOut}, deaf{n.Sender, gateway.CashOut}
	require.False(t, r.CashOut(ctx, to, nil).Accepted())
	closing = time.Now()
	c := r.Close(ctx).Ledger.Counts
	assert.EqualValues(t, 1, c.PaymentsUnknown)
	assert.Zero(t, c.PaymentsNotCreated)
}
