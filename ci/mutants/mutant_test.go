package mutants

import (
	"io/fs"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
)

func TestEachRuleHasAMutantAndEachMutantARule(t *testing.T) {
	t.Parallel()
	rules := rulesOfFeatures(t)
	broken := map[string]bool{}
	for _, m := range All() {
		assert.True(t, rules[m.Rule], "%q breaks the rule %q, which there is not", m.Name, m.Rule)
		broken[m.Rule] = true
	}
	for rule := range rules {
		assert.True(t, broken[rule], "no mutant breaks the rule %s: add one", rule)
	}
}

// rulesOfFeatures are the names of the rules: the first tag above each Rule, before the
// tags of the statements that it shows.
func rulesOfFeatures(t *testing.T) map[string]bool {
	t.Helper()
	tagged := regexp.MustCompile(`(?m)^\s*@([a-z-]+\.[a-z0-9-]+)(?: @shapes)?\s*\n(?:\s*@[A-Z].*\n)*\s*Rule:`)
	files, err := fs.Glob(features.FS, "*.feature")
	require.NoError(t, err)
	rules := map[string]bool{}
	for _, file := range files {
		text, err := features.FS.ReadFile(file)
		require.NoError(t, err)
		found := tagged.FindAllStringSubmatch(string(text), -1)
		require.Len(t, found, strings.Count(string(text), "Rule:"), "%s: each rule has one tag of the form @area.name", file)
		for _, m := range found {
			rules[m[1]] = true
		}
	}
	return rules
}

func TestNamesAreUnique(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, m := range slices.Concat(All(), Tolerated(), AllDeep(), Combinations(), AllPartial()) {
		assert.NotEmpty(t, m.Name)
		assert.False(t, known[m.Name], "two mutants are called %q", m.Name)
		known[m.Name] = true
	}
}

func TestToleratedGatewaysBreakNoRule(t *testing.T) {
	t.Parallel()
	assert.GreaterOrEqual(t, len(Tolerated()), 410)
	for _, m := range Tolerated() {
		assert.Empty(t, m.Rule, m.Name)
	}
}

func TestEachMutantHasAFaultAtSomeSeam(t *testing.T) {
	t.Parallel()
	for _, m := range slices.Concat(All(), Tolerated(), AllPartial()) {
		assert.True(t, len(m.fault.parts) > 0 || len(m.fault.triggers) > 0, m.Name)
		for _, p := range m.fault.parts {
			assert.NotNil(t, p.begin(), m.Name)
		}
	}
}

func TestASeamWithoutAFaultIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	handler := http.NewServeMux()
	wire := &http.Transport{}
	m := Mutant{fault: answering(cashOut, always)}
	assert.Equal(t, http.Handler(handler), m.Controls(handler))
	assert.Equal(t, http.RoundTripper(wire), m.Webhooks(wire))
}

func TestEachDeepMutantBreaksAStatementOfARule(t *testing.T) {
	t.Parallel()
	rules := rulesOfFeatures(t)
	assert.GreaterOrEqual(t, len(AllDeep()), 300)
	assert.GreaterOrEqual(t, len(Combinations()), 40)
	for _, m := range append(AllDeep(), Combinations()...) {
		assert.True(t, rules[m.Rule], "%q breaks the rule %q, which there is not", m.Name, m.Rule)
		assert.Regexp(t, `^[A-Z]+-\d{3}$`, m.Deep.Statement, m.Name)
		assert.NotEmpty(t, m.Deep.Kind, m.Name)
		assert.Regexp(t, `^ci/mutants/(deep[a-z]+|combinations)\.go:\d+$`, m.Position(), m.Name)
	}
}

func TestEachPartialMutantViolatesAStatement(t *testing.T) {
	t.Parallel()
	of := map[PartialKind]int{}
	for _, m := range AllPartial() {
		assert.Empty(t, m.Rule, "no rule is about a corner: %s", m.Name)
		assert.Regexp(t, `^[A-Z]+-\d{3}$`, m.Deep.Statement, m.Name)
		assert.Regexp(t, `^ci/mutants/partial[a-z]+\.go:\d+$`, m.Position(), m.Name)
		of[m.Partial]++
	}
	for _, kind := range PartialKinds() {
		assert.GreaterOrEqual(t, of[kind], 25, kind)
		delete(of, kind)
	}
	assert.Empty(t, of, "each kind is listed")
}
