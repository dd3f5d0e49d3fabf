package report

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// htmlFailures are the failures of the API's rules, or of the user's own.
type htmlFailures struct {
	ID, Title, About string
	Suspect          *verdict.Suspect
	Causes           []htmlCause
}

// htmlCause is a cause with the exchange that shows it, the rule that is about it, and the rules that fail as a
// consequence.
type htmlCause struct {
	verdict.Cause
	ID            string
	Expected, Got []span              // of the finding, with the difference marked
	AboutStatus   bool                // the finding is about the status of the response
	Action        *htmlExchange       // the request whose effect the finding is about; nil for none or several
	When, Then    string              // the step of Action, and the one that failed
	Exchange      *htmlExchange       // that the finding is about; nil for none
	Reference     *htmlExchange       // the same with the reference gateway; nil if that is unknown
	Right         *htmlExchange       // the same in an attempt that passed; nil for none
	Stated        []verdict.Statement // what the specification says: the first of it, and the rest
	StatedToo     []verdict.Statement
	Shown         htmlScenario
	Blamed        htmlRule
	Siblings      []htmlScenario // other failures of the blamed rule
	Consequences  []htmlRule
}

// Search is what finds the cause.
func (c htmlCause) Search() string { return c.Blamed.Search() }

// namesShown is how many of the rules that fail as a consequence are named before they are unfolded.
const namesShown = 12

// First are the names of the first rules that fail as a consequence.
func (c htmlCause) First() (names []string) {
	for _, rule := range c.Consequences[:min(len(c.Consequences), namesShown)] {
		names = append(names, rule.Name)
	}
	return names
}

// Further is how many other rules fail as a consequence.
func (c htmlCause) Further() int { return max(len(c.Consequences)-namesShown, 0) }

// failures are those of the rules of the API, then the findings of exploring and the user's own rules.
func (b *htmlBudget) failures(results []verdict.RuleResult, causes []verdict.Cause) []htmlFailures {
	in := b.words.Language
	all := []htmlFailures{
		{ID: "failed", Title: in.Say("Failures"), About: in.Say("The target breaks these rules of the specification.")},
		{ID: "failed-found", Title: in.Say("Findings of pixcert explore"), About: in.Say("The target breaks the specification in these sequences of requests and events.")},
		{ID: "failed-own", Title: in.Say("Failures of your own rules"), About: in.Say("The specification does not state these rules: they are in your own features.")},
	}
	of := func(rule verdict.Rule) *htmlFailures {
		switch {
		case rule.Found:
			return &all[1]
		case rule.Own:
			return &all[2]
		}
		return &all[0]
	}
	byName := map[string]verdict.RuleResult{}
	for _, result := range results {
		byName[result.Rule.Name] = result
	}
	for i, c := range causes {
		some := of(c.Rule)
		some.Suspect = b.run.Suspect
		shown := b.cause(byName, c)
		shown.ID = "cause-" + strconv.Itoa(i+1)
		some.Causes = append(some.Causes, shown)
	}
	return slices.DeleteFunc(all, func(f htmlFailures) bool { return len(f.Causes) == 0 })
}

// cause shows the scenario to blame first, then the others of its rule, and the other rules folded.
func (b *htmlBudget) cause(results map[string]verdict.RuleResult, c verdict.Cause) htmlCause {
	var rules []htmlRule
	of := map[string]int{}
	for _, s := range slices.Concat([]verdict.Scenario{c.Scenario}, c.Others) {
		i, known := of[s.Rule]
		if !known {
			i = len(rules)
			of[s.Rule] = i
			rules = append(rules, htmlRule{RuleResult: results[s.Rule], Anchor: b.anchor(s.Rule)})
		}
		rules[i].Evidence = append(rules[i].Evidence, b.scenario(s))
	}
	c.Headline = c.HeadlineIn(b.words.Language)
	shown := htmlCause{Cause: c, Blamed: rules[0], Shown: rules[0].Evidence[0], Siblings: rules[0].Evidence[1:], Consequences: rules[1:]}
	stated := b.run.Statements[c.Rule.Name]
	shown.Stated, shown.StatedToo = stated[:min(len(stated), htmlStatements)], stated[min(len(stated), htmlStatements):]
	shown.Shown.Decisive = true
	b.decide(&shown)
	return shown
}

// decide shows the exchange that the finding is about, with what differs marked.
func (b *htmlBudget) decide(shown *htmlCause) {
	s := shown.Scenario
	field := ""
	if f := s.Finding; f != nil {
		shown.Expected, shown.Got = compared(b.words.recorded(f.Expected), b.words.recorded(f.Got), b.words.Language)
		field = f.Field
		shown.AboutStatus = f.About.Kind == verdict.Rejection
	}
	one := func(e *exchange.Exchange) *htmlExchange {
		if e == nil {
			return nil
		}
		shown := b.exchange(*e, command{})
		if e.Party == exchange.Webhook {
			shown.Sent.mark(field)
		} else {
			shown.Response.mark(field)
		}
		return &shown
	}
	shown.Exchange, shown.Reference, shown.Right = one(s.Subject()), one(s.Reference), one(s.Right)
	if action := actionOf(s); action != nil {
		shown.Action, shown.When, shown.Then = one(action), s.Steps[action.Step].Text, s.FailedSentence()
	}
	if shown.Exchange != nil {
		shown.Exchange.Command = commandsOf(s)[s.Finding.Exchange]
	}
}

// actionOf is the last request of a When that changes something, if the finding is about what was read or delivered
// after it; nil for none, or if its step sent several.
func actionOf(s verdict.Scenario) *exchange.Exchange {
	about := s.Subject()
	if about == nil || about.Party == exchange.Control || about.Party == exchange.API && about.Method != http.MethodGet {
		return nil
	}
	var action *exchange.Exchange
	several := false
	for i := range s.Exchanges[:s.Finding.Exchange] {
		e := &s.Exchanges[i]
		if changesSomething(e) && sectionOf(s.Steps, e.Step) == "When" {
			several = action != nil && action.Step == e.Step
			action = e
		}
	}
	if several {
		return nil
	}
	return action
}

// changesSomething reports whether a request may do more than read, or fetch a token.
func changesSomething(e *exchange.Exchange) bool {
	op := api.Named(e.Operation)
	return e.Party == exchange.API && e.Method != http.MethodGet && (op == nil || op.ID != api.Token)
}

// sectionOf is the keyword of the section that a step belongs to: "Given", "When" or "Then".
func sectionOf(steps []verdict.Step, i int) string {
	for i > 0 && i < len(steps) && steps[i].Keyword == "And" {
		i--
	}
	if i < 0 || i >= len(steps) {
		return ""
	}
	return steps[i].Keyword
}

// anchor is the id of the first place that shows why a rule fails; empty for another.
func (b *htmlBudget) anchor(rule string) string {
	if b.anchored[rule] {
		return ""
	}
	b.anchored[rule] = true
	return "failed-" + rule
}
