package measure

import "time"

// Delay is the values of a histogram that the generator itself may have made longer, by at
// most a known time: because it started the iteration late, or because the process stalled
// meanwhile.
type Delay struct {
	Measured *Histogram `json:"measured"` // as in the histogram
	Least    *Histogram `json:"least"`    // without all that the generator may have added
}

// Count is how many values were delayed.
func (d Delay) Count() int64 { return d.Measured.Count() }

// Without is a histogram as it would have been, at least, without the delays.
func (d Delay) Without(h *Histogram) *Histogram {
	if d.Count() == 0 {
		return h
	}
	return merged(h.without(d.Measured), d.Least)
}

func (d Delay) merge(other Delay) Delay {
	return Delay{Measured: merged(d.Measured, other.Measured), Least: merged(d.Least, other.Least)}
}

// Latency is how long something took, and how much of that the generator itself may have
// caused; most have none.
type Latency struct{ Took, Own time.Duration }

func (l Latency) record(in **Histogram, delayed *Delay) {
	record(in, l.Took)
	if l.Own > 0 {
		record(&delayed.Measured, l.Took)
		record(&delayed.Least, max(l.Took-l.Own, 0))
	}
}
