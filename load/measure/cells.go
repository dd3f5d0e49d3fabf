package measure

import (
	"sync/atomic"
	"time"
)

// cells counts durations for many goroutines: a counter per bucket, without a lock.
// A counter holds what came since the last drain, some seconds at most.
type cells struct {
	counts  []atomic.Uint32
	touched []atomic.Bool // of every block of counters: a drain skips the others
	clamped atomic.Int64
}

const block = 64

func newCells() *cells {
	return &cells{counts: make([]atomic.Uint32, fine.size), touched: make([]atomic.Bool, fine.size/block)}
}

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

// drain takes everything out; nil when there is nothing. Nothing may be recorded meanwhile.
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
