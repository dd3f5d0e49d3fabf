package store

import (
	"cmp"
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

// A list reads less of a payment than a look-up, but nothing else, along its index or not.
func TestListedPaymentsAreThoseOfLookUps(t *testing.T) {
	t.Parallel()
	kinds(t, func(t *testing.T, s *Store) {
		account := funded(t, s, 1_000_00)
		for i := range 3 {
			o := order(fmt.Sprint(i), 1_00)
			o.Description = "lunch"
			_, err := s.CashOut(t.Context(), account.ID, o)
			require.NoError(t, err)
		}
		_, err := s.DoDue(t.Context())
		require.NoError(t, err)
		_, err = s.CashOut(t.Context(), account.ID, order("pending", 1_00))
		require.NoError(t, err)
		period := pix.Period{From: account.Now().Add(-time.Hour), Before: account.Now().Add(time.Hour)}
		for _, filter := range []PaymentFilter{{}, {Status: pix.Confirmed}, {ExternalID: "pending"}} {
			filter.Period = period
			payments, total, err := s.Payments(t.Context(), account.ID, filter, Page{1, 10})
			require.NoError(t, err)
			require.Len(t, payments, total)
			require.NotEmpty(t, payments)
			for _, listed := range payments {
				p, err := s.Payment(t.Context(), account.ID, listed.TransactionID)
				require.NoError(t, err)
				assert.Equal(t, pix.Payment{
					ID: p.ID, Kind: p.Kind, TransactionID: p.TransactionID, ExternalID: p.ExternalID, EndToEndID: p.EndToEndID, Status: p.Status,
					Amount: p.Amount, Fee: p.Fee, Counterpart: p.Counterpart, CreatedAt: p.CreatedAt, ProcessedAt: p.ProcessedAt,
				}, listed)
			}
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

// Each list is read along its indexes, in order, without looking at payments that it does
// not hold.
func TestListsAreReadAlongAnIndex(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	const (
		ofAccount = "payments_of_account (account_id=? AND kind=? AND status=? AND created_at>? AND created_at<?)"
		ofKey     = "payments_of_key (account_id=? AND directory_key=? AND kind=? AND status=? AND created_at>? AND created_at<?)"
		ofID      = "external_id_spaces (account_id=? AND external_id=?)"
		ofE2E     = "payments_by_end_to_end_id (end_to_end_id=? AND account_id=?)"
	)
	for _, status := range append(pix.Statuses(), "") {
		for _, operation := range append(pix.Operations(), "") {
			for _, test := range []struct {
				filter PaymentFilter
				index  string
			}{
				{PaymentFilter{}, ofAccount},
				{PaymentFilter{Keys: []string{"k"}}, ofKey},
				{PaymentFilter{Keys: []string{"k", "l"}}, ofKey},
				{PaymentFilter{ExternalID: "e"}, ofID},
				{PaymentFilter{EndToEndID: "e"}, ofE2E},
			} {
				test.filter.Status, test.filter.Operation = status, operation
				counting, page := test.filter.conditions(1), test.filter.conditions(1)
				for _, plan := range [][]string{s.plan(t, counting.count(1000), counting.args), s.plan(t, page.page(20, 40), page.args)} {
					for _, step := range plan {
						switch {
						case strings.Contains(step, "SEARCH p USING INTEGER PRIMARY KEY"): // what of the page is shown
						case strings.Contains(step, "SEARCH p"), strings.Contains(step, "SCAN p "):
							assert.Contains(t, step, test.index, "%v", plan)
						case strings.Contains(step, "TEMP B-TREE FOR ORDER BY"): // the rows of the page, or those with one id
							assert.True(t, step[0] != ' ', "%v", plan)
						}
					}
				}
			}
		}
	}
}

// plan is how SQLite carries a statement out; what is part of another step is indented.
func (s *Store) plan(t *testing.T, query string, args []any) []string {
	t.Helper()
	var plan []string
	depth := map[int]int{}
	require.NoError(t, s.read(t.Context(), func(c conn) error {
		return c.each(func(row scanner) error {
			var id, parent, unused int
			var detail string
			err := row.Scan(&id, &parent, &unused, &detail)
			if parent != 0 {
				depth[id] = depth[parent] + 1
			}
			plan = append(plan, strings.Repeat("  ", depth[id])+detail)
			return err
		}, `EXPLAIN QUERY PLAN `+query, args...)
	}))
	require.NotEmpty(t, plan)
	return plan
}

// What the counts lead to is what looking at every payment gives, whenever payments were
// created and whatever became of them.
func TestKeptTotalsAreTrue(t *testing.T) {
	t.Parallel()
	s := open(t, "")
	rapid.Check(t, func(r *rapid.T) {
		account := funded(t, s, 0)
		instant := rapid.Custom(func(r *rapid.T) time.Time { // at times close together, and months apart
			span := rapid.SampledFrom([]time.Duration{time.Microsecond, time.Second, time.Minute, time.Hour, 40 * 24 * time.Hour}).Draw(r, "span")
			return noon.Add(time.Duration(rapid.IntRange(-6, 6).Draw(r, "spans")) * span)
		})
		var all []pix.Payment
		for i := range rapid.IntRange(0, 60).Draw(r, "payments") {
			p := pix.Payment{
				Kind:       rapid.SampledFrom([]pix.Kind{pix.KindCashOut, pix.KindCob, pix.KindRefundIn, pix.KindRefundOut}).Draw(r, "kind"),
				ExternalID: fmt.Sprint(i), TransactionID: pix.NewUUID(), AccountID: account.ID, CreatedAt: instant.Draw(r, "created"), Status: pix.Pending,
			}
			becomes := rapid.SampledFrom(pix.Statuses()).Draw(r, "status")
			require.NoError(r, s.write(context.Background(), func(tx *tx) error {
				p.ID = tx.ids.nextRow()
				return tx.insertPayment(p, "k")
			}))
			if becomes != pix.Pending {
				require.NoError(r, s.write(context.Background(), func(tx *tx) (err error) {
					p, err = tx.conclude(p, pix.Result{Status: becomes}, p.CreatedAt)
					return err
				}))
			}
			all = append(all, p)
		}
		slices.SortFunc(all, func(a, b pix.Payment) int {
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.ID, a.ID))
		})
		filter := PaymentFilter{
			Period:    pix.Period{From: instant.Draw(r, "from"), Before: instant.Draw(r, "before")},
			Status:    rapid.SampledFrom(append(pix.Statuses(), "")).Draw(r, "wanted"),
			Operation: rapid.SampledFrom(append(pix.Operations(), "")).Draw(r, "type"),
		}
		var want []int64
		for _, p := range all {
			if !p.CreatedAt.Before(filter.Period.From) && p.CreatedAt.Before(filter.Period.Before) &&
				(filter.Status == "" || filter.Status == p.Status) && (filter.Operation == "" || filter.Operation == p.Kind.Operation()) {
				want = append(want, p.ID)
			}
		}
		page := Page{rapid.IntRange(1, 8).Draw(r, "page"), rapid.IntRange(1, 10).Draw(r, "size")}
		got, total, err := s.Payments(context.Background(), account.ID, filter, page)
		require.NoError(r, err)
		require.Equal(r, len(want), total)
		first := min((page.Number-1)*page.Size, len(want))
		want = want[first:min(first+page.Size, len(want))]
		ids := []int64{}
		for _, p := range got {
			ids = append(ids, p.ID)
		}
		require.Equal(r, append([]int64{}, want...), ids)
	})
}
