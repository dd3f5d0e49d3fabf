package module

import (
	"maps"
	"slices"
	"sync"
	"time"

	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/lib"
)

// slots tells when the iterations of a scenario with one of k6's own arrival-rate executors
// were due.
//
// k6 numbers the iterations that it starts, and drops those for which no virtual user is free
// without numbering them. So each dropped one makes the numbers of all later ones too low by
// one, and by its number an iteration seems late that began on time. k6 reports drops only as a
// metric, some time later. But it drops exactly what comes due while all virtual users of the
// scenario are busy, and that shows in when their iterations start and end.
type slots struct {
	stalled func(from, to time.Time) time.Duration // of this process

	mu      sync.Mutex
	due     func(slot uint64) (time.Time, bool)
	planned int                 // virtual users that are there from the start
	seen    map[uint64]struct{} // virtual users that have begun an iteration, by id
	busy    map[uint64]time.Time
	asleep  []sleeper // in the order in which they wake
	full    time.Time // since when all are busy; zero: one is free
	next    uint64    // number of the next iteration, without those that were dropped
	dropped uint64
	doubt   uint64 // more that may have been dropped: they came due while this process stalled
}

// sleeper is a virtual user that k6's minIterationDuration keeps busy after its iteration.
type sleeper struct {
	user  uint64
	until time.Time
}

// start is when the iteration with a number was due that a virtual user begins now.
func (s *slots) start(user, number uint64, now time.Time) (due time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake(now)
	if due, begun := s.busy[user]; begun { // another gateway of this virtual user said so
		return due
	}
	s.seen[user] = struct{}{}
	s.free(now) // this one was
	s.settle(number, now)
	for at, ok := s.due(number + s.dropped); s.dropped > 0 && (!ok || at.After(now)); at, ok = s.due(number + s.dropped) {
		s.dropped-- // none begins before it is due
	}
	due, _ = s.due(number + s.dropped)
	s.busy[user], s.next = due, max(s.next, number+1)
	if len(s.busy) >= max(s.planned, len(s.seen)) {
		s.full = now
	}
	return due
}

// end says that an iteration is over, and until when its virtual user is still busy.
func (s *slots) end(user uint64, now, until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if until.Before(now) {
		until = now
	}
	at, _ := slices.BinarySearchFunc(s.asleep, until, func(a sleeper, until time.Time) int { return a.until.Compare(until) })
	s.asleep = slices.Insert(s.asleep, at, sleeper{user, until})
	s.wake(now)
}

// wake frees the virtual users that are no longer asleep: the first of them ended that all were busy.
func (s *slots) wake(now time.Time) {
	if len(s.asleep) == 0 || s.asleep[0].until.After(now) {
		return
	}
	s.free(s.asleep[0].until)
	for len(s.asleep) > 0 && !s.asleep[0].until.After(now) {
		delete(s.busy, s.asleep[0].user)
		s.asleep = s.asleep[1:]
	}
}

// free counts what was dropped until now, when a virtual user is free: all that came due while
// none was. What came due while this process stalled is in doubt: k6 drops it, or starts it
// late, depending on what happens first after the stall.
func (s *slots) free(now time.Time) {
	if s.full.IsZero() {
		return
	}
	until := now.Add(-s.stalled(s.full, now))
	s.full, s.doubt = time.Time{}, 0
	for {
		switch at, ok := s.due(s.next + s.dropped + s.doubt); {
		case !ok || at.After(now):
			return
		case at.After(until):
			s.doubt++
		default:
			s.dropped++
		}
	}
}

// settle decides what is in doubt when an iteration begins after the stall: it is of the last
// slot that is due, so those before it were dropped. During a stall, it may be of any.
func (s *slots) settle(number uint64, now time.Time) {
	for ; s.doubt > 0; s.doubt-- {
		at, ok := s.due(number + s.dropped + s.doubt)
		if !ok || at.After(now) {
			continue
		}
		if s.stalled(at, now) == 0 {
			s.dropped, s.doubt = s.dropped+s.doubt, 0
		}
		return
	}
}

// scenarios are those of k6's own arrival-rate executors, by name.
type scenarios struct {
	stalled func(from, to time.Time) time.Duration

	mu sync.Mutex
	of map[string]*slots
}

// slots are those of the scenario that a virtual user's iteration is of; nil: its executor is
// another.
func (s *scenarios) slots(vu modules.VU) *slots {
	scenario, execution := lib.GetScenarioState(vu.Context()), lib.GetExecutionState(vu.Context())
	if scenario == nil || execution == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.of[scenario.Name]
	if ok {
		return known
	}
	config := vu.State().Options.Scenarios[scenario.Name]
	if c, ok := config.(interface {
		GetPreAllocatedVUs(*lib.ExecutionTuple) int64
	}); ok { // of k6's own arrival-rate executors
		schedule := newSchedule(config)
		all := ofAll(execution.ExecutionTuple)
		known = &slots{
			stalled: s.stalled, seen: map[uint64]struct{}{}, busy: map[uint64]time.Time{},
			planned: int(c.GetPreAllocatedVUs(execution.ExecutionTuple)),
			due: func(slot uint64) (time.Time, bool) {
				after, ok := schedule(all(slot))
				return scenario.StartTime.Add(after), ok
			},
		}
	}
	s.of[scenario.Name] = known
	return known
}

// ofAll returns the number among the slots of all instances for one of this instance's own.
func ofAll(tuple *lib.ExecutionTuple) func(own uint64) uint64 {
	first, steps, cycle := tuple.GetStripedOffsets()
	within := []uint64{uint64(first)}
	for _, step := range steps[:len(steps)-1] {
		within = append(within, within[len(within)-1]+uint64(step))
	}
	return func(own uint64) uint64 {
		n := uint64(len(within))
		return own/n*uint64(cycle) + within[own%n]
	}
}

// short are the scenarios that had no free virtual user when an iteration was due.
func (s *scenarios) short() (names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(s.of)) {
		if of := s.of[name]; of != nil && of.lost() {
			names = append(names, name)
		}
	}
	return names
}

// lost says whether an iteration was dropped.
func (s *slots) lost() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake(time.Now())
	return s.dropped > 0
}
