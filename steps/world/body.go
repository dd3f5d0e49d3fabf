package world

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/language"
)

// object is the body of a request whose leaves are JSON literals, so that an amount is sent
// exactly as a feature spells it.
type object map[string]any // object, list or json.RawMessage

// list is an array of a request, each item of which can be changed by itself.
type list []any

// twice are the values of a field whose key comes more than once.
type twice []json.RawMessage

func literal(spelled string) json.RawMessage { return json.RawMessage(spelled) }

func text(s string) json.RawMessage { return encoded(s) }

// errNoField says that a body lacks what a path leads through.
var errNoField = errors.New("the request has no such field")

// with is a copy in which the field at a path ("details.key", "splits[0].name") is value, or is
// left out if value is nil.
func (o object) with(path string, value any) (object, error) {
	changed, err := replaced(o, segments(path), value)
	if err != nil {
		return nil, fmt.Errorf("cannot change %q: %w", path, err)
	}
	return changed.(object), nil
}

func segments(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]", r) })
}

func replaced(node any, path []string, value any) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	switch node := unfolded(node).(type) {
	case object:
		child, err := replaced(node[path[0]], path[1:], value)
		changed := maps.Clone(node)
		if changed[path[0]] = child; child == nil {
			delete(changed, path[0])
		}
		return changed, err
	case list:
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(node) {
			return nil, errNoField
		}
		items := slices.Clone(node)
		items[i], err = replaced(items[i], path[1:], value)
		return items, err
	}
	return nil, errNoField
}

// unfolded opens an object or an array that a feature spells as JSON, one level deep.
func unfolded(node any) any {
	raw, _ := node.(json.RawMessage)
	var fields map[string]json.RawMessage
	var items []json.RawMessage
	switch {
	case json.Unmarshal(raw, &fields) == nil && fields != nil:
		o := object{}
		for name, field := range fields {
			o[name] = field
		}
		return o
	case json.Unmarshal(raw, &items) == nil && items != nil:
		l := list{}
		for _, item := range items {
			l = append(l, item)
		}
		return l
	}
	return node
}

// places are the paths that a path with [each] stands for: the first, the middle and the last item.
func (o object) places(path string) ([]string, error) {
	array, rest, isEach := strings.Cut(path, language.EachElement)
	if !isEach {
		return []string{path}, nil
	}
	items, _ := unfolded(o.at(array)).(list)
	if len(items) == 0 {
		return nil, fmt.Errorf("cannot change %q: %w", path, errNoField)
	}
	last := len(items) - 1
	var all []string
	for _, i := range slices.Compact([]int{0, last / 2, last}) {
		all = append(all, fmt.Sprintf("%s[%d]%s", array, i, rest))
	}
	return all, nil
}

// at is the field at a path; nil if there is none.
func (o object) at(path string) any {
	var node any = o
	for _, name := range segments(path) {
		switch in := unfolded(node).(type) {
		case object:
			node = in[name]
		case list:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(in) {
				return nil
			}
			node = in[i]
		default:
			return nil
		}
	}
	return node
}

// paths are those of all fields; of an array, only those of its first item.
func (o object) paths() []string { return pathsIn("", o) }

func pathsIn(prefix string, node any) (all []string) {
	switch node := unfolded(node).(type) {
	case object:
		for _, name := range slices.Sorted(maps.Keys(node)) {
			path := strings.TrimPrefix(prefix+"."+name, ".")
			all = append(append(all, path), pathsIn(path, node[name])...)
		}
	case list:
		if len(node) > 0 {
			return pathsIn(prefix+"[0]", node[0])
		}
	}
	return all
}

// encoded is the JSON of a value, in which & and < stay as they are.
func encoded(v any) json.RawMessage {
	var b bytes.Buffer
	encode(&b, v)
	return b.Bytes()
}

func encode(b *bytes.Buffer, v any) {
	var err error
	switch v := v.(type) {
	case object:
		b.WriteByte('{')
		for i, name := range slices.Sorted(maps.Keys(v)) {
			values, both := v[name].(twice) // a key for each value
			if !both {
				encodeMember(b, i == 0, name, v[name])
			}
			for j, value := range values {
				encodeMember(b, i == 0 && j == 0, name, value)
			}
		}
		b.WriteByte('}')
	case list:
		b.WriteByte('[')
		for i, item := range v {
			separate(b, i == 0)
			encode(b, item)
		}
		b.WriteByte(']')
	case json.RawMessage:
		err = json.Compact(b, v)
	default:
		enc := json.NewEncoder(b)
		enc.SetEscapeHTML(false)
		err = enc.Encode(v)
		b.Truncate(len(bytes.TrimSpace(b.Bytes())))
	}
	if err != nil {
		panic(fmt.Sprintf("a feature has a value that is not JSON: %v", err))
	}
}

func encodeMember(b *bytes.Buffer, first bool, name string, value any) {
	separate(b, first)
	encode(b, name)
	b.WriteByte(':')
	encode(b, value)
}

func separate(b *bytes.Buffer, first bool) {
	if !first {
		b.WriteByte(',')
	}
}
