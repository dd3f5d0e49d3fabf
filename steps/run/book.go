package run

import (
	"cmp"
	"slices"
	"sync"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/verdict"
)

// book collects the breaches of the wire contract of a run, each once, with the scenario that
// shows it.
type book struct {
	mu       sync.Mutex
	breaches map[judge.Breach]verdict.Scenario
	of       map[string]int // breaches by rule
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

// results are the breaches that no scenario of the operation's own rule failed by, as results of
// that rule, if it is among those that were to run.
func (b *book) results(carriedOut []verdict.Scenario) []verdict.Scenario {
	failed, selected := map[string]bool{}, map[string]bool{}
	for _, s := range carriedOut {
		failed[s.ID()] = s.Verdict == verdict.Fail
		selected[s.Rule] = selected[s.Rule] || s.Verdict != verdict.NotApplicable // else its family is not claimed
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []verdict.Scenario
	for found, by := range b.breaches {
		if !selected[found.Rule] || by.Rule == found.Rule && failed[by.ID()] {
			continue
		}
		all = append(all, verdict.Scenario{
			Rule: found.Rule, Name: found.Got, Via: by.ID(), Verdict: verdict.Fail,
			Finding:   &verdict.Finding{Expected: found.Expected, Got: found.Got, Hint: "met while testing " + by.Rule + ", " + by.Name},
			Exchanges: by.Exchanges, ExchangeCount: 1, Started: by.Started,
		})
	}
	slices.SortFunc(all, func(a, b verdict.Scenario) int { return cmp.Compare(a.ID(), b.ID()) })
	return all
}
