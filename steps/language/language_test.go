package language

import (
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
		require.True(t, spoken[s], "no feature speaks %s", s.Pattern)
	}
	require.Less(t, len(vocabulary), 150, "the vocabulary stays small")
}

// Every open point is noted by some scenario, and every note has its open point.
func TestTheFeaturesNoteTheOpenPoints(t *testing.T) {
	t.Parallel()
	points, err := catalogue.OpenPoints(features.FS)
	require.NoError(t, err)
	noted := map[string]bool{}
	for _, s := range scenarios(t) {
		steps, err := ReadAll(s)
		require.NoError(t, err)
		for _, step := range steps {
			switch m := step.Meaning.(type) {
			case Noted:
				noted[m.Point] = true
			case WhetherNoted:
				noted[m.Point] = true
			}
		}
	}
	for _, p := range points {
		require.True(t, noted[p.Name], "no scenario notes %q", p.Name)
		delete(noted, p.Name)
	}
	require.Empty(t, noted, "points that open-points.yaml does not have")
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
	var scenarios []*catalogue.Scenario
	for _, f := range all.Features {
		for _, r := range f.Rules {
			scenarios = append(scenarios, r.Scenarios...)
		}
	}
	return scenarios
}
