package ledger

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// maxExamples is how many examples of a sort are kept.
const maxExamples = 1000

// findings keeps the first examples of each sort.
type findings map[string][]Example

func (f findings) add(e Example) {
	if len(f[e.Sort]) < maxExamples {
		f[e.Sort] = append(f[e.Sort], e)
	}
}

// retract drops the examples that exampleOf has made of some events of a payment. That one was out of
// order stays true.
func (f findings) retract(payment string, events []early) {
	for _, sort := range []string{"webhooks_malformed", "webhooks_contradictory", "webhooks_duplicate", "webhooks_late", "payments_failed"} {
		f[sort] = slices.DeleteFunc(f[sort], func(x Example) bool {
			return x.Payment == payment && slices.ContainsFunc(events, func(e early) bool { return e.At.Equal(x.At) })
		})
	}
}

func (f findings) all() []Example { return slices.Concat(slices.Collect(maps.Values(f))...) }

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
