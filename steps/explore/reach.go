package explore

import (
	"maps"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/model"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/target"
)

// reach is what of the model can be reached on a target.
type reach struct {
	allowed     map[model.Transition]bool
	transitions map[model.Transition]int
	pairs       map[pair]int
	unreachable []Unreachable
}

// rehearsals is how many walks find out what the model can reach. They send nothing.
const rehearsals = 600

// reachOf rehearses walks with everything that the target offers, and with everything that there is, to
// learn which transitions a control would open.
func reachOf(t *target.Target) (reach, error) {
	offer := plan.OfferOf(t.Profile, t.Has)
	r := reach{allowed: everything()}
	unreachable := map[model.Transition]Unreachable{}
	// Without what prepares a walk, its steps say less, and need less.
	for rehearsed := rehearsedWithEverything(); ; rehearsed = rehearse(r.allowed) {
		lacks, err := lacking(rehearsed, offer)
		if err != nil {
			return r, err
		}
		given := false
		for transition, why := range lacks {
			given = given || isGiven(transition)
			unreachable[transition] = why
		}
		for transition := range lacks {
			if !given || isGiven(transition) { // first what prepares
				delete(r.allowed, transition)
			}
		}
		if len(lacks) == 0 {
			r.transitions, r.pairs = maps.Clone(rehearsed.seen), maps.Clone(rehearsed.pairs)
			break
		}
	}
	for _, row := range model.Table() {
		if why, ok := unreachable[row.Transition]; ok && r.transitions[row.Transition] == 0 {
			r.unreachable = append(r.unreachable, why)
		}
	}
	return r, nil
}

// mostLines is how many sentences of a transition are looked at: all kinds that it says are among them.
const mostLines = 60

// rehearsal is a guide with the lines that each transition was seen to say.
type rehearsal struct {
	*guide
	lines map[model.Transition][]model.Line
}

// rehearsedWithEverything takes seconds, and is the same for every target.
var rehearsedWithEverything = sync.OnceValue(func() rehearsal { return rehearse(everything()) })

func everything() map[model.Transition]bool {
	all := map[model.Transition]bool{}
	for _, r := range model.Table() {
		all[r.Transition] = true
	}
	return all
}

func rehearse(allowed map[model.Transition]bool) rehearsal {
	r := rehearsal{newGuide(rand.New(rand.NewPCG(1, 1)), allowed), map[model.Transition][]model.Line{}}
	for range rehearsals {
		w := r.draw()
		of := map[int]model.Transition{}
		for i, step := range w.Steps {
			of[step.ID] = w.Transitions[i]
		}
		for _, line := range w.Lines {
			if said := r.lines[of[line.Step]]; len(said) < mostLines {
				r.lines[of[line.Step]] = append(said, line)
			}
		}
	}
	return r
}

// lacking are the transitions whose sentences need controls that the target lacks, or do not apply to it.
func lacking(r rehearsal, offer plan.Offer) (map[model.Transition]Unreachable, error) {
	lacks := map[model.Transition]Unreachable{}
	for transition, lines := range r.lines {
		scenario := &catalogue.Scenario{Rule: &catalogue.Rule{Feature: &catalogue.Feature{}}}
		for _, l := range lines {
			scenario.Steps = append(scenario.Steps, catalogue.Step{Keyword: l.Keyword, Text: l.Text, Table: l.Table})
		}
		planned, err := plan.Make([]*catalogue.Scenario{scenario}, offer)
		if err != nil {
			return nil, err
		}
		switch p := planned[0]; {
		case p.Runs():
		case p.Outside != "":
			lacks[transition] = Unreachable{Transition: transition, Outside: p.Outside}
		case len(p.Missing) > 0:
			lacks[transition] = Unreachable{Transition: transition, Missing: slices.Clone(p.Missing)}
		default:
			lacks[transition] = Unreachable{Transition: transition, Missing: []string{p.Hint}}
		}
	}
	return lacks, nil
}

func isGiven(t model.Transition) bool { return model.Table()[positions()[t]-1].Given }
