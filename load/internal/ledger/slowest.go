package ledger

import (
	"cmp"
	"slices"
	"time"
)

// mostSlow is how many of the slowest payments are kept.
const mostSlow = 100

// Took records how long a successful response took from the intended start.
func (l *Ledger) Took(p Payment, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, _ := slices.BinarySearchFunc(l.slowest, took.Seconds(), func(e Example, took float64) int { return cmp.Compare(took, e.Took) })
	if at < mostSlow {
		l.slowest = slices.Insert(l.slowest, at, Example{Sort: "payments_slow", Payment: spell(p.ID, p.Kind), Account: p.Account, At: p.Sent,
			Took: took.Seconds(), Detail: "from the intended start to the response"})
		l.slowest = l.slowest[:min(len(l.slowest), mostSlow)]
	}
}
