package ledger

import (
	"slices"
	"time"
)

// mostSlow is how many of the slowest payments are kept.
const mostSlow = 100

// slow is one of the payments with the longest latencies, which are kept with the longest first.
type slow struct {
	Payment
	took time.Duration
}

// Took records how long a successful response took from the intended start.
func (l *Ledger) Took(p Payment, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, _ := slices.BinarySearchFunc(l.slowest, took, func(p slow, took time.Duration) int { return int(took - p.took) })
	if at < mostSlow {
		l.slowest = slices.Insert(l.slowest, at, slow{p, took})
		l.slowest = l.slowest[:min(len(l.slowest), mostSlow)]
	}
}

func slowExamples(slowest []slow) (all []Example) {
	for _, p := range slowest {
		all = append(all, Example{Sort: "payments_slow", Payment: spell(p.ID, p.Kind), Account: p.Account, At: p.Sent,
			Took: p.took.Seconds(), Detail: "from the intended start to the response"})
	}
	return all
}
