package executor

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// step is fine enough to count arrivals by adding up the rate.
const step = 10 * time.Microsecond

func TestArrivalsAreWhereTheRateAddsUpToThem(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from  float64
		legs  []leg
		total int64
	}{
		"constant":              {50, []leg{{5 * time.Second, 50}}, 250},
		"less than one":         {0.1, []leg{{4 * time.Second, 0.1}}, 0},
		"up":                    {0, []leg{{4 * time.Second, 100}}, 200},
		"down to nothing":       {100, []leg{{4 * time.Second, 0}}, 200},
		"nothing":               {0, []leg{{4 * time.Second, 0}}, 0},
		"nothing, then some":    {0, []leg{{time.Second, 0}, {2 * time.Second, 10}, {time.Second, 10}}, 20},
		"a pause":               {20, []leg{{time.Second, 20}, {0, 0}, {time.Second, 0}, {0, 20}, {time.Second, 20}}, 40},
		"jumps":                 {0, []leg{{0, 30}, {time.Second, 30}, {0, 300}, {time.Second, 300}, {0, 3}}, 330},
		"down, nothing, and up": {40, []leg{{time.Second, 0}, {2 * time.Second, 0}, {time.Second, 40}}, 40},
		"ever slower":           {7, []leg{{3 * time.Second, 5}, {3 * time.Second, 3}, {3 * time.Second, 0.5}}, 35}, // 18+12+5.25
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ramps := newRamps(c.from, c.legs)
			var length time.Duration
			for _, l := range c.legs {
				length += l.length
			}
			area, at := 0.0, time.Duration(0)
			var n int64
			for ; ; n++ {
				due, ok := ramps.due(evenly(n))
				if !ok {
					break
				}
				for ; area < float64(n)+0.5 && at < length; at += step {
					area += ramps.rate(at+step/2) * step.Seconds()
				}
				require.InDelta(t, at, due, float64(500*time.Microsecond), "arrival %d", n)
				require.LessOrEqual(t, due, length)
			}
			require.Equal(t, c.total, n)
		})
	}
}

// The number of arrivals in each stage is that of its area, to less than one.
func TestEachStageHasItsArrivals(t *testing.T) {
	t.Parallel()
	legs := []leg{{1500 * time.Millisecond, 33}, {0, 12}, {777 * time.Millisecond, 0}, {time.Hour, 0.01}, {3 * time.Second, 900}}
	ramps := newRamps(3, legs)
	counted := make([]float64, len(ramps))
	for n := int64(0); ; n++ {
		due, ok := ramps.due(evenly(n))
		if !ok {
			break
		}
		for i, r := range ramps {
			if float64(due) > r.start && float64(due) <= r.start+r.length {
				counted[i]++
			}
		}
	}
	for i, r := range ramps {
		assert.InDelta(t, r.through-r.before, counted[i], 1, "stage %d", i)
	}
}

func TestADayIsCountedExactly(t *testing.T) {
	t.Parallel()
	ramps := newRamps(3626, []leg{{24 * time.Hour, 3626}})
	const day = 3626 * 24 * 3600
	last, ok := ramps.due(evenly(day - 1))
	require.True(t, ok)
	require.InDelta(t, 24*time.Hour-time.Second/3626/2, last, float64(10*time.Microsecond))
	_, ok = ramps.due(evenly(day))
	require.False(t, ok)
}

// Poisson arrivals have the mean rate, a variance equal to it, and gaps of an exponential
// distribution; a seed draws the same ones again.
func TestPoissonArrivals(t *testing.T) {
	t.Parallel()
	const seconds, rate = 2000, 50.
	ramps := newRamps(rate, []leg{{seconds * time.Second, rate}})
	place, again, other := poisson(7), poisson(7), poisson(8)
	counts := make([]float64, seconds)
	var last time.Duration
	var long, n, differ int64
	for ; ; n++ {
		due, ok := ramps.due(place(n))
		if !ok {
			break
		}
		same, _ := ramps.due(again(n))
		require.Equal(t, due, same)
		if another, _ := ramps.due(other(n)); another != due {
			differ++
		}
		require.GreaterOrEqual(t, due, last)
		if due-last > 2*time.Second/rate {
			long++
		}
		last = due
		counts[int(due.Seconds())]++
	}
	assert.InEpsilon(t, seconds*rate, float64(n), 0.02)
	assert.InDelta(t, math.Exp(-2), float64(long)/float64(n), 0.01, "gaps of more than twice the mean")
	var variance float64
	for _, c := range counts {
		variance += (c - rate) * (c - rate) / seconds
	}
	assert.InEpsilon(t, rate, variance, 0.15)
	assert.Greater(t, differ, n/2)
}
