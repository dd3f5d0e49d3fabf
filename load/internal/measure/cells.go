package measure

import (
	"sync/atomic"
	"time"
)

// cells counts durations concurrently: one counter per bucket, without a lock. A counter covers
// the time since the last drain, at most some seconds.
type cells struct {
	counts  []atomic.Uint32
	touched []atomic.Bool // per block of counters: a drain skips untouched blocks
	clamped atomic.Int64
}

const block = 64

func (c *cells) record(d time.Duration) {
	micros, clamped := clamp(d)
	if clamped {
		c.clamped.Add(1)
	}
	index := fine.index(micros)
	c.counts[index].Add(1)
	if touched := &c.touched[index/block]; !touched.Load() {
		touched.Store(true)
	}
}

// drain removes and returns everything; nil if there is nothing. Nothing may be recorded in the
// meantime.
func (c *cells) drain() *Histogram {
	h := &Histogram{clamped: c.clamped.Swap(0)}
	for b := range c.touched {
		if !c.touched[b].Load() {
			continue
		}
		c.touched[b].Store(false)
		for i := b * block; i < (b+1)*block; i++ {
			if n := int64(c.counts[i].Load()); n > 0 {
				c.counts[i].Store(0)
				h.buckets = append(h.buckets, newBucket(uint16(i), n))
				h.count += n
			}
		}
	}
	if h.count == 0 {
		return nil
	}
	h.buckets = fit(h.buckets)
	return h
}
