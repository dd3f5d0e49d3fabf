package steps

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// planned is a scenario that will run, that cannot be tested for want of controls, or
// that does not apply to the target.
type planned struct {
	scenario *catalogue.Scenario
	needs    []target.Control
	families []target.Family // that it is about
	accounts int             // how many it speaks of
	wants    []want          // that something of the profile meets too
	brings   []string        // the outcomes that it asks the target's sandbox for
	staging  *staging        // how it does without the control of settlement; nil if it cannot
	funded   bool            // its accounts have money
	receives bool            // it registers webhooks
	shares   bool            // it changes nothing, so that others may use its account meanwhile

	mailboxes   int  // URLs of the sink that it takes at the most
	throttled   bool // it is about how many requests are taken in a minute
	judgesMoney bool // what is available or blocked

	outside string   // why it does not apply; empty if it does
	missing []string // controls; none, and it applies: it will run, unless there is a hint
	hint    string   // what the profile should tell first; empty when it tells enough
	staged  bool     // it does without the control of settlement

	speaks []*sentence  // each once
	reads  map[int]bool // the steps before which the balance is read
	looks  bool         // it looks at balances or lists
}

// plan binds every selected scenario to the vocabulary and to what the target offers.
func plan(selected []*catalogue.Scenario, offered offer) ([]*planned, error) {
	var all []*planned
	for _, scenario := range selected {
		p, err := bind(scenario)
		if err != nil {
			return nil, err
		}
		p.outside = offered.outside(p)
		p.staged = !offered.controls[target.Settlement] && slices.Contains(p.needs, target.Settlement) && offered.stages(p)
		for _, control := range offered.lacks(p) {
			p.missing = append(p.missing, string(control))
		}
		p.hint = offered.hint(p)
		all = append(all, p)
	}
	return all, nil
}

// runs says whether the scenario will be carried out.
func (p *planned) runs() bool { return p.outside == "" && len(p.missing) == 0 && p.hint == "" }

// calls says whether the scenario may call a control, where it is there.
func (p *planned) calls(control target.Control) bool {
	return slices.Contains(p.needs, control) || slices.ContainsFunc(p.wants, func(w want) bool { return w.control == control })
}

// bind finds the sentence of each step, and what the scenario needs.
func bind(scenario *catalogue.Scenario) (*planned, error) {
	p := &planned{scenario: scenario, reads: map[int]bool{}}
	spoken := make([]*sentence, len(scenario.Steps))
	for i, step := range scenario.Steps {
		s, err := understand(step.Text)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", scenario.Rule.Feature.File, step.Line, err)
		}
		spoken[i] = s
		p.looks = p.looks || strings.Contains(step.Text, "list") || strings.Contains(step.Text, "balance")
		if !slices.Contains(p.speaks, s) {
			p.speaks = append(p.speaks, s)
		}
		p.accounts = max(p.accounts, s.accountsIn(step.Text))
		p.funded = p.funded || s.funds
		p.receives = p.receives || receivesWebhooks(step.Text)
		p.throttled = p.throttled || strings.Contains(step.Text, "429")
		p.mailboxes += mailboxesIn(step.Text)
		words := s.pattern.FindStringSubmatch(step.Text)[1:]
		for _, e := range s.either {
			p.wants = append(p.wants, want{e.control, words, e.told})
		}
		if s.brings {
			p.brings = append(p.brings, words[len(words)-1])
		}
		p.families = append(p.families, s.usedBy(step.Text)...)
		for _, control := range s.needsFor(step.Text) {
			if !slices.Contains(p.needs, control) {
				p.needs = append(p.needs, control)
			}
		}
	}
	p.planReads(spoken)
	p.staging = stage(scenario, spoken, p.reads)
	p.shares = p.mayShare(spoken)
	p.judgesMoney = judgesMoney(scenario)
	return p, nil
}

// understand finds the one sentence that a step's text speaks.
func understand(text string) (*sentence, error) {
	var found *sentence
	for i := range sentences {
		if !sentences[i].pattern.MatchString(text) {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%q is understood in two ways: %s and %s", text, found.pattern, sentences[i].pattern)
		}
		found = &sentences[i]
	}
	if found == nil {
		return nil, fmt.Errorf("%q is no sentence that the suite knows", text)
	}
	return found, nil
}

// planReads marks the first step of each When whose Then judges how the balance moved,
// or that a refused payment moved nothing: there the balance is read beforehand.
func (p *planned) planReads(spoken []*sentence) {
	start, pays := -1, false
	for i, step := range p.scenario.Steps {
		switch step.Type {
		case catalogue.Action:
			if p.startsWhen(i) {
				start = i
			}
			pays = pays || spoken[i].sendsPayment(step.Text)
		case catalogue.Context:
			pays = pays || spoken[i].sendsPayment(step.Text)
		case catalogue.Outcome:
			if start >= 0 && (spoken[i].balance || pays && strings.Contains(step.Text, "refused with")) {
				p.reads[start] = true
			}
		}
	}
}

// startsWhen says whether a step is the first of a When.
func (p *planned) startsWhen(i int) bool {
	steps := p.scenario.Steps
	return steps[i].Type == catalogue.Action && (i == 0 || steps[i-1].Type != catalogue.Action)
}

// isLong says whether a scenario sends hundreds of requests.
func (p *planned) isLong() bool {
	return slices.ContainsFunc(p.scenario.Steps, func(step catalogue.Step) bool { return hundreds.MatchString(step.Text) })
}

var hundreds = regexp.MustCompile(`\b(?:sends|sent) \d{3,} `)

// sendsPayment says whether a step sends a request that takes money.
func (s *sentence) sendsPayment(step string) bool {
	op, ok := s.operationIn(step)
	return ok && (op.makes == payment || op.makes == refund)
}

// show is the plan as a person sees it before anything is sent.
func (r *run) show() progress.Plan {
	features := map[*catalogue.Feature]bool{}
	for _, p := range r.planned {
		features[p.scenario.Rule.Feature] = true
	}
	reach := reachOf(r.planned)
	return progress.Plan{
		Target: r.profile.Name, RunID: r.id, Seed: r.options.Seed, Concurrency: r.options.Concurrency,
		Selection: r.selection(), Features: len(features), Rules: reach.Rules + reach.Inapplicable, Scenarios: len(r.planned),
		Families: r.claimedOnly(), Reach: reach, Unlocks: r.unlocks,
	}
}

// reachOf says how far the rules of a plan can be tested.
func reachOf(all []*planned) verdict.Reach {
	type scenarios struct{ applicable, testable int }
	of := map[*catalogue.Rule]*scenarios{}
	for _, p := range all {
		rule := p.scenario.Rule
		if of[rule] == nil {
			of[rule] = &scenarios{}
		}
		if p.outside == "" {
			of[rule].applicable++
		}
		if p.runs() {
			of[rule].testable++
		}
	}
	var reach verdict.Reach
	for _, rule := range of {
		reach.Add(rule.applicable, rule.testable)
	}
	return reach
}

// untested is the result of a scenario that cannot be tested for want of controls, or of
// what the profile should tell.
func (p *planned) untested() verdict.Scenario {
	result := p.result(verdict.CouldNotTest)
	result.Missing = p.missing
	result.Finding = &verdict.Finding{
		Expected: "the test controls " + strings.Join(p.missing, ", "),
		Came:     "a target without them",
		Hint:     cmp.Or(p.hint, "a target that offers these controls can be tested on this rule too"),
		Exchange: -1,
	}
	if len(p.missing) == 0 {
		result.Finding.Expected, result.Finding.Came = "a profile that tells enough for this scenario", "one that does not"
	}
	return result
}

// inapplicable is the result of a scenario on what the target does not offer.
func (p *planned) inapplicable() verdict.Scenario {
	result := p.result(verdict.NotApplicable)
	result.Finding = &verdict.Finding{Expected: "a target that offers what this scenario is about", Came: p.outside, Exchange: -1}
	return result
}

// result is that of a scenario of which nothing is sent.
func (p *planned) result(v verdict.Verdict) verdict.Scenario {
	return verdict.Scenario{Rule: p.scenario.Rule.Name, Name: p.scenario.Name, Line: p.scenario.Line, Verdict: v}
}
