package result

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Summary is what a report needs of the data of k6's handleSummary.
type Summary struct {
	Checks []Check // of the script
	Color  bool    // k6 writes to a terminal that shows colors
}

// ReadSummary reads the data of handleSummary as JSON, in either of its shapes: the usual one,
// and that of --new-machine-readable-summary.
func ReadSummary(data []byte) (s Summary, err error) {
	var given struct {
		Root    *group `json:"root_group"`
		Results *struct {
			Checks struct {
				Results []Check `json:"results"`
			} `json:"checks"`
		} `json:"results"`
		State struct {
			Terminal bool `json:"isStdOutTTY"`
		} `json:"state"`
		Options struct {
			Plain bool `json:"noColor"`
		} `json:"options"`
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return s, fmt.Errorf("read k6's summary: %w", err)
	}
	s.Color = given.State.Terminal && !given.Options.Plain
	switch {
	case given.Root != nil:
		s.Checks = given.Root.all("")
	case given.Results != nil:
		s.Checks = given.Results.Checks.Results
	default:
		return s, errors.New("read k6's summary: expected root_group or results; pass on the argument of handleSummary unchanged")
	}
	slices.SortFunc(s.Checks, func(a, b Check) int { return cmp.Compare(a.Name, b.Name) })
	return s, nil
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
