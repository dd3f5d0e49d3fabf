package explore

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/model"
)

// shorten shrinks a walk with little patience, because shrinking waits in vain again and again. What then does
// not fail with the usual patience did so only for want of it, and the walk is shrunk with that.
func shorten(ctx context.Context, failing tried, patience time.Duration, waiting func(time.Duration) runner) (tried, error) {
	if patience < Patience {
		shortest, err := shrink(ctx, failing, waiting(patience))
		if err != nil || shortest.scenario.Took < patience {
			return shortest, err
		}
		confirmed, err := failures(ctx, shortest, waiting(Patience))
		if err != nil || len(confirmed) > 0 {
			return append(confirmed, shortest)[0], err
		}
	}
	return shrink(ctx, failing, waiting(Patience))
}

// shrink finds the shortest walk that fails in the same way, by trying those that lack some steps, and
// again with the shortest of them that fails. If the failure is intermittent, it tries
// them more often before it gives up.
func shrink(ctx context.Context, failing tried, try runner) (tried, error) {
	shorter, steady, err := shrinkOnce(ctx, failing, try)
	shortest := shorter[len(shorter)-1]
	if err == nil && !steady {
		shortest, err = steadiest(ctx, shorter, try)
	}
	if err != nil || shortest.kind == failing.kind {
		return shortest, err
	}
	again, err := failures(ctx, shortest, try)
	if i := slices.IndexFunc(again, func(t tried) bool { return t.kind == failing.kind }); i >= 0 {
		shortest = again[i]
	}
	return shortest, err
}

// steadiest is the shortest of some walks; if the first always fails, the shortest that mostly does: what always
// shows must not become what seldom does.
func steadiest(ctx context.Context, shorter []tried, try runner) (tried, error) {
	last := len(shorter) - 1
	for i := last; i > 0; i-- {
		if failed, err := failures(ctx, shorter[i], try); err != nil || len(failed) >= mostly {
			return shorter[i], err
		}
		if i < last {
			continue
		}
		if failed, err := failures(ctx, shorter[0], try); err != nil || len(failed) < sample {
			return shorter[last], err
		}
	}
	return shorter[0], nil
}

// shrinkOnce returns a failing walk and the shorter ones that were found, each shorter than the one before,
// and whether the last is known to fail always.
func shrinkOnce(ctx context.Context, failing tried, try runner) (all []tried, steady bool, err error) {
	all = []tried{failing}
	times, repeated := 0, 0 // how often to try candidates that pass, 0 if not known yet, and how many were tried again
	var bold *model.Walk    // without all that any of the last candidates could do without; nil for none
	again := func(ctx context.Context, walks []*model.Walk, failFast bool) ([]tried, error) {
		repeated += len(walks)
		return try(ctx, walks, failFast)
	}
	for {
		candidates := shorter(failing.walk)
		if bold != nil {
			candidates = slices.Insert(candidates, 0, bold)
		}
		if len(candidates) == 0 {
			return all, times == 1, nil
		}
		smaller, err := firstToFail(ctx, candidates, failing.kind, try)
		if err != nil {
			return all, false, err
		}
		if smaller == nil && times == 0 {
			if times, err = persistence(ctx, failing, try); err != nil {
				return all, false, err
			}
		}
		for n := 1; smaller == nil && n < times && repeated < mostRepeated; n++ {
			if smaller, err = firstToFail(ctx, candidates, failing.kind, again); err != nil {
				return all, false, err
			}
		}
		if smaller == nil {
			return all, times == 1, nil
		}
		failing, bold = smaller[0], common(smaller)
		all = append(all, failing)
	}
}

// common is the walk of those steps of the first of some walks that all have; nil if it is no shorter.
func common(walks []tried) *model.Walk {
	steps := slices.DeleteFunc(slices.Clone(walks[0].walk.Steps), func(step model.Step) bool {
		return slices.ContainsFunc(walks, func(t tried) bool {
			return !slices.ContainsFunc(t.walk.Steps, func(s model.Step) bool { return s.ID == step.ID })
		})
	})
	if w := model.Play(steps); len(w.Steps) < len(walks[0].walk.Steps) && states(w) {
		return w
	}
	return nil
}

// atOnce is how many candidates are tried at the same time. Those that fail often wait for something in
// vain; those that pass do not.
const atOnce = 16

// firstToFail returns the first of some walks that fails in one way, and those that were tried with it and
// fail so, too; none if all pass.
func firstToFail(ctx context.Context, walks []*model.Walk, as kind, try runner) ([]tried, error) {
	for some := range slices.Chunk(walks, atOnce) {
		all, err := try(ctx, some, false)
		if err != nil {
			return nil, err
		}
		if all = slices.DeleteFunc(all, func(t tried) bool { return !t.kind.isLike(as) }); len(all) > 0 {
			return all, nil
		}
	}
	return nil, nil
}

// Bounds of persistence.
const (
	sample       = 8
	mostly       = 6 // of a sample: nearly all ten attempts that a finding gets fail
	mostTimes    = 8
	mostRepeated = 2048 // candidates that are tried again: a number, because a busy machine tries fewer in a given time
)

// persistence is how often to try a walk before it counts as one that passes, so that nine of ten that
// fail as often as this one are found.
func persistence(ctx context.Context, failing tried, try runner) (int, error) {
	failed, err := failures(ctx, failing, try)
	if err != nil {
		return 1, err
	}
	return timesFor(len(failed)), nil
}

// timesFor is persistence for what failed so often in a sample.
func timesFor(failed int) int {
	if failed == sample {
		return 1
	}
	passes := min(float64(sample-failed), sample-0.5) / sample
	return min(mostTimes, int(math.Ceil(math.Log(0.1)/math.Log(passes))))
}

// failures are those of sample tries of a walk in which it fails in the same way.
func failures(ctx context.Context, failing tried, try runner) ([]tried, error) {
	all, err := try(ctx, slices.Repeat([]*model.Walk{failing.walk}, sample), false)
	return slices.DeleteFunc(all, func(t tried) bool { return !t.kind.isLike(failing.kind) }), err
}

// Bounds of the walks that are tried instead of one. Those without one step of a long walk come after all that lack
// more, and must be among them: where steps that are needed alternate with others, nothing else is shorter.
const (
	mostCandidates = 256
	mostInPairs    = 12 // steps, any two of which are dropped together
)

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
	for _, one := range w.Steps {
		for _, other := range w.Steps {
			if one.ID != other.ID && one.Move.Noun != "" && one.Move.Noun == other.Move.Noun && len(one.Move.From)+len(other.Move.From) == 0 {
				add(merged(w.Steps, one.ID, other.ID))
			}
		}
	}
	for i, step := range w.Steps {
		for _, earlier := range w.Steps[:i] { // what it is about may be one of several
			if step.Of > earlier.ID && earlier.Move.Noun == step.Move.Noun && len(earlier.Move.From) == 0 {
				other := step
				other.Of = earlier.ID
				add(replaced(w.Steps, i, other))
			}
		}
		for _, draws := range step.Simpler() {
			simpler := step
			simpler.Draws = draws
			add(replaced(w.Steps, i, simpler))
		}
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
	if n <= mostInPairs {
		for i := range n {
			for j := i + 1; j < n; j++ { // steps that only go together: seldom, so that they come last
				add(slices.Delete(slices.Delete(slices.Clone(w.Steps), j, j+1), i, i+1))
			}
		}
	}
	return all[:min(len(all), mostCandidates)]
}

// merged are steps without the one that makes a thing. What happened to that happens to another one.
func merged(steps []model.Step, thing, into int) (all []model.Step) {
	for _, step := range steps {
		if step.ID == thing {
			continue
		}
		if step.Of == thing {
			step.Of = into
		}
		all = append(all, step)
	}
	return all
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
