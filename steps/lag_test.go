package steps

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestTheLagIsTheTimeUntilAChangeShows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		looks int // until the change shows; 0: it never does
		lag   time.Duration
	}{
		"at once":           {1, 0},
		"at the third look": {3, 2 * pollEvery},
		"never: no lag, but something for the rules": {0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newScenario()
				s.run.profile.Deadlines.Balance = time.Second
				looked := 0
				took := s.untilShown(t.Context(), func() bool {
					looked++
					return looked == c.looks
				})
				assert.Equal(t, c.lag, took)
			})
		})
	}
}

func TestCatchUpWaitsFromTheLastAction(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScenario()
		s.run.lag = 100 * time.Millisecond
		started := time.Now()
		s.acted = started.Add(-50 * time.Millisecond)
		s.catchUp(t.Context())
		assert.Equal(t, 250*time.Millisecond, time.Since(started))
		s.catchUp(t.Context())
		assert.Equal(t, 250*time.Millisecond, time.Since(started), "once is enough")
	})
}
