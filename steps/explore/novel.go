package explore

import "github.com/pixcert/pixcert/steps/model"

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
