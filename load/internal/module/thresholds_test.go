package module

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/measure"
)

func TestTheDistributionOfATrendIsThatOfItsValues(t *testing.T) {
	t.Parallel()
	many := make([]float64, 100_000)
	for i := range many {
		many[i] = float64((i*7919)%len(many)+1) / 10
	}
	beyond := float64(measure.Highest/time.Millisecond) + 1
	for name, c := range map[string]struct {
		values   []float64
		contains metrics.ValueType
		kept     bool
	}{
		"one value":               {[]float64{12.345}, metrics.Time, true},
		"two values":              {[]float64{400_000, 0.001}, metrics.Time, true},
		"many values":             {many, metrics.Time, true},
		"no value":                {nil, metrics.Time, false},
		"values that are no time": {[]float64{1, 2}, metrics.Default, false},
		"a negative value":        {[]float64{1, -2}, metrics.Time, false},
		"a value beyond":          {[]float64{1, beyond}, metrics.Time, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trend, err := metrics.NewRegistry().NewMetric("a_trend", metrics.Trend, c.contains)
			require.NoError(t, err)
			want := new(measure.Histogram)
			for _, value := range c.values {
				trend.Sink.Add(metrics.Sample{Value: value})
				want.Record(time.Duration(value * float64(time.Millisecond)))
			}
			got := distributionOf(trend)
			if !c.kept {
				assert.Nil(t, got)
				return
			}
			assert.Equal(t, int64(len(c.values)), got.Count())
			for _, q := range []float64{0, 0.1, 0.5, 0.9, 0.99, 0.999, 1} {
				of, _ := want.Quantile(q)
				is, _ := got.Quantile(q)
				assert.InDelta(t, of, is, float64(of)/500, q)
			}
		})
	}
	counter, err := metrics.NewRegistry().NewMetric("a_counter", metrics.Counter, metrics.Default)
	require.NoError(t, err)
	assert.Nil(t, distributionOf(counter))
}
