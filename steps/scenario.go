package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/sink"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// scenario carries one scenario out. It belongs to one goroutine; only the requests
// of a sentence that sends several at once run beside each other.
type scenario struct {
	run  *run
	plan *planned
	step int // index of the step that is carried out

	result verdict.Scenario

	account     *actor
	other       *actor
	certificate *certs.Certificate // "that certificate"
	spoilt      bool               // an edge may refuse that certificate by itself
	holder      holder             // of "that key"
	temporary   *sink.Mailbox      // "that URL"
	ownLimit    centavos           // the account's, which a sentence speaks of
	opening     int64              // the MED case that was opened last
	contested   string             // the end-to-end id of the payment that it contests
	walked      []any              // the items of the pages that were walked
	listed      any                // the payment as the list had it

	attempts []*attempt // every request of a sentence, in order
	batch    []*attempt // those of the last sentence that sent several at once
	before   *balance   // the account's balance before the requests of this When
	event    *event     // the last event that arrived
	events   []*event   // those that a sentence waited for
	acted    time.Time  // when the target was last made to do something
	passed   time.Time  // when the clock was last moved
	since    time.Time  // when the last When began
	opened   []*sink.Mailbox

	leased        []*fixedAccount // the accounts of the profile that it is carried out on
	sharing       bool            // with others, since it changes nothing
	paths         []string        // of the profile's, for its mailboxes, not used yet
	leasedPaths   []string        // all of them
	registrations []any           // of webhooks, as they were before the last

	cutOff    string // why a request was not sent: the target had been given up
	undecided bool   // chance may have brought the result about: to be carried out anew
	probing   bool   // it is none of the features': it finds out how far copies are behind
}

// failure is the target's fault: the scenario's sentence does not hold.
type failure struct {
	verdict.Finding
	doubtful bool // chance may have brought it about: worth another try
}

func (f *failure) Error() string {
	return fmt.Sprintf("expected %s, came %s", f.Expected, f.Came)
}

// unable says why a scenario could not be carried out, through nobody's fault.
type unable struct {
	reason    string
	undecided bool // by a connection that broke: worth another try
}

func (u *unable) Error() string { return u.reason }

// notApplicable says that the target does not offer what a scenario is about.
type notApplicable struct{ reason string }

func (n *notApplicable) Error() string { return n.reason }

func (s *scenario) fail(t *attempt, expected, came, hint string) error {
	index := -1
	if t != nil {
		index = t.index
	}
	return &failure{Finding: verdict.Finding{Expected: expected, Came: came, Hint: hint, Exchange: index}}
}

// warn notes what is allowed but unwise.
func (s *scenario) warn(f verdict.Finding) {
	s.result.Warnings = append(s.result.Warnings, f)
}

// note records what the target does on an open point.
func (s *scenario) note(point, value string) error {
	if !s.run.openPoints[point] {
		return fmt.Errorf("open-points.yaml has no point %q", point)
	}
	s.result.Observations = append(s.result.Observations, verdict.Observed{Point: point, Value: value})
	return nil
}

// record keeps an exchange as evidence and returns its index.
func (s *scenario) record(e exchange.Exchange) int {
	e.Step = s.step
	evidence := e
	if !s.run.options.KeepAll {
		evidence = e.Kept()
	}
	s.result.Exchanges = append(s.result.Exchanges, evidence)
	if target.Unsent(e) {
		s.cutOff = e.Err
	}
	if done := e.Sent.Add(e.Took); e.Method != http.MethodGet && done.After(s.acted) {
		s.acted = done
	}
	if s.run.options.Recorder != nil {
		s.run.options.Recorder(s.plan.scenario.ID(), e)
	}
	return len(s.result.Exchanges) - 1
}

// fresh is a text that no other scenario and no other run uses.
func (s *scenario) fresh(prefix string) string {
	return fmt.Sprintf("%s-%s-%d", prefix, s.run.id, s.run.counter.Add(1))
}

// freshOrder is a fresh externalId; capitals are part of it.
func (s *scenario) freshOrder() string { return s.fresh("Order") }

// ended judges how a step went.
func (s *scenario) ended(err error, precondition bool) verdict.Verdict {
	var (
		f  *failure
		u  *unable
		na *notApplicable
		m  *target.Missing
		c  *target.ControlError
	)
	switch {
	case err == nil:
		return verdict.Pass
	case s.cutOff != "":
		s.result.Finding = givenUp(s.cutOff)
		return verdict.CouldNotTest
	case errors.As(err, &f) && precondition:
		s.result.Finding = &f.Finding
		s.result.Finding.Hint = strings.TrimPrefix(f.Hint+"; this is a precondition of the rule, which could therefore not be tested", "; ")
		return verdict.CouldNotTest
	case errors.As(err, &f):
		s.undecided = f.doubtful
		s.result.Finding = &f.Finding
		return verdict.Fail
	case errors.As(err, &u):
		s.undecided = u.undecided
		s.result.Finding = &verdict.Finding{Expected: "a target that can be brought into the state of this scenario", Came: u.reason, Exchange: -1}
		return verdict.CouldNotTest
	case errors.As(err, &na):
		s.result.Finding = &verdict.Finding{Expected: "a target that offers what this scenario is about", Came: na.reason, Exchange: -1}
		return verdict.NotApplicable
	case errors.As(err, &m):
		s.result.Missing = append(s.result.Missing, string(m.Control))
		s.result.Finding = &verdict.Finding{Expected: "the test control " + string(m.Control), Came: m.Error(), Exchange: -1}
		return verdict.CouldNotTest
	case errors.As(err, &c):
		s.undecided = target.Undecided(s.result.Exchanges[c.Exchange])
		s.result.Finding = &verdict.Finding{Expected: "the test control " + string(c.Control) + " to work", Came: c.Error(), Exchange: c.Exchange}
		return verdict.CouldNotTest
	default:
		s.result.Finding = &verdict.Finding{Expected: "the suite to carry out the sentence", Came: err.Error(), Hint: "this is a fault of the suite, not of the target: please report it", Exchange: -1}
		return verdict.SuiteError
	}
}

// givenUp is the finding of what was not tested, or not to its end, since the target had
// stopped answering.
func givenUp(reason string) *verdict.Finding {
	return &verdict.Finding{
		Expected: "a target that answers", Came: reason,
		Hint: "what was sent before and got no answer may show why; the log of the target too", Exchange: -1,
	}
}

// close gives back what the scenario held and completes its result.
func (s *scenario) close() {
	s.checkEvents()
	for _, m := range s.opened {
		m.Close()
	}
	s.result.ExchangeCount = len(s.result.Exchanges)
	s.result.Took = time.Since(s.result.Started)
	if s.result.Verdict == verdict.Pass && len(s.result.Warnings) > 0 {
		s.result.Verdict = verdict.Warning
	}
	if s.result.Verdict == verdict.Pass && !s.run.options.KeepAll {
		s.result.Exchanges = nil
	}
}

// quiet waits for what must not come, for as long as the profile says.
func (s *scenario) quiet(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.run.profile.Deadlines.Quiet)
}
