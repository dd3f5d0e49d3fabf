package language

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/target"
)

func shapesOf(t *testing.T, steps ...catalogue.Step) (Shapes, error) {
	t.Helper()
	feature := &catalogue.Feature{File: "a.feature"}
	rule := &catalogue.Rule{Name: "a.shapes", Tags: []string{"@a.shapes", "@shapes"}, Feature: feature}
	other := &catalogue.Rule{Name: "a.other", Tags: []string{"@a.other"}, Feature: feature}
	for _, r := range []*catalogue.Rule{rule, other} {
		r.Scenarios = []*catalogue.Scenario{{Name: "To a new key", Rule: r, Steps: steps, Line: 7}}
	}
	feature.Rules = []*catalogue.Rule{rule, other}
	return ShapesOf(&catalogue.Catalogue{Features: []*catalogue.Feature{feature}})
}

func TestShapesAreTheScenariosOfTaggedRules(t *testing.T) {
	t.Parallel()
	shapes, err := shapesOf(t,
		catalogue.Step{Type: catalogue.Context, Text: "an account with R$ 100.00 available"},
		catalogue.Step{Type: catalogue.Context, Text: "the key directory has a new CNPJ key"},
		catalogue.Step{Type: catalogue.Action, Text: "the account sends a transfer with pixKey that key"},
		catalogue.Step{Type: catalogue.Outcome, Text: "the request is accepted"},
	)
	require.NoError(t, err)
	require.Len(t, shapes["transfer"], 1, "those of other rules are none")
	shape := shapes["transfer"][0]
	assert.Equal(t, "To a new key", shape.Name)
	assert.Equal(t, []Change{{Name: "pixKey", Value: Value{Kind: ThatKey}}}, shape.Changes)
	assert.Equal(t, []target.Control{target.Directory}, shape.Controls)
	if assert.Len(t, shape.Given, 1, "the account is the scenario's own") {
		assert.Equal(t, PutKey{Kind: CNPJKey}, shape.Given[0].Meaning)
	}
}

func TestAShapeNeedsARequest(t *testing.T) {
	t.Parallel()
	_, err := shapesOf(t, catalogue.Step{Type: catalogue.Context, Text: "an account"})
	assert.EqualError(t, err, "a.feature:7: the rule is tagged @shapes, but the scenario sends no request")
}
