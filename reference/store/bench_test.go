package store

import (
	"context"
	"fmt"
	"math/rand/v2"
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
	eachKind(b, func(b *testing.B, s *Store, account pix.Account) {
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
	eachKind(b, func(b *testing.B, s *Store, account pix.Account) {
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
	eachKind(b, func(b *testing.B, s *Store, account pix.Account) {
		for b.Loop() {
			if _, err := s.Account(context.Background(), account.ID); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func eachKind(b *testing.B, run func(b *testing.B, s *Store, account pix.Account)) {
	for name, path := range map[string]string{"memory": "", "file": filepath.Join(b.TempDir(), "gateway.db")} {
		b.Run(name, func(b *testing.B) {
			s := open(b, path)
			account := funded(b, s, pix.MaxAmount)
			_, err := s.Configure(context.Background(), account.ID, func(set *pix.Settings) { set.Limits = pix.Limits{} })
			require.NoError(b, err)
			b.ReportAllocs()
			b.ResetTimer()
			run(b, s, account)
		})
	}
}

// BenchmarkPaymentWithHistory carries payments from the order to the noted webhook, 256
// at a time and without the network, on an account without and with a history (see
// historySize). cpu-µs/op is the processor time, which other work on the machine disturbs less than the time.
func BenchmarkPaymentWithHistory(b *testing.B) {
	for _, kind := range []string{"memory", "file"} {
		for _, past := range []int{0, historySize(b)} {
			b.Run(fmt.Sprintf("%s/past=%d", kind, past), func(b *testing.B) {
				path := ""
				if kind == "file" {
					path = filepath.Join(b.TempDir(), "gateway.db")
				}
				s := open(b, path)
				account := funded(b, s, pix.MaxAmount)
				_, err := s.Configure(context.Background(), account.ID, func(set *pix.Settings) { set.Limits = pix.Limits{} })
				require.NoError(b, err)
				webhook, err := register(s, account.ID, pix.CashOutEvent, "https://hooks.example/")
				require.NoError(b, err)
				s.insertHistory(b, account, past)
				b.ReportAllocs()
				before := processorTime()
				b.ResetTimer()
				for first := 0; first < b.N; first += 256 {
					carryOut(b, s, account.ID, webhook.ID, min(256, b.N-first))
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

func carryOut(b *testing.B, s *Store, accountID, webhookID int64, payments int) {
	ctx := context.Background()
	inParallel(payments, func(i int) {
		o := order(pix.NewUUID(), 1)
		o.Key = fmt.Sprintf("119%08d", rand.IntN(20_000))
		if _, err := s.CashOut(ctx, accountID, o); err != nil {
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
