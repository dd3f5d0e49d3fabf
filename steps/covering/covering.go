// Package covering computes covering arrays: few combinations of choices in which each pair of choices, or each three of
// them, occurs. Most faults that depend on more than one choice depend on two.
package covering

import (
	"cmp"
	"slices"
)

// open marks a choice of a row that no tuple needs yet.
const open = -1

// Array returns rows in which every combination of the choices of any `strength` dimensions occurs. Dimension d has
// sizes[d] choices, numbered from 0; rows[i][d] is the choice of row i. It is the algorithm IPOG (Lei and Kacker, 2007):
// all combinations of the largest dimensions first, then one dimension at a time, into the rows that are there as far as
// possible. The same sizes always give the same rows.
func Array(sizes []int, strength int) [][]int {
	for _, size := range sizes {
		if size == 0 {
			return nil
		}
	}
	order := make([]int, len(sizes))
	for d := range order {
		order[d] = d
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	strength = min(strength, len(sizes))

	g := &grid{sizes: sizes, rows: [][]int{slices.Repeat([]int{open}, len(sizes))}}
	for _, d := range order[:strength] {
		g.multiply(d)
	}
	for i := strength; i < len(order); i++ {
		g.extend(order[i], subsets(order[:i], strength-1))
	}
	g.close()
	return g.rows
}

// grid is an array while it grows.
type grid struct {
	sizes []int
	rows  [][]int
}

// multiply repeats all rows for each choice of a dimension.
func (g *grid) multiply(d int) {
	var all [][]int
	for _, row := range g.rows {
		for choice := range g.sizes[d] {
			longer := slices.Clone(row)
			longer[d] = choice
			all = append(all, longer)
		}
	}
	g.rows = all
}

// tuple is a choice in the new dimension next to choices in some of the others. Only those of a few dimensions differ.
type tuple struct {
	among  int // which of the subsets of the other dimensions
	code   int // their choices, as one number
	choice int
}

// extend adds a dimension: to the rows that are there, such that each covers as many new tuples as possible, and then in
// new rows for the tuples that are left.
func (g *grid) extend(d int, among [][]int) {
	missing := map[tuple]bool{}
	for i, others := range among {
		for code := range g.combinations(others) {
			for choice := range g.sizes[d] {
				missing[tuple{i, code, choice}] = true
			}
		}
	}
	for r, row := range g.rows {
		best, most := open, 0
		for offset := range g.sizes[d] {
			choice := (r + offset) % g.sizes[d] // of equal choices, not always the first
			if n := g.covers(row, choice, among, missing); n > most {
				best, most = choice, n
			}
		}
		if row[d] = best; best != open {
			g.strike(row, best, among, missing)
		}
	}
	for _, t := range g.inOrder(missing) {
		if missing[t] {
			g.place(d, t, among, missing)
		}
	}
}

// combinations is how many combinations some dimensions have.
func (g *grid) combinations(dimensions []int) int {
	n := 1
	for _, d := range dimensions {
		n *= g.sizes[d]
	}
	return n
}

// codeOf are a row's choices in some dimensions as one number; false if one of them is open.
func (g *grid) codeOf(row, dimensions []int) (code int, ok bool) {
	for _, d := range dimensions {
		if row[d] == open {
			return 0, false
		}
		code = code*g.sizes[d] + row[d]
	}
	return code, true
}

// covers counts the missing tuples that a row would cover with a choice in the new dimension.
func (g *grid) covers(row []int, choice int, among [][]int, missing map[tuple]bool) (n int) {
	for i, others := range among {
		if code, ok := g.codeOf(row, others); ok && missing[tuple{i, code, choice}] {
			n++
		}
	}
	return n
}

func (g *grid) strike(row []int, choice int, among [][]int, missing map[tuple]bool) {
	for i, others := range among {
		if code, ok := g.codeOf(row, others); ok {
			delete(missing, tuple{i, code, choice})
		}
	}
}

func (g *grid) inOrder(missing map[tuple]bool) []tuple {
	all := make([]tuple, 0, len(missing))
	for t := range missing {
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b tuple) int {
		return cmp.Or(cmp.Compare(a.among, b.among), cmp.Compare(a.code, b.code), cmp.Compare(a.choice, b.choice))
	})
	return all
}

// place puts a missing tuple into a row whose choices allow it, or else into a new one.
func (g *grid) place(d int, t tuple, among [][]int, missing map[tuple]bool) {
	others := among[t.among]
	wanted := slices.Repeat([]int{open}, len(g.sizes))
	wanted[d] = t.choice
	for code, i := t.code, len(others)-1; i >= 0; i-- {
		wanted[others[i]] = code % g.sizes[others[i]]
		code /= g.sizes[others[i]]
	}
	at := slices.IndexFunc(g.rows, func(row []int) bool { return agree(row, wanted) })
	if at < 0 {
		at, g.rows = len(g.rows), append(g.rows, slices.Repeat([]int{open}, len(g.sizes)))
	}
	row := g.rows[at]
	for i, choice := range wanted {
		if choice != open {
			row[i] = choice
		}
	}
	g.strike(row, t.choice, among, missing)
}

func agree(row, wanted []int) bool {
	for i, choice := range wanted {
		if choice != open && row[i] != open && row[i] != choice {
			return false
		}
	}
	return true
}

// close makes a choice where none is needed: not always the same one, since more is covered so.
func (g *grid) close() {
	for r, row := range g.rows {
		for d, choice := range row {
			if choice == open {
				row[d] = r % g.sizes[d]
			}
		}
	}
}

// subsets are the ways to take n of all, in order.
func subsets(all []int, n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var found [][]int
	for i := range all {
		for _, rest := range subsets(all[i+1:], n-1) {
			found = append(found, append([]int{all[i]}, rest...))
		}
	}
	return found
}
