package dimensions

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"
)

// Pick is a choice in a dimension, in words.
type Pick struct{ Dimension, Choice string }

// Tuple is a pair of choices, or three, that occur together.
type Tuple []Pick

// Set is a set of tuples. It keeps their hashes only: a thorough run has hundreds of thousands.
type Set map[uint64]struct{}

// String is "token no token, query page 2".
func (t Tuple) String() string {
	var all []string
	for _, p := range t {
		all = append(all, p.Dimension+" "+p.Choice)
	}
	return strings.Join(all, ", ")
}

func (t Tuple) hash() uint64 {
	h := fnv.New64a()
	for _, p := range t {
		h.Write([]byte(p.Dimension + "\x00" + p.Choice + "\x00")) // never fails
	}
	return h.Sum64()
}

// Has reports whether a tuple is in the set.
func (s Set) Has(t Tuple) bool {
	_, has := s[t.hash()]
	return has
}

// Insert adds a tuple; false if it was there.
func (s Set) Insert(t Tuple) bool {
	n := len(s)
	s[t.hash()] = struct{}{}
	return len(s) > n
}

// Add adds the tuples of so many choices among those of a request.
func (s Set) Add(chosen []Pick, strength int) {
	picks := slices.Clone(chosen)
	slices.SortFunc(picks, byDimension)
	eachOf(picks, strength, func(t Tuple) { s[t.hash()] = struct{}{} })
}

func byDimension(a, b Pick) int { return cmp.Compare(a.Dimension, b.Dimension) }

// Tuples calls yield with each tuple of so many choices that the rows of the dimensions cover: with one wrong choice, if
// there are any, else with none.
func Tuples(dimensions []Dimension, strength int, yield func(Tuple)) {
	right := rightOf(dimensions)
	hasWrong := false
	for i, d := range dimensions {
		for _, c := range d.Choices {
			if c.Wrong {
				hasWrong = true
				each(with(right, i, d.Name, c), strength, func(t Tuple) {
					if slices.Contains(t, Pick{d.Name, c.Words}) {
						yield(t)
					}
				})
			}
		}
	}
	if !hasWrong {
		each(right, strength, yield)
	}
}

// each calls yield with each tuple of choices in different dimensions.
func each(dimensions []Dimension, strength int, yield func(Tuple)) {
	var names []Pick
	choices := map[string][]Choice{}
	for _, d := range dimensions {
		names = append(names, Pick{Dimension: d.Name})
		choices[d.Name] = d.Choices
	}
	slices.SortFunc(names, byDimension)
	eachOf(names, strength, func(some Tuple) { choose(some, choices, nil, yield) })
}

func choose(some Tuple, choices map[string][]Choice, t Tuple, yield func(Tuple)) {
	if len(t) == len(some) {
		yield(slices.Clone(t))
		return
	}
	name := some[len(t)].Dimension
	for _, c := range choices[name] {
		choose(some, choices, append(t, Pick{name, c.Words}), yield)
	}
}

// eachOf calls yield with each way to take so many picks, in order.
func eachOf(picks []Pick, strength int, yield func(Tuple)) {
	strength = min(strength, len(picks))
	var take func(from int, t Tuple)
	take = func(from int, t Tuple) {
		if len(t) == strength {
			yield(t)
			return
		}
		for i := from; i < len(picks); i++ {
			take(i+1, append(slices.Clone(t), picks[i]))
		}
	}
	take(0, nil)
}
