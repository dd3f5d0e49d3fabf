package capacity

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/measure"
)

func TestAWindowIsJudgedByItsFirstMissedLimit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change  func(*Window)
		verdict Verdict
		reason  string
	}{
		"all well":           {func(*Window) {}, Held, ""},
		"latency at limit":   {func(w *Window) { w.P99 = limits.Latency }, Held, ""},
		"latency":            {func(w *Window) { w.P99 = 812 * time.Millisecond }, Exceeded, "p99 812ms, limit 500ms"},
		"failures":           {func(w *Window) { w.Failed = 20 }, Exceeded, "0.2% failed, limit 0.1%"},
		"failures at limit":  {func(w *Window) { w.Failed = 10 }, Held, ""},
		"silence":            {func(w *Window) { w.Done = 0 }, Exceeded, "no response"},
		"everybody hangs":    {func(w *Window) { w.Done, w.Started, w.Dropped = 0, 0, w.Scheduled }, Exceeded, "no response"},
		"webhooks":           {func(w *Window) { w.DeliveryP99 = 3 * time.Second }, Exceeded, "webhook p99 3s, limit 2s"},
		"backlog":            {func(w *Window) { w.Backlog = []int64{0, 300, 600, 900, 1200} }, Exceeded, "backlog grows by 120/s, limit 20.0/s"},
		"backlog drains":     {func(w *Window) { w.Backlog = []int64{5000, 10} }, Held, ""},
		"backlog scatters":   {func(w *Window) { w.Backlog = []int64{900, 1010, 960, 1020} }, Held, ""},
		"drops":              {func(w *Window) { w.Dropped = 1 }, Generator, "1 of 10,000 iterations dropped"},
		"drops and latency":  {func(w *Window) { w.Dropped, w.P99 = 1, time.Second }, Exceeded, "p99 1s"},
		"not offered":        {func(w *Window) { w.Started = 9799 }, Generator, "9,799 of 10,000 iterations started"},
		"offered":            {func(w *Window) { w.Started = 9800 }, Held, ""},
		"busy, yet held":     {func(w *Window) { w.CPU = 0.99 }, Held, ""},
		"busy and slow":      {func(w *Window) { w.CPU, w.P99 = 0.99, time.Second }, Generator, "the generator used 99% of its CPU; p99 1s"},
		"late and slow":      {func(w *Window) { w.Late, w.P99 = 101, time.Second }, Generator, "101 of 10,000 iterations over 100ms late"},
		"hardly late, slow":  {func(w *Window) { w.Late, w.P99 = 100, time.Second }, Exceeded, "p99 1s"},
		"backlog is unknown": {func(w *Window) { w.Backlog = nil }, Held, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := offered(1000, 10*time.Second)
			c.change(&w)
			verdict, reason := limits.Judge(w)
			require.Equal(t, c.verdict, verdict)
			require.Contains(t, reason, c.reason)
			require.Equal(t, c.verdict == Held, reason == "")
		})
	}
}

func TestALimitThatIsNotSetIsNotJudged(t *testing.T) {
	t.Parallel()
	w := offered(1000, 10*time.Second)
	w.P99, w.DeliveryP99 = time.Hour, time.Hour
	verdict, _ := Limits{}.Judge(w)
	require.Equal(t, Held, verdict)
}

// The backlog left by the previous window does not change a gateway's limits.
func TestTheBacklogIsJudgedAlikeAtEachTry(t *testing.T) {
	t.Parallel()
	const drained = 76 // webhooks per second
	hold := Limits{Latency: 500 * time.Millisecond, Delivery: 5 * time.Second}
	for _, left := range []float64{0, 100, 1000, 10_000} {
		for _, length := range []time.Duration{10 * time.Second, 30 * time.Second} {
			var failed bool
			for rate := 60.0; rate < 100; rate++ {
				w := offered(rate, length)
				w.Backlog = nil
				for second := range int(length/time.Second) + 1 {
					w.Backlog = append(w.Backlog, int64(left+max(0, rate-drained)*float64(second)))
				}
				verdict, reason := hold.Judge(w)
				assert.False(t, failed && verdict == Held, "%v/s passed, but a lower rate failed", rate)
				failed = failed || verdict != Held
				switch {
				case rate <= drained+1:
					assert.Equal(t, Held, verdict, "%v/s, %v left: %s", rate, left, reason)
				case rate >= drained*1.06:
					assert.Equal(t, Exceeded, verdict, "%v/s, %v left", rate, left)
				}
			}
		}
	}
}

// A few payments that come and go at a low rate are no growth.
func TestASmallBacklogMayScatter(t *testing.T) {
	t.Parallel()
	w := offered(5, 10*time.Second)
	w.Backlog = []int64{1, 3, 2, 0, 4, 2, 3, 5, 4, 6, 5}
	verdict, reason := limits.Judge(w)
	require.Equal(t, Held, verdict, reason)
}

func TestBacklogGrowthIsTheSlope(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		backlog []int64
		growth  float64
	}{
		{nil, 0},
		{[]int64{7}, 0},
		{[]int64{0, 100}, 10},
		{[]int64{0, 25, 50, 75, 100}, 10},
		{[]int64{100, 100, 0, 100, 100}, 0},
		{[]int64{100, 50, 0}, -10},
	} {
		w := Window{Duration: 10 * time.Second, Backlog: c.backlog}
		require.InDelta(t, c.growth, w.BacklogGrowth(), 1e-9, "%v", c.backlog)
	}
}

func TestTheLongestWindowIsStillMeasuredWhenItEnds(t *testing.T) {
	t.Parallel()
	const toLook = 5 * time.Second
	assert.LessOrEqual(t, Longest, measure.Recent-toLook)
	start := time.Unix(1_800_000_000, 0)
	r := measure.New(start, 0)
	for second := range int64(Longest/time.Second) + 20 {
		at := start.Add(time.Duration(second)*time.Second + time.Millisecond)
		r.Origin(0).Operation("cash-out").Record(measure.Latency{}, measure.Latency{}, 201, false, at)
		r.Window(at, at)
	}
	to := start.Add(Longest + 15*time.Second)
	assert.EqualValues(t, Longest/time.Second, r.Window(to.Add(-Longest), to).Total().Count)
}
