package catalogue

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What WriteScenario writes is read as the same steps.
func TestScenariosSurviveWriting(t *testing.T) {
	t.Parallel()
	all := embedded(t)
	var text strings.Builder
	text.WriteString("Feature: Written\n\n  @own.written\n  Rule: Written\n")
	var steps [][]Step
	add := func(these []Step) {
		fmt.Fprintf(&text, "\n%s", WriteScenario(fmt.Sprint(len(steps)), these))
		steps = append(steps, these)
	}
	for s := range all.Scenarios() {
		add(s.Steps)
	}
	add([]Step{{Keyword: "Then", Type: Outcome, Text: "cells keep", Table: [][]string{{`a\b`, `\n`, "\n", `|`, `\\`}}, DocString: ""}})
	add([]Step{{Keyword: "Then", Type: Outcome, Text: "texts keep", DocString: "one\n  two \"\"\" three"}})

	again, err := all.With(Own{Sources: []Source{{File: "./written.feature", Text: text.String()}}})
	require.NoError(t, err)
	written := again.Features[len(again.Features)-1].Rules[0].Scenarios
	require.Len(t, written, len(steps))
	for i, s := range written {
		require.Equal(t, bare(steps[i]), bare(s.Steps))
	}
}

// bare are steps without what depends on where they are written.
func bare(steps []Step) (all []Step) {
	for _, s := range steps {
		s.Keyword, s.Line = "", 0
		all = append(all, s)
	}
	return all
}
