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
		items, _ := o[array].(list)
		i, err := strconv.Atoi(index)
		if err != nil || i >= len(items) {
			return nil, fmt.Errorf("cannot change %q: the request has no item %q", path, name)
		}
		items = slices.Clone(items)
		items[i], err = items[i].(object).with(rest, value)
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
