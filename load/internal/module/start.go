package module

import (
	"sync/atomic"
	"time"

	"go.k6.io/k6/v2/js/common"
)

// start records when a virtual user's iteration began: the time that a script takes before
// its first call does not count as lateness of the generator.
type start struct {
	base   time.Time
	begun  atomic.Int64 // ns since base; 0: none yet
	forget func()       // stops listening, and waits until that is done
}

// listen follows the iterations of one virtual user, which waits until each event is
// handled. This costs some 2 µs per iteration.
func listen(events common.Events) *start {
	s := &start{base: time.Now()}
	id, received := events.Local.Subscribe(iterStart)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for e := range received {
			s.begun.Store(max(int64(time.Since(s.base)), 1))
			e.Done()
		}
	}()
	s.forget = func() {
		events.Local.Unsubscribe(id)
		<-ended
	}
	return s
}

// at is when the iteration began; false in setup and teardown.
func (s *start) at() (time.Time, bool) {
	begun := s.begun.Load()
	return s.base.Add(time.Duration(begun)), begun != 0
}
