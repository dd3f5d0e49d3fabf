package verdict

import (
	"cmp"
	"slices"
)

// Observation is how a target behaved on one open point during a whole run.
type Observation struct {
	OpenPoint
	Seen []Seen // the most frequent first; none if no scenario saw it
}

// Seen is one thing that a target did, with the scenarios that saw it.
type Seen struct {
	Value     string   `json:"value"`
	Scenarios []string `json:"scenarios"` // Scenario.ID, in alphabetical order
}

// Observations collects what the scenarios observed, in the order of r.OpenPoints. Other points
// follow, with their name as the question.
func (r *Run) Observations() []Observation {
	seen := map[string]map[string][]string{}
	for _, s := range r.Scenarios {
		for _, o := range s.Observations {
			if seen[o.Point] == nil {
				seen[o.Point] = map[string][]string{}
			}
			if id := s.ID(); !slices.Contains(seen[o.Point][o.Value], id) {
				seen[o.Point][o.Value] = append(seen[o.Point][o.Value], id)
			}
		}
	}
	var all []Observation
	for _, point := range r.OpenPoints {
		all = append(all, Observation{point, sortedSeen(seen[point.Name])})
		delete(seen, point.Name)
	}
	strays := len(all)
	for name, values := range seen {
		all = append(all, Observation{OpenPoint{Name: name, Question: name}, sortedSeen(values)})
	}
	slices.SortFunc(all[strays:], func(a, b Observation) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

func sortedSeen(values map[string][]string) []Seen {
	var seen []Seen
	for value, scenarios := range values {
		slices.Sort(scenarios)
		seen = append(seen, Seen{value, scenarios})
	}
	slices.SortFunc(seen, func(a, b Seen) int {
		return cmp.Or(cmp.Compare(len(b.Scenarios), len(a.Scenarios)), cmp.Compare(a.Value, b.Value))
	})
	return seen
}
