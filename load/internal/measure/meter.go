package measure

import (
	"sync/atomic"
	"time"
)

// OperationMeter measures one operation of the API.
type OperationMeter struct {
	latencies   // from the send
	started     atomic.Int64
	failed      atomic.Int64
	first, last atomic.Int64                   // when the first and the last were sent, Unix nanoseconds; 0: none
	statuses    [1000 - NeverSent]atomic.Int64 // starting with NeverSent

	total Activity // up to the last drain; guarded by the recorder's books
}

// Start counts a request that is sent now, and that the schedule intended to send at intended.
func (o *OperationMeter) Start(intended, now time.Time) {
	r := o.recorder
	if r.clock(intended) < r.measured {
		return
	}
	r.enter(now)
	o.started.Add(1)
	r.open.RUnlock()
}

// Record counts a completed exchange: how long it took from the send and from the intended
// start, its HTTP status ([NoAnswer], [NeverSent]), whether it failed, and when it ended. A
// failed exchange is counted, but not included in the latencies.
func (o *OperationMeter) Record(send, intended time.Duration, status int, failed bool, at time.Time) {
	if !o.measured(intended, at) {
		return
	}
	r := o.recorder
	if status < NeverSent || status >= 1000 {
		status = NoAnswer
	}
	sent := r.clock(at) - int64(send)
	r.enter(at)
	if failed {
		o.failed.Add(1)
	} else {
		o.own.record(send)
		o.intended.record(intended)
	}
	o.statuses[status-NeverSent].Add(1)
	replace(&o.first, sent, func(first int64) bool { return sent < first })
	replace(&o.last, sent, func(last int64) bool { return sent > last })
	r.open.RUnlock()
}

// replace stores a value if there is none, or if it is better.
func replace(stored *atomic.Int64, value int64, better func(int64) bool) {
	for {
		old := stored.Load()
		if old != 0 && !better(old) || stored.CompareAndSwap(old, value) {
			return
		}
	}
}

func (o *OperationMeter) drain() Activity {
	o.own.drain()
	a := Activity{Started: o.started.Swap(0), Failed: o.failed.Swap(0), Intended: o.intended.drain()}
	a.Count = a.Intended.Count() + a.Failed
	o.total.Count += a.Count
	o.total.Failed += a.Failed
	return a
}

func (o *OperationMeter) snapshot() Operation {
	total := Operation{
		Count: o.total.Count, Failed: o.total.Failed, Statuses: make(map[int]int64),
		First: time.Unix(0, o.first.Load()).UTC(), Last: time.Unix(0, o.last.Load()).UTC(),
	}
	total.Send, total.SendDelay = o.own.snapshot()
	total.Intended, total.IntendedDelay = o.intended.snapshot()
	for i := range o.statuses {
		if n := o.statuses[i].Load(); n > 0 {
			total.Statuses[i+NeverSent] = n
		}
	}
	return total
}

// DeliveryMeter measures webhooks.
type DeliveryMeter struct {
	latencies // from the acceptance
}

// Record counts a webhook received at a time: how long after the response that accepted the
// payment, and how long after the payment's intended start. A webhook that arrived before the
// response counts as 0 after acceptance: see [Histogram.Zeros].
func (d *DeliveryMeter) Record(acceptance, intended time.Duration, at time.Time) {
	if !d.measured(intended, at) {
		return
	}
	d.recorder.enter(at)
	d.own.record(acceptance)
	d.intended.record(intended)
	d.recorder.open.RUnlock()
}

func (d *DeliveryMeter) snapshot() (all Delivery) {
	all.Acceptance, all.AcceptanceDelay = d.own.snapshot()
	all.Intended, all.IntendedDelay = d.intended.snapshot()
	return all
}

// latencies are of one kind of event: from another moment, and from the intended start.
type latencies struct {
	recorder      *Recorder
	own, intended timer
}

func newLatencies(r *Recorder) latencies {
	return latencies{recorder: r, own: newTimer(), intended: newTimer()}
}

// measured says whether an event at a time is of a request scheduled after the warm-up.
func (l *latencies) measured(intended time.Duration, at time.Time) bool {
	return l.recorder.clock(at)-int64(intended) >= l.recorder.measured
}

// Delayed says of a success that was recorded how much of its latencies the generator itself may
// have caused.
func (l *latencies) Delayed(own, ofOwn, intended, ofIntended time.Duration, at time.Time) {
	if l.measured(intended, at) {
		l.own.delays.record(own, ofOwn)
		l.intended.delays.record(intended, ofIntended)
	}
}

// Meter measures one kind of duration.
type Meter struct {
	recorder *Recorder
	timer
}

// Record counts a duration that became known at a time.
func (m *Meter) Record(d time.Duration, at time.Time) {
	r := m.recorder
	if r.clock(at) < r.measured {
		return
	}
	r.enter(at)
	m.record(d)
	r.open.RUnlock()
}

// timer is one kind of duration.
type timer struct {
	*cells
	delays delays
	total  *Histogram // up to the last drain; guarded by the recorder's books
}

func newTimer() timer {
	return timer{cells: &cells{counts: make([]atomic.Uint32, fine.size), touched: make([]atomic.Bool, fine.size/block)}}
}

// drain adds what was recorded since the last drain to the total, and returns it.
func (t *timer) drain() *Histogram {
	h := t.cells.drain()
	gather(&t.total, h)
	return h
}

func (t *timer) snapshot() (*Histogram, *Delay) { return t.total.Clone(), t.delays.snapshot() }
