package profile

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/target"
)

// The schema and the reader know the same fields, at every depth.
func TestSchemaDescribesExactlyWhatIsRead(t *testing.T) {
	t.Parallel()
	rules, err := compiled() // which holds the schema against that of schemas
	require.NoError(t, err)
	sameFields(t, rules, "profile", object(rules.raw), reflect.TypeFor[document]())
}

func sameFields(t *testing.T, rules *schema, where string, node map[string]any, typ reflect.Type) {
	t.Helper()
	node = resolved(rules, node)
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	switch {
	case typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Struct:
		sameFields(t, rules, where+"[]", object(node["items"]), typ.Elem())
	case typ.Kind() == reflect.Struct:
		properties := object(node["properties"])
		assert.Equal(t, false, node["additionalProperties"], "%s allows any field", where)
		known := map[string]reflect.Type{}
		for i := range typ.NumField() {
			known[typ.Field(i).Tag.Get("json")] = typ.Field(i).Type
		}
		assert.Equal(t, slices.Sorted(maps.Keys(known)), slices.Sorted(maps.Keys(properties)), where)
		for name, fieldType := range known {
			sameFields(t, rules, where+"."+name, object(properties[name]), fieldType)
		}
	}
}

func resolved(rules *schema, node map[string]any) map[string]any {
	if ref, ok := node["$ref"].(string); ok {
		return rules.node(ref)
	}
	return node
}

// An editor shows for each field what it is and an example, and every example is right.
func TestSchemaExplainsEachField(t *testing.T) {
	t.Parallel()
	rules, err := compiled()
	require.NoError(t, err)
	fields := 0
	var explain func(where string, node map[string]any)
	explain = func(where string, node map[string]any) {
		for name, property := range object(node["properties"]) {
			fields++
			field := object(property)
			at := where + "." + name
			assert.NotEmpty(t, field["title"], at)
			assert.NotEmpty(t, field["description"], at)
			if field["properties"] == nil {
				assert.NotEmpty(t, field["examples"], at)
			}
			explain(at, field)
		}
	}
	explain("profile", object(rules.raw))
	explain("account", rules.node("#/$defs/account"))
	explain("mount", rules.node("#/$defs/mount"))
	assert.Greater(t, fields, 40)

	for name, property := range object(object(rules.raw)["properties"]) {
		examples, _ := object(property)["examples"].([]any)
		for _, example := range examples {
			said := map[string]any{"url": "http://gateway", name: example}
			assert.NoError(t, rules.rules.Validate(said), "the example of %s", name)
		}
	}
	for name, property := range object(rules.node("#/properties/image")["properties"]) {
		for _, example := range object(property)["examples"].([]any) {
			image := map[string]any{"name": "acme/gateway", name: example}
			assert.NoError(t, rules.rules.Validate(map[string]any{"image": image}), "the example of image.%s", name)
		}
	}
}

// The words of the schema are those of the suite.
func TestSchemaKnowsTheWordsOfTheSuite(t *testing.T) {
	t.Parallel()
	rules, err := compiled()
	require.NoError(t, err)
	assert.Equal(t, []string{string(target.Public), string(target.CentralBank), string(target.MEDFamily), string(target.Webhooks)},
		texts(rules.node("#/properties/families/items")["enum"]))
	controls := texts(rules.node("#/properties/controls/properties/without/items")["enum"])
	assert.Len(t, controls, 15)
	for _, control := range []target.Control{
		target.Accounts, target.Funds, target.FeesControl, target.LimitsControl, target.Clock, target.Certificates, target.Directory,
		target.Settlement, target.Payments, target.Charges, target.Refunds, target.Returns, target.Splits, target.MED, target.FaultsControl,
	} {
		assert.Contains(t, controls, string(control))
	}
	assert.False(t, strings.Contains(string(Schema), "\t"))
}
