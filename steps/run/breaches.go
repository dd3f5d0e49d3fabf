package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/verdict"
)

// breachLog collects the breaches that the scenarios of a run meet, each once, whatever the values with
// which it shows, with the scenario that shows it. It also keeps the ids that must be unique, because a
// duplicate may show only in another scenario.
type breachLog struct {
	mu       sync.Mutex
	breaches map[judge.Breach]*breach // without their values
	of       map[string]int           // breaches by rule
	known    map[identity]shown
	keeps    int // bytes of the bodies in known

	sentBy map[int64]*verdict.Scenario // that sent a request of the API, by when

	unsolicited *verdict.Scenario            // that shows that the target sent a response that was not requested; nil if it did not
	isDoubtful  func(exchange.Exchange) bool // it may have the response to another request; nil if none may
}

type breach struct {
	as   judge.Breach // as by shows it
	by   verdict.Scenario
	in   map[int64]bool               // the attempts at it that show the breach, by when they started
	ends map[exchange.Party]time.Time // when the first scenario that shows it ended; zero if one shows it without that party
}

// identity is a unique id, with the breach that a duplicate of it would be.
type identity struct {
	breach judge.Breach
	value  string
}

// shown is the owner of an id, with the scenario and the exchange that show it.
type shown struct {
	of       string
	by       verdict.Scenario
	exchange *exchange.Exchange
}

// collect adds the breaches and the ids of an attempt at a scenario. It reports whether a breach is new.
func (b *breachLog) collect(by verdict.Scenario, j *judge.Scenario) bool {
	b.keepSent(by, j)
	isNew := b.add(by, j.Breaches())
	isNew = b.noteDoubtful(by, j) || isNew
	return b.identify(verdict.Scenario{Rule: by.Rule, Name: by.Name, Line: by.Line, Started: by.Started, Took: by.Took, LeftOut: len(by.Exchanges)}, j.Identities()) || isNew
}

// mostKept bounds the bodies that show the owners of ids, which a target can make as long as it likes. Ids of
// further owners are only compared with those that are kept.
const mostKept = 64 << 20

// identify keeps the first owner of each id. A second owner makes both of them breaches, so that
// their order does not matter.
func (b *breachLog) identify(by verdict.Scenario, all []judge.Identity) (isNew bool) {
	for _, id := range all {
		first, ok := b.firstOwner(by, id)
		if !ok || first.of == id.Of {
			continue
		}
		kept := id.Shown.Kept()
		for _, s := range []shown{first, {id.Of, by, &kept}} {
			isNew = b.add(s.by, []judge.Met{{Breach: id.Breach, Exchange: s.exchange}}) || isNew
		}
	}
	return isNew
}

// firstOwner returns the owner of an id; false if it had none until now.
func (b *breachLog) firstOwner(by verdict.Scenario, id judge.Identity) (first shown, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := identity{id.Breach, id.Value}
	if first, ok = b.known[key]; ok {
		return first, true
	}
	kept := id.Shown.Kept()
	size := len(id.Value) + len(kept.Body) + len(kept.ResponseBody)
	if b.keeps+size > mostKept {
		return first, false
	}
	if b.known == nil {
		b.known = map[identity]shown{}
	}
	b.known[key] = shown{id.Of, by, &kept}
	b.keeps += size
	return first, false
}

// mostBreaches bounds the breaches that are reported for a rule: a target can break the contract
// differently in every response.
const mostBreaches = 50

// add keeps each breach once, however many responses show it. It attributes a breach to a scenario
// of the operation's own rule if one shows it, otherwise to the first by name, so that the
// attribution does not depend on the order of the run.
func (b *breachLog) add(by verdict.Scenario, found []judge.Met) (isNew bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.breaches == nil {
		b.breaches, b.of = map[judge.Breach]*breach{}, map[string]int{}
	}
	for _, f := range found {
		key := withoutValues(f.Breach)
		known := b.breaches[key]
		switch {
		case known == nil && b.of[f.Rule] == mostBreaches:
			continue
		case known == nil:
			b.of[f.Rule]++
			known = &breach{ends: map[exchange.Party]time.Time{}}
			b.breaches[key] = known
			isNew = true
		}
		known.shownBy(by)
		isBetter := !b.doubts(*f.Exchange)
		if known.by.Rule == "" || isBetter && (b.doubts(known.by.Exchanges[0]) || known.by.Rule != f.Rule && (by.Rule == f.Rule || by.ID() < known.by.ID())) {
			if known.by.ID() != by.ID() {
				known.in = map[int64]bool{}
			}
			known.as, known.by = f.Breach, verdict.Scenario{
				Rule: by.Rule, Name: by.Name, Line: by.Line, Started: by.Started, Exchanges: []exchange.Exchange{f.Exchange.Kept()},
			}
		}
		if known.by.ID() == by.ID() {
			known.in[by.Started.UnixNano()] = true
		}
	}
	return isNew
}

func (b *breach) shownBy(s verdict.Scenario) {
	for _, party := range []exchange.Party{exchange.API, exchange.Control} {
		if ended, known := b.ends[party]; !known || endOf(s, party).Before(ended) {
			b.ends[party] = endOf(s, party)
		}
	}
}

// attempts are those at the scenario that shows a breach, with a failure where it shows; none if the
// scenario ran once.
func (b *breach) attempts(carriedOut []verdict.Scenario, finding *verdict.Finding) (all []verdict.Attempt) {
	for _, s := range carriedOut {
		if s.ID() != b.by.ID() {
			continue
		}
		for _, a := range s.Attempts {
			switch {
			case b.in[a.Started.UnixNano()]:
				a.Verdict, a.Finding = verdict.Fail, finding
			case a.Verdict != verdict.CouldNotTest: // only a whole attempt says that it does not show
				a.Verdict, a.Finding = verdict.Pass, nil
			}
			all = append(all, a)
		}
	}
	return all
}

// applicable returns the rules that have a scenario that applies to the target. Rules of families
// that the profile does not claim have none.
func applicable(scenarios []verdict.Scenario) map[string]bool {
	rules := map[string]bool{}
	for _, s := range scenarios {
		rules[s.Rule] = rules[s.Rule] || s.Verdict != verdict.NotApplicable
	}
	return rules
}

// results returns the breaches as failures of the operations' own rules, if these were selected.
// A breach that already made a scenario of its own rule fail is not repeated. A breach counts
// whichever scenario met it, so that the same ones are reported however the scenarios are
// distributed over shards. If only scenarios show it that were cut off when the target stopped
// responding, it is withdrawn together with their failures.
func (b *breachLog) results(carriedOut []verdict.Scenario, selected map[string]bool, ended *verdict.Ended) []verdict.Scenario {
	failedBy := map[judge.Breach]bool{}
	for _, s := range carriedOut {
		if s.Verdict.Failing() && s.Finding != nil {
			failedBy[withoutValues(judge.Breach{Rule: s.Rule, Expected: s.Finding.Expected, Got: s.Finding.Got, Field: s.Finding.Field})] = true
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []verdict.Scenario
	for key, shown := range b.breaches {
		found := shown.as
		isCutOff := ended != nil && ended.Silent != "" && isCutOff(shown.ends[ended.Silent], &shown.by.Exchanges[0], ended)
		isOfOther := b.doubts(shown.by.Exchanges[0])
		if !selected[found.Rule] || failedBy[key] || isCutOff || isOfOther {
			continue
		}
		by := shown.by
		hint := howBroken(by)
		finding := &verdict.Finding{Expected: found.Expected, Got: found.Got, Hint: hint, Field: found.Field, About: found.About()}
		all = append(all, verdict.Scenario{
			Rule: found.Rule, Name: nameOf(key), Via: by.ID(), Verdict: verdict.Fail,
			Finding:   finding,
			Exchanges: by.Exchanges, ExchangeCount: 1, Started: by.Started, Attempts: shown.attempts(carriedOut, finding),
		})
	}
	if result, ok := b.unsolicitedResult(selected); ok {
		all = append(all, result)
	}
	slices.SortFunc(all, func(a, b verdict.Scenario) int { return cmp.Compare(a.ID(), b.ID()) })
	return all
}

// withoutValues is what a breach has in common with others of its kind.
func withoutValues(b judge.Breach) judge.Breach {
	b.Expected, b.Got = verdict.Distinct(b.Expected, b.Got)
	b.Expected, b.Got, b.Field = verdict.Typical(b.Expected), verdict.Typical(b.Got), verdict.Typical(b.Field)
	return b
}

// nameOf is the name under which a breach is reported. All of a contract expect the same.
func nameOf(b judge.Breach) string {
	if strings.HasPrefix(b.Rule, "contract.") {
		return b.Got
	}
	return b.Expected + ": " + b.Got
}

// howBroken says how a rule fails although none of its scenarios may: by a message in another one, or before the first.
func howBroken(by verdict.Scenario) string {
	e := by.Exchanges[0]
	what := fmt.Sprintf("the response to %s %s", e.Method, e.Resource())
	if e.Party == exchange.Webhook {
		what = "a webhook"
	}
	switch {
	case by.Rule == setUp && by.Name == "":
		return what + ", which belongs to no scenario, breaks this rule"
	case by.Rule == setUp:
		return what + ", before the first scenario, breaks this rule"
	}
	return fmt.Sprintf("%s in the scenario %q of %s breaks this rule", what, by.Name, by.Rule)
}
