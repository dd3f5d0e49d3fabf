package judge

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// facts are what has happened in a scenario, by its record and its steps.
//
// Many methods: each is a question that several files ask of the same record. What only one file asks is a function there.
type facts struct {
	*record.View
	Steps    []language.Step
	folded   *gateway
	reported map[int]reporters // by the exchange of an event
}

// callsOf are the calls of a control; by one method, or by any if it is empty.
func (s *facts) callsOf(control target.Control, method string) (calls []record.Call) {
	for _, c := range s.Calls {
		if c.Operation == string(control) && (method == "" || c.Method == method) {
			calls = append(calls, c)
		}
	}
	return calls
}

// orders are the payments and charges that the scenario has sent.
func (s *facts) orders() []*record.Attempt {
	return slices.DeleteFunc(s.Requests(), func(t *record.Attempt) bool { return !t.Is(api.Payment, api.Charge) })
}

// isUnusual: whose money a request moves, or how much, does not follow from its body alone.
func (s *facts) isUnusual(t *record.Attempt) bool {
	if t.Step >= len(s.Steps) {
		return true
	}
	m, ok := s.Steps[t.Step].Meaning.(language.Send)
	return ok && (m.Raw != nil || m.Under != language.OwnToken && m.Under != language.FirstToken)
}

// definitelyRejected: the target says that it has not done it. Anything else may have moved money.
func definitelyRejected(t *record.Attempt) bool {
	return t.Status >= 400 && t.Status < 500 && t.Status != http.StatusRequestTimeout
}

// hasCases: which payments a MED case leads to, and how lists show them, is open ("payments of a MED case").
func (s *facts) hasCases() bool { return len(s.callsOf(target.MED, "")) > 0 }

// refunds: the scenario may have refunded a payment.
func (s *facts) refunds() bool {
	return slices.ContainsFunc(s.Requests(), func(t *record.Attempt) bool { return t.Is(api.Refund) && !definitelyRejected(t) })
}

// isTried: the scenario tries to move a case, and whether it may be moved so is open ("MED case OPEN, then RECEIVED",
// "MED case APPROVED, then REJECTED").
func (s *facts) isTried(c record.Case) bool {
	return slices.ContainsFunc(s.Steps, func(step language.Step) bool {
		m, is := step.Meaning.(language.MoveCase)
		return is && m.Tries && s.Case(m.Case).ID == c.ID
	})
}

// subject is what "its state" speaks of: the thing that was brought into a state last; nil if
// there is none.
func (s *facts) subject() *record.Attempt {
	for _, t := range slices.Backward(s.Attempts) {
		if t.Step >= len(s.Steps) || t.Is(api.Nothing) {
			continue
		}
		if _, is := s.Steps[t.Step].Meaning.(language.InState); is {
			return t
		}
	}
	return nil
}

// about matches events that contain any id of the attempt, in any field; the fields are judged
// later.
func about(t *record.Attempt) func(*record.Delivery) bool {
	ids := t.IDs()
	return func(d *record.Delivery) bool { return d.Names(ids...) }
}

// isOfScenario reports whether an event names a payment, charge or refund of the scenario.
func (s *facts) isOfScenario(d *record.Delivery) bool {
	return slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool { return !t.Is(api.Nothing) && about(t)(d) })
}

// chargePaid is the charge of the scenario that was paid by a payment with an end-to-end id; nil if there is none.
func (s *facts) chargePaid(by string) *record.Attempt {
	i := slices.IndexFunc(s.Attempts, func(t *record.Attempt) bool { return by != "" && t.Is(api.Charge) && t.EndToEndID == by })
	if i < 0 {
		return nil
	}
	return s.Attempts[i]
}

// givenID is the id that the gateway gave what a request made; empty for none.
func givenID(t *record.Attempt) string {
	return cmp.Or(jsonvalue.Text(t.Answer, "transactionId"), jsonvalue.Text(t.Answer, "endToEndId"))
}

// sentKey is the x-idempotency-key of a request as it was sent.
func sentKey(t *record.Attempt) string { return t.Header.Get("x-idempotency-key") }

// foldedKey is the x-idempotency-key of a request in lower case. Whether a UUID in another case is another key is open
// ("x-idempotency-key in another case"). So two keys are surely the same if their sentKey is, and surely different if
// their foldedKey is.
func foldedKey(t *record.Attempt) string { return strings.ToLower(sentKey(t)) }

// nameOf is the name that the client gave an order; empty if it has none.
func nameOf(t *record.Attempt) string {
	id, _ := t.ExternalID()
	return cmp.Or(id, sentKey(t))
}

// madeBy names what a request has made.
func madeBy(t *record.Attempt) string {
	for _, field := range []string{"rtrId", "transactionId", "id"} {
		if v, ok := jsonvalue.Lookup(t.Answer, field); ok {
			return fmt.Sprint(v)
		}
	}
	return ""
}

// fees are the most that sending and receiving can cost, as far as it is known; false if one of them is not.
func (s *facts) fees() (out, in money.Centavos, ok bool) {
	out, in = money.OrZero(s.Terms.Fees.CashOut), money.OrZero(s.Terms.Fees.CashIn)
	for _, c := range s.callsOf(target.FeesControl, http.MethodPut) {
		out, in = max(out, money.OrZero(c.Text("cashOut"))), max(in, money.OrZero(c.Text("cashIn")))
	}
	return out, in, s.Terms.FeesControl || s.Terms.FeesKnown()
}

// feeWhenSent is the fee that a control had set when a payment of the account was sent; false if none had. A call may set only
// that of charges.
func (s *facts) feeWhenSent(t *record.Attempt) (fee money.Centavos, set bool) {
	for _, c := range s.callsOf(target.FeesControl, http.MethodPut) {
		if c.Account == language.TheAccount && c.Index < t.Index && c.Succeeded() && c.Text("cashOut") != "" {
			fee, set = money.OrZero(c.Text("cashOut")), true
		}
	}
	return fee, set
}

func (s *facts) paysOtherAmounts() bool {
	return slices.ContainsFunc(s.callsOf(target.Payments, ""), func(c record.Call) bool { return c.Text("amount") != "" })
}

// passedSince is how far the clock was moved after an exchange; as far as can be if it was set.
func (s *facts) passedSince(index int) (passed time.Duration) {
	for _, c := range s.callsOf(target.Clock, http.MethodPut) {
		by, err := time.ParseDuration(c.Text("advance"))
		switch {
		case c.Index < index:
		case err != nil:
			return math.MaxInt64
		default:
			passed += by
		}
	}
	return passed
}

// ahead is how far the clock of an account had been moved before a request.
func (s *facts) ahead(t *record.Attempt) (by time.Duration) {
	if t.Account != language.TheAccount {
		return 0
	}
	for _, c := range s.callsOf(target.Clock, http.MethodPut) {
		if c.Index > t.Index || !c.Succeeded() {
			continue
		}
		if now, err := time.Parse(time.RFC3339, c.Text("now")); err == nil {
			by = now.Sub(c.Sent)
		}
		if advance, err := time.ParseDuration(c.Text("advance")); err == nil {
			by += advance
		}
	}
	return by
}

// lifetimeOf is how long what a request makes lasts; false if that is not known.
func lifetimeOf(t *record.Attempt) (time.Duration, bool) {
	of := api.Lifetimes[t.Op.ID]
	if of.Field != "" && t.SentText(of.Field) != "" {
		lifetime, err := time.ParseDuration(t.SentText(of.Field) + "s")
		return lifetime, err == nil
	}
	return of.Default, of.Default > 0
}

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

// nthOf is what a sentence calls one of several things: "the first case", or "the case" if it is the
// last, without "the".
func nthOf(n language.Nth, what string) string {
	return strings.TrimPrefix(n.String()+" "+what, "last ")
}

func acceptedOf(batch []*record.Attempt) []*record.Attempt {
	return slices.DeleteFunc(slices.Clone(batch), func(t *record.Attempt) bool { return !t.Accepted() })
}

// isPaged reports whether an operation returns pages.
func isPaged(op *api.Operation) bool { return api.Lists[op.ID].Size != "" }

// lastChange is when the scenario last did something, or learned of something that has happened.
func lastChange(all []*exchange.Exchange) (last time.Time) {
	for _, e := range all {
		op := api.Named(e.Operation)
		changes := e.Party == exchange.Webhook || e.Method != http.MethodGet && (op == nil || !op.IsRead())
		if at := e.Sent.Add(e.Took); changes && at.After(last) {
			last = at
		}
	}
	return last
}

// refusesEvents reports whether a URL has answered an event other than with 2xx.
func refusesEvents(s *facts, url string) bool {
	return slices.ContainsFunc(s.Events, func(d *record.Delivery) bool { return d.At == url && d.Exchange.Status/100 != 2 })
}

func reportsResult(d *record.Delivery, t *record.Attempt) bool {
	return (d.Name == api.PayloadCashOut || d.Name == api.PayloadTransfer) && about(t)(d)
}

func reportsSuccess(d *record.Delivery) bool {
	return d.State() == api.Confirmed || d.State() == api.EventLiquidated
}

// isObject: what arrived may be an event at all.
func isObject(d *record.Delivery) bool {
	_, is := d.Payload.(map[string]any)
	return is
}

// RefundID is the rtrId of a refund.
func RefundID(t *record.Attempt) (string, Result) {
	id := jsonvalue.Text(t.Answer, "rtrId")
	if !t.Accepted() || id == "" {
		return "", couldNotTest("no refund was accepted: " + t.Summary())
	}
	return id, pass()
}

// nameOfThing names a thing: "the cob of R$ 7.31".
func nameOfThing(t *record.Attempt) string {
	whose := map[language.Account]string{language.TheOther: " of the other account"}
	return fmt.Sprintf("the %s of R$ %s%s", t.Op.Noun, t.SentText(t.Op.Amount), whose[t.Account])
}

const balanceNoun = "balance request"

const listNoun = "transaction list request"

// lastTemporary is "that URL": the last that a resend was given; none if there is none.
func lastTemporary(s *facts) (at []record.Receiver) {
	for _, url := range s.Temporary {
		at = []record.Receiver{{URL: url}}
	}
	return at
}

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

func (s *Scenario) noteRead(index, i int) {
	if _, known := s.read[index]; !known {
		s.read[index] = i
	}
}

func failEvent(s *Scenario, expected, got string) Result {
	return failBy(s.Event.Index, expected, got)
}

func noEvent() Result { return unrecorded("an event that this step refers to") }
