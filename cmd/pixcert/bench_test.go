package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/hostile"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/explore"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// concurrency is how many scenarios certify runs at once by default.
const concurrency = 24

// BenchmarkCertify measures the overhead of the suite. It compares the wall time of a run with that of
// a plain net/http client that sends the same requests to a fresh gateway at the same concurrency.
// "ratio" is the first divided by the second; "cpu-ratio" is that of the processor time of both sides,
// which a busy machine changes less.
func BenchmarkCertify(b *testing.B) {
	besidePlainClient(b, concurrency, func(b *testing.B, options run.Options) time.Duration {
		result, err := run.Certify(b.Context(), options)
		require.NoError(b, err)
		return result.Took
	})
}

// BenchmarkExplore does the same for 256 random walks.
func BenchmarkExplore(b *testing.B) {
	besidePlainClient(b, 16, func(b *testing.B, options run.Options) time.Duration {
		report, err := explore.Explore(b.Context(), explore.Options{Run: options, Seed: options.Seed, Walks: 256})
		require.NoError(b, err)
		require.Empty(b, report.Findings)
		return report.Took
	})
}

// besidePlainClient compares runs with a plain client that sends their requests again.
func besidePlainClient(b *testing.B, concurrency int, do func(*testing.B, run.Options) time.Duration) {
	relaxGC() // as the command does
	var suite, plain, suiteCPU, plainCPU time.Duration
	exchanges := 0
	for b.Loop() {
		began := processorTime()
		took, recorded := recordedRun(b, concurrency, do)
		suite, suiteCPU = suite+took, suiteCPU+processorTime()-began
		began = processorTime()
		plain += sendAgain(b, recorded, concurrency)
		plainCPU += processorTime() - began
		exchanges = 0
		for _, of := range recorded {
			exchanges += len(of)
		}
	}
	b.ReportMetric(suite.Seconds()/float64(b.N), "s/run")
	b.ReportMetric(plain.Seconds()/float64(b.N), "s/replay")
	b.ReportMetric(suite.Seconds()/plain.Seconds(), "ratio")
	b.ReportMetric(suiteCPU.Seconds()/plainCPU.Seconds(), "cpu-ratio")
	b.ReportMetric(float64(exchanges), "exchanges")
}

// processorTime is what this process has used, of which the gateway is a part.
func processorTime() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage) // cannot fail for SELF
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkCertifyUnderLatency certifies a target that delays each response of the API by 50 ms,
// 24 scenarios at a time. "ratio" is the time of the scenarios divided by the ideal: the time
// during which the scenarios have requests in flight, divided by 24. (Concurrent requests of a
// scenario count once: adding them up would make the ideal longer, and the ratio better, than it is.)
func BenchmarkCertifyUnderLatency(b *testing.B) {
	var took, ideal time.Duration
	for b.Loop() {
		profile, stop, err := bundled(b.Context(), reference.Config{})
		require.NoError(b, err)
		proxy, err := hostile.Listen(hostile.Config{Upstream: profile.BaseURL, Delay: 50 * time.Millisecond})
		require.NoError(b, err)
		profile.BaseURL = proxy.URL
		var mu sync.Mutex
		recorded := map[string][]exchange.Exchange{}
		result, err := run.Certify(b.Context(), run.Options{
			Target: profile, Concurrency: concurrency, Seed: 1,
			Recorder: func(scenario string, e exchange.Exchange) {
				if e.Party != exchange.Webhook {
					mu.Lock()
					defer mu.Unlock()
					recorded[scenario] = append(recorded[scenario], e)
				}
			},
		})
		require.NoError(b, err)
		require.Equal(b, verdict.Conforms, result.Outcome())
		took += result.Took
		for _, of := range recorded {
			ideal += underWay(of) / concurrency
		}
		proxy.Close()
		stop()
	}
	b.ReportMetric(took.Seconds()/float64(b.N), "s/run")
	b.ReportMetric(ideal.Seconds()/float64(b.N), "s/ideal")
	b.ReportMetric(took.Seconds()/ideal.Seconds(), "ratio")
}

// underWay returns for how long at least one of the exchanges was in flight.
func underWay(exchanges []exchange.Exchange) (total time.Duration) {
	slices.SortFunc(exchanges, func(a, b exchange.Exchange) int { return a.Sent.Compare(b.Sent) })
	var end time.Time
	for _, e := range exchanges {
		done := e.Sent.Add(e.Took)
		if e.Sent.After(end) {
			end = e.Sent
		}
		if done.After(end) {
			total += done.Sub(end)
			end = done
		}
	}
	return total
}

// recordedRun runs against a fresh reference and keeps what each scenario sent.
func recordedRun(b *testing.B, concurrency int, do func(*testing.B, run.Options) time.Duration) (time.Duration, map[string][]exchange.Exchange) {
	profile, stop, err := bundled(b.Context(), reference.Config{})
	require.NoError(b, err)
	defer stop()
	var mu sync.Mutex
	recorded := map[string][]exchange.Exchange{}
	took := do(b, run.Options{
		Target: profile, Concurrency: concurrency, Seed: 1,
		Recorder: func(scenario string, e exchange.Exchange) {
			if e.Party == exchange.Webhook {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			recorded[scenario] = append(recorded[scenario], e)
		},
	})
	return took, recorded
}

// sendAgain sends the recorded requests to a fresh gateway. It replaces the recorded ids, secrets and
// tokens by those that this gateway returns, so that the gateway does the same work.
func sendAgain(b *testing.B, recorded map[string][]exchange.Exchange, concurrency int) time.Duration {
	gateway, stop, err := bundled(b.Context(), reference.Config{})
	require.NoError(b, err)
	defer stop()
	hooks := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer hooks.Close()
	client := &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: concurrency},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	defer client.CloseIdleConnections()

	slots := make(chan struct{}, concurrency)
	var wait sync.WaitGroup
	started := time.Now()
	for _, of := range recorded {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			base := map[exchange.Party]string{exchange.API: gateway.BaseURL, exchange.Control: gateway.Control.URL}
			replayScenario(b.Context(), client, of, base, hooks.URL)
		})
	}
	wait.Wait()
	return time.Since(started)
}

// sinkURL is the webhook sink of the recorded run, which is gone.
var sinkURL = regexp.MustCompile(`https://127\.0\.0\.1:\d+`)

func replayScenario(ctx context.Context, client *http.Client, of []exchange.Exchange, base map[exchange.Party]string, hooks string) {
	now := []string{} // pairs: a recorded value, and its replacement
	for _, e := range of {
		put := strings.NewReplacer(now...)
		path := e.URL[strings.Index(e.URL[len("http://"):], "/")+len("http://"):]
		body := sinkURL.ReplaceAllString(put.Replace(string(e.Body)), hooks)
		request, err := http.NewRequestWithContext(ctx, e.Method, base[e.Party]+put.Replace(path), strings.NewReader(body))
		if err != nil {
			continue
		}
		for name, values := range e.Header {
			request.Header.Set(name, put.Replace(values[0]))
		}
		response, err := client.Do(request)
		if err != nil {
			continue
		}
		answer, _ := io.ReadAll(response.Body)
		response.Body.Close()
		now = append(now, pairs(e.ResponseBody, answer)...)
	}
}

// pairs finds the values that the gateway generated, in the recorded response and in the new one.
func pairs(recorded, answer []byte) []string {
	var was, is map[string]any
	if decode(recorded, &was) != nil || decode(answer, &is) != nil {
		return nil
	}
	var all []string
	for _, name := range []string{"clientId", "clientSecret", "access_token", "transactionId"} {
		old, _ := was[name].(string)
		if now, ok := is[name].(string); ok && old != "" {
			all = append(all, old, now)
		}
	}
	if old, ok := was["accountId"].(json.Number); ok {
		if now, ok := is["accountId"].(json.Number); ok {
			all = append(all, "/accounts/"+old.String()+"/", "/accounts/"+now.String()+"/")
		}
	}
	return all
}

func decode(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return d.Decode(into)
}
