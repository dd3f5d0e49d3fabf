package contract

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A list may have hundreds of items that differ only in what no keyword of the schema looks at, such as ids. To
// validate an item takes longer than anything else that happens to a response, so that of items that are alike only
// the first is validated. The others break the same keywords, of which distinct keeps the first.

// likeness says on what of a value it depends whether it is valid.
type likeness struct {
	exact   bool // on the value itself, not only on its type and its members
	members map[string]*likeness
	names   []string // of members, sorted
}

// judgesType are the keywords that depend only on the type of a value and on the names of its members.
var judgesType = map[string]bool{"type": true, "required": true, "title": true, "description": true}

const deepestSchema = 20 // schemas may contain themselves

// add adds a schema that a value must match.
func (l *likeness) add(d *document, schema *yaml.Node, depth int) {
	if depth == deepestSchema {
		l.exact = true
		return
	}
	for keyword, value := range entries(schema) {
		switch {
		case judgesType[keyword]:
		case keyword == "$ref":
			l.add(d, d.at(strings.TrimPrefix(value.Value, "#")), depth+1)
		case slices.Contains([]string{"if", "then", "else", "not"}, keyword):
			l.add(d, value, depth+1)
		case slices.Contains([]string{"allOf", "anyOf", "oneOf"}, keyword):
			for _, schema := range entries(value) {
				l.add(d, schema, depth+1)
			}
		case keyword == "properties":
			for name, schema := range entries(value) {
				l.member(name).add(d, schema, depth+1)
			}
		default:
			l.exact = true
		}
	}
	l.names = slices.Sorted(maps.Keys(l.members))
}

func (l *likeness) member(name string) *likeness {
	if l.members[name] == nil {
		if l.members == nil {
			l.members = map[string]*likeness{}
		}
		l.members[name] = &likeness{}
	}
	return l.members[name]
}

// appendTo appends a text that values have in common if they are alike.
func (l *likeness) appendTo(text []byte, value any) []byte {
	fields, isObject := value.(map[string]any)
	switch value := value.(type) {
	case string:
		if !l.exact {
			return append(text, 's')
		}
		return append(binary.AppendUvarint(append(text, '"'), uint64(len(value))), value...)
	case nil:
		return append(text, '0')
	case json.Number:
		return append(append(text, value...), ' ')
	}
	if !isObject || l.exact {
		spelled, _ := json.Marshal(value) // what was decoded can be encoded
		return append(text, spelled...)
	}
	text = append(text, '{')
	for i, name := range l.names {
		if member, has := fields[name]; has {
			text = append(text, byte(i>>8), byte(i))
			text = l.members[name].appendTo(text, member)
		}
	}
	return append(text, '}')
}

// likenessesOf returns those of the items of the lists in a body. The schema of a list itself must not look at how many
// it has.
func (d *document) likenessesOf(c *content) map[string]*likeness {
	if c == nil {
		return nil
	}
	all := map[string]*likeness{}
	body, _ := d.follow(d.at(c.pointer), c.pointer)
	for name, list := range entries(child(body, "properties")) {
		list, _ = d.follow(list, "")
		items, isPlain := child(list, "items"), true
		for keyword := range entries(list) {
			isPlain = isPlain && (keyword == "items" || judgesType[keyword])
		}
		if items != nil && isPlain {
			all[name] = &likeness{}
			all[name].add(d, items, 0)
		}
	}
	return all
}

// unlike is a body without the items that are like an earlier one, and where those stand that are left, by the name of
// the list.
func (r *response) unlike(body any) (short any, kept map[string][]int) {
	fields, _ := body.(map[string]any)
	var text []byte
	for name, l := range r.alike {
		items, isList := fields[name].([]any)
		if !isList || len(items) < 2 {
			continue
		}
		known, left, at := make(map[string]bool, len(items)), []any(nil), []int(nil)
		for i, item := range items {
			if text = l.appendTo(text[:0], item); known[string(text)] {
				continue
			}
			known[string(text)] = true
			left, at = append(left, item), append(at, i)
		}
		if len(left) == len(items) {
			continue
		}
		if kept == nil {
			fields, kept = maps.Clone(fields), map[string][]int{}
		}
		fields[name], kept[name] = left, at
	}
	if kept == nil {
		return body, nil
	}
	return fields, kept
}

// distinctBreaches returns those of a body that distinct keeps.
func (r *response) distinctBreaches(status int, body any) []breach {
	short, kept := r.unlike(body)
	breaches := r.breaches(short)
	for _, b := range breaches {
		if len(b.path) < 2 {
			continue
		}
		if at := kept[b.path[0].name]; at != nil {
			b.path[1].index = at[b.path[1].index]
		}
	}
	if fields, isObject := body.(map[string]any); isObject && r.envelope != nil {
		breaches = append(breaches, r.envelope(status, fields)...)
	}
	return distinct(breaches)
}
