//go:build unix

package load

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/result"
)

// A generator that stalled for a moment was late with what was due then. Thresholds on latency
// that pass nevertheless are valid; those that fail may be the generator's fault.
func TestALateGeneratorIsJudgedByTheLimitsOnLatency(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		limit  string
		reason result.Figure
	}{
		"limits that pass":        {limit: "p(99)<600000"},
		"limits that fail by it":  {limit: "p(99)<300", reason: result.OwnDelay},
		"limits that fail anyway": {limit: "p(99)<0.01"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const script = head + `
				const client = new Client({ ...at });
				export const options = {
					scenarios: { pay: { executor: "pix-arrival-rate", rate: 50, duration: "4s", preAllocatedVUs: 50 } },
					thresholds: { ...thresholds("valid"), "pix_req_intended_duration{operation:cash-out}": [__ENV.LIMIT] },
				};
				export function setup() { client.prepare(); }
				export default function () { client.account().cashOut(); console.log("PAID once"); }`
			k := startK6(t, script, append(target(t), "LIMIT="+c.limit))
			require.Eventually(t, func() bool { return strings.Contains(k.stderr.String(), "PAID once") }, time.Minute, 10*time.Millisecond, &k.stderr)
			require.NoError(t, k.Process.Signal(syscall.SIGSTOP))
			time.Sleep(400 * time.Millisecond) // what it is late by
			require.NoError(t, k.Process.Signal(syscall.SIGCONT))
			ended := k.wait(t)
			r := ended.result(t)
			requireRightBooks(t, r)
			lag := time.Duration(r.Generator.ScheduleLag * float64(time.Millisecond))
			require.Greater(t, lag, 300*time.Millisecond)
			if lag > time.Second {
				t.Skipf("expected a machine that adds less than 600 ms of its own, got a lag of %s", lag)
			}
			if c.reason != "" {
				assert.True(t, r.Has(c.reason), "%+v", r.Reasons)
				assert.Equal(t, result.Invalid.ExitStatus(), ended.status, ended.stderr)
				return
			}
			assert.False(t, r.Has(result.OwnDelay), "%+v", r.Reasons)
			if c.limit == "p(99)<0.01" {
				assert.Equal(t, result.Fail.ExitStatus(), ended.status, ended.stderr)
				return
			}
			requireSound(t, ended)
		})
	}
}

// One of k6's own executors drops iterations after the generator stalled. That does not hide
// the stall.
func TestALateGeneratorThatDropsIterationsIsInvalid(t *testing.T) {
	t.Parallel()
	const script = head + `
		const client = new Client({ ...at, warmup: "0s" });
		export const options = {
			scenarios: { pay: { executor: "constant-arrival-rate", rate: 50, duration: "6s", preAllocatedVUs: 10 } },
			thresholds: { pix_invalid: ["count==0"], "pix_req_intended_duration{operation:cash-out}": ["p(99)<600"] },
		};
		export function setup() { client.prepare(); }
		export default function () { client.account().cashOut(); console.log("PAID once"); }`
	k := startK6(t, script, target(t))
	require.Eventually(t, func() bool { return strings.Contains(k.stderr.String(), "PAID once") }, time.Minute, 10*time.Millisecond, &k.stderr)
	require.NoError(t, k.Process.Signal(syscall.SIGSTOP))
	time.Sleep(2500 * time.Millisecond)
	require.NoError(t, k.Process.Signal(syscall.SIGCONT))
	ended := k.wait(t)
	r := ended.result(t)
	requireRightBooks(t, r)
	require.Positive(t, r.Dropped)
	assert.Contains(t, ended.stdout, "generator: hiccup p99")
	assert.Equal(t, result.Invalid.ExitStatus(), ended.status, ended.stderr)
}
