package run

import (
	"slices"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/target"
)

// witnesses are scenarios of independent rules that fail if a control does nothing. Controls whose response, or a state
// that scenarios wait for, already shows that they do nothing have none.
var witnesses = map[target.Control][]string{
	target.FeesControl: {
		"delivery.cash-out-amounts/R$ 0.29 with a fee of R$ 0.07",
		"cash-out.covers-fee/One centavo short",
		"money.outgoing/The fee is the one in force when the cash-out was sent",
	},
	target.LimitsControl: {
		"cash-out.transaction-limit/Above the limit",
		"cash-out.daily-limit/One payment above the limit",
		"cash-out.night-limit/Above the limit at night",
	},
	target.Certificates: {
		"token.certificate-registered/Just registered",
		"token.certificate-account/A certificate of two accounts",
		"token.certificate-not-yet-valid/Valid since yesterday",
	},
	target.Directory: {
		"transfer.accepted/The response",
		"cash-out.holder-check/The key belongs to somebody else",
		"balance.standard/The four fields",
	},
	target.Returns: {
		"money.returned/R$ 8.41 returned from a cash-out",
		"events.subscriptions/refund_out, for a payment that the payee returns",
		"events.left-open/A transfer that the payee returns",
	},
	target.FaultsControl: {
		"cash-in.provider-failure/The provider is unreachable",
		"qr-cash-out.provider-failure/The provider is unreachable",
		"token.upstream-unavailable/Upstream authentication is unreachable",
	},
}

// witnessesOf returns the witnesses of a control that the target can be asked, also those that were not selected.
func (r *recheck) witnessesOf(control target.Control) []*plan.Scenario {
	var all []*catalogue.Scenario
	for s := range r.selection.suite.Scenarios() {
		if slices.Contains(witnesses[control], s.ID()) {
			all = append(all, s)
		}
	}
	planned, err := plan.Make(all, r.offer)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(planned, func(p *plan.Scenario) bool { return !p.Runs() })
}
