// Package plan decides which scenarios can be tested with a profile, and what each missing control
// costs, from the effects of their steps, before anything is sent.
package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Scenario is a scenario with its plan: it will run, cannot be tested, or does not apply.
type Scenario struct {
	*catalogue.Scenario
	Steps []language.Step
	Demand
	Decision
}

// Demand is what a scenario needs and does, by the effects of its steps.
type Demand struct {
	Needs       []target.Control
	wants       []language.Want
	families    []target.Family
	Accounts    int            // number of accounts
	funded      bool           // its accounts have money
	rich        bool           // more than an account of a profile has to have
	registers   bool           // it registers webhooks
	needsKey    bool           // it needs a PIX key of its account
	Mailboxes   int            // maximum number of sink URLs
	Throttled   bool           // it tests the request limit per minute
	JudgesMoney bool           // it changes available or blocked balances
	Looks       bool           // it reads balances or lists
	Quiet       bool           // it checks that no event arrives
	Harmless    bool           // it changes nothing, so others may share its account
	Reads       map[int]bool   // steps before which to read the balance
	sandbox     []string       // outcomes to request from the target's sandbox
	staging     map[int]string // sandbox outcomes that replace the control settlement, by step; nil if impossible
}

// Decision is what becomes of a scenario at a target, by what that offers.
type Decision struct {
	Outside string   // why it does not apply; empty if it does
	isGiven bool     // the control funds gives its accounts their money
	Missing []string // missing controls; if there are none and no hint, it will run
	Hint    string   // what to add to the profile first; empty for nothing
	broken  bool     // the control that is Missing is there, but does not work
	Staged  bool     // it runs without the control settlement
}

// mostInProfile is what an account of a profile has to have. What needs more needs the control funds.
const mostInProfile = money.Centavos(10_000_00)

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

func read(scenario *catalogue.Scenario) (*Scenario, error) {
	steps, err := language.ReadAll(scenario)
	if err != nil {
		return nil, err
	}
	s := &Scenario{Scenario: scenario, Steps: steps, Demand: Demand{Reads: map[int]bool{}}}
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
		if open, opens := step.Meaning.(language.Open); opens && open.Available > mostInProfile {
			s.rich = true
		}
		if e.Sandbox != "" {
			s.sandbox = append(s.sandbox, e.Sandbox)
		}
	}
	s.planReads()
	s.needsKey = needsKey(steps)
	s.Harmless = s.isHarmless()
	s.staging = s.stage()
	return s, nil
}

// planReads marks the first step of each When after which a step judges a change of the balance, awaits one, or
// judges that a rejected payment moved no money: the balance is read before it.
func (s *Scenario) planReads() {
	start, pays := -1, false
	for i, step := range s.Steps {
		if language.StartsWhen(s.Steps, i) {
			start = i
		}
		pays = pays || takesMoney(step)
		reads, judges := step.Effects.Reads, step.Type == catalogue.Outcome
		if start >= 0 && (step.Type != catalogue.Action && reads.Has(language.BalanceMoves) || judges && pays && reads.Has(language.Traces)) {
			s.Reads[start] = true
		}
	}
}

// needsKey reports whether steps need a PIX key of the account: they send it, or compare with the one that every cob
// has unless its step gives another.
func needsKey(steps []language.Step) bool {
	const field = "chave"
	given := false
	for _, step := range steps {
		switch m := step.Meaning.(type) {
		case language.Send:
			given = given || slices.ContainsFunc(m.Changes, func(c language.Change) bool { return c.Name == field })
			if slices.ContainsFunc(m.Changes, func(c language.Change) bool { return c.Value.Kind == language.OwnKey }) {
				return true
			}
		case language.Has:
			asSent := func(p language.Phrase) bool { return p.Kind == language.IsSent && p.Field == field }
			if !given && slices.ContainsFunc(m.Rows, func(r language.Row) bool { return slices.ContainsFunc(r.Expected.Alternatives, asSent) }) {
				return true
			}
		}
	}
	return false
}

func takesMoney(step language.Step) bool {
	return slices.ContainsFunc(step.Effects.Requests, (*api.Operation).TakesMoney)
}

// isHarmless reports whether the scenario changes nothing at the target, so that others may use its
// account concurrently: it needs no control and no webhook, waits for nothing, and sends only token
// requests, reads and requests that must be rejected.
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

// Turn orders scenarios: long ones first, then those that wait to confirm that nothing arrives, so
// that the run does not end by waiting for one of them.
func (s *Scenario) Turn() int {
	switch {
	case s.Bulk():
		return 0
	case s.Quiet:
		return 1
	default:
		return 2
	}
}

// Bulk reports whether the scenario sends dozens of requests.
func (s *Scenario) Bulk() bool {
	return slices.ContainsFunc(s.Steps, func(step language.Step) bool { return step.Effects.Bulk })
}

// Bursts reports whether the scenario sends so many requests at once, or so many in a minute, that others would wait for
// their responses, or be refused.
func (s *Scenario) Bursts() bool {
	const few = 8 // do not delay others
	return s.Throttled || slices.ContainsFunc(s.Steps, func(step language.Step) bool { return step.Effects.AtOnce > few })
}

// Costly reports whether the scenario takes much longer than others: it sends dozens of requests, or
// waits to confirm that nothing arrives.
func (s *Scenario) Costly() bool { return s.Bulk() || s.Quiet }

// Registers returns the types of event for which the scenario registers webhooks.
func (s *Scenario) Registers() []string {
	var all []string
	for _, step := range s.Steps {
		all = including(all, step.Effects.Registers...)
	}
	return all
}

// Runs reports whether the scenario will run.
func (s *Scenario) Runs() bool { return s.Outside == "" && len(s.Missing) == 0 && s.Hint == "" }

// Distrust excludes a scenario that depends on a control that does not work.
func (s *Scenario) Distrust(control target.Control, why string) {
	if s.Runs() && (s.Calls(control) || control == target.Accounts && s.Accounts > 0) {
		s.Missing, s.Hint, s.broken = []string{string(control)}, fmt.Sprintf("the control %s does not work: %s", control, why), true
	}
}

// Calls reports whether the scenario may call a control that the target offers.
func (s *Scenario) Calls(control target.Control) bool {
	return control == target.Funds && s.isGiven || slices.Contains(s.Needs, control) || slices.ContainsFunc(s.wants, func(w language.Want) bool { return w.Control == control })
}

// Sandbox returns the outcomes to request from the target's sandbox, by step; nil if the control
// settles.
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
		result.Finding = &verdict.Finding{Expected: "a target that offers what this scenario tests", Got: s.Outside, Exchange: -1}
	case len(s.Missing) == 0:
		result.Finding = &verdict.Finding{Expected: "a profile with everything that this scenario needs", Got: "an incomplete profile: " + s.Hint, Exchange: -1}
	default:
		result.Missing = s.Missing
		if s.broken {
			result.Finding = &verdict.Finding{Expected: "a test control " + s.Missing[0] + " that does what it says", Got: s.Hint, Hint: "fix the control", Exchange: -1}
			break
		}
		result.Finding = &verdict.Finding{
			Expected: "the test controls " + strings.Join(s.Missing, ", "), Got: "the target does not offer them",
			Hint:     cmp.Or(s.Hint, "add these controls to test this rule"),
			Exchange: -1,
		}
	}
	return result
}

// Result is a result of the scenario without exchanges.
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
