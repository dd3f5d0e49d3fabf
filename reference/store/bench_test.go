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
			settled, err := s.SettleDue(context.Background())
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
