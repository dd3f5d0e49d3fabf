package report

import (
	"math"
	"time"
)

// axis maps values to a fraction of a plot's width or height.
type axis struct {
	Label  string
	scale  scale
	low    float64 // the value at share 0
	high   float64 // the value at share 1
	ticks  []float64
	format func(float64) string
}

// scale transforms values before they are placed linearly.
type scale func(float64) float64

func linear(v float64) float64 { return v }

func logarithmic(v float64) float64 { return math.Log10(v) }

// nines spaces quantiles as HDR plots do: 0.9, 0.99 and 0.999 are equally far apart.
func nines(q float64) float64 { return -math.Log10(1 - q) }

// share is the position of v between the ends of the axis, 0 to 1.
func (a axis) share(v float64) float64 {
	low, high := a.scale(a.low), a.scale(a.high)
	if high == low {
		return 0.5
	}
	return min(1, max(0, (a.scale(v)-low)/(high-low)))
}

// fromZero is a linear axis from 0 to a round value above every finite one.
func fromZero(label string, format func(float64) string, values ...[]float64) axis {
	_, top, any := extent(values)
	if !any || top <= 0 {
		top = 1
	}
	step := roundLog(top/5, true)
	high := math.Ceil(top/step) * step
	return axis{Label: label, scale: linear, high: high, ticks: multiples(step, high*(1+1e-9)), format: format}
}

// multiples of a step from 0 to a value.
func multiples(step, until float64) (all []float64) {
	for i := 0; float64(i)*step <= until; i++ {
		all = append(all, float64(i)*step)
	}
	return all
}

// latencies is a logarithmic axis of milliseconds that includes every value above 0.
func latencies(label string, values ...[]float64) axis {
	low, high, any := extent(values)
	if !any || high <= 0 {
		low, high = 1, 10
	}
	// HDR histograms do not resolve less than a microsecond.
	low, high = max(low, 0.001), max(high, 0.001)
	// Less than a factor of ten would exaggerate noise.
	low = min(low, high/10)
	a := axis{Label: label, scale: logarithmic, format: milliseconds}
	a.low, a.high = roundLog(low, false), roundLog(high, true)
	steps := []float64{1, 2, 5}
	if a.high/a.low > 100*(1+1e-9) {
		steps = []float64{1}
	}
	for decade := math.Floor(math.Log10(a.low)); decade <= math.Ceil(math.Log10(a.high)); decade++ {
		for _, s := range steps {
			if v := s * math.Pow(10, decade); v >= a.low*(1-1e-9) && v <= a.high*(1+1e-9) {
				a.ticks = append(a.ticks, v)
			}
		}
	}
	return a
}

// quantiles is the axis of a percentile plot, up to the highest quantile that the number of
// samples resolves.
func quantiles(high float64) axis {
	a := axis{Label: "percentile", scale: nines, high: high, format: percentile}
	for _, q := range []float64{0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999} {
		if q <= high {
			a.ticks = append(a.ticks, q)
		}
	}
	return a
}

// elapsed is an axis of seconds since the run began.
func elapsed(until float64) axis {
	if until <= 0 {
		until = 1
	}
	step := 1.0
	for _, s := range []float64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 28800, 86400} {
		step = s
		if until/s <= 9 {
			break
		}
	}
	return axis{Label: "time since the start", scale: linear, high: until, ticks: multiples(step, until), format: clock}
}

// extent is the range of the finite values.
func extent(sets [][]float64) (low, high float64, any bool) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, set := range sets {
		for _, v := range set {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				low, high, any = min(low, v), max(high, v), true
			}
		}
	}
	return low, high, any
}

// roundLog moves v to one of 1, 2, 5 times a power of ten: up, or else down.
func roundLog(v float64, up bool) float64 {
	decade := math.Pow(10, math.Floor(math.Log10(v)))
	below := decade
	for _, step := range []float64{1, 2, 5, 10} {
		if up && step*decade >= v*(1-1e-9) {
			return step * decade
		}
		if step*decade <= v*(1+1e-9) {
			below = step * decade
		}
	}
	return below
}

// inMilliseconds converts a duration to the unit of plots.
func inMilliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
