package world

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/wording"
)

// RequestsPerMinute is how many resends, and MED lists, are accepted in a minute at least (Limits, rate limit).
const RequestsPerMinute = 60

// resends are those of a run, on all its accounts. Whether a gateway counts them for each account, or for a client
// who may have many, is left open. The zero value is ready to use.
type resends struct {
	mu       sync.Mutex
	sent     []time.Time // in the last minute, and not refused for those before
	together atomic.Bool // they count together: an account's first was refused, after those of others
}

// send sends one. A gateway may count it whatever comes of it, unless it is refused for those before.
func (all *resends) send(do func() exchange.Exchange) exchange.Exchange {
	began := time.Now()
	all.mu.Lock()
	all.sent = append(slices.DeleteFunc(all.sent, isOld), began)
	all.mu.Unlock()
	e := do()
	if e.Status == http.StatusTooManyRequests {
		all.mu.Lock()
		defer all.mu.Unlock()
		if i := slices.Index(all.sent, began); i >= 0 {
			all.sent = slices.Delete(all.sent, i, i+1)
		}
	}
	return e
}

func isOld(at time.Time) bool { return time.Since(at) > time.Minute }

// mayBeUsedUp reports whether so many were sent in the last minute that a client may have no more.
func (all *resends) mayBeUsedUp() bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.sent = slices.DeleteFunc(all.sent, isOld)
	return len(all.sent) >= RequestsPerMinute
}

// exchange sends a prepared request.
func (r *request) exchange(ctx context.Context, prepared target.Request) exchange.Exchange {
	w := r.actor.w
	if r.op.ID != "resendWebhook" {
		return w.Target.Client.Send(ctx, prepared)
	}
	return w.resends.send(func() exchange.Exchange { return w.Target.Client.Send(ctx, prepared) })
}

// isThrottled: a request was refused for those before it, in a scenario that is not about that. How many MED lists
// are accepted in a minute is left open, as is whether the resends of all accounts count together; on an account
// of the profile, earlier scenarios have used some.
func (r *request) isThrottled(e exchange.Exchange) bool {
	w := r.actor.w
	switch {
	case e.Status != http.StatusTooManyRequests:
		return false
	case r.op.ID == "resendWebhook":
		return !w.Throttled && (r.actor.fixed != nil || r.isOthersUse(0))
	}
	return r.op.ID == "listMeds"
}

// isOthersUse reports whether the resends of other accounts may be why one was refused, beside so many of the same
// account that were not. If it is the account's first, they are.
func (r *request) isOthersUse(beside int) bool {
	w := r.actor.w
	if !w.resends.mayBeUsedUp() {
		return false
	}
	if r.ownUse(0)+beside == 0 {
		w.resends.together.Store(true)
	}
	return true
}

// ownUse is the number of resends of the scenario's account since a step that were not refused for those before.
func (r *request) ownUse(since int) (n int) {
	for _, t := range r.actor.w.Judge.Attempts {
		if t.Op == r.op && t.Account == r.actor.which && !t.IsThrottled() && t.Step >= since {
			n++
		}
	}
	return n
}

// othersUse is why a scenario about how many resends are accepted cannot tell: it does not apply to a gateway that
// counts those of all accounts together. Where that is not known yet, the scenario is repeated once.
func (r *request) othersUse(answers ...exchange.Exchange) error {
	w := r.actor.w
	if r.op.ID != "resendWebhook" || !w.Throttled || r.actor.fixed != nil {
		return nil
	}
	refused := 0
	for _, e := range answers {
		if e.Status == http.StatusTooManyRequests {
			refused++
		}
	}
	beside := len(answers) - refused
	least, since := requestsPerMinute(w)
	if refused == 0 || r.ownUse(since)+beside >= least || !r.isOthersUse(beside) {
		return nil
	}
	got := fmt.Sprintf("429 for %d of %s, in a minute with those of other accounts", refused, wording.Count(len(answers), "resend"))
	switch {
	case w.resends.together.Load():
		return notOffered("a gateway that counts the resends of all accounts together: " + got)
	case w.Attempt == 0:
		return &record.Obstacle{Kind: record.Unable, Reason: got, Exchange: -1, Spoils: true}
	}
	return nil
}

// requestsPerMinute is how many requests the scenario's account has, and the step since which its minute lasts.
func requestsPerMinute(w *World) (least, since int) {
	least = RequestsPerMinute
	for i, step := range w.Steps[:w.step] {
		switch m := step.Meaning.(type) {
		case language.LimitRequests:
			least = m.PerMinute
		case language.PassTime:
			since = i
		}
	}
	return least, since
}
