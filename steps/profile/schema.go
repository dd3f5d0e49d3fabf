package profile

import (
	"cmp"
	_ "embed" // for the schema
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"go.yaml.in/yaml/v3"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/spelling"
)

// Schema is the JSON Schema (2020-12) of profiles. Editors use it to complete and explain fields,
// and Read to validate.
//
//go:embed profile.schema.json
var Schema []byte

const schemaName = "profile:schema"

var compiled = sync.OnceValue(func() *schema {
	var raw any
	if err := yaml.Unmarshal(Schema, &raw); err != nil { // JSON is YAML, which keeps whole numbers
		panic(err) // it is embedded
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(schemaName, raw); err != nil {
		panic(err)
	}
	return &schema{raw, compiler.MustCompile(schemaName)}
})

// schema is the schema of profiles, raw for its texts and compiled for validation.
type schema struct {
	raw   any
	rules *jsonschema.Schema
}

// checker reports what the schema does not allow in the fields of a profile.
type checker struct {
	*schema
	*fields
}

// check validates the profile against the schema and reports every error.
func (c checker) check() error {
	err := c.rules.Validate(c.places[""].value)
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		c.invalid(invalid)
		return nil
	}
	return err
}

// fieldAt converts a location of the library (names and indices) to a field.
func (c checker) fieldAt(location []string) string {
	field := ""
	for _, step := range location {
		if _, isList := c.places[field].value.([]any); isList {
			field += "[" + step + "]"
		} else {
			field = below(field, step)
		}
	}
	return field
}

// invalid converts the errors of the library. Errors with causes only say that something below is
// wrong.
func (c checker) invalid(e *jsonschema.ValidationError) {
	field := c.fieldAt(e.InstanceLocation)
	node := c.node(e.SchemaURL)
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		c.missingOf(field, node, k.Missing, "required field is missing")
	case *kind.DependentRequired:
		c.missingOf(field, node, k.Missing, "required with "+k.Prop)
	case *kind.AnyOf: // one of several fields is required: suggest the first
		var names []string
		for _, choice := range node["anyOf"].([]any) {
			names = append(names, texts[string](object(choice)["required"])...)
		}
		c.missingOf(field, node, names[:1], strings.Join(names, " or ")+" is required")
	case *kind.AdditionalProperties:
		known := slices.Sorted(maps.Keys(object(node["properties"])))
		for _, name := range k.Properties {
			advice := cmp.Or(didYouMean(name, known, 3), "; expected one of "+strings.Join(known, ", "))
			c.nameError(below(field, name), "unknown field%s", advice)
		}
	case *kind.PropertyNames:
		// The library reuses the memory of this location, so take it from the schema.
		_, parent, _ := strings.Cut(strings.TrimSuffix(e.SchemaURL, "/propertyNames"), "#/properties/")
		c.badName(below(strings.ReplaceAll(parent, "/properties/", "."), k.Property), k.Property, node)
	default:
		if len(e.Causes) == 0 {
			c.mismatch(field, node, e.ErrorKind)
		}
		for _, cause := range e.Causes {
			c.invalid(cause)
		}
	}
}

func (c checker) missingOf(field string, node map[string]any, names []string, what string) {
	for _, name := range names {
		c.missing(field, name, "%s; add %s: %s", what, name, example(object(object(node["properties"])[name])))
	}
}

// badName reports a field name that its pattern or list does not allow.
func (c checker) badName(field, name string, node map[string]any) {
	if known := texts[string](node["enum"]); len(known) > 0 {
		c.nameError(field, "expected one of %s%s", strings.Join(known, ", "), didYouMean(name, known, 1))
	} else {
		c.nameError(field, "expected %s", node["patternErrorMessage"])
	}
}

// mismatch reports a value that does not match the schema.
func (c checker) mismatch(field string, node map[string]any, broken jsonschema.ErrorKind) {
	switch k := broken.(type) {
	case *kind.Type:
		c.fieldError(field, "expected %s, got %s%s", wanted(node), c.found(field, k.Got, node), c.suggestion(field, k.Got, node))
	case *kind.Enum:
		known := texts[string](node["enum"])
		c.fieldError(field, "expected one of %s, got %s%s", strings.Join(known, ", "), c.found(field, "string", node), didYouMean(c.places[field].written, known, 1))
	case *kind.Pattern:
		c.fieldError(field, "expected %s, got %s", node["patternErrorMessage"], c.found(field, "string", node))
	case *kind.MinLength, *kind.MinItems, *kind.MinProperties:
		c.fieldError(field, "must not be empty; set a value or remove the field")
	case *kind.MaxLength:
		c.fieldError(field, "expected at most %d characters, got %d", k.Want, k.Got)
	case *kind.Minimum, *kind.Maximum:
		c.fieldError(field, "expected a number from %v to %v, got %s", node["minimum"], node["maximum"], c.found(field, "number", node))
	case *kind.UniqueItems:
		c.fieldError(fmt.Sprintf("%s[%d]", field, k.Duplicates[1]), "duplicate of [%d]; remove one of the two", k.Duplicates[0])
	default:
		c.fieldError(field, "does not match the schema (%s)", strings.Join(broken.KeywordPath(), "/"))
	}
}

// didYouMean suggests similar names at the end of a message; empty if there are none.
func didYouMean(name string, known []string, atMost int) string {
	if near := spelling.Nearest(name, known, atMost); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return ""
}

// wanted describes the expected value by its type.
func wanted(node map[string]any) string {
	if pattern := node["patternErrorMessage"]; pattern != nil {
		return fmt.Sprint(pattern)
	}
	switch node["type"] {
	case "object":
		return "fields"
	case "array":
		return "a list such as " + example(node)
	case "boolean":
		return "true or false"
	case "integer":
		return "a whole number such as " + example(node)
	case "number":
		return "a number such as " + example(node)
	default:
		return "a string such as " + example(node)
	}
}

// example returns the first example of a schema, in YAML.
func example(node map[string]any) string {
	examples, _ := node["examples"].([]any)
	if len(examples) == 0 {
		return "..."
	}
	return inline(examples[0])
}

// inline formats a value as YAML on one line.
func inline(v any) string {
	var node yaml.Node
	if err := node.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	if node.Kind != yaml.ScalarNode {
		node.Style = yaml.FlowStyle
	}
	text, err := yaml.Marshal(&node)
	if err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSpace(string(text))
}

// node returns the part of the schema that an error is about.
func (s *schema) node(url string) map[string]any {
	_, pointer, _ := strings.Cut(url, "#")
	at := s.raw
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if step == "" {
			continue
		}
		at = object(at)[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	return object(at)
}

func object(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

func texts[T ~string](v any) []T {
	list, _ := v.([]any)
	var all []T
	for _, item := range list {
		if text, ok := item.(string); ok {
			all = append(all, T(text))
		}
	}
	return all
}

// found describes the value in the profile, without secrets and values of variables.
func (c checker) found(field, got string, node map[string]any) string {
	where := c.places[field]
	switch {
	case got == "null":
		return "nothing"
	case got == "array":
		return "a list"
	case got == "object":
		return "fields"
	case node["writeOnly"] == true:
		return "a " + got + " (hidden: it may be secret)"
	case got == "string" && where.put != nil:
		return "another value from " + shown(where.written)
	case got == "string":
		return fmt.Sprintf("%q", shown(where.written))
	default:
		return shown(where.written)
	}
}

// suggestion says how to fix a value of the wrong type. Quotes help only if the quoted value would be
// valid.
func (c checker) suggestion(field, got string, node map[string]any) string {
	written := c.places[field].written
	pattern, _ := node["pattern"].(string)
	switch {
	case got == "null":
		return "; set a value or remove the field"
	case node["type"] != "string" || got == "array" || got == "object" || !regexp.MustCompile(pattern).MatchString(written):
		return ""
	case node["writeOnly"] == true:
		return "; quote it"
	default:
		return fmt.Sprintf("; quote it: %q", shown(written))
	}
}

// shown returns the original text of a value on one line, shortened, and without the user of a URL.
func shown(written string) string {
	const most = 100
	var secrets *exchange.Redactor
	line := exchange.Line(secrets.Text(written))
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}
