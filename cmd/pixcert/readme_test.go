package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/run"
)

// The feature in the README is made of sentences that exist.
func TestTheReadmeHasAFeatureThatRuns(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	feature := between(string(text), "```gherkin\n", "```")
	_, err = run.Suite(catalogue.Own{Sources: []catalogue.Source{{File: "README.md", Text: feature}}})
	require.NoError(t, err)
}

// The first output that the README shows is that of this version; the others are of some run.
func TestTheReadmeCountsRulesAndScenarios(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	all, err := catalogue.Load(features.FS)
	require.NoError(t, err)
	rules, scenarios := 0, 0
	for _, feature := range all.Features {
		for _, rule := range feature.Rules {
			rules++
			scenarios += len(rule.Scenarios)
		}
	}
	for pattern, want := range map[string]int{`(?m)^  \d+ of (\d+) rules? `: rules, `(?m)^  (\d+) scenarios in `: scenarios} {
		match := regexp.MustCompile(pattern).FindSubmatch(text)
		require.NotEmpty(t, match, pattern)
		require.Equal(t, strconv.Itoa(want), string(match[1]), "README.md: %s", match[0])
	}
}
