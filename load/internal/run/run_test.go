package run_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tidwall/gjson"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/run"
	"github.com/pixcert/pixcert/load/internal/test/faulty"
	"github.com/pixcert/pixcert/load/internal/test/plain"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

func parsed(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	require.NoError(t, err)
	return u
}

// against is a run with two accounts at the reference, and how it is reached.
func against(t *testing.T, g *reftest.Target, change func(*run.Config)) (*run.Run, run.Network) {
	t.Helper()
	c := run.Config{
		ID: data.NewRun(), Instances: 1, URL: parsed(t, g.URL), Accounts: 2, Controls: &run.Controls{URL: parsed(t, g.ControlURL)},
		Balance: 1_000_000_00, Webhooks: &run.Webhooks{Listen: "127.0.0.1:0", Types: run.Types},
		Seed: 1, Least: 1, Most: 100_00, Late: 10 * time.Second, Drain: 20 * time.Second, Timeout: 5 * time.Second,
	}
	if change != nil {
		change(&c)
	}
	r, err := run.New(c)
	require.NoError(t, err)
	sender := plain.New(t, c.URL)
	return r, run.Network{Sender: sender, Unmeasured: sender}
}

// measurements are what a run has measured.
type measurements struct {
	mu       sync.Mutex
	requests []run.Request
	webhooks []ledger.Receipt
}

func (m *measurements) Request(r run.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, r)
}

func (m *measurements) Webhook(w ledger.Receipt, _ time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.webhooks = append(m.webhooks, w)
}

func (m *measurements) of(op gateway.Operation) []run.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(m.requests), func(r run.Request) bool { return r.Operation != op })
}

func call(r *run.Run, n run.Network, account int) run.Call {
	return run.Call{Account: r.Accounts()[account], Sender: n.Sender, Repeat: n.Sender, Intended: time.Now()}
}

func TestARunAccountsForEveryOperation(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	measured := &measurements{}
	r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Repeats, c.Metrics = 0.5, measured })
	require.NoError(t, r.Prepare(ctx, n))
	require.NoError(t, r.Prepare(ctx, n), "a second time does nothing")
	require.Len(t, r.Accounts(), 2)
	for i := range 2 {
		for range 10 {
			require.True(t, r.CashOut(ctx, call(r, n, i), nil).Accepted())
		}
		require.True(t, r.QRCashOut(ctx, call(r, n, i), nil).Accepted())
		require.True(t, r.Transfer(ctx, call(r, n, i), nil).Accepted())
		for _, charge := range []*run.Payment{r.CashIn(ctx, call(r, n, i), nil), r.Cob(ctx, call(r, n, i), nil)} {
			require.True(t, charge.Accepted(), charge.Message)
			endToEndID, err := r.Pay(ctx, call(r, n, i), charge)
			require.NoError(t, err)
			require.True(t, r.Refund(ctx, call(r, n, i), endToEndID, charge.Amount).Accepted())
		}
		m, err := r.Check(ctx, n.Sender, r.Accounts()[i])
		require.NoError(t, err)
		assert.GreaterOrEqual(t, m.Actual, m.From)
		assert.LessOrEqual(t, m.Actual, m.To)
	}
	refused := r.CashOut(ctx, call(r, n, 0), func(c *data.CashOut) { c.Document = "1" })
	assert.False(t, refused.Accepted())

	res := r.Close(ctx)
	require.NotNil(t, res)
	c := res.Ledger.Counts
	assert.EqualValues(t, 33, c.PaymentsSent)
	assert.EqualValues(t, 32, c.PaymentsConfirmed)
	assert.EqualValues(t, 1, c.PaymentsRefused)
	assert.EqualValues(t, 32, c.WebhooksMatched)
	assert.Positive(t, c.RepeatsSent)
	assert.Zero(t, c.DoubleDebits)
	assert.Zero(t, c.MoneyDrift)
	require.Len(t, res.Accounts(), 2)
	for _, a := range res.Accounts() {
		assert.Equal(t, a.From, a.To)
		assert.Equal(t, a.From, a.Actual)
	}
	assert.Len(t, measured.of(gateway.CashOut), 21)
	assert.Len(t, slices.DeleteFunc(measured.of(gateway.CashOut), func(r run.Request) bool { return !r.Failed }), 1)
	assert.Len(t, measured.webhooks, 32)
	unanswered, _ := r.Trouble()
	assert.Zero(t, unanswered)
}

func TestAPaymentsEventReachesWhoeverWaits(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r, n := against(t, reftest.Start(t), nil)
	require.NoError(t, r.Prepare(ctx, n))
	c := call(r, n, 0)
	p := r.CashOut(ctx, c, nil)
	events, _ := r.Ledger().Settled(p.ID)
	select {
	case e := <-events:
		require.NoError(t, e.Err)
		assert.Equal(t, ledger.Confirmed, e.Fate)
		assert.Equal(t, p.Amount, e.Amount)
		assert.Contains(t, e.Body, p.ExternalID)
	case <-time.After(20 * time.Second):
		t.Fatal("expected the webhook within 20 s, got none")
	}
	r.Ledger().ExpectResend(p.ID)
	_, _, err := p.Account.Resend(ctx, n.Sender, p.Transaction())
	require.NoError(t, err)
	counts := r.Close(ctx).Ledger.Counts
	assert.EqualValues(t, 1, counts.WebhooksMatched)
	assert.EqualValues(t, 1, counts.WebhooksResent)
	assert.Zero(t, counts.WebhooksDuplicate)
}

func TestAChargeWhoseWebhookIsLostIsFoundByItsEndToEndID(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	g := reftest.Start(t)
	proxy := faulty.StartProxy(t, faulty.ProxyConfig{Upstream: g.URL, Deliveries: func(int64) faulty.Fault { return faulty.Lose }})
	r, n := against(t, g, func(c *run.Config) { c.URL, c.Accounts, c.Drain = parsed(t, proxy.URL), 1, 0 })
	require.NoError(t, r.Prepare(ctx, n))
	cob := r.Cob(ctx, call(r, n, 0), nil)
	_, err := r.Pay(ctx, call(r, n, 0), cob)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return proxy.Injected().Lost == 1 }, time.Minute, 5*time.Millisecond)
	res := r.Close(ctx)
	c := res.Ledger.Counts
	assert.EqualValues(t, 1, c.PaymentsConfirmed, "%+v", res.Ledger.Examples)
	assert.EqualValues(t, 1, c.WebhooksLost)
	assert.Zero(t, c.MoneyDrift)
	assert.Equal(t, res.Ledger.Accounts[0].From, res.Ledger.Accounts[0].To)
}

func TestBooksThatCannotBeClosedMakeARunInvalid(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	g := reftest.Start(t)
	r, n := against(t, g, func(c *run.Config) { c.Drain = 50 * time.Millisecond })
	require.NoError(t, r.Prepare(ctx, n))
	g.Kill()
	p := r.CashOut(ctx, call(r, n, 0), nil)
	assert.False(t, p.Accepted())
	res := r.Close(ctx)
	require.NotNil(t, res)
	count, first := r.Trouble()
	assert.Equal(t, 2, count-int(res.Ledger.Counts.PaymentsUnknown), "each balance, and the payment if it may have been taken")
	require.Error(t, first)
	assert.True(t, res.Has(result.Nothing) && res.Has(result.Unanswered), "%+v", res.Reasons)
	assert.EqualValues(t, 1, res.Ledger.Unsent+res.Ledger.Counts.PaymentsUnknown, "it was sent if the connection did not end first")
}

// mute loses each cash-out before it reaches the gateway, without a response.
type mute struct{ gateway.Sender }

func (s mute) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	if r.Operation != gateway.CashOut {
		return s.Sender.Send(ctx, r)
	}
	now := time.Now()
	return &gateway.Exchange{Request: r, Err: errors.New("cut off"), Timing: gateway.Timing{Start: now, End: now}}
}

func TestWhoWaitsForWebhooksKnowsWhichMayNeverCome(t *testing.T) {
	t.Parallel()
	r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Drain = time.Millisecond })
	require.NoError(t, r.Prepare(t.Context(), n))
	n.Sender = mute{n.Sender}
	r.CashOut(t.Context(), call(r, n, 0), nil)
	assert.EqualValues(t, 1, r.Waiting())
	assert.EqualValues(t, 1, r.NoResponse())
	res := r.Close(t.Context())
	assert.EqualValues(t, 1, res.Ledger.Counts.PaymentsNotCreated)
	assert.Zero(t, res.Ledger.Unsent, "no answer is not the same as never sent")
}

func TestAFailureToPrepareIsEverybodys(t *testing.T) {
	t.Parallel()
	g := reftest.Start(t)
	r, n := against(t, g, func(c *run.Config) { c.Controls.Token, c.Accounts = "", 1 })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	first := r.Prepare(ctx, n)
	require.Error(t, first)
	assert.Equal(t, first, r.Prepare(t.Context(), n))
	assert.Nil(t, r.Close(t.Context()))
	assert.Error(t, r.Prepare(t.Context(), n))
}

func TestWhatIsIntendedIsTakenOnce(t *testing.T) {
	t.Parallel()
	r, err := run.New(run.Config{URL: parsed(t, "http://127.0.0.1:1"), Controls: &run.Controls{}, Accounts: 1, Least: 1, Most: 1})
	require.NoError(t, err)
	_, ok := r.Intended(7)
	assert.False(t, ok)
	at := time.Now()
	r.Intend(7, at, at.Add(time.Second))
	_, ok = r.Intended(8)
	assert.False(t, ok)
	got, ok := r.Intended(7)
	assert.True(t, ok)
	assert.Equal(t, at, got.At)
	assert.Equal(t, at.Add(time.Second), got.Ready)
	assert.False(t, got.Begun.Before(at))
	_, ok = r.Intended(7)
	assert.False(t, ok)
}

func TestAPaymentThatTheControlsRefusedIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Accounts, c.Drain = 1, time.Minute })
	require.NoError(t, r.Prepare(ctx, n))
	charge := r.CashIn(ctx, call(r, n, 0), nil)
	require.True(t, charge.Accepted(), charge.Message)
	charge.PixCode = "nobody's"
	_, err := r.Pay(ctx, call(r, n, 0), charge)
	require.ErrorContains(t, err, "cannot pay a charge: control payments")
	begun := time.Now()
	counts := r.Close(ctx).Ledger.Counts
	assert.Less(t, time.Since(begun), 30*time.Second)
	assert.EqualValues(t, 1, counts.PaymentsRefused)
	assert.Zero(t, counts.PaymentsNoResponse)
}

func TestWhoWaitsForTheGatewayObeysItsContext(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 100)
	answer := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		asked <- struct{}{}
		<-answer
	}))
	t.Cleanup(silent.Close)
	r, n := against(t, &reftest.Target{URL: silent.URL, ControlURL: silent.URL}, nil)
	first := make(chan error, 1)
	go func() { first <- r.Prepare(t.Context(), n) }()
	<-asked
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, r.Prepare(ctx, n), context.Canceled)
	close(answer)
	require.Error(t, <-first)
}

func TestControlsAreOfferedForAccountsThatTheyKnow(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	some := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if assert.Equal(t, "/controls", r.URL.Path, "of what is not offered nothing is asked") {
			_, _ = io.WriteString(w, `{"protocol": 1, "controls": ["payments"]}`)
		}
	}))
	t.Cleanup(some.Close)
	g := reftest.Start(t)
	controls, err := gateway.NewControls(g.ControlURL, "")
	require.NoError(t, err)
	t.Cleanup(controls.Close)
	made, err := controls.MakeAccounts(ctx, 1)
	require.NoError(t, err)
	for _, id := range []int64{made[0].ID, 0} {
		made[0].ID = id
		r, n := against(t, g, func(c *run.Config) { c.Controls.URL, c.Fixed, c.Webhooks = parsed(t, some.URL), made, nil })
		require.NoError(t, r.Prepare(ctx, n))
		assert.Equal(t, id != 0, r.Offers("payments"))
		assert.False(t, r.Offers("directory"))
		assert.False(t, r.Payees())
		if id == 0 {
			_, err := r.Pay(ctx, call(r, n, 0), r.CashIn(ctx, call(r, n, 0), nil))
			require.ErrorContains(t, err, "expected the account's id in the test controls")
		}
		require.NotNil(t, r.Close(ctx))
	}
}

func TestControlsThatATargetLacksAreNamed(t *testing.T) {
	t.Parallel()
	lacking := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/controls" {
			_, _ = io.WriteString(w, `{"protocol": 1, "controls": ["accounts", "funds"]}`)
			return
		}
		w.WriteHeader(http.StatusNotImplemented)
	}))
	t.Cleanup(lacking.Close)
	r, n := against(t, &reftest.Target{URL: lacking.URL, ControlURL: lacking.URL}, nil)
	require.ErrorContains(t, r.Prepare(t.Context(), n), "expected the test control limits, which is needed to create accounts, got only accounts, funds")
}

// settlesByHand lets an account's payments wait until the controls settle them.
func settlesByHand(t *testing.T, c *gateway.Controls, account int64) {
	t.Helper()
	path := fmt.Sprintf("/accounts/%d/settlement", account)
	require.NoError(t, c.Call(t.Context(), "settlement", http.MethodPut, path, map[string]string{"mode": "manual"}, nil))
}

func settles(t *testing.T, c *gateway.Controls, account int64, transactionID string) {
	t.Helper()
	end(t, c, account, map[string]string{"transactionId": transactionID, "outcome": "CONFIRMED"})
}

func rejects(t *testing.T, c *gateway.Controls, account int64, transactionID string) {
	t.Helper()
	end(t, c, account, map[string]string{
		"transactionId": transactionID, "outcome": "ERROR", "errorCode": "ORDER_REJECTED", "errorMessage": "refused",
	})
}

func end(t *testing.T, c *gateway.Controls, account int64, settlement map[string]string) {
	t.Helper()
	path := fmt.Sprintf("/accounts/%d/settlements", account)
	assert.NoError(t, c.Call(t.Context(), "settlement", http.MethodPost, path, settlement, nil))
}

// choosy refuses the access token of one request.
type choosy struct {
	gateway.Sender
	refused atomic.Bool
}

func (s *choosy) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	if r.Operation != gateway.Token && s.refused.CompareAndSwap(false, true) {
		now := time.Now()
		return &gateway.Exchange{Request: r, Status: http.StatusUnauthorized, Body: []byte("{}"), Timing: gateway.Timing{Start: now, End: now}}
	}
	return s.Sender.Send(ctx, r)
}

func TestARejectedTokenIsMeasured(t *testing.T) {
	t.Parallel()
	for name, repeats := range map[string]float64{"once": 0, "sent twice": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			measured := &measurements{}
			r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Repeats, c.Metrics = repeats, measured })
			require.NoError(t, r.Prepare(t.Context(), n))
			c := call(r, n, 0)
			c.Sender, c.Repeat = &choosy{Sender: n.Sender}, &choosy{Sender: n.Sender}
			p := r.CashOut(t.Context(), c, nil)
			require.True(t, p.Accepted())
			res := r.Close(t.Context())
			of := measured.of(gateway.CashOut)
			require.Len(t, of, 1)
			assert.EqualValues(t, 1, of[0].TokensRejected)
			assert.False(t, of[0].Failed)
			rejected := slices.DeleteFunc(res.Ledger.Examples, func(e ledger.Example) bool { return e.Sort != "tokens_rejected" })
			require.Len(t, rejected, 1)
			assert.Equal(t, p.ExternalID, rejected[0].Payment)
			assert.Equal(t, "cash-out with a token of clientId "+c.Account.ClientID, rejected[0].Detail)
		})
	}
}

// Both requests are sent at the same time, and the gateway carries both out.
func TestARepeatThatIsDebitedToo(t *testing.T) {
	t.Parallel()
	for _, kind := range []ledger.Kind{ledger.CashOut, ledger.QRCashOut, ledger.Transfer} {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			g := reftest.Start(t)
			proxy := faulty.StartProxy(t, faulty.ProxyConfig{Upstream: g.URL, Repeats: faulty.At(map[int64]faulty.Fault{1: faulty.DebitTwice})})
			r, n := against(t, g, func(c *run.Config) { c.URL, c.Accounts, c.Repeats = parsed(t, proxy.URL), 1, 1 })
			require.NoError(t, r.Prepare(ctx, n))
			var p *run.Payment
			switch kind {
			case ledger.CashOut:
				p = r.CashOut(ctx, call(r, n, 0), nil)
			case ledger.QRCashOut:
				p = r.QRCashOut(ctx, call(r, n, 0), nil)
			case ledger.Transfer:
				p = r.Transfer(ctx, call(r, n, 0), nil)
			}
			require.True(t, p.Accepted(), p.Message)
			book := r.Close(ctx).Ledger
			assert.EqualValues(t, 1, proxy.Injected().DebitedTwice)
			assert.EqualValues(t, 1, book.Counts.DoubleDebits)
			assert.Contains(t, examplesOf(book, "double_debits"), p.ExternalID)
			assert.EqualValues(t, p.Amount, book.Counts.MoneyDrift)
		})
	}
}

// forgetful accepts each cash-out as another payment.
type forgetful struct {
	gateway.Sender
	n atomic.Int64
}

func (s *forgetful) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	if r.Operation != gateway.CashOut {
		return s.Sender.Send(ctx, r)
	}
	now := time.Now()
	return &gateway.Exchange{Request: r, Status: 201, Body: accepted(r, fmt.Sprintf("t-%d", s.n.Add(1))), Timing: gateway.Timing{Start: now, End: now}}
}

// accepted is the response that accepts a payment.
func accepted(r *gateway.Request, transaction string) []byte {
	return fmt.Appendf(nil, `{"transactionId":%q,"externalId":%s,"status":"PENDING","generateTime":"2026-01-02T03:04:05Z"}`, transaction, gjson.GetBytes(r.Body, "externalId").Raw)
}

func TestBothTransactionsOfARepeatAreInTheEvidence(t *testing.T) {
	t.Parallel()
	r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Repeats, c.Drain = 1, 50*time.Millisecond })
	require.NoError(t, r.Prepare(t.Context(), n))
	c := call(r, n, 0)
	c.Repeat = &forgetful{Sender: n.Sender}
	p := r.CashOut(t.Context(), c, nil)
	res := r.Close(t.Context())
	assert.EqualValues(t, 1, res.Ledger.Counts.DoubleDebits)
	details := map[string]string{}
	for _, e := range res.Ledger.Examples {
		assert.Equal(t, p.ExternalID, e.Payment)
		details[e.Sort] = e.Detail
	}
	assert.Regexp(t, "t-1, t-2$|t-2, t-1$", details["double_debits"])
	assert.Equal(t, "accepted as transaction "+p.TransactionID, details["payments_vanished"])
}

func TestAVanishedPaymentNamesItsTransaction(t *testing.T) {
	t.Parallel()
	for name, webhooks := range map[string]*run.Webhooks{"with webhooks": {Listen: "127.0.0.1:0", Types: run.Types}, "without": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Webhooks, c.Drain = webhooks, 50*time.Millisecond })
			require.NoError(t, r.Prepare(t.Context(), n))
			c := call(r, n, 0)
			c.Sender = &forgetful{Sender: n.Sender}
			r.CashOut(t.Context(), c, nil)
			book := r.Close(t.Context()).Ledger
			assert.EqualValues(t, 1, book.Counts.PaymentsVanished)
			i := slices.IndexFunc(book.Examples, func(e ledger.Example) bool { return e.Sort == "payments_vanished" })
			require.GreaterOrEqual(t, i, 0)
			assert.Equal(t, "accepted as transaction t-1", book.Examples[i].Detail)
		})
	}
}
