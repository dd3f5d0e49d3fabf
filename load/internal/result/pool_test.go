package result

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/measure"
)

// trend is a threshold on a trend of one instance, of as many values as count: from, from + 1 ms…
func trend(expression string, ok bool, from, count int, kept bool) Threshold {
	t := Threshold{Metric: "http_req_duration", Expression: expression, Type: "trend", OK: ok, Basis: ByK6}
	if kept && count > 0 {
		t.Distribution = new(measure.Histogram)
		for i := range count {
			t.Distribution.Record(time.Duration(from+i) * time.Millisecond)
		}
	}
	last := float64(from + count - 1)
	t.Values = map[string]float64{"count": float64(count), "min": float64(from), "max": last, "avg": (float64(from) + last) / 2, "med": (float64(from) + last) / 2, "p(90)": last, "p(99.9)": last}
	if count == 0 {
		t.Values = map[string]float64{"count": 0, "min": 0, "max": 0, "avg": 0, "med": 0, "p(90)": 0, "p(99.9)": 0}
	}
	e, _ := parseExpression(expression)
	value := t.Values[e.method]
	t.Value, t.NoData = &value, count == 0
	return t
}

// Percentiles and averages of trends are those of all values if each instance kept its
// distribution, and otherwise the worst of the instances.
func TestTrendsArePooled(t *testing.T) {
	t.Parallel()
	many := func(expression string) Threshold { return trend(expression, true, 1, 990, true) }
	few := func(expression string) Threshold { return trend(expression, false, 5001, 10, true) }
	for name, c := range map[string]struct {
		parts []Threshold
		value float64
		ok    bool
		basis Basis
	}{
		"p90 of all":                        {[]Threshold{many("p(90)<1000"), few("p(90)<1000")}, 900, true, OnMerged},
		"in any order":                      {[]Threshold{few("p(90)<1000"), many("p(90)<1000")}, 900, true, OnMerged},
		"p90 of all that fails":             {[]Threshold{many("p(90)<899"), few("p(90)<899")}, 900, false, OnMerged},
		"p99.9 of all":                      {[]Threshold{many("p(99.9)<1000"), few("p(99.9)<1000")}, 5009, false, OnMerged},
		"median of all":                     {[]Threshold{many("med<505"), few("med<505")}, 500, true, OnMerged},
		"average of all":                    {[]Threshold{many("avg<600"), few("avg<600")}, (990*495.5 + 10*5005.5) / 1000, true, OnMerged},
		"maximum":                           {[]Threshold{many("max<1000"), few("max<1000")}, 5010, false, OnMerged},
		"an instance without values":        {[]Threshold{many("p(90)<1000"), trend("p(90)<1000", true, 0, 0, true)}, 891, true, OnMerged},
		"minimum without those of no value": {[]Threshold{many("min>0"), trend("min>0", true, 0, 0, true)}, 1, true, OnMerged},
		"a distribution that was not kept":  {[]Threshold{many("p(90)<1000"), trend("p(90)<1000", false, 5001, 10, false)}, 5010, false, EveryPart},
		"an average without a distribution": {[]Threshold{many("avg<600"), trend("avg<600", false, 5001, 10, false)}, 5005.5, false, EveryPart},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			results := make([]Result, len(c.parts))
			for i, part := range c.parts {
				results[i] = instance(i, len(c.parts), 0)
				results[i].Thresholds = []Threshold{part}
				encoded := text(t, results[i]) // as in its file
				results[i] = Result{}
				require.NoError(t, json.Unmarshal([]byte(encoded), &results[i]))
			}
			m, err := Merge(results)
			require.NoError(t, err)
			require.Len(t, m.Thresholds, 1)
			got := m.Thresholds[0]
			require.NotNil(t, got.Value)
			assert.InEpsilon(t, c.value, *got.Value, 0.001, "the precision of a histogram")
			assert.Equal(t, c.ok, got.OK)
			assert.Equal(t, c.basis, got.Basis)
			assert.Nil(t, got.Distribution, "it is kept for merging only")
		})
	}
}

func TestATrendWithoutAnyValueNeitherPassesNorFails(t *testing.T) {
	t.Parallel()
	a, b := instance(0, 2, 0), instance(1, 2, 0)
	a.Thresholds = []Threshold{trend("p(90)<1000", true, 0, 0, true)}
	b.Thresholds = a.Thresholds
	m, err := Merge([]Result{a, b})
	require.NoError(t, err)
	assert.True(t, m.Thresholds[0].NoData)
	assert.True(t, m.Thresholds[0].OK)
}
