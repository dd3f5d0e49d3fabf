package profile

import "strings"

// fields are the values of a profile, by field as people write it: "accounts[0].certificate"; "" is the
// whole profile. They know what is wrong with them.
type fields struct {
	file    string
	places  map[string]place // by field
	assumed map[string]bool  // fields that cannot be checked here, and are assumed to be correct
	wrong   map[string]bool  // by field
	errs    Errors
	notes   []string
}

// place is the position of a value, its original text and its value.
type place struct {
	line, keyLine int
	written       string   // the text of a scalar, before variables and files are inserted
	value         any      // map, list, string, number or bool, with variables and files inserted
	put           []string // values inserted from variables or a file
}

func below(field, name string) string { return strings.TrimPrefix(field+"."+name, ".") }

// value returns the value of a field; nil if it is not set or invalid, so that one error does not
// hide others.
func (f *fields) value(field string) any {
	if f.wrong[field] {
		return nil
	}
	return f.places[field].value
}

func (f *fields) text(field string) string {
	text, _ := f.value(field).(string)
	return text
}

func (f *fields) number(field string) float64 {
	number, _ := f.value(field).(float64)
	return number
}

func (f *fields) items(field string) []any {
	items, _ := f.value(field).([]any)
	return items
}

func (f *fields) pairs(field string) map[string]string {
	object, ok := f.value(field).(map[string]any)
	if !ok {
		return nil
	}
	pairs := map[string]string{}
	for name := range object {
		pairs[name] = f.text(below(field, name))
	}
	return pairs
}

// given reports whether the profile sets a field, valid or not.
func (f *fields) given(field string) bool {
	_, there := f.places[field]
	return there
}

// written returns the original text of a field for messages.
func (f *fields) written(field string) string { return shown(f.places[field].written) }
