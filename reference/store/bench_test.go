package store

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

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
