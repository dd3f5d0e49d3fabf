// Package jsonvalue reads decoded JSON: map[string]any, []any, string, json.Number, bool, nil.
package jsonvalue

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/steps/wording"
)

// mostUnknown is more than the members of any object that the specification describes, and of those with names of its
// users. A target may send thousands in each response.
const mostUnknown = 200

// Decode reads one JSON value, strictly; see contract.Decode. Of an object with hundreds of members, it keeps all that
// the contract knows.
func Decode(body []byte) (any, error) { return DecodeAtMost(body, 0) }

// DecodeAtMost is Decode with an error for more than so many values; 0 for no limit.
func DecodeAtMost(body []byte, values int) (any, error) {
	return contract.Decode(body, contract.Limits{Values: values, Unknown: mostUnknown})
}

// DecodeClear reads a JSON value without the fields that readers may read in different ways; unclear
// if there are any, which a reader may also refuse as malformed JSON.
func DecodeClear(body []byte) (v any, unclear bool) {
	v, unclear, _ = contract.DecodeClear(body)
	return v, unclear
}

// Lookup finds the value at a path: "data[0].balanceAmount.available".
func Lookup(v any, path string) (any, bool) {
	for path != "" {
		end := 0
		for end < len(path) && path[end] != '.' && path[end] != '[' && path[end] != ']' {
			end++
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
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// Text is the value at a path as text; empty if there is none.
func Text(v any, path string) string {
	found, ok := Lookup(v, path)
	if !ok || found == nil {
		return ""
	}
	return Plain(found)
}

// Plain is a value as text: a string as it is, anything else as JSON.
func Plain(v any) string {
	if text, isText := v.(string); isText {
		return text
	}
	return asJSON(v)
}

// asJSON is a value as JSON; a string has quotes.
func asJSON(v any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // people read it
	if err := encoder.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// Items are the elements of the array at a path; nil if there is none.
func Items(v any, path string) []any {
	found, _ := Lookup(v, path)
	items, _ := found.([]any)
	return items
}

// Equal compares two values; numbers by their value, however they are written.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		n, ok := b.(json.Number)
		return ok && contract.SameNumber(a, n)
	case map[string]any:
		m, ok := b.(map[string]any)
		if !ok || len(a) != len(m) {
			return false
		}
		for k, v := range a {
			if w, ok := m[k]; !ok || !Equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		s, ok := b.([]any)
		if !ok || len(a) != len(s) {
			return false
		}
		for i := range a {
			if !Equal(a[i], s[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

// Ratio is the exact value of a number.
func Ratio(n json.Number) (*big.Rat, bool) { return new(big.Rat).SetString(n.String()) }

// Found is a value as a reader of a response meets it: maybe absent.
type Found struct {
	Value   any
	Present bool
}

// Find is the value at a path.
func Find(v any, path string) Found {
	value, present := Lookup(v, path)
	return Found{value, present}
}

// String shows the value in a few words: "absent", "3 items", or its JSON.
func (f Found) String() string {
	if !f.Present {
		return "absent"
	}
	if items, ok := f.Value.([]any); ok && len(items) > 0 {
		return "a list of " + wording.Count(len(items), "item")
	}
	return asJSON(f.Value)
}
