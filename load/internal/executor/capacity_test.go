package executor

import (
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/capacity"
)

// stall is how late a timer fires on a machine of which nothing can be said.
const stall = 100 * time.Millisecond

func TestASearchFindsTheCapacityOfATarget(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes minutes: make nightly runs it")
	}
	t.Parallel()
	target := &counter{interval: 5 * time.Millisecond} // 200 a second
	o := start(t, serve(t, target), `{}`, "-1").end()
	require.Equal(t, 0, o.status, o.text)
	require.NotNil(t, o.curve, o.text)
	// In a second 250ms of queue build up at 250 a second; a little beyond the capacity holds.
	assert.Less(t, o.curve.Rate, 260.0, o.text)
	if o.late < stall && o.curve.Outcome != capacity.GeneratorLimited { // which says the same
		assert.Positive(t, o.curve.Rate, o.text)
		assert.Equal(t, capacity.Found, o.curve.Outcome, o.text)
		assert.Greater(t, o.curve.Rate, 100.0, o.text)
	}

	assert.Zero(t, target.wrong, "env of the scenario")
	assert.Equal(t, target.served, o.iterations, "each iteration is one request and counted")
	var offered, dropped int64
	for _, p := range o.curve.Points {
		offered += int64(p.Offered * p.Duration.Seconds())
		dropped += p.Dropped
		assert.InDelta(t, p.Rate, p.Offered+float64(p.Dropped)/p.Duration.Seconds(), 1, "the schedule does not drift")
		assert.Zero(t, p.Started.Nanosecond(), "a window begins at a whole second")
	}
	assert.LessOrEqual(t, offered, o.iterations)
	assert.LessOrEqual(t, dropped, o.dropped)
}

func TestAGeneratorWithTooFewVirtualUsersSaysSo(t *testing.T) {
	t.Parallel()
	slow := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(40 * time.Millisecond):
		case <-r.Context().Done():
		}
	})
	o := start(t, serve(t, slow), `{"preAllocatedVUs": 1, "maxVUs": 3, "startRate": 10, "maxRate": 200, "precision": 0.5}`, "-1").end()
	require.Equal(t, 0, o.status, o.text)
	if o.late < stall {
		require.Equal(t, capacity.GeneratorLimited, o.curve.Outcome, o.text)
	}
	assert.LessOrEqual(t, o.curve.Rate, 75.0)
	assert.Positive(t, o.dropped)
	if o.curve.Rate > 0 { // a machine that is slow to create virtual users is at its limit before all of them exist
		assert.Contains(t, o.text, "insufficient virtual users")
	}
}

func TestAScriptCanAbortASearch(t *testing.T) {
	t.Parallel()
	o := start(t, serve(t, &counter{interval: time.Millisecond}), `{}`, "60").end()
	require.Equal(t, 108, o.status, o.text) // k6's status of an aborted script
	require.Equal(t, capacity.Interrupted, o.curve.Outcome)
	require.Contains(t, o.text, "enough")
}

func TestAnInterruptEndsASearchAndKeepsWhatItFound(t *testing.T) {
	t.Parallel()
	seen := make(chan struct{}, 1000)
	target := &counter{interval: time.Millisecond}
	run := start(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target.ServeHTTP(w, r)
		select {
		case seen <- struct{}{}:
		default:
		}
	})), `{"warmup": "0s", "preAllocatedVUs": 150, "hold": {"latency": "60s", "failed": 1}}`, "-1")
	for range 200 { // at 50 a second and its double: the first window has ended, and held
		<-seen
	}
	require.NoError(t, run.Process.Signal(os.Interrupt))
	o := run.end()
	require.Equal(t, 105, o.status, o.text)
	require.Equal(t, capacity.Interrupted, o.curve.Outcome, o.text)
	require.NotEmpty(t, o.curve.Points, o.text)
	require.Zero(t, o.curve.Rate)
	if o.late < stall {
		require.GreaterOrEqual(t, o.curve.Held, 50.0, o.text)
	}
}

// Iterations that hang are interrupted when the grace is over, and counted as such.
func TestGracefulStopIsBounded(t *testing.T) {
	t.Parallel()
	hang := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	began := time.Now()
	o := start(t, serve(t, hang), `{"startRate": 20, "maxRate": 20, "recovery": "0s", "gracefulStop": "1s", "growth": 10, "preAllocatedVUs": 2, "maxVUs": 4}`, "-1").end()
	require.Equal(t, 0, o.status, o.text)
	require.Equal(t, capacity.NoneHeld, o.curve.Outcome, o.text)
	require.Zero(t, o.iterations)
	require.Contains(t, o.text, "no response")
	require.Less(t, time.Since(began), 25*time.Second) // the bound of an iteration alone is 60s
}

func TestASegmentIsRefused(t *testing.T) {
	t.Parallel()
	o := start(t, "http://127.0.0.1:1", `{}`, "-1", "--execution-segment", "0:1/2", "--execution-segment-sequence", "0,1/2,1").end()
	require.Equal(t, 104, o.status, o.text) // k6's status of a configuration that is wrong
	require.Contains(t, o.text, "scenario search: expected one instance, because a search is not divided into execution segments, got 0:1/2")
}
