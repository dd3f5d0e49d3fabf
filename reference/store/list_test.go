package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/pixcert/pixcert/reference/pix"
)

// sample is a payment as the tests of lists insert it, of any kind and state, without
// any effect on money. It is created at noon plus the minute.
type sample struct {
	kind       pix.Kind
	status     pix.Status
	externalID string
	endToEndID string
	key        string
	minute     int
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func (s *Store) insert(t testing.TB, accountID int64, all ...sample) {
	t.Helper()
	require.NoError(t, s.write(context.Background(), func(tx *tx) error {
		for _, one := range all {
			p := pix.Payment{
				ID: tx.ids.nextRow(), Kind: one.kind, TransactionID: pix.NewUUID(), AccountID: accountID,
				ExternalID: one.externalID, EndToEndID: one.endToEndID, Status: one.status, Amount: 10_00,
				CreatedAt: noon.Add(time.Duration(one.minute) * time.Minute),
			}
			if p.Status.Terminal() {
				p.ProcessedAt = p.CreatedAt.Add(time.Second)
			}
			if err := tx.insertPayment(p, one.key); err != nil {
				return err
			}
		}
		return nil
	}))
}

// march is a period around noon.
var march = pix.Period{From: noon.Add(-24 * time.Hour), Before: noon.Add(24 * time.Hour)}

func externalIDs(payments []pix.Payment) string {
	ids := make([]string, len(payments))
	for i, p := range payments {
		ids[i] = p.ExternalID
	}
	return strings.Join(ids, " ")
}

func TestPaymentsAreFiltered(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account, other := funded(t, s, 0), funded(t, s, 0)
		s.insert(t, account.ID,
			sample{pix.KindCashOut, pix.Pending, "a", "", "k1", 0},
			sample{pix.KindQRCodeCashOut, pix.Confirmed, "b", "E2", "k2", 1},
			sample{pix.KindTransfer, pix.Error, "c", "E3", "k1", 2},
			sample{pix.KindCashIn, pix.Pending, "d", "", "own", 3},
			sample{pix.KindCob, pix.Confirmed, "e", "E5", "own", 4},
			sample{pix.KindRefundIn, pix.Confirmed, "f", "D6", "own", 5},
			sample{pix.KindRefundOut, pix.Confirmed, "", "D7", "k2", 5}, // the same instant: the later id first
		)
		s.insert(t, other.ID, sample{pix.KindCashOut, pix.Confirmed, "a", "E2", "k1", 0})
		after := func(minute int) pix.Period {
			return pix.Period{From: noon.Add(time.Duration(minute) * time.Minute), Before: march.Before}
		}
		before := func(minute int) pix.Period {
			return pix.Period{From: march.From, Before: noon.Add(time.Duration(minute) * time.Minute)}
		}
		for _, test := range []struct {
			name   string
			filter PaymentFilter
			want   string // externalIds
		}{
			{"all", PaymentFilter{}, " f e d c b a"},
			{"pending", PaymentFilter{Status: pix.Pending}, "d a"},
			{"confirmed", PaymentFilter{Status: pix.Confirmed}, " f e b"},
			{"rejected", PaymentFilter{Status: pix.Error}, "c"},
			{"in", PaymentFilter{Operation: pix.Receipt}, "e d"},
			{"out", PaymentFilter{Operation: pix.Withdraw}, "c b a"},
			{"refunds in", PaymentFilter{Operation: pix.RefundIn}, "f"},
			{"refunds out", PaymentFilter{Operation: pix.RefundOut}, ""},
			{"external id", PaymentFilter{ExternalID: "c"}, "c"},
			{"unknown external id", PaymentFilter{ExternalID: "z"}, ""},
			{"end-to-end id", PaymentFilter{EndToEndID: "E2"}, "b"},
			{"end-to-end id in other case", PaymentFilter{EndToEndID: "e2"}, ""},
			{"both ids", PaymentFilter{ExternalID: "b", EndToEndID: "E3"}, ""},
			{"id outside the period", PaymentFilter{ExternalID: "a", Period: after(1)}, ""},
			{"key", PaymentFilter{Keys: []string{"k1"}}, "c a"},
			{"two keys", PaymentFilter{Keys: []string{"k1", "own"}}, "f e d c a"},
			{"from the third on", PaymentFilter{Period: after(2)}, " f e d c"},
			{"before the third", PaymentFilter{Period: before(2)}, "b a"},
			{"everything at once", PaymentFilter{Status: pix.Error, Operation: pix.Withdraw, Keys: []string{"k1"}, Period: after(1)}, "c"},
			{"the newest three", PaymentFilter{Reach: 3}, " f e"},
		} {
			if test.filter.Period == (pix.Period{}) {
				test.filter.Period = march
			}
			payments, total, err := s.Payments(t.Context(), account.ID, test.filter, Page{1, 20})
			require.NoError(t, err, test.name)
			assert.Equal(t, test.want, externalIDs(payments), test.name)
			assert.Equal(t, len(payments), total, test.name)
		}
	})
}

// Walking the pages of any size gives every payment that can be reached once, the newest
// first, while others are paid on another account.
func TestPagesHoldEveryPaymentOnce(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	rapid.Check(t, func(r *rapid.T) {
		account := funded(t, s, 0)
		minutes := rapid.SliceOfN(rapid.IntRange(0, 5), 0, 40).Draw(r, "minutes")
		var all []sample
		for i, minute := range minutes {
			all = append(all, sample{pix.KindCashOut, pix.Pending, fmt.Sprint(i), "", "k", minute})
		}
		s.insert(t, account.ID, all...)
		size, reach := rapid.IntRange(1, 15).Draw(r, "size"), rapid.IntRange(0, 50).Draw(r, "reach")
		reachable := len(all)
		if reach > 0 {
			reachable = min(reach, reachable)
		}

		var walked []pix.Payment
		for number := 1; ; number++ {
			page, total, err := s.Payments(context.Background(), account.ID, PaymentFilter{Period: march, Reach: reach}, Page{number, size})
			require.NoError(r, err)
			require.Equal(r, reachable, total)
			walked = append(walked, page...)
			if len(page) < size {
				break
			}
		}
		require.Len(r, walked, reachable)
		require.True(r, slices.IsSortedFunc(walked, func(a, b pix.Payment) int {
			if by := b.CreatedAt.Compare(a.CreatedAt); by != 0 {
				return by
			}
			return int(b.ID - a.ID)
		}))
		seen := make(map[int64]bool)
		for _, p := range walked {
			require.False(r, seen[p.ID], "payment %d is on two pages", p.ID)
			seen[p.ID] = true
		}
	})
}

// A page and the total are of one moment however fast payments come.
func TestPageAndTotalAgree(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 1_000_00)
		period := pix.Period{From: account.Now().Add(-time.Hour), Before: account.Now().Add(time.Hour)}
		paying := make(chan error, 1)
		go func() {
			for i := range 100 {
				if _, err := s.CashOut(context.Background(), account.ID, order(fmt.Sprint(i), 1)); err != nil {
					paying <- err
					return
				}
			}
			close(paying)
		}()
		for {
			payments, total, err := s.Payments(t.Context(), account.ID, PaymentFilter{Period: period}, Page{1, 1000})
			require.NoError(t, err)
			require.Len(t, payments, total)
			select {
			case err := <-paying:
				require.NoError(t, err)
				return
			default:
			}
		}
	})
}

// Each list is read along its index, in order, without looking at payments that it does
// not hold.
func TestListsAreReadAlongAnIndex(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	for _, test := range []struct {
		filter PaymentFilter
		index  string
		sorted bool // few rows are left to sort
	}{
		{PaymentFilter{}, "payments_listed (account_id=? AND created_at>? AND created_at<?)", false},
		{PaymentFilter{Status: pix.Pending, Operation: pix.Receipt}, "payments_listed (account_id=? AND created_at>? AND created_at<?)", false},
		{PaymentFilter{Keys: []string{"k"}}, "payments_by_key (account_id=? AND directory_key=? AND created_at>? AND created_at<?)", false},
		{PaymentFilter{ExternalID: "e"}, "external_id_spaces (account_id=? AND external_id=?)", true},
		{PaymentFilter{EndToEndID: "e"}, "payments_by_end_to_end_id (end_to_end_id=? AND account_id=?)", true},
	} {
		where := test.filter.where(1)
		var plan []string
		require.NoError(t, s.read(t.Context(), func(c conn) error {
			return c.each(func(row scanner) error {
				var id, parent, unused int
				var detail string
				err := row.Scan(&id, &parent, &unused, &detail)
				plan = append(plan, detail)
				return err
			}, `EXPLAIN QUERY PLAN SELECT p.* FROM payments p WHERE `+where.text+` ORDER BY `+where.order, where.args...)
		}))
		require.NotEmpty(t, plan)
		assert.Contains(t, plan[0], "INDEX "+test.index)
		assert.Equal(t, test.sorted, len(plan) > 1, "%s", plan)
	}
}
