package executor

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// arrivals is a scenario of pix-arrival-rate, with what differs.
func arrivals(more string) string {
	return `{"executor": "pix-arrival-rate", "env": {"PATHNAME": "/pay"}, ` + more + `}`
}

func at(sorted []time.Duration, share float64) time.Duration {
	return sorted[int(share*float64(len(sorted)-1))]
}

// stalling answers at once, but for some stretches of time in which nothing is answered.
type stalling struct {
	every, stall time.Duration
	begun        sync.Once
	start        time.Time
}

func (s *stalling) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	s.begun.Do(func() { s.start = time.Now() })
	in := time.Since(s.start)%s.every - (s.every - s.stall)
	if in > 0 {
		wait(r, s.stall-in)
	}
}

func wait(r *http.Request, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
}

// A gateway that stalls delays what arrives meanwhile, and nothing else: neither is an
// arrival dropped nor is a later one held against an earlier slot.
func TestStallsPassAndLeaveNoTrace(t *testing.T) {
	t.Parallel()
	target := &stalling{every: 1600 * time.Millisecond, stall: 600 * time.Millisecond} // three times, none of them near the end
	o := start(t, serve(t, target), arrivals(`"rate": 100, "duration": "5400ms", "preAllocatedVUs": 10, "maxVUs": 20`), "-1").end()
	o.requireAll(t, 540)
	slices.Sort(o.seen.Slots)
	for i, slot := range o.seen.Slots {
		require.EqualValues(t, i, slot, "each slot once")
	}
	// Three stalls of 60 arrivals each, of which 20 find a virtual user.
	assert.Greater(t, o.seen.Waited, int64(90))
	stalled := at(o.seen.Latencies, 0.9)
	assert.Greater(t, stalled, 200*time.Millisecond, "what waited says so")
	assert.Less(t, at(o.seen.Latencies, 0.5), stalled/2, "of those between the stalls")
	assert.Less(t, at(o.seen.Latencies, 1), 900*time.Millisecond+3*o.late)
	o.requirePunctual(t)
	assert.Contains(t, o.text, "insufficient virtual users: all 20 (maxVUs) are busy")
}

func TestASlowGatewayGetsMoreVirtualUsers(t *testing.T) {
	t.Parallel()
	slow := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { wait(r, 400*time.Millisecond) })
	o := start(t, serve(t, slow), arrivals(`"rate": 50, "duration": "5s", "preAllocatedVUs": 2, "maxVUs": 100`), "-1").end()
	o.requireAll(t, 250)
	median := at(o.seen.Latencies, 0.5)
	assert.GreaterOrEqual(t, median, 400*time.Millisecond)
	assert.Less(t, median, 800*time.Millisecond, "once there are enough of them, none waits for another's iteration")
	o.requirePunctual(t)
	assert.NotContains(t, o.text, "insufficient")
}

func TestWhatNeverStartsIsDropped(t *testing.T) {
	t.Parallel()
	slow := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { wait(r, 400*time.Millisecond) })
	o := start(t, serve(t, slow), arrivals(`"rate": 20, "duration": "3s", "preAllocatedVUs": 1, "maxVUs": 3`), "-1").end()
	require.Equal(t, 0, o.status, o.text)
	assert.Positive(t, o.iterations)
	assert.LessOrEqual(t, o.iterations, int64(3*9), "each takes 400 ms, the last begins within 3.5 s")
	assert.EqualValues(t, 60, o.iterations+o.dropped)
	assert.EqualValues(t, 60, o.seen.Due)
	assert.Equal(t, o.dropped, o.seen.Dropped)
	assert.EqualValues(t, 3, o.seen.MaxVUs)
	assert.Greater(t, at(o.seen.Latencies, 1), time.Second, "those that waited longest")
	o.requirePunctual(t) // a busy virtual user is not the generator's fault
	assert.Contains(t, o.text, "arrivals never started")
}

func TestARampIsFollowed(t *testing.T) {
	t.Parallel()
	var served atomic.Int64
	count := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served.Add(1) })
	o := start(t, serve(t, count), arrivals(`"startRate": 0, "timeUnit": "1m", "preAllocatedVUs": 20,
		"stages": [{"duration": "1s", "target": 6000}, {"duration": "500ms", "target": 0}, {"duration": "300ms", "target": 0}, {"duration": "0s", "target": 3000}, {"duration": "1s", "target": 3000}]`), "-1").end()
	o.requireAll(t, 125) // 50, 25, 0, 50
	assert.Equal(t, o.iterations, served.Load())
}

func TestSegmentsShareTheArrivals(t *testing.T) {
	t.Parallel()
	target := serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	var runs []*k6
	for i := range 4 {
		runs = append(runs, start(t, target, arrivals(`"rate": 101, "duration": "2s", "preAllocatedVUs": 12`), "-1",
			"--execution-segment", fmt.Sprintf("%d/4:%d/4", i, i+1), "--execution-segment-sequence", "0,1/4,1/2,3/4,1"))
	}
	var all []int64
	var due, dropped int64
	for _, r := range runs {
		o := r.end()
		assert.InDelta(t, 50.5, o.seen.Due, 1)
		o.requireAll(t, o.seen.Due)
		due, dropped = due+o.seen.Due, dropped+o.dropped
		all = append(all, o.seen.Slots...)
	}
	assert.EqualValues(t, 202, due)
	slices.Sort(all)
	require.Len(t, slices.Compact(all), int(due-dropped), "each slot is one instance's")
	assert.Less(t, all[len(all)-1], due)
}

func TestAScriptCanAbortASchedule(t *testing.T) {
	t.Parallel()
	o := start(t, serve(t, quick), arrivals(`"rate": 50, "duration": "1h", "preAllocatedVUs": 5`), "60").end()
	require.Equal(t, 108, o.status, o.text)
	require.Contains(t, o.text, "enough")
	require.Zero(t, o.dropped)
}

// An interrupt ends the schedule at once; iterations that hang are interrupted when the
// grace is over, and neither they nor what was never due are dropped.
func TestAnInterruptEndsASchedule(t *testing.T) {
	t.Parallel()
	hung := make(chan struct{}, 10)
	hang := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		hung <- struct{}{}
		<-r.Context().Done()
	})
	run := start(t, serve(t, hang), arrivals(`"rate": 50, "duration": "1h", "preAllocatedVUs": 2, "gracefulStop": "1s"`), "-1")
	for range 2 {
		<-hung
	}
	require.NoError(t, run.Process.Signal(os.Interrupt))
	o := run.end()
	require.Equal(t, 105, o.status, o.text)
	require.Zero(t, o.iterations)
	require.Zero(t, o.dropped)
}

func TestTheGraceOfAScheduleIsBounded(t *testing.T) {
	t.Parallel()
	hang := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	began := time.Now()
	o := start(t, serve(t, hang), arrivals(`"rate": 5, "duration": "1s", "preAllocatedVUs": 2, "maxVUs": 4, "gracefulStop": "1s"`), "-1").end()
	require.Equal(t, 0, o.status, o.text)
	require.Zero(t, o.iterations)
	require.Positive(t, o.dropped)
	require.EqualValues(t, 5, o.seen.Due)
	require.Less(t, time.Since(began), 25*time.Second) // the bound of an iteration alone is 60s
}

// k6 prints where a scenario stands once a second.
func TestTheProgressBarMoves(t *testing.T) {
	t.Parallel()
	scenario := arrivals(`"rate": 20, "duration": "4s", "preAllocatedVUs": 10`)
	require.Regexp(t, `pay [1-9]\d?% 20 iters/s +\[`, start(t, serve(t, quick), scenario, "-1", "--quiet=false").end().text)
}
