package judge

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/jsonvalue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/money"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// possibleInSomeOrder: the responses to the requests of a burst, and what is available then, could have come
// of its parts one after the other.
func possibleInSomeOrder(s *Scenario, i int) Result {
	b, ok := s.lastBurst(i)
	switch {
	case !ok:
		return nothingSent()
	case s.Before == nil:
		return noBalance()
	case s.Accounts[language.TheAccount].Unsettled:
		return couldNotTest("earlier payments of this account are still pending after deadlines.webhook and may move the balance")
	}
	if !inSomeOrder(b.first, b.history, nil) {
		t := b.culprit()
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
	first    sequential // before it
	attempts []*record.Attempt
	history  []porcupine.Operation // of the attempts, and then of what others did
}

// lastBurst is the last burst before a step.
func (s *Scenario) lastBurst(i int) (b burstOf, ok bool) {
	for step, m := range slices.Backward(s.Steps[:i]) {
		if burst, is := m.Meaning.(language.Burst); is {
			return s.burstAt(step, burst)
		}
	}
	return b, false
}

func (s *Scenario) burstAt(step int, m language.Burst) (b burstOf, ok bool) {
	for _, t := range s.Attempts {
		if t.Step == step && t.AtOnce {
			b.attempts = append(b.attempts, t)
		}
	}
	out, in, known := s.fees()
	if len(b.attempts) == 0 || !known || s.Before == nil {
		return b, false
	}
	begin := b.attempts[0].Index
	for _, c := range s.Calls {
		if c.Step == step {
			begin = min(begin, c.Index)
		}
	}
	var end time.Time
	for _, t := range b.attempts {
		if at := t.Sent.Add(t.Took + s.ahead(t)); at.After(end) {
			end = at
		}
	}
	b.first = s.sequentialAt(begin, end)
	for _, t := range b.attempts {
		h := s.happeningOf(t, b.attempts, step, out)
		h.counts = s.countsToday(t, end)
		b.add(t.Sent.UnixNano(), t.Sent.Add(t.Took).UnixNano(), h)
	}
	for _, c := range s.Calls {
		if h, moves := s.happeningOfCall(c, begin, in); c.Step == step && moves {
			b.add(c.Sent.UnixNano(), c.Sent.Add(c.Took).UnixNano(), h)
		}
	}
	return b, true
}

func (b *burstOf) add(from, to int64, h happening) {
	b.history = append(b.history, porcupine.Operation{ClientId: len(b.history), Input: h, Call: from, Return: to})
}

// sequentialAt is the state before a burst, which begins with an exchange and ends at a time by the account's
// clock. What was pending before it may still have moved money afterwards.
func (s *Scenario) sequentialAt(begin int, end time.Time) sequential {
	state := sequential{
		available: span{s.Before.Available, s.Before.Available}, used: map[string]payment{}, refunded: map[string]span{},
	}
	moves, known := s.moves(language.TheAccount)
	if !known && s.hasOrdered(begin) {
		state.available = span{-money.Most, money.Most}
	}
	for _, m := range moves {
		if p := m.span(); m.index < begin {
			state.available = state.available.and(span{p.least - p.most, p.most - p.least})
		}
	}
	if s.Accounts[language.TheAccount].Fixed { // it has a history
		state.spent.most = money.Most
	}
	for _, t := range s.Attempts {
		amount, ok := t.Amount()
		if t.Index >= begin || t.Account != language.TheAccount || refused(t) || !ok {
			continue
		}
		switch {
		case t.Is(api.Payment):
			state.spent.most += amount
			if s.countsToday(t, end) {
				state.spent.least += amount
			}
		case t.Is(api.Refund):
			sum := span{0, amount}
			if state := s.refundStateBefore(begin, t); state == "EM_PROCESSAMENTO" || state == "DEVOLVIDO" {
				sum.least = amount
			}
			state = state.refund(t.Parameter("e2eid"), sum)
		}
		if id, named := idOf(t); named && t.Accepted() {
			state = state.use(id, payment{t.Op.Noun, amount, madeBy(t)})
		}
	}
	return state
}

// countsToday reports whether a payment surely counts to the daily limit until a burst ends, by the clock of
// the account: a cash-out that stays, on a day that goes on until then. Whether a day is one of São Paulo or
// of UTC is left open, and clocks may differ.
func (s *Scenario) countsToday(t *record.Attempt, end time.Time) bool {
	const margin, inSãoPaulo = 5 * time.Minute, -3 * time.Hour
	from, to := t.Sent.Add(s.ahead(t)-margin).UTC(), end.Add(margin).UTC()
	sameDay := func(zone time.Duration) bool {
		return from.Add(zone).Truncate(24 * time.Hour).Equal(to.Add(zone).Truncate(24 * time.Hour))
	}
	return t.Op.Noun == "cash-out" && t.Accepted() && !s.mayReturn(t) && !s.mayHaveMovedClock() && sameDay(0) && sameDay(inSãoPaulo)
}

// mayHaveMovedClock reports whether the clock of the account is not known, because a call that moves it failed.
func (s *Scenario) mayHaveMovedClock() bool {
	return slices.ContainsFunc(s.callsOf(target.Clock, http.MethodPut), func(c record.Call) bool { return !c.Succeeded() && !c.Refused() })
}

// hasOrdered reports whether something was requested that may move money.
func (s *Scenario) hasOrdered(before int) bool {
	return slices.ContainsFunc(s.Attempts, func(t *record.Attempt) bool { return t.Index < before && !t.Is(api.Nothing) })
}

func (s *Scenario) happeningOf(t *record.Attempt, all []*record.Attempt, step int, fee money.Centavos) happening {
	amount, _ := t.Amount()
	id, _ := idOf(t)
	h := happening{noun: t.Op.Noun, amount: amount, fee: fee, id: id, limits: s.limitsAt(step), outcome: outcomeOf(t), made: madeBy(t), mayReturn: s.mayReturn(t)}
	for _, other := range all {
		if other == t || other.Sent.After(t.Sent.Add(t.Took)) || t.Sent.After(other.Sent.Add(other.Took)) {
			continue
		}
		theirs, _ := other.Amount()
		h.rivals += theirs + fee
		if other.Is(api.Refund) && other.Parameter("e2eid") == t.Parameter("e2eid") {
			h.rivalRefunds += theirs
		}
		if same, _ := idOf(other); same == id {
			h.sameID = true
		}
	}
	if t.Is(api.Refund) {
		h.charge = t.Parameter("e2eid")
		for _, c := range s.Attempts {
			if c.Is(api.Charge) && c.EndToEndID == h.charge {
				h.original, _ = c.Amount()
			}
		}
		if h.original == 0 {
			h.original = money.Most // not known
		}
	}
	return h
}

// happeningOfCall is what somebody else did in a burst; false if it moves nothing that is judged. What was
// ordered before it is in the state already, with all that may become of it; so only a refund that counts
// there can make room.
func (s *Scenario) happeningOfCall(c record.Call, begin int, fee money.Centavos) (h happening, moves bool) {
	switch {
	case c.Refused() || c.Method != http.MethodPost:
	case c.Operation == string(target.Payments):
		for _, t := range s.Attempts {
			if code, ok := t.PayCode(); ok && code == c.Text("pixCode") {
				h.noun = "credit"
				h.amount, _ = t.Amount()
				if _, split := jsonvalue.Lookup(t.Request, "splits"); c.Succeeded() && !split && !s.paidBefore(c, code) {
					h.due = h.amount - fee
				}
				return h, true
			}
		}
	case c.Operation == string(target.Refunds):
		for _, t := range s.Attempts {
			if fails(c, t) && s.refundStateBefore(begin, t) == "EM_PROCESSAMENTO" {
				amount, _ := t.Amount()
				return happening{noun: "unrefund", amount: amount, charge: t.Parameter("e2eid")}, true
			}
		}
	}
	return h, false
}

// refundStateBefore is the state of a refund before the exchange with an index: what the bank says of it
// later is a part of the burst.
func (s *Scenario) refundStateBefore(begin int, t *record.Attempt) string {
	earlier := *s.View
	earlier.Calls = slices.DeleteFunc(slices.Clone(s.Calls), func(c record.Call) bool {
		return c.Index >= begin && c.Method == http.MethodPost
	})
	if !t.Accepted() {
		return ""
	}
	return (&Scenario{View: &earlier}).refundState(t)
}

// fails reports whether a call rejects a refund.
func fails(c record.Call, t *record.Attempt) bool {
	id := jsonvalue.Text(t.Answer, "rtrId")
	return t.Is(api.Refund) && id != "" && strings.Contains(c.URL, "/"+id+"/") && c.Text("status") == "NAO_REALIZADO" && !c.Refused()
}

// paidBefore reports whether somebody paid a charge before a call.
func (s *Scenario) paidBefore(c record.Call, code string) bool {
	return slices.ContainsFunc(s.callsOf(target.Payments, http.MethodPost), func(other record.Call) bool {
		return other.Index < c.Index && other.Text("pixCode") == code && !other.Refused()
	})
}

// limitsAt are the limits of the account at a step, if the scenario has set them.
func (s *Scenario) limitsAt(step int) (l limits) {
	for _, earlier := range s.Steps[:step] {
		switch m := earlier.Meaning.(type) {
		case language.LiftLimits:
			l = limits{known: true}
		case language.SetLimit:
			switch m.Limit {
			case language.PerTransaction:
				l.perTransaction = m.Amount
			case language.Daily:
				l.daily = m.Amount
			default:
				l.known = false
			}
		case language.OwnLimit:
			l.known = false
		}
	}
	return l
}

// mayReturn reports whether the bank may have rejected a payment by now, so that its money is back: nobody
// has told it to wait, and it has not said that the payment is confirmed.
func (s *Scenario) mayReturn(t *record.Attempt) bool {
	waits := s.waitsForBank(t) && len(s.settlementsOf(t)) == 0 && s.passedSince(t.Index) == 0
	return t.Is(api.Payment) && !waits && !s.hasLeft(t)
}

// idOf is by what a request is known to be the same as another.
func idOf(t *record.Attempt) (string, bool) {
	switch {
	case t.Is(api.Refund):
		return t.Path(), true
	case t.Op.ID == "transfer":
		return "key " + t.Header.Get("x-idempotency-key"), true
	}
	return t.ExternalID()
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

// reasons are the codes of a cash-out.
var reasons = map[string]outcome{
	"PIX_INSUFFICIENT_BALANCE": insufficient, "PIX_DUPLICATE_EXTERNAL_ID": duplicate,
	"PIX_TRANSACTION_LIMIT_EXCEEDED": overTransaction, "PIX_DAILY_LIMIT_EXCEEDED": overDaily, "PIX_NIGHT_LIMIT_EXCEEDED": overNight,
}

// rejections are the statuses with which operations reject a request for such a reason.
var rejections = map[string][]int{"cash-out": {400}, "QR cash-out": {400}, "transfer": {400, 422}, "refund": {400, 409, 422}}

func outcomeOf(t *record.Attempt) outcome {
	reason, coded := reasons[t.Code()]
	switch {
	case t.Accepted():
		return wasAccepted
	case !refused(t):
		return unclear
	case t.Status == http.StatusConflict, t.Status == http.StatusTooManyRequests, t.Status == http.StatusLocked:
		return turnedAway
	case t.Op.Noun == "cash-out" && t.Status == http.StatusBadRequest && coded:
		return reason
	case slices.Contains(rejections[t.Op.Noun], t.Status):
		return anyReason
	}
	return noReason
}

// culprit is the request without which the others are possible; the last one if there is none.
func (b burstOf) culprit() *record.Attempt {
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
			code = strings.TrimRight(" "+t.Code(), " ")
		}
		all = append(all, fmt.Sprintf("%s of %v: %d%s", t.Op.Noun, amount, t.Status, code))
	}
	return strings.Join(all, "; ")
}
