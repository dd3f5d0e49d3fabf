package world

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// variantsOf are the names of the requests that a step sends, and what it comes to.
func variantsOf(t *testing.T, shapes language.Shapes, sentence string) (names []string, sent []*record.Attempt, got string) {
	t.Helper()
	th := newTestStage(t)
	th.stage.Shapes = shapes
	w, r := th.play(th.script("Given an account with R$ 100.00 available\nWhen " + sentence))
	for _, a := range w.Judge.Several() {
		names = append(names, a.Variant)
	}
	if r.Finding != nil {
		got = r.Finding.Got
	}
	return names, w.Judge.Several(), got
}

func TestVariants(t *testing.T) {
	t.Parallel()
	changed := func(field, json string) []language.Change {
		return []language.Change{{Name: field, Value: language.Value{Kind: language.Literal, JSON: []byte(json)}}}
	}
	splits := []language.Change{{Name: "splits", Value: language.Value{Kind: language.SplitsOf, Parts: []language.Part{{Decimal: "1.00"}, {Decimal: "1.00"}}}}}
	shapes := language.Shapes{
		"cash-out": {{Name: "Plain"}, {Name: "Described", Changes: changed("description", `"d"`)}},
		"cash-in":  {{Name: "Without splits"}, {Name: "With splits", Changes: splits}},
		"transfer": {{Name: "Plain"}, {Name: "To a held key", Controls: []target.Control{"none has it"}}},
	}
	for sentence, want := range map[string][]string{
		"the account sends a cash-out of every shape":                              {"Plain", "Described"},
		"the account sends a cash-out of every shape with details.name null":       {"Plain", "Described"},
		"the account sends a cash-out whose description is invalid":                {"description {}", "description 141 characters", "description 141 characters with spaces"},
		"the account sends a cash-out of every shape whose description is invalid": {"Plain, description {}", "Plain, description 141 characters", "Plain, description 141 characters with spaces", "Described, description {}", "Described, description 141 characters", "Described, description 141 characters with spaces"},
		"the account sends a cash-in of every shape with splits[each].name null":   {"With splits, splits[0].name", "With splits, splits[1].name"},
		"the account sends a split cash-in with splits[each].name null":            {"split cash-in"},
		"the account sends a transfer of every shape":                              {"Plain"},
		"the account sends a refund in unusual JSON": {
			"with an unknown field", "descricao twice", "descricao with a lone surrogate", "valor twice", "valor with a lone surrogate",
		},
	} {
		names, sent, got := variantsOf(t, shapes, sentence)
		assert.Equal(t, want, names, "%s: %s", sentence, got)
		ids := map[string]bool{}
		for _, a := range sent {
			id, _ := a.ExternalID()
			assert.True(t, id == "" || !ids[id], "each variant is an order of its own")
			ids[id] = true
		}
	}
	_, _, got := variantsOf(t, shapes, "the account sends a cash-out of every shape with nowhere.name null")
	assert.Equal(t, "no shape of this request has the field that the step changes", got)
}

func TestUnusualJSON(t *testing.T) {
	t.Parallel()
	names, sent, got := variantsOf(t, nil, "the account sends a cash-out in unusual JSON")
	bodies := map[string]string{}
	for i, a := range sent {
		bodies[names[i]] = string(a.Body)
	}
	assert.Contains(t, bodies["with an unknown field"], `"unknownField":"x"`, got)
	assert.Contains(t, bodies["details with an unknown field"], `,"unknownField":"x"}`)
	assert.Contains(t, bodies["value twice"], `"value":1.00,"value":1.00`)
	assert.Contains(t, bodies["value with an exponent"], `"value":1.00e0`)
	assert.Contains(t, bodies["details.name with a lone surrogate"], payee.name+`\ud800"`)
	assert.Len(t, bodies, 17)
}

func TestAVariantChangesOneThing(t *testing.T) {
	t.Parallel()
	_, sent, got := variantsOf(t, nil, "the account sends a cash-out whose details.document is of another type")
	require.Len(t, sent, 3, got)
	for _, a := range sent {
		assert.Equal(t, "EMAIL", a.SentText("details.keyType"))
		assert.NotEqual(t, payee.document, a.SentText("details.document"))
	}
}

// leftOpen is what not every gateway has to accept.
var leftOpen = map[string]bool{
	"transfer paymentFlow present":         true, // its name is not shown
	`cash-in splits[0].pixKeyType "PHONE"`: true, // its form
	"transfer payment.currency absent":     true,
	"cob valor.modalidadeAlteracao absent": true,
	"cob calendario.expiracao absent":      true, // nor its default
	"cob devedor.nome absent":              true,
	"cob valor.modalidadeAlteracao 1":      true,
	`refund natureza "RETIRADA"`:           true, // of an ordinary payment
}

// TestTheShapesCoverTheContract: some shape has each optional field, and some lacks it; each value of
// an enum is in some shape.
func TestTheShapesCoverTheContract(t *testing.T) {
	t.Parallel()
	all, err := catalogue.Load(features.FS)
	require.NoError(t, err)
	shapes, err := language.ShapesOf(all)
	require.NoError(t, err)
	th := newTestStage(t)
	w, _ := th.passes("Given an account with R$ 100.00 available\nAnd the account has received R$ 10.00 through a cash-in")
	for noun, of := range shapes {
		choices := choicesOf(t, api.MustNamed(noun).ID)
		require.NotEmpty(t, choices)
		found := map[string]bool{}
		for _, shape := range of {
			r, err := changedTo(t.Context(), w, language.Send{Operation: api.MustNamed(noun)}, shape.Changes)
			require.NoError(t, err, shape.Name)
			for _, choice := range choices {
				for i := range 4 {
					way := "absent"
					if v := r.body.at(strings.Replace(choice.path, "[0]", fmt.Sprintf("[%d]", i), 1)); v != nil {
						way = "present"
						found[choice.path+" "+string(encoded(v))] = true
					}
					found[choice.path+" "+way] = true
				}
			}
		}
		for _, choice := range choices {
			for _, way := range choice.ways {
				assert.True(t, found[choice.path+" "+way] || leftOpen[noun+" "+choice.path+" "+way], "add a %s with %s %s to the shapes", noun, choice.path, way)
			}
		}
	}
}

// choice is a field of a request that valid requests differ in.
type choice struct {
	path string   // "details.keyType", "splits[0].type"
	ways []string // "present" and "absent" of an optional field, JSON of each value of an enum
}

// choicesOf are the optional fields of a request, and those with an enum.
func choicesOf(t *testing.T, operation string) (all []choice) {
	t.Helper()
	raw, err := fs.ReadFile(features.FS, "openapi.yaml")
	require.NoError(t, err)
	var document map[string]any
	require.NoError(t, yaml.Unmarshal(raw, &document))
	at := func(node any, path ...string) any {
		for _, name := range path {
			node = node.(map[string]any)[name]
		}
		return node
	}
	var add func(prefix string, of any)
	add = func(prefix string, of any) {
		schema := maps.Clone(of.(map[string]any))
		if ref, is := schema["$ref"].(string); is {
			for keyword, v := range at(document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...).(map[string]any) {
				schema[keyword] = v
			}
		}
		c := choice{path: strings.TrimSuffix(prefix, ".")}
		for _, v := range listOf(schema["enum"]) {
			c.ways = append(c.ways, string(encoded(v)))
		}
		all = append(all, c)
		properties, _ := schema["properties"].(map[string]any)
		for name, property := range properties {
			add(prefix+name+".", property)
			if !slices.Contains(listOf(schema["required"]), any(name)) {
				all = append(all, choice{prefix + name, []string{"present", "absent"}})
			}
		}
		if items := schema["items"]; items != nil {
			add(c.path+"[0].", items)
		}
	}
	for _, path := range at(document, "paths").(map[string]any) {
		for _, op := range path.(map[string]any) {
			if o, is := op.(map[string]any); is && o["operationId"] == operation {
				add("", at(o, "requestBody", "content", "application/json", "schema"))
			}
		}
	}
	return all
}

func listOf(v any) []any {
	items, _ := v.([]any)
	return items
}
