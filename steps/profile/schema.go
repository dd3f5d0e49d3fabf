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

// Schema is the JSON Schema (2020-12) of profiles, with which editors complete and
// explain their fields. It is also what Read checks a profile against.
//
//go:embed profile.schema.json
var Schema []byte

// schemaName is how errors of the library name the schema.
const schemaName = "profile:schema"

var compiled = sync.OnceValue(func() *schema {
	var raw any
	if err := yaml.Unmarshal(Schema, &raw); err != nil { // JSON is YAML, and whole numbers stay whole
		panic(err) // it is embedded
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(schemaName, raw); err != nil {
		panic(err)
	}
	return &schema{raw, compiler.MustCompile(schemaName)}
})

// schema is the schema of profiles as text, for what it says to people, and as rules.
type schema struct {
	raw   any
	rules *jsonschema.Schema
}

// check holds the profile against the schema and notes every mistake.
func (r *reader) check() error {
	err := r.rules.Validate(r.said)
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		r.invalid(invalid)
		return nil
	}
	return err
}

// fieldAt is the field at a location of the library: names and indices.
func (r *reader) fieldAt(location []string) string {
	field := ""
	for _, step := range location {
		if _, isList := r.places[field].value.([]any); isList {
			field += "[" + step + "]"
		} else {
			field = below(field, step)
		}
	}
	return field
}

// invalid turns the errors of the library into mistakes. Those that only say that
// something below is wrong have causes.
func (r *reader) invalid(e *jsonschema.ValidationError) {
	field := r.fieldAt(e.InstanceLocation)
	node := r.node(e.SchemaURL)
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		r.lacking(field, node, k.Missing, "")
	case *kind.DependentRequired:
		r.lacking(field, node, k.Missing, " beside "+k.Prop)
	case *kind.AnyOf: // of some fields one has to be there: the first stands for all of them
		var names []string
		for _, choice := range node["anyOf"].([]any) {
			names = append(names, texts[string](object(choice)["required"])...)
		}
		r.lacking(field, node, names[:1], " or "+strings.Join(names[1:], " or "))
	case *kind.AdditionalProperties:
		known := slices.Sorted(maps.Keys(object(node["properties"])))
		for _, name := range k.Properties {
			advice := cmp.Or(didYouMean(name, known, 3), "; the fields here are "+strings.Join(known, ", "))
			r.misnamed(below(field, name), "expected a field that is known%s", advice)
		}
	case *kind.PropertyNames:
		// The library reuses the memory of this location for others: the schema's tells it.
		_, parent, _ := strings.Cut(strings.TrimSuffix(e.SchemaURL, "/propertyNames"), "#/properties/")
		r.unnamed(below(strings.ReplaceAll(parent, "/properties/", "."), k.Property), k.Property, node)
	default:
		if len(e.Causes) == 0 {
			r.misfit(field, node, e.ErrorKind)
		}
		for _, cause := range e.Causes {
			r.invalid(cause)
		}
	}
}

func (r *reader) lacking(field string, node map[string]any, names []string, why string) {
	for _, name := range names {
		r.lacks(field, name, "expected this field%s, found none; add %s: %s", why, name, example(object(object(node["properties"])[name])))
	}
}

// unnamed: a name that is free, but not as free as this.
func (r *reader) unnamed(field, name string, node map[string]any) {
	if known := texts[string](node["enum"]); len(known) > 0 {
		r.misnamed(field, "expected one of %s%s", strings.Join(known, ", "), didYouMean(name, known, 1))
	} else {
		r.misnamed(field, "expected %s", node["patternErrorMessage"])
	}
}

// misfit: a value that is not as the schema wants it.
func (r *reader) misfit(field string, node map[string]any, broken jsonschema.ErrorKind) {
	switch k := broken.(type) {
	case *kind.Type:
		r.mistake(field, "expected %s, found %s%s", wanted(node), r.found(field, k.Got, node), r.cure(field, k.Got, node))
	case *kind.Enum:
		known := texts[string](node["enum"])
		r.mistake(field, "expected one of %s, found %s%s", strings.Join(known, ", "), r.found(field, "string", node), didYouMean(r.places[field].written, known, 1))
	case *kind.Pattern:
		r.mistake(field, "expected %s, found %s", node["patternErrorMessage"], r.found(field, "string", node))
	case *kind.MinLength, *kind.MinItems, *kind.MinProperties:
		r.mistake(field, "expected at least one, found none; fill it in, or remove the field")
	case *kind.MaxLength:
		r.mistake(field, "expected at most %d characters, found %d", k.Want, k.Got)
	case *kind.Minimum, *kind.Maximum:
		r.mistake(field, "expected a number from %v to %v, found %s", node["minimum"], node["maximum"], r.found(field, "number", node))
	case *kind.UniqueItems:
		r.mistake(fmt.Sprintf("%s[%d]", field, k.Duplicates[1]), "expected each item once, found that of [%d] again; remove one of the two", k.Duplicates[0])
	default:
		r.mistake(field, "expected what the schema says, found something else: it breaks %s", strings.Join(broken.KeywordPath(), "/"))
	}
}

// didYouMean is the end of a sentence on a name that is not known; empty if no known one is near.
func didYouMean(name string, known []string, atMost int) string {
	if near := spelling.Nearest(name, known, atMost); len(near) > 0 {
		return "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return ""
}

// wanted is what a value should be, by its type.
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
		return "a text such as " + example(node)
	}
}

// example is the first example of a schema, as it is written in YAML.
func example(node map[string]any) string {
	examples, _ := node["examples"].([]any)
	if len(examples) == 0 {
		return "..."
	}
	return inline(examples[0])
}

// inline is a value as YAML on one line.
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

// node is the part of the schema that an error speaks of.
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

// texts are the texts of a list.
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

// found says what stands in the profile, without showing what is secret or was put in.
func (r *reader) found(field, got string, node map[string]any) string {
	where := r.places[field]
	switch {
	case got == "null":
		return "nothing"
	case got == "array":
		return "a list"
	case got == "object":
		return "fields"
	case node["writeOnly"] == true:
		return "a " + strings.Replace(got, "string", "text", 1) + " that is not shown, as it may be secret"
	case got == "string" && where.put != nil:
		return "something else in " + shown(where.written)
	case got == "string":
		return fmt.Sprintf("%q", shown(where.written))
	default:
		return shown(where.written)
	}
}

// cure is what to do about a value of the wrong type. Quotes cure a number only where a
// text like it is right.
func (r *reader) cure(field, got string, node map[string]any) string {
	written := r.places[field].written
	pattern, _ := node["pattern"].(string)
	switch {
	case got == "null":
		return "; fill it in, or remove the field"
	case node["type"] != "string" || got == "array" || got == "object" || !regexp.MustCompile(pattern).MatchString(written):
		return ""
	case node["writeOnly"] == true:
		return "; put it in quotes"
	default:
		return fmt.Sprintf("; put it in quotes: %q", shown(written))
	}
}

// shown is what was written, on one line, short, and without the user of a URL.
func shown(written string) string {
	const most = 100
	var secrets *exchange.Redactor
	line := exchange.Line(secrets.Text(written))
	if len(line) > most {
		line = strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}
