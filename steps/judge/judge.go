// Package judge says what a record shows: whether each step of a scenario holds. It is pure:
// from steps and a record to findings, without I/O, clock or randomness. So a run can be
// judged again later, elsewhere, or by later rules.
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
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Scenario judges one attempt at a scenario while, or after, its record is made.
type Scenario struct {
	*record.View
	Rule  string
	Steps []language.Step

	Event        *record.Delivery // the last event that a step waited for
	awaited      string           // the name that it was waited for by
	subscription string           // the type of event that its URL is registered for
	waited       []waited         // all events that steps waited for
	read         map[int]int      // the exchanges of events that steps looked at, with the step
	listed       any              // the payment as the list showed it when a step last looked
}

// waited is an event that a step waited for at a place.
type waited struct {
	event *record.Delivery
	step  int
	place string
}

// New judges a scenario of which nothing is recorded yet.
func New(rule string, steps []language.Step, terms *record.Terms) *Scenario {
	return &Scenario{View: record.NewView(terms), Rule: rule, Steps: steps, read: map[int]int{}}
}

// ReadIn is the step that looked at the event of an exchange; false if none did.
func (s *Scenario) ReadIn(index int) (step int, ok bool) {
	step, ok = s.read[index]
	return step, ok
}

// Result is what a step came to.
type Result struct {
	Verdict      verdict.Verdict
	Finding      *verdict.Finding
	Warnings     []verdict.Finding
	Observations []verdict.Observed
	Missing      string // a control
	Spoiled      bool   // the attempt shows nothing of the target, and another may
	Look         *Look  // what could change the verdict; nil if nothing could
}

// Look is something to look at before a step is judged, or judged again.
type Look struct {
	At       Subject
	Account  language.Account
	Query    url.Values      // of a list
	Of       *record.Attempt // what made the thing whose state or splits are to be read
	Op       *api.Operation  // the list
	Place    string          // of Deliveries: each has a Patience of its own
	Patience time.Duration   // for how long to look again while the step does not hold; 0 to look once
}

// Subject is what a Look is at.
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

// Key tells looks apart.
func (l *Look) Key() string { return fmt.Sprint(l.At, l.Account, l.Query.Encode(), l.Place) }

// Judge says what a step came to, by all that is recorded so far. It may be asked again
// whenever more is.
func (s *Scenario) Judge(i int) Result {
	r := s.judge(i)
	if s.Event != nil {
		s.noteRead(s.Event.Index, i)
	}
	if r.Finding != nil {
		s.noteRead(r.Finding.Exchange, i)
	}
	if r.Verdict == verdict.Pass || r.Verdict == "" {
		return r
	}
	for _, e := range s.Exchanges {
		if target.Unsent(*e) {
			return GivenUp(e.Err)
		}
	}
	if r.Verdict == verdict.Fail && !decides(s.Steps[i]) {
		r.Verdict = verdict.CouldNotTest
		r.Finding.Hint = strings.TrimPrefix(r.Finding.Hint+"; this is a precondition of the rule, which could therefore not be tested", "; ")
	}
	return r
}

// decides reports whether a step can fail its rule. What prepares a step or observes an open
// point cannot: another rule judges it.
func decides(step language.Step) bool {
	switch m := step.Meaning.(type) {
	case language.Noted, language.WhetherNoted, language.HasBeenPaid, language.PayOneKey, language.InState:
		return false
	case language.Send:
		return !m.Accepted && step.Type != catalogue.Context
	}
	return step.Type != catalogue.Context
}

func (s *Scenario) noteRead(index, i int) {
	if _, known := s.read[index]; !known {
		s.read[index] = i
	}
}

func (s *Scenario) judge(i int) Result {
	if o := s.Obstacle(i); o != nil {
		return s.stopped(o)
	}
	if s.lacksRequest(i) {
		return lacks("this step")
	}
	switch m := s.Steps[i].Meaning.(type) {
	case language.Walk:
		return walked(s, i, m)
	case language.Send:
		if m.Accepted {
			return accepted(s, i)
		}
		return pass()
	case language.Answered:
		return answered(s, i, m)
	case language.AcceptedCount:
		return acceptedCount(s, m)
	case language.ShareField:
		return shareField(s, m)
	case language.OneOfTwo:
		return oneOfTwo(s, m)
	case language.Has:
		return has(s, i, m)
	case language.CodeIsNoneOf:
		return codeIsNoneOf(s, m)
	case language.Differ:
		return differ(s, m)
	case language.RefusalsCompare:
		return refusalsCompare(s, m)
	case language.RegistrationListed:
		return registrationListed(s, m)
	case language.NoTokenGiven:
		return noTokenGiven(s)
	case language.MatchContract:
		return matchContract(s, m)
	case language.ListHolds:
		return listHolds(s, i, m)
	case language.MetadataAddsUp:
		return metadataAddsUp(s)
	case language.EachItemOnce, language.ItemCount, language.NoneMissed:
		return unlessShared(s, pages(s, i, m))
	case language.ListedAsBefore:
		return listedAsBefore(s, i, m)
	case language.ListedOnce:
		return listed(s, i, s.Terms.Deadlines.Webhook, func(*record.Attempt, any) Result { return pass() })
	case language.HasState:
		return hasState(s, i, m)
	case language.Moved:
		return moved(s, i, m)
	case language.SplitsAre:
		return splitsAre(s, i, m)
	case language.SplitsComeTo:
		return splitsComeTo(s, i, m)
	case language.SplitsLeave:
		return splitsLeave(s, i, m)
	case language.Arrives:
		return arrives(s, i, m)
	case language.QueryArrived, language.ArrivedAsPost, language.NoEventCarries:
		return arrived(s, m)
	case language.NothingArrives, language.NotReported, language.NoOtherOutcome:
		return silent(s, i, m)
	case language.Noted:
		return noted(s, i, m)
	case language.WhetherNoted:
		return whetherNoted(s, i, m)
	default: // an act
		return accepted(s, i)
	}
}

// lacksRequest: a step that sends requests has none in the record.
func (s *Scenario) lacksRequest(i int) bool {
	switch m := s.Steps[i].Meaning.(type) {
	case language.Send, language.PayOneKey, language.Walk, language.HasBeenPaid, language.Present, language.PresentAs, language.Smuggle:
	case language.InState:
		if api.Named(m.Noun) == nil { // a MED case
			return false
		}
	default:
		return false
	}
	return !slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool { return t.Step == i })
}

// accepted: what an act sends on behalf of its sentence must be accepted.
func accepted(s *Scenario, i int) Result {
	for _, t := range s.Attempts {
		if t.Step == i && !t.Accepted() && mustBeAccepted(s.Steps[i].Meaning) {
			return notAccepted(t)
		}
	}
	return pass()
}

func notAccepted(t *record.Attempt) Result {
	return failAt(t, fmt.Sprintf("%s to be accepted with %s", t.Op.Noun, t.Op.Success()), t.Summary(), "")
}

// mustBeAccepted: acts that are about a token request leave what comes of it to later steps.
func mustBeAccepted(m language.Meaning) bool {
	switch m.(type) {
	case language.Present, language.PresentAs, language.Smuggle:
		return false
	}
	return true
}

// stopped is the result of a step that could not be carried out.
func (s *Scenario) stopped(o *record.Obstacle) Result {
	finding := verdict.Finding{Got: o.Reason, Exchange: o.Exchange}
	r := Result{Verdict: verdict.CouldNotTest, Finding: &finding, Spoiled: o.Spoils}
	switch o.Kind {
	case record.NotOffered:
		r.Verdict = verdict.NotApplicable
		finding.Expected = "a target that offers what this scenario is about"
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
		finding.Expected = "a target that can be brought into the state of this scenario"
	}
	return r
}

// GivenUp is the result of what was not tested, or not to its end, because the target had
// stopped responding.
func GivenUp(reason string) Result {
	return Result{Verdict: verdict.CouldNotTest, Finding: &verdict.Finding{
		Expected: "a target that responds", Got: reason,
		Hint: "the requests before that got no response may show why; so may the target's log", Exchange: -1,
	}}
}

func pass() Result { return Result{Verdict: verdict.Pass} }

func fail(f verdict.Finding) Result { return Result{Verdict: verdict.Fail, Finding: &f} }

// failBy fails by what the exchange of an index shows.
func failBy(index int, expected, got string) Result {
	return fail(verdict.Finding{Expected: expected, Got: got, Exchange: index})
}

// failAt fails by what an attempt shows.
func failAt(t *record.Attempt, expected, got, hint string) Result {
	return fail(verdict.Finding{Expected: expected, Got: got, Hint: hint, Exchange: t.Index})
}

// in names the field that a failure is about.
func (r Result) in(field string) Result {
	r.Finding.Field = field
	return r
}

// warn passes with a warning.
func warn(f verdict.Finding) Result {
	return Result{Verdict: verdict.Pass, Warnings: []verdict.Finding{f}}
}

// softened turns a failure into a warning where a sentence says "should".
func softened(r Result, m language.Modality) Result {
	if m == language.Should && r.Verdict == verdict.Fail {
		return Result{Verdict: verdict.Pass, Warnings: append(r.Warnings, *r.Finding), Look: r.Look}
	}
	return r
}

// and is what a further judgement makes of r: warnings add up, and what may still change r may
// change both.
func (r Result) and(next Result) Result {
	next.Warnings = append(r.Warnings, next.Warnings...)
	next.Look = cmp.Or(next.Look, r.Look)
	return next
}

// lacks is the result of a step that speaks of something which the record does not hold. It may
// have been cut short, or be of another version of the scenario.
func lacks(what string) Result {
	return Result{Verdict: verdict.CouldNotTest, Finding: &verdict.Finding{
		Expected: "evidence of " + what, Got: "none was recorded", Exchange: -1,
	}}
}

func nothingSent() Result { return lacks("a request that this sentence could speak of") }

func cannot(reason string) Result { return unable(record.Cannot(reason)) }

func unable(o *record.Obstacle) Result { return (*Scenario)(nil).stopped(o) }

// broken is a fault of the suite: the features ask for what makes no sense.
func broken(err error) Result {
	var o *record.Obstacle
	if errors.As(err, &o) {
		return unable(o)
	}
	return Result{Verdict: verdict.SuiteError, Finding: &verdict.Finding{
		Expected: "the suite to carry out the sentence", Got: err.Error(),
		Hint: "this is a fault of the suite, not of the target: please report it", Exchange: -1,
	}}
}

// undecided waits for a look.
func undecided(l Look) Result { return Result{Look: &l} }

// pending is r as long as nothing better comes of looking again.
func (r Result) pending(l Look) Result {
	r.Look = &l
	return r
}

// briefly is how long to wait for what a target need not do: a tenth of the patience for what it
// must do, so that a deadline that the profile raises is longer here too.
func briefly(patience time.Duration) time.Duration { return patience / 10 }
