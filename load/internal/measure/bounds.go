package measure

import (
	"math"
	"time"
)

// Bounds are values between which the true quantile lies with a confidence, such as 0.95. They
// assume nothing about the distribution except that values are independent: then the number of
// values below the quantile is binomial. Without enough values there is no upper bound: see
// [Needed].
func (h *Histogram) Bounds(q, confidence float64) (from, to time.Duration, bounded bool) {
	n, tail := h.Count(), (1-confidence)/2
	if n == 0 {
		return 0, 0, false
	}
	mean, deviation := float64(n)*q, math.Sqrt(float64(n)*q*(1-q))
	k := int64(max(0, mean-12*deviation-20))
	log := func(x float64) float64 { l, _ := math.Lgamma(x + 1); return l }
	// The chance that exactly k values are below; that of fewer is negligible.
	exactly := math.Exp(log(float64(n)) - log(float64(k)) - log(float64(n-k)) + float64(k)*math.Log(q) + float64(n-k)*math.Log1p(-q))
	least, below := int64(0), 0.0
	for ; k < n; k++ {
		if below += exactly; below <= tail {
			least = k + 1
		}
		if below >= 1-tail {
			to = h.ranked(k + 1)
			break
		}
		exactly *= float64(n-k) / float64(k+1) * q / (1 - q)
	}
	if least > 0 {
		from = h.ranked(least)
	}
	return from, to, k < n
}

// Needed is how many values a quantile needs for an upper bound.
func Needed(q, confidence float64) int64 {
	return int64(math.Ceil(math.Log((1-confidence)/2) / math.Log(q)))
}
