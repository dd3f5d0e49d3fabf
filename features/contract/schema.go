package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// judgedItems is how many items of an array are judged. No array of the specification
// is longer (Limits, transaction list), and a hostile one must not cost seconds.
const judgedItems = 1000

// breaches validates a body against its schema.
func (c *content) breaches(body any) []breach {
	body, _ = trimmed(body)
	err := c.schema.Validate(body)
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []breach{{rule: "schema", want: "cannot be validated: " + err.Error()}}
	}
	return c.doc.leaves(nil, invalid, body)
}

// trimmed gives the body without the items that are not judged, and whether there were
// any. What it keeps is the body's own: nothing is copied that stays as it is.
func trimmed(body any) (any, bool) {
	switch v := body.(type) {
	case []any:
		return trimmedArray(v)
	case map[string]any:
		var copied map[string]any
		for name, value := range v {
			if short, changed := trimmed(value); changed {
				if copied == nil {
					copied = maps.Clone(v)
				}
				copied[name] = short
			}
		}
		if copied != nil {
			return copied, true
		}
	}
	return body, false
}

func trimmedArray(items []any) (any, bool) {
	changed := len(items) > judgedItems
	items = items[:min(len(items), judgedItems)]
	var copied []any
	for i, item := range items {
		if short, changed := trimmed(item); changed {
			if copied == nil {
				copied = slices.Clone(items)
			}
			copied[i] = short
		}
	}
	if copied != nil {
		return copied, true
	}
	return items, changed
}

// leaves collects the broken keywords below an error; the errors above them say only
// that something below is broken.
func (d *document) leaves(found []breach, e *jsonschema.ValidationError, body any) []breach {
	if len(e.Causes) > 0 {
		for _, cause := range e.Causes {
			found = d.leaves(found, cause, body)
		}
		return found
	}
	path := stepsTo(body, e.InstanceLocation)
	because := d.condition(e)
	if missing, ok := e.ErrorKind.(*kind.Required); ok {
		for _, name := range missing.Missing {
			found = append(found, breach{path: append(slices.Clip(path), step{name: name}), rule: "required", want: "is required", because: because})
		}
		return found
	}
	return append(found, breach{path: path, rule: ruleOf(e.ErrorKind), want: d.want(e), because: because})
}

// condition names the condition under which a keyword holds that is broken: the description beside the if. It is
// empty for what always holds.
func (d *document) condition(e *jsonschema.ValidationError) string {
	at, _ := pointerIn(e)
	for rest := at; ; {
		i := strings.LastIndex(rest, "/then")
		if i < 0 {
			return ""
		}
		rest = rest[:i]
		if description := child(d.at(rest), "description"); description != nil && child(d.at(rest), "if") != nil {
			return description.Value
		}
	}
}

// pointerIn is where in the document a schema is that is broken.
func pointerIn(e *jsonschema.ValidationError) (string, error) {
	_, fragment, _ := strings.Cut(e.SchemaURL, "#")
	return url.PathUnescape(fragment)
}

// stepsTo tells indices from names, which a location does not: "2" may be either.
func stepsTo(body any, location []string) []step {
	path := make([]step, len(location))
	for i, segment := range location {
		switch v := body.(type) {
		case []any:
			n, _ := strconv.Atoi(segment)
			path[i] = step{index: n}
			body = v[n]
		case map[string]any:
			path[i] = step{name: segment}
			body = v[segment]
		}
	}
	return path
}

func ruleOf(k jsonschema.ErrorKind) string {
	if path := k.KeywordPath(); len(path) > 0 {
		return path[0]
	}
	return "schema"
}

// want says what a field must be to keep the keyword that it breaks.
func (d *document) want(e *jsonschema.ValidationError) string {
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		return "must be " + oneOf(k.Want)
	case *kind.Const:
		return "must be " + literal(k.Want)
	case *kind.Enum:
		return "must be one of " + list(k.Want)
	case *kind.MinLength:
		if k.Want == 1 {
			return "must not be empty"
		}
		return fmt.Sprintf("must have at least %s", count(k.Want, "character"))
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %s", count(k.Want, "character"))
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %s", count(k.Want, "item"))
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %s", count(k.Want, "item"))
	case *kind.MaxProperties:
		return fmt.Sprintf("must have at most %s", count(k.Want, "key"))
	case *kind.Minimum:
		return "must be at least " + decimal(k.Want)
	case *kind.Maximum:
		return "must be at most " + decimal(k.Want)
	case *kind.MultipleOf:
		return multiple(k.Want)
	case *kind.Pattern:
		return "must be " + d.titleOf(e, "of the form "+k.Want)
	case *kind.Format:
		return "must be " + d.titleOf(e, "a valid "+k.Want)
	default:
		return "breaks the rule " + ruleOf(e.ErrorKind)
	}
}

// titleOf is the title of the schema that is broken, or the fallback.
func (d *document) titleOf(e *jsonschema.ValidationError, fallback string) string {
	at, err := pointerIn(e)
	if err != nil {
		return fallback
	}
	if title := child(d.at(at), "title"); title != nil {
		return title.Value
	}
	return fallback
}

// typeNames holds the words for types, in the order in which a choice names them.
var typeNames = []struct{ name, words string }{
	{"object", "an object"}, {"array", "an array"}, {"string", "a string"}, {"number", "a number"},
	{"integer", "a whole number"}, {"boolean", "true or false"}, {"null", "null"},
}

func oneOf(types []string) string {
	var words []string
	for _, t := range typeNames {
		if slices.Contains(types, t.name) {
			words = append(words, t.words)
		}
	}
	return strings.Join(words, " or ")
}

func list(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
		if v == nil {
			texts[i] = "null"
		}
	}
	return strings.Join(texts, ", ")
}

func literal(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// multiple words a multiple of 0.01 as two decimals, for this is what a reader means.
func multiple(of *big.Rat) string {
	switch decimals, exact := of.FloatPrec(); {
	case of.Num().IsInt64() && of.Num().Int64() == 1 && exact && decimals == 0:
		return "must be a whole number"
	case exact && of.Cmp(new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil))) == 0:
		return fmt.Sprintf("must have at most %s", count(decimals, "decimal"))
	default:
		return "must be a multiple of " + decimal(of)
	}
}

func decimal(r *big.Rat) string {
	decimals, exact := r.FloatPrec()
	if !exact {
		return r.RatString()
	}
	return r.FloatString(decimals)
}
