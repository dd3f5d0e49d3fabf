package catalogue

import (
	"cmp"
	"slices"
)

// Smaller are the scenarios that lack some steps of one, or some rows of its tables: the smallest first. Each states an
// outcome.
func Smaller(steps []Step) (all [][]Step) {
	known := map[string]bool{WriteScenario("", steps): true}
	add := func(smaller []Step) {
		if text := WriteScenario("", smaller); !known[text] && isWhole(smaller) {
			known[text] = true
			all = append(all, smaller)
		}
	}
	eachPart(len(steps), func(from, to int) { add(slices.Delete(slices.Clone(steps), from, to)) })
	for i, step := range steps {
		eachPart(len(step.Table), func(from, to int) {
			smaller := slices.Clone(steps)
			smaller[i].Table = slices.Delete(slices.Clone(step.Table), from, to)
			add(smaller)
		})
	}
	slices.SortStableFunc(all, func(a, b []Step) int { return cmp.Compare(Size(a), Size(b)) })
	return all
}

// eachPart calls part with overlapping halves, quarters and so on of n things, down to each of them.
func eachPart(n int, part func(from, to int)) {
	for size := n / 2; size > 0; size /= 2 {
		for from := 0; from < n; from += max(1, size/2) {
			part(from, min(n, from+size))
		}
	}
}

// isWhole reports whether steps state an outcome, and no table is empty.
func isWhole(steps []Step) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Type == Outcome }) &&
		!slices.ContainsFunc(steps, func(s Step) bool { return s.Table != nil && len(s.Table) == 0 })
}

// Size orders scenarios: the number of steps counts most, then that of rows.
func Size(steps []Step) (n int) {
	for _, s := range steps {
		n += 1000 + len(s.Table)
	}
	return n
}
