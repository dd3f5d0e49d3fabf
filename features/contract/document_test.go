package contract

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/pixcert/pixcert/features"
)

func embedded(t testing.TB) []byte {
	t.Helper()
	text, err := features.FS.ReadFile("openapi.yaml")
	require.NoError(t, err)
	return text
}

// Another reader of OpenAPI documents finds every reference and reads as many paths and
// webhooks as we do.
func TestDocumentIsOpenAPI(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(embedded(t))
	require.NoError(t, err)
	assert.NoError(t, doc.Validate(context.Background()))
	assert.Equal(t, 14, doc.Paths.Len())
	assert.Len(t, doc.Webhooks, 8)
}

// The OpenAPI Initiative publishes a schema of OpenAPI 3.1 documents, and ours keeps to it.
func TestDocumentKeepsToTheOfficialSchema(t *testing.T) {
	t.Parallel()
	official, err := jsonschema.NewCompiler().Compile("testdata/openapi-3.1-schema.json") // spec.openapis.org/oas/3.1/schema/2022-10-07
	require.NoError(t, err)
	ours, err := readDocument(embedded(t))
	require.NoError(t, err)
	document := plain(ours.root).(map[string]any)
	assert.NoError(t, official.Validate(document))
	document["paths"] = "none"
	assert.Error(t, official.Validate(document))
}

func TestEverySchemaCompiles(t *testing.T) {
	t.Parallel()
	doc, err := readDocument(embedded(t))
	require.NoError(t, err)
	compiled := 0
	for name := range entries(doc.at("/components/schemas")) {
		_, err := doc.compiler.Compile(base + "#/components/schemas/" + name)
		assert.NoError(t, err, name)
		compiled++
	}
	assert.Greater(t, compiled, 10)
}

// A pattern or format says little to the reader of a message.
func TestPatternsHaveTitles(t *testing.T) {
	t.Parallel()
	doc, err := readDocument(embedded(t))
	require.NoError(t, err)
	walk(doc.at("/components/schemas"), "", func(at string, n *yaml.Node) {
		pattern, format, title := child(n, "pattern"), child(n, "format"), child(n, "title")
		if pattern != nil && pattern.Kind == yaml.ScalarNode || format != nil && format.Kind == yaml.ScalarNode {
			assert.NotNil(t, title, at)
		}
	})
}

// Fields that the specification does not name are allowed everywhere; the pairs of
// additionalInfo have names of the client's choice, and only their values are bound.
func TestUnknownFieldsAreAllowed(t *testing.T) {
	t.Parallel()
	doc, err := readDocument(embedded(t))
	require.NoError(t, err)
	var bound []string
	walk(doc.root, "", func(at string, n *yaml.Node) {
		for _, keyword := range []string{"additionalProperties", "unevaluatedProperties", "propertyNames"} {
			if child(n, keyword) != nil {
				bound = append(bound, at+pointer(keyword))
			}
		}
	})
	require.Equal(t, []string{"/components/schemas/CashInRequest/properties/additionalInfo/additionalProperties"}, bound)
	assert.Equal(t, map[string]any{"type": "string"}, plain(doc.at(bound[0])))
}

func walk(n *yaml.Node, at string, visit func(at string, n *yaml.Node)) {
	visit(at, n)
	for name, value := range entries(n) {
		walk(value, at+pointer(name), visit)
	}
}

const small = `
openapi: 3.1.1
info: {title: small, version: "1"}
paths:
  /cob/{txid}:
    put:
      operationId: charge
      requestBody: {content: {application/json: {schema: %s}}}
      responses: {"200": {description: done}, default: {description: else}}
  /cob/limits:
    put:
      operationId: limits
      responses: {"200": {description: done}}
`

func TestFindPrefersTheLiteralPath(t *testing.T) {
	t.Parallel()
	c, err := parse([]byte(fmt.Sprintf(small, "{}")))
	require.NoError(t, err)
	for path, want := range map[string]string{
		"/cob/limits": "limits",
		"/cob/abc":    "charge",
		"/cob/":       "",
		"/cob":        "",
		"/cob/a/b":    "",
		"/x/abc":      "",
	} {
		op, ok := c.Find("PUT", path)
		if assert.Equal(t, want != "", ok, path) && ok {
			assert.Equal(t, want, op.ID, path)
		}
	}
	_, ok := c.Find("GET", "/cob/abc")
	assert.False(t, ok, "another method")
}

func TestDefaultResponseAndOptionalBody(t *testing.T) {
	t.Parallel()
	c, err := parse([]byte(fmt.Sprintf(small, "{type: object}")))
	require.NoError(t, err)
	op, _ := c.Operation("charge")
	assert.Empty(t, op.CheckResponse(302, nil, nil, nil))
	assert.Empty(t, op.CheckRequest(nil), "a body that is not required")
	assert.NotEmpty(t, op.CheckRequest("text"))
	op, _ = c.Operation("limits")
	assert.Empty(t, op.CheckRequest("text"), "a body that the document does not describe")
}

func TestBrokenDocuments(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"empty":          {"", "empty"},
		"not YAML":       {"\t", "yaml"},
		"no operationId": {"paths: {/x: {get: {}}}", "GET /x: expected an operationId"},
		"a bad schema":   {fmt.Sprintf(small, "{type: 5}"), "PUT /cob/{txid}"},
		"an event without body": {
			"webhooks: {e: {post: {operationId: e}}}", "event e: expected an operationId and a JSON requestBody",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := parse([]byte(test.text))
			assert.ErrorContains(t, err, test.want)
		})
	}
}

// Every keyword has its words, also those that openapi.yaml does not use yet.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ schema, body, want string }{
		{`{type: [string, "null"]}`, `1`, "must be a string or null"},
		{`{type: integer}`, `1.5`, "must be a whole number"},
		{`{type: boolean}`, `1`, "must be true or false"},
		{`{const: Bearer}`, `"bearer"`, `must be "Bearer"`},
		{`{enum: [a, b]}`, `"c"`, "must be one of a, b"},
		{`{minLength: 1}`, `""`, "must not be empty"},
		{`{minLength: 2}`, `"x"`, "must have at least 2 characters"},
		{`{maxLength: 1}`, `"xx"`, "must have at most 1 character"},
		{`{minItems: 1}`, `[]`, "must have at least 1 item"},
		{`{maxItems: 2}`, `[1,2,3]`, "must have at most 2 items"},
		{`{maxProperties: 1}`, `{"a":1,"b":2}`, "must have at most 1 key"},
		{`{enum: [a, null]}`, `1`, "must be one of a, null"},
		{`{minimum: 30}`, `29`, "must be at least 30"},
		{`{maximum: 604800}`, `604801`, "must be at most 604800"},
		{`{multipleOf: 0.01}`, `0.001`, "must have at most 2 decimals"},
		{`{multipleOf: 0.1}`, `0.01`, "must have at most 1 decimal"},
		{`{multipleOf: 1}`, `0.1`, "must be a whole number"},
		{`{multipleOf: 0.05}`, `0.01`, "must be a multiple of 0.05"},
		{`{pattern: "^a$"}`, `"b"`, "must be of the form ^a$"},
		{`{pattern: "^a$", title: the letter a}`, `"b"`, "must be the letter a"},
		{`{format: uuid}`, `"b"`, "must be a valid uuid"},
		{`{not: {}}`, `1`, "breaks the rule"},
	} {
		c, err := parse([]byte(fmt.Sprintf(small, "{properties: {field: "+test.schema+"}}")))
		require.NoError(t, err, test.schema)
		op, _ := c.Operation("charge")
		body, err := Decode([]byte(`{"field":`+test.body+`}`), Limits{})
		require.NoError(t, err)
		violations := op.CheckRequest(body)
		if assert.Len(t, violations, 1, test.schema) {
			assert.Equal(t, "field", violations[0].Field)
			assert.Contains(t, violations[0].Message, "field "+test.want)
		}
	}
}

// Numbers reach the schema compiler by their literals, so that 0.01 is 0.01.
func TestPlainKeepsLiterals(t *testing.T) {
	t.Parallel()
	var n yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(`{a: 0.10, b: [1, true, null, "1", 2026-03-01]}`), &n))
	assert.Equal(t, map[string]any{
		"a": json.Number("0.10"),
		"b": []any{json.Number("1"), true, nil, "1", "2026-03-01"},
	}, plain(n.Content[0]))
}
