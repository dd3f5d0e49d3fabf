package module

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/run"
)

func TestACounterNeverFalls(t *testing.T) {
	t.Parallel()
	registry := metrics.NewRegistry()
	m, err := newMetrics(registry)
	require.NoError(t, err)
	sent := make(chan metrics.SampleContainer, 10)
	e := &emitter{pixMetrics: m, samples: sent, common: registry.RootTagSet()}
	e.run, e.told = &run.Run{}, map[series]int64{}
	pay := registry.RootTagSet().With("scenario", "pay")
	var told []float64
	for _, matched := range []int64{0, 5, 5, 3, 4, 7} {
		e.count(time.Now(), map[any]*ledger.Counts{pay: {WebhooksMatched: matched}})
		for _, s := range (<-sent).GetSamples() {
			if s.Metric == m.webhooks {
				assert.Equal(t, map[string]string{"scenario": "pay", "outcome": "matched"}, s.Tags.Map())
				told = append(told, s.Value)
			}
		}
	}
	assert.Equal(t, []float64{5, 2}, told, "what it grew by; 7 in all")
}
