package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference/pix"
)

// historySize is how many payments the benchmarks of a full store begin with:
// PIXCERT_BENCH_PAYMENTS, or 100,000.
func historySize(b *testing.B) int {
	b.Helper()
	given := os.Getenv("PIXCERT_BENCH_PAYMENTS")
	if given == "" {
		return 100_000
	}
	n, err := strconv.Atoi(given)
	require.NoError(b, err, "PIXCERT_BENCH_PAYMENTS is a number of payments")
	return n
}

// commonKey is the key of a third of a history.
const commonKey = "12345678909"

// insertHistory adds payments of the last 30 days, of every type and status, with the rows
// that they leave behind. The ids of clients are random; a third of the payments have
// commonKey, the others one of 20,000 keys.
func (s *Store) insertHistory(b *testing.B, account pix.Account, payments int) {
	b.Helper()
	rebuild := s.dropIndexes(b)
	const perTransaction = 100_000
	for done := 0; done < payments; done += perTransaction {
		require.NoError(b, s.write(context.Background(), func(t *tx) error {
			return t.insertHistory(account, done, min(perTransaction, payments-done), payments)
		}))
	}
	rebuild()
	var sums []string
	for _, c := range classes {
		var kinds []string
		for _, kind := range c.operation.Kinds() {
			kinds = append(kinds, fmt.Sprintf("'%s'", kind))
		}
		sums = append(sums, fmt.Sprintf("SUM(kind IN (%s) AND status = '%s')", strings.Join(kinds, ", "), c.status))
	}
	count := fmt.Sprintf(`INSERT INTO payment_counts SELECT account_id, level, created_at >> (%d + %d * level), %s
		FROM payments, (SELECT 0 AS level UNION ALL SELECT 1 UNION ALL SELECT 2) GROUP BY 1, 2, 3`, finestBits, levelBits, strings.Join(sums, ", "))
	require.NoError(b, s.write(context.Background(), func(t *tx) error {
		if err := t.run(`DELETE FROM payment_counts`); err != nil {
			return err
		}
		return t.run(count)
	}))
}

// dropIndexes makes inserting many rows fast, until rebuild is called.
func (s *Store) dropIndexes(b *testing.B) (rebuild func()) {
	b.Helper()
	var drop, create []string
	require.NoError(b, s.read(context.Background(), func(c conn) error {
		return c.each(func(row scanner) error {
			var name, text string
			err := row.Scan(&name, &text)
			drop, create = append(drop, "DROP INDEX "+name), append(create, text)
			return err
		}, `SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name IN ('payments', 'events') AND sql IS NOT NULL`)
	}))
	run := func(statements []string) {
		require.NoError(b, s.write(context.Background(), func(t *tx) error {
			for _, statement := range statements {
				if err := t.run(statement); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	run(drop)
	return func() { run(create) }
}

// insertHistory adds n of all payments, of which those before have been added.
func (t *tx) insertHistory(account pix.Account, before, n, all int) error {
	const series = `WITH RECURSIVE history (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM history WHERE n < $1) `
	first := t.ids.row
	t.ids.row += 5 * int64(n)
	const month = 30 * 24 * time.Hour
	step := month.Microseconds() / int64(all)
	at := account.Now().Add(-month).UnixMicro() + int64(before)*step
	for _, insert := range []string{
		`INSERT INTO payments (id, kind, transaction_id, account_id, external_id, end_to_end_id, status, amount, fee, description,
			key_type, pix_key, directory_key, counterpart_name, counterpart_document, counterpart_ispb, scenario, created_at, processed_at)
		SELECT $2 + 5 * n, CASE WHEN n % 97 = 0 THEN 'refund-in' WHEN n % 89 = 0 THEN 'refund-out'
				WHEN n % 7 = 0 THEN 'transfer' WHEN n % 5 = 0 THEN 'cob' ELSE 'cash-out' END,
			printf('%012x', ($4 + n * $5) / 1000) || lower(hex(randomblob(10))), $3, lower(hex(randomblob(16))),
			'E12345678' || strftime('%Y%m%d%H%M', ($4 + n * $5) / 1000000, 'unixepoch') || hex(randomblob(5)) || 'x',
			CASE WHEN n % 1009 = 0 THEN 'PENDING' WHEN n % 53 = 0 THEN 'ERROR' ELSE 'CONFIRMED' END, 1, 0, '',
			'EMAIL', 'k', CASE WHEN n % 3 = 0 THEN '` + commonKey + `' ELSE abs(random() % 20000) || '@example.com' END,
			'Fulano de Tal', '52998224725', '60701190', '', $4 + n * $5, $4 + n * $5 FROM history`,
		`INSERT INTO entries (id, account_id, payment_id, kind, delta_available, delta_blocked, at)
		SELECT $2 + 5 * n + 1, $3, $2 + 5 * n, 'held', 0, 0, $4 + n * $5 FROM history`,
		`INSERT INTO entries (id, account_id, payment_id, kind, delta_available, delta_blocked, at)
		SELECT $2 + 5 * n + 2, $3, $2 + 5 * n, 'settled', 0, 0, $4 + n * $5 FROM history`,
		`INSERT INTO events (id, account_id, payment_id, message_id, type, body, at)
		SELECT $2 + 5 * n + 3, $3, $2 + 5 * n, 'msg_' || hex(randomblob(13)), 'cash_out', printf('%.600c', 'x'), $4 + n * $5 FROM history`,
		`INSERT INTO deliveries (id, account_id, payment_id, webhook_id, message_id, url, attempt, status, failure, at, took)
		SELECT $2 + 5 * n + 4, $3, $2 + 5 * n, 1, 'msg', 'https://hooks.example/', 1, 200, '', $4 + n * $5, 1000 FROM history`,
	} {
		if err := t.run(series+insert, n, first-5, account.ID, at, step); err != nil {
			return err
		}
	}
	return nil
}

// BenchmarkLists reads the first and the last page of both lists with every pair of
// filters, on an account with a history. p99-ms is of all pages together, slowest-p99-ms
// that of the slowest page; cpu-ms and slowest-cpu-ms are processor time, which other work on
// the machine disturbs less: the mean of all, and that of the most expensive page.
func BenchmarkLists(b *testing.B) {
	history := historySize(b)
	s := open(b, filepath.Join(b.TempDir(), "gateway.db"))
	account := funded(b, s, 0)
	s.insertHistory(b, account, history)
	now := account.Now()
	period := pix.Period{From: now.Add(-31 * 24 * time.Hour), Before: now}
	for _, list := range []struct {
		name   string
		filter PaymentFilter
		size   int
	}{
		{"account", PaymentFilter{}, 100},
		{"key", PaymentFilter{Keys: []string{commonKey, "+55" + commonKey}, Reach: 1000}, 1000},
	} {
		b.Run(fmt.Sprintf("%s/payments=%d", list.name, history), func(b *testing.B) {
			var pages pageTimes
			for _, status := range append(pix.Statuses(), "") {
				for _, operation := range append(pix.Operations(), "") {
					filter := list.filter
					filter.Period, filter.Status, filter.Operation = period, status, operation
					_, total, err := s.Payments(b.Context(), account.ID, filter, Page{1, list.size})
					require.NoError(b, err)
					for _, page := range []int{1, max(1, (total+list.size-1)/list.size)} {
						name := fmt.Sprintf("status=%s type=%s page=%d, %d items in all", status, operation, page, total)
						pages.read(b, name, func() error {
							_, _, err := s.Payments(b.Context(), account.ID, filter, Page{page, list.size})
							return err
						})
					}
				}
			}
			pages.report(b)
		})
	}
}

// pageTimes is how long pages of lists take.
type pageTimes struct {
	all, slowest []time.Duration
	used, most   time.Duration // processor time
	name         string        // of the slowest
}

// read reads a page b.N times.
func (p *pageTimes) read(b *testing.B, name string, page func() error) {
	b.Helper()
	took, before := make([]time.Duration, b.N), processorTime()
	for i := range took {
		began := time.Now()
		err := page()
		took[i] = time.Since(began)
		require.NoError(b, err)
	}
	used := processorTime() - before
	p.used, p.most = p.used+used, max(p.most, used/time.Duration(b.N))
	if p.all = append(p.all, took...); quantile(took, 0.99) > quantile(p.slowest, 0.99) {
		p.slowest, p.name = took, name
	}
}

func (p *pageTimes) report(b *testing.B) {
	b.Helper()
	b.ReportMetric(quantile(p.all, 0.5), "p50-ms")
	b.ReportMetric(quantile(p.all, 0.99), "p99-ms")
	b.ReportMetric(quantile(p.slowest, 0.99), "slowest-p99-ms")
	b.ReportMetric(float64(p.used.Microseconds())/1000/float64(len(p.all)), "cpu-ms")
	b.ReportMetric(float64(p.most.Microseconds())/1000, "slowest-cpu-ms")
	b.Logf("slowest: %s", p.name)
}

// BenchmarkBesideLists takes a token's reads and a cash-out, one after the other, while as many
// clients read the account's list as fast as they can.
func BenchmarkBesideLists(b *testing.B) {
	history := historySize(b)
	s := open(b, filepath.Join(b.TempDir(), "gateway.db"))
	account := funded(b, s, pix.MaxAmount)
	_, err := s.Configure(b.Context(), account.ID, func(set *pix.Settings) { set.Limits = pix.Limits{} })
	require.NoError(b, err)
	s.insertHistory(b, account, history)
	now := account.Now()
	filter := PaymentFilter{Period: pix.Period{From: now.Add(-31 * 24 * time.Hour), Before: now}}
	for _, clients := range []int{0, 64} {
		b.Run(fmt.Sprintf("payments=%d/clients=%d", history, clients), func(b *testing.B) {
			ctx, stop := context.WithCancel(context.Background())
			var listing sync.WaitGroup
			var lists, shed atomic.Int64
			for client := range clients {
				listing.Go(func() {
					for ctx.Err() == nil {
						if _, _, err := s.Payments(ctx, account.ID, filter, Page{1 + client*client, 100}); errors.Is(err, ErrBusy) {
							shed.Add(1)
						} else if err == nil {
							lists.Add(1)
						}
					}
				})
			}
			token, cashOut := make([]time.Duration, b.N), make([]time.Duration, b.N)
			b.ResetTimer()
			for i := range b.N {
				began := time.Now()
				_, err := s.AccountByClientID(ctx, account.ClientID)
				require.NoError(b, err)
				_, err = s.CertificateHolders(ctx, "fingerprint")
				require.NoError(b, err)
				token[i] = time.Since(began)
				began = time.Now()
				_, err = s.CashOut(ctx, account.ID, order(pix.NewUUID(), 1))
				require.NoError(b, err)
				cashOut[i] = time.Since(began)
			}
			b.StopTimer()
			b.ReportMetric(quantile(token, 0.5), "token-p50-ms")
			b.ReportMetric(quantile(token, 0.99), "token-p99-ms")
			b.ReportMetric(quantile(cashOut, 0.5), "cash-out-p50-ms")
			b.ReportMetric(quantile(cashOut, 0.99), "cash-out-p99-ms")
			b.ReportMetric(float64(lists.Load())/b.Elapsed().Seconds(), "lists/s")
			b.ReportMetric(float64(shed.Load()), "shed")
			stop()
			listing.Wait()
		})
	}
}

// quantile is in milliseconds.
func quantile(all []time.Duration, q float64) float64 {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return float64(sorted[int(float64(len(sorted)-1)*q)].Microseconds()) / 1000
}
