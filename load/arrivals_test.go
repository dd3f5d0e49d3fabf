package load

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// arriving is a script that reads its scenario from the environment.
const arriving = `
	import { Client, thresholds, summary, result } from "k6/x/pix";
	const client = new Client({ url: __ENV.PIX_URL, controls: { url: __ENV.PIX_CONTROLS }, warmup: "0s" });
	export const options = { scenarios: { pay: Object.assign({ executor: "pix-arrival-rate" }, JSON.parse(__ENV.SCENARIO)) }, thresholds: { pix_invalid: ["count==0"], "pix_req_intended_duration{operation:cash-out}": ["p(99)<60000"] } };
	export function setup() { client.prepare(); }
	export default function () { client.account().cashOut(); }
	export function handleSummary(data) { return { stdout: summary(data), "result.json": result(data) }; }`

// delayed is the reference behind a proxy that delays payments, depending on the time since the
// first one.
func delayed(t *testing.T, hold func(since time.Duration) time.Duration) (env []string) {
	t.Helper()
	g := reftest.Start(t)
	upstream, err := url.Parse(g.URL)
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(upstream)
	first := sync.OnceValue(time.Now)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/cash-out") {
			timer := time.NewTimer(hold(time.Since(first())))
			defer timer.Stop()
			<-timer.C
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return []string{"PIX_URL=" + s.URL, "PIX_CONTROLS=" + g.ControlURL}
}

// ofTheGenerator requires that waiting for these gateways, 400 ms or more for over a twentieth of the
// arrivals, is not counted as schedule lag. Shorter lag, and that of fewer, is what a busy machine causes.
func ofTheGenerator(t *testing.T, r result.Result) {
	t.Helper()
	assert.Less(t, milliseconds(t, r, "pix_schedule_lag", "p(95)"), 250*time.Millisecond)
}

// requireAll requires that all arrivals were offered, unless the machine stalled.
func requireAll(t *testing.T, r result.Result, arrivals int64) {
	t.Helper()
	require.Equal(t, arrivals, r.Iterations+r.Dropped)
	if r.Dropped > 0 {
		require.Greater(t, milliseconds(t, r, "pix_schedule_lag", "max"), 200*time.Millisecond, "%d arrivals never started", r.Dropped)
	}
}

// milliseconds is a value of a trend.
func milliseconds(t *testing.T, r result.Result, metric, value string) time.Duration {
	t.Helper()
	ms, ok := r.Metrics[metric].Values[value]
	require.True(t, ok, "%s of %s", value, metric)
	return time.Duration(ms * float64(time.Millisecond))
}

// payingTook is a value of the latency of payments, from the intended start.
func payingTook(t *testing.T, r result.Result, value string) time.Duration {
	t.Helper()
	return milliseconds(t, r, "pix_req_intended_duration{operation:cash-out}", value)
}

// Arrivals after a stall are measured from their own slots, and the run is valid: the gateway
// was slow, not the generator.
func TestStallsOfTheGatewayAreTheGateways(t *testing.T) {
	t.Parallel()
	env := delayed(t, func(since time.Duration) time.Duration {
		const every, stall = 1600 * time.Millisecond, 600 * time.Millisecond
		if in := since % every; in >= every-stall {
			return every - in
		}
		return 0
	})
	k := runK6(t, arriving, append(env, `SCENARIO={"rate": 25, "duration": "5600ms", "preAllocatedVUs": 5, "maxVUs": 10}`))
	r := requireSound(t, k)[0]
	requireAll(t, r, 140)
	stalled := payingTook(t, r, "p(90)")
	assert.Greater(t, stalled, 200*time.Millisecond)
	assert.Less(t, payingTook(t, r, "med"), stalled/2, "of those between the stalls")
	ofTheGenerator(t, r)
}

func TestASlowGatewayIsMeasuredAndNotTheGenerator(t *testing.T) {
	t.Parallel()
	env := delayed(t, func(time.Duration) time.Duration { return 400 * time.Millisecond })
	k := runK6(t, arriving, append(env, `SCENARIO={"rate": 30, "duration": "5s", "preAllocatedVUs": 2, "maxVUs": 60}`))
	r := requireSound(t, k)[0]
	requireAll(t, r, 150)
	median := payingTook(t, r, "med")
	assert.GreaterOrEqual(t, median, 400*time.Millisecond)
	assert.Less(t, median, 800*time.Millisecond, "none waits for an iteration of another")
	ofTheGenerator(t, r)
}

func TestTooFewVirtualUsersAreNamed(t *testing.T) {
	t.Parallel()
	env := delayed(t, func(time.Duration) time.Duration { return 400 * time.Millisecond })
	k := runK6(t, arriving, append(env, `SCENARIO={"rate": 20, "duration": "2s", "preAllocatedVUs": 1, "maxVUs": 2}`))
	require.Equal(t, result.Invalid.ExitStatus(), k.status, k.stderr)
	r := k.result(t)
	requireRightBooks(t, r)
	assert.EqualValues(t, 40, r.Iterations+r.Dropped)
	printed := strings.Join(strings.Fields(k.stdout), " ")
	assert.Contains(t, printed, fmt.Sprintf("too few virtual users: %d of 40 arrivals never started", r.Dropped))
	assert.Contains(t, printed, " waited for a virtual user, maxVUs is 2")
	assert.NotContains(t, k.stdout, "generator: virtual users")
}

// A gateway stalls for three seconds. One scenario has one of k6's own executors, which drops
// iterations meanwhile. None of the later ones is late. The gateway fails the thresholds of both scenarios, and is not excused.
func TestDroppedIterationsOfAStalledGatewayAreNotLateness(t *testing.T) {
	t.Parallel()
	const from, to = 2 * time.Second, 5 * time.Second
	env := delayed(t, func(since time.Duration) time.Duration {
		if since < from || since > to {
			return 0
		}
		return to - since
	})
	k := runK6(t, head+`
		const client = new Client({ ...at, warmup: "0s" });
		const took = (metric, scenario) => metric + "{scenario:" + scenario + ",operation:cash-out}";
		export const options = {
			scenarios: {
				desk: { executor: "constant-arrival-rate", rate: 15, duration: "12s", preAllocatedVUs: 10, maxVUs: 60 },
				payout: { executor: "pix-arrival-rate", rate: 60, duration: "12s", preAllocatedVUs: 20, maxVUs: 250 },
			},
			thresholds: { [took("pix_req_duration", "desk")]: ["p(99)<800"], [took("pix_req_duration", "payout")]: ["p(99)<800"], [took("pix_req_intended_duration", "payout")]: ["p(99)<800"], dropped_iterations: ["count==0"] },
		};
		export function setup() { client.prepare(); }
		export default function () { client.account().cashOut(); }`, env)
	r := k.result(t)
	requireRightBooks(t, r)
	require.Positive(t, r.Dropped)
	ofTheGenerator(t, r) // the lag is that of payout: k6's own executors do not report theirs
	assert.Regexp(t, `no virtual user was free:\s+raise\s+preAllocatedVUs`, k.stdout)
	assert.NotContains(t, k.stdout, "generator: schedule lag")
	assert.Regexp(t, `the gateway sent no response for [23](\.\d+)? s, \ds after the start \([0-9,]+ requests waited\)`, strings.Join(strings.Fields(k.stdout), " "))
	assert.Equal(t, result.Fail.ExitStatus(), k.status, k.stderr)
	assert.Equal(t, result.Fail, r.Outcome)
}
