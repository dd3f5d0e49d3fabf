package judge

import (
	"cmp"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/spec"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// possibleInSomeOrder: the responses to the requests of a burst, and what is available then, could have come
// of its parts one after the other.
func possibleInSomeOrder(s *Scenario, i int) Result {
	b, ok := lastBurst(&s.facts, i)
	switch {
	case !ok:
		return nothingSent()
	case s.Before == nil:
		return noBalance()
	case s.Accounts[language.TheAccount].Unsettled:
		return couldNotTest("earlier payments of this account are still pending after deadlines.webhook and may move the balance")
	}
	if !inSomeOrder(b.first, b.history, nil) {
		t := b.inexplicable()
		return unlessShared(s, failAt(t, "responses that the requests could have got one after the other, in some order", b.summary(), "check and debit must be one atomic step"))
	}
	patience := s.Terms.Deadlines.Balance
	now, r := balanceNow(s, i, language.TheAccount, patience)
	if r.Verdict != verdict.Pass {
		return r
	}
	if inSomeOrder(b.first, b.history, &now.Available) {
		return pass()
	}
	r = failBy(now.Index, "a balance that the accepted requests explain", fmt.Sprintf("%v available before, %v now; %s", s.Before.Available, now.Available, b.summary())).in("available")
	return unlessShared(s, r).pending(Look{At: Balance, Patience: patience})
}

// a burstOf is what was recorded of a burst.
type burstOf struct {
	*facts
	step     int         // that sends it
	begin    int         // its first exchange
	end      time.Time   // by the account's clock
	first    spec.Orders // the state before it
	attempts []*record.Attempt
	history  []porcupine.Operation // of the attempts, and then of what others did
}

// lastBurst is the last burst before a step.
func lastBurst(s *facts, i int) (b burstOf, ok bool) {
	step := i - 1
	for ; step >= 0; step-- {
		if _, is := s.Steps[step].Meaning.(language.Burst); is {
			break
		}
	}
	b.facts, b.step = s, step
	for _, t := range s.Attempts {
		if t.Step == step && t.AtOnce {
			b.attempts = append(b.attempts, t)
		}
	}
	out, in, known := s.fees()
	if len(b.attempts) == 0 || !known || s.Before == nil {
		return b, false
	}
	b.begin = b.attempts[0].Index
	if i := slices.IndexFunc(s.Calls, func(c record.Call) bool { return c.Step == step }); i >= 0 {
		b.begin = min(b.begin, s.Calls[i].Index)
	}
	for _, t := range b.attempts {
		if at := t.Sent.Add(t.Took + s.ahead(t)); at.After(b.end) {
			b.end = at
		}
	}
	b.first = b.before()
	for _, t := range b.attempts {
		b.add(t.Sent.UnixNano(), t.Sent.Add(t.Took).UnixNano(), b.orderOf(t, out))
	}
	for _, c := range s.Calls {
		if h, moves := b.orderOfCall(c, in); c.Step == step && moves {
			b.add(c.Sent.UnixNano(), c.Sent.Add(c.Took).UnixNano(), h)
		}
	}
	return b, true
}

func (b *burstOf) add(from, to int64, h spec.Order) {
	b.history = append(b.history, porcupine.Operation{ClientId: len(b.history), Input: h, Call: from, Return: to})
}

// before is the state before the burst. What was pending before it may still have moved money afterwards.
func (b *burstOf) before() spec.Orders {
	state := spec.Orders{
		Available: spec.Exactly(b.Before.Available),
	}
	moves, known := b.moneyOf(language.TheAccount).moves()
	mayMove := func(t *record.Attempt) bool { return t.Index < b.begin && !t.Is(api.Nothing) }
	if !known && slices.ContainsFunc(b.Attempts, mayMove) {
		state.Available = spec.Range{Least: -money.Most, Most: money.Most}
	}
	for _, m := range moves {
		if p := m.Moved(); m.index < b.begin {
			state.Available = state.Available.Plus(spec.Range{Least: p.Least - p.Most, Most: p.Most - p.Least})
		}
	}
	if b.Accounts[language.TheAccount].Fixed { // it has a history
		state.Spent.Most = money.Most
	}
	counted := map[spec.ID]bool{}
	for _, t := range b.Attempts {
		amount, ok := t.Amount()
		made := b.gateway().thing(t, b.begin).ID
		if t.Index >= b.begin || t.Account != language.TheAccount || definitelyRejected(t) || !ok || made != 0 && counted[made] {
			continue
		}
		counted[made] = true // what was sent again is the same
		switch {
		case t.Is(api.Payment):
			state.Spent = spec.Counted(state.Spent, amount, b.gateway().thing(t, b.begin).Fee, b.countsToday(t))
		case t.Is(api.Charge) && t.EndToEndID != "":
			state = state.Refund(t.EndToEndID, b.gateway().before[b.begin].Refunded(made))
		}
		if id, named := idOf(t); named && t.Accepted() {
			state = state.Use(spec.Order{ID: id, Noun: t.Op.Noun, Amount: amount, Made: madeBy(t), Key: sentKey(t)})
		}
	}
	return state
}

// countsToday reports whether a payment surely counts to the daily limit until a burst ends, by the clock of the account:
// a cash-out that stays, on a day that goes on until then. Whether a day is one of São Paulo or of UTC is open ("the day
// of a limit"), and clocks may differ.
func (b *burstOf) countsToday(t *record.Attempt) bool {
	from, to := t.Sent.Add(b.ahead(t)-api.DayTolerance).UTC(), b.end.Add(api.DayTolerance).UTC()
	sameDay := func(zone time.Duration) bool {
		return from.Add(zone).Truncate(24 * time.Hour).Equal(to.Add(zone).Truncate(24 * time.Hour))
	}
	return t.Op.Noun == "cash-out" && t.Accepted() && !b.mayReturn(t) && sameDay(0) && sameDay(api.SãoPaulo) &&
		!slices.ContainsFunc(b.callsOf(target.Clock, http.MethodPut), isUnclear)
}

// mayReturn reports whether a payment may have failed by now, so that its money is back.
func (b *burstOf) mayReturn(t *record.Attempt) bool {
	_, back := b.gateway().made(t, b.gateway().now()).MayStill()
	return t.Is(api.Payment) && back > 0
}

func (b *burstOf) orderOf(t *record.Attempt, fee money.Centavos) spec.Order {
	amount, _ := t.Amount()
	id, _ := idOf(t)
	h := spec.Order{Noun: t.Op.Noun, Amount: amount, Fee: fee, MinFee: b.minFee(), ID: id, Key: sentKey(t), Limits: b.limits(), AtNight: spec.MayBeDone, Answer: outcomeOf(t), Made: madeBy(t), MayReturn: b.mayReturn(t), Counts: b.countsToday(t)}
	for _, other := range b.attempts {
		if other == t || other.Sent.After(t.Sent.Add(t.Took)) || t.Sent.After(other.Sent.Add(other.Took)) {
			continue
		}
		theirs, _ := other.Amount()
		h.Rivals += theirs + fee
		if other.Is(api.Refund) && other.Parameter("e2eid") == t.Parameter("e2eid") {
			h.RivalRefunds += theirs
		}
		if same, _ := idOf(other); same == id {
			h.SameID = true
		}
	}
	if t.Is(api.Refund) {
		h.Charge = t.Parameter("e2eid")
		h.Original = money.Most // not known
		if c := b.chargePaid(h.Charge); c != nil {
			h.Original = cmp.Or(b.gateway().thing(c, b.begin).Paid().Most, h.Original)
		}
	}
	return h
}

// minFee is the fee of a cash-out of the account as long as the burst lasts; 0 if it may have been changed meanwhile.
func (b *burstOf) minFee() money.Centavos {
	if !b.Terms.FeesControl {
		return money.OrZero(b.Terms.Fees.CashOut)
	}
	mayChange := func(c record.Call) bool { return c.Step == b.step && !c.Refused() || isUnclear(c) }
	if slices.ContainsFunc(b.callsOf(target.FeesControl, http.MethodPut), mayChange) {
		return 0
	}
	fee, _ := b.feeWhenSent(b.attempts[0])
	return fee
}

// orderOfCall is what somebody else did in a burst; false if it moves nothing that is judged. What was
// ordered before it is in the state already, with all that may become of it; so only a refund that counts
// there can make room.
func (b *burstOf) orderOfCall(c record.Call, fee money.Centavos) (h spec.Order, moves bool) {
	switch {
	case c.Refused() || c.Method != http.MethodPost:
	case c.Operation == string(target.Payments):
		for _, t := range b.Attempts {
			if code, ok := t.PayCode(); ok && code == c.Text("pixCode") {
				h.Noun = spec.Credit
				h.Amount, _ = t.Amount()
				if amount, err := money.Parse(c.Text("amount")); err == nil {
					h.Amount = amount
				}
				if _, split := jsonvalue.Lookup(t.Request, "splits"); c.Succeeded() && !split && !b.gateway().mayBefore(t, c.Index).Overlaps(spec.WasPaid) {
					h.Due = h.Amount - fee
				}
				return h, true
			}
		}
	case c.Operation == string(target.Refunds):
		for _, t := range b.Attempts {
			if fails(c, t) && b.gateway().mayBefore(t, b.begin).Only() == api.Processing {
				amount, _ := t.Amount()
				return spec.Order{Noun: spec.Unrefund, Amount: amount, Charge: t.Parameter("e2eid")}, true
			}
		}
	}
	return h, false
}

// fails reports whether a call rejects a refund.
func fails(c record.Call, t *record.Attempt) bool {
	id := jsonvalue.Text(t.Answer, "rtrId")
	return t.Is(api.Refund) && id != "" && strings.Contains(c.URL, "/"+id+"/") && c.State() == api.NotRefunded && !c.Refused()
}

// limits are those of the account, if the scenario has set them.
func (b *burstOf) limits() (l spec.Limits) {
	for _, earlier := range b.Steps[:b.step] {
		switch m := earlier.Meaning.(type) {
		case language.LiftLimits:
			l = spec.Limits{Known: true}
		case language.SetLimit:
			l = l.With(spec.Limit(m.Limit), m.Amount)
		case language.OwnLimit:
			l.Known = false
		}
	}
	return l
}

// idOf is by what a request is known to be the same as another.
func idOf(t *record.Attempt) (string, bool) {
	switch {
	case t.Is(api.Refund):
		return t.Path(), true
	case t.Op.ID == "transfer":
		return "key " + foldedKey(t), true
	}
	return t.ExternalID()
}

func outcomeOf(t *record.Attempt) spec.Answer {
	switch {
	case t.Accepted():
		return spec.Accepted
	case !definitelyRejected(t):
		return spec.Unclear
	case t.Status == http.StatusConflict, t.Status == http.StatusTooManyRequests, t.Status == http.StatusLocked:
		return spec.TurnedAway
	}
	return spec.ReasonOf(t.Op, t.Status, t.Code())
}

// inexplicable is the request without which the others are possible; the last one if there is none.
func (b burstOf) inexplicable() *record.Attempt {
	for i, t := range b.attempts {
		if inSomeOrder(b.first, slices.Delete(slices.Clone(b.history), i, i+1), nil) {
			return t
		}
	}
	return b.attempts[len(b.attempts)-1]
}

// summary are the requests with their responses: "cash-out of R$ 60.00: 201".
func (b burstOf) summary() string {
	var all []string
	for _, t := range b.attempts {
		amount, _ := t.Amount()
		code := ""
		if !t.Accepted() {
			code = strings.TrimRight(" "+string(t.Code()), " ")
		}
		all = append(all, fmt.Sprintf("%s of %v: %d%s", t.Op.Noun, amount, t.Status, code))
	}
	return strings.Join(all, "; ")
}

// inSomeOrder reports whether a history is possible one at a time, beginning with a state, and such that
// the account can have so much available in the end; nil for any.
func inSomeOrder(first spec.Orders, history []porcupine.Operation, left *money.Centavos) bool {
	model := porcupine.Model{
		Init:  func() any { return first },
		Equal: func(a, b any) bool { return reflect.DeepEqual(a, b) },
		Step: func(state, input, _ any) (bool, any) {
			if input == nil {
				end := state.(spec.Orders)
				return end.Available.Plus(spec.Range{Least: end.Due}).Holds(*left), end
			}
			next, ok := state.(spec.Orders).After(input.(spec.Order))
			return ok, next
		},
	}
	if left != nil {
		last := int64(0)
		for _, o := range history {
			last = max(last, o.Return)
		}
		history = append(history[:len(history):len(history)], porcupine.Operation{ClientId: len(history), Call: last + 1, Return: last + 2})
	}
	return porcupine.CheckOperations(model, history)
}
