package explore

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/model"
)

// shrink finds the shortest walk that fails in the same way, by trying those that lack some steps, and
// again with the shortest of them that fails. If the failure is intermittent, it tries
// them more often before it gives up.
func shrink(ctx context.Context, failing tried, try runner) (tried, error) {
	began, times := time.Now(), 0 // to try candidates that pass; 0 if not known yet
	for {
		candidates := shorter(failing.walk)
		if len(candidates) == 0 {
			return failing, nil
		}
		smaller, err := firstToFail(ctx, candidates, failing.kind, try)
		if err != nil {
			return failing, err
		}
		if smaller == nil && times == 0 {
			if times, err = persistence(ctx, failing, try); err != nil {
				return failing, err
			}
		}
		for n := 1; smaller == nil && n < times && time.Since(began) < mostShrinking; n++ {
			if smaller, err = firstToFail(ctx, candidates, failing.kind, try); err != nil {
				return failing, err
			}
		}
		if smaller == nil {
			return failing, nil
		}
		failing = *smaller
	}
}

// atOnce is how many candidates are tried at the same time. Those that fail often wait for something in
// vain; those that pass do not.
const atOnce = 16

// firstToFail returns the first of some walks that fails in one way; nil for none.
func firstToFail(ctx context.Context, walks []*model.Walk, as kind, try runner) (*tried, error) {
	for some := range slices.Chunk(walks, atOnce) {
		all, err := try(ctx, some, false)
		if err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(all, func(t tried) bool { return t.kind == as }); i >= 0 {
			return &all[i], nil
		}
	}
	return nil, nil
}

// Bounds of persistence.
const (
	sample        = 8
	mostTimes     = 8
	mostShrinking = 15 * time.Second // after which no candidate is tried again
)

// persistence is how often to try a walk before it counts as one that passes, so that nine of ten that
// fail as often as this one are found.
func persistence(ctx context.Context, failing tried, try runner) (int, error) {
	all, err := try(ctx, slices.Repeat([]*model.Walk{failing.walk}, sample), false)
	if err != nil {
		return 0, err
	}
	passed := 0
	for _, t := range all {
		if t.kind != failing.kind {
			passed++
		}
	}
	if passed == 0 {
		return 1, nil
	}
	passes := min(float64(passed), sample-0.5) / sample
	return min(mostTimes, int(math.Ceil(math.Log(0.1)/math.Log(passes)))), nil
}

// mostCandidates bounds the walks that are tried instead of one.
const mostCandidates = 64

// shorter are the walks that lack some steps of a walk, or have simpler ones: the shortest first.
func shorter(w *model.Walk) []*model.Walk {
	var all []*model.Walk
	known := map[string]bool{w.Scenario(""): true}
	add := func(steps []model.Step) {
		next := model.Play(steps)
		if text := next.Scenario(""); states(next) && !known[text] {
			known[text] = true
			all = append(all, next)
		}
	}
	n := len(w.Steps)
	for size := n / 2; size > 0; size /= 2 {
		for from := 0; from < n; from += max(1, size/2) {
			add(slices.Delete(slices.Clone(w.Steps), from, min(n, from+size)))
		}
	}
	if n <= 8 {
		for i := range n {
			for j := i + 1; j < n; j++ { // steps that only go together
				add(slices.Delete(slices.Delete(slices.Clone(w.Steps), j, j+1), i, i+1))
			}
		}
	}
	for i, step := range w.Steps {
		if len(step.Move.Ways) > 0 && step.Way != step.Move.Ways[0] {
			step.Way = step.Move.Ways[0]
			add(replaced(w.Steps, i, step))
		}
		if plain := model.Plainest(step.Move); plain != step.Move {
			step.Move, step.Way = plain, ""
			if len(plain.Ways) > 0 {
				step.Way = plain.Ways[0]
			}
			add(replaced(w.Steps, i, step))
		}
	}
	slices.SortStableFunc(all, func(a, b *model.Walk) int { return len(a.Steps) - len(b.Steps) })
	return all[:min(len(all), mostCandidates)]
}

// replaced are steps with another one at i; none if they are not all possible then.
func replaced(steps []model.Step, i int, by model.Step) []model.Step {
	simpler := slices.Clone(steps)
	simpler[i] = by
	if len(model.Play(simpler).Steps) < len(steps) {
		return nil
	}
	return simpler
}

// states reports whether a walk says that something must hold.
func states(w *model.Walk) bool {
	return slices.ContainsFunc(w.Lines, func(l model.Line) bool { return l.Keyword == "Then" })
}
