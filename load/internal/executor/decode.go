package executor

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"go.k6.io/k6/v2/lib"
)

// parse strictly decodes a scenario: an unknown field or a wrong type is an error that names the
// field.
func parse(name string, raw []byte) (*config, error) {
	c := newConfig(name)
	err := lib.StrictJSONUnmarshal(raw, c)
	if err == nil {
		return c, nil
	}
	var fields map[string]json.RawMessage
	_ = json.Unmarshal(raw, &fields) // without fields, the error is about the whole
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		alone, cause := json.Marshal(map[string]json.RawMessage{field: fields[field]})
		if cause == nil {
			cause = lib.StrictJSONUnmarshal(alone, newConfig(name))
		}
		if cause != nil {
			err = fmt.Errorf("%s: %w", field, cause)
			break
		}
	}
	return c, fmt.Errorf("scenario %s: %w", name, err)
}
