package explore

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/steps/model"
)

// guide draws walks: of what is possible, what was seen least is likeliest.
type guide struct {
	random   *rand.Rand
	allowed  map[model.Transition]bool
	options  []option        // of what is allowed, without what prepares a walk
	avoided  [][]*model.Move // no walk has all of one of these, in this order
	seen     map[model.Transition]int
	pairs    map[pair]int
	combined map[combo]int
	theme    []string             // what the walk is mostly about; none for all
	rare     map[*model.Move]bool // moves that the walk mostly does without
	story    bool                 // the walk is mostly about what happens to things, not about requests that are rejected
	themed   bool                 // a story in which the moves of its theme are not less likely because they were seen
	dated    bool                 // time passes in the walk, and what was done before is done again
}

// pair is the positions of two transitions of the model, which are done one after the other.
type pair [2]int

// positions are those of the transitions in the model, from 1.
var positions = sync.OnceValue(func() map[model.Transition]int {
	all := map[model.Transition]int{}
	for i, r := range model.Table() {
		all[r.Transition] = 1 + i
	}
	return all
})

// option is a transition that a walk may have.
type option struct {
	model.Row
	position int
	handicap float64 // how much less likely it is in this walk than others that were done as often
	inTheme  bool    // of this walk, however often it was done
	late     bool    // it is for the second half of this walk
}

func newGuide(random *rand.Rand, allowed map[model.Transition]bool) *guide {
	g := &guide{random: random, allowed: allowed, seen: map[model.Transition]int{}, pairs: map[pair]int{}, combined: map[combo]int{}}
	for i, r := range model.Table() {
		if !r.Given && allowed[r.Transition] {
			g.options = append(g.options, option{Row: r, position: 1 + i})
		}
	}
	return g
}

// count counts a walk, and undo takes back what was counted of it after the steps that were carried out.
func (g *guide) count(w *model.Walk)          { g.add(w, 0, 1) }
func (g *guide) undo(w *model.Walk, done int) { g.add(w, done, -1) }

// add counts the steps of a walk from one on, so many times.
func (g *guide) add(w *model.Walk, from, times int) {
	for i := from; i < len(w.Transitions); i++ {
		t := w.Transitions[i]
		add(g.seen, t, times)
		if i > 0 {
			add(g.pairs, pair{positions()[w.Transitions[i-1]], positions()[t]}, times)
		}
		for _, c := range combos(w, i) {
			add(g.combined, c, times)
		}
	}
}

// add counts something so many times; what was not counted is not there.
func add[K comparable](counts map[K]int, of K, times int) {
	if counts[of] += times; counts[of] <= 0 {
		delete(counts, of)
	}
}

// hasDone reports whether a walk has carried out a move, in whichever way.
func (g *guide) hasDone(m *model.Move) bool {
	return slices.ContainsFunc(model.Table(), func(r model.Row) bool { return r.Move == m && g.seen[r.Transition] > 0 })
}

func nextID(w *model.Walk) int {
	if len(w.Steps) == 0 {
		return 1
	}
	return w.Steps[len(w.Steps)-1].ID + 1
}

// avoids reports whether the last step of a walk completes what is avoided.
func (g *guide) avoids(w *model.Walk) bool {
	return slices.ContainsFunc(g.avoided, func(moves []*model.Move) bool { return contains(w, moves) })
}

// contains reports whether a walk has all of some moves, in their order.
func contains(w *model.Walk, moves []*model.Move) bool {
	for _, step := range w.Steps {
		if len(moves) > 0 && moves[0] == step.Move {
			moves = moves[1:]
		}
	}
	return len(moves) == 0
}

// combo is two things that a step says together: the values of two fields, or one and what it is about.
type combo [2]string

// combos are what a step of a walk says together.
func combos(w *model.Walk, step int) (all []combo) {
	said := []string{string(w.Transitions[step])}
	for _, l := range w.Lines {
		if l.Step != w.Steps[step].ID || l.Keyword == "Then" {
			continue
		}
		if len(l.Table) == 0 {
			said = append(said, l.Text)
		}
		for _, row := range l.Table {
			said = append(said, strings.Join(row, "="))
		}
	}
	for i, a := range said {
		for _, b := range said[:i] {
			all = append(all, combo{a, b})
		}
	}
	return all
}
