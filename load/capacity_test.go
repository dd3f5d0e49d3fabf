package load

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/test/faulty"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// steady is a script that fails when responses are slow.
const steady = head + `
	const client = new Client({ ...at });
	export const options = {
		scenarios: { pay: { executor: "pix-arrival-rate", rate: Number(__ENV.RATE), duration: __ENV.DURATION, preAllocatedVUs: 50, maxVUs: 600 } },
		thresholds: { ...thresholds("correct", "answered", "valid"), "pix_req_intended_duration{operation:cash-out}": ["p(99)<1000"] },
	};
	export function setup() { client.prepare(); }
	export default function () { client.account().cashOut(); }
`

// startSearch starts a search of a script.
func startSearch(t *testing.T, script string, env []string, args ...string) *k6Process {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "script.ts"), []byte(script), 0o600))
	return start(t, dir, env, program(t), append([]string{"x", "pix", "capacity", "script.ts"}, args...)...)
}

// paced is the reference behind a proxy that passes one payment in each interval.
func paced(t *testing.T, interval time.Duration) (env []string, payments *atomic.Int64) {
	t.Helper()
	g := reftest.Start(t)
	upstream, err := url.Parse(g.URL)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(upstream)
	proxy.Transport = &http.Transport{MaxIdleConnsPerHost: 100}
	var turn sync.Mutex
	payments = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/cash-out") {
			payments.Add(1)
			turn.Lock()
			time.Sleep(interval)
			turn.Unlock()
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return []string{"PIX_URL=" + server.URL, "PIX_CONTROLS=" + g.ControlURL}, payments
}

func TestASearchFindsTheCapacity(t *testing.T) {
	t.Parallel()
	env, _ := paced(t, 8*time.Millisecond) // 125 a second
	k := startSearch(t, steady, env, "--from", "50", "--to", "1000", "--duration", "4s", "--precision", "50%", "--keep", "runs", "--", "--tag", "version=7").wait(t)
	if k.status == 3 {
		t.Skipf("this machine was too slow for the search:\n%s", k.stdout)
	}
	require.Zero(t, k.status, k.stdout+k.stderr)
	assert.Regexp(t, `(?m)^ +50/s +pass +\d`, k.stdout)
	assert.Regexp(t, `(?m)^ +200/s +fail +\d.*s  threshold pix_req_intended_duration`, k.stdout)
	assert.Regexp(t, `(?m)^capacity: 100/s; 200/s failed: threshold pix_req_intended_duration`, k.stdout)
	for _, rate := range []string{"50", "100", "200"} {
		r, err := result.Read(filepath.Join(k.dir, "runs", rate, "result.json"))
		require.NoError(t, err)
		requireRightBooks(t, r)
	}
}

func TestASearchReportsWrongPayments(t *testing.T) {
	t.Parallel()
	g := reftest.Start(t)
	proxy := faulty.StartProxy(t, faulty.ProxyConfig{Upstream: g.URL, Deliveries: faulty.OneIn(10, faulty.Alter)})
	k := startSearch(t, steady, []string{"PIX_URL=" + proxy.URL, "PIX_CONTROLS=" + g.ControlURL}, "--from", "20", "--to", "40", "--duration", "2s").wait(t)
	assert.Equal(t, 99, k.status, k.stderr)
	assert.Regexp(t, `(?m)^ +20/s +wrong `, k.stdout)
	assert.Contains(t, k.stdout, "no capacity found: 20/s was wrong: ")
	assert.Contains(t, k.stderr, "payments, webhooks or money were wrong at 20/s")
}

func TestASearchEndsWithTheErrorOfK6(t *testing.T) {
	t.Parallel()
	nowhere := []string{"PIX_URL=http://127.0.0.1:1", "PIX_CONTROLS=http://127.0.0.1:1"}
	k := startSearch(t, steady, nowhere).wait(t)
	assert.Equal(t, 107, k.status, k.stderr)
	assert.Contains(t, k.stderr, "at 50/s: ")
	assert.Contains(t, k.stderr, "connection refused")
	assert.Contains(t, k.stdout, "no capacity found")
}

func TestAnInterruptedSearchSaysWhatItKnows(t *testing.T) {
	t.Parallel()
	env, payments := paced(t, 0)
	k := startSearch(t, steady, env, "--from", "30", "--duration", "3600s")
	require.Eventually(t, func() bool { return payments.Load() > 0 }, time.Minute, 10*time.Millisecond)
	require.NoError(t, k.Process.Signal(syscall.SIGINT))
	ended := k.wait(t)
	assert.Equal(t, 105, ended.status, ended.stderr)
	assert.Regexp(t, `(?m)^ +30/s +interrupted .*every webhook matched`, ended.stdout)
	assert.Contains(t, ended.stdout, "interrupted: no capacity found")
}

func TestASearchRefusesAScriptThatIgnoresItsRate(t *testing.T) {
	t.Parallel()
	const fixed = head + `
		const client = new Client({ ...at });
		export const options = { iterations: 5 };
		export function setup() { client.prepare(); }
		export default function () { client.account().cashOut(); }
`
	k := startSearch(t, fixed, target(t), "--from", "1000", "--to", "1000", "--duration", "1s").wait(t)
	assert.NotZero(t, k.status)
	assert.Contains(t, k.stderr, "expected about 1000 iterations, 1000/s for 1s, got 5")
	assert.NotContains(t, k.stdout, "capacity: at least")
}
