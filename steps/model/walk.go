package model

import (
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
)

// Walk is a list of steps that are possible one after the other.
type Walk struct {
	Gateway     Gateway
	Referents   Referents
	Steps       []Step
	Transitions []Transition // of the steps
	Lines       []Line
}

// Begin is a walk of no steps.
func Begin() *Walk { return &Walk{} }

// Play is the walk of those of the steps that are possible one after the other. The others are left
// out, with all that depend on them.
func Play(steps []Step) *Walk {
	w := Begin()
	for _, step := range steps {
		if next := w.After(step); next != nil {
			w = next
		}
	}
	return w
}

// After is the walk with one more step; nil if it is not possible. The walk itself stays as it is.
func (w *Walk) After(step Step) *Walk {
	p := &play{gw: w.Gateway.clone(), refs: w.Referents.clone(), step: step, who: step.Move.By, script: script{by: step.ID}, chance: step.chance()}
	state := Unknown
	if len(step.Move.From) > 0 {
		if p.it = p.gw.Things.made(step.Of); p.it == nil || p.it.Noun != step.Move.Noun || !slices.Contains(step.Move.From, p.it.State) {
			return nil
		}
		state = p.it.State
	}
	if p.gw.Accounts[p.who].Open == step.Move.Opens || step.Move.Given && !w.preparing() || step.Move.Removed != p.gw.the().Removed || !step.Move.perform(p) || !mayListCases(p) {
		return nil
	}
	if w.Referents.Focused && step.Of != w.Referents.Last[api.Payment] && p.refs.Last[api.Payment] == w.Referents.Last[api.Payment] {
		p.refs.Last[api.Payment], p.refs.Focused = 0, false // sentences return to a payment until any request is sent
	}
	lines := slices.Clip(w.Lines)
	if last := w.last(); last.Keyword == "When" && w.Referents.Sent && w.moved(last.Step) && p.lines[0].Keyword == "When" {
		// Otherwise what the next step says of the balance would include what this one has moved.
		lines = append(lines, Line{Keyword: "Then", Text: "nothing else changes", Step: last.Step})
	}
	return &Walk{
		Gateway:     p.gw,
		Referents:   p.refs,
		Steps:       append(slices.Clip(w.Steps), step),
		Transitions: append(slices.Clip(w.Transitions), step.Move.transition(state, step.Way)),
		Lines:       append(lines, p.lines...),
	}
}

// preparing reports whether nothing was done yet but to prepare the walk.
func (w *Walk) preparing() bool {
	return len(w.Steps) == 0 || w.Steps[len(w.Steps)-1].Move.Given
}

// last is the last line of a walk.
func (w *Walk) last() Line {
	if len(w.Lines) == 0 {
		return Line{}
	}
	return w.Lines[len(w.Lines)-1]
}

// moved reports whether a step was about a thing, whose money it may have moved.
func (w *Walk) moved(step int) bool {
	i := slices.IndexFunc(w.Steps, func(s Step) bool { return s.ID == step })
	return w.Steps[i].Move.Noun != ""
}

// Choices are the steps that a row can be in this state of a walk, if they are possible: one for
// each thing that it can be about.
func (w *Walk) Choices(r Row, id int, draws Draws) []Step {
	if len(r.From) == 0 {
		return []Step{{ID: id, Move: r.Move, Way: r.Way, Draws: draws}}
	}
	var all []Step
	for _, t := range w.Gateway.Things {
		if t.Noun == r.Noun && t.State == r.State {
			all = append(all, Step{ID: id, Move: r.Move, Way: r.Way, Of: t.ID, Draws: draws})
		}
	}
	return all
}

// Scenario writes the walk as a scenario of a feature, indented as one of a rule.
func (w *Walk) Scenario(name string) string {
	types := map[string]catalogue.StepType{"Given": catalogue.Context, "When": catalogue.Action, "Then": catalogue.Outcome}
	var steps []catalogue.Step
	for _, l := range w.Lines {
		steps = append(steps, catalogue.Step{Type: types[l.Keyword], Text: l.Text, Table: l.Table})
	}
	return catalogue.WriteScenario(name, steps)
}
