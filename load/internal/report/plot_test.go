package report

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/measure"
)

var nan = math.NaN()

func TestFormats(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0 ms", 49 * time.Microsecond: "49 µs", 999_900: "1 ms", 1500 * time.Microsecond: "1.5 ms", 12_345 * time.Microsecond: "12.3 ms",
		99_960 * time.Microsecond: "100 ms", 999_700 * time.Microsecond: "1 s", 61 * time.Second: "61 s", 11 * time.Minute: "11m0s",
	} {
		assert.Equal(t, want, duration(d))
	}
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", -1234567: "-1,234,567", math.MinInt64: "-9,223,372,036,854,775,808"} {
		assert.Equal(t, want, count(n))
	}
	for centavos, want := range map[int64]string{0: "R$ 0.00", 5: "R$ 0.05", -5: "-R$ 0.05", 123456789: "R$ 1,234,567.89", math.MinInt64: "-R$ 92,233,720,368,547,758.08"} {
		assert.Equal(t, want, reais(centavos))
	}
	for q, want := range map[float64]string{0: "0%", 0.5: "50%", 0.999: "99.9%", 0.99999: "99.999%", 0.9683772: "96.8%", 0.999437: "99.944%", 1: "100%"} {
		assert.Equal(t, want, percentile(q))
	}
	for s, want := range map[float64]string{0: "0:00", 0.5: "0:00", 0.8: "0:01", 1.8: "0:02", 65: "1:05", 3661: "1:01:01"} {
		assert.Equal(t, want, clock(s))
	}
	assert.Equal(t, none, milliseconds(nan))
	assert.Equal(t, `a\x1b[2Jb\u202ec é`, visible("a\x1b[2Jb\u202ec é"))
}

func TestAxesHoldTheirValues(t *testing.T) {
	t.Parallel()
	for name, a := range map[string]axis{
		"counts":         fromZero("", number, []float64{3, 77, nan}),
		"no counts":      fromZero("", number, []float64{nan}),
		"only zeros":     fromZero("", number, []float64{0, 0}),
		"latencies":      latencies("", []float64{0.2, 4000}),
		"one latency":    latencies("", []float64{30_000}),
		"no latency":     latencies("", nil),
		"a zero latency": latencies("", []float64{0}),
		"time":           elapsed(3601),
		"no time":        elapsed(0),
		"quantiles":      quantiles(0.9995),
	} {
		require.Greater(t, a.high, a.low, name)
		assert.NotEmpty(t, a.ticks, name)
		for _, v := range a.ticks {
			assert.GreaterOrEqual(t, v, a.low*(1-1e-9), name)
			assert.LessOrEqual(t, v, a.high*(1+1e-9), name)
			share := a.share(v)
			assert.True(t, share >= 0 && share <= 1, "%s: %v lies at %v", name, v, share)
		}
	}
	assert.InDelta(t, 80.0, fromZero("", number, []float64{3, 77}).high, 1e-9)
	assert.InDelta(t, 0.5, latencies("", []float64{1, 100}).share(10), 1e-9, "logarithmic")
	a := quantiles(0.999)
	assert.InDelta(t, a.share(0.99)-a.share(0.9), a.share(0.999)-a.share(0.99), 1e-9, "each nine is as wide as the one before")
}

func TestQuantilesTellNoMoreThanTheirValues(t *testing.T) {
	t.Parallel()
	assert.Equal(t, []float64{0, 0.5}, quantileGrid(1))
	assert.InDelta(t, 0.99, quantileGrid(100)[len(quantileGrid(100))-1], 1e-9)
	for _, n := range []int64{0, 1, 2, 10, 999, 1000, 1_000_000} {
		grid := quantileGrid(n)
		for i := 1; i < len(grid); i++ {
			assert.Greater(t, grid[i], grid[i-1])
		}
		if n > 2 {
			assert.GreaterOrEqual(t, (1-grid[len(grid)-1])*float64(n), 1-1e-6, "of %d", n)
		}
	}
	h := histogram(100, func() time.Duration { return time.Millisecond })
	assert.Equal(t, none, quantile(h, 0.999), "a p99.9 takes a thousand values")
	assert.Equal(t, "1 ms", quantile(h, 0.99))
	assert.Equal(t, "1 ms", quantile(h, 1))
	assert.Equal(t, none, quantile(nil, 0.5))
}

func TestAGapIsNoLine(t *testing.T) {
	t.Parallel()
	p := &plot{Grid: []float64{0, 1, 2, 3, 4, 5}, X: elapsed(5), Lines: []line{{Name: "p50", Values: []float64{1, 2, nan, 4, nan, 6}}}}
	p.Y = fromZero("", number, p.sets()...)
	c := p.Curves()[0]
	assert.Equal(t, 3, strings.Count(c.Stroke, "M"), "three pieces: %s", c.Stroke)
	assert.Equal(t, 1, strings.Count(c.Stroke, "L"))
	assert.Equal(t, 2, strings.Count(c.Dots, "M"), "a value alone is a dot")
	assert.Equal(t, []string{"0:02", none}, p.Rows()[2])
	assert.False(t, p.Empty())
	assert.True(t, (&plot{Lines: []line{{Values: []float64{nan}}}}).Empty())
}

func TestReadingsCoverThePlot(t *testing.T) {
	t.Parallel()
	p := ratePlot(goodRun())
	at := p.Left()
	for _, r := range p.Readings() {
		assert.InDelta(t, at, r.From, 1e-6, "no hole, no overlap")
		at = r.From + r.Across
	}
	assert.InDelta(t, p.Right(), at, 1e-6)
	assert.Regexp(t, `^1:00 · sent \d+ · completed \d+ · failed \d+$`, p.Readings()[60].Lines[0])

	eight := &plot{Grid: []float64{0}, X: elapsed(1), Y: fromZero("", number, []float64{1e6})}
	for range hues {
		eight.Lines = append(eight.Lines, line{Name: "transactions-by-key", Values: []float64{1e6}})
	}
	assert.Len(t, eight.Readings()[0].Lines, 2, "what does not fit goes on below")
}

func TestTimelineKeepsItsHoles(t *testing.T) {
	t.Parallel()
	r := deadRun()
	rate, latency := ratePlot(r), latencyPlot(r)
	require.Len(t, rate.Grid, 31)
	assert.InDelta(t, 5000.0, rate.Lines[0].Values[0], 0)
	assert.InDelta(t, 0.0, rate.Lines[0].Values[15], 0, "nothing was sent")
	assert.InDelta(t, 5000.0, rate.Lines[2].Values[30], 0)
	assert.True(t, math.IsNaN(latency.Lines[0].Values[15]), "and no latency is known")

	r.Timeline = measure.Timeline{Seconds: 4, Intervals: []measure.Interval{{At: began.Unix(), Operations: map[string]measure.Activity{"token": {Started: 10}}}}}
	assert.InDelta(t, 2.5, ratePlot(r).Lines[0].Values[0], 0, "a rate is by the second")
}

// After the load, only what still happens is shown: the wait for webhooks may take a minute.
func TestTheDrainHasNoEmptyRows(t *testing.T) {
	t.Parallel()
	r := oneRun()
	first := r.Timeline.Intervals[0]
	late := measure.Interval{At: first.At + 20, Delivery: histogram(1, func() time.Duration { return time.Second }), Backlog: 1}
	r.Timeline.Intervals = []measure.Interval{first, {At: first.At + 10, Backlog: 2}, late, {At: first.At + 60, Backlog: 1}}
	assert.Equal(t, []float64{0.5, 1.5, 20.5}, ratePlot(r).Grid, "r.Ended is after one second")
	r.Ended = began.Add(10 * time.Second)
	assert.Len(t, ratePlot(r).Grid, 12)
}
