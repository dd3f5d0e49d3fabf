package world

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// object is the body of a request whose leaves are JSON literals, so that an amount is sent
// exactly as a feature spells it.
type object map[string]any // object, list or json.RawMessage

// list is an array of a request, each item of which can be changed by itself.
type list []any

func literal(spelled string) json.RawMessage { return json.RawMessage(spelled) }

func text(s string) json.RawMessage { return encoded(s) }

// with is a copy in which the field at a path ("details.key", "splits[0].name") is value, or is
// left out if value is nil.
func (o object) with(path string, value json.RawMessage) (object, error) {
	name, rest, nested := strings.Cut(path, ".")
	changed := maps.Clone(o)
	switch {
	case !nested && value == nil:
		delete(changed, name)
		return changed, nil
	case !nested:
		changed[name] = value
		return changed, nil
	}
	if array, index, isItem := strings.Cut(strings.TrimSuffix(name, "]"), "["); isItem {
		items := itemsOf(o[array])
		i, err := strconv.Atoi(index)
		if err != nil || i >= len(items) {
			return nil, fmt.Errorf("cannot change %q: the request has no item %q", path, name)
		}
		items[i], err = objectOf(items[i]).with(rest, value)
		changed[array] = items
		return changed, err
	}
	child, ok := o[name].(object)
	if !ok {
		return nil, fmt.Errorf("cannot change %q: the request has no object %q", path, name)
	}
	grandchild, err := child.with(rest, value)
	changed[name] = grandchild
	return changed, err
}

// itemsOf are the items of an array, in a copy. Those of a literal become changeable.
func itemsOf(v any) list {
	if spelled, isLiteral := v.(json.RawMessage); isLiteral {
		var items []json.RawMessage
		_ = json.Unmarshal(spelled, &items) // no items if it is not an array
		var all list
		for _, item := range items {
			all = append(all, item)
		}
		return all
	}
	items, _ := v.(list)
	return slices.Clone(items)
}

// objectOf is an object whose members can be changed, also if it was spelled as a literal.
func objectOf(v any) object {
	spelled, isLiteral := v.(json.RawMessage)
	if !isLiteral {
		o, _ := v.(object)
		return o
	}
	var members map[string]json.RawMessage
	_ = json.Unmarshal(spelled, &members) // no members if it is not an object
	o := object{}
	for name, member := range members {
		o[name] = member
	}
	return o
}

// encoded is the JSON of a value, in which & and < stay as they are.
func encoded(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(fmt.Sprintf("a feature has a value that is not JSON: %v", err))
	}
	return bytes.TrimSpace(b.Bytes())
}
