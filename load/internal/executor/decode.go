package executor

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"go.k6.io/k6/v2/lib"
)

// parse strictly decodes a scenario into its executor's configuration: an unknown field or a
// wrong type is an error that names the field.
func parse[C lib.ExecutorConfig](name string, raw []byte, make func(name string) C) (C, error) {
	config := make(name)
	err := lib.StrictJSONUnmarshal(raw, config)
	if err == nil {
		return config, nil
	}
	strict := func(alone []byte) error { return lib.StrictJSONUnmarshal(alone, make(name)) }
	if field, cause := invalidField(raw, strict); field != "" {
		err = fmt.Errorf("%s: %w", field, cause)
	}
	return config, fmt.Errorf("scenario %s: %w", name, err)
}

// invalidField is the path of the first field whose value cannot be decoded on its own.
func invalidField(raw []byte, decode func(alone []byte) error) (field string, cause error) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil {
		return "", nil
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		within := func(value []byte) error {
			alone, err := json.Marshal(map[string]json.RawMessage{name: value})
			if err != nil {
				return err
			}
			return decode(alone)
		}
		if cause = within(fields[name]); cause == nil {
			continue
		}
		if inner, cause := invalidField(fields[name], within); inner != "" {
			return name + "." + inner, cause
		}
		return name, cause
	}
	return "", nil
}
