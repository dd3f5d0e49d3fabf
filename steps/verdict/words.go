package verdict

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
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
func (s Summary) Passing() string {
	n, known := s.Violations.Total(), s.Violations[KnownFailure]
	switch {
	case n == 0:
		return ""
	case known == 0:
		return wording.Count(n, "violation")
	case known == n:
		return wording.Count(n, "known violation")
	}
	return fmt.Sprintf("%s, %d of them known", wording.Count(n, "violation"), known)
}

// Lines is String with a line for the rules of the API, one for the user's own, and one for the findings
// of exploring.
func (s Summary) Lines() []string {
	var lines []string
	if s.Rules.Total() > 0 || s.Own.Total()+s.Found.Total() == 0 {
		lines = append(lines, describe(s.Rules, s.Sometimes.Rules, "rule"))
	}
	if s.Own.Total() > 0 {
		lines = append(lines, "Your own rules: "+describe(s.Own, s.Sometimes.Own, "rule"))
	}
	if s.Found.Total() > 0 {
		lines = append(lines, "Exploring: "+describe(s.Found, s.Sometimes.Found, "finding"))
	}
	return lines
}

// Tally counts the scenarios by verdict: "38 pass, 2 fail (1 of them only in some attempts)".
func (s Summary) Tally() string {
	failing := fmt.Sprintf("%d %s", s.Scenarios[Fail], Fail)
	some := strings.Replace(someOf(s.Scenarios[Fail], s.Sometimes.Scenarios), ", ", " (", 1)
	if some != "" {
		some += ")"
	}
	return strings.Replace(s.Scenarios.String(), failing, failing+some, 1)
}

// someOf says how many of n failures occur only in some attempts: ", 1 of them only in some attempts".
func someOf(n, sometimes int) string {
	switch {
	case sometimes == 0:
		return ""
	case sometimes == n:
		return ", only in some attempts"
	}
	return fmt.Sprintf(", %d of them only in some attempts", sometimes)
}

func describe(rules Counts, sometimes int, noun string) string {
	total := rules.Total()
	if total == 0 {
		return "No rule was tested."
	}
	if rules[Pass] == total {
		return wording.Choose(total, "The only "+noun+" passes.", fmt.Sprintf("All %d %ss pass.", total, noun))
	}
	var said []string
	for _, phrase := range [...]struct {
		of           Verdict
		one, several string
	}{
		{Fail, "fails", "fail"},
		{SuiteError, "has a suite error", "have a suite error"},
		{NotRun, "did not run completely", "did not run completely"},
		{CouldNotTest, "could not be tested", "could not be tested"},
		{KnownFailure, "fails only as the baseline lists", "fail only as the baseline lists"},
		{Warning, "passes with a warning", "pass with a warning"},
		{Pass, "passes", "pass"},
		{NotApplicable, "does not apply", "do not apply"},
	} {
		n := rules[phrase.of]
		if n == 0 {
			continue
		}
		subject := fmt.Sprint(n)
		if len(said) == 0 {
			subject = fmt.Sprintf("%d of %s", n, wording.Count(total, noun))
		}
		predicate := wording.Choose(n, phrase.one, phrase.several)
		if phrase.of == Fail {
			predicate += someOf(n, sometimes)
		}
		said = append(said, subject+" "+predicate+".")
	}
	return strings.Join(said, " ")
}

// String names the times of an outage, and who did not respond.
func (o Outage) String() string {
	who := map[exchange.Party]string{exchange.Control: "the test controls"}[o.Party]
	if who == "" {
		who = "the gateway"
	}
	const second = "15:04:05"
	from := o.From.UTC().Format(second)
	if o.To.IsZero() {
		return fmt.Sprintf("from %s UTC on, %s did not respond", from, who)
	}
	return fmt.Sprintf("from %s to %s UTC (%s), %s did not respond", from, o.To.UTC().Format(second), wording.Duration(o.To.Sub(o.From)), who)
}
