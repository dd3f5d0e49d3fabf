package steps

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/catalogue"
)

// Every sentence of the features is understood in one way; every sentence of the
// vocabulary is spoken.
func TestTheFeaturesSpeakTheVocabulary(t *testing.T) {
	t.Parallel()
	spoken := map[*sentence]bool{}
	eachStep(t, func(scenario *catalogue.Scenario, step catalogue.Step) {
		s, err := understand(step.Text)
		require.NoError(t, err, "%s:%d", scenario.Rule.Feature.File, step.Line)
		spoken[s] = true
		raw := strings.Contains(step.Text, "whose body is") // whatever its bytes
		require.Equal(t, strings.HasSuffix(step.Text, ":") && !raw, len(step.Table) > 0, "%s:%d: a table and a colon go together", scenario.Rule.Feature.File, step.Line)
	})
	for i := range sentences {
		require.True(t, spoken[&sentences[i]], "no feature speaks %s", sentences[i].pattern)
	}
	require.Less(t, len(sentences), 150, "the vocabulary stays small")
}

// Every outcome that a feature expects can be parsed.
func TestTheFeaturesExpectWhatCanBeJudged(t *testing.T) {
	t.Parallel()
	clause := regexp.MustCompile(`^(?:it (?:is|should be)|the others are) ((?:accepted|refused)\b.*)$`)
	eachStep(t, func(scenario *catalogue.Scenario, step catalogue.Step) {
		if m := clause.FindStringSubmatch(step.Text); m != nil {
			_, err := parseExpectation(m[1])
			require.NoError(t, err, "%s:%d", scenario.Rule.Feature.File, step.Line)
		}
	})
}

// Every open point is noted by some scenario, and every note has its open point.
func TestTheFeaturesNoteTheOpenPoints(t *testing.T) {
	t.Parallel()
	points, err := embeddedPoints()
	require.NoError(t, err)
	noted := map[string]bool{}
	note := regexp.MustCompile(`noted as "([^"]*)"`)
	eachStep(t, func(_ *catalogue.Scenario, step catalogue.Step) {
		if m := note.FindStringSubmatch(step.Text); m != nil {
			noted[m[1]] = true
		}
	})
	for _, p := range points {
		require.True(t, noted[p.Name], "no scenario notes %q", p.Name)
		delete(noted, p.Name)
	}
	require.Empty(t, noted, "points that open-points.yaml does not have")
}

// Every rule of the operations table exists.
func TestTheRulesOfTheWireContractExist(t *testing.T) {
	t.Parallel()
	all, err := embeddedFeatures()
	require.NoError(t, err)
	rules := map[string]bool{}
	for _, f := range all.Features {
		for _, r := range f.Rules {
			rules[r.Name] = true
		}
	}
	for _, event := range contractEvents {
		require.True(t, rules[event.rule], event.rule)
	}
	for _, op := range operations {
		require.True(t, op.rule == "" || rules[op.rule], op.rule)
	}
}

func eachStep(t *testing.T, visit func(*catalogue.Scenario, catalogue.Step)) {
	t.Helper()
	all, err := embeddedFeatures()
	require.NoError(t, err)
	for _, f := range all.Features {
		for _, r := range f.Rules {
			for _, s := range r.Scenarios {
				for _, step := range s.Steps {
					visit(s, step)
				}
			}
		}
	}
}
