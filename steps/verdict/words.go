package verdict

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/wording"
)

var marks = map[Verdict]string{
	Pass: "✓", Fail: "✗", Warning: "!", CouldNotTest: "?", SuiteError: "⚠", KnownFailure: "~", NotRun: "○", NotApplicable: "–",
}

// Mark is one character for a verdict, so that colour is never the only sign.
func (v Verdict) Mark() string { return cmp.Or(marks[v], "·") } // a step that was not reached

// String describes the verdicts of the rules, worst first and the user's own last: "2 of 41 rules
// fail. 3 could not be tested. 36 pass. Your own rules: 1 of 2 rules fails. 1 passes."
func (s Summary) String() string { return strings.Join(s.Lines(), " ") }

// Passing counts the violations in responses and webhooks that no step of their scenario checks: "3 violations, 1 of
// them known"; empty for none.
func (s Summary) Passing() string { return s.PassingIn(translation.English) }

// PassingIn is Passing in a language.
func (s Summary) PassingIn(in translation.Language) string {
	n, known := s.Violations.Total(), s.Violations[KnownFailure]
	switch {
	case n == 0:
		return ""
	case known == 0:
		return in.SayCount(n, "violation")
	case known == n:
		return in.SayCount(n, "known violation")
	}
	return in.SayCount(n, "violation") + in.SayN(known, ", %d of them known", ", %d of them known", known)
}

// Lines is String with a line for the rules of the API, one for the user's own, and one for the findings
// of exploring.
func (s Summary) Lines() []string { return s.LinesIn(translation.English) }

// LinesIn are the Lines in a language.
func (s Summary) LinesIn(in translation.Language) []string {
	var lines []string
	if s.Rules.Total() > 0 || s.Own.Total()+s.Found.Total() == 0 {
		lines = append(lines, describe(in, s.Rules, s.Sometimes.Rules, ruleWords))
	}
	if s.Own.Total() > 0 {
		lines = append(lines, in.Say("Your own rules: ")+describe(in, s.Own, s.Sometimes.Own, ruleWords))
	}
	if s.Found.Total() > 0 {
		lines = append(lines, in.Say("Exploring: ")+describe(in, s.Found, s.Sometimes.Found, findingWords))
	}
	return lines
}

// Tally counts the scenarios by verdict: "38 pass, 2 fail (1 of them only in some attempts)".
func (s Summary) Tally() string { return s.TallyIn(translation.English) }

// TallyIn is Tally in a language.
func (s Summary) TallyIn(in translation.Language) string {
	failing := Fail.count(in, s.Scenarios[Fail])
	some := strings.Replace(someOf(in, s.Scenarios[Fail], s.Sometimes.Scenarios), ", ", " (", 1)
	if some != "" {
		some += ")"
	}
	return strings.Replace(s.Scenarios.In(in), failing, failing+some, 1)
}

// someOf says how many of n failures occur only in some attempts: ", 1 of them only in some attempts".
func someOf(in translation.Language, n, sometimes int) string {
	switch {
	case sometimes == 0:
		return ""
	case sometimes == n:
		return in.Say(", only in some attempts")
	}
	return in.Sayf(", %d of them only in some attempts", sometimes)
}

// subjectWords speak of rules, or of findings: languages with genders have other words for each.
type subjectWords struct {
	only, all, one, several string // "The only rule passes.", "All %d rules pass.", "%d of %d rule", "%d of %d rules"
}

var (
	ruleWords    = subjectWords{translation.Mark("The only rule passes."), translation.Mark("All %d rules pass."), translation.Mark("%d of %d rule"), translation.Mark("%d of %d rules")}
	findingWords = subjectWords{translation.Mark("The only finding passes."), translation.Mark("All %d findings pass."), translation.Mark("%d of %d finding"), translation.Mark("%d of %d findings")}
)

// predicates say what became of some rules, in the order in which a summary names them.
var predicates = [...]struct {
	of           Verdict
	one, several string
}{
	{Fail, translation.Mark("fails%s."), translation.Mark("fail%s.")},
	{SuiteError, translation.Mark("has a suite error."), translation.Mark("have a suite error.")},
	{NotRun, translation.Mark("did not run completely."), translation.Mark("did not run completely.")},
	{CouldNotTest, translation.Mark("could not be tested."), translation.Mark("could not be tested.")},
	{KnownFailure, translation.Mark("fails only as the baseline lists."), translation.Mark("fail only as the baseline lists.")},
	{Warning, translation.Mark("passes with a warning."), translation.Mark("pass with a warning.")},
	{Pass, translation.Mark("passes."), translation.Mark("pass.")},
	{NotApplicable, translation.Mark("does not apply."), translation.Mark("do not apply.")},
}

func describe(in translation.Language, rules Counts, sometimes int, words subjectWords) string {
	total := rules.Total()
	switch {
	case total == 0:
		return in.Say("No rule was tested.")
	case rules[Pass] == total && total == 1:
		return in.SayMarked(words.only)
	case rules[Pass] == total:
		return fmt.Sprintf(in.SayMarked(words.all), total)
	}
	var said []string
	for _, phrase := range predicates {
		n := rules[phrase.of]
		if n == 0 {
			continue
		}
		subject := fmt.Sprint(n)
		if len(said) == 0 {
			subject = fmt.Sprintf(in.SayMarked(wording.Choose(total, words.one, words.several)), n, total)
		}
		predicate := in.SayMarked(wording.Choose(n, phrase.one, phrase.several))
		if phrase.of == Fail {
			predicate = fmt.Sprintf(predicate, someOf(in, n, sometimes))
		}
		said = append(said, subject+" "+predicate)
	}
	return strings.Join(said, " ")
}

// String names the times of an outage, and who did not respond.
func (o Outage) String() string { return o.In(translation.English) }

// In is String in a language.
func (o Outage) In(in translation.Language) string {
	who := in.Say("the gateway")
	if o.Party == exchange.Control {
		who = in.Say("the test controls")
	}
	const second = "15:04:05"
	from := o.From.UTC().Format(second)
	if o.To.IsZero() {
		return in.Sayf("from %s UTC on, %s did not respond", from, who)
	}
	return in.Sayf("from %s to %s UTC (%s), %s did not respond", from, o.To.UTC().Format(second), wording.Duration(o.To.Sub(o.From)), who)
}
