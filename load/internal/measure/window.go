package measure

import "time"

// Window is what happened between two times.
type Window struct {
	From, To   time.Time // whole seconds; equal if the requested window contains none
	Started    int64     // requests sent
	Done       int64     // completed exchanges, including Failed
	Failed     int64
	Intended   *Histogram // of successful ones, from the intended start
	Delivery   *Histogram // of the webhooks received, from acceptance
	Operations map[string]Activity
}

// Window is what happened in the whole seconds (of the Unix clock) between two times. It reaches
// back as far as [Recent]: From is its actual start.
func (r *Recorder) Window(from, to time.Time) Window {
	r.enter(to)
	defer r.mu.Unlock()

	first, end := ceil(r.clock(from)), r.clock(to)/int64(time.Second)
	first = max(first, r.second-int64(Recent/time.Second), r.start.Unix())
	end = max(first, end)
	var sum Interval
	w := Window{From: time.Unix(first, 0).UTC(), To: time.Unix(end, 0).UTC()}
	for _, s := range r.recent {
		if s.At >= first && s.At < end {
			sum = sum.merge(s)
		}
	}
	total := sum.Total()
	w.Started, w.Done, w.Failed = total.Started, total.Count, total.Failed
	w.Intended, w.Delivery, w.Operations = total.Intended, sum.Delivery, sum.Operations
	return w
}

// LastSecond is the window of the last whole second before now.
func (r *Recorder) LastSecond(now time.Time) Window {
	whole := time.Unix(r.clock(now)/int64(time.Second), 0)
	return r.Window(whole.Add(-time.Second), whole)
}

func ceil(nanos int64) int64 { return (nanos + int64(time.Second) - 1) / int64(time.Second) }
