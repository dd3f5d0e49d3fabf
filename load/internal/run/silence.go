package run

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/pixcert/pixcert/load/internal/result"
)

// silences notes times in which several requests waited, and none got a response.
type silences struct {
	stalled func(from, to time.Time) time.Duration // of this process

	mu      sync.Mutex
	waiting int64
	heard   time.Time // the last response, or when a second request began to wait
	all     []result.Silence
}

const (
	shortestSilence = time.Second
	mostSilences    = 100 // the longest are kept
)

// wait counts a request that waits for its response.
func (s *silences) wait(now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting <= 1 { // one that waits alone may be slow
		s.heard = now
	}
	s.waiting++
}

// hear ends the silence before a response. It counts unless the request failed, or this process stalled.
func (s *silences) hear(at time.Time, failed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	length := at.Sub(s.heard)
	if !failed && s.waiting >= 2 && length >= shortestSilence && length-s.stalled(s.heard, at) >= shortestSilence {
		s.all = append(s.all, result.Silence{From: s.heard.UTC(), To: at.UTC(), Requests: s.waiting})
		if len(s.all) > mostSilences {
			shortest := slices.MinFunc(s.all, func(a, b result.Silence) int { return cmp.Compare(a.Length(), b.Length()) })
			s.all = slices.DeleteFunc(s.all, func(b result.Silence) bool { return b.From.Equal(shortest.From) })
		}
	}
	s.waiting--
	if at.After(s.heard) {
		s.heard = at
	}
}

// unusual is how many times longer than the median latency a silence is: a gateway may always take seconds.
const unusual = 5

// longer are the silences that are much longer than a latency in milliseconds.
func (s *silences) longer(than float64) []result.Silence {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.all), func(b result.Silence) bool { return float64(b.Length().Milliseconds()) <= unusual*than })
}
