package measure

// Merger merges many histograms faster than one after the other. The zero value is ready to
// use. The result has the coarsest resolution of all.
type Merger struct {
	scale   *scale
	counts  []int64
	low     int // the first non-empty bucket
	end     int // one after the last
	clamped int64
}

// Add adds a histogram; nil adds nothing.
func (m *Merger) Add(h *Histogram) {
	if h.Count() == 0 {
		return
	}
	switch {
	case m.scale == nil:
		m.scale, m.counts = h.grid(), make([]int64, h.grid().size)
		m.low = m.scale.size
	case h.grid().digits < m.scale.digits:
		sofar := m.Histogram().at(h.grid())
		*m = Merger{}
		m.Add(sofar)
	}
	h = h.at(m.scale)
	for _, b := range h.buckets {
		m.counts[b.index()] += b.n()
	}
	m.low = min(m.low, int(h.buckets[0].index()))
	m.end = max(m.end, int(h.buckets[len(h.buckets)-1].index())+1)
	m.clamped += h.clamped
}

// Reset empties the merger for the next histograms.
func (m *Merger) Reset() {
	clear(m.counts)
	m.low, m.end, m.clamped = len(m.counts), 0, 0
}

// Histogram is the merged histogram.
func (m *Merger) Histogram() *Histogram {
	h := &Histogram{scale: m.scale, clamped: m.clamped}
	h.buckets = make([]bucket, 0, max(0, m.end-m.low))
	for i := m.low; i < m.end; i++ {
		if n := m.counts[i]; n > 0 {
			h.buckets = append(h.buckets, newBucket(uint16(i), n))
			h.count += n
		}
	}
	return h
}
