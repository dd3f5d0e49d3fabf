package verdict

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMisfits(t *testing.T) {
	t.Parallel()
	zone := OpenPoint{Name: "zone", Readings: []string{"São Paulo", "UTC"}}
	free := OpenPoint{Name: "free"}
	see := func(rule, name, point, value string, fits ...string) Scenario {
		return Scenario{Rule: rule, Name: name, Observations: []Observed{{point, value, fits}}}
	}
	for name, c := range map[string]struct {
		scenarios []Scenario
		got       string // empty if the target fits
	}{
		"nothing seen":        {},
		"one reading":         {scenarios: []Scenario{see("a", "1", "zone", "400", "UTC"), see("a", "2", "zone", "201", "UTC")}},
		"one of several":      {scenarios: []Scenario{see("a", "1", "zone", "400", "São Paulo", "UTC"), see("a", "2", "zone", "201", "São Paulo")}},
		"none":                {[]Scenario{see("a", "1", "zone", "500")}, `no reading: 500 in "1"`},
		"one here, one there": {[]Scenario{see("a", "2", "zone", "201", "UTC"), see("a", "1", "zone", "400", "São Paulo"), see("a", "3", "zone", "201", "UTC")}, `UTC: 201 in "2", 201 in "3"; São Paulo: 400 in "1"`},
		"several rules":       {[]Scenario{see("b", "2", "zone", "201", "UTC"), see("a", "1", "zone", "400", "São Paulo")}, `São Paulo: 400 in "1"; UTC: 201 in "2"`},
		"a point without":     {scenarios: []Scenario{see("a", "1", "free", "400"), see("a", "2", "free", "201")}},
		"another point":       {scenarios: []Scenario{see("a", "1", "unlisted", "400", "x"), see("a", "2", "unlisted", "201", "y")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := Misfits([]OpenPoint{free, zone}, c.scenarios)
			if c.got == "" {
				assert.Empty(t, found)
				return
			}
			require.Len(t, found, 1)
			s := found[0]
			assert.Equal(t, "a", s.Rule)
			assert.Equal(t, "a/1", s.Via)
			assert.Equal(t, Fail, s.Verdict)
			assert.Equal(t, "Consistent behaviour: zone", s.Name)
			assert.Equal(t, `one reading of "zone" in all scenarios: São Paulo, or UTC`, s.Finding.Expected)
			assert.Equal(t, c.got, s.Finding.Got)
		})
	}
}
