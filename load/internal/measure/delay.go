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
func (d *Delay) Count() int64 {
	if d == nil {
		return 0
	}
	return d.Measured.Count()
}

// Without is a histogram as it would have been, at least, without the delays.
func (d *Delay) Without(h *Histogram) *Histogram {
	if d.Count() == 0 {
		return h
	}
	return merged(h.without(d.Measured), d.Least)
}

func mergedDelays(a, b *Delay) *Delay {
	switch {
	case a.Count() == 0:
		return b.clone()
	case b.Count() == 0:
		return a.clone()
	}
	return &Delay{Measured: merged(a.Measured, b.Measured), Least: merged(a.Least, b.Least)}
}

func (d *Delay) clone() *Delay {
	if d == nil {
		return nil
	}
	return &Delay{Measured: d.Measured.Clone(), Least: d.Least.Clone()}
}

// recordDelay counts a value of which a part may be the generator's own; most have none.
func recordDelay(in **Delay, measured, own time.Duration) {
	if own <= 0 {
		return
	}
	if *in == nil {
		*in = &Delay{Measured: new(Histogram), Least: new(Histogram)}
	}
	(*in).Measured.Record(measured)
	(*in).Least.Record(max(measured-own, 0))
}
