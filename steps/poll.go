package steps

import (
	"context"
	"time"
)

// pollEvery is the time between two looks at what has not happened yet.
const pollEvery = 50 * time.Millisecond

// poll looks until look is done or fails, or until patience ends; it is false when
// patience has ended.
func poll(ctx context.Context, patience time.Duration, look func() (done bool, err error)) (bool, error) {
	deadline := time.After(patience)
	for {
		if done, err := look(); done || err != nil {
			return done, err
		}
		select {
		case <-time.After(pollEvery):
		case <-deadline:
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}
