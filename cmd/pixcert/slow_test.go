package main

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/ci/hostile"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// patientDeadlines are those of a run against a correct gateway that is slow, on a machine that may be slow, too.
var patientDeadlines = target.Deadlines{Answer: 3 * time.Second}

func slow(t *testing.T, config hostile.SlowConfig) *hostile.Slow {
	t.Helper()
	proxy, err := hostile.ListenSlow(config)
	require.NoError(t, err)
	t.Cleanup(proxy.Close)
	return proxy
}

// A correct gateway that freezes or restarts during a run conforms, and the run lists the outage.
func TestOutagesFailNoRule(t *testing.T) {
	t.Parallel()
	for name, interrupt := range map[string]func(*testing.T, *hostile.Slow){
		"frozen":    func(_ *testing.T, s *hostile.Slow) { s.Freeze(4 * time.Second) },
		"restarted": func(t *testing.T, s *hostile.Slow) { require.NoError(t, s.Restart(2*time.Second)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			profile := bundledFor(t)
			proxy := slow(t, hostile.SlowConfig{Upstream: profile.BaseURL})
			profile.BaseURL, profile.Deadlines = proxy.URL, patientDeadlines
			interrupted := make(chan struct{})
			go func() {
				defer close(interrupted)
				for {
					if n, _ := proxy.Requests(); n > 200 {
						interrupt(t, proxy)
						return
					}
					time.Sleep(time.Millisecond)
				}
			}()
			result, err := run.Certify(t.Context(), run.Options{Target: profile, Seed: 1, Tags: "@cash-out or @balance or @lists"})
			require.NoError(t, err)
			<-interrupted
			requireNoFailure(t, result)
			require.NotEmpty(t, result.Outages)
			require.Equal(t, verdict.Conforms, result.Outcome())
		})
	}
}

// An operation that never responds while others do fails one scenario, which says so. The scenarios that merely need
// it could not be tested, and do not wait for it.
func TestASilentOperationIsEstablishedOnce(t *testing.T) {
	t.Parallel()
	profile := bundledFor(t)
	var stuck func(*http.Request) bool = func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/api/pix/cash-out") }
	proxy := slow(t, hostile.SlowConfig{Upstream: profile.BaseURL, Stuck: stuck})
	profile.BaseURL, profile.Deadlines = proxy.URL, target.Deadlines{Answer: time.Second}
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Seed: 1, Tags: "@cash-out or @balance"})
	require.NoError(t, err)
	require.Nil(t, result.Ended)
	var failed []verdict.Scenario
	untested := 0
	for _, s := range result.Scenarios {
		switch s.Verdict {
		case verdict.Fail:
			failed = append(failed, s)
		case verdict.CouldNotTest:
			untested++
			require.Contains(t, s.Finding.Got, "cash-out gets no response; see ")
		}
	}
	require.Len(t, failed, 1)
	require.Regexp(t, `^none in 2 attempts with nothing else in flight, the last after 1\.?\d*s \(timed out after 1s\), while the target responded to \d+ other requests$`, failed[0].Finding.Got)
	require.Equal(t, "a response to this cash-out", failed[0].Finding.Expected)
	require.Greater(t, untested, 50)
	var out time.Duration // a busy machine may not respond to anything for a second, but does not do so for long
	for _, o := range result.Outages {
		out += o.To.Sub(o.From)
	}
	require.Less(t, out, result.Took/2, "%v", result.Outages)
}

func requireNoFailure(t *testing.T, result *verdict.Run) {
	t.Helper()
	var all []string
	for _, s := range result.Scenarios {
		if s.Verdict != verdict.Pass && s.Verdict != verdict.NotApplicable && s.Verdict != verdict.Warning {
			all = append(all, fmt.Sprintf("%s: %v: %+v", s.ID(), s.Verdict, s.Finding))
		}
	}
	require.Empty(t, all)
}

// A gateway that crashes at a valid request does not conform, although it responds to nothing else meanwhile, either.
func TestACrashAtARequestIsAFailure(t *testing.T) {
	t.Parallel()
	profile := bundledFor(t)
	var proxy *hostile.Slow
	var restarting sync.Mutex
	crash := func(r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/api/pix/cash-out-qrcode") {
			return false
		}
		if restarting.TryLock() {
			go func() {
				defer restarting.Unlock()
				_ = proxy.Restart(1500 * time.Millisecond) // the test may have ended
			}()
		}
		return true
	}
	proxy = slow(t, hostile.SlowConfig{Upstream: profile.BaseURL, Stuck: crash})
	profile.BaseURL, profile.Deadlines = proxy.URL, patientDeadlines
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Seed: 1, Tags: "@qr-cash-out.accepted or @balance"})
	require.NoError(t, err)
	require.Equal(t, verdict.DoesNotConform, result.Outcome())
	failed := result.Failed()
	require.NotEmpty(t, failed)
	require.Contains(t, failed[0].Finding.Got, "after the last, the target responded to nothing else, either")
}

// A request that gets no response once fails no rule, but the run says how many there were.
func TestUnansweredRequestsAreNoted(t *testing.T) {
	t.Parallel()
	profile := bundledFor(t)
	var requests atomic.Int64
	sometimes := func(r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/api/pix/cash-out") {
			return false
		}
		n := requests.Add(1)
		return n == 40 || n == 300
	}
	proxy := slow(t, hostile.SlowConfig{Upstream: profile.BaseURL, Stuck: sometimes})
	profile.BaseURL, profile.Deadlines = proxy.URL, patientDeadlines
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Seed: 1, Tags: "@cash-out or @balance"})
	require.NoError(t, err)
	requireNoFailure(t, result)
	require.Len(t, result.Notes, 1)
	require.Contains(t, result.Notes[0], "2 requests got no response while the target responded to others: cash-out (2); ")
}

// What a rate limit has slowed down is said in the report, too, with the setting to use.
func TestRateLimitsAreNoted(t *testing.T) {
	t.Parallel()
	profile := bundledFor(t)
	proxy := slow(t, hostile.SlowConfig{Upstream: profile.BaseURL, PerSecond: 5})
	profile.BaseURL, profile.Deadlines = proxy.URL, patientDeadlines
	result, err := run.Certify(t.Context(), run.Options{Target: profile, Seed: 1, Tags: "@balance.centavos"})
	require.NoError(t, err)
	requireNoFailure(t, result)
	require.Contains(t, strings.Join(result.Notes, "\n"), "429")
}
