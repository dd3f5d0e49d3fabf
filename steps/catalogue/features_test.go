package catalogue

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
)

// These tests hold for the features of the repository as they are embedded.

func embedded(t *testing.T) *Catalogue {
	t.Helper()
	c, err := Load(features.FS)
	require.NoError(t, err)
	return c
}

func TestFeaturesLoad(t *testing.T) {
	t.Parallel()
	selected, err := embedded(t).Select(Filter{})
	require.NoError(t, err)
	ids := map[string]bool{}
	for _, s := range selected {
		assert.False(t, ids[s.ID()], s.ID())
		ids[s.ID()] = true
	}
	points, err := OpenPoints(features.FS)
	require.NoError(t, err)
	assert.NotEmpty(t, points)
}

// What a scenario permits and what its open point says it permits are shown beside each other.
func TestOpenPointsPermitWhatTheirScenariosDo(t *testing.T) {
	t.Parallel()
	points, err := OpenPoints(features.FS)
	require.NoError(t, err)
	permitted := map[string]string{}
	for _, p := range points {
		permitted[p.Name] = p.Permitted
	}
	rejected := regexp.MustCompile(`or rejected with (\d+)(?: or (\d+))?$`)
	observed := regexp.MustCompile(`^the response's status is recorded for open point "(.*)"$`)
	n := 0
	for s := range embedded(t).Scenarios() {
		var statuses []string
		for _, step := range s.Steps {
			if m := rejected.FindStringSubmatch(step.Text); m != nil {
				statuses = m[1:]
			}
			if m := observed.FindStringSubmatch(step.Text); m != nil && strings.Contains(permitted[m[1]], "200") {
				for _, status := range statuses {
					n++
					assert.Contains(t, permitted[m[1]], status, "%s, open point %q", s.ID(), m[1])
				}
			}
		}
	}
	assert.Greater(t, n, 20, "statuses compared")
}

// onlyWarns begins the note of a statement whose rules never fail because of it.
const onlyWarns = "Only a warning: "

func TestEachStatementHasARuleOrANote(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	for _, s := range c.Statements {
		if len(c.RulesShowing(s.ID)) == 0 {
			assert.NotEmpty(t, s.Note, "no rule shows %s: tag one with @%s, or say in its note why none does", s.ID, s.ID)
			assert.NotContains(t, s.Note, onlyWarns, "no rule warns of %s: tag those that do with @%s", s.ID, s.ID)
			continue
		}
		if s.Note != "" {
			assert.True(t, strings.HasPrefix(s.Note, onlyWarns), "a rule shows %s: expected no note, or one that begins with %q, got %q", s.ID, onlyWarns, s.Note)
		}
	}
}

// Whoever reads one file of a subject has to find the others.
func TestASubjectInSeveralFilesNamesThem(t *testing.T) {
	t.Parallel()
	files := map[string][]*Feature{}
	for rule := range embedded(t).Rules() {
		subject, _, _ := strings.Cut(rule.Name, ".")
		if !slices.Contains(files[subject], rule.Feature) {
			files[subject] = append(files[subject], rule.Feature)
		}
	}
	for subject, all := range files {
		assert.True(t, slices.ContainsFunc(all, func(f *Feature) bool { return path.Base(f.File) == subject+".feature" }), "no rule of %q is in %s.feature", subject, subject)
		for _, f := range all {
			for _, other := range all {
				if other != f {
					assert.Contains(t, f.Description, path.Base(other.File), "%s: rules of %q are in this file, too", f.File, subject)
				}
			}
		}
	}
}

func TestEachRuleShowsAStatement(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	place := map[string]int{}
	for i, s := range c.Statements {
		place[s.ID] = i
	}
	for rule := range c.Rules() {
		assert.NotEmpty(t, rule.Statements, "%s:%d: tag the rule %s with the statements that it shows", rule.Feature.File, rule.Line, rule.Name)
		assert.True(t, slices.IsSortedFunc(rule.Statements, func(a, b string) int { return place[a] - place[b] }),
			"%s:%d: the statements of %s are not in the order of %s", rule.Feature.File, rule.Line, rule.Name, statementsFile)
	}
}

func TestStatementsAreNumberedBySection(t *testing.T) {
	t.Parallel()
	next := map[string]int{}
	previous := ""
	for _, s := range embedded(t).Statements {
		section, _, _ := strings.Cut(s.ID, "-")
		next[section]++
		assert.Equal(t, fmt.Sprintf("%s-%03d", section, next[section]), s.ID, "add a statement at the end of its section, with the next number")
		assert.True(t, section == previous || next[section] == 1, "%s is apart from its section", s.ID)
		assert.True(t, strings.HasSuffix(s.Text, "."), "%s is not a sentence: %s", s.ID, s.Text)
		assert.NotContains(t, s.Text, ". ", "%s has more than one sentence", s.ID)
		assert.True(t, s.Note == "" || strings.HasSuffix(s.Note, "."), "the note of %s is not a sentence: %s", s.ID, s.Note)
		previous = section
	}
}

// A rule area.name is in area.feature. Rules on a theme of a large area may be in
// area-theme.feature, if area.feature says so.
func TestRulesAreInTheFileOfTheirArea(t *testing.T) {
	t.Parallel()
	c := embedded(t)
	descriptions := map[string]string{}
	for _, feature := range c.Features {
		descriptions[feature.File] = feature.Description
	}
	for rule := range c.Rules() {
		area, _, _ := strings.Cut(rule.Name, ".")
		file := path.Base(rule.Feature.File)
		if file == area+".feature" {
			continue
		}
		assert.True(t, strings.HasPrefix(file, area+"-"), "%s:%d: move the rule %s to %s.feature", file, rule.Line, rule.Name, area)
		assert.Contains(t, descriptions[area+".feature"], file, "the description of %s.feature does not say that some of its rules are in %s", area, file)
	}
}
