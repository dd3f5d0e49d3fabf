package result

import (
	"math"

	"github.com/aclements/go-moremath/stats"
)

// welch is the difference of two means, b minus a, as Welch's t estimates it for samples with
// unequal variances.
type welch struct {
	difference float64
	deviation  float64 // of the difference; 0: all values of a side are the same
	freedom    float64
}

// newWelch compares two samples. Skewed ones, such as counts of faults that cluster, have
// outliers that a small sample may not show: for these it trusts the deviations of the
// smaller sample only.
func newWelch(a, b []float64, skewed bool) welch {
	w := welch{difference: stats.Mean(b) - stats.Mean(a)}
	ofA, ofB := stats.Variance(a)/float64(len(a)), stats.Variance(b)/float64(len(b))
	w.deviation = math.Sqrt(ofA + ofB)
	w.freedom = (ofA + ofB) * (ofA + ofB) / (ofA*ofA/float64(len(a)-1) + ofB*ofB/float64(len(b)-1))
	if skewed {
		w.freedom = float64(min(len(a), len(b)) - 1)
	}
	return w
}

// margin is what equal sides differ by at most, except at a risk.
func (w welch) margin(risk float64) float64 {
	if w.deviation == 0 {
		return 0
	}
	return -stats.InvCDF(stats.TDist{V: w.freedom})(risk/2) * w.deviation
}

// each applies a function to each value.
func each(values []float64, f func(float64) float64) []float64 {
	results := make([]float64, len(values))
	for i, v := range values {
		results[i] = f(v)
	}
	return results
}
