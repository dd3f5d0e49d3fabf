package run

import (
	"slices"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/target"
)

// witnesses are scenarios, if possible of independent rules, that fail if a control does nothing: a list for each call of
// the control. Accounts, funds, settlement and the clock are checked directly. The calls of payments, charges, refunds,
// splits and MED return what they have done, or scenarios wait for the state that they cause and could then not be tested.
var witnesses = map[target.Control][][]string{
	target.FeesControl: {{
		"delivery.cash-out-amounts/R$ 0.29 with a fee of R$ 0.07",
		"cash-out.covers-fee/R$ 100.00 covers R$ 99.50 and a fee of R$ 0.50, and not a centavo more",
		"money.outgoing/The fee is the one in force when the cash-out was sent",
	}},
	target.LimitsControl: {{
		"cash-out.transaction-limit/Above and below the limit, next to every choice",
		"cash-out.daily-limit/One payment above the limit",
		"cash-out.night-limit/Above the limit at night",
	}},
	target.Certificates: {{ // register
		"token.certificate-registered/Just registered",
		"token.certificate-account/A certificate of two accounts",
		"token.certificate-not-yet-valid/Valid since yesterday",
	}, { // revoke
		"token.certificate-revoked/Another account's certificate, before and after it is revoked",
		"token.certificate-registered/A certificate of two accounts, revoked for one of them",
	}},
	target.Directory: {{
		"transfer.shapes/To an e-mail",
		"cash-out.holder-check/Twelve payments to a key for another document, next to every choice",
		"cash-out.holder-check/Twelve payments to a key for a closed account, next to every choice",
	}},
	target.Returns: {{
		"money.returned/R$ 8.41 returned from a cash-out",
		"events.subscriptions/refund_out, for a payment that the payee returns",
		"events.left-open/A transfer that the payee returns",
	}},
	target.FaultsControl: {{ // of the provider
		"cash-in.provider-failure/The provider is unreachable",
		"qr-cash-out.provider-failure/The provider is unreachable",
	}, { // of authentication
		"token.upstream-unavailable/Upstream authentication is unreachable",
		"token.upstream-error/Upstream authentication returns an invalid response",
	}},
}

// plan returns those of the suite's scenarios that the target can be asked, the selected ones first. What a broken
// control keeps from passing shows nothing of another one.
func (r *recheck) plan(ids []string) []*plan.Scenario {
	var all []*catalogue.Scenario
	for s := range r.selection.suite.Scenarios() {
		if slices.Contains(ids, s.ID()) {
			all = append(all, s)
		}
	}
	planned, _ := plan.Make(all, r.offer) // fails for users' own scenarios only
	for _, p := range planned {
		for control, why := range r.distrusted {
			p.Distrust(control, why)
		}
		for _, b := range r.broken {
			p.Distrust(target.Control(b.Control), b.Why)
		}
	}
	planned = slices.DeleteFunc(planned, func(p *plan.Scenario) bool { return !p.Runs() || p.Costly() })
	isOther := func(p *plan.Scenario) bool { return r.planned[p.ID()] == nil }
	return slices.Concat(slices.DeleteFunc(slices.Clone(planned), isOther), slices.DeleteFunc(planned, func(p *plan.Scenario) bool { return !isOther(p) }))
}
