package measure

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// Of many samples, the bounds contain the true quantile as often as they say, and not much more
// often.
func TestBoundsContainTheTrueQuantile(t *testing.T) {
	t.Parallel()
	source := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		q float64
		n int
	}{{0.5, 30}, {0.5, 400}, {0.9, 100}, {0.99, 1000}, {0.999, 6000}} {
		const samples = 400
		missed := 0
		for range samples {
			h := new(Histogram)
			for range c.n {
				h.Record(time.Duration(float64(time.Millisecond) / (1 - source.Float64())))
			}
			from, to, bounded := h.Bounds(c.q, 0.95)
			truth := time.Duration(float64(time.Millisecond) / (1 - c.q))
			if precision := truth / 500; from > truth+precision || bounded && to < truth-precision {
				missed++
			}
		}
		assert.LessOrEqual(t, missed, samples*8/100, "%v", c)
		assert.Positive(t, missed, "%v: bounds that are never wrong are too wide", c)
	}
}

func TestAQuantileOfFewValuesHasNoUpperBound(t *testing.T) {
	t.Parallel()
	assert.EqualValues(t, 3688, Needed(0.999, 0.95))
	for n, want := range map[int64]bool{0: false, 1: false, 3687: false, 3688: true, 10_000_000: true} {
		h := new(Histogram)
		h.RecordN(time.Millisecond, n)
		_, _, bounded := h.Bounds(0.999, 0.95)
		assert.Equal(t, want, bounded, n)
	}
}
