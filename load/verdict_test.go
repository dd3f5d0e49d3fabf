package load

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
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

// down is the address of a gateway that does not run.
var down = []string{"PIX_URL=http://127.0.0.1:1", "PIX_CONTROLS=http://127.0.0.1:1"}

// A test that sends nothing fails, however its script is written. A threshold that checks nothing fails it too
// if a preset is set; k6 passes its own without data, and the verdict says that the run is invalid.
func TestNothingSentIsNeverSuccess(t *testing.T) {
	t.Parallel()
	const (
		constant = `executor: "constant-arrival-rate", rate: 20, duration: "3s", preAllocatedVUs: 5`
		pix      = `executor: "pix-arrival-rate", rate: 20, duration: "3s", preAllocatedVUs: 5`
		few      = `executor: "shared-iterations", iterations: 20`
		setup    = `export function setup() { client.prepare(); }`
		none     = ``
		pays     = `client.account().cashOut();`
		readme   = `...thresholds("correct", "answered"), "pix_req_intended_duration{operation:cash-out}": ["p(99)<2000"], http_req_failed: ["rate<0.01"]`
	)
	up := target(t)
	for name, c := range map[string]struct {
		env                              []string
		schedule, setup, body, threshold string
		status                           int
		says                             string
	}{
		"gateway down":               {down, constant, none, pays, readme, 108, "could not be prepared: "},
		"gateway down, setup":        {down, constant, setup, pays, readme, 107, "connection refused"},
		"gateway down, pix, setup":   {down, pix, setup, pays, readme, 107, "connection refused"},
		"gateway down, count":        {down, constant, none, pays, `"pix_payments{outcome:sent}": ["count>10"]`, 108, "could not be prepared: "},
		"gateway down, caught":       {down, constant, none, `try { client.account() } catch (e) {}`, readme, 108, "could not be prepared: "},
		"no call":                    {up, constant, none, ``, readme, 99, "the script did not call the gateway"},
		"no call but in setup":       {up, constant, setup, ``, readme, 99, "nothing was measured"},
		"no call but in setup, pix":  {up, pix, setup, ``, readme, 99, "nothing was measured"},
		"every iteration throws":     {up, pix, setup, `throw new Error("the script's own");`, readme, 99, "threw an error"},
		"no threshold had any value": {up, few, setup, `client.account().balance();`, `"pix_req_intended_duration{operation:resend}": ["p(99)<2000"], "pix_req_failed{operation:transfer}": ["rate==0"]`, 0, "no threshold had data"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for how, summary := range map[string]string{"with a summary": "export function handleSummary(data) { return { stdout: summary(data) } }", "without one": ""} {
				k := runK6(t, `
					import { Client, thresholds, summary } from "k6/x/pix";`+summary+`
					const client = new Client({ url: __ENV.PIX_URL, controls: { url: __ENV.PIX_CONTROLS } });
					export const options = { scenarios: { pay: { `+c.schedule+` } }, thresholds: { `+c.threshold+` } };
					`+c.setup+`
					export default function () { `+c.body+` }`, c.env)
				assert.Equal(t, c.status, k.status, "%s\n%s\n%s", how, k.stderr, k.stdout)
				assert.Contains(t, strings.Join(strings.Fields(k.stderr+k.stdout), " "), c.says, how)
				assert.LessOrEqual(t, strings.Count(k.stderr, "connection refused"), 3, "one error, not one for each iteration:\n%s", k.stderr)
			}
		})
	}
}

// The verdict of the report is that of k6, whichever summary it writes.
func TestEverySummaryHasTheVerdictOfK6(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"usual":            nil,
		"machine-readable": {"--new-machine-readable-summary"},
		"disabled":         {"--summary-mode=disabled"},
		"full":             {"--summary-mode=full"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := runK6(t, head+`
				import { check, group } from "k6";
				const client = new Client(at);
				export const options = { iterations: 3, thresholds: {
					"pix_payments{outcome:confirmed}": ["count>=100"], http_req_duration: ["p(99.5)<0.0001"], "pix_payments{outcome:sent}": ["count==3"],
				} };
				export default async function () { const p = await group("g", () => client.account().cashOut()); group("g", () => check(p, { paid: (p) => !p.accepted })); }`, target(t), args...)
			require.Equal(t, 99, k.status, k.stderr)
			if name == "disabled" {
				assert.Contains(t, k.stderr, "FAIL: 2 of 3 thresholds failed", "without a summary, the log has the verdict")
				return
			}
			r := k.result(t)
			require.Len(t, r.Thresholds, 3)
			assert.Equal(t, result.Fail, r.Outcome)
			for _, threshold := range r.Thresholds {
				assert.Equal(t, threshold.Metric == "pix_payments{outcome:sent}", threshold.OK, threshold.Metric)
			}
			assert.Contains(t, k.stdout, "FAIL")
			require.Len(t, r.Checks, 1)
			assert.EqualValues(t, 3, r.Checks[0].Fails)
			assert.Regexp(t, `http_req_duration: avg .* p\(95\)`, strings.Join(strings.Fields(k.stdout), " "), "k6's own metrics are there too")
		})
	}
	t.Run("k6's own", func(t *testing.T) {
		t.Parallel()
		k := runK6(t, `
			import { Client, thresholds } from "k6/x/pix";
			const client = new Client({ url: __ENV.PIX_URL, controls: { url: __ENV.PIX_CONTROLS } });
			export const options = { iterations: 1, thresholds: thresholds("bcb-settlement") };
			export default function () { client.account().cashOut(); }`, target(t))
		assert.Contains(t, k.stderr, ": Banco Central do Brasil, Instrução Normativa BCB 5/2020 (2020-08-20)", "the log has the source of the limits")
	})
	t.Run("no thresholds", func(t *testing.T) {
		t.Parallel()
		k := runK6(t, head+`
			const client = new Client(at);
			export const options = { iterations: 1, thresholds: { "pix_payments{outcome:confirmed}": ["count>=100"] } };
			export default function () { client.account().cashOut(); }`, target(t), "--no-thresholds")
		require.Zero(t, k.status, k.stderr)
		assert.Empty(t, k.result(t).Thresholds, "k6 has not judged them")
		assert.Contains(t, k.stdout, "no threshold was set")
	})
	t.Run("unknown", func(t *testing.T) {
		t.Parallel()
		k := runK6(t, `
			import { Client, summary } from "k6/x/pix";
			const client = new Client({ url: __ENV.PIX_URL, controls: { url: __ENV.PIX_CONTROLS } });
			export const options = { iterations: 1, thresholds: { "pix_payments{outcome:confirmed}": ["count>=100"] } };
			export function handleSummary(data) { return { stdout: summary({ mine: data }) }; }
			export default function () { client.account().cashOut(); }`, target(t))
		require.Equal(t, 99, k.status, k.stderr)
		assert.Contains(t, k.stderr, "expected root_group or results; pass on the argument of handleSummary unchanged")
		assert.Contains(t, k.stderr, "FAIL: 1 of 1 threshold failed")
	})
}

// A test that did not run to its end says so, and why.
func TestAStoppedTestSaysWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		extra, body, threshold string // at most once
		stop                   func(t *testing.T, k *k6Process, api string)
		status                 int
		outcome                result.Outcome
		why                    string
	}{
		"signal": {stop: func(t *testing.T, k *k6Process, _ string) { require.NoError(t, k.Process.Signal(syscall.SIGINT)) },
			status: 105, outcome: result.Interrupted, why: "k6 received a 'interrupt' signal"},
		"REST API": {stop: func(t *testing.T, _ *k6Process, api string) {
			body := strings.NewReader(`{"data":{"type":"status","id":"default","attributes":{"stopped":true}}}`)
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, "http://"+api+"/v1/status", body)
			require.NoError(t, err)
			answer, err := http.DefaultClient.Do(request)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
		}, status: 103, outcome: result.Interrupted, why: "stopped from REST API"},
		"test.abort":  {body: `if (exec.scenario.iterationInTest === 3) exec.test.abort("enough");`, status: 108, outcome: result.Interrupted, why: "test aborted: enough"},
		"abortOnFail": {threshold: `"pix_payments{outcome:sent}": [{ threshold: "count<1", abortOnFail: true }]`, status: 99, outcome: result.Fail, why: "abortOnFail"},
		"test.fail":   {body: `if (exec.scenario.iterationInTest === 3) exec.test.fail("bad");`, extra: `iterations: 5`, status: 110, outcome: result.Fail, why: "marked as failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			length, address := `vus: 1, duration: "1h"`, ""
			var args []string
			if name == "REST API" {
				address = reftest.FreeAddress(t)
				args = []string{"--address", address}
			}
			if c.extra != "" {
				length = c.extra
			}
			k := startK6(t, head+`
				import exec from "k6/execution";
				const client = new Client(at);
				export const options = { `+length+`, thresholds: { `+c.threshold+` } };
				export function setup() { client.prepare(); }
				export default function () { client.account().cashOut(); console.log("PAID once"); `+c.body+` }`, target(t), args...)
			if c.stop != nil {
				require.Eventually(t, func() bool { return strings.Contains(k.stderr.String(), "PAID once") }, time.Minute, 10*time.Millisecond, &k.stderr)
				c.stop(t, k, address)
			}
			ended := k.wait(t)
			require.Equal(t, c.status, ended.status, ended.stderr)
			r := ended.result(t)
			assert.Equal(t, c.outcome, r.Outcome, ended.stdout)
			assert.Contains(t, ended.stderr+r.Complaint+ended.stdout, c.why)
			assert.Equal(t, name == "abortOnFail", strings.Contains(strings.Join(strings.Fields(ended.stdout), " "), "a threshold with abortOnFail failed, pix_payments{outcome:sent}: count<1"), ended.stdout)
			assert.Equal(t, name != "test.fail", r.Interrupted)
			assert.NotContains(t, ended.stdout, "PASS")
			assert.Zero(t, r.Ledger.Counts.WebhooksLost)
			assert.Zero(t, r.Ledger.Counts.MoneyDrift)
		})
	}
}

// A signal while webhooks are waited for skips the rest, and blames nothing on the gateway.
func TestASignalSkipsTheWaitForWebhooks(t *testing.T) {
	t.Parallel()
	env, _, _ := fixed(t)
	k := startK6(t, head+`
		import http from "k6/http";
		const accounts = JSON.parse(__ENV.ACCOUNTS);
		const client = new Client({ ...at, accounts, webhooks: { listen: __ENV.LISTEN }, drain: "100s" });
		export const options = { iterations: 4, thresholds: thresholds("correct") };
		export function setup() {
			client.prepare();
			http.put(__ENV.PIX_CONTROLS + "/accounts/" + accounts[0].id + "/settlement", JSON.stringify({ mode: "manual" }));
		}
		export default function () { client.account().cashOut(); }`, env)
	require.Eventually(t, func() bool { return strings.Contains(k.stderr.String(), "waiting up to") }, time.Minute, 10*time.Millisecond, &k.stderr)
	require.NoError(t, k.Process.Signal(syscall.SIGINT))
	ended := k.wait(t)
	require.Equal(t, 99, ended.status, ended.stderr)
	r := ended.result(t)
	assert.Equal(t, result.Interrupted, r.Outcome, ended.stdout)
	assert.Contains(t, r.Complaint, "a signal ended the wait for webhooks")
	assert.Zero(t, r.Ledger.Counts.WebhooksLost)
	assert.NotContains(t, ended.stdout, "PASS")
}

func TestTheEvidenceNamesPaymentsAndCountsStrayRequests(t *testing.T) {
	t.Parallel()
	env, _, _ := fixed(t)
	upstream := strings.TrimPrefix(env[0], "PIX_URL=")
	proxy := faulty.StartProxy(t, faulty.ProxyConfig{Upstream: upstream, Payments: faulty.At(map[int64]faulty.Fault{2: faulty.CutAfter})})
	env[0] = "PIX_URL=" + proxy.URL
	k := runK6(t, head+`
		import http from "k6/http";
		const client = new Client({ ...at, accounts: JSON.parse(__ENV.ACCOUNTS), webhooks: { listen: __ENV.LISTEN } });
		export const options = { iterations: 3, insecureSkipTLSVerify: true };
		export function setup() { client.prepare(); }
		export default async function () {
			const p = await client.account().cashOut();
			console.log((p.accepted ? "PAID " : "CUT ") + p.externalId);
			http.post("https://" + __ENV.LISTEN + "/elsewhere", "{}");
		}`, env)
	r := k.result(t)
	ids := map[string][]string{}
	for _, e := range r.Ledger.Examples {
		ids[e.Sort] = append(ids[e.Sort], e.Payment)
	}
	assert.Len(t, k.logged("CUT"), 1, k.stderr)
	assert.Equal(t, k.logged("CUT"), ids["payments_no_response"])
	assert.EqualValues(t, 3, r.Strays)
	assert.Contains(t, k.stdout, "3 requests to the webhook listener were not webhooks")
}

// A gateway that now and then rejects a valid access token does not pass, although the module's
// request for another one succeeds.
func TestAValidTokenThatIsRejectedFailsARun(t *testing.T) {
	t.Parallel()
	env := target(t)
	upstream, err := url.Parse(strings.TrimPrefix(env[0], "PIX_URL="))
	require.NoError(t, err)
	var payments atomic.Int64
	forward := httputil.NewSingleHostReverseProxy(upstream)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/pix/cash-out" && payments.Add(1)%4 == 0 {
			http.Error(w, `{"code":"HTTP_ERROR","message":"no"}`, http.StatusUnauthorized)
			return
		}
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(proxy.Close)
	env[0] = "PIX_URL=" + proxy.URL
	k := runK6(t, head+`
		const client = new Client({ ...at, repeats: 0 });
		export const options = { iterations: 7, thresholds: { ...thresholds("answered"), "pix_tokens_rejected{operation:cash-out}": ["count<3"] } };
		export function setup() { client.prepare(); }
		export default function () { client.account().cashOut(); }`, env)
	assert.Equal(t, 99, k.status, k.stderr)
	r := k.result(t)
	assert.Equal(t, result.Fail, r.Outcome)
	assert.EqualValues(t, 2, r.Ledger.Counts.TokensRejected)
	assert.Empty(t, r.Failures)
	assert.Contains(t, k.stdout, "2 valid access tokens rejected with 401")
	assert.Contains(t, k.stdout, "failed: pix_tokens_rejected: count==0 (2)")
	assert.NotContains(t, k.stdout, "failed: pix_tokens_rejected{")
}

// A 2xx that is not the documented success is no success, whichever preset a script has.
func TestAnUndocumentedSuccessFailsARun(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status     int
		body, says string
	}{
		"without an id": {201, `{"externalId":"e","status":"PENDING","generateTime":"2026-01-02T03:04:05Z"}`, "cash-out: 201 without transactionId"},
		"an error":      {200, `{"statusCode":500,"message":"m","error":"Internal Server Error"}`, "cash-out: 200 without transactionId, externalId, status, generateTime"},
	} {
		for _, presets := range []string{`"correct", "answered", "valid"`, `"correct"`, `"answered"`} {
			t.Run(name+" "+presets, func(t *testing.T) {
				t.Parallel()
				env := target(t)
				upstream, err := url.Parse(strings.TrimPrefix(env[0], "PIX_URL="))
				require.NoError(t, err)
				forward := httputil.NewSingleHostReverseProxy(upstream)
				proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path != "/api/pix/cash-out" {
						forward.ServeHTTP(w, r)
						return
					}
					w.WriteHeader(c.status)
					_, _ = io.WriteString(w, c.body)
				}))
				t.Cleanup(proxy.Close)
				env[0] = "PIX_URL=" + proxy.URL
				k := runK6(t, head+`
					const client = new Client({ ...at, drain: "100ms" });
					export const options = { iterations: 5, thresholds: thresholds(`+presets+`) };
					export default async function () { if ((await client.account().cashOut()).accepted) throw new Error("accepted"); }`, env)
				assert.Equal(t, 99, k.status, "%s\n%s", k.stderr, k.stdout)
				assert.Equal(t, []result.Failure{{Operation: "cash-out", Status: c.status, Count: 5}}, k.result(t).Failures)
				assert.Contains(t, k.stderr, c.says)
				assert.Contains(t, k.stdout, fmt.Sprintf("cash-out failed 5 times: %d", c.status))
			})
		}
	}
}
