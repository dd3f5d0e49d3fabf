package steps

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// object is the body of a request whose leaves are JSON literals: an amount goes
// over the wire exactly as a feature spells it.
type object map[string]any // object, list or json.RawMessage

func literal(json_ string) json.RawMessage { return json.RawMessage(json_) }

func text(s string) json.RawMessage {
	b, err := encoded(s)
	if err != nil {
		panic(err) // a string is always encodable
	}
	return b
}

// list is an array of a request whose items can be changed each by itself.
type list []any

// with returns a copy in which the field at path ("details.key", "splits[0].name") is
// value, or is left out when value is nil.
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
	item, isItem := strings.CutSuffix(name, "[0]")
	if items, ok := o[item].(list); ok && isItem {
		first, err := items[0].(object).with(rest, value)
		changed[item] = append(list{first}, items[1:]...)
		return changed, err
	}
	child, ok := o[name].(object)
	if !ok {
		return nil, fmt.Errorf("the request has no object %q to change %q in", name, path)
	}
	grandchild, err := child.with(rest, value)
	changed[name] = grandchild
	return changed, err
}

func (o object) bytes() []byte {
	b, err := encoded(o)
	if err != nil {
		panic(fmt.Sprintf("a feature spells a value that is no JSON: %v", err))
	}
	return b
}

// encoded is the JSON of a value, in which & and < stay as they are.
func encoded(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// lookup finds the value at path ("data[0].balanceAmount.available") in decoded JSON.
func lookup(v any, path string) (any, bool) {
	for path != "" {
		end := strings.IndexAny(path, ".[]")
		if end < 0 {
			end = len(path)
		}
		segment := path[:end]
		path = strings.TrimPrefix(path[end:], "]")
		if path != "" {
			path = path[1:] // the dot or the bracket
		}
		switch at := v.(type) {
		case map[string]any:
			child, ok := at[segment]
			if !ok {
				return nil, false
			}
			v = child
		case []any:
			i, err := strconv.Atoi(segment)
			if err != nil || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}
