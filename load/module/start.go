package module

import (
	"sync/atomic"
	"time"

	"go.k6.io/k6/v2/js/common"
)

// iterStart is k6's event that a virtual user begins an iteration, whose type is its own.
const iterStart = 4

// start is when a virtual user's iteration began: the time that a script takes before its
// first call is the script's, not the generator's lateness.
type start struct {
	base   time.Time
	begun  atomic.Int64 // ns since base; 0: none yet
	forget func()       // ends the listening, and waits for that
}

// listen follows the iterations of one virtual user, which waits each time until it was
// heard. That costs it some 2 µs an iteration.
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

// at is when the iteration began; false: it is none, but setup or teardown.
func (s *start) at() (time.Time, bool) {
	begun := s.begun.Load()
	return s.base.Add(time.Duration(begun)), begun != 0
}
