package profile

import (
	"bytes"
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

var compiled = sync.OnceValues(func() (*schema, error) {
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema))
	if err != nil {
		return nil, fmt.Errorf("reading the schema of profiles: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(schemaName, raw); err != nil {
		return nil, fmt.Errorf("reading the schema of profiles: %w", err)
	}
	rules, err := compiler.Compile(schemaName)
	if err != nil {
		return nil, fmt.Errorf("compiling the schema of profiles: %w", err)
	}
	return &schema{raw, rules}, nil
})

// schema is the schema of profiles as text, for what it says to people, and as rules.
type schema struct {
	raw   any
	rules *jsonschema.Schema
}

// check holds a profile against the schema and notes every mistake.
func (sc *schema) check(s *source) error {
	err := sc.rules.Validate(s.said)
	var invalid *jsonschema.ValidationError
	if err != nil && !errors.As(err, &invalid) {
		return fmt.Errorf("holding the profile against its schema: %w", err)
	}
	if invalid != nil {
		sc.note(s, invalid)
	}
	return nil
}

// note turns the errors of the library into mistakes. Those that only say that
// something below is wrong have causes.
func (sc *schema) note(s *source, e *jsonschema.ValidationError) {
	p := path(e.InstanceLocation)
	node := sc.node(e.SchemaURL)
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		sc.lacking(s, p, node, k.Missing, "")
	case *kind.DependentRequired:
		sc.lacking(s, p, node, k.Missing, " beside "+k.Prop)
	case *kind.AnyOf: // of some fields one has to be there
		sc.lackingAll(s, p, node)
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			sc.unknown(s, p.below(name), name, slices.Collect(maps.Keys(object(node["properties"]))))
		}
	case *kind.PropertyNames:
		// The library reuses the memory of this location for others: the schema's tells it.
		_, below, _ := strings.Cut(strings.TrimSuffix(e.SchemaURL, "/propertyNames"), "#/properties/")
		sc.unnamed(s, path(strings.Split(below, "/properties/")).below(k.Property), k.Property, node)
	default:
		if len(e.Causes) == 0 {
			sc.misfit(s, p, node, e.ErrorKind)
		}
		for _, cause := range e.Causes {
			sc.note(s, cause)
		}
	}
}

func (sc *schema) lacking(s *source, p path, node map[string]any, names []string, why string) {
	for _, name := range names {
		field := object(object(node["properties"])[name])
		s.lacks(p, name, "expected this field%s, found none; add %s: %s", why, name, sc.example(field))
	}
}

// lackingAll: the first of the fields stands for all of them.
func (sc *schema) lackingAll(s *source, p path, node map[string]any) {
	var names []string
	choices, _ := node["anyOf"].([]any)
	for _, choice := range choices {
		names = append(names, texts(object(choice)["required"])...)
	}
	sc.lacking(s, p, node, names[:1], " or "+strings.Join(names[1:], " or "))
}

func (sc *schema) unknown(s *source, p path, name string, known []string) {
	advice := "; the fields here are " + strings.Join(slices.Sorted(slices.Values(known)), ", ")
	if near := spelling.Nearest(name, known, 3); len(near) > 0 {
		advice = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	s.misnamed(p, "expected a field that is known%s", advice)
}

// unnamed: a name that is free, but not as free as this.
func (sc *schema) unnamed(s *source, p path, name string, node map[string]any) {
	known := texts(node["enum"])
	if len(known) == 0 {
		s.misnamed(p, "expected %s", node["patternErrorMessage"])
		return
	}
	advice := ""
	if near := spelling.Nearest(name, known, 1); len(near) > 0 {
		advice = "; did you mean " + near[0] + "?"
	}
	s.misnamed(p, "expected one of %s%s", strings.Join(known, ", "), advice)
}

// misfit: a value that is not as the schema wants it.
func (sc *schema) misfit(s *source, p path, node map[string]any, broken jsonschema.ErrorKind) {
	switch k := broken.(type) {
	case *kind.Type:
		s.mistake(p, "expected %s, found %s%s", sc.wanted(node), s.found(p, k.Got, node), s.cure(p, k.Got, node))
	case *kind.Enum:
		known := texts(node["enum"])
		advice := ""
		if near := spelling.Nearest(s.places[p.key()].written, known, 1); len(near) > 0 {
			advice = "; did you mean " + near[0] + "?"
		}
		s.mistake(p, "expected one of %s, found %s%s", strings.Join(known, ", "), s.found(p, "string", node), advice)
	case *kind.Pattern:
		s.mistake(p, "expected %s, found %s", node["patternErrorMessage"], s.found(p, "string", node))
	case *kind.MinLength, *kind.MinItems, *kind.MinProperties:
		s.mistake(p, "expected at least one, found none; fill it in, or remove the field")
	case *kind.MaxLength:
		s.mistake(p, "expected at most %d characters, found %d", k.Want, k.Got)
	case *kind.Minimum, *kind.Maximum:
		s.mistake(p, "expected a number from %v to %v, found %s", node["minimum"], node["maximum"], s.found(p, "number", node))
	case *kind.UniqueItems:
		s.mistake(p.below(fmt.Sprint(k.Duplicates[1])), "expected each item once, found that of [%d] again; remove one of the two", k.Duplicates[0])
	default:
		s.mistake(p, "expected what the schema says, found something else: it breaks %s", strings.Join(broken.KeywordPath(), "/"))
	}
}

// wanted is what a value should be, by its type.
func (sc *schema) wanted(node map[string]any) string {
	if pattern := node["patternErrorMessage"]; pattern != nil {
		return fmt.Sprint(pattern)
	}
	switch node["type"] {
	case "object":
		return "fields"
	case "array":
		return "a list such as " + sc.example(node)
	case "boolean":
		return "true or false"
	case "integer":
		return "a whole number such as " + sc.example(node)
	case "number":
		return "a number such as " + sc.example(node)
	default:
		return "a text such as " + sc.example(node)
	}
}

// example is the first example of a schema, as it is written in YAML.
func (sc *schema) example(node map[string]any) string {
	examples, _ := node["examples"].([]any)
	if len(examples) == 0 {
		return "..."
	}
	return inline(examples[0])
}

// inline writes a value on one line. YAML would take a text of digits for a number.
func inline(v any) string {
	switch v := v.(type) {
	case string:
		if strings.Trim(v, "0123456789.") == "" {
			return fmt.Sprintf("%q", v)
		}
		return v
	case []any:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = inline(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case map[string]any:
		var fields []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fields = append(fields, name+": "+inline(v[name]))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	default:
		return fmt.Sprint(v)
	}
}

// node is the part of the schema that an error speaks of.
func (sc *schema) node(url string) map[string]any {
	_, pointer, _ := strings.Cut(url, "#")
	at := sc.raw
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

func texts(v any) []string {
	list, _ := v.([]any)
	var all []string
	for _, item := range list {
		if text, ok := item.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

// found says what stands in the profile, without showing what is secret or was put in.
func (s *source) found(p path, got string, node map[string]any) string {
	where := s.places[p.key()]
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
func (s *source) cure(p path, got string, node map[string]any) string {
	written := s.places[p.key()].written
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

// misnamed notes that a field should have another name.
func (s *source) misnamed(p path, format string, args ...any) {
	where := s.places[p.key()]
	where.line = where.keyLine
	s.places[p.key()] = where
	s.mistake(p, format, args...)
}
