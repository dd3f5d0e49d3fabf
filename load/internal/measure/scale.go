package measure

import (
	"math/bits"
	"time"
)

// Highest is the longest duration that a histogram distinguishes from longer ones.
const Highest = 10 * time.Minute

// scale divides the range into buckets like HdrHistogram does for a number of digits: up to
// 2^width one by one, then 2^(width-1) buckets for every doubling. It is implemented here
// because a library keeps empty buckets too.
type scale struct {
	digits int
	width  int
}

var (
	fine   = &scale{digits: 3, width: 11}
	coarse = &scale{digits: 2, width: 8}
)

func scaleOf(digits int) *scale {
	switch digits {
	case fine.digits:
		return fine
	case coarse.digits:
		return coarse
	}
	return nil
}

// index is the bucket of a value.
func (s *scale) index(micros int64) uint16 {
	shift := max(bits.Len64(uint64(micros))-s.width, 0)
	return uint16(shift<<(s.width-1) + int(micros>>shift))
}

// lowest is the lowest value of a bucket.
func (s *scale) lowest(index uint16) int64 {
	value, shift := s.split(index)
	return value << shift
}

// highest is the greatest value of a bucket.
func (s *scale) highest(index uint16) int64 {
	value, shift := s.split(index)
	return (value+1)<<shift - 1
}

func (s *scale) middle(index uint16) int64 {
	value, shift := s.split(index)
	return value<<shift + int64(1)<<shift>>1
}

func (s *scale) split(index uint16) (value int64, shift int) {
	half := s.width - 1
	shift = max(int(index)>>half-1, 0)
	return int64(index) - int64(shift)<<half, shift
}

// clamp is a duration in whole microseconds within the range, and whether it was outside.
func clamp(d time.Duration) (int64, bool) {
	switch {
	case d < 0:
		return 0, true
	case d > Highest:
		return Highest.Microseconds(), true
	}
	return d.Microseconds(), false
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
