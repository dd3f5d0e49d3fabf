package model

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// Move is a row of the model: something that happens to a thing in one of some states, or that makes a
// thing.
type Move struct {
	Event    string           // what happens: "the bank confirms it"
	Noun     string           // of the thing that it happens to, or that it makes; empty for the account itself
	From     states           // the states of that thing; none for a move that is about no thing that exists
	Ways     []string         // of doing it; none for one
	By       language.Account // that does it
	Shows    string           // the statements of the specification that it shows
	Late     bool             // after it, less can be foretold: it is for the second half of a walk
	Opens    bool             // it opens the account, before which nothing else is possible
	Given    bool             // it prepares the scenario
	Optional bool             // it prepares only some scenarios
	Passes   bool             // it moves time
	Finishes bool             // it brings what waits to rest
	Looks    bool             // it only looks
	Core     bool             // it takes a payment, a charge or a case through its life
	Seldom   bool             // it sends many requests
	Wrong    bool             // it sends a request that is rejected, whatever was done before
	Requests int              // from how many requests a Wrong move chooses; 0 for other moves
	Removed  bool             // it is about what an account has left that was removed, and possible only then
	do       func(*play)      // calls needs if it is not possible
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
	Draws
}

// Line is a sentence of a scenario.
type Line struct {
	Keyword string // Given, When or Then
	Text    string
	Table   [][]string
	Step    int // ID of the step that says it
}

// play is a step as it is done: a transition of the gateway, what sentences can refer to after it, and the
// sentences. Its methods are what moves of several themes have in common.
type play struct {
	gw   Gateway
	refs Referents
	script
	chance
	step Step
	who  language.Account // that does it
	it   *Thing           // that the step is about
}

// impossible ends a play whose move cannot be done now.
type impossible struct{}

// needs ends the play unless a condition holds. It is thrown away then, whatever it has done.
func (p *play) needs(holds bool) {
	if !holds {
		panic(impossible{})
	}
}

// perform does the move; false if that is not possible.
func (m *Move) perform(p *play) (done bool) {
	defer func() {
		if err := recover(); err != nil && err != (impossible{}) {
			panic(err)
		}
	}()
	m.do(p)
	return true
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

// table adds rows to the table of the last sentence.
func (s *script) table(rows [][]string) {
	last := &s.lines[len(s.lines)-1]
	last.Table = slices.Concat(last.Table, rows)
}

// with adds a row to the table of the last sentence.
func (s *script) with(field string, value any) {
	last := &s.lines[len(s.lines)-1]
	last.Table = append(last.Table, []string{field, fmt.Sprint(value)})
}

// leaves adds a row for each value in JSON.
func (s *script) leaves(path, text string) {
	var object map[string]json.RawMessage
	var list []json.RawMessage
	switch {
	case json.Unmarshal([]byte(text), &object) == nil:
		for _, name := range []string{"cpf", "cnpj", "nome", "valor"} {
			if value, ok := object[name]; ok {
				s.leaves(path+"."+name, string(value))
			}
		}
	case json.Unmarshal([]byte(text), &list) == nil:
		for i, value := range list {
			s.leaves(fmt.Sprintf("%s[%d]", path, i), string(value))
		}
	default:
		s.with(path, text)
	}
}
