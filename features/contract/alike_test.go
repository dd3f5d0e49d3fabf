package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Of items that are alike only one is validated, which changes no violation.
func TestOneOfTheItemsThatAreAlikeIsValidated(t *testing.T) {
	t.Parallel()
	doc, err := readDocument(embedded(t))
	require.NoError(t, err)
	c, err := parse(embedded(t))
	require.NoError(t, err)
	bodies, examples, lists := bodiesOf(t, doc), map[string]map[string]any{}, map[string]*response{}
	for _, op := range c.operations {
		for status, r := range op.responses {
			name := op.ID + " " + status
			if example, isObject := bodies[name].example.(map[string]any); isObject && len(r.alike) > 0 {
				examples[name], lists[name] = example, r
			}
		}
	}
	names := slices.Sorted(maps.Keys(lists))
	require.Subset(t, names, []string{"listTransactions 200", "listTransactionsByKey 200", "listMeds 200", "listWebhooks 200"})
	values := []any{nil, "", "x", "Confirmado", "Pix in", "CREDIT", "2026-03-01T12:00:00Z", "***.982.247-**", true, json.Number("1"), json.Number("1.00"),
		json.Number("-0.001"), map[string]any{}, []any{}, []any{"x"}}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "body")
		r, body := lists[name], maps.Clone(examples[name])
		for list := range r.alike {
			of, _ := examples[name][list].([]any)
			for range 4 {
				item := changed(t, rapid.SampledFrom(of).Draw(t, "item"), values)
				of = append(slices.Clip(of), item)
			}
			body[list] = rapid.SliceOfN(rapid.SampledFrom(of), 0, 12).Draw(t, "items")
		}
		require.Equal(t, r.doc.report(r.content, distinct(r.breaches(body))), r.doc.report(r.content, r.distinctBreaches(200, body)))
	})
}

// changed returns a value with one member changed, left out or added, at any depth.
func changed(t *rapid.T, value any, values []any) any {
	fields, isObject := value.(map[string]any)
	if !isObject || len(fields) == 0 || rapid.IntRange(0, 9).Draw(t, "whole") == 0 {
		return rapid.SampledFrom(values).Draw(t, "value")
	}
	fields = maps.Clone(fields)
	name := rapid.SampledFrom(append(slices.Sorted(maps.Keys(fields)), "unknown")).Draw(t, "member")
	if rapid.Bool().Draw(t, "without") {
		delete(fields, name)
		return fields
	}
	fields[name] = changed(t, fields[name], values)
	return fields
}

// Items with other ids are alike, and so are those with more fields. What a keyword looks at makes them differ.
func TestWhatMakesItemsAlike(t *testing.T) {
	t.Parallel()
	c, err := Load()
	require.NoError(t, err)
	op, _ := c.Operation("listTransactions")
	item := `{"transactionId":"1","externalId":"a","status":"Pendente","operationType":"Pix out","movementType":"DEBIT","originalAmount":1,"feeAmount":0,"finalAmount":1,` +
		`"createdAt":"2026-03-01T12:00:00Z","endToEndId":null,"counterpart":{"name":"a","document":"x"}}`
	for _, test := range []struct {
		from, to string
		alike    bool
	}{
		{`"1"`, `"2"`, true},
		{`"a",`, `"b",`, true},
		{`{"tr`, `{"more":5,"tr`, true},
		{`"name":"a"`, `"name":"b"`, true},
		{`"a",`, `null,`, false},
		{`"1"`, `1`, false},
		{`"Pendente"`, `"Confirmado"`, false},
		{`"originalAmount":1`, `"originalAmount":1.001`, false},
		{`12:00:00Z`, `25:00:00Z`, false},
		{`"x"`, `"y"`, false},
		{`"endToEndId":null,`, ``, false},
	} {
		other := strings.Replace(item, test.from, test.to, 1)
		require.NotEqual(t, item, other)
		body, err := Decode(fmt.Appendf(nil, `{"data":[%s,%s]}`, item, other), Limits{})
		require.NoError(t, err)
		_, kept := op.response(200).unlike(body)
		assert.Equal(t, test.alike, kept["data"] != nil, "%s → %s", test.from, test.to)
	}
}
