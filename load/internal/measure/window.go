package measure

import "time"

// Window is what happened in the whole seconds (of the Unix clock) between two times. It reaches
// back as far as [Recent]: the interval has its actual start.
func (r *Recorder) Window(from, to time.Time) Interval {
	r.enter(to)
	defer r.mu.Unlock()
	sum := Interval{At: max(ceil(r.clock(from)), r.second-int64(Recent/time.Second), r.start.Unix())}
	for _, s := range r.recent {
		if s.At >= sum.At && s.At < r.clock(to)/int64(time.Second) {
			sum = sum.merge(s)
		}
	}
	return sum
}

// LastSecond is the last whole second before now.
func (r *Recorder) LastSecond(now time.Time) Interval {
	whole := time.Unix(r.clock(now)/int64(time.Second), 0)
	return r.Window(whole.Add(-time.Second), whole)
}

func ceil(nanos int64) int64 { return (nanos + int64(time.Second) - 1) / int64(time.Second) }
