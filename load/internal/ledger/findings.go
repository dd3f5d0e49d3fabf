package ledger

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// maxExamples is how many examples of a sort are kept.
const maxExamples = 1000

// findings keeps the first examples of each sort.
type findings struct {
	mu       sync.Mutex
	examples map[string][]Example
}

func (f *findings) full(sort string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.examples[sort]) >= maxExamples
}

func (f *findings) add(e Example) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.examples[e.Sort]) < maxExamples {
		f.examples[e.Sort] = append(f.examples[e.Sort], e)
	}
}

func (f *findings) all() (all []Example) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, examples := range f.examples {
		all = append(all, examples...)
	}
	return all
}

// earliest are the first examples of each sort, ordered by sort, time and payment.
func earliest(all []Example) []Example {
	slices.SortFunc(all, func(a, b Example) int {
		return cmp.Or(strings.Compare(a.Sort, b.Sort), a.At.Compare(b.At),
			strings.Compare(a.Payment, b.Payment), strings.Compare(a.Detail, b.Detail))
	})
	kept, sort, n := all[:0], "", 0
	for _, e := range all {
		if e.Sort != sort {
			sort, n = e.Sort, 0
		}
		if n++; n <= maxExamples {
			kept = append(kept, e)
		}
	}
	return kept
}
