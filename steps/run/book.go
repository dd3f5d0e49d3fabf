package run

import (
	"cmp"
	"slices"
	"sync"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/verdict"
)

// book collects the breaches that scenarios meet in a run, each once, with the scenario that
// shows it; and what has an id of its own, since who has the same one is in another scenario.
type book struct {
	mu       sync.Mutex
	breaches map[judge.Breach]verdict.Scenario
	of       map[string]int // breaches by rule
	known    map[identity]shown
}

// identity is an id by the breach that another thing with the same one would be.
type identity struct {
	breach judge.Breach
	value  string
}

// shown is what has an id, with the scenario and the exchange that show it.
type shown struct {
	of       string
	by       verdict.Scenario
	exchange *exchange.Exchange
}

// take takes what an attempt at a scenario has met.
func (b *book) take(by verdict.Scenario, j *judge.Scenario) {
	b.add(by, j.Breaches())
	b.identify(verdict.Scenario{Rule: by.Rule, Name: by.Name, Line: by.Line, Started: by.Started}, j.Identities())
}

// identify keeps who has an id first. Both are breaches once another has the same, so that which
// of them came first does not matter.
func (b *book) identify(by verdict.Scenario, all []judge.Identity) {
	for _, id := range all {
		mine := shown{id.Of, by, id.Shown}
		b.mu.Lock()
		if b.known == nil {
			b.known = map[identity]shown{}
		}
		first, ok := b.known[identity{id.Breach, id.Value}]
		if !ok {
			b.known[identity{id.Breach, id.Value}] = mine
		}
		b.mu.Unlock()
		if ok && first.of != mine.of {
			for _, s := range []shown{first, mine} {
				b.add(s.by, []judge.Met{{Breach: id.Breach, Exchange: s.exchange}})
			}
		}
	}
}

// mostBreaches bounds the breaches that are reported for a rule: a target can break the
// contract in another way with each response.
const mostBreaches = 50

// add keeps each breach once, however many responses show it. The scenario that shows it is
// one of the operation's own rule if there is one, else the first by name: the same in every
// run, whatever the order.
func (b *book) add(by verdict.Scenario, found []judge.Met) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.breaches == nil {
		b.breaches, b.of = map[judge.Breach]verdict.Scenario{}, map[string]int{}
	}
	for _, f := range found {
		known, ok := b.breaches[f.Breach]
		if ok && (known.Rule == f.Rule || by.Rule != f.Rule && known.ID() <= by.ID()) || !ok && b.of[f.Rule] == mostBreaches {
			continue
		}
		if !ok {
			b.of[f.Rule]++
		}
		b.breaches[f.Breach] = verdict.Scenario{
			Rule: by.Rule, Name: by.Name, Line: by.Line, Started: by.Started, Exchanges: []exchange.Exchange{f.Exchange.Kept()},
		}
	}
}

// applicable are the rules of scenarios that apply to the target: of others its family is not
// claimed.
func applicable(scenarios []verdict.Scenario) map[string]bool {
	rules := map[string]bool{}
	for _, s := range scenarios {
		rules[s.Rule] = rules[s.Rule] || s.Verdict != verdict.NotApplicable
	}
	return rules
}

// results are the breaches that no scenario of the operation's own rule failed by, as results of
// that rule, if it is among those that were selected. What a scenario merely met counts as well: so
// the same breaches are reported whichever scenarios run together.
func (b *book) results(carriedOut []verdict.Scenario, selected map[string]bool) []verdict.Scenario {
	failedBy := map[judge.Breach]bool{}
	for _, s := range carriedOut {
		if s.Verdict.Failing() && s.Finding != nil {
			failedBy[judge.Breach{Rule: s.Rule, Expected: s.Finding.Expected, Got: s.Finding.Got, Field: s.Finding.Field}] = true
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []verdict.Scenario
	for found, by := range b.breaches {
		if !selected[found.Rule] || failedBy[found] {
			continue
		}
		all = append(all, verdict.Scenario{
			Rule: found.Rule, Name: found.Got, Via: by.ID(), Verdict: verdict.Fail,
			Finding:   &verdict.Finding{Expected: found.Expected, Got: found.Got, Hint: "met while testing " + by.Rule + ", " + by.Name, Field: found.Field},
			Exchanges: by.Exchanges, ExchangeCount: 1, Started: by.Started,
		})
	}
	slices.SortFunc(all, func(a, b verdict.Scenario) int { return cmp.Compare(a.ID(), b.ID()) })
	return all
}
