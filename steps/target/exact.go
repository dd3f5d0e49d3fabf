package target

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"strings"
)

// DecodeControl decodes the first JSON value of the response of a control. The names of members count exactly, as in
// JSON: encoding/json also takes "STATUS" for status, and a target may add members of any name.
func DecodeControl(body []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return err
	}
	prune(v, reflect.TypeOf(into))
	exact, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return json.Unmarshal(exact, into)
}

// prune deletes the members of objects that a type has no field for.
func prune(v any, t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch v := v.(type) {
	case map[string]any:
		if t.Kind() != reflect.Struct {
			return
		}
		fields := map[string]reflect.Type{}
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			fields[name] = t.Field(i).Type
		}
		maps.DeleteFunc(v, func(name string, _ any) bool { return fields[name] == nil || name == "-" })
		for name, member := range v {
			prune(member, fields[name])
		}
	case []any:
		for _, item := range v {
			if t.Kind() == reflect.Slice {
				prune(item, t.Elem())
			}
		}
	}
}
