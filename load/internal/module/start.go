package module

import (
	"sync/atomic"
	"time"

	"go.k6.io/k6/v2/js/modules"
)

// start records when a virtual user's iteration began: the time that a script takes before
// its first call does not count as lateness of the generator. With k6's own arrival-rate
// executors, it also records when the iteration was due.
type start struct {
	base   time.Time
	begun  atomic.Int64 // ns since base; 0: none yet
	wanted atomic.Int64 // ns since base; 0: at no particular time
	forget func()       // stops listening, and waits until that is done
}

// listen follows the iterations of one virtual user, which waits until each event is
// handled. This costs some 2 µs per event.
func listen(vu modules.VU, all *scenarios) *start {
	s := &start{base: time.Now()}
	local := vu.Events().Local
	id, received := local.Subscribe(iterStart, iterEnd)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		var of *slots // of the iteration
		for e := range received {
			now := time.Now()
			switch e.Type {
			case iterStart:
				of = all.slots(vu)
				s.begin(vu, of, now)
			case iterEnd:
				if of != nil {
					least := vu.State().Options.MinIterationDuration.TimeDuration() // k6 sleeps after the event
					of.end(vu.State().VUID, now, s.base.Add(time.Duration(s.begun.Load())+least))
				}
			}
			e.Done()
		}
	}()
	s.forget = func() {
		local.Unsubscribe(id)
		<-ended
	}
	return s
}

func (s *start) begin(vu modules.VU, of *slots, now time.Time) {
	s.begun.Store(max(int64(now.Sub(s.base)), 1))
	s.wanted.Store(0)
	if of == nil {
		return
	}
	state := vu.State()
	if due := of.start(state.VUID, state.GetScenarioLocalVUIter(), now); !due.IsZero() {
		s.wanted.Store(int64(due.Sub(s.base)))
	}
}

// due is when one of k6's own arrival-rate executors intended the iteration to start; false if
// it is of another.
func (s *start) due() (time.Time, bool) {
	wanted := s.wanted.Load()
	return s.base.Add(time.Duration(wanted)), wanted != 0
}

// at is when the iteration began; false in setup and teardown.
func (s *start) at() (time.Time, bool) {
	begun := s.begun.Load()
	return s.base.Add(time.Duration(begun)), begun != 0
}
