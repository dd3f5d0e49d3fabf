package run_test

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/run"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// asides is a sender that does something between the answer of a balance and its reader.
type asides struct {
	gateway.Sender
	balance func()
}

func (s asides) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	x := s.Sender.Send(ctx, r)
	if r.Operation == gateway.ReadBalance {
		s.balance()
	}
	return x
}

func TestWhatEndsAfterABalanceWasReadIsNoDrift(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	g := reftest.Start(t)
	r, n := against(t, g, func(c *run.Config) { c.Accounts, c.Drain = 1, 50*time.Millisecond })
	controls, err := gateway.NewControls(g.ControlURL, "")
	require.NoError(t, err)
	t.Cleanup(controls.Close)
	var p *run.Payment
	n.Unmeasured = asides{n.Sender, sync.OnceFunc(func() { // it is read again while money is blocked
		settles(t, controls, p.Account.ID, p.TransactionID)
		at := parsed(t, r.WebhookURL(p.Account, "cash_out")).Host
		assert.Eventually(t, func() bool { // the event was taken, or cannot be any more
			conn, err := net.Dial("tcp", at)
			if err == nil {
				conn.Close()
			}
			return err != nil || live(r).WebhooksMatched == 1
		}, time.Minute, time.Millisecond)
	})}
	require.NoError(t, r.Prepare(ctx, n))
	settlesByHand(t, controls, r.Accounts()[0].ID)
	p = r.CashOut(ctx, call(r, n, 0), nil)
	require.True(t, p.Accepted(), p.Message)

	res := r.Close(ctx)
	require.Len(t, res.Accounts(), 1)
	assert.Zero(t, res.Accounts()[0].Drift, "%+v", res.Accounts()[0])
	assert.EqualValues(t, 1, res.Ledger.Counts.PaymentsUnsettled)
}

// behind is a sender that shows an old balance twice before the newest.
type behind struct {
	gateway.Sender
	old   []byte
	reads *atomic.Int64
}

func (s behind) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	x := s.Sender.Send(ctx, r)
	if r.Operation == gateway.ReadBalance && s.reads.Add(1) <= 2 {
		x.Body = s.old
	}
	return x
}

func TestABalanceThatIsBehindItsWebhooksIsNoDrift(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Accounts = 1 })
	late := &behind{Sender: n.Sender, reads: new(atomic.Int64)}
	n.Unmeasured = late
	require.NoError(t, r.Prepare(ctx, n))
	_, before, err := r.Accounts()[0].Balance(ctx, n.Sender)
	require.NoError(t, err)
	late.old = before.Body
	require.True(t, r.CashOut(ctx, call(r, n, 0), nil).Accepted())

	res := r.Close(ctx)
	assert.EqualValues(t, 3, late.reads.Load())
	assert.EqualValues(t, 1, res.Ledger.Counts.PaymentsConfirmed)
	assert.Zero(t, res.Ledger.Counts.MoneyDrift)
}

// around is a sender that does something before a balance is asked for, and after.
type around struct {
	gateway.Sender
	before, after func()
}

func (s around) Send(ctx context.Context, r *gateway.Request) *gateway.Exchange {
	if r.Operation != gateway.ReadBalance {
		return s.Sender.Send(ctx, r)
	}
	s.before()
	defer s.after()
	return s.Sender.Send(ctx, r)
}

func TestWhatHappensWhileABalanceIsReadIsNoDrift(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Accounts = 1 })
	require.NoError(t, r.Prepare(ctx, n))
	matched := func(want int64) {
		assert.Eventually(t, func() bool {
			return live(r).WebhooksMatched == want
		}, time.Minute, time.Millisecond)
	}
	m, err := r.Check(ctx, around{n.Sender, func() {
		r.CashOut(ctx, call(r, n, 0), nil)
		matched(1)
	}, func() {
		charge := r.Cob(ctx, call(r, n, 0), nil)
		_, err := r.Pay(ctx, call(r, n, 0), charge)
		assert.NoError(t, err)
		matched(2)
	}}, r.Accounts()[0])
	require.NoError(t, err)
	assert.LessOrEqual(t, m.From, m.Actual)
	assert.GreaterOrEqual(t, m.To, m.Actual)
	assert.Zero(t, r.Close(ctx).Ledger.Counts.MoneyDrift)
}

func TestWhatARunBeforeLeftUnsettledIsNoDrift(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	g := reftest.Start(t)
	controls, err := gateway.NewControls(g.ControlURL, "")
	require.NoError(t, err)
	t.Cleanup(controls.Close)
	made, err := controls.MakeAccounts(ctx, 1)
	require.NoError(t, err)
	require.NoError(t, controls.SetBalance(ctx, made[0].ID, 1_000_00))
	settlesByHand(t, controls, made[0].ID)
	var left *run.Payment
	for range 2 {
		r, n := against(t, g, func(c *run.Config) { c.Fixed, c.Webhooks, c.Drain = made, nil, 500*time.Millisecond })
		require.NoError(t, r.Prepare(ctx, n))
		if left == nil {
			left = r.CashOut(ctx, call(r, n, 0), nil)
			require.True(t, left.Accepted(), left.Message)
		} else {
			settles(t, controls, made[0].ID, left.TransactionID)
		}
		res := r.Close(ctx)
		require.Len(t, res.Accounts(), 1)
		assert.Zero(t, res.Accounts()[0].Drift, "%+v", res.Accounts()[0])
	}
}
