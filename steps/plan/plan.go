// Package plan says which scenarios a profile allows to be tested, and what each missing
// control costs: from the effects of their steps, before anything is sent.
package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Scenario is a scenario that will run, that cannot be tested, or that does not apply to the
// target.
type Scenario struct {
	*catalogue.Scenario
	Steps []language.Step

	// What follows from the effects of its steps.
	Needs       []target.Control
	wants       []language.Want
	families    []target.Family
	Accounts    int            // how many it has
	funded      bool           // its accounts have money
	registers   bool           // it registers webhooks
	Mailboxes   int            // URLs of the sink that it takes at most
	Throttled   bool           // it is about how many requests are accepted in a minute
	JudgesMoney bool           // what is available or blocked
	Looks       bool           // it reads balances or lists
	Quiet       bool           // it waits for what must not arrive
	Harmless    bool           // it changes nothing, so that others may use its account meanwhile
	Reads       map[int]bool   // the steps before which the balance is read
	sandbox     []string       // the outcomes that it asks the target's sandbox for
	staging     map[int]string // the outcomes by which it does without the control of settlement, by step; nil if it cannot

	// What the offer of a target makes of it.
	Outside string   // why it does not apply; empty if it does
	Missing []string // controls; none, and it applies: it will run, unless there is a hint
	Hint    string   // what the profile should state first; empty if it states enough
	Staged  bool     // it does without the control of settlement
}

// Make plans the selected scenarios for a target.
func Make(selected []*catalogue.Scenario, offered Offer) ([]*Scenario, error) {
	var all []*Scenario
	for _, scenario := range selected {
		s, err := read(scenario)
		if err != nil {
			return nil, err
		}
		s.meet(offered)
		all = append(all, s)
	}
	return all, nil
}

// read finds out what a scenario needs.
func read(scenario *catalogue.Scenario) (*Scenario, error) {
	steps, err := language.ReadAll(scenario)
	if err != nil {
		return nil, err
	}
	s := &Scenario{Scenario: scenario, Steps: steps, Reads: map[int]bool{}}
	for _, step := range steps {
		e := step.Effects
		s.Needs = including(s.Needs, e.Controls...)
		s.wants = append(s.wants, e.Wants...)
		s.families = including(s.families, familiesOf(e)...)
		s.Accounts = max(s.Accounts, e.Accounts)
		s.funded = s.funded || e.Funded
		s.registers = s.registers || len(e.Registers) > 0
		s.Mailboxes += e.Mailboxes
		s.Throttled = s.Throttled || e.Throttled
		s.JudgesMoney = s.JudgesMoney || step.Type == catalogue.Outcome && e.Reads&(language.BalanceMoves|language.Traces) != 0
		s.Looks = s.Looks || e.Reads != 0
		s.Quiet = s.Quiet || e.Quiet
		if e.Sandbox != "" {
			s.sandbox = append(s.sandbox, e.Sandbox)
		}
	}
	s.planReads()
	s.Harmless = s.isHarmless()
	s.staging = s.stage()
	return s, nil
}

// planReads marks the first step of each When after which a step judges how the balance moved,
// or that a refused payment moved nothing: there the balance is read first.
func (s *Scenario) planReads() {
	start, pays := -1, false
	for i, step := range s.Steps {
		if language.StartsWhen(s.Steps, i) {
			start = i
		}
		pays = pays || takesMoney(step)
		reads := step.Effects.Reads
		if step.Type == catalogue.Outcome && start >= 0 && (reads.Has(language.BalanceMoves) || pays && reads.Has(language.Traces)) {
			s.Reads[start] = true
		}
	}
}

func takesMoney(step language.Step) bool {
	return slices.ContainsFunc(step.Effects.Requests, (*api.Operation).TakesMoney)
}

// isHarmless: the scenario changes nothing at the target, so that others may use its account at
// the same time. It needs no control and no webhook, waits for nothing, and every request is a
// token request, a read, or one that must be refused.
func (s *Scenario) isHarmless() bool {
	if len(s.Needs) > 0 || len(s.wants) > 0 || s.registers {
		return false
	}
	for i, step := range s.Steps {
		switch e := step.Effects; {
		case e.Changes == language.Everything, e.Quiet:
			return false
		case e.Changes == language.UnlessRefused && !language.MustBeRefused(s.Steps, i):
			return false
		}
	}
	return true
}

// Turn is when the scenario should begin: long ones first, then those that wait for what must
// not come, or the run would end by waiting for one of them.
func (s *Scenario) Turn() int {
	switch {
	case slices.ContainsFunc(s.Steps, func(step language.Step) bool { return step.Effects.Bulk }):
		return 0
	case s.Quiet:
		return 1
	default:
		return 2
	}
}

// Registers are the types of event for which the scenario registers webhooks.
func (s *Scenario) Registers() []string {
	var all []string
	for _, step := range s.Steps {
		all = including(all, step.Effects.Registers...)
	}
	return all
}

// Runs reports whether the scenario will run.
func (s *Scenario) Runs() bool { return s.Outside == "" && len(s.Missing) == 0 && s.Hint == "" }

// Distrust keeps a scenario from running that depends on a control that does not do what it says.
func (s *Scenario) Distrust(control target.Control, why string) {
	if s.Runs() && (s.Calls(control) || control == target.Accounts && s.Accounts > 0) {
		s.Missing, s.Hint = []string{string(control)}, fmt.Sprintf("the target has this control, but %s", why)
	}
}

// Calls reports whether the scenario may call a control, if the target offers it.
func (s *Scenario) Calls(control target.Control) bool {
	return slices.Contains(s.Needs, control) || slices.ContainsFunc(s.wants, func(w language.Want) bool { return w.Control == control })
}

// Sandbox are the outcomes to ask the target's sandbox for, by step; nil where the bank of the
// scenario settles.
func (s *Scenario) Sandbox() map[int]string {
	if !s.Staged {
		return nil
	}
	return s.staging
}

// Skipped is the result of a scenario that will not run.
func (s *Scenario) Skipped() verdict.Scenario {
	result := s.Result(verdict.CouldNotTest)
	switch {
	case s.Outside != "":
		result.Verdict = verdict.NotApplicable
		result.Finding = &verdict.Finding{Expected: "a target that offers what this scenario is about", Got: s.Outside, Exchange: -1}
	case len(s.Missing) == 0:
		result.Finding = &verdict.Finding{Expected: "a profile with all that this scenario needs", Got: "a profile without it", Hint: s.Hint, Exchange: -1}
	default:
		result.Missing = s.Missing
		result.Finding = &verdict.Finding{
			Expected: "the test controls " + strings.Join(s.Missing, ", "), Got: "a target without them",
			Hint:     cmp.Or(s.Hint, "offer these controls to test this rule too"),
			Exchange: -1,
		}
	}
	return result
}

// Result is a result of the scenario without anything that was sent.
func (s *Scenario) Result(v verdict.Verdict) verdict.Scenario {
	return verdict.Scenario{Rule: s.Rule.Name, Name: s.Name, Line: s.Line, Verdict: v}
}

func including[T comparable](all []T, more ...T) []T {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
