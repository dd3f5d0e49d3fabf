package capacity

import (
	"fmt"
	"math"
	"time"
)

// Config of a search. Rates are iterations per second.
type Config struct {
	Start     float64 // first rate
	Max       float64 // highest rate to try
	Growth    float64 // factor while windows pass, above 1
	Precision float64 // maximum relative gap between the rate found and the lowest that failed

	Warmup   time.Duration // before each window, at its rate, not judged
	Window   time.Duration
	Confirm  time.Duration // the last, longer window
	Recovery time.Duration // maximum pause without load after a failed window

	Hold Limits
}

// Longest is how long a window may be: as long as the run keeps the figures of single
// seconds, with a margin for reading them.
const Longest = 170 * time.Second

// Validate reports the first wrong field by its name in a script.
func (c Config) Validate() error {
	switch {
	case !positive(c.Start):
		return fmt.Errorf("startRate: expected a rate above 0, got %v", c.Start)
	case !positive(c.Max) || c.Max < c.Start:
		return fmt.Errorf("maxRate: expected at least startRate, %v, got %v", c.Start, c.Max)
	case !(c.Growth >= 1.1 && c.Growth <= 10):
		return fmt.Errorf("growth: expected a factor from 1.1 to 10, got %v", c.Growth)
	case !(c.Precision >= 0.005 && c.Precision <= 0.5):
		return fmt.Errorf("precision: expected a share from 0.005 to 0.5, got %v", c.Precision)
	case c.Warmup < 0:
		return fmt.Errorf("warmup: expected a duration of 0 or more, got %s", c.Warmup)
	case c.Window <= 0:
		return fmt.Errorf("window: expected a duration above 0, got %s", c.Window)
	case c.Window > Longest:
		return fmt.Errorf("window: expected at most %s, because rates are kept no longer than that, got %s", Longest, c.Window)
	case c.few(c.Start):
		return fmt.Errorf("window: expected at least %d iterations at startRate, got %v/s for %s", fewest, c.Start, c.Window)
	case c.Confirm < c.Window:
		return fmt.Errorf("confirm: expected at least the length of window, %s, got %s", c.Window, c.Confirm)
	case c.Confirm > Longest:
		return fmt.Errorf("confirm: expected at most %s, because rates are kept no longer than that, got %s", Longest, c.Confirm)
	case c.Recovery < 0:
		return fmt.Errorf("recovery: expected a duration of 0 or more, got %s", c.Recovery)
	case c.Hold.Latency < 0:
		return fmt.Errorf("hold.latency: expected a duration of 0 or more, got %s", c.Hold.Latency)
	case c.Hold.Delivery < 0:
		return fmt.Errorf("hold.delivery: expected a duration of 0 or more, got %s", c.Hold.Delivery)
	case !(c.Hold.Failed >= 0 && c.Hold.Failed <= 1):
		return fmt.Errorf("hold.failed: expected a share from 0 to 1, got %v", c.Hold.Failed)
	}
	return nil
}

func positive(rate float64) bool { return rate > 0 && !math.IsInf(rate, 1) }

// fewest is the minimum number of iterations in a window.
const fewest = 10

func (c Config) few(rate float64) bool { return rate*c.Window.Seconds() < fewest }

// MaxDuration is how long the search takes at most.
func (c Config) MaxDuration() time.Duration {
	search := time.Duration(c.maxWindows()) * (c.Recovery + c.Warmup + c.Window)
	return search + maxConfirms*(c.Recovery+c.Warmup+c.Confirm)
}

// maxWindows limits the number of windows before confirmation.
func (c Config) maxWindows() int {
	grow := math.Ceil(math.Log(c.Max/c.Start)/math.Log(c.Growth)) + 1
	bisect := math.Ceil(math.Log2(math.Log(c.Growth)/-math.Log1p(-c.Precision))) + 1
	return int(grow+max(bisect, 0)) + maxDescents + maxFailures - 1 + spareWindows
}
