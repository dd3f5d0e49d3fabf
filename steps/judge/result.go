package judge

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Result is the result of a step.
type Result struct {
	Verdict      verdict.Verdict
	Finding      *verdict.Finding
	Warnings     []verdict.Finding
	Observations []verdict.Observed
	Missing      string // a control
	Spoiled      bool   // the attempt proves nothing about the target; another may
	Unproven     bool   // chance may explain the failure
	Look         *Look  // what to look at, because it may change the verdict; nil for nothing
}

// Look is what the world must look at before a step is judged, or judged again.
type Look struct {
	At       Subject
	Account  language.Account
	Query    url.Values      // of a list
	PixKey   string          // of a list by key; empty for the payee's
	Of       *record.Attempt // the request whose state or splits to read
	Op       *api.Operation  // the list
	Place    string          // each place has its own Patience
	Patience time.Duration   // how long to look again while the step does not hold; 0 to look once
}

// Subject is what to look at.
type Subject string

const (
	Balance       Subject = "balance"
	List          Subject = "list"          // Op with Query
	Registrations Subject = "registrations" // of webhooks
	ChargeState   Subject = "charge"
	RefundState   Subject = "refund"
	Splits        Subject = "splits"
	Deliveries    Subject = "deliveries" // the next one
	Silence       Subject = "silence"    // for the whole of Patience
)

// Key identifies a look.
func (l *Look) Key() string { return fmt.Sprint(l.At, l.Account, l.PixKey, l.Query.Encode(), l.Place) }

// blocked is the result of a step that could not run.
func blocked(o *record.Obstacle) Result {
	finding := verdict.Finding{Got: o.Reason, Exchange: o.Exchange}
	r := Result{Verdict: verdict.CouldNotTest, Finding: &finding, Spoiled: o.Spoils}
	switch o.Kind {
	case record.NotOffered:
		r.Verdict = verdict.NotApplicable
		finding.Expected = "a target that offers what this scenario tests"
	case record.MissingControl:
		r.Missing = o.Control
		finding.Expected = "the test control " + o.Control
	case record.FailedControl:
		finding.Expected = "the test control " + o.Control + " to work"
	case record.Fault:
		r.Verdict, finding.Expected = verdict.Fail, o.Expected
	case record.Broken:
		return broken(errors.New(o.Reason))
	default:
		finding.Expected = "a target that can be brought into the state that this scenario requires"
	}
	return r
}

// GivenUp is the result of a scenario that did not run, or not to its end, because the target
// stopped responding.
func GivenUp(reason string) Result {
	return Result{Verdict: verdict.CouldNotTest, Finding: &verdict.Finding{
		Expected: "a target that responds", Got: reason,
		Hint: "look at the last requests without a response, and at the target's log", Exchange: -1,
	}}
}

func pass() Result { return Result{Verdict: verdict.Pass} }

// passIf passes if something holds; otherwise it is the other result.
func passIf(holds bool, otherwise Result) Result {
	if holds {
		return pass()
	}
	return otherwise
}

// each judges several things, up to the first that does not pass.
func each[T any](all []T, judge func(T) Result) Result {
	for _, one := range all {
		if r := judge(one); r.Verdict != verdict.Pass {
			return r
		}
	}
	return pass()
}

func fail(f verdict.Finding) Result { return Result{Verdict: verdict.Fail, Finding: &f} }

func failBy(index int, expected, got string) Result {
	return fail(verdict.Finding{Expected: expected, Got: got, Exchange: index})
}

func failAt(t *record.Attempt, expected, got, hint string) Result {
	return fail(verdict.Finding{Expected: expected, Got: got, Hint: hint, Exchange: t.Index})
}

// failAnswer fails for how a request was answered.
func failAnswer(t *record.Attempt, expected, hint string) Result {
	r := failAt(t, expected, t.Summary(), hint)
	r.Finding.About = answerOf(t)
	return r
}

func answerOf(t *record.Attempt) verdict.About {
	return verdict.About{Kind: verdict.Rejection, Status: t.Status, Code: string(t.Code())}
}

func (r Result) in(field string) Result {
	r.Finding.Field = field
	if r.Finding.About.Kind == "" {
		r.Finding.About.Kind = kindOf(field)
	}
	return r
}

// kindOf is the kind of a finding about a field of a response: data is what a list contains.
func kindOf(field string) verdict.Kind {
	switch field {
	case "":
		return verdict.Other
	case "data":
		return verdict.Listing
	}
	return verdict.Field
}

// warn passes with a warning.
func warn(f verdict.Finding) Result {
	return Result{Verdict: verdict.Pass, Warnings: []verdict.Finding{f}}
}

// softened turns a failure into a warning if the step says "should".
func softened(r Result, m language.Modality) Result {
	if m == language.Should && r.Verdict == verdict.Fail {
		return Result{Verdict: verdict.Pass, Warnings: append(r.Warnings, *r.Finding), Look: r.Look}
	}
	return r
}

// and combines r with a further result: warnings add up, and the look of r stays.
func (r Result) and(next Result) Result {
	next.Warnings = append(r.Warnings, next.Warnings...)
	next.Look = cmp.Or(next.Look, r.Look)
	return next
}

// unrecorded is the result of a step that refers to something missing in the record, which may be
// truncated, or made from another version of the scenario.
func unrecorded(what string) Result {
	return Result{Verdict: verdict.CouldNotTest, Finding: &verdict.Finding{
		Expected: what, Got: NoneRecorded, Exchange: -1,
	}}
}

// NoneRecorded is what a step got that refers to something missing in the record.
const NoneRecorded = "none recorded"

func nothingSent() Result { return unrecorded("a request that this step refers to") }

func couldNotTest(reason string) Result { return blocked(record.Cannot(reason)) }

// broken is a bug in the suite: the features contain a step that makes no sense.
func broken(err error) Result {
	var o *record.Obstacle
	if errors.As(err, &o) {
		return blocked(o)
	}
	return Result{Verdict: verdict.SuiteError, Finding: &verdict.Finding{
		Expected: "pixcert to run this step", Got: err.Error(),
		Hint: "this is a bug in pixcert, not in the target; please report it", Exchange: -1,
	}}
}

func undecided(l Look) Result { return Result{Look: &l} }

// pending returns r, with a look that may still improve it.
func (r Result) pending(l Look) Result {
	r.Look = &l
	return r
}

// optionalPatience is how long to wait for what a target may, but need not do: a tenth of the patience for
// what it must do, so that it scales with the deadlines of the profile.
func optionalPatience(patience time.Duration) time.Duration { return patience / 10 }

// Breach is one way in which responses of an operation, or events, break openapi.yaml, or in
// which money is not where the record says. It is reported under the rule of its operation,
// whichever scenario met it, so that one wrong field fails one rule instead of every scenario
// that passes by it. Field is the one that it is about; empty for the whole body.
type Breach struct{ Rule, Expected, Got, Field string }

// About is what a finding of the breach is about.
func (b Breach) About() verdict.About { return verdict.About{Kind: kindOf(b.Field)} }

// Met is a breach with the exchange that shows it.
type Met struct {
	Breach
	Exchange *exchange.Exchange
}

// metIn has each breach once: all items of a list may show it.
func metIn(e *exchange.Exchange, breaches ...[]Breach) (all []Met) {
	known := map[Breach]bool{}
	for _, b := range slices.Concat(breaches...) {
		if !known[b] {
			all = append(all, Met{b, e})
		}
		known[b] = true
	}
	return all
}

func breach(expected, got, field string) []Breach { return []Breach{{"", expected, got, field}} }

// breachIf is a breach if something is wrong.
func breachIf(isWrong bool, expected, got, field string) []Breach {
	if !isWrong {
		return nil
	}
	return breach(expected, got, field)
}

// differs is a breach if a text is not as it should be, unless one of them is unknown.
func differs(field, expected, want, is, got string) []Breach {
	return breachIf(is != "" && want != "" && is != want, expected, got, field)
}

func article(name string) string {
	if name != "" && strings.ContainsRune("AEIOaeio", rune(name[0])) {
		return "an"
	}
	return "a"
}

// quoted are texts as they were received: "refused"; several as a list; "absent" for none.
func quoted(texts []string) string {
	switch len(texts) {
	case 0:
		return "absent"
	case 1:
		return fmt.Sprintf("%q", texts[0])
	}
	return fmt.Sprintf("%q", texts)
}
