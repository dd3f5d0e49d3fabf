package load

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// front passes requests on to the reference, over HTTP or TLS, and keeps those of the API.
type front struct {
	plain, secure *httptest.Server
	mu            sync.Mutex
	seen          []*http.Request
}

func newFront(t *testing.T, gateway string) *front {
	t.Helper()
	target, err := url.Parse(gateway)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	f := &front{}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		f.seen = append(f.seen, r.Clone(t.Context()))
		f.mu.Unlock()
		if r.Header.Get("X-Slow") != "" {
			time.Sleep(500 * time.Millisecond)
		}
		proxy.ServeHTTP(w, r)
	})
	f.plain, f.secure = httptest.NewServer(handler), httptest.NewUnstartedServer(handler)
	f.secure.EnableHTTP2 = true
	f.secure.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	f.secure.StartTLS()
	t.Cleanup(f.plain.Close)
	t.Cleanup(f.secure.Close)
	return f
}

// habit is a row of the table in K6.md, or several that one run shows: what a k6 user does, and what is then so.
type habit struct {
	url     string // of the gateway; empty: plain
	gateway string // its options
	options string // the script's
	body    string // of the iteration: logs TRUE if it is so
	env     []string
	args    []string
	some    func(*http.Request) bool // of the requests that the gateway received
	ran     func(t *testing.T, k k6Run)
	do      func(t *testing.T, env []string) // instead of all that
}

var habits = map[string]habit{
	"`tags`": {body: `await account.balance(); await account.cashOut({}, { tags: { step: "pay", name: "mine" } }); return true`,
		options: `thresholds: { "pix_payments{outcome:sent,step:pay}": ["count==1"], "http_reqs{step:pay}": ["count==1"], "http_reqs{name:mine}": ["count==1"], "http_reqs{name:/accounts/balances}": ["count>=1"] }`},
	"the tag `scenario`": {body: `await account.cashOut({}, { tags: { scenario: "checkout" } }); return true`,
		options: `thresholds: { "pix_payments{outcome:sent,scenario:checkout}": ["count==1"], "http_reqs{scenario:checkout}": ["count>=1"] }`},
	"`timeout`": {options: `thresholds: { pix_req_failed: ["rate>0"] }`,
		body: `const r = await account.balance({ timeout: "100ms", headers: { "X-Slow": "1" } }); return r.status === 0 && /within 100ms/.test(r.error.message)`},
	"`headers`": {body: `return (await account.balance({ headers: { "X-Mine": "yes" } })).accepted`,
		some: func(r *http.Request) bool { return r.Header.Get("X-Mine") == "yes" }},
	"`responseCallback`": {options: `thresholds: { pix_req_failed: ["rate==0"], http_req_failed: ["rate==0"] }`,
		body: `const r = await account.cashOut({ document: "1" }, { responseCallback: expectedStatuses({ min: 400, max: 422 }) });
			await account.transactions({ size: -1 }, { responseCallback: null });
			try { await account.balance({ responseCallback: http.expectedStatuses(200) }); return false } catch (e) { return !r.accepted && r.status === 400 && /of k6.x.pix/.test(e) }`},
	"`responseCallback` that an accepted payment misses": {options: `thresholds: { pix_req_failed: ["rate==1"], http_req_failed: ["rate>0"] }`,
		body: `return (await account.cashOut({}, { responseCallback: expectedStatuses(400) })).status === 201`},
	"`status`, `headers`, `body`, `timings`": {
		body: `const r = await account.balance(); return r.status === 200 && /json/.test(r.headers["Content-Type"]) && JSON.parse(r.body).data.length === 1 && r.timings.waiting > 0 && r.timings.duration <= r.duration`},
	"promises": {body: `const [a, b] = await Promise.all([account.balance(), account.cashOut({}, { headers: { "X-Mine": "yes" } })]); return a.accepted && b.accepted && b.headers["Content-Type"] !== undefined`},
	"`discardResponseBodies`": {options: `discardResponseBodies: true`,
		body: `const p = await account.cashOut(); return p.body === null && p.transactionId !== "" && (await account.balance()).total !== ""`},
	"`userAgent`": {options: `userAgent: "mine/1"`, body: `return (await account.balance()).accepted`,
		some: func(r *http.Request) bool { return r.UserAgent() == "mine/1" }},
	"`throw`": {options: `throw: true`,
		body: `try { await account.balance({ timeout: "100ms", headers: { "X-Slow": "1" } }) } catch (e) { return (await account.transactions({ size: -1 })).status === 400 } return false`},
	"`--http-debug`": {args: []string{"--http-debug=full"}, body: `return (await account.cashOut({ value: "1.23" })).accepted`,
		ran: func(t *testing.T, k k6Run) {
			assert.Regexp(t, `(?s)POST /api/pix/cash-out\b.*Authorization: Bearer .*1\.23.*HTTP/1\.1 201.*transactionId`, k.stderr)
		}},
	"proxies": {url: "http://pix.test", body: `return (await account.balance()).accepted`, env: []string{"HTTP_PROXY=FRONT"},
		some: func(r *http.Request) bool { return r.URL.Host == "pix.test" }},
	"`--insecure-skip-tls-verify`": {url: "SECURE", args: []string{"--insecure-skip-tls-verify"}, body: `return (await account.balance()).accepted`,
		some: func(r *http.Request) bool { return r.TLS != nil }},
	"`hosts`": {url: "http://pix.test", options: `hosts: { "pix.test": __ENV.FRONT.replace("http://", "") }`, body: `return (await account.balance()).accepted`,
		some: func(r *http.Request) bool { return r.Host == "pix.test" }},
	"HTTP/2": {url: "SECURE", args: []string{"--insecure-skip-tls-verify"}, body: `return (await account.balance()).timings.duration > 0`,
		some: func(r *http.Request) bool { return r.Proto == "HTTP/2.0" }},
	"`tlsAuth`": {url: "SECURE", args: []string{"--insecure-skip-tls-verify"}, body: `return (await account.balance()).accepted`,
		options: `tlsAuth: [{ cert: __ENV.CERT, key: __ENV.KEY }]`,
		some:    func(r *http.Request) bool { return r.TLS != nil && len(r.TLS.PeerCertificates) == 1 }},
	"`rps`": {options: `rps: 5, thresholds: { "pix_req_duration{operation:balance}": ["max<150"], "pix_req_intended_duration{operation:balance}": ["max<150"] }`,
		body: `const begun = Date.now(); for (let i = 0; i < 4; i++) await account.balance(); return Date.now() - begun > 550`},
	"`noConnectionReuse`, `noVUConnectionReuse`": {options: `iterations: 3, noVUConnectionReuse: true`,
		body: `const connects = async () => (await account.balance()).timings.connecting > 0; return await connects() === __ITER > 0 && !(await connects())`}, // the first is prepared with a request
	"`abortOnFail`": {options: `iterations: 50, thresholds: { pix_req_failed: [{ threshold: "rate<0.5", abortOnFail: true }] }`,
		body: `await account.transactions({ size: -1 }); sleep(0.1); return true`,
		ran: func(t *testing.T, k k6Run) {
			assert.Equal(t, 99, k.status)
			assert.Less(t, k.result(t).Iterations, int64(50))
		}},
	"`count==0` thresholds on counters without a sample": {options: `thresholds: { errors: ["count==0"], dropped_iterations: ["count==0"] }`,
		body: `return (await account.balance()).accepted`,
		ran: func(t *testing.T, k k6Run) {
			for _, of := range k.result(t).Thresholds {
				assert.True(t, of.OK && !of.NoData, of.Metric)
			}
			assert.Contains(t, strings.Join(strings.Fields(k.stdout), " "), "passed: none of dropped_iterations, errors")
		}},
	"`group`; `scenarios`; `p(99)` thresholds; custom metrics; `k6/http` in the same script; TypeScript; CSV output; JSON output; Prometheus remote write; web dashboard": {do: manyHabits},
	"`k6 archive`":            {do: archives},
	"`--paused`; REST API":    {do: resumes},
	"`setup`, `setupTimeout`": {do: timesOut},
}

// manyHabits shows in one run what does not disturb each other.
func manyHabits(t *testing.T, env []string) {
	var pushes atomic.Int64
	prometheus := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Encoding") == "snappy" {
			pushes.Add(1)
		}
	}))
	t.Cleanup(prometheus.Close)
	const noServer = "K6_WEB_DASHBOARD_PORT=-1"
	k := runK6(t, `
		import http from "k6/http";
		import { group, sleep } from "k6";
		import { Trend } from "k6/metrics";
		import { Client, summary, result, type Payment } from "k6/x/pix";
		export function handleSummary(data: unknown) { return { stdout: summary(data), "result.json": result(data) }; }
		const client: Client = new Client({ url: __ENV.PIX_URL, controls: { url: __ENV.PIX_CONTROLS } });
		const spent = new Trend("spent");
		export const options = {
			scenarios: {
				shop: { executor: "shared-iterations", iterations: 4, vus: 2, exec: "shop", tags: { kind: "retail" }, env: { PAGE: "home" } },
				watch: { executor: "constant-arrival-rate", rate: 5, duration: "3s", preAllocatedVUs: 2, exec: "watch", gracefulStop: "20s" },
			},
			thresholds: {
				"pix_payments{outcome:sent,group:::checkout}": ["count==4"],
				"pix_payments{outcome:sent,scenario:shop}": ["count==4"], "pix_payments{outcome:sent,kind:retail}": ["count==4"], "pix_req_failed{scenario:watch}": ["rate==0"],
				"pix_req_duration{operation:cash-out}": ["p(99)>0", "p(99)<60000"],
				spent: ["avg>0"], "http_reqs{name:home}": ["count==4"],
			},
		};
		export async function shop(): Promise<void> {
			http.get(__ENV.PIX_URL + "/", { tags: { name: __ENV.PAGE } });
			const payment: Payment = await group("checkout", () => client.account().cashOut());
			spent.add(Number(payment.value));
		}
		export async function watch(): Promise<void> { await client.account().balance(); sleep(0.1); }`,
		append(env, "K6_PROMETHEUS_RW_SERVER_URL="+prometheus.URL, "K6_WEB_DASHBOARD=true", "K6_WEB_DASHBOARD_EXPORT=report.html", "K6_WEB_DASHBOARD_PERIOD=1s", noServer),
		"--out", "csv=metrics.csv", "--out", "json=metrics.json", "--out", "experimental-prometheus-rw")
	requireSound(t, k)
	r := k.result(t)
	assert.Len(t, r.Thresholds, 8, "each expression")
	assert.Contains(t, r.Metrics, "spent")
	assert.Contains(t, k.stdout, "\n  spent: avg ")
	assert.Positive(t, pushes.Load())
	output := func(file string) string {
		text, err := os.ReadFile(filepath.Join(k.dir, file))
		require.NoError(t, err, k.stderr)
		return string(text)
	}
	assert.Contains(t, output("report.html"), "<html")
	for _, of := range []string{"req_duration", "req_intended_duration", "req_failed", "payments", "webhooks", "webhook_duration", "webhook_intended_duration", "money_drift", "backlog", "invalid"} {
		assert.Contains(t, output("metrics.csv"), "\npix_"+of+",")
		assert.Contains(t, output("metrics.json"), `"metric":"pix_`+of+`"`)
	}
}

// paying is a script that pays.
const paying = head + `
	const client = new Client(at);
	export const options = { iterations: 2, thresholds: thresholds("correct") };
	export function setup() { client.prepare(); }
	export default function () { client.account().cashOut(); }`

func archives(t *testing.T, env []string) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "script.js"), []byte(paying), 0o600))
	made := start(t, dir, nil, program(t), "archive", "-e", env[0], "-e", env[1], "-e", "PIX_RESULT=result.json", "script.js").wait(t)
	require.Zero(t, made.status, made.stderr)
	require.NoError(t, os.Remove(filepath.Join(dir, "script.js")))
	requireSound(t, start(t, dir, nil, program(t), "run", "--quiet", "archive.tar").wait(t))
}

func resumes(t *testing.T, env []string) {
	api := reftest.FreeAddress(t)
	k := startK6(t, strings.Replace(paying, "iterations: 2", `duration: "1h"`, 1), env, "--paused", "--address", api)
	patch := func(status string) bool {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, "http://"+api+"/v1/status", strings.NewReader(`{"data":{"type":"status","id":"default","attributes":{`+status+`}}}`))
		require.NoError(t, err)
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	}
	shows := func(path, pattern string) func() bool {
		return func() bool {
			answer, err := http.Get("http://" + api + "/v1/" + path)
			if err != nil {
				return false
			}
			defer answer.Body.Close()
			body, err := io.ReadAll(answer.Body)
			return err == nil && regexp.MustCompile(pattern).Match(body)
		}
	}
	sent := shows("metrics/pix_payments", `"count":[1-9]`)
	require.Eventually(t, shows("status", `"paused":true`), time.Minute, 50*time.Millisecond, &k.stderr)
	assert.False(t, sent(), "it waits")
	require.True(t, patch(`"paused":false`), &k.stderr)
	require.Eventually(t, sent, time.Minute, 50*time.Millisecond, &k.stderr)
	require.True(t, patch(`"stopped":true`))
	ended := k.wait(t)
	assert.Equal(t, 103, ended.status, ended.stderr)
	c := ended.result(t).Ledger.Counts
	assert.Positive(t, c.PaymentsConfirmed)
	assert.Zero(t, c.WebhooksLost+c.MoneyDrift)
}

func timesOut(t *testing.T, env []string) {
	f := newFront(t, strings.TrimPrefix(env[0], "PIX_URL="))
	slow := strings.NewReplacer("new Client(at)", `new Client({ ...at, headers: { "X-Slow": "1" } })`, "iterations: 2", `iterations: 2, setupTimeout: "200ms"`).Replace(paying)
	k := runK6(t, slow, []string{"PIX_URL=" + f.plain.URL, env[1]})
	assert.Equal(t, 100, k.status, k.stderr)
	assert.Contains(t, k.stderr, "setup() execution timed out after")
}

func TestTheHabitsOfK6(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("K6.md")
	require.NoError(t, err)
	rows, shown := map[string]bool{}, map[string]bool{}
	for name := range habits {
		for row := range strings.SplitSeq(name, "; ") {
			row, _, _ = strings.Cut(row, " that ")
			rows[row] = true
		}
	}
	for _, row := range regexp.MustCompile(`(?m)^\| (.*?) \|`).FindAllStringSubmatch(string(text), -1)[1:] { // without the head
		shown[row[1]] = true
	}
	assert.Equal(t, rows, shown, "each row is a test")
	assert.GreaterOrEqual(t, len(rows), 30)
	env := target(t)
	for name, h := range habits {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if h.do != nil {
				h.do(t, env)
				return
			}
			f := newFront(t, strings.TrimPrefix(env[0], "PIX_URL="))
			certificate, key := clientCertificate(t)
			at := strings.Replace(h.url, "SECURE", f.secure.URL, 1)
			if at == "" {
				at = f.plain.URL
			}
			variables := append([]string{"AT=" + at, "FRONT=" + f.plain.URL, "CERT=" + certificate, "KEY=" + key}, env[1:]...)
			for _, v := range h.env {
				variables = append(variables, strings.Replace(v, "FRONT", f.plain.URL, 1))
			}
			k := runK6(t, `
				import http from "k6/http";
				import { sleep } from "k6";
				import { Counter } from "k6/metrics";
				import { Client, expectedStatuses, summary, result } from "k6/x/pix";
				const errors = new Counter("errors");
				export function handleSummary(data) { return { stdout: summary(data), "result.json": result(data) }; }
				const client = new Client({ url: __ENV.AT, controls: { url: __ENV.PIX_CONTROLS }, webhooks: false, `+h.gateway+` });
				export const options = { iterations: 1, `+h.options+` };
				const so = async (account) => { `+h.body+` };
				export default async function () { console.log("SO " + (await so(client.account()))); }`, variables, h.args...)
			require.NotEmpty(t, k.logged("SO"), k.stderr)
			assert.NotContains(t, k.logged("SO"), "false", k.stderr)
			assert.True(t, h.some == nil || slices.ContainsFunc(f.seen, h.some), "the gateway received no such request")
			if h.ran != nil {
				h.ran(t, k)
			}
			if name != "`abortOnFail`" {
				assert.Zero(t, k.status, "%s\n%s", k.stderr, k.stdout)
			}
		})
	}
}

// clientCertificate is a certificate with its key, in PEM.
func clientCertificate(t *testing.T) (certificate, key string) {
	t.Helper()
	server := httptest.NewTLSServer(nil)
	defer server.Close()
	pair := server.TLS.Certificates[0]
	der, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	require.NoError(t, err)
	encode := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	return encode("CERTIFICATE", pair.Certificate[0]), encode("PRIVATE KEY", der)
}
