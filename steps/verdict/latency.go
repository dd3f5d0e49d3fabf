package verdict

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Latency is how long the target took to respond to one operation, or to deliver webhooks.
type Latency struct {
	Operation         string // its noun, such as "cash-out"; an event, such as "CashOut webhook"; OfWebhooks
	Count             int
	P50, P99, Slowest time.Duration // of a merged run, P50 and P99 are the upper limits of their buckets
	Buckets           []Bucket      // those that are not empty, in ascending order
}

// OfWebhooks is the operation of a Latency of webhooks whose event has no usable name. The latency of a webhook is the
// time from its cause to its arrival.
const OfWebhooks = "other webhooks"

// Bucket counts latencies up to a limit, and above that of the bucket before it.
type Bucket struct {
	UpTo  time.Duration
	Count int
}

// BucketsPerDecade is how many buckets a decade of the logarithmic scale of latencies.
const BucketsPerDecade = 8

// bucketOf returns the limit of the bucket for a latency.
func bucketOf(d time.Duration) time.Duration {
	const shortest = 100 * time.Microsecond
	n := math.Ceil(BucketsPerDecade*math.Log10(float64(max(d, shortest))/float64(time.Millisecond)) - 1e-9)
	for { // the limits are rounded
		upTo := time.Duration(math.Round(1000*math.Pow(10, n/BucketsPerDecade))) * time.Microsecond
		if upTo >= d {
			return upTo
		}
		n++
	}
}

// LatencyOf summarizes latencies, of which there is at least one. It sorts them.
func LatencyOf(operation string, all []time.Duration) Latency {
	slices.Sort(all)
	l := Latency{Operation: operation, Count: len(all), P50: percentile(all, 50), P99: percentile(all, 99), Slowest: all[len(all)-1]}
	for _, d := range all {
		upTo := bucketOf(d)
		if n := len(l.Buckets); n > 0 && l.Buckets[n-1].UpTo == upTo {
			l.Buckets[n-1].Count++
			continue
		}
		l.Buckets = append(l.Buckets, Bucket{upTo, 1})
	}
	return l
}

// percentile is the nearest rank.
func percentile(sorted []time.Duration, p int) time.Duration {
	return sorted[(p*len(sorted)+99)/100-1]
}

// MergeLatencies adds up the latencies of two runs.
func MergeLatencies(a, b []Latency) []Latency {
	merged := slices.Clone(a)
	for _, l := range b {
		i := slices.IndexFunc(merged, func(known Latency) bool { return known.Operation == l.Operation })
		if i < 0 {
			merged = append(merged, l)
			continue
		}
		merged[i] = merged[i].and(l)
	}
	return merged
}

func (l Latency) and(other Latency) Latency {
	sum := Latency{Operation: l.Operation, Count: l.Count + other.Count, Slowest: max(l.Slowest, other.Slowest)}
	all := slices.Concat(l.Buckets, other.Buckets)
	slices.SortFunc(all, func(a, b Bucket) int { return cmp.Compare(a.UpTo, b.UpTo) })
	for _, b := range all {
		if n := len(sum.Buckets); n > 0 && sum.Buckets[n-1].UpTo == b.UpTo {
			sum.Buckets[n-1].Count += b.Count
			continue
		}
		sum.Buckets = append(sum.Buckets, b)
	}
	sum.P50, sum.P99 = sum.limitOf(50), sum.limitOf(99)
	return sum
}

// limitOf returns the upper limit of the bucket that a percentile is in.
func (l Latency) limitOf(p int) time.Duration {
	rank, seen := (p*l.Count+99)/100, 0
	for _, b := range l.Buckets {
		if seen += b.Count; seen >= rank {
			return min(b.UpTo, l.Slowest)
		}
	}
	return l.Slowest
}

// isPossible reports whether l can be the summary of latencies.
func (l Latency) isPossible() bool {
	count, before := 0, time.Duration(0)
	for _, b := range l.Buckets {
		if b.Count < 1 || b.UpTo <= before || b.Count > math.MaxInt32 {
			return false
		}
		count, before = count+b.Count, b.UpTo
	}
	return l.Count == count && len(l.Buckets) <= mostListed && 0 <= l.P50 && l.P50 <= l.P99 && l.P99 <= l.Slowest
}
