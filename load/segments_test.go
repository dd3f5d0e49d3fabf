package load

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/test/faulty"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

const instances = 4

// startSegment starts the i-th instance of a run, in a directory of its own.
func startSegment(t *testing.T, i int, script string, env ...string) *k6Process {
	t.Helper()
	dir := workplace(t)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "segment.js"), []byte(script), 0o600))
	return start(t, dir, env, "./k6", "run", "--quiet",
		"--execution-segment", fmt.Sprintf("%d/%d:%d/%d", i, instances, i+1, instances),
		"--execution-segment-sequence", "0,1/4,1/2,3/4,1", "segment.js")
}

// merge is k6 x pix merge of results; it writes a report to the folder merged.
func merge(t *testing.T, results ...k6Run) k6Run {
	t.Helper()
	args := []string{"x", "pix", "merge", "--report", "merged"}
	for _, k := range results {
		args = append(args, filepath.Join(k.dir, "report", "load", result.FileName))
	}
	return start(t, workplace(t), nil, "./k6", args...).wait(t)
}

// merged is the result that a merge has written.
func merged(t *testing.T, k k6Run) result.Result {
	t.Helper()
	r, err := result.Read(filepath.Join(k.dir, "merged", result.FileName))
	require.NoError(t, err, k.stderr)
	return r
}

func TestFourInstancesAreOneRun(t *testing.T) {
	t.Parallel()
	env := append(target(t), "PIX_RUN=together", "PIX_RATE=800", "PIX_DURATION=3s", "PIX_ACCOUNTS=6")
	var running []*k6Process
	for i := range instances {
		running = append(running, startSegment(t, i, `import { options } from "./load/scripts/cash-out.js";
			options.thresholds.iteration_duration = ["p(99)<60000"];
			export * from "./load/scripts/cash-out.js";
			export { default } from "./load/scripts/cash-out.js";`, env...))
	}
	var runs []k6Run
	var sent int64
	var accounts []int
	for i, k := range running {
		runs = append(runs, k.wait(t))
		r := requireSound(t, runs[i])[0]
		assert.Equal(t, i, r.Instance)
		sent += r.Ledger.Counts.PaymentsSent
		for _, a := range r.Accounts {
			accounts = append(accounts, a.Account)
		}
	}
	slices.Sort(accounts)
	assert.Equal(t, []int{0, 1, 2, 3, 4, 5}, accounts, "each account has one instance")

	whole := merge(t, runs...)
	r := requireSound(t, whole)[0]
	assert.Equal(t, "together", r.Name)
	assert.Len(t, r.Parts, instances)
	assert.Len(t, r.Accounts, 6)
	assert.Equal(t, sent, r.Ledger.Counts.WebhooksMatched)
	assert.Equal(t, sent, r.Iterations)
	assert.Equal(t, sent, r.Operations["cash-out"].Intended.Count())
	var pooled []string
	for _, threshold := range r.Thresholds {
		if strings.HasPrefix(threshold.Metric, "pix_") || threshold.Metric == "iteration_duration" {
			assert.Equal(t, result.OnMerged, threshold.Basis, threshold.Metric)
			pooled = append(pooled, threshold.Metric)
		}
	}
	assert.Contains(t, pooled, "iteration_duration", "one of k6's own trends")

	most := merge(t, runs[0], runs[3], runs[1])
	assert.Equal(t, result.Incomplete.ExitStatus(), most.status, most.stderr)
	assert.Equal(t, []int{2}, merged(t, most).Missing)
	assert.Contains(t, most.stdout, "missing: instance 2")

	twice := merge(t, runs[0], runs[1], runs[1], runs[3])
	assert.NotZero(t, twice.status)
	assert.Contains(t, twice.stderr, "expected every instance once, got instance 1 twice")
	assert.NoDirExists(t, filepath.Join(twice.dir, "merged"))
}

// together is a ready script whose instances begin and end together, so that each of them
// is there for as long as webhooks come.
const together = `
	import http from "k6/http";
	import pay, { options, setup as prepare, handleSummary } from "./load/scripts/cash-out.js";
	export { options, handleSummary };
	export function setup() { prepare(); http.get(__ENV.MEET + "/begin"); }
	export function teardown() { http.get(__ENV.MEET + "/end"); }
	export default function () { pay(); }`

func TestWebhooksReachAnyInstance(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		faults          faulty.Plan
		lost, duplicate int64
	}{
		"and all arrive once": {},
		"but some are lost or come twice": {faulty.At(map[int64]faulty.Fault{
			10: faulty.Lose, 20: faulty.Double, 30: faulty.Lose, 40: faulty.Double, 50: faulty.Lose,
		}), 3, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runs := runBehindOneAddress(t, c.faults, c.duplicate-c.lost)
			var sent int64
			for i, k := range runs {
				require.Contains(t, []int{99, result.Invalid.ExitStatus()}, k.status, "of a machine that is too slow: %s", k.stderr)
				require.NotContains(t, k.stderr, "script exception")
				counts := k.result(t).Ledger.Counts
				assert.Positive(t, counts.WebhooksLost, "to instance %d by itself", i)
				assert.Positive(t, counts.WebhooksElsewhere, "to instance %d by itself", i)
				sent += counts.PaymentsSent
			}
			k := merge(t, runs...)
			r := merged(t, k)
			counts := r.Ledger.Counts
			assert.Equal(t, c.lost, counts.WebhooksLost)
			assert.Equal(t, c.duplicate, counts.WebhooksDuplicate)
			assert.Equal(t, sent-c.lost, counts.WebhooksMatched)
			assert.Equal(t, sent-c.lost+c.duplicate, counts.WebhooksReceived)
			assert.Equal(t, sent, counts.PaymentsConfirmed)
			assert.Zero(t, counts.WebhooksOrphan)
			assert.Zero(t, counts.WebhooksElsewhere)
			assert.Zero(t, counts.MoneyDrift)
			assert.Len(t, r.Accounts, 1)
			for _, threshold := range r.Thresholds {
				if !ofSpeed(threshold.Metric) {
					bad := c.lost > 0 && threshold.Metric == "pix_webhooks_lost" || c.duplicate > 0 && threshold.Metric == "pix_webhooks_duplicate"
					assert.Equal(t, !bad, threshold.OK, threshold.Metric)
				}
			}
			if c.faults == nil {
				requireSound(t, k)
			} else {
				assert.Contains(t, []int{result.Wrong.ExitStatus(), result.Invalid.ExitStatus()}, k.status, k.stderr)
			}
		})
	}
}

// runBehindOneAddress runs the instances on one account, which has one URL for webhooks.
// More is how many more of them come than there are payments, by the faults.
func runBehindOneAddress(t *testing.T, faults faulty.Plan, more int64) (runs []k6Run) {
	t.Helper()
	g := reftest.Start(t)
	proxy := faulty.StartProxy(t, faulty.ProxyConfig{Upstream: g.URL, Deliveries: faults})
	balancer := newBalancer(t)
	all := func() bool { return balancer.handed.Load() == proxy.Injected().Payments+more }
	env := []string{
		"PIX_URL=" + proxy.URL, "PIX_CONTROLS=" + g.ControlURL, "PIX_ACCOUNTS=" + oneAccount(t, g), "PIX_SHARED=1",
		"PIX_SINK_URL=" + balancer.URL, "PIX_RUN=behind", "PIX_RATE=800", "PIX_DURATION=3s", "PIX_DRAIN=1s",
		"MEET=" + meetingPlace(t, all),
	}
	var running []*k6Process
	for i := range instances {
		running = append(running, startSegment(t, i, together, append(slices.Clone(env), "PIX_SINK_LISTEN="+balancer.instances[i])...))
	}
	for _, k := range running {
		runs = append(runs, k.wait(t))
	}
	assert.Zero(t, proxy.Injected().Broken)
	return runs
}

// oneAccount makes an account and gives the path of a file with its credentials.
func oneAccount(t *testing.T, g *reftest.Target) string {
	t.Helper()
	controls, err := gateway.NewControls(g.ControlURL, "")
	require.NoError(t, err)
	t.Cleanup(controls.Close)
	made, err := controls.MakeAccounts(t.Context(), 1)
	require.NoError(t, err)
	require.NoError(t, controls.SetBalance(t.Context(), made[0].ID, 1_000_000_00))
	require.NoError(t, controls.LiftLimits(t.Context(), made[0].ID))
	text, err := json.Marshal(made)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "accounts.json")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	return path
}

// balancer hands each webhook to the next instance in turn.
type balancer struct {
	*httptest.Server
	instances []string // where they listen
	client    *http.Client
	next      atomic.Int64
	handed    atomic.Int64 // webhooks that an instance has taken
}

func newBalancer(t *testing.T) *balancer {
	t.Helper()
	b := &balancer{}
	for range instances {
		b.instances = append(b.instances, reftest.FreeAddress(t))
	}
	b.Server = httptest.NewTLSServer(b)
	t.Cleanup(b.Close)
	insecure := b.Server.Client().Transport.(*http.Transport).Clone()
	insecure.TLSClientConfig.InsecureSkipVerify = true // the instances make their own certificates
	b.client = &http.Client{Transport: insecure}
	t.Cleanup(b.client.CloseIdleConnections)
	return b
}

func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	instance := b.instances[int(b.next.Add(1))%instances]
	request, err := http.NewRequestWithContext(r.Context(), r.Method, "https://"+instance+r.URL.Path, bytes.NewReader(body))
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	request.Header = r.Header.Clone()
	answer, err := b.client.Do(request)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	answer.Body.Close()
	if answer.StatusCode == http.StatusOK {
		b.handed.Add(1)
	}
	w.WriteHeader(answer.StatusCode)
}

// meetingPlace answers at /begin once all instances have asked there, and at /end when
// all have and it is done, or nearly a minute has passed.
func meetingPlace(t *testing.T, done func() bool) string {
	t.Helper()
	begun, ended := gate(t), gate(t)
	handler := http.NewServeMux()
	handler.HandleFunc("/begin", begun)
	handler.HandleFunc("/end", func(w http.ResponseWriter, r *http.Request) {
		ended(w, r)
		assert.Eventually(t, done, 50*time.Second, 10*time.Millisecond)
	})
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// gate holds each instance until all have asked, or the test is over: one of them may never start.
func gate(t *testing.T) http.HandlerFunc {
	t.Helper()
	var asked atomic.Int64
	open := make(chan struct{})
	return func(http.ResponseWriter, *http.Request) {
		if asked.Add(1) == instances {
			close(open)
		}
		select {
		case <-open:
		case <-t.Context().Done():
		}
	}
}
