package contract

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Sample is a value that a field of a request must not have.
type Sample struct {
	Name string          // what is wrong with it: "absent", "141 characters"
	JSON json.RawMessage // nil for a field that is left out
}

// Invalid derives from the contract what a field of a request must not be: absent or null where it
// is required, another kind of JSON, too short, too long, outside its enum or its range. It leaves
// out what a gateway may convert: see Mistyped. A path is "details.key" or "splits[0].name".
func (op *Operation) Invalid(path string) ([]Sample, error) {
	f, err := op.field(path)
	if err != nil {
		return nil, err
	}
	all := f.listed("x-invalid")
	if f.required {
		all = append(all, Sample{Name: "absent"}, sample("null"))
	}
	for _, derive := range invalid[f.text("type")] {
		all = append(all, derive(f)...)
	}
	return all, nil
}

// invalid are the ways to break a field, by its type.
var invalid = map[string][]func(spec) []Sample{
	"string":  {otherKind("{}"), tooShort, tooLong, outsideEnum, loneSurrogate},
	"number":  {otherKind("{}", `"abc"`), tooSmall, tooFine},
	"integer": {otherKind("{}", `"abc"`), tooSmall, tooLarge},
	"boolean": {otherKind("{}", `"abc"`)},
	"array":   {otherKind("{}", `"abc"`)},
	"object":  {otherKind("[]", `"abc"`)},
}

// Mistyped are values of another type that some gateways convert: "10" for 10, 10 for "10".
func (op *Operation) Mistyped(path string) ([]Sample, error) {
	f, err := op.field(path)
	if err != nil {
		return nil, err
	}
	var all []Sample
	for _, spelled := range mistyped[f.text("type")] {
		all = append(all, sample(spelled))
	}
	return all, nil
}

var mistyped = map[string][]string{
	"string":  {"123", "true", `["a"]`},
	"number":  {`"1.00"`, "true", "[1.00]"},
	"integer": {`"60"`, "true", "[60]"},
	"boolean": {`"true"`, "1", "[true]"},
}

// spec is what the contract says of a field of a body.
type spec struct {
	doc      *document
	schema   *yaml.Node
	required bool

	maybeChoice bool // the object that it belongs to has no required fields
}

func (op *Operation) field(path string) (spec, error) {
	if op.request == nil {
		return spec{}, fmt.Errorf("a %s request has no body", op.ID)
	}
	doc := op.request.doc
	f := spec{doc: doc, schema: doc.at(op.request.pointer)}
	for _, name := range strings.Split(path, ".") {
		name, _, isItem := strings.Cut(name, "[")
		required := f.listed("required")
		f.required, f.maybeChoice = false, len(required) == 0
		for _, r := range required {
			f.required = f.required || r.Name == strconv.Quote(name)
		}
		if f.schema = child(f.keyword("properties"), name); f.schema != nil && isItem {
			f.schema = f.keyword("items")
		}
		if f.schema == nil {
			return f, fmt.Errorf("the contract of %s has no field %s", op.ID, path)
		}
	}
	return f, nil
}

// MayBeAdded reports whether an optional field can be added to an object that lacks it, whatever else that has. An object
// without required fields may be a choice of one of them, such as cpf or cnpj.
func (op *Operation) MayBeAdded(path string) (bool, error) {
	f, err := op.field(path)
	return !f.required && !f.maybeChoice, err
}

// keyword finds a keyword of the schema, or of the one that it refers to; nil if there is none.
func (f spec) keyword(name string) *yaml.Node {
	for n := f.schema; n != nil; {
		if found := child(n, name); found != nil {
			return found
		}
		ref := child(n, "$ref")
		if ref == nil {
			return nil
		}
		n = f.doc.at(strings.TrimPrefix(ref.Value, "#"))
	}
	return nil
}

// text is a keyword that is a scalar; empty if there is none.
func (f spec) text(keyword string) string {
	if n := f.keyword(keyword); n != nil {
		return n.Value
	}
	return ""
}

// number is a keyword that counts; false if there is none.
func (f spec) number(keyword string) (int, bool) {
	n, err := strconv.Atoi(f.text(keyword))
	return n, err == nil
}

// listed are the values of a keyword that is a list.
func (f spec) listed(keyword string) (all []Sample) {
	for _, n := range entries(f.keyword(keyword)) {
		spelled, err := json.Marshal(plain(n))
		if err != nil {
			panic(fmt.Sprintf("openapi.yaml:%d: %v", n.Line, err))
		}
		all = append(all, sample(string(spelled)))
	}
	return all
}

func sample(spelled string) Sample { return Sample{spelled, json.RawMessage(spelled)} }

func otherKind(spelled ...string) func(spec) []Sample {
	return func(spec) (all []Sample) {
		for _, s := range spelled {
			all = append(all, sample(s))
		}
		return all
	}
}

// tooShort: a pattern says more about the length than samples of one letter can.
func tooShort(f spec) []Sample {
	n, bounded := f.number("minLength")
	switch {
	case f.keyword("enum") != nil, f.keyword("pattern") != nil:
		return []Sample{sample(`""`)}
	case bounded && n > 0:
		return []Sample{ofLength(n - 1)}
	}
	return nil
}

// tooLong is a text with a character too many, and one of which some characters are spaces, which count.
func tooLong(f spec) []Sample {
	n, bounded := f.number("maxLength")
	if !bounded || f.keyword("pattern") != nil {
		return nil
	}
	words := strings.Repeat("x ", n/2) + strings.Repeat("x", n+1-n/2*2)
	return []Sample{ofLength(n + 1), {fmt.Sprintf("%d characters with spaces", n+1), json.RawMessage(strconv.Quote(words))}}
}

func ofLength(n int) Sample {
	return Sample{fmt.Sprintf("%d characters", n), json.RawMessage(`"` + strings.Repeat("x", n) + `"`)}
}

// outsideEnum are one that is nowhere near, each value in another case and padded, and what a careless comparison takes for
// one of them: a beginning, more than all of it, two at once, a name that every object of some languages has.
func outsideEnum(f spec) []Sample {
	var values []string
	for _, v := range f.listed("enum") {
		if s, err := strconv.Unquote(v.Name); err == nil {
			values = append(values, s)
		}
	}
	if len(values) == 0 {
		return nil
	}
	first, last := values[0], values[len(values)-1]
	near := []string{"X", " " + first, first + "\n", first + "S", last[:len(last)-1], first + "," + last, "constructor", "*"}
	for _, v := range values {
		other := strings.ToLower(v)
		if other == v {
			other = strings.ToUpper(v)
		}
		near = append(near, other, v+" ")
	}
	if hyphenated := strings.ReplaceAll(first, "_", "-"); hyphenated != first {
		near = append(near, hyphenated)
	}
	var all []Sample
	for _, v := range near {
		all = append(all, sample(strconv.Quote(v)))
	}
	return all
}

// loneSurrogate is half of a character, which is in no enum and fits no pattern.
func loneSurrogate(f spec) []Sample {
	if f.keyword("enum") == nil && f.keyword("pattern") == nil {
		return nil
	}
	return []Sample{{"a lone surrogate", json.RawMessage(`"\ud800"`)}}
}

// tooSmall is the next number below the minimum, and a negative one.
func tooSmall(f spec) []Sample {
	if minimum := f.text("minimum"); minimum == "0.01" {
		return []Sample{sample("0"), sample("-0.01")}
	}
	if n, bounded := f.number("minimum"); bounded {
		return []Sample{sample(strconv.Itoa(n - 1)), sample("-1")}
	}
	return nil
}

// tooLarge is the next number above the maximum, and the next power of ten with an exponent.
func tooLarge(f spec) []Sample {
	if n, bounded := f.number("maximum"); bounded {
		return []Sample{sample(strconv.Itoa(n + 1)), sample(fmt.Sprintf("1e%d", len(strconv.Itoa(n))))}
	}
	return nil
}

// tooFine are numbers with more decimals than the field may have.
func tooFine(f spec) []Sample {
	if f.text("multipleOf") != "0.01" {
		return nil
	}
	return []Sample{sample("1.001"), sample("0.019"), sample("1e-3"), sample("1.0001"), sample("99.999"), sample("100000.001")}
}
