package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Misfits are the open points of which a target fits no permitted reading in all that it does,
// as failing results of the rules that observe them. A choice is open, but it is one choice: to
// answer by one reading here and by another there is a fault.
func Misfits(points []OpenPoint, scenarios []Scenario) []Scenario {
	var all []Scenario
	for _, point := range points {
		if seen := sightings(point, scenarios); len(seen) > 0 && !slices.ContainsFunc(point.Readings, func(reading string) bool { return fitsAll(reading, seen) }) {
			all = append(all, misfit(point, seen))
		}
	}
	return all
}

// sighting is what one scenario observed of an open point.
type sighting struct {
	Observed
	by Scenario
}

// sightings are those of a point with readings, by scenario.
func sightings(point OpenPoint, scenarios []Scenario) []sighting {
	if len(point.Readings) == 0 {
		return nil
	}
	var seen []sighting
	for _, s := range scenarios {
		for _, o := range s.Observations {
			if o.Point == point.Name {
				seen = append(seen, sighting{o, s})
			}
		}
	}
	slices.SortStableFunc(seen, func(a, b sighting) int {
		return cmp.Or(cmp.Compare(a.by.Rule, b.by.Rule), cmp.Compare(a.by.Line, b.by.Line), cmp.Compare(a.by.Name, b.by.Name))
	})
	return seen
}

func fitsAll(reading string, seen []sighting) bool {
	return !slices.ContainsFunc(seen, func(s sighting) bool { return !slices.Contains(s.Fits, reading) })
}

// oneReading begins what a misfit expects.
const oneReading = "one reading of "

func misfitName(point OpenPoint) string { return fmt.Sprintf("%q is read in one way", point.Name) }

// IsMisfit says whether a result is one of those that Misfits makes of points.
func (s Scenario) IsMisfit(points []OpenPoint) bool {
	return s.Via != "" && slices.ContainsFunc(points, func(p OpenPoint) bool { return s.Name == misfitName(p) })
}

// misfit is a failure of the rule that observes the point.
func misfit(point OpenPoint, seen []sighting) Scenario {
	first := seen[0].by
	return Scenario{
		Rule: first.Rule, Name: misfitName(point), Line: first.Line, Via: first.ID(), Verdict: Fail,
		Finding: &Finding{
			Expected: fmt.Sprintf(oneReading+"%q in all scenarios: %s", point.Name, strings.Join(point.Readings, ", or ")),
			Got:      strings.Join(told(seen), "; "),
			Hint:     "the specification leaves the choice, but not to choose differently from case to case",
			Exchange: -1,
		},
		Started: first.Started,
	}
}

// told says what was seen where, what the most scenarios fit first.
func told(seen []sighting) []string {
	where := map[string][]string{}
	for _, s := range seen {
		by := cmp.Or(strings.Join(s.Fits, " or "), "no reading")
		where[by] = append(where[by], fmt.Sprintf("%s in %q", s.Value, s.by.Name))
	}
	byCount := func(a, b string) int { return cmp.Or(len(where[b])-len(where[a]), cmp.Compare(a, b)) }
	var all []string
	for _, by := range slices.SortedFunc(maps.Keys(where), byCount) {
		all = append(all, fmt.Sprintf("%s: %s", by, strings.Join(where[by], ", ")))
	}
	return all
}
