package preset

// preset is a source with its limits.
type preset struct {
	Source
	limits []limit
}

type limit struct{ metric, expression string }

// own is the source of limits that pixcert chose itself.
const own = "chosen by pixcert"

// presets in the order in which they are listed. The central bank's limits apply between
// banks, from the payer's order to the payee's money. A gateway's client sees its own request
// and the webhook that reports the outcome, so the limits are compared with the time from the
// intended start to the webhook.
var presets = []preset{
	{
		Source{Name: "correct", Purpose: "every payment has one outcome, which a webhook reports, and is charged correctly", Source: own},
		none(
			"pix_webhooks_lost", "pix_webhooks_resend_lost", "pix_webhooks_orphan",
			"pix_webhooks_malformed", "pix_webhooks_contradictory",
			"pix_payments_vanished", "pix_payments_unsettled", "pix_payments_unknown", "pix_payments_mixed_up",
			"pix_double_debits", "pix_money_drift",
		),
	},
	{
		Source{Name: "once", Purpose: "no webhook is delivered twice, although gateways with at-least-once delivery may do so", Source: own},
		none("pix_webhooks_duplicate"),
	},
	{
		Source{Name: "answered", Purpose: "requests succeed: at most one in a thousand fails, and no valid access token is rejected", Source: own},
		[]limit{
			{"pix_failed", "value<=0.001"},
			{"pix_tokens_rejected", "count==0"},
		},
	},
	{
		Source{Name: "valid", Purpose: "the load was as scripted: the generator was not the bottleneck, no iteration was dropped or threw an error", Source: own},
		none("dropped_iterations", "pix_iterations_thrown"),
	},
	{
		Source{Name: "bcb-launch", Purpose: "the test before the launch of PIX: 99% under 4 s", Source: "Banco Central do Brasil, according to the press", Date: "2020"},
		[]limit{
			{"pix_webhook_delivery{from:intended,stat:p99}", "value<4000"},
		},
	},
	{
		Source{Name: "bcb-experience", Purpose: "what payers can expect between banks: half within 6 s, 99% within 10 s", Source: "Banco Central do Brasil, PIX service levels, from a secondary source", Date: "2020"},
		[]limit{
			{"pix_webhook_delivery{from:intended,stat:p50}", "value<=6000"},
			{"pix_webhook_delivery{from:intended,stat:p99}", "value<=10000"},
		},
	},
	{
		Source{Name: "bcb-settlement", Purpose: "settled within 40 s or rejected, between banks", Source: "Banco Central do Brasil, Instrução Normativa BCB 5/2020", Date: "2020-08-20"},
		[]limit{
			{"pix_webhook_delivery{from:intended,stat:max}", "value<=40000"},
		},
	},
	{
		Source{Name: "interactive", Purpose: "responses too fast for a person to notice the wait", Source: own},
		[]limit{
			{"pix_duration{operation:token,from:intended,stat:p99}", "value<500"},
			{"pix_duration{operation:cash-out,from:intended,stat:p50}", "value<100"},
			{"pix_duration{operation:cash-out,from:intended,stat:p99}", "value<500"},
			{"pix_duration{operation:balance,from:intended,stat:p99}", "value<500"},
		},
	},
	{
		Source{Name: "prompt", Purpose: "webhooks keep up: half within 1 s of acceptance, 99% within 5 s, none late", Source: own},
		[]limit{
			{"pix_webhook_delivery{from:acceptance,stat:p50}", "value<1000"},
			{"pix_webhook_delivery{from:acceptance,stat:p99}", "value<5000"},
			{"pix_webhooks_late", "count==0"},
		},
	},
}

// none is limits on counters that must stay at 0.
func none(metrics ...string) []limit {
	limits := make([]limit, len(metrics))
	for i, metric := range metrics {
		limits[i] = limit{metric, "count==0"}
	}
	return limits
}
