package capacity

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var ordinary = Config{
	Start: 50, Max: 20_000, Growth: 2, Precision: 0.05,
	Warmup: 2 * time.Second, Window: 10 * time.Second, Confirm: 30 * time.Second, Recovery: 30 * time.Second,
	Hold: limits,
}

// The rate found is at most the capacity, and no further below it than the precision.
func TestASearchFindsTheCapacity(t *testing.T) {
	t.Parallel()
	for name, made := range map[string]func(capacity float64) target{
		"queue":    func(c float64) target { return &queue{capacity: c} },
		"cliff":    func(c float64) target { return cliff(c) },
		"webhooks": func(c float64) target { return laggard(c) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, capacity := range []float64{50, 51, 99, 1000, 3626, 12_345} {
				curve, spent := explore(ordinary, made(capacity))
				require.Equal(t, Found, curve.Outcome, "%v: %s", capacity, curve)
				// A backlog that hardly grows in a window is noise.
				require.LessOrEqual(t, curve.Rate, capacity*(1+2*maxGrowth))
				require.Greater(t, curve.Rate, capacity*(1-ordinary.Precision)-1)
				require.Greater(t, curve.Limit, curve.Rate)
				require.LessOrEqual(t, curve.Limit-curve.Rate, ordinary.Precision*curve.Limit+1)
				require.LessOrEqual(t, spent, ordinary.MaxDuration())
				require.LessOrEqual(t, len(curve.Points), 20)
			}
		})
	}
}

func TestASearchEndsWithinItsBound(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		cfg := ordinary
		cfg.Growth = 1.1 + 3*random.Float64()
		cfg.Precision = 0.005 + 0.2*random.Float64()
		cfg.Start = 1 + 100*random.Float64()
		cfg.Max = cfg.Start * (1 + 500*random.Float64())
		// A target without any order: every window ends by chance.
		curve, spent := explore(cfg, &queue{capacity: cfg.Max * random.Float64(), noise: 0.5, flaw: random.Float64(), random: random})
		require.NotEqual(t, Interrupted, curve.Outcome)
		require.LessOrEqual(t, spent, cfg.MaxDuration(), "seed %d", seed)
	}
}

func TestNoiseDoesNotEndInARateThatTheConfirmingWindowRefutes(t *testing.T) {
	t.Parallel()
	const capacity, seeds = 1000, 500
	near := 0
	for seed := range uint64(seeds) {
		curve, _ := explore(ordinary, &queue{capacity: capacity, noise: 0.1, random: rand.New(rand.NewPCG(seed, 2))})
		again, _ := explore(ordinary, &queue{capacity: capacity, noise: 0.1, random: rand.New(rand.NewPCG(seed, 2))})
		require.Equal(t, curve, again, "the same measurements must give the same answer")
		if curve.Outcome != Found {
			require.Zero(t, curve.Rate, "seed %d", seed)
			continue
		}
		last := curve.Points[len(curve.Points)-1]
		require.Equal(t, Confirm, last.Purpose)
		require.Equal(t, Held, last.Verdict)
		require.Equal(t, curve.Rate, last.Rate)
		require.InDelta(t, capacity, curve.Rate, 0.25*capacity, "seed %d", seed)
		if curve.Rate > 0.85*capacity && curve.Rate < 1.1*capacity {
			near++
		}
	}
	require.Greater(t, near, seeds*9/10)
}

// One window in twenty fails whatever the rate: without the recheck the search would end
// wherever that happens first.
func TestAFailureByChanceIsFoundOut(t *testing.T) {
	t.Parallel()
	const capacity, seeds = 1000, 500
	near := 0
	for seed := range uint64(seeds) {
		curve, _ := explore(ordinary, &queue{capacity: capacity, flaw: 0.05, random: rand.New(rand.NewPCG(seed, 3))})
		if curve.Outcome == Found && curve.Rate > 0.9*capacity && curve.Rate <= capacity {
			near++
		}
	}
	require.Greater(t, near, seeds*9/10)
}

// What a window above the capacity has left behind must not fail the one after it.
func TestASearchLetsALeakyTargetRecover(t *testing.T) {
	t.Parallel()
	cfg := ordinary
	cfg.Recovery = 20 * time.Minute
	leaky := &queue{capacity: 1000, leak: 0.05}
	curve, _ := explore(cfg, leaky)
	require.Equal(t, Found, curve.Outcome, "%s", curve)
	assert.InDelta(t, 1000, curve.Rate, 60)

	cfg.Recovery = 0
	curve, _ = explore(cfg, &queue{capacity: 1000, leak: 0.05})
	assert.Less(t, curve.Rate, 940.0, "without a recovery the target must look worse, otherwise this test proves nothing")
}

func TestATargetThatHoldsEverything(t *testing.T) {
	t.Parallel()
	curve, _ := explore(ordinary, cliff(1e9))
	require.Equal(t, ReachedMax, curve.Outcome)
	require.Equal(t, ordinary.Max, curve.Rate)
	require.Zero(t, curve.Limit)
}

func TestATargetThatHoldsNothing(t *testing.T) {
	t.Parallel()
	curve, _ := explore(ordinary, cliff(0))
	require.Equal(t, NoneHeld, curve.Outcome)
	require.Zero(t, curve.Rate)
	require.Len(t, curve.Points, 1+maxDescents)
	require.Equal(t, curve.Points[maxDescents].Rate, curve.Limit)
}

// A window in which hardly anything is sent proves nothing.
func TestASearchDoesNotDescendToSilence(t *testing.T) {
	t.Parallel()
	cfg := ordinary
	cfg.Start = 3
	curve, _ := explore(cfg, cliff(0))
	require.Equal(t, NoneHeld, curve.Outcome)
	require.Len(t, curve.Points, 2)
	require.Equal(t, 1.5, curve.Limit)
}

func TestATargetThatFailsAtTheFirstRate(t *testing.T) {
	t.Parallel()
	curve, _ := explore(ordinary, cliff(20))
	require.Equal(t, Found, curve.Outcome)
	require.InDelta(t, 20, curve.Rate, 1.01)
	require.Equal(t, Descend, curve.Points[1].Purpose)
}

func TestAWeakGeneratorNeverClaimsACapacity(t *testing.T) {
	t.Parallel()
	curve, _ := explore(ordinary, weak(1000))
	require.Equal(t, GeneratorLimited, curve.Outcome)
	require.InDelta(t, 1000, curve.Rate, 51)
	require.Contains(t, curve.String(), "generator limited at")

	curve, _ = explore(ordinary, weak(1))
	require.Equal(t, GeneratorLimited, curve.Outcome)
	require.Zero(t, curve.Rate)
}

// A target that passes only short windows has no capacity.
func TestARateThatIsRefutedIsNotReported(t *testing.T) {
	t.Parallel()
	curve, _ := explore(ordinary, tiring{})
	require.Equal(t, Unconfirmed, curve.Outcome)
	require.Zero(t, curve.Rate)
	confirms := curve.Points[len(curve.Points)-maxConfirms:]
	for i, p := range confirms {
		require.Equal(t, Confirm, p.Purpose)
		require.Equal(t, ordinary.Confirm, p.Duration)
		if i > 0 {
			require.InEpsilon(t, confirms[i-1].Rate*(1-ordinary.Precision), p.Rate, 0.001)
		}
	}
}

// tiring fails all windows longer than ten seconds.
type tiring struct{}

func (tiring) offer(rate float64, d time.Duration) Window {
	if d > 10*time.Second {
		return cliff(0).offer(rate, d)
	}
	return cliff(1000).offer(rate, d)
}

func (tiring) rest(time.Duration) {}

func TestNextRepeatsAStepUntilItIsJudged(t *testing.T) {
	t.Parallel()
	search, err := New(ordinary)
	require.NoError(t, err)
	first, more := search.Next()
	require.True(t, more)
	second, _ := search.Next()
	require.Equal(t, first, second)
	require.Equal(t, Step{Purpose: Grow, Rate: 50, Warmup: ordinary.Warmup, Window: ordinary.Window}, first)
	search.Judge(offered(50, first.Window))
	third, _ := search.Next()
	require.Equal(t, 100.0, third.Rate)
	require.Equal(t, Interrupted, search.Curve().Outcome)
	require.Equal(t, 50.0, search.Curve().Held)
}

func TestAConfigurationNamesItsWrongField(t *testing.T) {
	t.Parallel()
	for field, spoil := range map[string]func(*Config){
		"startRate":     func(c *Config) { c.Start = 0 },
		"maxRate":       func(c *Config) { c.Max = 49 },
		"growth":        func(c *Config) { c.Growth = 1 },
		"precision":     func(c *Config) { c.Precision = 0 },
		"warmup":        func(c *Config) { c.Warmup = -1 },
		"window":        func(c *Config) { c.Window = 100 * time.Millisecond },
		"confirm":       func(c *Config) { c.Confirm = time.Second },
		"recovery":      func(c *Config) { c.Recovery = -1 },
		"hold.latency":  func(c *Config) { c.Hold.Latency = -1 },
		"hold.delivery": func(c *Config) { c.Hold.Delivery = -1 },
		"hold.failed":   func(c *Config) { c.Hold.Failed = 1.1 },
	} {
		cfg := ordinary
		spoil(&cfg)
		_, err := New(cfg)
		require.ErrorContains(t, err, field+": expected")
	}
	require.NoError(t, ordinary.Validate())
	cfg := ordinary
	cfg.Window = 0
	require.ErrorContains(t, cfg.Validate(), "window: expected a duration above 0")
}
