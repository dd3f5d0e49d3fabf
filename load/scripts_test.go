package load

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/test/faulty"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// logged are the texts that a script wrote after a mark.
func (k k6Run) logged(mark string) (texts []string) {
	for line := range strings.Lines(k.stderr) {
		if _, text, ok := strings.Cut(line, `msg="`+mark+" "); ok {
			texts = append(texts, text[:strings.LastIndex(text, `" source`)])
		}
	}
	return texts
}

// fixed makes an account, and tells scripts of it in ACCOUNTS, and in LISTEN where to
// receive its webhooks.
func fixed(t *testing.T) (env []string, controls *gateway.Controls, account gateway.Credentials) {
	t.Helper()
	g := reftest.Start(t)
	controls, err := gateway.NewControls(g.ControlURL, "")
	require.NoError(t, err)
	t.Cleanup(controls.Close)
	made, err := controls.MakeAccounts(t.Context(), 1)
	require.NoError(t, err)
	require.NoError(t, controls.SetBalance(t.Context(), made[0].ID, 1_000_000_00))
	require.NoError(t, controls.LiftLimits(t.Context(), made[0].ID))
	text, err := json.Marshal(made)
	require.NoError(t, err)
	return []string{"PIX_URL=" + g.URL, "PIX_CONTROLS=" + g.ControlURL, "ACCOUNTS=" + string(text), "LISTEN=" + reftest.FreeAddress(t)}, controls, made[0]
}

func TestAFailedThresholdFailsTheRun(t *testing.T) {
	t.Parallel()
	k := runK6(t, head+`
		const client = new Client({ ...at });
		export const options = { iterations: 3, thresholds: {
			"pix_payments{outcome:confirmed}": ["count>=100"],
			"pix_req_intended_duration{operation:cash-out}": ["p(99)<60000"],
		} };
		export default function () { client.account().cashOut(); }`, target(t))
	require.Equal(t, 99, k.status, k.stderr)
	require.Contains(t, k.stdout, "pix_payments{outcome:confirmed}: count>=100")
	res := k.result(t)
	require.Len(t, res.Thresholds, 2)
	require.Equal(t, result.Fail, res.Outcome)
	for _, threshold := range res.Thresholds {
		assert.Equal(t, strings.HasPrefix(threshold.Metric, "pix_req_"), threshold.OK, threshold.Metric)
	}
}

func TestRequestsThatFailFailTheRun(t *testing.T) {
	t.Parallel()
	k := runK6(t, head+`
		const client = new Client({ ...at, balance: "1.00" });
		export const options = { iterations: 4, thresholds: {
			...thresholds("correct", "answered"),
			"pix_req_failed{operation:cash-out}": ["rate==1"],
			"pix_req_failed{operation:balance}": ["rate==0"],
			"pix_req_intended_duration{operation:cash-out}": ["p(99)<500"],
		} };
		export function setup() { client.prepare(); }
		export default function () {
			client.account().cashOut({ value: "1000.00" });
			client.account().balance();
		}`, target(t))
	require.Equal(t, 99, k.status, k.stderr)
	res := k.result(t)
	require.Equal(t, result.Fail, res.Outcome, k.stdout)
	for _, threshold := range res.Thresholds {
		assert.Equal(t, threshold.Metric != "pix_req_failed", threshold.OK, threshold.Metric)
		if threshold.Metric == "pix_req_failed" {
			assert.InDelta(t, 0.5, threshold.Value, 1e-9)
		}
		assert.Equal(t, strings.HasPrefix(threshold.Metric, "pix_req_intended_duration"), threshold.NoData, threshold.Metric)
	}
	assert.Contains(t, k.stdout, "cash-out failed 4 times: 400")
	assert.Equal(t, 1, strings.Count(k.stderr, "cash-out: expected success, got 400 PIX_INSUFFICIENT_BALANCE: "), k.stderr)
}

func TestIterationsThatThrowFailTheRun(t *testing.T) {
	t.Parallel()
	script := head + `
		import exec from "k6/execution";
		const client = new Client({ ...at });
		export const options = {
			scenarios: { pay: JSON.parse(__ENV.SCENARIO) },
			thresholds: { ...thresholds("answered"), pix_iterations_thrown: ["count==0"] },
		};
		export function setup() { client.prepare(); }
		export default async function () {
			await client.account().cashOut();
			if (exec.scenario.iterationInTest < 3) throw new Error("the script's own");
		}`
	passed := func(r result.Result) bool {
		at := slices.IndexFunc(r.Thresholds, func(t result.Threshold) bool { return t.Metric == "pix_iterations_thrown" })
		require.GreaterOrEqual(t, at, 0)
		return r.Thresholds[at].OK
	}

	told := runK6(t, script, append(target(t), `SCENARIO={"executor": "pix-arrival-rate", "rate": 10, "duration": "1s", "preAllocatedVUs": 5}`))
	res := told.result(t)
	require.Contains(t, []result.Outcome{result.Fail, result.Invalid}, res.Outcome, "of a machine that is too slow")
	require.Equal(t, res.Outcome.ExitStatus(), told.status, told.stderr)
	assert.EqualValues(t, 3, res.Threw())
	assert.False(t, passed(res))
	assert.Contains(t, told.stdout, fmt.Sprintf("3 of %d iterations threw an error", res.Iterations))

	untold := runK6(t, script, append(target(t), `SCENARIO={"executor": "shared-iterations", "iterations": 10}`))
	require.Zero(t, untold.status, untold.stderr)
	res = untold.result(t)
	assert.Nil(t, res.Thrown, "k6's own executors do not tell")
	assert.True(t, passed(res))
}

func TestExchangesFillK6sOwnMetrics(t *testing.T) {
	t.Parallel()
	k := runK6(t, head+`
		const client = new Client(at);
		export const options = { iterations: 2 };
		export function setup() { client.prepare(); }
		export default async function () { await client.account().cashOut(); await client.account().cashOut({ document: "1" }); }`, target(t), "--out", "json=metrics.json")
	requireSound(t, k)
	seen := map[string][]map[string]string{}
	for _, p := range k.points(t) {
		if p.Data.Tags["name"] == "/api/pix/cash-out" {
			seen[p.Metric] = append(seen[p.Metric], p.Data.Tags)
		}
	}
	for _, metric := range []string{
		"http_reqs", "http_req_duration", "http_req_blocked", "http_req_connecting", "http_req_tls_handshaking",
		"http_req_sending", "http_req_waiting", "http_req_receiving", "http_req_failed",
	} {
		assert.Len(t, seen[metric], 4, metric)
	}
	assert.Equal(t, map[string]string{
		"name": "/api/pix/cash-out", "url": "/api/pix/cash-out", "method": "POST", "status": "201",
		"proto": "HTTP/1.1", "expected_response": "true", "scenario": "default", "group": "",
	}, seen["http_reqs"][0])
	assert.Equal(t, "400", seen["http_reqs"][1]["status"])
	assert.Equal(t, "1400", seen["http_reqs"][1]["error_code"])
	assert.Equal(t, "false", seen["http_reqs"][1]["expected_response"])
}

// point is one line of k6's JSON output.
type point struct {
	Metric string `json:"metric"`
	Type   string `json:"type"`
	Data   struct {
		Value float64           `json:"value"`
		Tags  map[string]string `json:"tags"`
	} `json:"data"`
}

func (k k6Run) points(t *testing.T) (points []point) {
	t.Helper()
	file, err := os.Open(filepath.Join(k.dir, "metrics.json"))
	require.NoError(t, err)
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var p point
		require.NoError(t, json.Unmarshal(lines.Bytes(), &p))
		if p.Type == "Point" {
			points = append(points, p)
		}
	}
	return points
}

func TestATokenIsSharedAndRenewed(t *testing.T) {
	t.Parallel()
	env, _, _ := fixed(t)
	k := runK6(t, head+`
		import http from "k6/http";
		const accounts = JSON.parse(__ENV.ACCOUNTS);
		const client = new Client({ ...at, accounts, webhooks: { listen: __ENV.LISTEN } });
		export const options = { scenarios: {
			many: { executor: "per-vu-iterations", vus: 10, iterations: 5, exec: "pay" },
			expired: { executor: "per-vu-iterations", vus: 1, iterations: 1, exec: "expire", startTime: "2s" },
		} };
		export function setup() { client.prepare(); }
		export function pay() { console.log("PAID " + client.account().cashOut().accepted); }
		export function expire() {
			const moved = http.put(__ENV.PIX_CONTROLS + "/accounts/" + accounts[0].id + "/clock", JSON.stringify({ advance: "31m" }));
			console.log("MOVED " + moved.status);
			pay();
		}`, env, "--out", "json=metrics.json")
	requireSound(t, k)
	tokens := 0
	for _, p := range k.points(t) {
		if p.Metric == "http_reqs" && p.Data.Tags["name"] == "/api/auth/token" {
			tokens++
		}
	}
	assert.Equal(t, 2, tokens, "one for all virtual users, one when it had expired")
	paid := k.logged("PAID")
	assert.Len(t, paid, 51)
	assert.NotContains(t, paid, "false", k.stderr)
}

func TestAnInterruptedRunClosesItsBooks(t *testing.T) {
	t.Parallel()
	k := startK6(t, head+`
		const client = new Client({ ...at });
		export const options = { vus: 4, duration: "1h" };
		export function setup() { client.prepare(); }
		export default async function () { if ((await client.account().cashOut()).accepted) console.log("PAID once"); }`, target(t))
	require.Eventually(t, func() bool { return strings.Contains(k.stderr.String(), "PAID once") }, time.Minute, 10*time.Millisecond)
	require.NoError(t, k.Process.Signal(syscall.SIGINT))
	ended := k.wait(t)
	require.Equal(t, 105, ended.status, ended.stderr)
	c := ended.result(t).Ledger.Counts
	assert.Positive(t, c.PaymentsSent)
	assert.Equal(t, c.PaymentsSent, c.PaymentsConfirmed+c.PaymentsNotCreated+c.PaymentsRefused)
	assert.Zero(t, c.WebhooksLost)
	assert.Zero(t, c.MoneyDrift)
}

func TestTheEndWaitsForWebhooksThatAreUnderWay(t *testing.T) {
	t.Parallel()
	env, _, _ := fixed(t)
	k := runK6(t, head+`
		import http from "k6/http";
		const accounts = JSON.parse(__ENV.ACCOUNTS);
		const client = new Client({ ...at, accounts, webhooks: { listen: __ENV.LISTEN } });
		const settle = (mode) => http.put(__ENV.PIX_CONTROLS + "/accounts/" + accounts[0].id + "/settlement", JSON.stringify({ mode }));
		export const options = { iterations: 20, thresholds: thresholds("correct") };
		export function setup() { client.prepare(); settle("manual"); }
		export default function () { client.account().cashOut(); }
		export async function teardown() {
			const [a] = await client.audit();
			console.log("AUDIT " + (a.from !== a.to) + " " + a.drift);
			settle("automatic");
		}`, env)
	requireSound(t, k)
	assert.Equal(t, []string{"true 0.00"}, k.logged("AUDIT"))
	c := k.result(t).Ledger.Counts
	assert.EqualValues(t, 20, c.WebhooksMatched)
	assert.EqualValues(t, 20, c.PaymentsConfirmed)
}

func TestTheSameSeedGivesTheSamePayments(t *testing.T) {
	t.Parallel()
	env := target(t)
	values := func(seed string) []string {
		k := runK6(t, head+`
			const client = new Client({ ...at, seed: Number(__ENV.SEED), amounts: { min: "1.00", max: "9000.00" } });
			export const options = { iterations: 8 };
			export default async function () { const p = await client.account().cashOut(); console.log("VALUE " + p.value); }`,
			append(env, "SEED="+seed))
		requireSound(t, k)
		return k.logged("VALUE")
	}
	first := values("1")
	require.Len(t, first, 8)
	assert.Equal(t, first, values("1"))
	assert.NotEqual(t, first, values("2"))
}

func TestMisuseThrowsWhatIsWrong(t *testing.T) {
	t.Parallel()
	k := runK6(t, head+`
		const client = new Client({ ...at });
		const wrong = (name: string, f: () => unknown) => { try { f(); } catch (e) { console.log(name + " " + e.message); } };
		export default async function () {
			const account = client.account() as any;
			wrong("NUMBER", () => account.cashOut({ value: 10 }));
			wrong("CENTS", () => account.cashOut({ value: "10.001" }));
			wrong("FIELD", () => account.cashOut({ valeu: "10" }));
			wrong("QR", () => account.qrCashOut({ value: "1.00" }));
			wrong("REFUND", () => account.refund({}));
			wrong("PAY", () => client.pay({} as any));
			wrong("INDEX", () => client.account(3));
			wrong("KEY", () => account.transactionsByKey());
			const refused = await account.cashOut({ document: "1" });
			console.log("REFUSED " + refused.error.code + " " + refused.status);
			try { await refused.settled(); } catch (e) { console.log("UNSETTLED " + (e instanceof Error)); }
			console.log("RESENT " + (await account.resend(refused)).accepted);
			const charge = await account.cashIn();
			try { await charge.settled("100ms"); } catch (e) { console.log("UNPAID " + e.message); }
		}`, target(t))
	requireSound(t, k)
	for mark, want := range map[string]string{
		"NUMBER":    "cashOut: value: expected an amount as a string",
		"CENTS":     "cashOut: value: expected an amount in BRL with at most 2 decimals",
		"FIELD":     "cashOut: valeu: unknown option",
		"QR":        "qrCashOut: value, qrCode: expected both or neither",
		"REFUND":    "refund: expected a paid charge",
		"PAY":       "pay: expected a charge",
		"INDEX":     "account: expected an index from 0 to 0, got 3",
		"KEY":       "transactionsByKey: key: expected a PIX key",
		"REFUSED":   "HTTP_ERROR 400",
		"UNSETTLED": "true",
		"RESENT":    "false",
		"UNPAID":    "settled: ",
	} {
		texts := k.logged(mark)
		if assert.Len(t, texts, 1, mark) {
			assert.Contains(t, strings.ReplaceAll(texts[0], `\"`, `"`), want)
		}
	}
	assert.Zero(t, k.result(t).Ledger.Counts.WebhooksResendLost, "a resend that was refused is not waited for")
}

func TestSecretsAreNeverPrinted(t *testing.T) {
	t.Parallel()
	env, _, account := fixed(t)
	k := runK6(t, head+`
		const accounts = JSON.parse(__ENV.ACCOUNTS);
		const given = { url: at.url, accounts, controls: { ...at.controls, token: "a-secret-of-the-controls" }, webhooks: { listen: __ENV.LISTEN } };
		const client = new Client(given);
		for (const other of [{ ...given, accounts: accounts[0] }, { ...given, controls: { ...given.controls, token: "another-secret" } }]) {
			try { new Client(other); } catch (e) { console.log("REFUSED " + e.message); }
		}
		export const options = { iterations: 1 };
		export default function () { client.account().token(); client.account().cashOut(); }`, env, "--verbose")
	requireSound(t, k)
	refused := k.logged("REFUSED")
	require.NotEmpty(t, refused, k.stderr)
	assert.Contains(t, refused[0], "accounts: expected the same value as in this test's first new Client")
	assert.Contains(t, refused[1], "controls: expected the same value as in this test's first new Client")
	printed := map[string]string{"stdout": k.stdout, "stderr": k.stderr}
	require.NoError(t, filepath.WalkDir(k.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "script.ts" {
			return err
		}
		text, err := os.ReadFile(path)
		printed[path] = string(text)
		return err
	}))
	assert.NotContains(t, k.stderr, "access_token")
	for _, secret := range []string{account.ClientSecret, "a-secret-of-the-controls", "another-secret"} {
		for where, text := range printed {
			assert.False(t, strings.Contains(text, secret), where)
		}
	}
}

func TestWhatAScriptDoesBeforeItsFirstCallIsNoLag(t *testing.T) {
	t.Parallel()
	const pause = 400 * time.Millisecond
	k := runK6(t, head+`
		import { sleep } from "k6";
		const client = new Client({ ...at });
		export const options = { scenarios: {
			scheduled: { executor: "pix-arrival-rate", rate: 20, timeUnit: "1s", duration: "2s", preAllocatedVUs: 40 },
			free: { executor: "shared-iterations", iterations: 30, vus: 2, exec: "pay" },
		}, thresholds: { "pix_req_intended_duration{scenario:scheduled}": ["p(99)<60000"] } };
		export function setup() { client.prepare(); }
		export function pay() { client.account().cashOut(); }
		export default function () { sleep(0.4); client.account().balance(); }`, target(t))
	res := requireSound(t, k)[0]
	const balances = "pix_req_intended_duration{scenario:scheduled}"
	assert.Equal(t, res.Metrics[balances].Values["count"], res.Metrics["pix_schedule_lag"].Values["count"], "of iterations that have a schedule, each once")
	assert.Less(t, milliseconds(t, res, "pix_schedule_lag", "min"), pause, "of the least late")
	assert.Less(t, milliseconds(t, res, balances, "min"), pause, "of the fastest")
}

func TestAGatewayThatIsGoneIsNoException(t *testing.T) {
	t.Parallel()
	g := reftest.Start(t)
	k := startK6(t, head+`
		import { sleep } from "k6";
		const client = new Client({ ...at, drain: "100ms" });
		export const options = { iterations: 1, thresholds: { pix_invalid: ["count==0"] } };
		export function setup() { client.prepare(); }
		export default async function () {
			let p;
			do {
				p = await client.account().cashOut();
				console.log("PAID " + p.accepted);
				sleep(0.01);
			} while (p.status !== 0);
			console.log("GONE " + p.accepted + " " + (p.error.message !== ""));
		}`, []string{"PIX_URL=" + g.URL, "PIX_CONTROLS=" + g.ControlURL})
	require.Eventually(t, func() bool { return strings.Contains(k.stderr.String(), "PAID true") }, time.Minute, 10*time.Millisecond, &k.stderr)
	g.Kill()
	ended := k.wait(t)
	assert.Equal(t, []string{"false true"}, ended.logged("GONE"), ended.stderr)
	require.Equal(t, 99, ended.status, "books that cannot be closed: %s", ended.stderr)
	assert.Contains(t, ended.stderr, "the ledger is incomplete")
	assert.Contains(t, ended.stdout, "the gateway did not respond to")
}

func TestAGatewayThatWasNeverThereEndsSetup(t *testing.T) {
	t.Parallel()
	env, _, _ := fixed(t)
	k := runK6(t, head+`
		const client = new Client({ url: "http://127.0.0.1:1", accounts: JSON.parse(__ENV.ACCOUNTS), webhooks: { listen: __ENV.LISTEN } });
		export function setup() { client.prepare(); }
		export default function () {}`, env)
	require.Equal(t, 107, k.status, k.stderr)
	assert.Contains(t, k.stderr, "client: cannot read the opening balance of account 0")
	assert.Contains(t, k.stdout, "INVALID  the run could not be prepared: cannot read the opening balance")
	assert.Contains(t, k.stderr, "connection refused")
}

func TestAScenarioWithoutAGatewayIsTheScriptsMistake(t *testing.T) {
	t.Parallel()
	k := runK6(t, head+`
		const client = new Client({ ...at });
		export const options = { scenarios: { pay: { executor: "pix-arrival-rate", rate: 5, duration: "1s", preAllocatedVUs: 2 } } };
		export default function () { client.account().cashOut(); }`, []string{"PIX_URL=http://127.0.0.1:1", "PIX_CONTROLS=http://127.0.0.1:1"})
	require.Equal(t, 107, k.status, k.stderr) // k6's status of an exception
	require.Contains(t, k.stderr, "call client.prepare() in setup")
}

func TestARunWhoseGeneratorDropsIterationsIsInvalid(t *testing.T) {
	t.Parallel()
	k := runK6(t, head+`
		import { sleep } from "k6";
		const client = new Client(at);
		export const options = {
			scenarios: { pay: { executor: "constant-arrival-rate", rate: 50, duration: "1s", preAllocatedVUs: 1, maxVUs: 1 } },
			thresholds: thresholds("valid"),
		};
		export function setup() { client.prepare(); }
		export default function () { client.account().cashOut(); sleep(0.2); }`, target(t))
	require.Equal(t, 99, k.status, k.stderr)
	assert.Regexp(t, `\d+ iterations dropped: no virtual user was free`, k.stdout)
	res := k.result(t)
	assert.Positive(t, res.Dropped)
	assert.Equal(t, result.Invalid, res.Outcome)
}

// Iterations are dropped, and a webhook tells another amount than the payment's.
func TestWhatIsProvenFailsAnInvalidRunToo(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"with a summary": `export function handleSummary(data) { return { stdout: summary(data), "result.json": result(data) }; }`, "without one": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := reftest.Start(t)
			proxy := faulty.StartProxy(t, faulty.ProxyConfig{Upstream: g.URL, Deliveries: faulty.At(map[int64]faulty.Fault{1: faulty.Alter})})
			k := runK6(t, script+`
				import { Client, thresholds, summary, result } from "k6/x/pix";
				import { sleep } from "k6";
				const client = new Client({ url: __ENV.PIX_URL, controls: { url: __ENV.PIX_CONTROLS }, drain: "20s" });
				export const options = {
					scenarios: { pay: { executor: "constant-arrival-rate", rate: 50, duration: "1s", preAllocatedVUs: 1, maxVUs: 1 } },
					thresholds: { ...thresholds("correct", "valid"), "pix_req_intended_duration{operation:cash-out}": ["p(99)<0.001"] },
				};
				export function setup() { client.prepare(); }
				export default function () { client.account().cashOut(); sleep(0.2); }`,
				[]string{"PIX_URL=" + proxy.URL, "PIX_CONTROLS=" + g.ControlURL})
			require.Equal(t, result.Wrong.ExitStatus(), k.status, k.stderr)
			if name == "without one" {
				assert.Regexp(t, `WRONG: 1 webhook malformed[^\n]*; the run is also invalid[^\n]*\n[^\n]*- threshold pix_webhooks{outcome:malformed}: count==0, got 1, the first: \w+: `, k.stderr)
				assert.Contains(t, k.stdout, "http_req_duration", "k6's own summary")
				return
			}
			assert.Contains(t, k.stdout, "WRONG  1 webhook malformed")
			assert.Contains(t, k.stdout, "the run is also invalid")
			assert.Regexp(t, `- \d+ iterations dropped`, k.stdout)
			res := k.result(t)
			assert.Equal(t, result.Wrong, res.Outcome)
			assert.EqualValues(t, 1, res.Ledger.Counts.WebhooksMalformed)
		})
	}
}

func TestInstancesShareARun(t *testing.T) {
	t.Parallel()
	env := target(t)
	script := head + `
		const client = new Client({ ...at, accounts: 4 });
		export const options = { scenarios: { pay: { executor: "shared-iterations", vus: 4, iterations: 40 } } };
		export function setup() { client.prepare(); }
		export default function () { client.account().cashOut(); }`
	segment := func(of string) []string {
		return []string{"--execution-segment", of, "--execution-segment-sequence", "0,1/2,1"}
	}
	none := runK6(t, script, env, segment("0:1/2")...)
	require.Equal(t, 107, none.status)
	require.Contains(t, none.stderr, "PIX_RUN")

	env = append(env, "PIX_RUN=friday")
	one, two := startK6(t, script, env, segment("0:1/2")...), startK6(t, script, env, segment("1/2:1")...)
	var results []result.Result
	for _, k := range []*k6Process{one, two} {
		ended := k.wait(t)
		requireSound(t, ended)
		results = append(results, ended.result(t))
	}
	merged, err := result.Merge(results)
	require.NoError(t, err)
	assert.EqualValues(t, 40, merged.Ledger.Counts.PaymentsConfirmed)
	assert.EqualValues(t, 40, merged.Ledger.Counts.WebhooksMatched)
	assert.Zero(t, merged.Ledger.Counts.MoneyDrift)
	assert.Len(t, merged.Accounts(), 4)
}

func TestPaymentsSentTwiceAreDebitedOnce(t *testing.T) {
	t.Parallel()
	k := runK6(t, head+`
		const client = new Client({ ...at, repeats: 1 });
		export const options = { vus: 2, iterations: 20, thresholds: { ...thresholds("correct"), http_req_failed: ["rate==0"] } };
		export function setup() { client.prepare(); }
		export default function () { client.account().cashOut(); client.account().transfer(); client.account().qrCashOut(); }`, target(t))
	requireSound(t, k)
	c := k.result(t).Ledger.Counts
	assert.EqualValues(t, 60, c.RepeatsSent)
	assert.EqualValues(t, 60, c.PaymentsConfirmed)
	assert.Zero(t, c.DoubleDebits)
	assert.Zero(t, c.MoneyDrift)
}

// controlsOf is the URL of test controls that hand out a gateway's accounts, whose balances are set already.
func controlsOf(t *testing.T, g *faulty.Gateway) string {
	t.Helper()
	var made atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("GET /controls", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"protocol":1,"controls":["accounts","funds","limits"]}`)
	})
	mux.HandleFunc("POST /accounts", func(w http.ResponseWriter, _ *http.Request) {
		c := g.Credentials()[made.Add(1)-1]
		fmt.Fprintf(w, `{"accountId":%d,"clientId":%q,"clientSecret":%q,"pixKey":%q}`, c.ID, c.ClientID, c.ClientSecret, c.PixKey)
	})
	mux.HandleFunc("PUT /accounts/{id}/{resource}", func(http.ResponseWriter, *http.Request) {})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func TestABalanceThatIsSpentTwiceAtOnceIsDrift(t *testing.T) {
	t.Parallel()
	g, err := faulty.StartGateway(faulty.Config{Accounts: 30, Balance: 10_00, Webhooks: true, Race: 20 * time.Millisecond})
	require.NoError(t, err)
	t.Cleanup(g.Close)
	script, err := os.ReadFile("examples/overspend.js")
	require.NoError(t, err)
	k := runK6(t, string(script), []string{"PIX_URL=" + g.URL, "PIX_CONTROLS=" + controlsOf(t, g)})
	require.NotZero(t, k.status)
	assert.Regexp(t, `WRONG .*R\$ [0-9,.]+ money drift`, strings.Join(strings.Fields(k.stdout), " "))
}
