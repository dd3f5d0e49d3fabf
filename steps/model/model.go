// Package model is the behaviour of the API as a pure state machine: what may happen to a gateway in a
// state, what the specification then demands, and the state that follows. It has no I/O and no clock,
// and what a step leaves to chance follows from its seed. A walk through it is a list of steps, which is written as a scenario of the features.
//
// Where the specification does not say what happens, the model demands nothing: a state becomes Unknown, an
// amount a range, and a move whose outcome is unpredictable is never made.
//
// From top to bottom: walks; the moves, by theme; what moves share, a play; what sentences can refer to
// (Referents); the state of the gateway (Gateway). What becomes of things and of money is package spec's.
package model

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/steps/api"
)

// Transition names a move in a state: "cob ATIVA: a payer pays it".
type Transition string

// Row is a move in one of its states and ways.
type Row struct {
	*Move
	State      api.State
	Way        string
	Transition Transition
}

// Table is every move in every state and way. It is made once, because walks look through it at every step.
var Table = sync.OnceValue(func() (all []Row) {
	for i := range Moves() {
		m := &Moves()[i]
		for _, way := range m.ways() {
			for _, state := range m.states() {
				all = append(all, Row{m, state, way, m.transition(state, way)})
			}
		}
	}
	return all
})

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

// Plainest is the simplest move that makes the same kind of thing; the move itself if it makes none.
func Plainest(m *Move) *Move {
	if i := slices.IndexFunc(Table(), func(r Row) bool { return r.Noun == m.Noun && len(r.From) == 0 }); m.Noun != "" && len(m.From) == 0 {
		return Table()[i].Move
	}
	return m
}
