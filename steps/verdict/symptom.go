package verdict

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// symptom is a failure as the hypotheses about its cause read it.
type symptom struct {
	Scenario
	rule  Rule
	share float64 // of the rule's scenarios that fail: of one whose only scenario fails less than of one whose five do

	finding Finding      // empty if it has none
	about   About        // what the finding is about; what its kind does not say is read from its texts
	on      string       // the operation whose response it judges; empty for none
	field   string       // of that, without indexes
	names   []string     // the last names of that, and of other fields that its texts mention
	acts    []string     // what was done before that may have changed something, the last one last
	was     *explanation // nil as long as nothing explains it
}

// symptomsOf are the wanted failures of a run, the simplest first.
func symptomsOf(r *Run, some func(Scenario) bool) (all []*symptom) {
	evidence := evidenceOf(r)
	for _, result := range r.Results() {
		failing, of := 0, 0
		for _, s := range result.Scenarios {
			switch {
			case s.Via != "", s.Verdict == NotApplicable, s.Verdict == CouldNotTest:
			case some(s):
				failing, of = failing+1, of+1
			default:
				of++
			}
		}
		for _, s := range result.Scenarios {
			if some(s) {
				one := &symptom{Scenario: s, rule: result.Rule, share: float64(failing) / float64(of+1)}
				one.read(evidence)
				all = append(all, one)
			}
		}
	}
	mention(all)
	slices.SortStableFunc(all, func(a, b *symptom) int { return bySimplicity(a.Scenario, b.Scenario) })
	return all
}

func (s *symptom) read(evidence evidence) {
	s.finding = Finding{Exchange: -1}
	if s.Finding != nil {
		s.finding = *s.Finding
		s.finding.Expected, s.finding.Got = cut(s.finding.Expected), cut(s.finding.Got)
	}
	s.on, s.field, s.about = s.Operation(), withoutIndexes(s.finding.Field), s.finding.About
	if cmp.Or(s.about.Kind, Other) == Other {
		s.about = AboutTexts(s.finding.Expected, s.finding.Got)
		if e := s.Subject(); s.about.Kind == "" && e != nil && e.Party == exchange.Webhook && !s.ofContract() {
			s.about.Kind = Event
		}
	}
	s.acts = evidence.actsBefore(s.Scenario)
}

// mention sets the names of fields. Only those are known that some failure is about.
func mention(all []*symptom) {
	known := map[string]bool{}
	for _, s := range all {
		if name := lastName(s.field); name != "" {
			known[name] = true
		}
	}
	for _, s := range all {
		for _, name := range path.FindAllString(s.field+" "+s.finding.Expected+" "+s.finding.Got, -1) {
			if name = lastName(name); known[name] && !slices.Contains(s.names, name) {
				s.names = append(s.names, name)
			}
		}
	}
}

var path = regexp.MustCompile(`[\pL_]+([.[\]…\d]+[\pL_]+)*`)

// lastName is the name of a field without what it is in; empty for an item of a list.
func lastName(field string) string {
	name := field[strings.LastIndex(field, ".")+1:]
	if strings.HasSuffix(name, "]") {
		return ""
	}
	return name
}

// last is the last of some values; the zero value for none.
func last[T any](of []T) (one T) {
	if len(of) > 0 {
		one = of[len(of)-1]
	}
	return one
}

// evidence is what the scenarios of a run do that may change something: requests, and what test controls make others do.
type evidence struct {
	scenarios map[string]Scenario // by id
	acts      map[string][]string // by the text of a step; of those whose exchanges were kept
	known     []string            // all acts
}

func evidenceOf(r *Run) evidence {
	e := evidence{scenarios: map[string]Scenario{}, acts: map[string][]string{}}
	for _, s := range r.Scenarios {
		if s.Via != "" {
			continue
		}
		e.scenarios[s.ID()] = s
		for i, step := range s.Steps {
			text := Typical(step.Text)
			e.acts[text] = actsIn(e.acts[text], s.Exchanges, i)
		}
		for _, act := range actsIn(nil, s.Exchanges, anyStep) {
			if !slices.Contains(e.known, act) {
				e.known = append(e.known, act)
			}
		}
	}
	return e
}

// actsBefore are those of a scenario before what its finding is about, the last one last. If its exchanges were not kept,
// or another scenario found the failure that did not fail itself, they are those of equal steps elsewhere, and those
// that its steps name.
func (e evidence) actsBefore(s Scenario) (all []string) {
	before := s.Exchanges
	if s.Via != "" {
		s = e.scenarios[s.Via]
		before = s.Exchanges
	} else if s.Finding != nil && s.Finding.Exchange >= 0 && s.Finding.About.Kind != Event {
		before = before[:min(s.Finding.Exchange, len(before))]
	}
	if all = actsIn(nil, before, anyStep); len(all) > 0 {
		return all
	}
	for _, step := range s.Steps[:min(s.failed()+1, len(s.Steps))] {
		for _, act := range e.acts[Typical(step.Text)] {
			all = withLast(all, act)
		}
		for _, act := range e.known {
			if strings.Contains(step.Text, "a "+act) {
				all = withLast(all, act)
			}
		}
	}
	return all
}

const anyStep = -1

// actsIn adds the acts of a step.
func actsIn(all []string, exchanges []exchange.Exchange, step int) []string {
	for _, e := range exchanges {
		if isAct(e) && (step == anyStep || e.Step == step) {
			all = withLast(all, e.Operation)
		}
	}
	return all
}

func withLast(all []string, one string) []string {
	return append(slices.DeleteFunc(all, func(other string) bool { return other == one }), one)
}

// controls are those that others act by.
var controls = []string{"clock", "settlement", "payments", "charges", "refunds", "returns", "splits", "med"}

func isAct(e exchange.Exchange) bool {
	switch {
	case e.Method == "GET":
		return false
	case e.Party == exchange.API:
		return e.Status < 300 && !strings.HasPrefix(e.Operation, "token")
	case e.Party == exchange.Control:
		return slices.Contains(controls, e.Operation) && (e.Method == "POST" || e.Operation != "settlement")
	}
	return false
}

// bySimplicity compares how much had to happen before each scenario failed.
func bySimplicity(a, b Scenario) int {
	return cmp.Or(cmp.Compare(a.reached(), b.reached()), cmp.Compare(a.ExchangeCount, b.ExchangeCount))
}

// reached counts the steps before the failure. A violation that another scenario found in passing
// sorts after all others.
func (s Scenario) reached() int {
	if s.Via != "" {
		return 1000
	}
	return s.failed()
}

// failed is the index of the step that failed; the number of steps for none.
func (s Scenario) failed() int {
	n := slices.IndexFunc(s.Steps, func(step Step) bool { return step.Verdict == Fail })
	if n < 0 {
		return len(s.Steps)
	}
	return n
}

// FailedSentence is the sentence of the scenario that failed; empty if none of them did.
func (s Scenario) FailedSentence() string {
	if i := s.failed(); i < len(s.Steps) {
		return s.Steps[i].Text
	}
	return ""
}

// LastAction is the last When that requested something, with its table, before the step that failed; empty
// if another scenario found the failure.
func (s Scenario) LastAction() string {
	if s.Via != "" {
		return ""
	}
	section, action := "", ""
	for i, step := range s.Steps[:s.failed()] {
		if step.Keyword != "And" {
			section = step.Keyword
		}
		requests := slices.ContainsFunc(s.Exchanges, func(e exchange.Exchange) bool { return e.Step == i })
		if section != "When" || !requests && action != "" {
			continue
		}
		action = step.Text
		if len(step.Table) == 0 {
			continue
		}
		if len(step.Table[0]) > 1 { // fields with their values
			action = strings.TrimSuffix(action, ":")
		}
		var rows []string
		for _, row := range step.Table {
			rows = append(rows, strings.Join(row, ": "))
		}
		action += " " + strings.Join(rows, ", ")
	}
	return action
}

func (s Scenario) ofContract() bool { return strings.HasPrefix(s.Rule, "contract.") }
