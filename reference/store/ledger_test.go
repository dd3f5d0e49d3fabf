package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/pixcert/pixcert/reference/pix"
)

// Whatever several clients, payers, banks and jobs do at the same time, entries add up to balances, what is
// blocked to what is pending, the day's total to the payments of the day, and no centavo comes or goes otherwise.
func TestTheLedgerAddsUpUnderInterleavings(t *testing.T) {
	t.Parallel()
	const funds = 500_00
	runs := 0
	directory := t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		path := "" // every third run is on a file, whose readers do not wait for the writer
		if runs++; runs%3 == 0 {
			path = filepath.Join(directory, fmt.Sprint(runs)+".db")
		}
		s, err := Open(t.Context(), path)
		require.NoError(r, err)
		defer func() { require.NoError(r, s.Close()) }()
		account := funded(t, s, funds)
		_, err = s.Configure(t.Context(), account.ID, func(set *pix.Settings) {
			set.Limits, set.Settlement, set.Refunds, set.Fees.CashOut = pix.Limits{}, pix.Manual, pix.Manual, 7
		})
		require.NoError(r, err)
		books := &books{s: s, account: account.ID}
		books.total.Store(funds)
		var clients sync.WaitGroup
		for client, steps := range rapid.SliceOfN(rapid.SliceOfN(rapid.Custom(drawStep), 1, 12), 2, 6).Draw(r, "clients") {
			clients.Go(func() {
				for i, step := range steps {
					books.do(step, fmt.Sprintf("%d-%d", client, i))
				}
			})
		}
		clients.Wait()
		require.NoError(r, errors.Join(books.failed...))
		require.NoError(r, s.CheckLedger(t.Context(), account.ID))
		after, err := s.Account(t.Context(), account.ID)
		require.NoError(r, err)
		require.Equal(r, pix.Centavos(books.total.Load()), after.Available+after.Blocked)
		var spent, paid pix.Centavos
		require.NoError(r, s.read(t.Context(), func(c conn) error {
			return c.row(`SELECT (SELECT COALESCE(SUM(spent), 0) FROM daily_totals), (SELECT COALESCE(SUM(amount), 0) FROM payments
				WHERE kind = 'cash-out' AND status <> 'ERROR')`).Scan(&spent, &paid)
		}))
		require.Equal(r, paid, spent)
	})
}

// step is one thing that somebody does, by an amount and to one of the payments that are there.
type step struct {
	what   string
	amount pix.Centavos
	which  int
}

func drawStep(r *rapid.T) step {
	return step{
		what:   rapid.SampledFrom([]string{"cash-out", "cash-out", "charge", "confirm", "reject", "refund", "end refund", "prune", "work"}).Draw(r, "what"),
		amount: pix.Centavos(rapid.IntRange(1, 200_00).Draw(r, "amount")),
		which:  rapid.IntRange(0, 20).Draw(r, "which"),
	}
}

// books are what the account must have, as those who use it see it.
type books struct {
	s       *Store
	account int64
	total   atomic.Int64 // available and blocked

	mu             sync.Mutex
	sent, received []pix.Payment
	refunds        []pix.Refund
	failed         []error
}

func (b *books) do(step step, id string) {
	var err error
	ctx := context.Background()
	switch step.what {
	case "cash-out":
		var p pix.Payment
		if p, err = b.s.CashOut(ctx, b.account, order(id, step.amount)); err == nil {
			keep(b, &b.sent, p)
		}
	case "charge":
		var charge pix.CashIn
		if charge, err = b.s.CashIn(ctx, b.account, cashInOrder(id, step.amount, fixedSplit("split@example.com", step.amount/2+1, step.which%2 == 0))); err != nil {
			break
		}
		var p pix.Payment
		if p, err = b.s.PayCharge(ctx, b.account, charge.Charge.Code, 0, payer); err == nil {
			keep(b, &b.received, p)
			b.total.Add(int64(p.Amount))
			if step.which%2 == 0 { // of the others, it is split later
				b.total.Add(-int64(step.amount/2 + 1))
			}
		}
	case "confirm", "reject":
		p, ok := pick(b, &b.sent, step.which)
		if !ok {
			return
		}
		result := pix.Result{Status: pix.Confirmed}
		if step.what == "reject" {
			result = pix.Result{Status: pix.Error, Code: "ORDER_REJECTED"}
		}
		if p, err = b.s.Settle(ctx, b.account, p.TransactionID, result); err == nil && p.Status == pix.Confirmed {
			b.total.Add(-int64(p.Final()))
		}
	case "refund":
		p, ok := pick(b, &b.received, step.which)
		if !ok {
			return
		}
		var refund pix.Refund
		if refund, err = b.s.Refund(ctx, b.account, refundOf(p, "r"+fmt.Sprint(step.which), min(step.amount, p.Amount))); err == nil {
			keep(b, &b.refunds, refund)
		}
	case "end refund":
		refund, ok := pick(b, &b.refunds, step.which)
		if !ok {
			return
		}
		if refund, err = b.s.FinishRefund(ctx, b.account, refund.RtrID, pix.RefundResult{Status: pix.Returned}); err == nil {
			b.total.Add(-int64(refund.Amount))
		}
	case "prune":
		var pass *Pruning
		if pass, err = b.s.Prune(ctx, 24*time.Hour); err == nil {
			_, err = pass.Next(ctx)
		}
	case "work":
		_, err = b.s.DoDue(ctx)
	}
	if err != nil && !isRefusal(err) {
		keep(b, &b.failed, err)
	}
}

func keep[T any](b *books, all *[]T, one T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*all = append(*all, one)
}

func pick[T any](b *books, all *[]T, which int) (one T, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(*all) == 0 {
		return one, false
	}
	return (*all)[which%len(*all)], true
}

func TestADailyTotalCannotWrap(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	account := funded(t, s, 0)
	p := pix.Payment{AccountID: account.ID, CreatedAt: noon}
	for range 2000 {
		require.NoError(t, s.write(t.Context(), func(t *tx) error {
			total, err := t.spend(p, pix.MaxAmount)
			if err == nil && total < pix.MaxAmount {
				err = fmt.Errorf("the total fell to %s", total)
			}
			return err
		}))
	}
	require.NoError(t, s.write(t.Context(), func(t *tx) error {
		for range 2000 {
			if total, err := t.spend(p, -pix.MaxAmount); err != nil || total < 0 {
				return fmt.Errorf("the total fell to %s: %w", total, err)
			}
		}
		return nil
	}))
}
