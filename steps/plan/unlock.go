package plan

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

// addition is something that unlocks more tests: a test control, or a setting in the profile. The
// cost estimates the work: 1 is a line in a profile, 2 an assignment in the gateway, 4 a test
// double of an upstream system, 8 a change throughout the gateway.
type addition struct {
	name   string
	cost   int
	effort string
	add    func(*target.Profile, map[target.Control]bool)
}

var additions = []addition{
	stated("accounts in the profile: one", 1, "the credentials of an existing account", accounts(1)),
	stated("accounts in the profile: two", 2, "the credentials of two existing accounts", accounts(2)),
	stated("id of each account in the profile", 1, "the accountId that the test controls use", func(p *target.Profile) {
		for i := range p.Accounts {
			p.Accounts[i].AccountID = cmp.Or(p.Accounts[i].AccountID, int64(i+1))
		}
	}),
	stated("accounts[].pixKey in the profile", 1, "a PIX key of each account", func(p *target.Profile) {
		for i := range p.Accounts {
			p.Accounts[i].PixKey = cmp.Or(p.Accounts[i].PixKey, "any")
		}
	}),
	stated("sink.listen in the profile", 1, "a fixed address and port for webhooks", func(p *target.Profile) { p.Sink.Listen = "127.0.0.1:9443" }),
	stated("fees in the profile", 1, "the fees that the accounts pay", func(p *target.Profile) {
		p.Fees = target.Fees{CashOut: cmp.Or(p.Fees.CashOut, "0.00"), CashIn: cmp.Or(p.Fees.CashIn, "0.00")}
	}),
	stated("limits in the profile", 1, "the limits of the accounts", limits(new("100.00"))),
	stated("limits: none in the profile", 2, "accounts without limits", limits(nil)),
	stated("sandboxScenarios in the profile", 1, "the X-Sandbox-Scenario value for each outcome, if the gateway has them", func(p *target.Profile) {
		known := p.SandboxScenarios
		p.SandboxScenarios = map[string]string{}
		for _, outcome := range []string{target.Confirmed, "TAX_ID_MISMATCH", "INVALID_TAX_ID", "BLOCKED_ACCOUNT", "ACCOUNT_CLOSED", "ORDER_REJECTED", "PAYMENT_EXPIRED", "SETTLEMENT_TIMEOUT"} {
			p.SandboxScenarios[outcome] = "any"
		}
		maps.Copy(p.SandboxScenarios, known)
	}),

	control(target.Accounts, 4, "creates an account with its certificate and credentials"),
	control(target.Funds, 2, "sets the balance of an account"),
	control(target.FeesControl, 2, "sets the fees of an account"),
	control(target.LimitsControl, 2, "sets the limits of an account"),
	control(target.Certificates, 3, "registers and revokes the certificates of an account"),
	control(target.Directory, 3, "adds a key to the key directory or its test double"),
	control(target.Settlement, 4, "holds payments until pixcert settles them"),
	control(target.Payments, 4, "pays a charge"),
	control(target.Charges, 3, "removes a cob and returns its status"),
	control(target.Refunds, 4, "holds refunds until pixcert completes them"),
	control(target.Returns, 3, "has a payee return money"),
	control(target.Splits, 2, "returns the status and amounts of a charge's splits"),
	control(target.MED, 4, "opens MED cases and changes their status"),
	control(target.FaultsControl, 4, "simulates faults of upstream systems"),
	control(target.Clock, 8, "moves the clock of an account and everything that depends on it"),
}

func control(c target.Control, cost int, effort string) addition {
	return addition{"control " + string(c), cost, effort, func(_ *target.Profile, has map[target.Control]bool) { has[c] = true }}
}

func stated(name string, cost int, effort string, state func(*target.Profile)) addition {
	return addition{name, cost, effort, func(p *target.Profile, _ map[target.Control]bool) { state(p) }}
}

func accounts(n int) func(*target.Profile) {
	return func(p *target.Profile) {
		for i := len(p.Accounts); i < n; i++ {
			p.Accounts = append(p.Accounts, target.Account{AccountID: int64(i + 1)})
		}
	}
}

func limits(limit target.Limit) func(*target.Profile) {
	return func(p *target.Profile) {
		for _, name := range target.AmountLimits {
			if known := p.Limits.Named(name); *known == nil {
				*known = &limit
			}
		}
	}
}

// with returns the offer with additions; o does not change.
func (o Offer) with(all ...addition) Offer {
	profile, has := o.profile, maps.Clone(o.has)
	profile.Accounts = slices.Clone(profile.Accounts)
	for _, a := range all {
		a.add(&profile, has)
	}
	return OfferOf(profile, has)
}

// Unlocks lists what would unlock more, each in addition to those before it, always the best gain
// for its cost next. If no single addition helps, it is two or three together.
func Unlocks(all []*Scenario, t *target.Target) []verdict.Unlock {
	p, offer := unlockableOf(all), OfferOf(t.Profile, t.Has)
	list := []verdict.Unlock{}
	for {
		best := p.next(offer)
		if best == nil {
			return list
		}
		list, offer = append(list, best.unlock), best.offer
	}
}

// unlockable is what may become testable, by kinds of scenarios.
type unlockable struct {
	kinds []*kind
	count int                         // number of scenarios, except those that need a sandbox
	rules []*catalogue.Rule           // in the order of the plan
	of    map[*catalogue.Rule][]*kind // the kinds of each rule, each once
}

// kind is a group of scenarios with the same requirements: there are few, and evaluating every
// scenario with every choice of additions would take minutes.
type kind struct {
	one   *Scenario
	count int
}

// unlockableOf omits scenarios that do not apply to the target. Whether a scenario that needs a
// sandbox applies depends on the profile.
func unlockableOf(all []*Scenario) unlockable {
	p := unlockable{of: map[*catalogue.Rule][]*kind{}}
	known := map[string]*kind{}
	for _, s := range all {
		if s.Outside != "" && len(s.sandbox) == 0 {
			continue
		}
		key := s.requirements()
		k := known[key]
		if k == nil {
			k = &kind{one: s}
			known[key] = k
			p.kinds = append(p.kinds, k)
		}
		k.count++
		if len(s.sandbox) == 0 {
			p.count++
		}
		if p.of[s.Rule] == nil {
			p.rules = append(p.rules, s.Rule)
		}
		p.of[s.Rule] = including(p.of[s.Rule], k)
	}
	return p
}

// requirements returns a key of everything that decides whether the scenario can run under an
// Offer.
func (s *Scenario) requirements() string {
	key := fmt.Sprint(slices.Sorted(slices.Values(s.Needs)), s.wants, s.Accounts, s.funded, s.rich, s.registers, s.needsKey, s.Mailboxes, s.sandbox)
	if len(s.sandbox) > 0 { // they decide whether it applies, and depend on the families
		key += fmt.Sprint(s.families)
	}
	return key + fmt.Sprint(s.staging != nil, slices.Sorted(maps.Values(s.staging)))
}

// testable returns the rules that can be tested completely under an offer, and the number of
// scenarios; sandboxed are scenarios that apply only because of the offer, and count for nothing.
func (p unlockable) testable(o Offer) (complete map[*catalogue.Rule]bool, scenarios, sandboxed int) {
	can, cannot := map[*kind]bool{}, map[*kind]bool{} // neither if it does not apply
	for _, k := range p.kinds {
		asks := len(k.one.sandbox) > 0
		switch {
		case asks && o.outside(k.one) != "":
		case !o.suffices(k.one):
			cannot[k] = true
		case asks:
			can[k] = true
			sandboxed += k.count
		default:
			can[k] = true
			scenarios += k.count
		}
	}
	complete = map[*catalogue.Rule]bool{}
	for rule, kinds := range p.of {
		complete[rule] = slices.ContainsFunc(kinds, func(k *kind) bool { return can[k] }) &&
			!slices.ContainsFunc(kinds, func(k *kind) bool { return cannot[k] })
	}
	return complete, scenarios, sandboxed
}

// candidate is some additions and the offer with them.
type candidate struct {
	unlock     verdict.Unlock
	offer      Offer
	gain, cost int
}

// isBetterThan: more gain for its cost; if equal, less cost.
func (c *candidate) isBetterThan(other *candidate) bool {
	if other == nil {
		return true
	}
	a, b := c.gain*other.cost, other.gain*c.cost
	return a > b || a == b && c.cost < other.cost
}

// next returns the best candidate with the fewest additions; nil if there is none.
func (p unlockable) next(o Offer) *candidate {
	complete, scenarios, sandboxed := p.testable(o)
	if scenarios == p.count {
		return nil // avoids trying thousands of choices
	}
	for size := 1; size <= 3; size++ {
		var best *candidate
		eachOf(additions, size, func(chosen []addition) {
			c := &candidate{offer: o.with(chosen...)}
			nowComplete, nowScenarios, nowSandboxed := p.testable(c.offer)
			more := nowScenarios - scenarios
			if more <= 0 {
				return
			}
			c.unlock.Scenarios = more + nowSandboxed - sandboxed
			for _, rule := range p.rules {
				if nowComplete[rule] && !complete[rule] {
					c.unlock.Rules = append(c.unlock.Rules, rule.Name)
				}
			}
			var efforts []string
			for _, a := range chosen {
				c.cost += a.cost
				c.unlock.Means = append(c.unlock.Means, a.name)
				efforts = append(efforts, a.effort)
			}
			c.unlock.Effort = strings.Join(efforts, "; ")
			const scenariosOfARule = 6 // on average
			c.gain = scenariosOfARule*len(c.unlock.Rules) + more
			if c.isBetterThan(best) {
				best = c
			}
		})
		if best != nil {
			return best
		}
	}
	return nil
}

// eachOf visits all ways to choose size of all, in order.
func eachOf(all []addition, size int, visit func([]addition)) {
	if size == 0 {
		visit(nil)
		return
	}
	for i := range all {
		eachOf(all[i+1:], size-1, func(rest []addition) { visit(append([]addition{all[i]}, rest...)) })
	}
}
