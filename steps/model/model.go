// Package model is the behaviour of the API as a pure state machine: what may happen to a gateway in a
// state, what the specification then demands, and the state that follows. It has no I/O, no clock and
// no randomness. A walk through it is a list of steps, which is written as a scenario of the features.
//
// Where the specification leaves open what happens, the model demands nothing: a state becomes Unknown,
// an amount a range, and what cannot be foretold is not done.
package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// Move is a row of the model: something that happens to a thing in one of some states, or that makes a
// thing.
type Move struct {
	Event    string   // what happens: "the bank confirms it"
	Noun     string   // of the thing that it happens to, or that it makes; empty for the account itself
	From     states   // the states of that thing; none for a move that is about no thing that exists
	Ways     []string // of doing it; none for one
	Shows    string   // the statements of the specification that it shows
	Late     bool     // after it, less can be foretold: it is for the second half of a walk
	Given    bool     // it prepares the scenario
	Optional bool     // it prepares only some scenarios
	Passes   bool     // it moves time
	Finishes bool     // it brings what waits to rest
	Looks    bool     // it only looks
	Core     bool     // it takes a payment, a charge or a case through its life
	Seldom   bool     // it sends many requests
	Wrong    bool     // it sends a request that is rejected, whatever was done before
	Requests int      // from how many requests a Wrong move chooses; 0 for other moves
	Removed  bool     // it is about what an account has left that was removed, and possible only then
	do       func(*play) bool
}

// states are those of one kind of thing.
type states = []api.State

// Step is a move in a walk. It names the thing that it is about by the step that made it, so that other
// steps can be dropped from the walk.
type Step struct {
	ID   int // unique within the walk
	Move *Move
	Way  string
	Of   int // ID of the step that made the thing; 0 for none
	Luck int // decides what the way leaves open: which amount, which shape of a request
}

// Transition names a move in a state: "cob ATIVA: a payer pays it".
type Transition string

// Transitions are all transitions of the model, in the order of its rows.
func Transitions() []Transition {
	var all []Transition
	for _, c := range table() {
		all = append(all, c.transition)
	}
	return all
}

// table is every move in every state and way. It is made once, because walks look through it at every
// step.
var table = sync.OnceValue(func() (all []cell) {
	for i := range Moves() {
		m := &Moves()[i]
		for _, way := range m.ways() {
			for _, state := range m.states() {
				all = append(all, cell{m, state, way, m.transition(state, way)})
			}
		}
	}
	return all
})

type cell struct {
	move       *Move
	state      api.State
	way        string
	transition Transition
}

func (m *Move) ways() []string {
	if len(m.Ways) == 0 {
		return []string{""}
	}
	return m.Ways
}

func (m *Move) states() states {
	if len(m.From) == 0 {
		return states{Unknown}
	}
	return m.From
}

func (m *Move) transition(state api.State, way string) Transition {
	subject := strings.TrimSpace(cmp.Or(m.Noun, "account") + " " + string(state))
	return Transition(strings.TrimSpace(subject + ": " + m.Event + " " + way))
}

// Statements are the ids of the statements that a move shows.
func (m *Move) Statements() []string { return strings.Fields(m.Shows) }

// Line is a sentence of a scenario.
type Line struct {
	Keyword string // Given, When or Then
	Text    string
	Table   [][]string
	Step    int // ID of the step that says it
}

// Walk is a list of steps that are possible one after the other.
type Walk struct {
	State
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
	p := &play{State: w.State.clone(), step: step, script: script{by: step.ID}}
	state := Unknown
	if len(step.Move.From) > 0 {
		if p.it = p.made(step.Of); p.it == nil || p.it.Noun != step.Move.Noun || !slices.Contains(step.Move.From, p.it.State) {
			return nil
		}
		state = p.it.State
	}
	if step.Move.Given && !p.Preparing() || step.Move.Removed != p.Removed || !step.Move.do(p) || !p.mayListCases() {
		return nil
	}
	p.Began = p.Began || !step.Move.Given
	if w.Meant && step.Of != w.Last[api.Payment] && p.Last[api.Payment] == w.Last[api.Payment] {
		p.Last[api.Payment], p.Meant = 0, false // sentences return to a payment until any request is sent
	}
	lines := slices.Clip(w.Lines)
	if last := w.last(); last.Keyword == "When" && w.Sent && w.moved(last.Step) && p.lines[0].Keyword == "When" {
		// Otherwise what the next step says of the balance would include what this one has moved.
		lines = append(lines, Line{Keyword: "Then", Text: "nothing else changes", Step: last.Step})
	}
	return &Walk{
		State:       p.State,
		Steps:       append(slices.Clip(w.Steps), step),
		Transitions: append(slices.Clip(w.Transitions), step.Move.transition(state, step.Way)),
		Lines:       append(lines, p.lines...),
	}
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

// Choices are the steps that a transition can be in this state of a walk, if they are possible: one for
// each thing that it can be about.
func (w *Walk) Choices(m *Move, state api.State, way string, id, luck int) []Step {
	if len(m.From) == 0 {
		return []Step{{ID: id, Move: m, Way: way, Luck: luck}}
	}
	var all []Step
	for _, t := range w.Things {
		if t.Noun == m.Noun && t.State == state {
			all = append(all, Step{ID: id, Move: m, Way: way, Of: t.Step, Luck: luck})
		}
	}
	return all
}

// Each calls f with every transition of the model, until it returns false.
func Each(f func(m *Move, state api.State, way string, t Transition) bool) {
	for _, c := range table() {
		if !f(c.move, c.state, c.way, c.transition) {
			return
		}
	}
}

// Plainest is the simplest move that makes the same kind of thing; the move itself if it makes none.
func Plainest(m *Move) *Move {
	for _, c := range table() {
		if m.Noun != "" && len(m.From) == 0 && c.move.Noun == m.Noun && len(c.move.From) == 0 {
			return c.move
		}
	}
	return m
}

// play is a step as it is done.
//
// Many methods: one for each thing that moves have in common, such as sending a payment and saying what
// the balance then shows.
type play struct {
	State
	script
	step Step
	it   *Thing // that the step is about
}

// script is what a step says.
type script struct {
	by    int // ID of the step
	lines []Line
}

// given, when and then add a sentence. Those of a table have a row after the words.
func (s *script) given(text string, words ...any) { s.say("Given", text, words) }
func (s *script) when(text string, words ...any)  { s.say("When", text, words) }
func (s *script) then(text string, words ...any)  { s.say("Then", text, words) }

func (s *script) say(keyword, text string, words []any) {
	s.lines = append(s.lines, Line{Keyword: keyword, Text: fmt.Sprintf(text, words...), Step: s.by})
}

// with adds a row to the table of the last sentence.
func (s *script) with(field string, value any) {
	last := &s.lines[len(s.lines)-1]
	last.Table = append(last.Table, []string{field, fmt.Sprint(value)})
}

// quoted are values of a field as tables spell them, of which it has one: `"OPEN" or "RECEIVED"`.
func quoted[T ~string](values ...T) string {
	var all []string
	for _, v := range values {
		all = append(all, `"`+string(v)+`"`)
	}
	return strings.Join(all, " or ")
}

// named is what sentences call a thing: "the second payment".
func (s *State) named(t *Thing) string {
	n := 0
	for i := range s.Things {
		if s.Things[i].Called == t.Called {
			n++
		}
		if &s.Things[i] == t {
			break
		}
	}
	return fmt.Sprintf("the %v %v", language.Nth(n), t.Called)
}

// make adds a thing, in the order in which sentences count them.
func (p *play) make(t Thing) *Thing {
	t.Step, t.Noun, t.MadeAt, t.Endpoints = p.step.ID, cmp.Or(t.Noun, p.step.Move.Noun), p.Elapsed, p.Hooks.Endpoints
	if t.Called = "case"; t.Noun != medCase { // which no request makes
		t.Makes = api.MustNamed(t.Noun).Makes
		t.Called, p.Meant = t.Makes.String(), p.Meant && t.Makes != api.Payment
		p.LastSent[t.Account], p.Last[t.Makes], p.LastHook = t.Step, t.Step, 0
	}
	p.Things = append(p.Things, t)
	return &p.Things[len(p.Things)-1]
}
