package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps"
	"github.com/pixcert/pixcert/steps/exchange"
)

// BenchmarkCertify tells what the suite costs beside the work that it makes the target
// do: the wall time of a run, and of a plain net/http client that sends the same
// exchanges again to a fresh gateway, at the same concurrency. "ratio" is the first
// divided by the second.
func BenchmarkCertify(b *testing.B) {
	const concurrency = 16
	var suite, plain time.Duration
	exchanges := 0
	for b.Loop() {
		took, recorded := recordedRun(b, concurrency)
		suite += took
		plain += replay(b, recorded, concurrency)
		exchanges = 0
		for _, of := range recorded {
			exchanges += len(of)
		}
	}
	b.ReportMetric(suite.Seconds()/float64(b.N), "s/run")
	b.ReportMetric(plain.Seconds()/float64(b.N), "s/replay")
	b.ReportMetric(suite.Seconds()/plain.Seconds(), "ratio")
	b.ReportMetric(float64(exchanges), "exchanges")
}

// recordedRun certifies a fresh reference and keeps what each scenario sent.
func recordedRun(b *testing.B, concurrency int) (time.Duration, map[string][]exchange.Exchange) {
	profile, stop, err := bundled(b.Context(), reference.Config{})
	require.NoError(b, err)
	defer stop()
	var mu sync.Mutex
	recorded := map[string][]exchange.Exchange{}
	result, err := steps.Run(b.Context(), steps.Options{
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
	require.NoError(b, err)
	return result.Took, recorded
}

// replay sends what was recorded to a fresh gateway. Ids, secrets and tokens that the
// gateway gives are put where the recorded ones stood, so that it does the same work.
func replay(b *testing.B, recorded map[string][]exchange.Exchange, concurrency int) time.Duration {
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
	now := []string{} // pairs: what was recorded, what stands for it now
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

// pairs finds the values that the gateway made up, in the recorded answer and in the
// one that stands for it.
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
