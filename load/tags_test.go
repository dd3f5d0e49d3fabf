package load

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Figures have the tags of the calls that they are about: in thresholds, outputs and the report.
func TestFiguresHaveTheTagsOfTheirCalls(t *testing.T) {
	t.Parallel()
	k := runK6(t, head+`
		import { group } from "k6";
		import exec from "k6/execution";
		const gateway = new Gateway(at);
		export const options = {
			scenarios: {
				payments: { executor: "per-vu-iterations", vus: 1, iterations: 4, exec: "payments", tags: { kind: "out" } },
				reading: { executor: "per-vu-iterations", vus: 1, iterations: 3, exec: "reading" },
			},
			thresholds: {
				"pix_payments_sent": ["count==6"],
				"pix_payments_sent{scenario:payments}": ["count==6"],
				"pix_payments_confirmed{kind:out}": ["count==6"],
				"pix_payments_sent{group:::again}": ["count==2"],
				"pix_webhooks_matched{scenario:payments,group:::again}": ["count==2"],
				"pix_payments_sent{step:last}": ["count==3"],
				"pix_payments_sent{scenario:reading}": ["count==0"],
				"pix_failed": ["value<0.5"],
				"pix_failed{scenario:payments}": ["value==0"],
				"pix_failed{scenario:reading}": ["value==1"],
				"pix_failed{operation:transactions}": ["value==1"],
				"pix_duration{scenario:payments,operation:cash-out,from:send,stat:max}": ["value>0"],
			},
		};
		export function setup() { gateway.prepare(); }
		export function payments() {
			const account = gateway.account();
			account.cashOut();
			if (exec.scenario.iterationInTest < 2) group("again", () => {
				if (exec.scenario.iterationInTest === 1) exec.vu.metrics.tags.step = "last";
				account.cashOut();
			});
		}
		export function reading() { gateway.account().transactions({ size: -1 }); }`, target(t), "--out", "csv=metrics.csv", "--out", "json=metrics.json")
	requireSound(t, k)
	sent := map[string]float64{}
	for _, p := range k.points(t) {
		if p.Metric == "pix_payments_sent" {
			sent[p.Data.Tags["scenario"]+p.Data.Tags["group"]+p.Data.Tags["step"]] += p.Data.Value
		}
	}
	assert.Equal(t, map[string]float64{"": 0, "payments": 2, "payments::again": 1, "payments::againlast": 1, "paymentslast": 2, "reading": 0}, sent)
	csv, err := os.ReadFile(filepath.Join(k.dir, "metrics.csv"))
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^pix_payments_sent,.*,payments,`, string(csv))
	assert.Regexp(t, `(?m)^ *payments +6 +0 .* 6 +6 +0 `, k.stdout)
	assert.Regexp(t, `(?m)^ *reading +0 +3 `, k.stdout)
}

// A tag that few calls have may be of none, if the script says so. A call may set the tag of its
// scenario, as in k6. Operations that a preset limits need not be called.
func TestDeclaredTagValuesMayHaveNoData(t *testing.T) {
	t.Parallel()
	k := runK6(t, head+`
		const gateway = new Gateway({ ...at, tagValues: { step: ["refund"], scenario: ["checkout"] } });
		export const options = {
			scenarios: { payments: { executor: "per-vu-iterations", vus: 1, iterations: 2 } },
			thresholds: Object.assign(thresholds("interactive"), {
				"pix_failed": [{ threshold: "value==0", abortOnFail: true }],
				"pix_failed{step:refund}": ["value==0"],
				"pix_payments_failed{step:refund}": ["count==0"],
				"http_req_failed{step:refund}": ["rate==0"],
				"pix_payments_sent{scenario:checkout}": ["count==2"],
				"http_reqs{scenario:checkout}": ["count==2"],
			}),
		};
		export function setup() { gateway.prepare(); }
		export default function () { gateway.account().cashOut({}, { tags: { scenario: "checkout" } }); }`, target(t))
	requireSound(t, k)
	assert.Contains(t, k.stdout, "no data: pix_failed{step:refund}: value==0")
	assert.NotContains(t, k.stderr, "had no data")
}
