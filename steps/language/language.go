// Package language reads the sentences of the features. Its vocabulary is one table: the form
// of a sentence, the typed value that it stands for, and its effects. A step is read once, when
// the plan is made; nothing else looks at its words.
package language

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
)

// Step is a step of a scenario with what it says.
type Step struct {
	catalogue.Step
	Sentence *Sentence
	Meaning  Meaning
	Effects  Effects
	spelled  [][]string // the fields that it changes and their values, as it spells them
}

// Sentence is one row of the vocabulary.
type Sentence struct {
	*form
	Position string   // where the vocabulary has it: "steps/language/vocabulary.go:38"
	effects  []effect // none: it changes everything
}

// Read finds the one sentence that a step speaks, and what it says.
func Read(step catalogue.Step) (Step, error) {
	found, err := readAmong(vocabulary, step)
	if err != nil {
		return found, err
	}
	send, _ := found.Meaning.(Send) // whose body may end in a colon
	switch takesTable := strings.HasSuffix(step.Text, ":") && send.Raw == nil; {
	case step.DocString != "":
		return found, fmt.Errorf("%q has a text in triple quotes below it, which no sentence takes", step.Text)
	case takesTable && len(step.Table) == 0:
		return found, fmt.Errorf("%q ends in a colon, but no table follows", step.Text)
	case !takesTable && len(step.Table) > 0:
		return found, fmt.Errorf("%q has a table, but does not end in a colon", step.Text)
	}
	return found, nil
}

// readAmong finds the one of some sentences that a step speaks.
func readAmong(sentences []*Sentence, step catalogue.Step) (found Step, err error) {
	for _, s := range sentences {
		m, w := s.read(step.Text, step.Table)
		if w == nil {
			continue
		}
		if found.Sentence != nil {
			return found, fmt.Errorf("%q can be read in two ways: %s and %s", step.Text, found.Sentence.template, s.template)
		}
		found = Step{Step: step, Sentence: s, Meaning: m, spelled: w.spelled}
		if w.err != nil {
			return found, fmt.Errorf("%q: %w", step.Text, w.err)
		}
		for _, declare := range s.effects {
			declare(&found.Effects, found.Meaning)
		}
	}
	if found.Sentence == nil {
		err = fmt.Errorf("%q is not a sentence of the vocabulary", step.Text)
	}
	return found, err
}

// ReadAll reads the steps of a scenario.
func ReadAll(scenario *catalogue.Scenario) ([]Step, error) {
	var all []Step
	for _, step := range scenario.Steps {
		s, err := Read(step)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", scenario.Rule.Feature.File, step.Line, err)
		}
		all = append(all, s)
	}
	return all, nil
}

// position is the place of a row of the vocabulary, below the root of the project.
func position() string {
	_, file, line, _ := runtime.Caller(2)
	return fmt.Sprintf("steps/language/%s:%d", filepath.Base(file), line)
}

// StartsWhen reports whether a step is the first of a When.
func StartsWhen(steps []Step, i int) bool {
	return steps[i].Type == catalogue.Action && (i == 0 || steps[i-1].Type != catalogue.Action)
}

// WhenOf is the first step of the When that a step belongs to.
func WhenOf(steps []Step, i int) int {
	for i > 0 && !StartsWhen(steps, i) {
		i--
	}
	return i
}

// SpokenWhen are the words of the When that a step belongs to, for a finding.
func SpokenWhen(steps []Step, i int) string {
	var spoken []string
	for _, step := range steps[WhenOf(steps, i):i] {
		if step.Type == catalogue.Action {
			spoken = append(spoken, step.Text)
		}
	}
	return strings.Join(spoken, " and ")
}

// MustBeRefused reports whether the request of a step has to be refused: it is the last of its
// When, and the scenario says so of it, or of it and the one before.
func MustBeRefused(steps []Step, i int) bool {
	after := steps[i+1:]
	switch {
	case len(after) == 0:
		return false
	case after[0].Type == catalogue.Action:
		if len(after) == 1 {
			return false
		}
		_, both := after[1].Meaning.(RefusalsCompare)
		return both
	}
	switch m := after[0].Meaning.(type) {
	case Answered:
		return m.Of != Others && m.Modality == Must && m.Expected.MustRefuse()
	case RefusalsCompare:
		return true
	}
	return false
}

// Words are all words of the step, its table included.
func (s Step) Words() string {
	words := s.Text
	for _, row := range s.Table {
		words += "\n| " + strings.Join(row, " | ") + " |"
	}
	return words
}
