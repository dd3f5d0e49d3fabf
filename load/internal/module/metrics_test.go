package module

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/ledger"
)

func TestACounterNeverFalls(t *testing.T) {
	t.Parallel()
	registry := metrics.NewRegistry()
	m, err := newMetrics(registry)
	require.NoError(t, err)
	k := &ticker{origins: newOrigins(nil)}
	var told []float64
	for _, matched := range []int64{0, 5, 5, 3, 4, 7} {
		b := &batch{metrics: m, tags: registry.RootTagSet(), now: time.Unix(0, 0)}
		k.counted(b, []ledger.Counts{{WebhooksMatched: matched}})
		for _, s := range b.samples {
			if s.Metric.Name == "pix_webhooks_matched" {
				told = append(told, s.Value)
			}
		}
	}
	assert.Equal(t, []float64{0, 5, 2}, told, "a zero for thresholds, then what it grew by; 7 in all")
}
