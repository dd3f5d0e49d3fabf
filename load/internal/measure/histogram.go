package measure

import (
	"cmp"
	"slices"
	"time"
)

// Histogram is a distribution of durations: an HDR histogram in microseconds from 0 to
// [Highest], which keeps only non-empty buckets. Values have a precision of one in a thousand
// (in a [Timeline]: one in a hundred). Values outside the range are counted at its end, and as
// clamped. The zero value is empty and ready to use; nil is empty. It is not safe for
// concurrent use: see [Meter].
//
// In JSON it is an object whose field hdr is the histogram in base64 of HdrHistogram's
// compressed V2 encoding, which every HdrHistogram library reads. The other fields are for
// people and scripts; of these, only clamped is read back:
//
//	{"hdr": "HISTFAAA…", "count": 3600, "clamped": 0,
//	 "ms": {"mean": 3.1, "p50": 2.5, "p90": 5.2, "p95": 7.9, "p99": 14.1, "p999": 22.8, "max": 31.4}}
type Histogram struct {
	scale   *scale // nil: fine
	buckets []bucket
	count   int64
	clamped int64
}

// bucket is a non-empty bucket of the scale: its index in the upper 16 bits, the number of
// values in the lower 48. So buckets can be sorted as numbers.
type bucket uint64

func newBucket(index uint16, n int64) bucket { return bucket(index)<<48 | bucket(n) }

func (b bucket) index() uint16 { return uint16(b >> 48) }
func (b bucket) n() int64      { return int64(b & (1<<48 - 1)) }

// Record counts a duration.
func (h *Histogram) Record(d time.Duration) { h.RecordN(d, 1) }

// RecordN counts a duration n times.
func (h *Histogram) RecordN(d time.Duration, n int64) {
	if n <= 0 {
		return
	}
	micros, clamped := clamp(d)
	if clamped {
		h.clamped += n
	}
	index := h.grid().index(micros)
	h.count += n
	i, found := slices.BinarySearchFunc(h.buckets, index, func(b bucket, index uint16) int { return cmp.Compare(b.index(), index) })
	if found {
		h.buckets[i] += bucket(n)
	} else {
		h.buckets = slices.Insert(h.buckets, i, newBucket(index, n))
	}
}

// Count is how many durations were recorded.
func (h *Histogram) Count() int64 {
	if h == nil {
		return 0
	}
	return h.count
}

// Zeros is how many durations were less than a microsecond.
func (h *Histogram) Zeros() int64 {
	if h.Count() == 0 || h.buckets[0].index() != 0 {
		return 0
	}
	return h.buckets[0].n()
}

// Quantile is the duration that a share q of all values, from 0 to 1, does not exceed; false
// if nothing was recorded. See [Histogram.Resolves].
func (h *Histogram) Quantile(q float64) (time.Duration, bool) {
	if h.Count() == 0 {
		return 0, false
	}
	rank := min(max(int64(q*float64(h.count)+0.5), 1), h.count)
	return h.ranked(rank), true
}

// ranked is the duration at a position, from 1, among the sorted values, of which there are some.
func (h *Histogram) ranked(rank int64) time.Duration {
	seen, i := int64(0), 0
	for ; i < len(h.buckets)-1; i++ {
		if seen += h.buckets[i].n(); seen >= rank {
			break
		}
	}
	return micros(h.grid().highest(h.buckets[i].index()))
}

// Resolves says whether there are enough values for a quantile to differ from the maximum: a
// p99.9 needs a thousand.
func (h *Histogram) Resolves(q float64) bool {
	return float64(h.Count())*(1-q) >= 1-1e-9
}

// Max is the longest duration, false if nothing was recorded.
func (h *Histogram) Max() (time.Duration, bool) { return h.Quantile(1) }

// Mean is the arithmetic mean, false if nothing was recorded.
func (h *Histogram) Mean() (time.Duration, bool) {
	if h.Count() == 0 {
		return 0, false
	}
	var sum float64
	for _, b := range h.buckets {
		sum += float64(h.grid().middle(b.index())) * float64(b.n())
	}
	return time.Duration(sum / float64(h.count) * float64(time.Microsecond)), true
}

// Merge adds another histogram: exactly if both have the same resolution, otherwise in the
// receiver's. An empty zero value takes the resolution of the histogram added.
func (h *Histogram) Merge(other *Histogram) {
	if other.Count() == 0 {
		return
	}
	if h.count == 0 && h.scale == nil {
		h.scale = other.scale
	}
	other = other.at(h.grid())
	h.clamped += other.clamped
	h.buckets = union(h.buckets, other.buckets)
	h.count += other.count
}

// without is the histogram without the values of another, which are among its own.
func (h *Histogram) without(other *Histogram) *Histogram {
	if other.Count() == 0 || h.Count() == 0 {
		return h
	}
	rest := &Histogram{scale: h.grid(), clamped: max(h.clamped-other.clamped, 0)}
	other = other.at(h.grid())
	removed := make(map[uint16]int64, len(other.buckets))
	for _, b := range other.buckets {
		removed[b.index()] = b.n()
	}
	for _, b := range h.buckets {
		if n := b.n() - removed[b.index()]; n > 0 {
			rest.buckets = append(rest.buckets, newBucket(b.index(), n))
			rest.count += n
		}
	}
	return rest
}

// union adds up two lists of buckets of the same scale.
func union(a, b []bucket) []bucket {
	sum := make([]bucket, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch cmp.Compare(a[0].index(), b[0].index()) {
		case -1:
			sum, a = append(sum, a[0]), a[1:]
		case 1:
			sum, b = append(sum, b[0]), b[1:]
		default:
			sum = append(sum, a[0]+bucket(b[0].n()))
			a, b = a[1:], b[1:]
		}
	}
	return fit(append(append(sum, a...), b...))
}

// fit releases the unused memory of a list of buckets.
func fit(buckets []bucket) []bucket {
	if cap(buckets) > len(buckets)+len(buckets)/8 {
		return slices.Clone(buckets)
	}
	return buckets
}

// at converts the histogram to another scale. A bucket of a coarser scale consists of whole
// buckets of a finer one, so no count is split. With the same scale, it shares the buckets.
func (h *Histogram) at(to *scale) *Histogram {
	from := h.grid()
	if from == to {
		return h
	}
	other := &Histogram{scale: to, count: h.count, clamped: h.clamped}
	for _, b := range h.buckets {
		index := to.index(from.lowest(b.index()))
		if last := len(other.buckets) - 1; last >= 0 && other.buckets[last].index() == index {
			other.buckets[last] += bucket(b.n())
		} else {
			other.buckets = append(other.buckets, newBucket(index, b.n()))
		}
	}
	other.buckets = fit(other.buckets)
	return other
}

// Clone is a deep copy. The clone of nil is nil.
func (h *Histogram) Clone() *Histogram {
	if h == nil {
		return nil
	}
	clone := *h
	clone.buckets = slices.Clone(h.buckets)
	return &clone
}

// Quantiles are those of metrics and thresholds, by their names there.
var Quantiles = []struct {
	Name string
	Q    float64
}{{"p50", 0.50}, {"p90", 0.90}, {"p95", 0.95}, {"p99", 0.99}, {"p999", 0.999}, {"max", 1}}

// QuantileNamed is the quantile with a name; 0: there is none.
func QuantileNamed(name string) float64 {
	for _, known := range Quantiles {
		if known.Name == name {
			return known.Q
		}
	}
	return 0
}

func (h *Histogram) grid() *scale {
	if h.scale == nil {
		return fine
	}
	return h.scale
}
