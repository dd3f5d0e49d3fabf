package measure

import "time"

// OperationMeter measures one operation of the API.
type OperationMeter struct {
	recorder *Recorder
	name     string
	total    Operation // guarded by the recorder's mu
	waiting  int64     // likewise: requests without a response
}

// Start counts a request that is sent now, and that the schedule intended to send at intended.
func (o *OperationMeter) Start(intended, now time.Time) {
	r := o.recorder
	if r.clock(intended) < r.measured {
		return
	}
	s := r.enter(now)
	defer r.mu.Unlock()
	o.wait(now)
	a := s.Operations[o.name]
	a.Started++
	s.Operations[o.name] = a
}

// Record counts a completed exchange: how long it took from the send and from the intended
// start, how much of each the generator itself may have caused, its HTTP status ([NoAnswer],
// [NeverSent]), whether it failed, and when it ended. A failed exchange is counted, but not
// included in the latencies.
func (o *OperationMeter) Record(send, intended Latency, status int, failed bool, at time.Time) {
	r := o.recorder
	if !r.measures(intended.Took, at) {
		return
	}
	if status < NeverSent || status >= 1000 {
		status = NoAnswer
	}
	s := r.enter(at)
	defer r.mu.Unlock()
	o.hear(at, failed)
	a, total := s.Operations[o.name], &o.total
	a.Count, total.Count = a.Count+1, total.Count+1
	if failed {
		a.Failed, total.Failed = a.Failed+1, total.Failed+1
	} else {
		record(&a.Intended, intended.Took)
		intended.record(&total.Intended, &total.IntendedDelay)
		send.record(&total.Send, &total.SendDelay)
	}
	s.Operations[o.name] = a
	total.Statuses[status]++
	sent := time.Unix(0, r.clock(at)-int64(send.Took)).UTC()
	if total.First.IsZero() || sent.Before(total.First) {
		total.First = sent
	}
	if sent.After(total.Last) {
		total.Last = sent
	}
}

// Tokens counts the valid access tokens that were rejected, of a request that the schedule intended to
// send at intended, and how long it waited for one, if that was unusually long. It returns false in the
// warm-up.
func (o *OperationMeter) Tokens(rejected int64, wait time.Duration, intended time.Time) bool {
	r := o.recorder
	if r.clock(intended) < r.measured {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	o.total.Rejected += rejected
	if wait >= shortestSilence {
		record(&o.total.TokenWait, wait)
	}
	return true
}

// DeliveryMeter measures webhooks.
type DeliveryMeter struct {
	recorder *Recorder
	total    Delivery // guarded by the recorder's mu
}

// Record counts a webhook received at a time: how long after the response that accepted the
// payment, and how long after the payment's intended start. A webhook that arrived before the
// response counts as 0 after acceptance: see [Histogram.Zeros].
func (d *DeliveryMeter) Record(acceptance, intended Latency, at time.Time) {
	r := d.recorder
	if !r.measures(intended.Took, at) {
		return
	}
	s := r.enter(at)
	defer r.mu.Unlock()
	record(&s.Delivery, acceptance.Took)
	acceptance.record(&d.total.Acceptance, &d.total.AcceptanceDelay)
	intended.record(&d.total.Intended, &d.total.IntendedDelay)
}

// Meter measures one kind of duration.
type Meter struct {
	recorder *Recorder
	total    *Histogram // guarded by the recorder's mu
}

// Record counts a duration that became known at a time.
func (m *Meter) Record(d time.Duration, at time.Time) {
	r := m.recorder
	if r.clock(at) < r.measured {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	record(&m.total, d)
}

// record counts a duration in a histogram, which it creates when it is first needed.
func record(in **Histogram, d time.Duration) {
	if *in == nil {
		*in = new(Histogram)
	}
	(*in).Record(d)
}
