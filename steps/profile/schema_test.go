package profile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/target"
)

// An editor shows for each field what it is and an example, and every example is right.
func TestSchemaExplainsEachField(t *testing.T) {
	t.Parallel()
	rules := compiled()
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
	rules := compiled()
	assert.Equal(t, []string{string(target.Public), string(target.CentralBank), string(target.MEDFamily), string(target.Webhooks)},
		texts[string](rules.node("#/properties/families/items")["enum"]))
	controls := texts[string](rules.node("#/properties/controls/properties/without/items")["enum"])
	assert.Len(t, controls, len(target.AllControls))
	for _, control := range target.AllControls {
		assert.Contains(t, controls, string(control))
	}
	assert.False(t, strings.Contains(string(Schema), "\t"))
}
