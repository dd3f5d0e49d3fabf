package explore

import (
	"cmp"
	"slices"

	"github.com/pixcert/pixcert/steps/model"
)

// usualSteps is how many steps a walk draws, besides those that prepare it and bring it to rest. A story is
// longer: what goes wrong in it goes wrong because of what happened before.
const (
	usualSteps = 14
	storySteps = 24
)

// otherWays is of how many walks one is prepared in any of several ways.
const otherWays = 3

// Of how many steps one is repeated, is followed by one that was done earlier, and, in a walk about that, by time
// that passes.
const (
	repeatEvery  = 12
	doAgainEvery = 8
	passEvery    = 6
)

// repeatRejected is how often a request that is rejected is followed by another one that is rejected by the same rule. It costs
// little, and changes nothing.
const repeatRejected = 3

// lookEvery is of how many steps one is followed by a look at what it was about: of some things, sentences say nothing later.
const lookEvery = 4

// optional is of how many walks one is prepared by a move that is optional.
const optional = 4

// dated is of how many walks one is about what passing time changes.
const dated = 4

// draw draws a walk. At its end everything comes to rest, and is looked at.
func (g *guide) draw() *model.Walk {
	g.theme, g.rare = themes[g.random.IntN(len(themes))], map[*model.Move]bool{}
	if g.theme != nil && g.random.IntN(alsoWrongly) == 0 {
		g.theme = append(slices.Clip(g.theme), wrongly)
	}
	if g.random.IntN(2) == 0 { // with fewer kinds of moves, some are done several times
		for i := range model.Moves() {
			if g.random.IntN(3) > 0 {
				g.rare[&model.Moves()[i]] = true
			}
		}
	}
	g.dated = slices.Contains(g.theme, daysPass) || g.random.IntN(dated) == 0
	w, steps := g.prepared(), usualSteps
	if g.story = g.random.IntN(4) > 0; g.story {
		steps = storySteps
	}
	g.themed = g.story && g.random.IntN(4) > 0
	for i := range g.options {
		o := &g.options[i]
		o.handicap, o.inTheme = g.handicap(o), g.inTheme(o)
		o.late = o.Late && !slices.Contains(g.theme, o.Event)
	}
	for i := range steps {
		if next := g.next(w, i >= steps/2); next != nil {
			w = next
			switch last := w.Steps[len(w.Steps)-1].Move; {
			case last.Wrong:
				w = g.repeated(w, repeatRejected)
			case g.random.IntN(repeatEvery) == 0:
				w = g.repeated(w, 1+min(9, int(2*g.random.ExpFloat64())))
			}
			if g.random.IntN(lookEvery) == 0 {
				w = g.lookedAt(w)
			}
			if g.dated && g.random.IntN(passEvery) == 0 {
				w = g.later(w)
			}
			if g.random.IntN(doAgainEvery) == 0 {
				w = g.again(w)
			}
		}
	}
	w = g.atRest(w)
	g.count(w)
	return w
}

// prepared begins a walk. Most walks have everything that makes more of it known; some do without.
func (g *guide) prepared() *model.Walk {
	w := model.Begin()
	sparse := g.random.IntN(3) == 0
	possible, ways := map[*model.Move][]string{}, map[*model.Move]string{} // of moves that are mostly done in the first of them
	without := map[*model.Move]bool{}
	for _, r := range model.Table() {
		if r.Given && r.Way != "" && g.allowed[r.Transition] {
			possible[r.Move] = append(possible[r.Move], r.Way)
		}
	}
	for i := range model.Moves() { // in their order, so that a seed repeats the walk
		m := &model.Moves()[i]
		if len(possible[m]) > 0 && (g.dated && m.Passes || g.random.IntN(otherWays) == 0) {
			ways[m] = possible[m][g.random.IntN(len(possible[m]))]
		}
		for _, way := range possible[m] {
			if slices.Contains(g.theme, m.Event+" "+way) {
				ways[m] = way
			}
		}
		if without[m] = m.Optional && g.random.IntN(optional) > 0; g.dated && m.Passes {
			without[m] = m.Optional && g.random.IntN(2) == 0
		}
	}
	for range 10 { // until an account is open
		for _, r := range model.Table() {
			if !r.Given || without[r.Move] || !g.allowed[r.Transition] || ways[r.Move] != "" && ways[r.Move] != r.Way || (sparse || len(w.Steps) == 0) && g.random.IntN(5) == 0 {
				continue
			}
			w = g.after(w, model.Step{Move: r.Move, Way: r.Way, Draws: model.Draw(g.random)})
		}
		if len(w.Steps) > 0 {
			break
		}
	}
	return w
}

// after is a walk with a step more; without it, if it is not possible.
func (g *guide) after(w *model.Walk, step model.Step) *model.Walk {
	step.ID = nextID(w)
	if next := w.After(step); next != nil && !g.avoids(next) {
		return next
	}
	return w
}

// repeated does the last step of a walk again, a few times: what went well twice may not the fourth time.
func (g *guide) repeated(w *model.Walk, times int) *model.Walk {
	last := w.Steps[len(w.Steps)-1]
	if last.Move.Seldom {
		return w
	}
	for range times {
		last.ID = nextID(w)
		next := w.After(last)
		if last.Move.Wrong { // what was rejected changes nothing: the next time it is for something else
			next = g.novel(w, last)
		}
		if next == nil || !g.allowed[next.Transitions[len(next.Transitions)-1]] || g.avoids(next) {
			break
		}
		w = next
	}
	return w
}

// later lets time pass, and does something that was done before.
func (g *guide) later(w *model.Walk) *model.Walk {
	for _, i := range g.random.Perm(len(g.options)) {
		if o := &g.options[i]; o.Passes && (!w.Gateway.Time.Dated || o.Event == daysPass) {
			if next := g.done(w, o); next != nil {
				return g.again(next)
			}
		}
	}
	return w
}

// again does something once more that the walk has done earlier: what went well before may not after something else
// has happened.
func (g *guide) again(w *model.Walk) *model.Walk {
	for _, i := range g.random.Perm(len(w.Steps)) {
		step := w.Steps[i]
		if step.Move.Given || step.Move.Passes || step.Move.Looks || step.Move.Seldom {
			continue
		}
		for j := range g.options {
			if o := &g.options[j]; o.Move == step.Move && o.Way == step.Way {
				if next := g.done(w, o); next != nil {
					return next
				}
			}
		}
	}
	return w
}

// candidate is an option with its rank: the lowest is tried first.
type candidate struct {
	*option
	rank float64
}

func (g *guide) next(w *model.Walk, late bool) *model.Walk {
	last := 0
	if n := len(w.Transitions); n > 0 {
		last = positions()[w.Transitions[n-1]]
	}
	var all []candidate
	for i := range g.options {
		o := &g.options[i]
		if o.late && !late || len(o.From) > 0 && !slices.ContainsFunc(w.Gateway.Things, func(t model.Thing) bool { return t.Noun == o.Noun && t.State == o.State }) {
			continue
		}
		times := float64(1+g.pairs[pair{last, o.position}]) * o.handicap
		if !o.inTheme {
			times *= float64(1 + g.seen[o.Transition])
		}
		all = append(all, candidate{o, g.random.ExpFloat64() * times})
	}
	for len(all) > 0 { // mostly, one of the first is possible
		best := 0
		for i, c := range all {
			if c.rank < all[best].rank {
				best = i
			}
		}
		if next := g.done(w, all[best].option); next != nil {
			return next
		}
		all[best] = all[len(all)-1]
		all = all[:len(all)-1]
	}
	return nil
}

// done is the walk with an option, of something that it can be about; nil if it is not possible.
func (g *guide) done(w *model.Walk, o *option) *model.Walk {
	choices := w.Choices(o.Row, nextID(w), model.Draw(g.random))
	g.random.Shuffle(len(choices), func(i, j int) { choices[i], choices[j] = choices[j], choices[i] })
	if g.random.IntN(2) == 0 { // what was done to a thing shows in what is done to it next
		slices.SortStableFunc(choices, func(a, b model.Step) int { return cmp.Compare(lastDone(w, b.Of), lastDone(w, a.Of)) })
	}
	for _, step := range choices {
		if next := g.novel(w, step); next != nil {
			return next
		}
	}
	return nil
}

// lastDone is the position of the last step of a walk that was about a thing, or made it.
func lastDone(w *model.Walk, thing int) int {
	for i, step := range slices.Backward(w.Steps) {
		if step.Of == thing || step.ID == thing {
			return i
		}
	}
	return 0
}

// tries is of how many draws for a step the one is taken whose request has most that was never sent together.
const tries = 4

// novel is the walk with the step, with as much in its request as possible that never stood together; nil if
// it is not possible.
func (g *guide) novel(w *model.Walk, step model.Step) (best *model.Walk) {
	most := -1
	for i := range tries {
		if i > 0 {
			step.Draws = step.Again(g.random)
		}
		next := w.After(step)
		if next == nil || g.avoids(next) {
			continue
		}
		n := 0
		for _, c := range combos(next, len(next.Steps)-1) {
			if g.combined[c] == 0 {
				n++
			}
		}
		if n > most {
			best, most = next, n
		}
	}
	return best
}

// seldomLooks is of how many walks one ends with a look that sends many requests.
const seldomLooks = 4

// atRest finishes what still waits for the bank, and looks at everything.
func (g *guide) atRest(w *model.Walk) *model.Walk {
	for _, thing := range w.Gateway.Things { // one may have been finished with another
		if next := g.withEach(w, thing, finishes); next != w && g.random.IntN(2) == 0 {
			w = g.withEach(g.withEach(w, thing, looks), thing, finishes)
		} else {
			w = next
		}
	}
	for _, thing := range w.Gateway.Things {
		w = g.withEach(w, thing, looks)
	}
	return g.withAll(w, func(m *model.Move) bool {
		return !m.Seldom && len(m.Ways) == 0 || g.random.IntN(seldomLooks+2*len(m.Ways)) == 0
	})
}

func finishes(m *model.Move) bool { return m.Finishes }

func looks(m *model.Move) bool { return m.Looks && !m.Seldom }

// lookedAt looks at what the last step of a walk was about, or made, or at everything: it may have changed something else.
func (g *guide) lookedAt(w *model.Walk) *model.Walk {
	if g.random.IntN(2) == 0 {
		return g.withAll(w, func(m *model.Move) bool { return m.Noun == "" && m.Event == "is looked at" })
	}
	last := w.Steps[len(w.Steps)-1]
	for _, thing := range w.Gateway.Things {
		if thing.ID == last.Of || thing.ID == last.ID {
			w = g.withEach(w, thing, looks)
		}
	}
	return w
}

// withAll looks at the account itself, in each way that a predicate selects.
func (g *guide) withAll(w *model.Walk, selects func(*model.Move) bool) *model.Walk {
	for _, r := range model.Table() {
		if r.Looks && len(r.From) == 0 && g.allowed[r.Transition] && selects(r.Move) {
			w = g.after(w, model.Step{Move: r.Move, Way: r.Way})
		}
	}
	return w
}

// withEach does each of some moves to a thing.
func (g *guide) withEach(w *model.Walk, thing model.Thing, does func(*model.Move) bool) *model.Walk {
	for _, r := range model.Table() {
		if does(r.Move) && r.Noun == thing.Noun && r.State == thing.State && len(r.From) > 0 && g.allowed[r.Transition] {
			w = g.after(w, model.Step{Move: r.Move, Way: r.Way, Of: thing.ID})
		}
	}
	return w
}
