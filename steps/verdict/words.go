package verdict

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/pixcert/pixcert/steps/wording"
)

var marks = map[Verdict]string{
	Pass: "✓", Fail: "✗", Warning: "!", CouldNotTest: "?", SuiteError: "⚠", KnownFailure: "~", NotRun: "○", NotApplicable: "–",
}

// Mark is one character for a verdict, so that colour is never the only sign.
func (v Verdict) Mark() string { return cmp.Or(marks[v], "·") } // a step that was not reached

// String describes the verdicts of the rules, worst first: "2 of 41 rules
// fail. 3 could not be tested. 36 pass."
func (s Summary) String() string {
	total := s.Rules.Total()
	if total == 0 {
		return "No rule was tested."
	}
	if s.Rules[Pass] == total {
		return wording.Choose(total, "The only rule passes.", fmt.Sprintf("All %d rules pass.", total))
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
		{KnownFailure, "is a known failure", "are known failures"},
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
			subject = fmt.Sprintf("%d of %s", n, wording.Count(total, "rule"))
		}
		said = append(said, subject+" "+wording.Choose(n, phrase.one, phrase.several)+".")
	}
	return strings.Join(said, " ")
}
