package run

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/capacity"
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/result"
)

// The wall clock and the recorder's differ by a little, either way: no second of the
// window may get lost for it.
func TestAnObservationHasAllSecondsOfItsWindow(t *testing.T) {
	t.Parallel()
	begun := time.Now()
	for _, drift := range []time.Duration{-40 * time.Millisecond, -1, 0, 1, 40 * time.Millisecond} {
		r := &Run{recorder: measure.New(begun, 0)}
		r.prepared.Store(true)
		from := begun.Truncate(time.Second).Add(2 * time.Second)
		for i := range 10 {
			at := begun.Add(from.Sub(begun)).Add(time.Duration(i)*time.Second + time.Second/2)
			r.recorder.Origin(0).Operation("cash-out").Record(measure.Latency{Took: time.Millisecond}, measure.Latency{Took: 2 * time.Millisecond}, 201, i == 3, at)
		}
		seen := r.Observer().Observe(from.Add(2*time.Second+drift), from.Add(10*time.Second+drift))
		require.Equal(t, int64(8), seen.Done, "%s", drift)
		require.Equal(t, int64(1), seen.Failed)
		require.InDelta(t, 2*time.Millisecond, seen.P99, float64(50*time.Microsecond))

		mark := r.Observer().Observe(from.Add(drift), from.Add(drift))
		require.Zero(t, mark.Done, "the beginning of a window is no window")
	}
}

func TestASearchIsJudgedByItsWindowsAlone(t *testing.T) {
	t.Parallel()
	r := &Run{}
	res := &result.Result{Iterations: 500, Dropped: 45, CPU: 0.99}
	require.Len(t, r.Judge(res, true).Reasons, 2)
	r.Observer().Arrived(capacity.Arrivals{Due: 1200, Waited: 243, Dropped: 40, MaxVUs: 7})
	reasons := r.Judge(res, true).Reasons
	require.Len(t, reasons, 3)
	require.Equal(t, result.Reason{
		Figure: "dropped iterations", Value: 5, Unit: "iterations", Note: "no virtual user was free: raise preAllocatedVUs or use pix-arrival-rate",
	}, reasons[1], "of k6's own executors")
	require.Equal(t, result.Reason{
		Figure: "virtual users", Value: 40, Unit: "arrivals never started", Note: "283 of 1,200 arrivals waited for a virtual user, maxVUs is 7",
	}, reasons[2])
	res.Capacity = &capacity.Curve{Outcome: capacity.Found}
	require.Equal(t, result.Validity{Valid: true}, r.Judge(res, true))
}

func TestOnlyASearchThatFoundARatePasses(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[capacity.Outcome]result.Outcome{
		capacity.Found: result.Pass, capacity.ReachedMax: result.Pass, capacity.NoneHeld: result.Fail,
		capacity.GeneratorLimited: result.Invalid, capacity.Unconfirmed: result.Invalid, capacity.Interrupted: result.Invalid,
	} {
		res := &result.Result{Capacity: &capacity.Curve{Outcome: outcome, Rate: 100}}
		res.Operations = map[string]measure.Operation{"cash-out": {Count: 1}}
		res.Validity = (&Run{}).Judge(res, true)
		require.Equal(t, want, res.Outcome(), outcome)
		if want == result.Invalid {
			require.Equal(t, res.Capacity.String(), res.Validity.Reasons[0].Detail)
		}
	}
}
