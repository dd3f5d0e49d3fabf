package language

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// form is a sentence, or a phrase in one, with slots for what varies:
//
//	a payer {Tries=pays|tries to pay} [{Amount} for] the [{Charge}] charge
//
// Its pattern and its line in the guide follow from it. A slot is read into the field of its name:
//
//	{Charge}     a value of the kind of the field's type; {To:state} names another kind
//	{Tries=X|Y}  one of these words; a bool is true for the second, an enumeration without a kind is the index
//	{Again=X}    this word, for true or 1
//	{amount}     no field, as it is in lower case, but a kind; a function of the row reads it
//
// [X] may be missing, with the space before it or, at the beginning, after it. (X|Y) is either.
type form struct {
	template string
	shown    string // in the guide: values in capitals
	pattern  *regexp.Regexp
	begins   string        // what every text of this form begins with
	contains string        // and contains
	slots    []slot        // one for each group of the pattern
	tables   [][]int       // fields that the table below a sentence is read into
	initial  reflect.Value // the meaning before the slots are read
	finish   func(w *words, meaning any)
}

type slot struct {
	name  string
	field []int // of the meaning; none if its name is in lower case
	kind
}

// finished is a meaning that a function finishes after the slots have been read.
type finished struct {
	initial    any
	finish     func(*words, any)
	readsTable bool // instead of the fields
}

func finishedBy[M any](initial M, finish func(*words, *M)) finished {
	return finished{initial: initial, finish: func(w *words, meaning any) { finish(w, meaning.(*M)) }}
}

// tabledBy is finishedBy a function that reads the table itself.
func tabledBy[M any](initial M, finish func(*words, *M)) finished {
	f := finishedBy(initial, finish)
	f.readsTable = true
	return f
}

// slotForm is a slot: its name, and a kind or choices.
var slotForm = regexp.MustCompile(`\{([\w.]+)(?::(\w+)|=([^}]*))?\}`)

// literals are the patterns of what is around the slots.
var literals = strings.NewReplacer(`.`, `\.`, `$`, `\$`, ` [`, `(?: (?:`, `[`, `(?:(?:`, "]\v", `) )?`, `]`, `))?`, `(`, `(?:`)

// newForm panics if a template is wrong: the templates are part of the program.
func newForm(template string, meaning any) *form {
	f := &form{template: template}
	takesTable := strings.HasSuffix(strings.TrimSuffix(template, "]"), ":")
	if m, is := meaning.(finished); is {
		meaning, f.finish = m.initial, m.finish
		takesTable = takesTable && !m.readsTable
	}
	f.initial = reflect.ValueOf(meaning)
	for _, field := range reflect.VisibleFields(f.initial.Type()) {
		if takesTable && field.Type.Kind() == reflect.Slice {
			f.tables = append(f.tables, field.Index)
		}
	}
	if strings.HasPrefix(template, "[") {
		template = strings.Replace(template, "] ", "]\v", 1)
	}
	pattern, end := "", 0
	for _, m := range slotForm.FindAllStringSubmatchIndex(template, -1) {
		parts := slotForm.FindStringSubmatch(template[m[0]:m[1]])
		s := f.slot(parts[1], parts[2], parts[3])
		f.slots = append(f.slots, s)
		pattern += literals.Replace(template[end:m[0]]) + "(" + s.pattern + ")"
		f.shown += template[end:m[0]] + s.shown
		end = m[1]
	}
	f.pattern = exactly(pattern + literals.Replace(template[end:]))
	f.begins, _ = f.pattern.LiteralPrefix()
	parsed, _ := syntax.Parse(f.pattern.String(), syntax.Perl) // which has been compiled
	f.contains = longestLiteral(parsed)
	f.shown = strings.Replace(f.shown+template[end:], "\v", " ", 1)
	return f
}

// longestLiteral is the longest literal that every match of a pattern contains.
func longestLiteral(pattern *syntax.Regexp) string {
	if pattern.Op == syntax.OpLiteral {
		return string(pattern.Rune)
	}
	longest, isOptional := "", pattern.Op != syntax.OpConcat && pattern.Op != syntax.OpCapture
	for _, part := range pattern.Sub {
		if part := longestLiteral(part); !isOptional && len(part) > len(longest) {
			longest = part
		}
	}
	return longest
}

func exactly(pattern string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + pattern + `)$`) }

// slot panics if its field does not exist or cannot hold what it accepts.
func (f *form) slot(name, kindName, choices string) slot {
	s := slot{name: name}
	var of reflect.Type // of its field
	if name != strings.ToLower(name) {
		of = f.initial.Type()
		for part := range strings.SplitSeq(name, ".") {
			field, has := of.FieldByName(part)
			if !has {
				panic(fmt.Sprintf("%s: %v has no field %s", f.template, of, part))
			}
			s.field, of = append(s.field, field.Index...), field.Type
		}
	}
	known := true
	switch {
	case choices != "":
		s.kind = oneOf(strings.Split(choices, "|"), of)
	case kindName == "" && of != nil:
		kindName = fmt.Sprint("for ", of)
		s.kind, known = kindsByType[valueType(of)]
	default:
		kindName = cmp.Or(kindName, name)
		s.kind, known = kinds[kindName]
	}
	switch {
	case !known:
		panic(fmt.Sprintf("%s: there is no kind %s", f.template, kindName))
	case of != nil && !holds(of, s.result):
		panic(fmt.Sprintf("%s: %s is %v, which cannot hold %v", f.template, name, of, s.result))
	}
	return s
}

// oneOf is the kind of one of some words, as a field of a type reads them.
func oneOf(choices []string, of reflect.Type) kind {
	k := kind{strings.Join(choices, "|"), strings.Join(choices, "|"), asText}
	if len(choices) > 1 {
		k.shown = "(" + k.shown + ")"
	}
	if of == nil {
		return k
	}
	index := func(spelled string) (int, error) { return slices.Index(choices, spelled), nil }
	if len(choices) == 1 {
		index = func(string) (int, error) { return 1, nil }
	}
	ofType, known := kindsByType[valueType(of)]
	switch {
	case known:
		k.reader = ofType.reader
	case of.Kind() == reflect.Bool && len(choices) <= 2:
		k.reader = as(func(spelled string) (bool, error) { i, err := index(spelled); return i == 1, err })
	case of.Kind() == reflect.Int:
		k.reader = as(index)
	}
	for _, choice := range choices {
		if _, err := k.read(choice); err != nil {
			panic(err)
		}
	}
	return k
}

// valueType is the type of one value of a field, which may be missing or one of several.
func valueType(of reflect.Type) reflect.Type {
	if _, known := kindsByType[of]; !known && (of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice) {
		return valueType(of.Elem())
	}
	return of
}

// holds reports whether set can set a field to what a slot is read as.
func holds(field, value reflect.Type) bool {
	return converts(value, field) || (field.Kind() == reflect.Pointer || field.Kind() == reflect.Slice) && holds(field.Elem(), value)
}

// converts reports whether a value is of a type but for its name: Go also converts an int to a string, of one rune.
func converts(value, to reflect.Type) bool {
	return value.Kind() == to.Kind() && value.ConvertibleTo(to)
}

// Display is the form as the guide shows it.
func (f *form) Display() string { return f.shown }

// read reads a text of this form, and the table below it; nil if it does not have this form.
func (f *form) read(text string, table [][]string) (meaning any, w *words) {
	if !strings.HasPrefix(text, f.begins) || !strings.Contains(text, f.contains) {
		return nil, nil // cheaper than to match it
	}
	groups := f.pattern.FindStringSubmatch(text)
	if groups == nil {
		return nil, nil
	}
	w = &words{form: f, groups: groups[1:], table: table}
	pointer := reflect.New(f.initial.Type())
	m := pointer.Elem()
	m.Set(f.initial)
	if strings.HasSuffix(text, ":") {
		for _, field := range f.tables {
			w.readTable(m.FieldByIndex(field).Addr().Interface())
		}
	}
	for i, s := range f.slots {
		if s.field != nil && w.groups[i] != "" {
			w.set(m.FieldByIndex(s.field), s, w.groups[i])
		}
	}
	if f.finish != nil {
		f.finish(w, pointer.Interface())
	}
	return m.Interface(), w
}

// set sets a field to what a slot has.
func (w *words) set(field reflect.Value, s slot, spelled string) {
	switch of := field.Type(); {
	case of == reflect.TypeFor[[]Change]():
		field.Set(reflect.ValueOf(w.change(spelled)))
	case converts(s.result, of):
		value, err := s.read(spelled)
		w.check(err)
		field.Set(reflect.ValueOf(value).Convert(of))
	case of.Kind() == reflect.Pointer: // it may be missing
		field.Set(reflect.New(of.Elem()))
		w.set(field.Elem(), s, spelled)
	default:
		for _, each := range separator.Split(spelled, -1) {
			item := reflect.New(of.Elem()).Elem()
			w.set(item, s, each)
			field.Set(reflect.Append(field, item))
		}
	}
}
