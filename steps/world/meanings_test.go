package world

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
)

// Every meaning that the features use is acted on in world or judged in judge. A step that
// neither knows would pass whatever the gateway does.
func TestEveryMeaningIsActedOnOrJudged(t *testing.T) {
	t.Parallel()
	known := map[string]bool{ // they hold by the plan, which runs a scenario only where they do
		"NoFees": true, "ShownInHandshake": true,
	}
	for meaning := range actions {
		known[meaning.Name()] = true
	}
	for _, name := range casesIn(t, "../judge/judge.go") {
		known[name] = true
	}
	all, err := catalogue.Load(features.FS)
	require.NoError(t, err)
	for scenario := range all.Scenarios() {
		steps, err := language.ReadAll(scenario)
		require.NoError(t, err)
		for _, step := range steps {
			name := reflect.TypeOf(step.Meaning).Name()
			require.True(t, known[name], "%s: neither steps/world/act.go nor steps/judge/judge.go knows language.%s (%q)", scenario.Rule.Feature.File, name, step.Text)
		}
	}
}

// casesIn are the types of the language package that a file's type switches have a case for.
func casesIn(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(file), nil, 0)
	require.NoError(t, err)
	var names []string
	ast.Inspect(parsed, func(n ast.Node) bool {
		clause, ok := n.(*ast.CaseClause)
		if !ok {
			return true
		}
		for _, e := range clause.List {
			if s, ok := e.(*ast.SelectorExpr); ok {
				names = append(names, s.Sel.Name)
			}
		}
		return true
	})
	require.NotEmpty(t, names)
	return names
}
