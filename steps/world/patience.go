package world

import (
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// What a gateway never does, every scenario would wait for to its own deadline, four times. So only a few waits of each
// kind go on to the deadline. The others end when such a thing has usually come:
//
//   - The rest of the patience for an event passes while other scenarios run: see CameLate.
//   - A balance or a list that is wrong so soon proves nothing alone. The scenario runs again, and fails if it is wrong
//     each time.
//
// The same holds for what steps of the further attempts at a scenario wait for that has proven a failure.

// mostPatience is how many times the profile's deadline an event is waited for at most.
const mostPatience = 8

// maxLongWaits is how many waits of a kind last longer than usual: those that go on, and those that were in vain. What is
// usual is usualTimes as long as the slowest so far.
const (
	maxLongWaits = 5
	usualTimes   = 4
	leastEvent   = 300 * time.Millisecond
	leastLook    = time.Second // lists and balances may come from replicas
)

// Before a step, and at the end of a scenario, the balance is waited for.
const (
	explained judge.Subject = "explained balance"
	returned  judge.Subject = "returned money"
	audited   judge.Subject = "audited balance"
)

// lookWaits are the waits of a run for what looks show. The zero value is ready to use.
type lookWaits struct {
	mu sync.Mutex
	of map[judge.Subject]*kindOfWait
}

type kindOfWait struct {
	long    int           // that go on, longer than usual
	inVain  int           // that went on to the deadline
	slowest time.Duration // of those that were not in vain
}

// lookWait is one of them.
type lookWait struct {
	all       *lookWaits
	kind      *kindOfWait
	dependsOn *kindOfWait // if those were in vain, so is this
	began     time.Time
	looked    time.Time // when the first look had its response; zero for none: until then, nothing lags
	isLong    bool
}

func (v *lookWaits) begin(at judge.Subject) *lookWait {
	v.mu.Lock()
	defer v.mu.Unlock()
	wait := &lookWait{all: v, kind: v.kind(at), began: time.Now()}
	wait.dependsOn = wait.kind
	if at == judge.Balance || at == returned {
		wait.dependsOn = v.kind(explained)
	}
	return wait
}

// kind returns what is known of the waits of a kind. The caller holds mu.
func (v *lookWaits) kind(at judge.Subject) *kindOfWait {
	if v.of == nil {
		v.of = map[judge.Subject]*kindOfWait{}
	}
	if v.of[at] == nil {
		v.of[at] = &kindOfWait{}
	}
	return v.of[at]
}

// usually is how long such a wait takes at most, as far as is known.
func (l *lookWait) usually() time.Duration {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	return max(leastLook, usualTimes*l.kind.slowest)
}

// mayBeLong reports whether the wait may go on longer than usual. If so, end must end it.
func (l *lookWait) mayBeLong() bool {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	if !l.isLong && l.kind.long+l.kind.inVain < maxLongWaits && l.dependsOn.inVain < maxLongWaits {
		l.isLong = true
		l.kind.long++
	}
	return l.isLong
}

// isHopeless reports whether enough waits of the kind went on to the deadline in vain.
func (l *lookWait) isHopeless() bool {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	return max(l.kind.inVain, l.dependsOn.inVain) >= maxLongWaits
}

// hasLooked notes that the first look has its response.
func (l *lookWait) hasLooked() {
	if l.looked.IsZero() {
		l.looked = time.Now()
	}
}

// until returns how long to wait: as usual after the first response, and then to the deadline if the wait may be long.
func (l *lookWait) until(usually, deadline time.Duration) time.Duration {
	if !l.looked.IsZero() {
		usually += l.looked.Sub(l.began)
	}
	if usually >= deadline || time.Since(l.began) >= usually && l.mayBeLong() {
		return deadline
	}
	return usually
}

// end ends a wait. It does nothing to one that has ended, unless it was in vain.
func (l *lookWait) end(inVain bool) {
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	if l.isLong {
		l.kind.long--
		l.isLong = false
	}
	if inVain {
		l.kind.inVain++
	}
}

// found ends a wait that was not in vain.
func (l *lookWait) found() {
	l.end(false)
	if l.looked.IsZero() {
		return
	}
	l.all.mu.Lock()
	defer l.all.mu.Unlock()
	l.kind.slowest = max(l.kind.slowest, time.Since(l.looked))
}

// inPlace is how long the scenario itself waits for what a look shows. Only a failure can be judged again in a further
// attempt, so that only that is waited for briefly.
func (w *World) inPlace(r judge.Result, wait *lookWait) time.Duration {
	l := r.Look
	isOwn := w.ownURLs() != "" && len(w.Accounts) == 0 // later scenarios must not get what this one misses
	switch isEvent := l.At == judge.Deliveries; {
	case l.At == judge.Silence, isEvent && (!isOwn || w.patience.Load() > 0):
		return l.Patience
	case isEvent && (w.Proven || w.Judge.HasUnreadable()):
		return min(l.Patience, w.eventUsually())
	case r.Verdict != verdict.Fail:
		return l.Patience
	case isEvent:
		return wait.until(w.eventUsually(), l.Patience)
	}
	return w.patienceOf(l, wait)
}

// patienceOf is how long to wait for a balance or a list.
func (w *World) patienceOf(l *judge.Look, wait *lookWait) time.Duration {
	usually := max(wait.usually(), w.MostLag())
	if w.Proven {
		return min(l.Patience, usually)
	}
	return wait.until(usually, l.Patience)
}

// eventUsually is how long events of the target take at most, as far as is known.
func (w *World) eventUsually() time.Duration {
	return max(leastEvent, usualTimes*w.Latencies.Summary(0).Slowest)
}

// vainly notes that a step does not hold although it has waited for what a look shows.
func (w *World) vainly(r judge.Result, wait *lookWait, patience time.Duration) judge.Result {
	isBrief := r.Look.Patience < patience
	switch {
	case r.Verdict != verdict.Fail:
	case Misses(r):
		w.overdue = wait.began.Add(patience)
	case isBrief:
		r = w.unproven(r)
	}
	wait.end(!isBrief && r.Verdict == verdict.Fail)
	return r
}

// unproven is a result that may be wrong because too little was waited for.
func (w *World) unproven(r judge.Result) judge.Result {
	r.Unproven, w.Record.Unproven = true, true
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
