package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Misfits returns a failing result for each open point on which the target does not follow one
// permitted reading throughout. The target may choose a reading, but only one: following one reading
// here and another one there is a fault.
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

func misfitName(point OpenPoint) string { return fmt.Sprintf("Consistent behaviour: %s", point.Name) }

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
			Got:      strings.Join(describeSightings(seen), "; "),
			Hint:     "the specification leaves this open, but a gateway must behave the same way everywhere",
			Exchange: -1,
		},
		Started: first.Started,
	}
}

// describeSightings says what was seen in which scenarios, the most frequent reading first.
func describeSightings(seen []sighting) []string {
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
