package store

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// BenchmarkCashOut has 64 clients send cash-outs on one account.
func BenchmarkCashOut(b *testing.B) {
	eachKind(b, func(b *testing.B, s *Store, account Account) {
		var n atomic.Int64
		b.SetParallelism(64)
		b.RunParallel(func(each *testing.PB) {
			for each.Next() {
				if _, err := s.CashOut(context.Background(), account.ID, order(fmt.Sprint(n.Add(1)), 1)); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

// BenchmarkSettle settles payments that are due, without webhooks.
func BenchmarkSettle(b *testing.B) {
	eachKind(b, func(b *testing.B, s *Store, account Account) {
		b.StopTimer()
		inParallel(64, func(client int) {
			for i := client; i < b.N; i += 64 {
				if _, err := s.CashOut(context.Background(), account.ID, order(fmt.Sprint(i), 1)); err != nil {
					b.Error(err)
				}
			}
		})
		b.StartTimer()
		for {
			settled, err := s.DoDue(context.Background())
			require.NoError(b, err)
			if len(settled) == 0 {
				return
			}
		}
	})
}

// BenchmarkAccount reads an account, as every request does.
func BenchmarkAccount(b *testing.B) {
	eachKind(b, func(b *testing.B, s *Store, account Account) {
		for b.Loop() {
			if _, err := s.Account(context.Background(), account.ID); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func eachKind(b *testing.B, run func(b *testing.B, s *Store, account Account)) {
	for name, path := range map[string]string{"memory": "", "file": filepath.Join(b.TempDir(), "gateway.db")} {
		b.Run(name, func(b *testing.B) {
			s := open(b, path)
			account := funded(b, s, pix.MaxAmount)
			_, err := s.Configure(context.Background(), account.ID, func(set *Settings) { set.Limits = pix.Limits{} })
			require.NoError(b, err)
			b.ReportAllocs()
			b.ResetTimer()
			run(b, s, account)
		})
	}
}

// BenchmarkPayments lists the account's 100,000 payments: its first page, one far down,
// one that a filter leaves little of, one of a key, one payment by its id.
func BenchmarkPayments(b *testing.B) {
	const payments = 100_000
	s := open(b, filepath.Join(b.TempDir(), "gateway.db"))
	account := funded(b, s, 0)
	all := make([]sample, payments)
	for i := range all {
		all[i] = sample{pix.KindCashOut, pix.Confirmed, fmt.Sprint(i), fmt.Sprint("E", i), fmt.Sprint("k", i%10), i % (24 * 60)}
		if i%1000 == 0 {
			all[i].status = pix.Pending
		}
	}
	s.insert(b, account.ID, all...)
	for _, list := range []struct {
		name   string
		filter PaymentFilter
		page   Page
	}{
		{"first", PaymentFilter{}, Page{1, 20}},
		{"far", PaymentFilter{}, Page{2000, 20}},
		{"pending", PaymentFilter{Status: pix.Pending}, Page{1, 20}},
		{"key", PaymentFilter{Keys: []string{"k1"}, Reach: 1000}, Page{1, 1000}},
		{"externalId", PaymentFilter{ExternalID: "77"}, Page{1, 20}},
		{"endToEndId", PaymentFilter{EndToEndID: "E77"}, Page{1, 20}},
	} {
		b.Run(list.name, func(b *testing.B) {
			list.filter.Period = march
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := s.Payments(context.Background(), account.ID, list.filter, list.page); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkPaymentWithHistory carries payments from the order to the noted webhook, 256
// at a time and without the network, on an account with and without a past. cpu-µs/op is
// the processor time, which other work on the machine disturbs less than the time.
func BenchmarkPaymentWithHistory(b *testing.B) {
	for _, kind := range []string{"memory", "file"} {
		for _, past := range []int{0, 500_000} {
			b.Run(fmt.Sprintf("%s/past=%d", kind, past), func(b *testing.B) {
				path := ""
				if kind == "file" {
					path = filepath.Join(b.TempDir(), "gateway.db")
				}
				s := open(b, path)
				account := funded(b, s, pix.MaxAmount)
				_, err := s.Configure(context.Background(), account.ID, func(set *Settings) { set.Limits = pix.Limits{} })
				require.NoError(b, err)
				webhook, err := register(s, account.ID, pix.CashOutEvent, "https://hooks.example/")
				require.NoError(b, err)
				require.NoError(b, s.write(context.Background(), func(t *tx) error { return t.makeUpPast(account, past) }))
				b.ReportAllocs()
				before := processorTime()
				b.ResetTimer()
				for first := 0; first < b.N; first += 256 {
					carryOut(b, s, account.ID, webhook.ID, first, min(256, b.N-first))
				}
				b.ReportMetric(float64((processorTime()-before).Microseconds())/float64(b.N), "cpu-µs/op")
			})
		}
	}
}

func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // cannot fail for SELF
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func carryOut(b *testing.B, s *Store, accountID, webhookID int64, first, payments int) {
	ctx := context.Background()
	inParallel(payments, func(i int) {
		if _, err := s.CashOut(ctx, accountID, order(fmt.Sprint(first+i), 1)); err != nil {
			b.Error(err)
		}
	})
	_, err := s.DoDue(ctx)
	require.NoError(b, err)
	for {
		leased, err := s.LeaseDeliveries(ctx, webhookID, 32, time.Minute)
		require.NoError(b, err)
		if len(leased) == 0 {
			return
		}
		attempted := make([]Attempted, len(leased))
		for i, d := range leased {
			attempted[i] = Attempted{Delivery: d, Attempt: Attempt{Status: 200, At: time.Now()}}
		}
		require.NoError(b, s.FinishDeliveries(ctx, attempted))
	}
}

// makeUpPast adds finished payments of the last 30 days with what they leave behind.
func (t *tx) makeUpPast(account Account, payments int) error {
	if payments == 0 {
		return nil
	}
	const series = `WITH RECURSIVE past (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM past WHERE n < $1) `
	first := t.ids.row
	t.ids.row += 5 * int64(payments)
	at := account.Now().Add(-30 * 24 * time.Hour).UnixMicro()
	step := (30 * 24 * time.Hour).Microseconds() / int64(payments)
	for _, insert := range []string{
		`INSERT INTO payments (id, kind, transaction_id, account_id, external_id, end_to_end_id, status, amount, fee, description,
			key_type, pix_key, directory_key, counterpart_name, counterpart_document, counterpart_ispb, scenario, created_at, processed_at)
		SELECT $2 + 5 * n, 'cash-out', lower(hex(randomblob(16))), $3, 'past-' || n, 'E12345678' || hex(randomblob(11)), 'CONFIRMED', 1, 0, '',
			'EMAIL', 'k', hex(randomblob(4)) || '@example.com', 'Fulano de Tal', '52998224725', '60701190', '', $4 + n * $5, $4 + n * $5 FROM past`,
		`INSERT INTO entries (id, account_id, payment_id, kind, delta_available, delta_blocked, at)
		SELECT $2 + 5 * n + 1, $3, $2 + 5 * n, 'held', 0, 0, $4 + n * $5 FROM past`,
		`INSERT INTO entries (id, account_id, payment_id, kind, delta_available, delta_blocked, at)
		SELECT $2 + 5 * n + 2, $3, $2 + 5 * n, 'settled', 0, 0, $4 + n * $5 FROM past`,
		`INSERT INTO events (id, account_id, payment_id, message_id, type, body, at)
		SELECT $2 + 5 * n + 3, $3, $2 + 5 * n, 'msg_' || hex(randomblob(13)), 'cash_out', printf('%.600c', 'x'), $4 + n * $5 FROM past`,
		`INSERT INTO deliveries (id, account_id, payment_id, webhook_id, message_id, url, attempt, status, failure, at, took)
		SELECT $2 + 5 * n + 4, $3, $2 + 5 * n, 1, 'msg', 'https://hooks.example/', 1, 200, '', $4 + n * $5, 1000 FROM past`,
	} {
		if err := t.run(series+insert, payments, first-5, account.ID, at, step); err != nil {
			return err
		}
	}
	return nil
}
