package contract

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Violation is one field that breaks the contract.
type Violation struct {
	Field   string // "details.key", "headers[2].value"; "" for the whole body
	Rule    string // the keyword that is broken: "required", "type", "minimum", ...
	Message string // "value must be at least 0.01"
}

func (v Violation) String() string { return v.Message }

func notJSON(err error) Violation {
	return Violation{Rule: "json", Message: "the body must be JSON: " + err.Error()}
}

// breach is one broken keyword. A field can break several.
type breach struct {
	path []step
	rule string
	want string // what the field must be: "must be at least 0.01"

	because string // the condition under which it must; empty for always
}

// step leads from a value to one inside it: by name into an object, by index into an
// array.
type step struct {
	name  string // "" when it is an index
	index int
}

func field(name string) []step { return []step{{name: name}} }

// report turns breaches into violations: one for each field, in the order in which the
// schema names the fields.
func (d *document) report(c *content, found []breach) []Violation {
	if len(found) == 0 {
		return nil
	}
	type placed struct {
		breach
		position []int
		field    string
	}
	all := make([]placed, len(found))
	for i, b := range found {
		all[i] = placed{b, d.position(c, b.path), fieldName(b.path)}
	}
	slices.SortFunc(all, func(a, b placed) int {
		return cmp.Or(
			slices.Compare(a.position, b.position),
			cmp.Compare(a.field, b.field),
			cmp.Compare(precedence(a.rule), precedence(b.rule)),
			cmp.Compare(a.want, b.want),
		)
	})
	var violations []Violation
	for _, b := range all {
		if n := len(violations); n > 0 && violations[n-1].Field == b.field {
			continue
		}
		subject := b.field
		if subject == "" {
			subject = "the body"
		}
		message := subject + " " + b.want
		if b.because != "" {
			message += ": " + b.because
		}
		violations = append(violations, Violation{Field: b.field, Rule: b.rule, Message: message})
	}
	return violations
}

// distinct returns the breach of each place that takes precedence, and of those of one kind the first: every item of a
// list may have the same one.
func distinct(all []breach) (kept []breach) {
	type kind struct{ field, rule, want, because string }
	places, kinds := map[string]bool{}, make(map[kind]bool, len(all))
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b breach) int {
		return cmp.Or(
			slices.CompareFunc(a.path, b.path, func(a, b step) int { return cmp.Compare(a.index, b.index) }),
			cmp.Compare(precedence(a.rule), precedence(b.rule)), cmp.Compare(a.want, b.want))
	})
	for _, b := range all {
		place := fieldName(b.path)
		if places[place] {
			continue
		}
		places[place] = true
		path := slices.Clone(b.path)
		for i := range path {
			path[i].index = 0
		}
		k := kind{fieldName(path), b.rule, b.want, b.because}
		if !kinds[k] {
			kept = append(kept, b)
		}
		kinds[k] = true
	}
	return kept
}

// fieldName spells a path as messages do: "headers[2].value".
func fieldName(path []step) string {
	var b strings.Builder
	for i, s := range path {
		switch {
		case s.name == "":
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case i == 0:
			b.WriteString(s.name)
		default:
			b.WriteString("." + s.name)
		}
	}
	return b.String()
}

// position says where the schema names a field: at each level the place among the
// properties, or the index in the array. A field that it does not name comes last.
func (d *document) position(c *content, path []step) []int {
	node, _ := d.follow(d.at(c.pointer), c.pointer)
	position := make([]int, len(path))
	for i, s := range path {
		if s.name == "" {
			position[i] = s.index
			node = child(node, "items")
		} else {
			position[i], node = placeOf(s.name, child(node, "properties"))
		}
		node, _ = d.follow(node, "")
	}
	return position
}

// placeOf finds a name among the properties of a schema. A name that is not there
// comes after all that are.
func placeOf(name string, properties *yaml.Node) (int, *yaml.Node) {
	i := 0
	for property, schema := range entries(properties) {
		if property == name {
			return i, schema
		}
		i++
	}
	return math.MaxInt, nil
}

// keywords orders the rules that one field can break at once: the first is reported.
var keywords = []string{
	"required", "type", "const", "enum", "minLength", "maxLength", "minItems", "maxItems", "maxProperties",
	"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern", "format",
}

func precedence(rule string) int {
	if i := slices.Index(keywords, rule); i >= 0 {
		return i
	}
	return len(keywords)
}
