// Package measure keeps latencies in HDR histograms, in bounded memory, over the run and
// over time.
package measure

import "time"

// Values instead of an HTTP status.
const (
	NoAnswer  = 0  // no complete response
	NeverSent = -1 // nothing of the request was sent, for example without a connection
)

// Operation is the measurements of one operation of the API, without requests scheduled within
// the warm-up. Latencies include only exchanges that did not fail: a refused connection fails
// immediately, and would make an outage look fast.
type Operation struct {
	Count    int64         `json:"count"` // including Failed
	Failed   int64         `json:"failed"`
	Statuses map[int]int64 `json:"statuses,omitempty"`       // by HTTP status; 0: no complete response; -1: never sent
	Rejected int64         `json:"rejectedTokens,omitempty"` // valid access tokens that got 401; the requests were sent again with new ones
	First    time.Time     `json:"first,omitzero"`           // when the first of them was sent
	Last     time.Time     `json:"last,omitzero"`            // when the last of them was sent
	Send     *Histogram    `json:"send"`                     // from when it was sent
	Intended *Histogram    `json:"intended"`                 // from when the schedule intended to send it

	SendDelay     Delay `json:"sendDelay,omitzero"`
	IntendedDelay Delay `json:"intendedDelay,omitzero"`

	TokenWait *Histogram `json:"tokenWait,omitempty"` // for access tokens, of requests that waited a second or more
}

// Least is the operation with the latencies that it would have had, at least, with a
// generator that is never late.
func (o Operation) Least() Operation {
	o.Send, o.Intended = o.SendDelay.Without(o.Send), o.IntendedDelay.Without(o.Intended)
	return o
}

// Rate is the requests sent per second, from the first to the last; 0 if fewer than two were
// sent.
func (o Operation) Rate() float64 { return rate(o.Count, o.First, o.Last) }

// rate of n events, whose first and last enclose n-1 gaps.
func rate(n int64, first, last time.Time) float64 {
	if seconds := last.Sub(first).Seconds(); n > 1 && seconds > 0 {
		return float64(n-1) / seconds
	}
	return 0
}

// Delivery is how long webhooks took.
type Delivery struct {
	Acceptance *Histogram `json:"acceptance"` // since the response that accepted the payment
	Intended   *Histogram `json:"intended"`   // since the schedule intended to send the payment

	AcceptanceDelay Delay `json:"acceptanceDelay,omitzero"`
	IntendedDelay   Delay `json:"intendedDelay,omitzero"`
}

// Least is what webhooks would have taken, at least, with a generator that is never late.
func (d Delivery) Least() Delivery {
	return Delivery{Acceptance: d.AcceptanceDelay.Without(d.Acceptance), Intended: d.IntendedDelay.Without(d.Intended)}
}

// Record counts a webhook.
func (d *Delivery) Record(acceptance, intended time.Duration) {
	record(&d.Acceptance, acceptance)
	record(&d.Intended, intended)
}

// Figures is what a [Recorder] measures of calls: of one origin, or of all.
type Figures struct {
	Operations  map[string]Operation `json:"operations"`
	Delivery    Delivery             `json:"delivery"`
	ScheduleLag *Histogram           `json:"scheduleLag"`
}

// Measurements is everything that a [Recorder] measures.
type Measurements struct {
	Figures
	Hiccup   *Histogram `json:"hiccup"`
	Timeline Timeline   `json:"timeline"`
}

// Total is the sum of all operations, without latencies.
func (f Figures) Total() Operation {
	var total Operation
	for _, o := range f.Operations {
		o.Send, o.Intended, o.SendDelay, o.IntendedDelay = nil, nil, Delay{}, Delay{}
		total = total.merge(o)
	}
	return total
}

// Least is the figures with the latencies that they would have had, at least, with a generator
// that is never late.
func (f Figures) Least() Figures {
	operations := make(map[string]Operation, len(f.Operations))
	for name, o := range f.Operations {
		operations[name] = o.Least()
	}
	f.Operations, f.Delivery = operations, f.Delivery.Least()
	return f
}

// Merge adds the figures of other calls.
func (f *Figures) Merge(other Figures) {
	if f.Operations == nil {
		f.Operations = make(map[string]Operation, len(other.Operations))
	}
	for name, op := range other.Operations {
		f.Operations[name] = f.Operations[name].merge(op)
	}
	f.Delivery.Acceptance = merged(f.Delivery.Acceptance, other.Delivery.Acceptance)
	f.Delivery.Intended = merged(f.Delivery.Intended, other.Delivery.Intended)
	f.Delivery.AcceptanceDelay = f.Delivery.AcceptanceDelay.merge(other.Delivery.AcceptanceDelay)
	f.Delivery.IntendedDelay = f.Delivery.IntendedDelay.merge(other.Delivery.IntendedDelay)
	f.ScheduleLag = merged(f.ScheduleLag, other.ScheduleLag)
}

// Merge adds the measurements of another instance of the same run.
func (m *Measurements) Merge(other Measurements) {
	m.Figures.Merge(other.Figures)
	m.Hiccup = merged(m.Hiccup, other.Hiccup)
	m.Timeline.Merge(other.Timeline)
}

func (o Operation) merge(other Operation) Operation {
	sum := Operation{
		Count:    o.Count + other.Count,
		Failed:   o.Failed + other.Failed,
		Rejected: o.Rejected + other.Rejected,
		Statuses: make(map[int]int64, len(o.Statuses)),
		First:    o.First,
		Last:     o.Last,
		Send:     merged(o.Send, other.Send),
		Intended: merged(o.Intended, other.Intended),

		SendDelay:     o.SendDelay.merge(other.SendDelay),
		IntendedDelay: o.IntendedDelay.merge(other.IntendedDelay),

		TokenWait: merged(o.TokenWait, other.TokenWait),
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

// merged is a new histogram with the values of both; nil if both are nil.
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
