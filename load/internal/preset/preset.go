// Package preset provides named thresholds for a run, with the sources of their limits.
package preset

import (
	"fmt"
	"slices"
	"strings"
)

// Source of a preset's limits.
type Source struct {
	Name    string `json:"name"`
	Purpose string `json:"purpose"` // what the limits are for
	Source  string `json:"source"`
	Date    string `json:"date,omitempty"` // of the source, YYYY-MM-DD or YYYY; empty if chosen by pixcert
}

// Thresholds returns the thresholds of the named presets, by metric as in options.thresholds, and the presets. If two limit
// one metric, both limits apply. With any preset, an invalid run fails, because its figures prove nothing. An unknown name
// is an error that lists the known names.
func Thresholds(names ...string) (map[string][]string, []Source, error) {
	thresholds := make(map[string][]string)
	var sources []Source
	for _, name := range names {
		i := slices.IndexFunc(presets, func(p preset) bool { return p.Name == name })
		if i < 0 {
			return nil, nil, fmt.Errorf("expected one of the presets %s, got %q", strings.Join(Names(), ", "), name)
		}
		if slices.Contains(sources, presets[i].Source) {
			continue
		}
		sources = append(sources, presets[i].Source)
		for _, limit := range append(none("pix_invalid"), presets[i].limits...) {
			if !slices.Contains(thresholds[limit.metric], limit.expression) {
				thresholds[limit.metric] = append(thresholds[limit.metric], limit.expression)
			}
		}
	}
	return thresholds, sources, nil
}

// Names are those of all presets.
func Names() []string {
	names := make([]string, len(presets))
	for i, p := range presets {
		names[i] = p.Name
	}
	return names
}

// preset is a source with its limits.
type preset struct {
	Source
	limits []limit
}

type limit struct{ metric, expression string }

const own = "chosen by pixcert" // the source of limits that pixcert chose itself

// presets in the order in which they are listed. The central bank's limits apply between banks, from the payer's order to the
// payee's money. A gateway's client sees its own request and the webhook that reports the outcome, so the limits are
// compared with the time from the intended start to the webhook.
var presets = []preset{
	{
		Source{Name: "correct", Purpose: "every payment has one outcome, which a webhook reports, and is charged correctly", Source: own},
		append(none(
			"pix_webhooks{outcome:lost}", "pix_webhooks{outcome:resend_lost}", "pix_webhooks{outcome:orphan}",
			"pix_webhooks{outcome:malformed}", "pix_webhooks{outcome:contradictory}",
			"pix_payments{outcome:vanished}", "pix_payments{outcome:unsettled}", "pix_payments{outcome:unknown}", "pix_payments{outcome:unchecked}",
			"pix_payments{outcome:mixed_up}", "pix_payments{outcome:misstated}", "pix_payments{outcome:double_debit}", "pix_payments{outcome:refused_wrongly}",
		), limit{"pix_money_drift", "value==0"}),
	},
	{
		Source{Name: "once", Purpose: "no webhook is delivered twice, although gateways with at-least-once delivery may do so", Source: own},
		none("pix_webhooks{outcome:duplicate}"),
	},
	{
		Source{Name: "answered", Purpose: "requests succeed: at most one in a thousand fails, and no valid access token is rejected", Source: own},
		[]limit{
			{"pix_req_failed", "rate<=0.001"},
			{"pix_tokens_rejected", "count==0"},
		},
	},
	{
		Source{Name: "valid", Purpose: "the load was as scripted: the generator was not the bottleneck, no iteration was dropped or threw an error", Source: own},
		none("dropped_iterations", "pix_iterations_thrown"),
	},
	{
		Source{Name: "bcb-launch", Purpose: "the test before the launch of PIX: 99% under 4 s", Source: "Banco Central do Brasil, according to the press", Date: "2020"},
		[]limit{{"pix_webhook_intended_duration", "p(99)<4000"}},
	},
	{
		Source{Name: "bcb-experience", Purpose: "what payers can expect between banks: half within 6 s, 99% within 10 s", Source: "Banco Central do Brasil, PIX service levels, from a secondary source", Date: "2020"},
		[]limit{
			{"pix_webhook_intended_duration", "p(50)<=6000"},
			{"pix_webhook_intended_duration", "p(99)<=10000"},
		},
	},
	{
		Source{Name: "bcb-settlement", Purpose: "settled within 40 s or rejected, between banks", Source: "Banco Central do Brasil, Instrução Normativa BCB 5/2020", Date: "2020-08-20"},
		[]limit{{"pix_webhook_intended_duration", "max<=40000"}},
	},
	{
		Source{Name: "interactive", Purpose: "responses too fast for a person to notice the wait", Source: own},
		[]limit{
			{"pix_req_intended_duration{operation:token}", "p(99)<500"},
			{"pix_req_intended_duration{operation:cash-out}", "p(50)<100"},
			{"pix_req_intended_duration{operation:cash-out}", "p(99)<500"},
			{"pix_req_intended_duration{operation:balance}", "p(99)<500"},
		},
	},
	{
		Source{Name: "prompt", Purpose: "webhooks keep up: half within 1 s of acceptance, 99% within 5 s, none late", Source: own},
		[]limit{
			{"pix_webhook_duration", "p(50)<1000"},
			{"pix_webhook_duration", "p(99)<5000"},
			{"pix_webhooks{outcome:late}", "count==0"},
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
