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
//	{Charge}     one of the kind that is named like the field's type; {To:state} names another kind
//	{Tries=X|Y}  one of these words; a bool is true for the second, a number is the index
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
	means    reflect.Value // what it means before the slots are read
	more     func(w *words, meaning any)
}

type slot struct {
	name    string
	field   []int // of the meaning; none if its name is in lower case
	choices []string
	kind
}

// computed is a meaning that a function completes after the fields have been read.
type computed struct {
	means any
	more  func(*words, any)
}

func into[M any](m M, more func(*words, *M)) computed {
	return computed{m, func(w *words, meaning any) { more(w, meaning.(*M)) }}
}

// slotForm is a slot: its name, and a kind or choices.
var slotForm = regexp.MustCompile(`\{([\w.]+)(?::(\w+)|=([^}]*))?\}`)

// literals are the patterns of what is around the slots.
var literals = strings.NewReplacer(`.`, `\.`, `$`, `\$`, ` [`, `(?: (?:`, `[`, `(?:(?:`, "]\v", `) )?`, `]`, `))?`, `(`, `(?:`)

// newForm panics if a template names what does not exist: the templates are part of the program.
func newForm(template string, means any) *form {
	f := &form{template: template}
	if c, is := means.(computed); is {
		means, f.more = c.means, c.more
	}
	f.means = reflect.ValueOf(means)
	takesTable := strings.HasSuffix(strings.TrimSuffix(template, "]"), ":")
	for _, field := range reflect.VisibleFields(f.means.Type()) {
		if takesTable && field.Type.Kind() == reflect.Slice {
			f.tables = append(f.tables, field.Index)
		}
	}
	if strings.HasPrefix(template, "[") {
		template = strings.Replace(template, "] ", "]\v", 1)
	}
	pattern, end := "", 0
	for _, m := range slotForm.FindAllStringSubmatchIndex(template, -1) {
		s := f.slot(slotForm.FindStringSubmatch(template[m[0]:m[1]]))
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

// longestLiteral is the longest text that is in whatever a pattern matches.
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

func (f *form) slot(m []string) slot {
	s, kindName := slot{name: m[1]}, cmp.Or(m[2], m[1])
	if s.name != strings.ToLower(s.name) {
		of := f.means.Type()
		for name := range strings.SplitSeq(s.name, ".") {
			field, has := of.FieldByName(name)
			if !has {
				panic(fmt.Sprintf("%s: %v has no field %s", f.template, of, name))
			}
			s.field, of = append(s.field, field.Index...), field.Type
		}
		if of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		kindName = cmp.Or(m[2], of.Name())
	}
	known := false
	if s.kind, known = kinds[kindName]; m[3] != "" {
		s.choices, s.pattern, s.shown = strings.Split(m[3], "|"), m[3], m[3]
	} else if !known {
		panic(fmt.Sprintf("%s: there is no kind %s", f.template, kindName))
	}
	if len(s.choices) > 1 {
		s.shown = "(" + s.shown + ")"
	}
	return s
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
	pointer := reflect.New(f.means.Type())
	m := pointer.Elem()
	m.Set(f.means)
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
	if f.more != nil {
		f.more(w, pointer.Interface())
	}
	return m.Interface(), w
}

// set sets a field to what a slot has.
func (w *words) set(field reflect.Value, s slot, spelled string) {
	chosen := slices.Index(s.choices, spelled)
	if len(s.choices) == 1 {
		chosen = 1
	}
	switch of := field.Type(); {
	case of == reflect.TypeFor[[]Change]():
		field.Set(reflect.ValueOf(w.change(spelled)))
	case of.Kind() == reflect.Slice:
		for _, each := range separator.Split(spelled, -1) {
			item := reflect.New(of.Elem()).Elem()
			w.set(item, s, each)
			field.Set(reflect.Append(field, item))
		}
	case chosen >= 0 && of.Kind() == reflect.Bool:
		field.SetBool(chosen == 1)
	case chosen >= 0 && of.Kind() == reflect.Int:
		field.SetInt(int64(chosen))
	default:
		value := any(spelled)
		if s.read != nil {
			var err error
			value, err = s.read(spelled)
			w.check(err)
		}
		v := reflect.ValueOf(value)
		if of.Kind() == reflect.Pointer && v.Type() != of { // it may be missing
			field.Set(reflect.New(of.Elem()))
			field = field.Elem()
		}
		field.Set(v.Convert(field.Type()))
	}
}
