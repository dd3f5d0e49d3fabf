package mutants

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// decode reads JSON with its numbers as they are written; ok is false for what is none.
func decode(body []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	err := d.Decode(&v)
	return v, err == nil && !d.More()
}

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // it was decoded from JSON, or is a literal of a table
	}
	return bytes.TrimSpace(b.Bytes())
}

// value is the JSON that a row of a table spells.
func value(literal string) any {
	v, ok := decode([]byte(literal))
	if !ok {
		panic("a mutant spells a value that is no JSON: " + literal)
	}
	return v
}

// segments of a path: "data[0].balanceAmount" is data, 0, balanceAmount. An empty index
// stands for every item: "webhooks[].id"; an empty path for the whole.
func segments(path string) []string {
	if path == "" {
		return nil
	}
	return strings.Split(strings.NewReplacer("[", ".", "]", "").Replace(path), ".")
}

// lookup finds the value at a path; the first of several.
func lookup(body []byte, path string) (any, bool) {
	if found := lookups(body, path); len(found) > 0 {
		return found[0], true
	}
	return nil, false
}

// lookups finds the values at a path. "splits[].value" has one for each item, or for each
// member of an object.
func lookups(body []byte, path string) []any {
	v, ok := decode(body)
	if !ok {
		return nil
	}
	return descend(v, segments(path))
}

func descend(v any, path []string) []any {
	if len(path) == 0 {
		return []any{v}
	}
	name, rest := path[0], path[1:]
	var found []any
	switch at := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(at)) {
			if name == "" || name == k {
				found = append(found, descend(at[k], rest)...)
			}
		}
	case []any:
		for i, item := range at {
			if name == "" || name == strconv.Itoa(i) {
				found = append(found, descend(item, rest)...)
			}
		}
	}
	return found
}

// textAt is the text at a path; empty where there is none.
func textAt(body []byte, path string) string {
	v, _ := lookup(body, path)
	s, _ := v.(string)
	return s
}

// absent, given to or returned by an alteration, is a field that is not there.
type absent struct{}

// alter returns v with the field at the path altered. Objects on the way that are not
// there are made, items are not.
func alter(v any, path []string, alteration func(any) any) any {
	if len(path) == 0 {
		return alteration(v)
	}
	name, rest := path[0], path[1:]
	switch at := v.(type) {
	case map[string]any:
		return alterMember(at, name, rest, alteration)
	case []any:
		items := make([]any, 0, len(at))
		for i, item := range at {
			if name == "" || name == strconv.Itoa(i) {
				item = alter(item, rest, alteration)
			}
			if item != (absent{}) {
				items = append(items, item)
			}
		}
		return items
	default:
		return v
	}
}

func alterMember(o map[string]any, name string, rest []string, alteration func(any) any) any {
	changed := make(map[string]any, len(o)+1)
	for k, v := range o {
		changed[k] = v
	}
	old, ok := o[name]
	switch {
	case !ok && len(rest) == 0:
		old = absent{}
	case !ok:
		old = map[string]any{}
	}
	if changed[name] = alter(old, rest, alteration); changed[name] == (absent{}) {
		delete(changed, name)
	}
	return changed
}
