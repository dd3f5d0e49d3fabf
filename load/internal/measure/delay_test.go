package measure

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLatenciesAreKnownWithoutTheirDelays(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	now := time.Now()
	r := New(now, 0)
	op := r.Origin(0).Operation("cash-out")
	for range 98 {
		op.Record(took(10*ms), took(12*ms), 201, false, now)
	}
	for range 2 {
		op.Record(Latency{500 * ms, 300 * ms}, Latency{800 * ms, 600 * ms}, 201, false, now)
		r.Origin(0).Delivery.Record(took(500*ms), Latency{900 * ms, 850 * ms}, now)
	}
	m := r.Measurements(now)
	one := m.Operations["cash-out"]
	assert.EqualValues(t, 2, one.IntendedDelay.Count())
	assert.EqualValues(t, 100, one.Least().Intended.Count())
	for want, h := range map[time.Duration]*Histogram{
		800 * ms: one.Intended, 200 * ms: one.Least().Send, 500 * ms: one.Send, 900 * ms: m.Delivery.Intended, 50 * ms: m.Delivery.Least().Intended,
	} {
		highest, ok := h.Max()
		require.True(t, ok)
		assert.InEpsilon(t, want, highest, 0.002)
	}
	assert.Zero(t, m.Delivery.AcceptanceDelay)

	m.Merge(r.Measurements(now))
	assert.EqualValues(t, 4, m.Operations["cash-out"].IntendedDelay.Count())
	assert.EqualValues(t, 4, m.Delivery.IntendedDelay.Count())
	assert.EqualValues(t, 200, m.Operations["cash-out"].Least().Intended.Count())
}
