package steps

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// means is something by which more can be tested: a test control, or what a profile may
// tell. The cost is a guess at the work: 1 is a line of a profile, 2 an assignment in the
// gateway, 4 a double of what lies behind it, 8 what touches each part of it.
type means struct {
	name   string
	cost   int
	effort string
	give   func(*holdings)
}

// holdings are what an offer is made of.
type holdings struct {
	profile  target.Profile
	controls map[target.Control]bool
}

func (h holdings) offer() offer { return offerOf(h.profile, h.controls) }

// with is the same with more; h stays as it is.
func (h holdings) with(all ...means) holdings {
	h.controls = maps.Clone(h.controls)
	h.profile.Accounts = slices.Clone(h.profile.Accounts)
	for _, m := range all {
		m.give(&h)
	}
	return h
}

// everyMeans lists them by what they are about.
var everyMeans = []means{
	{"accounts in the profile: one", 1, "an account that stays, with its credentials", func(h *holdings) { h.haveAccounts(1) }},
	{"accounts in the profile: two", 2, "two accounts that stay, with their credentials", func(h *holdings) { h.haveAccounts(2) }},
	{"id of each account in the profile", 1, "the number by which the controls know an account", func(h *holdings) {
		for i := range h.profile.Accounts {
			h.profile.Accounts[i].AccountID = cmp.Or(h.profile.Accounts[i].AccountID, int64(i+1))
		}
	}},
	{"sink.listen in the profile", 1, "an address and a port for webhooks that stay the same", func(h *holdings) {
		h.profile.Sink.Listen = "127.0.0.1:9443"
	}},
	{"fees in the profile", 1, "the fees of the account", func(h *holdings) {
		h.profile.Fees.CashOut, h.profile.Fees.CashIn = cmp.Or(h.profile.Fees.CashOut, "0.00"), cmp.Or(h.profile.Fees.CashIn, "0.00")
	}},
	{"limits in the profile", 1, "the limits of the account", func(h *holdings) { h.haveLimits(new("100.00")) }},
	{"limits in the profile: none", 2, "an account whose limits are lifted", func(h *holdings) { h.haveLimits(nil) }},
	{"sandboxScenarios in the profile", 1, "the values of X-Sandbox-Scenario, where the gateway has any", func(h *holdings) {
		h.profile.SandboxScenarios = maps.Clone(h.profile.SandboxScenarios)
		if h.profile.SandboxScenarios == nil {
			h.profile.SandboxScenarios = map[string]string{}
		}
		for _, outcome := range []string{confirmed, "TAX_ID_MISMATCH", "INVALID_TAX_ID", "BLOCKED_ACCOUNT", "ACCOUNT_CLOSED", "ORDER_REJECTED", "PAYMENT_EXPIRED", "SETTLEMENT_TIMEOUT"} {
			h.profile.SandboxScenarios[outcome] = cmp.Or(h.profile.SandboxScenarios[outcome], "any")
		}
	}},

	control(target.Accounts, 4, "makes an account, with its certificate and credentials"),
	control(target.Funds, 2, "one assignment: the balance of an account"),
	control(target.FeesControl, 2, "two assignments: the fees of an account"),
	control(target.LimitsControl, 2, "assignments: the limits of an account"),
	control(target.Certificates, 3, "registers and revokes a certificate of an account"),
	control(target.Directory, 3, "puts a key into the key directory, or into its double"),
	control(target.Settlement, 4, "a settling bank that waits until it is told the outcome"),
	control(target.Payments, 4, "lets somebody pay a charge"),
	control(target.Charges, 3, "ends a cob, and reads its status"),
	control(target.Refunds, 4, "a bank that waits until it is told the result of a refund"),
	control(target.Returns, 3, "lets a payee give money back"),
	control(target.Splits, 2, "reads what becomes of the splits of a charge"),
	control(target.MED, 4, "opens MED cases and moves them"),
	control(target.FaultsControl, 4, "faults of what lies behind the gateway"),
	control(target.Clock, 8, "a clock of each account, which everything with a time asks"),
}

func control(c target.Control, cost int, effort string) means {
	return means{"control " + string(c), cost, effort, func(h *holdings) { h.controls[c] = true }}
}

func (h *holdings) haveAccounts(n int) {
	for i := len(h.profile.Accounts); i < n; i++ {
		h.profile.Accounts = append(h.profile.Accounts, target.Account{AccountID: int64(i + 1)})
	}
}

func (h *holdings) haveLimits(limit target.Limit) {
	for _, of := range limitNames {
		if known := of(&h.profile.Limits); *known == nil {
			*known = &limit
		}
	}
}

// kind is the scenarios that need the same.
type kind struct {
	one   *planned
	count int
}

// prospect is what may become testable, by kinds of scenarios.
type prospect struct {
	kinds []*kind
	count int                         // of their scenarios, but for those that ask for a sandbox
	rules []*catalogue.Rule           // in the order of the plan
	of    map[*catalogue.Rule][]*kind // the kinds of each rule, each once
}

// prospectOf leaves out what does not apply to the target, whatever its profile may tell
// yet.
func prospectOf(all []*planned) prospect {
	p := prospect{of: map[*catalogue.Rule][]*kind{}}
	known := map[string]*kind{}
	for _, planned := range all {
		if planned.outside != "" && len(planned.brings) == 0 {
			continue
		}
		key := planned.requirements()
		k := known[key]
		if k == nil {
			k = &kind{one: planned}
			known[key] = k
			p.kinds = append(p.kinds, k)
		}
		k.count++
		if len(planned.brings) == 0 {
			p.count++
		}
		rule := planned.scenario.Rule
		if p.of[rule] == nil {
			p.rules = append(p.rules, rule)
		}
		if !slices.Contains(p.of[rule], k) {
			p.of[rule] = append(p.of[rule], k)
		}
	}
	return p
}

// requirements spells out everything by which an offer judges whether the scenario can
// be carried out.
func (p *planned) requirements() string {
	var key strings.Builder
	fmt.Fprint(&key, slices.Sorted(slices.Values(p.needs)), p.accounts, p.funded, p.receives, p.mailboxes, p.brings)
	if len(p.brings) > 0 { // which decide whether it applies, as these do
		fmt.Fprint(&key, p.families)
	}
	for _, w := range p.wants {
		fmt.Fprint(&key, w.control, w.words)
	}
	if p.staging != nil {
		fmt.Fprint(&key, slices.Sorted(maps.Values(p.staging.outcome)))
	}
	return key.String()
}

// testable are the rules that an offer lets be tested wholly, and how many scenarios; and
// how many besides which apply by what the offer itself tells, and are no reason for it.
func (p prospect) testable(o offer) (whole map[*catalogue.Rule]bool, scenarios, besides int) {
	can, cannot := map[*kind]bool{}, map[*kind]bool{} // neither where it does not apply
	for _, k := range p.kinds {
		switch {
		case len(k.one.brings) > 0 && o.outside(k.one) != "":
		case o.suffices(k.one) && len(k.one.brings) > 0:
			can[k] = true
			besides += k.count
		case o.suffices(k.one):
			can[k] = true
			scenarios += k.count
		default:
			cannot[k] = true
		}
	}
	whole = map[*catalogue.Rule]bool{}
	for rule, kinds := range p.of {
		whole[rule] = slices.ContainsFunc(kinds, func(k *kind) bool { return can[k] }) &&
			!slices.ContainsFunc(kinds, func(k *kind) bool { return cannot[k] })
	}
	return whole, scenarios, besides
}

// unlocks lists what would let more be tested, each beside all before it: always that
// which brings most rules for its cost. Where nothing brings anything alone, it is two or
// more together.
func unlocks(all []*planned, has holdings) []verdict.Unlock {
	p := prospectOf(all)
	var list []verdict.Unlock
	for {
		best := p.next(has)
		if best == nil {
			return list
		}
		list, has = append(list, best.unlock), best.then
	}
}

// step is one line of the list, with what there is after it.
type step struct {
	unlock      verdict.Unlock
	then        holdings
	gain, costs int
}

// outdoes: more for the cost; of the same, what costs less.
func (s *step) outdoes(other *step) bool {
	if other == nil {
		return true
	}
	a, b := s.gain*other.costs, other.gain*s.costs
	return a > b || a == b && s.costs < other.costs
}

// next finds the best step, of as few means as bring anything.
func (p prospect) next(has holdings) *step {
	whole, scenarios, besides := p.testable(has.offer())
	if scenarios == p.count {
		return nil // looking for more would cost most of all
	}
	for size := 1; size <= 3; size++ {
		var best *step
		eachOf(everyMeans, size, func(chosen []means) {
			s := &step{then: has.with(chosen...)}
			nowWhole, nowScenarios, nowBesides := p.testable(s.then.offer())
			more := nowScenarios - scenarios
			s.unlock.Scenarios = more + nowBesides - besides
			for _, rule := range p.rules {
				if nowWhole[rule] && !whole[rule] {
					s.unlock.Rules = append(s.unlock.Rules, rule.Name)
				}
			}
			var efforts []string
			for _, m := range chosen {
				s.costs += m.cost
				s.unlock.Means = append(s.unlock.Means, m.name)
				efforts = append(efforts, m.effort)
			}
			s.unlock.Effort = strings.Join(efforts, "; ")
			const scenariosOfARule = 6 // on average
			s.gain = scenariosOfARule*len(s.unlock.Rules) + more
			if more > 0 && s.outdoes(best) {
				best = s
			}
		})
		if best != nil {
			return best
		}
	}
	return nil
}

// eachOf visits the ways to choose size of all, in their order.
func eachOf(all []means, size int, visit func([]means)) {
	if size == 0 {
		visit(nil)
		return
	}
	for i := range all {
		eachOf(all[i+1:], size-1, func(rest []means) { visit(append([]means{all[i]}, rest...)) })
	}
}
