package run

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/result"
)

// errorCount is a number of errors of a kind, and the first of them.
type errorCount struct {
	mu    sync.Mutex
	count int
	first error
}

func (c *errorCount) add(count int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count, c.first = c.count+count, cmp.Or(c.first, err)
}

func (c *errorCount) get() (count int, first error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count, c.first
}

// exhausted counts an error that says that this machine ran out of something, and ignores any other.
func (r *Run) exhausted(err error) {
	if gateway.Exhausted(err) {
		r.shortages.add(1, err)
	}
}

// broken are the reasons why the figures are not the gateway's: this machine ran out of something, or the process or
// the clock did not run on.
func (r *Run) broken() (reasons []result.Reason) {
	if count, first := r.shortages.get(); count > 0 {
		reasons = append(reasons, r.reason(result.Exhausted, "generator: it ran out of file descriptors, ports or memory %d times, first: %v; raise its limits (ulimit -n), or use more instances", count, first))
	}
	if stood, jumped := r.monitor.interruptions(); stood > 0 {
		reasons = append(reasons, r.reason(result.Suspended, "generator: it stood still for %v: it was suspended, or the machine was overloaded", stood.Round(100*time.Millisecond)))
	} else if jumped > 0 {
		reasons = append(reasons, r.reason(result.Suspended, "generator: its clock jumped by %v: the machine was suspended, or somebody set the clock", jumped.Round(100*time.Millisecond)))
	}
	return reasons
}

func (r *Run) reason(f result.Figure, format string, args ...any) result.Reason {
	return result.Reason{Figure: f, Detail: fmt.Sprintf(format, args...), Instance: r.config.Instance}
}
