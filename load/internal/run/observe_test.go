package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/result"
)

func TestArrivalsThatNeverStartedMakeARunInvalid(t *testing.T) {
	t.Parallel()
	r := &Run{}
	res := &result.Result{Iterations: 500, Dropped: 45, CPU: 0.99, Thresholds: []result.Threshold{{Metric: "dropped_iterations"}}}
	require.Len(t, r.Judge(res, true).Reasons, 2)
	r.Arrived(measure.Arrivals{Due: 1200, Waited: 243, Dropped: 40, MaxVUs: 7})
	reasons := r.Judge(res, true).Reasons
	require.Len(t, reasons, 3)
	require.Equal(t, result.Reason{
		Figure: "dropped iterations", Value: 5, Unit: "iterations", Note: "no virtual user was free: raise preAllocatedVUs or use pix-arrival-rate",
	}, reasons[1], "of k6's own executors")
	require.Equal(t, result.Reason{
		Figure: "virtual users", Value: 40, Unit: "arrivals never started", Note: "283 of 1,200 arrivals waited for a virtual user, maxVUs is 7",
	}, reasons[2])
}
