package load

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/result"
	"github.com/pixcert/pixcert/load/internal/test/reftest"
)

// target is the environment variables with the reference's URLs.
func target(t *testing.T) []string {
	t.Helper()
	g := reftest.Start(t)
	return []string{"PIX_URL=" + g.URL, "PIX_CONTROLS=" + g.ControlURL}
}

// head is the beginning of the scripts in these tests.
const head = `
	import { Client, thresholds, summary, result } from "k6/x/pix";
	export function handleSummary(data) { return { stdout: summary(data), [__ENV.PIX_RESULT]: result(data) }; }
	const at = { url: __ENV.PIX_URL, controls: { url: __ENV.PIX_CONTROLS } };
`

// result reads the result file of a run.
func (k k6Run) result(t *testing.T) result.Result {
	t.Helper()
	res, err := result.Read(filepath.Join(k.dir, "result.json"))
	require.NoError(t, err, "status %d\n%s\n%s", k.status, k.stdout, k.stderr)
	return res
}

func TestEveryWebhookIsMatchedAndEveryCentavoAccountedFor(t *testing.T) {
	t.Parallel()
	k := runK6(t, head+`
		const client = new Client({ ...at, accounts: 3, seed: 7 });
		export const options = {
			scenarios: { pay: { executor: "shared-iterations", vus: 6, iterations: 200 } },
			thresholds: { "pix_webhooks{outcome:lost}": ["count==0"], pix_money_drift: ["value==0"], "pix_payments{outcome:confirmed}": ["count==200"] },
		};
		export function setup() { client.prepare(); }
		export default async function () {
			const p = await client.account().cashOut();
			if (!p.accepted) throw new Error(JSON.stringify(p));
		}`, target(t))
	requireSound(t, k)
	res := k.result(t)
	c := res.Ledger.Counts
	require.EqualValues(t, 200, c.PaymentsSent)
	require.EqualValues(t, 200, c.PaymentsConfirmed)
	require.EqualValues(t, 200, c.WebhooksMatched)
	require.Zero(t, c.WebhooksLost)
	require.Zero(t, c.MoneyDrift)
	require.Len(t, res.Accounts(), 3)
}
