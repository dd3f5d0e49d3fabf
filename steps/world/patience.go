package world

import (
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// What a gateway never does, every scenario would wait for to its own deadline, four times. So once the run has waited to
// the deadline in vain a few times, scenarios wait only as long as such a thing usually takes:
//
//   - The rest of the patience for an event passes while other scenarios run: see CameLate.
//   - A balance or a list that is wrong so soon proves nothing alone. The scenario runs again, and fails if it is wrong
//     each time.
//
// The same holds for what steps of the further attempts at a scenario wait for that has proven a failure. Balances are
// waited for to be explained as ever: the audit of money depends on that.

// mostPatience is how many times the profile's deadline an event is waited for at most.
const mostPatience = 8

// enoughInVain is how many things must have been waited for in vain before scenarios wait briefly. What is usual is
// usualTimes as long as the slowest so far.
const (
	enoughInVain = 5
	usualTimes   = 4
	leastEvent   = 300 * time.Millisecond
	leastLook    = time.Second // lists and balances may come from replicas
)

// inVain counts the looks that waited to their deadline in vain. The zero value is ready to use.
type inVain struct {
	mu      sync.Mutex
	looks   map[judge.Subject]int
	slowest map[judge.Subject]time.Duration // of the looks that did not wait in vain
}

func (v *inVain) add(at judge.Subject) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.looks == nil {
		v.looks = map[judge.Subject]int{}
	}
	v.looks[at]++
}

func (v *inVain) took(at judge.Subject, d time.Duration) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.slowest == nil {
		v.slowest = map[judge.Subject]time.Duration{}
	}
	v.slowest[at] = max(v.slowest[at], d)
}

// usually is how long what a look shows takes at most, as far as is known, and whether enough was waited for in vain.
func (v *inVain) usually(at judge.Subject) (time.Duration, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return max(leastLook, usualTimes*v.slowest[at]), v.looks[at] >= enoughInVain
}

// inPlace is how long the scenario itself waits for what a look shows.
func (w *World) inPlace(l *judge.Look) time.Duration {
	usually, isInVain := w.inVain.usually(l.At)
	switch l.At {
	case judge.Silence:
		return l.Patience
	case judge.Deliveries:
		isOwn := w.ownURLs() != "" && len(w.Accounts) == 0 // later scenarios must not get what this one misses
		if !isOwn || w.patience.Load() > 0 || !isInVain && !w.Proven && !w.Judge.HasUnreadable() {
			return l.Patience
		}
		return min(l.Patience, w.eventUsually())
	}
	if isInVain || w.Proven {
		return min(l.Patience, max(usually, w.MostLag()))
	}
	return l.Patience
}

// eventUsually is how long events of the target take at most, as far as is known.
func (w *World) eventUsually() time.Duration {
	return max(leastEvent, usualTimes*w.Latencies.Summary(0).Slowest)
}

// vainly notes that a step does not hold although it has waited for what a look shows since then.
func (w *World) vainly(r judge.Result, since time.Time, patience time.Duration) judge.Result {
	isBrief := r.Look.Patience < patience
	switch {
	case r.Verdict != verdict.Fail:
	case Misses(r):
		w.overdue = since.Add(patience)
	case isBrief:
		r.Unproven, w.Record.Unproven = true, true
	}
	if !isBrief && r.Verdict == verdict.Fail {
		w.inVain.add(r.Look.At)
	}
	return r
}

// Overdue is when the event that the scenario missed will have had all the time that it may take.
func (w *World) Overdue() time.Time { return w.overdue }

func (s *Stage) needPatience(d time.Duration) {
	for {
		now := s.patience.Load()
		if int64(d) <= now || s.patience.CompareAndSwap(now, int64(d)) {
			return
		}
	}
}

// terms are those of the run, with the patience that its events have turned out to need.
func (s *Stage) terms() *record.Terms {
	needed := min(time.Duration(s.patience.Load()), mostPatience*s.Terms.Deadlines.Webhook)
	if needed <= s.Terms.Deadlines.Webhook {
		return s.Terms
	}
	terms := *s.Terms
	terms.Deadlines.Webhook = needed
	return &terms
}
