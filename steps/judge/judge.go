// Package judge decides from a record whether each step of a scenario holds. It is pure: steps
// and record in, findings out, without I/O, clock or randomness. So a run can be judged again
// later, on another machine, or with later rules.
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

// Scenario judges one attempt at a scenario, during or after recording.
type Scenario struct {
	facts
	Rule string

	Event        *record.Delivery   // the last event that a step waited for
	awaited      string             // the event name that the step waited for
	cause        cause              // what that event reports
	subscription string             // the type of event that its URL is registered for
	waited       []waited           // all events that steps waited for
	read         map[int]int        // the step that looked at an event, by the event's exchange
	lists        map[int]*listCheck // by step, those that read a list by its filters
	listed       any                // the payment as the list showed it when a step last looked
}

// facts are what has happened in a scenario, by its record and its steps: what became of its payments,
// charges, refunds, cases and money, as far as that is sure.
//
// Many methods: each is one question to the same record.
type facts struct {
	*record.View
	Steps    []language.Step
	folded   folded
	reported map[int]reporters // by the exchange of an event
}

// waited is an event that a step waited for, and where.
type waited struct {
	event *record.Delivery
	step  int
	place string
}

// New returns a judge for a scenario without any record yet.
func New(rule string, steps []language.Step, terms *record.Terms) *Scenario {
	return &Scenario{facts: facts{View: record.NewView(terms), Steps: steps, reported: map[int]reporters{}}, Rule: rule, read: map[int]int{}, lists: map[int]*listCheck{}}
}

// ReadIn returns the step that looked at the event of an exchange; false if none did.
func (s *Scenario) ReadIn(index int) (step int, ok bool) {
	step, ok = s.read[index]
	return step, ok
}

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

// Judge judges a step by everything recorded so far. Call it again when more was recorded.
func (s *Scenario) Judge(i int) Result {
	r := unlessTruncated(s, i, s.judge(i))
	if s.Event != nil {
		s.noteRead(s.Event.Index, i)
	}
	if r.Finding != nil {
		s.noteRead(r.Finding.Exchange, i)
	}
	if r.Verdict == "" || r.Verdict == verdict.Pass && len(r.Observations) == 0 {
		return r
	}
	if t := s.Meant(); t != nil && r.Verdict == verdict.Fail {
		r.Finding.Expected += ", of the payment of R$ " + t.SentText(t.Op.Amount)
	}
	for _, e := range s.Exchanges {
		if target.Unsent(*e) && s.Obstacle(i) == nil {
			r := GivenUp(e.Err)
			r.Spoiled = target.Held(*e)
			return r
		}
		if target.OwnLimit(*e) {
			return Result{Verdict: verdict.SuiteError, Spoiled: true, Finding: &verdict.Finding{Got: e.Err, Exchange: -1}}
		}
	}
	if why := s.overrun(); r.Verdict != verdict.CouldNotTest && why != "" {
		look := r.Look
		r = couldNotTest(why)
		r.Spoiled, r.Look = true, look
	}
	if at := r.Finding; r.Verdict == verdict.Fail && at.Exchange >= 0 && at.Exchange < len(s.Exchanges) {
		if hint := plusHint(s.Exchanges[at.Exchange]); hint != "" && !strings.Contains(at.Hint, hint) {
			at.AddHint(hint)
		}
	}
	if r.Verdict == verdict.Fail && !decides(s.Steps[i]) {
		r.Verdict = verdict.CouldNotTest
		r.Finding.AddHint(verdict.Precondition)
	}
	return r
}

// unlessTruncated: a body that was not read to its end says nothing about its content. The contract reports the
// length of the body, and the status was received.
func unlessTruncated(s *Scenario, i int, r Result) Result {
	if r.Verdict != verdict.Fail {
		return r
	}
	t := s.Attempt(r.Finding.Exchange)
	if t == nil || !t.Truncated {
		return r
	}
	isWrongStatus := !t.Accepted()
	switch m := s.Steps[i].Meaning.(type) {
	case language.MatchContract:
		return r
	case language.Answered:
		isWrongStatus = !slices.ContainsFunc(m.Expected.Alternatives, func(a language.Alternative) bool { return hasStatus(a, t) })
	}
	if isWrongStatus {
		return r
	}
	expected := r.Finding.Expected
	r = couldNotTest(t.Summary())
	r.Finding.Expected, r.Finding.Exchange = expected, t.Index
	return r
}

// decides reports whether a step can fail its rule. Steps that prepare, or observe an open point,
// cannot: other rules judge them.
func decides(step language.Step) bool {
	switch m := step.Meaning.(type) {
	case language.Noted, language.WhetherNoted, language.HasBeenPaid, language.InState:
		return false
	case language.SendMany:
		return m.Daily && step.Type != catalogue.Context
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
		return blocked(o)
	}
	if s.noRequestRecorded(i) {
		return unrecorded("a request of this step")
	}
	if language.IsIfAccepted(s.Steps[i].Meaning) {
		switch t := s.It(); {
		case t == nil:
			return nothingSent()
		case !t.Accepted():
			return pass()
		}
	}
	return s.byMeaning(i)
}

// byMeaning is the table of what judges a step.
func (s *Scenario) byMeaning(i int) Result {
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
	case language.InSomeOrder:
		return possibleInSomeOrder(s, i)
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
	case language.ListMatches:
		return listMatches(s, i, m)
	case language.MetadataAddsUp:
		return metadataAddsUp(s)
	case language.EachItemOnce, language.ItemCount, language.NoneMissed:
		return unlessShared(s, pages(s, i, m))
	case language.ListedAsBefore:
		return listedAsBefore(s, i, m)
	case language.ListedOnce:
		return listed(s, i, s.LastOf(api.Payment, api.Charge), s.Terms.Deadlines.Webhook, func(*record.Attempt, any) Result { return pass() })
	case language.HasState:
		return hasState(s, i, m)
	case language.NothingChanges:
		return nothingChanges(s, i, m)
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
	case language.Burst, language.Present, language.PresentAs, language.PresentInHeader:
		return pass() // later steps judge these token requests
	default: // an act
		return accepted(s, i)
	}
}

func (s *Scenario) noRequestRecorded(i int) bool {
	switch m := s.Steps[i].Meaning.(type) {
	case language.Send, language.SendMany, language.Burst, language.Walk, language.HasBeenPaid, language.Present, language.PresentAs, language.PresentInHeader:
	case language.InState:
		if api.Named(m.Noun) == nil { // a MED case
			return false
		}
	default:
		return false
	}
	return !slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool { return t.Step == i })
}

// accepted: the requests of an acting step must be accepted.
func accepted(s *Scenario, i int) Result {
	for _, t := range s.Attempts {
		if t.Step == i && !t.Accepted() {
			return failAnswer(t, fmt.Sprintf("%s to be accepted with %s", t.Op.Noun, t.Op.Success()), "")
		}
	}
	return pass()
}

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

// madeAs returns the request that a sentence refers to: the last one, or the nth accepted one.
func madeAs(v *record.View, n language.Nth, makes ...api.Made) (*record.Attempt, Result) {
	t, err := v.Nth(n, makes...)
	var unable *record.Obstacle
	switch {
	case err == nil:
		return t, pass()
	case errors.As(err, &unable):
		return nil, blocked(unable)
	}
	return nil, nothingSent()
}

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
