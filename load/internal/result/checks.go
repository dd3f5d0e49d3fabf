package result

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// ReadChecks reads the script's checks from the data of handleSummary as JSON, in either of its shapes: the usual one,
// and that of --new-machine-readable-summary.
func ReadChecks(data []byte) (all []Check, err error) {
	var given struct {
		Root    *group `json:"root_group"`
		Results *struct {
			Checks struct {
				Results []Check `json:"results"`
			} `json:"checks"`
		} `json:"results"`
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return nil, fmt.Errorf("read k6's summary: %w", err)
	}
	switch {
	case given.Root != nil:
		all = given.Root.all("")
	case given.Results != nil:
		all = given.Results.Checks.Results
	default:
		return nil, errors.New("read k6's summary: expected root_group or results; pass on the argument of handleSummary unchanged")
	}
	slices.SortFunc(all, func(a, b Check) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

// group in k6's summary.
type group struct {
	Name   string  `json:"name"`
	Groups []group `json:"groups"`
	Checks []Check `json:"checks"`
}

// all are the checks of a group and its subgroups, prefixed with their path.
func (g group) all(path string) []Check {
	var checks []Check
	for _, c := range g.Checks {
		checks = append(checks, Check{path + c.Name, c.Passes, c.Fails})
	}
	for _, inner := range g.Groups {
		checks = append(checks, inner.all(path+inner.Name+"::")...)
	}
	return checks
}
