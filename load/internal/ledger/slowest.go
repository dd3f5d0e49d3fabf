package ledger

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// mostSlow is how many of the slowest payments are kept.
const mostSlow = 100

// slowest keeps the payments with the longest latencies, the longest first.
type slowest struct {
	least    atomic.Int64 // what a payment must exceed to be kept; 0: anything
	mu       sync.Mutex
	payments []slow
}

type slow struct {
	Payment
	took time.Duration
}

// Took records how long a successful response took from the intended start.
func (l *Ledger) Took(p Payment, took time.Duration) {
	s := &l.slowest
	if int64(took) <= s.least.Load() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at, _ := slices.BinarySearchFunc(s.payments, took, func(p slow, took time.Duration) int { return int(took - p.took) })
	s.payments = slices.Insert(s.payments, at, slow{p, took})
	if len(s.payments) >= mostSlow {
		s.payments = s.payments[:mostSlow]
		s.least.Store(int64(s.payments[mostSlow-1].took))
	}
}

func (s *slowest) examples() (all []Example) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.payments {
		all = append(all, Example{Sort: "payments_slow", Payment: spell(p.ID, p.Kind), Account: p.Account, At: p.Sent,
			Detail: p.took.Round(time.Microsecond).String() + " from the intended start to the response"})
	}
	return all
}
