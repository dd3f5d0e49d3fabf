package executor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"go.k6.io/k6/v2/lib"

	"github.com/pixcert/pixcert/load/internal/barrier"
	"github.com/pixcert/pixcert/load/internal/capacity"
)

// team is the instances that search together. Each offers its share of a rate at the same time as the others, and
// judges what all have seen, so that all take the same steps and end together.
type team struct {
	barrier      *barrier.Barrier // nil if one instance searches alone
	instance, of int
	share        float64
	recovery     time.Duration
}

// How long instances wait for each other.
const (
	startTimeout = 10 * time.Minute // pods may have to be scheduled first
	roundTimeout = 30 * time.Second
)

// mostSkew is how far the clocks of two instances may differ: that much of a window is not offered by all.
const mostSkew = 500 * time.Millisecond

// join waits for the other instances, which must search for the same.
func join(ctx context.Context, c *CapacityConfig, tuple *lib.ExecutionTuple, shares bool) (*team, error) {
	t := &team{of: 1, share: 1, recovery: c.Recovery.TimeDuration()}
	if tuple.Segment.FloatLength() == 1 {
		return t, nil
	}
	if shares {
		return nil, errors.New("instances that search together cannot share accounts, since a webhook that another instance receives looks like one that is late: " +
			"remove sharedAccounts, and give each instance its own webhook URL")
	}
	t.instance, t.of, t.share = tuple.SegmentIndex, len(tuple.Sequence.ExecutionSegmentSequence), tuple.Segment.FloatLength()
	b, err := barrier.Open(c.Coordinator.String, t.instance, t.of)
	if err != nil {
		return nil, fmt.Errorf("coordinator: %w", err)
	}
	t.barrier = b
	configs, err := barrier.Exchange(ctx, b, startTimeout, c.search())
	if err == nil {
		if i := slices.IndexFunc(configs, func(other capacity.Config) bool { return other != configs[0] }); i > 0 {
			err = fmt.Errorf("expected the same rates, windows and limits in every instance, got others in instance %d of %d", i+1, t.of)
		}
	}
	if err != nil {
		b.Leave()
		return nil, fmt.Errorf("coordinator: %w", err)
	}
	return t, nil
}

// begin is when to offer the next rate: soon after all are ready.
func (t *team) begin(ctx context.Context) (time.Time, error) {
	if t.barrier == nil {
		return time.Now(), nil
	}
	if _, err := barrier.Exchange(ctx, t.barrier, t.recovery+roundTimeout, struct{}{}); err != nil {
		return time.Time{}, err
	}
	const tries = 5 // an instance that stood still for a moment looks like one with another clock
	for try := 1; ; try++ {
		clocks, err := barrier.Exchange(ctx, t.barrier, roundTimeout, time.Now())
		if err != nil {
			return time.Time{}, err
		}
		first, last := slices.MinFunc(clocks, time.Time.Compare), slices.MaxFunc(clocks, time.Time.Compare)
		switch skew := last.Sub(first); {
		case skew <= mostSkew:
			now := time.Now()
			return now.Add(last.Add(mostSkew).Sub(now)), nil // with a monotonic clock
		case try == tries:
			return time.Time{}, fmt.Errorf("the clocks of the instances differ by %s: synchronize them", skew.Round(time.Millisecond))
		}
	}
}

// judged is the window that all have measured.
func (t *team) judged(ctx context.Context, mine capacity.Window) (capacity.Window, error) {
	if t.barrier == nil {
		return mine, nil
	}
	all, err := barrier.Exchange(ctx, t.barrier, roundTimeout, mine)
	if err != nil {
		return mine, err
	}
	return capacity.Merged(all), nil
}
