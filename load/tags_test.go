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
		const client = new Client(at);
		export const options = {
			scenarios: {
				payments: { executor: "per-vu-iterations", vus: 1, iterations: 4, exec: "payments", tags: { kind: "out" } },
				reading: { executor: "per-vu-iterations", vus: 1, iterations: 3, exec: "reading" },
			},
			thresholds: {
				"pix_payments{outcome:sent}": ["count==6"],
				"pix_payments{outcome:sent,scenario:payments}": ["count==6"],
				"pix_payments{outcome:confirmed,kind:out}": ["count==6"],
				"pix_payments{outcome:sent,group:::again}": ["count==2"],
				"pix_webhooks{outcome:matched,scenario:payments,group:::again}": ["count==2"],
				"pix_payments{outcome:sent,step:last}": ["count==3"],
				"pix_payments{outcome:sent,scenario:reading}": ["count==0"],
				"pix_req_failed": ["rate<0.5"],
				"pix_req_failed{scenario:payments}": ["rate==0"],
				"pix_req_failed{scenario:reading}": ["rate==1"],
				"pix_req_failed{operation:transactions}": ["rate==1"],
				"pix_req_duration{scenario:payments,operation:cash-out}": ["max>0"],
			},
		};
		export function setup() { client.prepare(); }
		export function payments() {
			const account = client.account();
			account.cashOut();
			if (exec.scenario.iterationInTest < 2) group("again", () => {
				if (exec.scenario.iterationInTest === 1) exec.vu.metrics.tags.step = "last";
				account.cashOut();
			});
		}
		export function reading() { client.account().transactions({ size: -1 }); }`, target(t), "--out", "csv=metrics.csv", "--out", "json=metrics.json")
	requireSound(t, k)
	sent := map[string]float64{}
	for _, p := range k.points(t) {
		if p.Metric == "pix_payments" && p.Data.Tags["outcome"] == "sent" {
			sent[p.Data.Tags["scenario"]+p.Data.Tags["group"]+p.Data.Tags["step"]] += p.Data.Value
		}
	}
	assert.Equal(t, map[string]float64{"payments": 2, "payments::again": 1, "payments::againlast": 1, "paymentslast": 2}, sent)
	csv, err := os.ReadFile(filepath.Join(k.dir, "metrics.csv"))
	require.NoError(t, err)
	assert.Regexp(t, `(?m)^pix_payments,.*,payments,`, string(csv))
}
