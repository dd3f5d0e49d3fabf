package preset

// preset is a source with its limits.
type preset struct {
	Source
	limits []limit
}

type limit struct{ metric, expression string }

// own is the source of what pixcert chose itself.
const own = "a choice of pixcert's own"

// presets in the order in which they are listed. Those of the central bank are limits
// between banks, from the payer's order to the payee's money; a gateway's client sees
// its order and the webhook that tells of the end, so they are held against that time,
// from when the schedule wanted the order sent.
var presets = []preset{
	{
		Source{Name: "correct", Purpose: "every payment ends once, is told of and costs what it should", Source: own},
		none(
			"pix_webhooks_lost", "pix_webhooks_resend_lost", "pix_webhooks_orphan",
			"pix_webhooks_malformed", "pix_webhooks_contradictory",
			"pix_payments_vanished", "pix_payments_unsettled", "pix_payments_unknown",
			"pix_double_debits", "pix_money_drift",
		),
	},
	{
		Source{Name: "once", Purpose: "no webhook comes twice, which a gateway may do where it delivers at least once", Source: own},
		none("pix_webhooks_duplicate"),
	},
	{
		Source{Name: "answered", Purpose: "requests are answered: at most one in a thousand fails", Source: own},
		[]limit{
			{"pix_failed", "value<=0.001"},
		},
	},
	{
		Source{Name: "valid", Purpose: "the load was as the script wants it: the generator was no bottleneck, no iteration threw an error", Source: own},
		none("pix_invalid", "dropped_iterations", "pix_iterations_thrown"),
	},
	{
		Source{Name: "bcb-launch", Purpose: "the test before the launch of PIX: 99% under 4 s", Source: "Banco Central do Brasil, by press", Date: "2020"},
		[]limit{
			{"pix_webhook_delivery{from:intended,stat:p99}", "value<4000"},
		},
	},
	{
		Source{Name: "bcb-experience", Purpose: "what payers may expect between banks: half within 6 s, 99% within 10 s", Source: "Banco Central do Brasil, service levels of PIX, second-hand", Date: "2020"},
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
		Source{Name: "interactive", Purpose: "answers that a waiting person does not notice", Source: own},
		[]limit{
			{"pix_duration{operation:token,from:intended,stat:p99}", "value<500"},
			{"pix_duration{operation:cash-out,from:intended,stat:p50}", "value<100"},
			{"pix_duration{operation:cash-out,from:intended,stat:p99}", "value<500"},
			{"pix_duration{operation:balance,from:intended,stat:p99}", "value<500"},
		},
	},
	{
		Source{Name: "prompt", Purpose: "webhooks that keep up: half within 1 s of acceptance, 99% within 5 s, none late", Source: own},
		[]limit{
			{"pix_webhook_delivery{from:acceptance,stat:p50}", "value<1000"},
			{"pix_webhook_delivery{from:acceptance,stat:p99}", "value<5000"},
			{"pix_webhooks_late", "count==0"},
		},
	},
}

// none is limits on counters that must stay at zero.
func none(metrics ...string) []limit {
	limits := make([]limit, len(metrics))
	for i, metric := range metrics {
		limits[i] = limit{metric, "count==0"}
	}
	return limits
}
