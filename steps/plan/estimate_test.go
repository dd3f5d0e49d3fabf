package plan

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A run of everything against the reference sends 28,600 requests.
func TestTheEstimateFitsARun(t *testing.T) {
	t.Parallel()
	var all []*Scenario
	for _, s := range everything(t) {
		planned, err := read(s)
		require.NoError(t, err)
		all = append(all, planned)
	}
	e := EstimateOf(all)
	require.InDelta(t, 28_600, e.Requests, 3_000)
	require.Equal(t, time.Duration(e.Requests)*time.Second/10, e.Took(10))
	require.Zero(t, e.Took(0))
}
