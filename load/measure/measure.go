// Package measure keeps latencies in HDR histograms, in bounded memory, over the run and
// over time.
package measure

import "time"

// What stands in the place of an HTTP status where there is none.
const (
	NoAnswer  = 0  // no whole answer came
	NeverSent = -1 // nothing of the request left, as without a connection
)

// Operation is what a run measured of one operation of the API. What was intended within
// the warm-up is left out. Latencies are those of exchanges that did not fail: a refused
// connection fails at once, and would make an outage look fast.
type Operation struct {
	Count    int64         `json:"count"` // Failed among them
	Failed   int64         `json:"failed"`
	Statuses map[int]int64 `json:"statuses,omitempty"` // by HTTP status; 0: no whole answer came; -1: never sent
	First    time.Time     `json:"first,omitzero"`     // when the first of them was sent
	Last     time.Time     `json:"last,omitzero"`      // when the last of them was sent
	Send     *Histogram    `json:"send"`               // from when it was sent
	Intended *Histogram    `json:"intended"`           // from when the schedule wanted it sent
}

// Rate is how many were sent a second, from the first to the last; 0 when fewer than two
// were.
func (o Operation) Rate() float64 { return rate(o.Count, o.First, o.Last) }

// rate is that of n events of which the first and the last bound n-1 gaps.
func rate(n int64, first, last time.Time) float64 {
	if seconds := last.Sub(first).Seconds(); n > 1 && seconds > 0 {
		return float64(n-1) / seconds
	}
	return 0
}

// Delivery is how long webhooks took.
type Delivery struct {
	Acceptance *Histogram `json:"acceptance"` // since the payment's acceptance was heard of
	Intended   *Histogram `json:"intended"`   // since the schedule wanted the payment sent
}

// Record counts a webhook that no [Recorder] has measured.
func (d *Delivery) Record(acceptance, intended time.Duration) {
	if d.Acceptance == nil {
		d.Acceptance = new(Histogram)
	}
	if d.Intended == nil {
		d.Intended = new(Histogram)
	}
	d.Acceptance.Record(acceptance)
	d.Intended.Record(intended)
}

// Measurements is everything that a [Recorder] holds.
type Measurements struct {
	Operations  map[string]Operation `json:"operations"`
	Delivery    Delivery             `json:"delivery"`
	ScheduleLag *Histogram           `json:"scheduleLag"`
	Hiccup      *Histogram           `json:"hiccup"`
	Timeline    Timeline             `json:"timeline"`
}

// Total is all operations together: what they count, without latencies.
func (m Measurements) Total() Operation {
	var total Operation
	for _, o := range m.Operations {
		o.Send, o.Intended = nil, nil
		total = total.merge(o)
	}
	return total
}

// Merge adds the measurements of another instance of the same run.
func (m *Measurements) Merge(other Measurements) {
	if m.Operations == nil {
		m.Operations = make(map[string]Operation, len(other.Operations))
	}
	for name, op := range other.Operations {
		m.Operations[name] = m.Operations[name].merge(op)
	}
	m.Delivery.Acceptance = merged(m.Delivery.Acceptance, other.Delivery.Acceptance)
	m.Delivery.Intended = merged(m.Delivery.Intended, other.Delivery.Intended)
	m.ScheduleLag = merged(m.ScheduleLag, other.ScheduleLag)
	m.Hiccup = merged(m.Hiccup, other.Hiccup)
	m.Timeline.Merge(other.Timeline)
}

func (o Operation) merge(other Operation) Operation {
	sum := Operation{
		Count:    o.Count + other.Count,
		Failed:   o.Failed + other.Failed,
		Statuses: make(map[int]int64, len(o.Statuses)),
		First:    o.First,
		Last:     o.Last,
		Send:     merged(o.Send, other.Send),
		Intended: merged(o.Intended, other.Intended),
	}
	for _, statuses := range []map[int]int64{o.Statuses, other.Statuses} {
		for status, n := range statuses {
			sum.Statuses[status] += n
		}
	}
	if sum.First.IsZero() || !other.First.IsZero() && other.First.Before(sum.First) {
		sum.First = other.First
	}
	if other.Last.After(sum.Last) {
		sum.Last = other.Last
	}
	return sum
}

// merged is a new histogram of what both counted, which shares nothing with them; nil
// when both are.
func merged(a, b *Histogram) *Histogram {
	switch {
	case a.Count() == 0:
		return b.Clone()
	case b.Count() == 0:
		return a.Clone()
	}
	sum := a.Clone()
	sum.Merge(b)
	return sum
}

// gather adds to a histogram in place, which is made when it is first needed.
func gather(to **Histogram, h *Histogram) {
	switch {
	case h.Count() == 0:
	case *to == nil:
		*to = h.Clone()
	default:
		(*to).Merge(h)
	}
}
