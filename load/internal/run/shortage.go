package run

import (
	"fmt"
	"sync"
	"time"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/result"
)

// shortages counts what failed because this machine ran out of something.
type shortages struct {
	mu    sync.Mutex
	count int64
	first error
}

// note counts an error that says so, and ignores any other.
func (s *shortages) note(err error) {
	if err == nil || !gateway.Exhausted(err) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	if s.first == nil {
		s.first = err
	}
}

// broken are the reasons why the figures are not the gateway's: this machine ran out of something, or the process or
// the clock did not run on.
func (r *Run) broken() (reasons []result.Reason) {
	r.shortages.mu.Lock()
	count, first := r.shortages.count, r.shortages.first
	r.shortages.mu.Unlock()
	if count > 0 {
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
