package sink

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/ledger"
)

// BenchmarkDelivery is the CPU that this process spends on a delivery over TLS with
// keep-alive, its sender being another process; with a ledger, and without.
func BenchmarkDelivery(b *testing.B) {
	const run = 1
	for _, c := range []struct {
		name    string
		receive func(n int) func(ledger.Delivery)
	}{
		{"sink", func(int) func(ledger.Delivery) { return func(ledger.Delivery) {} }},
		{"sink and ledger", func(n int) func(ledger.Delivery) {
			l := ledger.New(ledger.Config{Run: run})
			for i := range n {
				id := data.ID{Run: run, Sequence: uint64(i)}
				l.Register(ledger.Payment{ID: id, Amount: 1000}, time.Time{})
				l.Answered(id, ledger.Answer{Fate: ledger.Accepted, At: time.Now()})
			}
			return func(d ledger.Delivery) { l.Receive(d) }
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s, err := Open(Config{Root: "run", Receive: c.receive(b.N)})
			require.NoError(b, err)
			defer s.Close(context.Background())
			sender := exec.Command(os.Args[0])
			sender.Env = append(os.Environ(), "SINK_BENCH_URL="+s.URL(0, "cash_out"), fmt.Sprint("SINK_BENCH_COUNT=", b.N))
			sender.Stderr = os.Stderr
			before := cpu()
			b.ResetTimer()
			require.NoError(b, sender.Run())
			b.ReportMetric(float64((cpu()-before).Microseconds())/float64(b.N), "cpu-µs/op")
		})
	}
}

func cpu() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// flood sends n deliveries over eight connections.
func flood(to string, n int) {
	target, err := url.Parse(to)
	if err != nil {
		panic(err)
	}
	const senders = 8
	var all sync.WaitGroup
	for sender := range senders {
		all.Go(func() {
			conn, err := tls.Dial("tcp", target.Host, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"http/1.1"}})
			if err != nil {
				panic(err)
			}
			defer conn.Close()
			answers := bufio.NewReader(conn)
			for i := sender; i < n; i += senders {
				body := event(i)
				fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: bench\r\nContent-Length: %d\r\nContent-Type: application/json\r\n"+
					"Webhook-Id: msg_%032d\r\nAccept-Encoding: gzip\r\n\r\n%s", target.Path, target.Host, len(body), i, body)
				answer, err := http.ReadResponse(answers, nil)
				if err != nil {
					panic(err)
				}
				io.Copy(io.Discard, answer.Body)
			}
		})
	}
	all.Wait()
}

func event(i int) string {
	return `{"event":"CashOut","status":"CONFIRMED","transactionType":"PIX","movementType":"DEBIT","transactionId":"7b9f2f4e-3c1d-4b7e-9a51-3f4c5d6e7f80","externalId":"` +
		data.ID{Run: 1, Sequence: uint64(i)}.ExternalID() +
		`","endToEndId":"E1234567820260301233000000000000A","pixKey":"somebody@example.com","feeAmount":0.50,"originalAmount":10.00,"finalAmount":10.50,` +
		`"processingDate":"2026-03-01T23:30:00.000Z","errorCode":null,"errorMessage":null,"counterpart":{"name":"` + strings.Repeat("n", 30) +
		`","document":"12345678909","bank":{"bankISPB":"60701190","bankName":"ITAU","bankCode":"341","accountBranch":null,"accountNumber":null}},"metadata":{}}`
}
