package module

import (
	"sync"

	"go.k6.io/k6/v2/metrics"
)

// origins numbers the tags that calls have: those of their scenario, their group, and the script's own. The ledger
// keeps the number of each payment's call.
type origins struct {
	mu      sync.RWMutex
	numbers map[*metrics.TagSet]uint32
	sets    []*metrics.TagSet // by number; the first are the run's
}

func newOrigins(run *metrics.TagSet) *origins {
	return &origins{numbers: map[*metrics.TagSet]uint32{run: 0}, sets: []*metrics.TagSet{run}}
}

// number is the number of a call's tags.
func (o *origins) number(set *metrics.TagSet) uint32 {
	o.mu.RLock()
	n, known := o.numbers[set]
	o.mu.RUnlock()
	if known {
		return n
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if n, known = o.numbers[set]; !known {
		n = uint32(len(o.sets)) //nolint:gosec // memory ends before
		o.numbers[set] = n
		o.sets = append(o.sets, set)
	}
	return n
}

// tags are those with a number.
func (o *origins) tags(number uint32) *metrics.TagSet {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.sets[number]
}
