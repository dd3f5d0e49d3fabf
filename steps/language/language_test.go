package language

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
)

// Every step of the features speaks one sentence; every sentence is spoken.
func TestTheFeaturesSpeakTheVocabulary(t *testing.T) {
	t.Parallel()
	spoken := map[*Sentence]bool{}
	for _, s := range scenarios(t) {
		steps, err := ReadAll(s)
		require.NoError(t, err)
		for _, step := range steps {
			spoken[step.Sentence] = true
		}
	}
	for _, s := range vocabulary {
		require.True(t, spoken[s], "no feature speaks %s", s.template)
	}
	require.Less(t, len(vocabulary), 150, "the vocabulary stays small")
}

// Every open point is noted by some scenario, or recommended about, and every note and every
// recommendation has its open point.
func TestTheFeaturesNoteTheOpenPoints(t *testing.T) {
	t.Parallel()
	points, err := catalogue.OpenPoints(features.FS)
	require.NoError(t, err)
	tagged := map[string]string{} // points by their tags
	for _, p := range points {
		tagged[p.Tag()] = p.Name
	}
	named := map[string]bool{}
	for _, s := range scenarios(t) {
		for _, m := range notes(t, s) {
			named[m.Point] = true
		}
		recommends := slices.ContainsFunc(s.Steps, recommendation)
		tags := slices.DeleteFunc(slices.Clone(s.Tags), func(tag string) bool { return !strings.HasPrefix(tag, catalogue.OpenTag) })
		require.Equal(t, recommends, len(tags) > 0, "%s:%d: a scenario has tags @open:POINT if, and only if, it says what should be: what the specification states must be", s.Rule.Feature.File, s.Line)
		for _, tag := range tags {
			require.Contains(t, tagged, tag, "%s:%d: open-points.yaml has no such point", s.Rule.Feature.File, s.Line)
			named[tagged[tag]] = true
		}
	}
	for _, p := range points {
		require.True(t, named[p.Name], "no scenario notes %q or has the tag %s", p.Name, p.Tag())
		delete(named, p.Name)
	}
	require.Empty(t, named, "points that open-points.yaml does not have")
}

// recommendation reports whether a step says what should be.
func recommendation(step catalogue.Step) bool {
	return slices.Contains(strings.Fields(step.Text), "should")
}

// notes are the notes of a scenario; of those whether something happens, the point alone.
func notes(t *testing.T, s *catalogue.Scenario) []Noted {
	t.Helper()
	steps, err := ReadAll(s)
	require.NoError(t, err)
	var all []Noted
	for _, step := range steps {
		switch m := step.Meaning.(type) {
		case Noted:
			all = append(all, m)
		case WhetherNoted:
			all = append(all, Noted{Point: m.Point})
		}
	}
	return all
}

// A note of a point with readings says what each of them does in its scenario, so that a
// gateway can be held to one.
func TestNotesHaveTheReadingsOfTheirPoint(t *testing.T) {
	t.Parallel()
	points, err := catalogue.OpenPoints(features.FS)
	require.NoError(t, err)
	readings, told := map[string][]string{}, map[string]map[string]bool{}
	for _, p := range points {
		for _, r := range p.Readings {
			readings[p.Name] = append(readings[p.Name], r.Name)
		}
	}
	for _, s := range scenarios(t) {
		for _, m := range notes(t, s) {
			var names []string
			values := ""
			for _, r := range m.Readings {
				names, values = append(names, r.Name), values+"|"+strings.Join(r.Values, " or ")
			}
			require.Equal(t, readings[m.Point], names, "%s:%d: the readings of %q", s.Rule.Feature.File, s.Line, m.Point)
			if told[m.Point] == nil {
				told[m.Point] = map[string]bool{}
			}
			told[m.Point][values] = true
		}
	}
	for point := range readings {
		require.Greater(t, len(told[point]), 1, "the readings of %q have the same table in every scenario: add one in which they do not, or use permitted", point)
	}
}

// Every rule that breaches of the wire contract are reported under exists.
func TestTheRulesOfTheWireContractExist(t *testing.T) {
	t.Parallel()
	rules := map[string]bool{}
	for _, s := range scenarios(t) {
		rules[s.Rule.Name] = true
	}
	for name, payload := range api.Payloads {
		require.True(t, rules[payload.Rule], name)
	}
	for _, op := range api.Operations {
		require.True(t, op.Rule == "" || rules[op.Rule], op.Noun)
	}
}

func scenarios(t *testing.T) []*catalogue.Scenario {
	t.Helper()
	all, err := catalogue.Load(features.FS)
	require.NoError(t, err)
	return slices.Collect(all.Scenarios())
}

// BenchmarkReadAll reads every step of the features, as a run does before it begins.
func BenchmarkReadAll(b *testing.B) {
	all, err := catalogue.Load(features.FS)
	require.NoError(b, err)
	for b.Loop() {
		for s := range all.Scenarios() {
			if _, err := ReadAll(s); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func TestTheWordsOfAWhen(t *testing.T) {
	t.Parallel()
	step := func(of catalogue.StepType, text string) Step { return Step{Step: catalogue.Step{Type: of, Text: text}} }
	steps := []Step{
		step(catalogue.Context, "an account"), step(catalogue.Action, "a payer pays the charge"), step(catalogue.Action, "601 seconds pass"),
		step(catalogue.Outcome, "nothing changes"), step(catalogue.Action, "the PSP removes the charge"), step(catalogue.Outcome, "nothing else changes"),
	}
	require.Equal(t, "a payer pays the charge and 601 seconds pass", SpokenWhen(steps, 3))
	require.Equal(t, "the PSP removes the charge", SpokenWhen(steps, 5))
	require.Empty(t, SpokenWhen(steps, 0))
}
