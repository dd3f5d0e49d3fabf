package world

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/wording"
)

// safeMinute is surely a minute at the gateway, too, whose clock and network may be slower.
const safeMinute = 70 * time.Second

// sharedLimit paces the resends of a run. Whether a gateway counts them for each account, or for a client who may
// have many, is left open, as is whether it counts those that it refuses. Once it may count them together, no more
// are sent in a minute than it certainly accepts. The zero value is ready to use.
type sharedLimit struct {
	minute time.Duration // in tests; 0 for safeMinute

	mu       sync.Mutex
	sent     []sentResend // in the last minute
	accepted []time.Time  // of those
	queue    []*turn
	together bool            // one was refused that may have been refused for those of other accounts
	apart    bool            // more were accepted than together could have been
	tooFew   map[period]bool // in which an account was alone, and had fewer than it must have
}

// turn is what waits to be sent: some resends at once, alone if nothing else may be in their minute.
type turn struct {
	resends  int
	alone    bool
	realTime bool // it waits for what its account sent before its clock moved
	of       period
}

// period is a time in which the resends of an account count together: since a step that moved its clock.
type period struct {
	account *actor
	since   int
}

type sentResend struct {
	at time.Time
	of period
}

// await waits until the resends of a turn may be sent, and calls waits once if it has to.
func (l *sharedLimit) await(ctx context.Context, t *turn, waits func(paced bool)) error {
	l.locked(func() { l.queue = append(l.queue, t) })
	defer l.locked(func() { l.queue = slices.DeleteFunc(l.queue, func(other *turn) bool { return other == t }) })
	for said := false; ; {
		admitted, paced := false, false
		l.locked(func() { admitted, paced = l.admit(t), l.isPaced() })
		switch {
		case admitted:
			return nil
		case !said:
			waits(paced)
			said = true
		}
		if err := sleep(ctx, pollEvery); err != nil {
			return err
		}
	}
}

func (l *sharedLimit) admit(t *turn) bool {
	now := time.Now()
	l.sent = slices.DeleteFunc(l.sent, func(s sentResend) bool { return s.at.Before(now.Add(-l.lasts())) })
	fits := len(l.sent) == 0 || len(l.sent)+t.resends <= api.RequestsPerMinute
	if t.alone { // these come last, one after the other: no other can be in their minutes
		isLast := l.queue[0] == t && !slices.ContainsFunc(l.queue, func(other *turn) bool { return !other.alone })
		fits = !l.hasOthers(t) && (isLast || len(l.sent) > 0)
	}
	if l.isPaced() && !fits || t.realTime && l.hasEarlier(t) {
		return false
	}
	for range t.resends {
		l.sent = append(l.sent, sentResend{now, t.of})
	}
	return true
}

func (l *sharedLimit) lasts() time.Duration { return cmp.Or(l.minute, safeMinute) }

// hasEarlier reports whether resends of the same account were sent in the last minute, but before its clock moved: a
// gateway may count in real time. The caller holds the lock.
func (l *sharedLimit) hasEarlier(t *turn) bool {
	return slices.ContainsFunc(l.sent, func(s sentResend) bool { return s.of.account == t.of.account && s.of != t.of })
}

// hasOthers reports whether resends of another period were sent in the last minute. The caller holds the lock.
func (l *sharedLimit) hasOthers(t *turn) bool {
	return slices.ContainsFunc(l.sent, func(s sentResend) bool { return s.of != t.of })
}

// isKnown reports whether it is known that the resends of other accounts explain no refusal: they count apart, or an
// account alone has too few. That has to show twice in a row, since another run may disturb one minute. The caller
// holds the lock.
func (l *sharedLimit) isKnown() bool { return l.apart || len(l.tooFew) > 1 }

// isPaced reports whether no more are sent in a minute than all accounts together may have. The caller holds the lock.
func (l *sharedLimit) isPaced() bool { return l.together && !l.isKnown() }

// isUndecided reports whether nothing has shown yet how the gateway counts, in which minutes and for whom.
func (l *sharedLimit) isUndecided(t *turn) (is bool) {
	l.locked(func() { is = !l.together && !l.isKnown() || l.hasEarlier(t) })
	return is
}

// isAlone reports whether no others were sent in the last minute, until now.
func (l *sharedLimit) isAlone(t *turn) (alone bool) {
	l.locked(func() { alone = !l.hasOthers(t) })
	return alone
}

// noteTooFew notes that an account was alone, and had fewer than it must have. It reports whether that is sure.
func (l *sharedLimit) noteTooFew(of period) (sure bool) {
	l.locked(func() {
		if l.tooFew == nil {
			l.tooFew = map[period]bool{}
		}
		l.tooFew[of] = true
		sure = l.isKnown()
	})
	return sure
}

// noteEnough notes that an account that was alone had as many as it must have: what had too few was disturbed, unless a
// clock was moved before one, but not before the other.
func (l *sharedLimit) noteEnough(t *turn) {
	l.locked(func() {
		if !l.hasOthers(t) {
			maps.DeleteFunc(l.tooFew, func(p period, _ bool) bool { return p.since == t.of.since })
		}
	})
}

// mayExplain reports whether a refusal may be due to the resends of other accounts: with those there are more in its
// minute, itself included, than most, which a client may have. From now on, they are paced.
func (l *sharedLimit) mayExplain(refused exchange.Exchange, most int) (may bool) {
	l.locked(func() {
		inMinute, periods := 0, map[period]bool{}
		for _, s := range l.sent {
			if !s.at.Before(refused.Sent.Add(-l.lasts())) {
				inMinute++
				periods[s.of] = true
			}
		}
		may = !l.isKnown() && inMinute > most && len(periods) > 1
		l.together = l.together || may
	})
	return may
}

// accept notes an accepted resend of an account whose clock was not moved. Two minutes of a gateway that counts all
// together can touch, and each has one more at most.
func (l *sharedLimit) accept(e exchange.Exchange) {
	l.locked(func() {
		l.accepted = since(time.Now().Add(-time.Minute), append(l.accepted, e.Sent))
		l.apart = l.apart || len(l.accepted) > 2*(api.RequestsPerMinute+1)
	})
}

func (l *sharedLimit) locked(do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	do()
}

// since returns those of the times that are not before begin. It overwrites them.
func since(begin time.Time, all []time.Time) []time.Time {
	return slices.DeleteFunc(all, func(at time.Time) bool { return at.Before(begin) })
}

// isResend: only these have a limit that accounts may share.
func (r *request) isResend() bool { return r.op.ID == "resendWebhook" }

// exchange sends a prepared request.
func (r *request) exchange(ctx context.Context, prepared target.Request) exchange.Exchange {
	w := r.actor.w
	e := w.Target.Client.Send(ctx, prepared)
	if r.isResend() && r.op.IsSuccess(e.Status) && r.actor.ahead == 0 {
		w.resends.accept(e)
	}
	return e
}

// sayWaits says, once in a run for each reason, why it takes so long.
func (s *Stage) sayWaits(paced bool) {
	why := "a minute between the resends of an account, since the gateway may not count them by its clock"
	if paced {
		why = fmt.Sprintf("resends, at most %d a minute, since the gateway may count those of all accounts together", api.RequestsPerMinute)
	}
	if s.Waiting != nil && s.once(why) {
		s.Waiting(why)
	}
}

// isThrottled: a request was refused for those before it, in a scenario that is not about that. How many MED lists
// are accepted in a minute is left open; on an account of the profile, earlier scenarios have used some.
func (r *request) isThrottled(e exchange.Exchange) bool {
	w := r.actor.w
	switch {
	case e.Status != http.StatusTooManyRequests:
		return false
	case r.isResend():
		return !w.Throttled && (r.actor.fixed != nil || w.resends.mayExplain(e, api.RequestsPerMinute))
	}
	return r.op.ID == "listMeds" && r.role != record.Watched // that is not worth waiting for
}

// liftRequests lifts the limit of requests of the account, in a scenario that is not about it, if the target has a
// control for that. Otherwise a low limit of MED lists would make every scenario that reads some wait for minutes.
func (r *request) liftRequests(ctx context.Context) (isLifted bool, err error) {
	w := r.actor.w
	if r.isResend() || w.Throttled || w.SetsLimits || !w.Usable[target.LimitsControl] {
		return false, nil
	}
	var none *int
	return true, w.controls().SetLimits(ctx, r.actor.id, target.Limits{RequestsPerMinute: &none})
}

// sayThrottled says, once in a run, that requests wait because the target returns 429 to an operation.
func (s *Stage) sayThrottled(op *api.Operation) {
	if s.Waiting != nil && s.once("429") {
		s.Waiting(fmt.Sprintf("a %s, to which the target returns 429; raise its limit, or add the test control limits", op.Noun))
	}
}

// awaitTurn waits until so many requests may be sent at once. In a scenario about how many are accepted, they may
// have to be alone. It returns nil for what needs no turn.
func (r *request) awaitTurn(ctx context.Context, n int) (*turn, error) {
	if !r.isResend() || r.actor.fixed != nil {
		return nil, nil
	}
	_, from := perMinute(r.actor.w)
	t := &turn{n, r.actor.w.Throttled, r.actor.w.RealTime, period{r.actor, from}}
	return t, r.actor.w.resends.await(ctx, t, r.actor.w.sayWaits)
}

// crowded returns an obstacle if a scenario about how many resends are accepted cannot tell yet: fewer were than its
// account has, and those of other scenarios, or of an earlier run, may be the reason. It is repeated: at first as it
// is, since by then others may have shown how the gateway counts, later alone.
func (r *request) crowded(t *turn, answers ...exchange.Exchange) error {
	w := r.actor.w
	if !w.Throttled || t == nil {
		return nil
	}
	refused := slices.DeleteFunc(slices.Clone(answers), func(e exchange.Exchange) bool { return e.Status != http.StatusTooManyRequests })
	least, from := perMinute(w)
	accepted, used := spent(r, from)
	for _, e := range answers {
		if r.op.IsSuccess(e.Status) {
			accepted++
		}
	}
	used += len(answers) - len(refused)
	switch {
	case accepted >= least && least == api.RequestsPerMinute:
		w.resends.noteEnough(t)
		return nil
	case len(refused) == 0 || accepted >= least:
		return nil
	case !w.RealTime && w.resends.isUndecided(t):
		if used < least && least == api.RequestsPerMinute && w.resends.isAlone(t) {
			w.resends.noteTooFew(t.of) // so that one more minute shows it
		}
	case w.resends.isAlone(t):
		if used >= least || least < api.RequestsPerMinute || w.resends.noteTooFew(t.of) {
			return nil
		}
	case !slices.ContainsFunc(refused, func(e exchange.Exchange) bool { return w.resends.mayExplain(e, least) }):
		return nil
	}
	return &record.Obstacle{
		Kind: record.Unable, Exchange: -1, Spoils: true,
		Reason: fmt.Sprintf("%d of %s returned 429, possibly because the gateway counts all accounts together", len(refused), wording.Count(len(answers), "resend")),
	}
}

// spent counts the recorded resends of the scenario's account since a step: those that were accepted, and all that
// were not refused for their number.
func spent(r *request, from int) (accepted, used int) {
	for _, t := range r.actor.w.Judge.Attempts {
		if t.Op != r.op || t.Account != r.actor.which || t.Step < from || t.IsThrottled() {
			continue
		}
		used++
		if t.Accepted() {
			accepted++
		}
	}
	return accepted, used
}

// perMinute is how many resends the scenario's account has at least, and the step since which its minute lasts.
func perMinute(w *World) (least, from int) {
	least = api.RequestsPerMinute
	for i, step := range w.Steps[:w.step] {
		switch m := step.Meaning.(type) {
		case language.LimitRequests:
			least = m.PerMinute
		case language.PassTime:
			from = i
		}
	}
	return least, from
}

// sendsResends reports whether a scenario may have to wait for its turn.
func (s Script) sendsResends() bool {
	return slices.ContainsFunc(s.Steps, func(step language.Step) bool {
		return slices.ContainsFunc(step.Effects.Requests, func(op *api.Operation) bool { return op.ID == "resendWebhook" })
	})
}
