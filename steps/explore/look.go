package explore

import "github.com/pixcert/pixcert/steps/model"

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
