package reference

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
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
)

// recordDay is the rate of payments a second over the busiest day that PIX has had:
// 313.3 million on 5 December 2025 (Banco Central do Brasil).
const recordDay = 3626

// BenchmarkPaymentsSettledAndDelivered sends cash-outs to a gateway in a process of its
// own, over HTTP and from 64 connections, and waits until the webhook of each has come
// over HTTPS. gateway-µs/op is the gateway's processor time for one payment, driver-µs/op
// that of client and receiver. webhook-p50-ms and webhook-p99-ms are from the answer to
// the webhook. Where there is a rate, late-p99-ms is by how much the webhook came after
// the time at which the payment was to be sent.
//
// PIXCERT_BENCH_PROFILE names a file for a CPU profile of the gateway, PIXCERT_BENCH_RATE
// is another rate than recordDay.
func BenchmarkPaymentsSettledAndDelivered(b *testing.B) {
	rate := recordDay
	if given := os.Getenv("PIXCERT_BENCH_RATE"); given != "" {
		var err error
		rate, err = strconv.Atoi(given)
		require.NoError(b, err, "PIXCERT_BENCH_RATE is a number of payments a second")
	}
	for _, storage := range []string{"memory", "file"} {
		for _, load := range []struct{ accounts, rate int }{{1, 0}, {8, 0}, {8, rate}} {
			name := fmt.Sprintf("%s/accounts=%d/rate=%d", storage, load.accounts, load.rate)
			b.Run(name, func(b *testing.B) {
				cfg := spawnConfig{Profile: os.Getenv("PIXCERT_BENCH_PROFILE")}
				if storage == "file" {
					cfg.Data = filepath.Join(b.TempDir(), "gateway.db")
				}
				benchmarkPayments(b, spawn(b, cfg), load.accounts, load.rate)
			})
		}
	}
}

// connections is how many of them send payments at once.
const connections = 64

// benchmarkPayments sends b.N payments, a rate of them in a second or, where it is 0, as
// fast as they are answered.
func benchmarkPayments(b *testing.B, g *spawned, accounts, rate int) {
	warmUp := 4 * connections
	d := newDriver(b, g, accounts, warmUp+b.N)
	d.send(b, 0, warmUp, 0)
	own, gateways := processorTime(), g.cpu(b)
	b.ResetTimer()
	d.send(b, warmUp, b.N, rate)
	b.StopTimer()
	own, gateways = processorTime()-own, g.cpu(b)-gateways

	perPayment := func(d time.Duration) float64 { return float64(d.Microseconds()) / float64(b.N) }
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "payments/s")
	b.ReportMetric(perPayment(gateways), "gateway-µs/op")
	b.ReportMetric(perPayment(own), "driver-µs/op")
	webhook := between(d.answered[warmUp:], d.delivered[warmUp:])
	b.ReportMetric(quantile(between(d.sent[warmUp:], d.answered[warmUp:]), 0.99), "answer-p99-ms")
	b.ReportMetric(quantile(webhook, 0.5), "webhook-p50-ms")
	b.ReportMetric(quantile(webhook, 0.99), "webhook-p99-ms")
	if rate > 0 {
		b.ReportMetric(quantile(between(d.intended[warmUp:], d.delivered[warmUp:]), 0.99), "late-p99-ms")
	}
}

// driver is a client of a gateway together with the receiver of its webhooks.
type driver struct {
	client  *http.Client
	url     string
	tokens  []string
	missing sync.WaitGroup // payments whose webhook has not come

	// By payment.
	intended  []time.Time // when it was to be sent
	sent      []time.Time
	answered  []time.Time
	delivered []time.Time // when its webhook came
}

// newDriver makes accounts that are rich, have no limits and a webhook each.
func newDriver(b *testing.B, g *spawned, accounts, payments int) *driver {
	b.Helper()
	d := &driver{
		client:    &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}},
		url:       g.URL() + "/api/pix/cash-out",
		intended:  make([]time.Time, payments),
		sent:      make([]time.Time, payments),
		answered:  make([]time.Time, payments),
		delivered: make([]time.Time, payments),
	}
	b.Cleanup(d.client.CloseIdleConnections)
	certificate, err := newAuthority(b).IssueServer("127.0.0.1")
	require.NoError(b, err)
	sink := httptest.NewUnstartedServer(http.HandlerFunc(d.receive))
	sink.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS13}
	sink.Config.ErrorLog = log.New(io.Discard, "", 0) // of connections that end during the handshake
	sink.StartTLS()
	b.Cleanup(sink.Close)
	for range accounts {
		controls, token := newAccount(b, g)
		send(b, http.MethodPut, controls+"/balance", nil, `{"available":"1000000000.00"}`)
		send(b, http.MethodPut, controls+"/limits", nil, `{"perTransaction":null,"daily":null,"night":null}`)
		status, answer := send(b, http.MethodPost, g.URL()+"/api/webhooks", bearer(token), fmt.Sprintf(`{"url":%q,"eventType":"cash_out"}`, sink.URL))
		require.Equal(b, http.StatusOK, status, "%v", answer)
		d.tokens = append(d.tokens, token)
	}
	return d
}

// send sends count payments from the first on and waits for their webhooks.
func (d *driver) send(b *testing.B, first, count, rate int) {
	b.Helper()
	d.missing.Add(count)
	start := time.Now()
	var next atomic.Int64
	var clients sync.WaitGroup
	for range connections {
		clients.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= count {
					return
				}
				intended := time.Now()
				if rate > 0 {
					intended = start.Add(time.Duration(i) * time.Second / time.Duration(rate))
					time.Sleep(time.Until(intended))
				}
				d.intended[first+i] = intended
				if err := d.pay(first + i); err != nil {
					b.Error(err)
					d.missing.Done()
				}
			}
		})
	}
	clients.Wait()
	d.missing.Wait()
}

const idPrefix = "payment-"

// pay sends one payment.
func (d *driver) pay(i int) error {
	body := fmt.Sprintf(`{"value":0.01,"externalId":"%s%d","details":{"key":"fulano@example.com","keyType":"EMAIL",`+
		`"name":"Fulano de Tal","document":"52998224725"}}`, idPrefix, i)
	request, err := http.NewRequest(http.MethodPost, d.url, strings.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+d.tokens[i%len(d.tokens)])
	d.sent[i] = time.Now()
	response, err := d.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	d.answered[i] = time.Now()
	if err == nil && response.StatusCode != http.StatusCreated {
		err = fmt.Errorf("expected 201 to payment %d, got %d: %s", i, response.StatusCode, answer)
	}
	return err
}

// receive notes a webhook. One that comes twice makes the wait group panic.
func (d *driver) receive(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, rest, _ := bytes.Cut(body, []byte(idPrefix))
	digits, _, _ := bytes.Cut(rest, []byte(`"`))
	i, err := strconv.Atoi(string(digits))
	if err != nil {
		return // which leaves its payment missing
	}
	d.delivered[i] = time.Now()
	d.missing.Done()
}

// between is how long after one time each other came; before it counts as at once.
func between(from, to []time.Time) []time.Duration {
	took := make([]time.Duration, len(from))
	for i := range took {
		took[i] = max(0, to[i].Sub(from[i]))
	}
	return took
}

// quantile is in milliseconds.
func quantile(all []time.Duration, q float64) float64 {
	sorted := slices.Sorted(slices.Values(all))
	return float64(sorted[int(float64(len(sorted)-1)*q)].Microseconds()) / 1000
}
