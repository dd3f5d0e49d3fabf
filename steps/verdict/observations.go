package verdict

import (
	"cmp"
	"slices"
)

// Observation is how a target behaved on one open point during a whole run.
type Observation struct {
	OpenPoint
	Varies bool   `json:"varies,omitempty"` // the target does not do the same each time, nor what follows from one reading of the point
	Seen   []Seen `json:"seen"`             // the most frequent first; empty if no scenario saw it
}

// Seen is one thing that a target did, with the scenarios that saw it.
type Seen struct {
	Value     string   `json:"value"`
	Scenarios []string `json:"scenarios"` // Scenario.ID, in alphabetical order
}

// Observations collects what the scenarios observed, in the order of r.OpenPoints. Other points
// follow, with their name as the question.
func (r *Run) Observations() []Observation {
	seen, fits := map[string]map[string][]string{}, map[string][]string{}
	for _, s := range r.Scenarios {
		for _, o := range s.Observations {
			if seen[o.Point] == nil {
				seen[o.Point], fits[o.Point] = map[string][]string{}, slices.Clone(o.Fits)
			}
			fits[o.Point] = slices.DeleteFunc(fits[o.Point], func(reading string) bool { return !slices.Contains(o.Fits, reading) })
			if id := s.ID(); !slices.Contains(seen[o.Point][o.Value], id) {
				seen[o.Point][o.Value] = append(seen[o.Point][o.Value], id)
			}
		}
	}
	observation := func(point OpenPoint, values map[string][]string) Observation {
		return Observation{point, len(values) > 1 && len(fits[point.Name]) == 0, sortedSeen(values)}
	}
	all := []Observation{}
	for _, point := range r.OpenPoints {
		all = append(all, observation(point, seen[point.Name]))
		delete(seen, point.Name)
	}
	strays := len(all)
	for name, values := range seen {
		all = append(all, observation(OpenPoint{Name: name, Question: name}, values))
	}
	slices.SortFunc(all[strays:], func(a, b Observation) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

func sortedSeen(values map[string][]string) []Seen {
	seen := []Seen{}
	for value, scenarios := range values {
		slices.Sort(scenarios)
		seen = append(seen, Seen{value, scenarios})
	}
	slices.SortFunc(seen, func(a, b Seen) int {
		return cmp.Or(cmp.Compare(len(b.Scenarios), len(a.Scenarios)), cmp.Compare(a.Value, b.Value))
	})
	return seen
}
