package verdict

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLatencies(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	var all []time.Duration
	for i := range 100 {
		all = append(all, time.Duration(100-i)*ms)
	}
	l := LatencyOf("cash-out", all)
	assert.Equal(t, []any{100, 50 * ms, 99 * ms, 100 * ms}, []any{l.Count, l.P50, l.P99, l.Slowest})
	assert.Equal(t, Bucket{1 * ms, 1}, l.Buckets[0], "the limit of a bucket belongs to it")
	assert.Equal(t, 100*ms, l.Buckets[len(l.Buckets)-1].UpTo)
	assert.True(t, l.isPossible())

	one := LatencyOf("cash-out", []time.Duration{0})
	assert.Equal(t, []Bucket{{100 * time.Microsecond, 1}}, one.Buckets)
}

// Percentiles of merged runs are at most a bucket too high.
func TestMergedLatencies(t *testing.T) {
	t.Parallel()
	draw := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var parts [2][]time.Duration
		for i := range parts {
			for range 1 + draw.IntN(300) {
				parts[i] = append(parts[i], time.Duration(draw.ExpFloat64()*float64(10*time.Millisecond)))
			}
		}
		whole := LatencyOf("x", append(append([]time.Duration{}, parts[0]...), parts[1]...))
		merged := MergeLatencies([]Latency{LatencyOf("x", parts[0])}, []Latency{LatencyOf("y", parts[0]), LatencyOf("x", parts[1])})
		require.Len(t, merged, 2)
		got := merged[0]
		require.Equal(t, whole.Buckets, got.Buckets)
		require.Equal(t, []any{whole.Count, whole.Slowest}, []any{got.Count, got.Slowest})
		require.Equal(t, min(bucketOf(whole.P50), whole.Slowest), got.P50)
		require.Equal(t, min(bucketOf(whole.P99), whole.Slowest), got.P99)
		require.True(t, got.isPossible())
	}
}

// A report may have any figures.
func TestImpossibleLatencies(t *testing.T) {
	t.Parallel()
	for name, l := range map[string]Latency{
		"another count":    {Count: 2, Buckets: []Bucket{{1, 1}}},
		"a negative count": {Count: 0, Buckets: []Bucket{{1, -1}, {2, 1}}},
		"descending":       {Count: 2, Buckets: []Bucket{{2, 1}, {1, 1}}},
		"negative":         {Count: 1, P50: -1, Buckets: []Bucket{{1, 1}}},
		"percentiles":      {Count: 1, P50: 3, P99: 2, Slowest: 9, Buckets: []Bucket{{9, 1}}},
		"an endless history": {Count: 2000, Buckets: func() (all []Bucket) {
			for i := range 2000 {
				all = append(all, Bucket{time.Duration(i + 1), 1})
			}
			return all
		}()},
	} {
		assert.ErrorContains(t, (&Run{Latencies: []Latency{l}}).Received(), "latencies", name)
	}
}
