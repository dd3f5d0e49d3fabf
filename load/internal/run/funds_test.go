package run_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/run"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// poor is a sender whose gateway claims that the account lacks money.
type poor struct{ gateway.Sender }

func (s poor) Send(_ context.Context, r *gateway.Request) *gateway.Exchange {
	now := time.Now()
	return &gateway.Exchange{
		Request: r, Status: http.StatusBadRequest, Body: []byte(`{"code":"PIX_INSUFFICIENT_BALANCE","message":"no"}`),
		Timing: gateway.Timing{Start: now, End: now},
	}
}

func TestARefusalForLackOfMoneyIsComparedWithTheLedger(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]bool{"the account has the money": true, "the account lacks it": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			r, n := against(t, reftest.Start(t), func(c *run.Config) { c.Accounts, c.Balance = 1, 30_00 })
			require.NoError(t, r.Prepare(ctx, n))
			first := r.CashOut(ctx, call(r, n, 0), func(c *data.CashOut) { c.Value = 10_00 })
			paid, _ := r.Ledger().Settled(first.ID)
			<-paid
			to, value := call(r, n, 0), int64(20_01)
			if wrong {
				to.Sender, value = poor{n.Sender}, 20_00
			}
			p := r.CashOut(ctx, to, func(c *data.CashOut) { c.Value = data.Amount(value) })
			require.False(t, p.Accepted())
			require.Equal(t, "PIX_INSUFFICIENT_BALANCE", p.Code)
			book := r.Close(ctx).Ledger
			named := map[string]string{}
			if wrong {
				named[p.ExternalID] = "refused for lack of money: 20.00 and its fee would have left at least 0.00"
			}
			assert.EqualValues(t, len(named), book.Counts.PaymentsRefusedWrongly)
			assert.Equal(t, named, examplesOf(book, "payments_refused_wrongly"))
		})
	}
}
