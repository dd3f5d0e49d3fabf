// Package judge decides from a record whether each step of a scenario holds. It is pure: steps
// and record in, findings out, without I/O, clock or randomness. So a run can be judged again
// later, on another machine, or with later rules.
package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

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
		if m.Again {
			return arrivesAgain(s, i, m)
		}
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

// plusHint explains a plus sign in the query of a request, which frameworks read differently; empty for none.
func plusHint(e *exchange.Exchange) string {
	_, query, _ := strings.Cut(e.URL, "?")
	switch {
	case e.Party != exchange.API:
		return ""
	case strings.Contains(query, "+"):
		return "the query has a raw +, which form decoding reads as a space, and RFC 3986 as a plus sign: check which of the two the gateway reads"
	case strings.Contains(strings.ToUpper(query), "%2B"):
		return "the query has %2B, a plus sign: check that the gateway does not decode the query twice, which makes it a space"
	default:
		return ""
	}
}
