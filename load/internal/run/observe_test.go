package run

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/result"
)

func TestArrivalsThatNeverStartedMakeARunInvalid(t *testing.T) {
	t.Parallel()
	r := measuring(nil)
	res := &result.Result{Iterations: 500, Dropped: 45}
	res.Generator.Requests.Count = 500
	require.Empty(t, r.Invalid(res), "of k6's own executors: k6 has a threshold for them")
	r.Arrived(result.Arrivals{Due: 1200, Waited: 243, Dropped: 40, MaxVUs: 7})
	require.Equal(t, []result.Reason{
		{Figure: result.Iterations, Detail: "too few virtual users: 40 of 1,200 arrivals never started, 283 waited for a virtual user, maxVUs is 7"},
	}, r.Invalid(res))
}
