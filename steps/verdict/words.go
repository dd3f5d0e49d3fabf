package verdict

import (
	"fmt"
	"strings"
)

// class is the verdict as a CSS class and the value of a filter.
func (v Verdict) class() string { return strings.ReplaceAll(string(v), " ", "-") }

// Verdict is what a rule came to that made the outcome what it is.
func (o Outcome) Verdict() Verdict {
	switch o {
	case Conforms:
		return Pass
	case DoesNotConform:
		return Fail
	default:
		return CouldNotTest
	}
}

// String says in words what the rules came to, worst first: "2 of 41 rules
// fail. 3 could not be tested. 36 pass."
func (s Summary) String() string {
	total := s.Rules.Total()
	if total == 0 {
		return "No rule was tested."
	}
	if s.Rules[Pass] == total {
		return choose(total, "The one rule passes.", fmt.Sprintf("All %d rules pass.", total))
	}
	var said []string
	for _, phrase := range [...]struct {
		of           Verdict
		one, several string
	}{
		{Fail, "fails", "fail"},
		{SuiteError, "met an error of the suite itself", "met errors of the suite itself"},
		{CouldNotTest, "could not be tested", "could not be tested"},
		{Warning, "passes with a warning", "pass with a warning"},
		{NotApplicable, "does not apply", "do not apply"},
		{Pass, "passes", "pass"},
	} {
		n := s.Rules[phrase.of]
		if n == 0 {
			continue
		}
		subject := fmt.Sprint(n)
		if len(said) == 0 {
			subject = fmt.Sprintf("%d of %s", n, plural(total, "rule"))
		}
		said = append(said, subject+" "+choose(n, phrase.one, phrase.several)+".")
	}
	return strings.Join(said, " ")
}

// plural is a number with its noun: "1 rule", "2 rules".
func plural(n int, noun string) string { return fmt.Sprintf("%d %s", n, choose(n, noun, noun+"s")) }

func choose(n int, one, several string) string {
	if n == 1 {
		return one
	}
	return several
}
