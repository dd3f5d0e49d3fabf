package module

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/result"
)

func TestACounterNeverFalls(t *testing.T) {
	t.Parallel()
	registry := metrics.NewRegistry()
	m, err := newMetrics(registry)
	require.NoError(t, err)
	k := &ticker{origins: newOrigins(nil), tags: registry.RootTagSet(), told: map[series]int64{}}
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

func TestRejectedTokensArePushedByOperation(t *testing.T) {
	t.Parallel()
	registry := metrics.NewRegistry()
	m, err := newMetrics(registry)
	require.NoError(t, err)
	k := &ticker{origins: newOrigins(nil), tags: registry.RootTagSet(), told: map[series]int64{}}
	k.origins.number(registry.RootTagSet().With("scenario", "pay"))
	told := map[string][]float64{}
	for _, n := range []int64{0, 2, 2, 5} {
		b := &batch{metrics: m, tags: registry.RootTagSet(), now: time.Unix(0, 0)}
		of := func(rejected int64) measure.Measurements {
			return measure.Measurements{Figures: measure.Figures{Operations: map[string]measure.Operation{"balance": {Rejected: rejected}}}}
		}
		k.tokens(b, []measure.Measurements{of(0), of(n)})
		for _, s := range b.samples {
			assert.Equal(t, "balance", s.Tags.Map()["operation"])
			told[s.Tags.Map()["scenario"]] = append(told[s.Tags.Map()["scenario"]], s.Value)
		}
	}
	assert.Equal(t, map[string][]float64{"": {0}, "pay": {0, 2, 3}}, told)
}

func TestTheTagsThatK6SetsAreKnown(t *testing.T) {
	t.Parallel()
	var names []string
	for _, tag := range metrics.SystemTagValues() {
		names = append(names, tag.String())
	}
	assert.ElementsMatch(t, names, result.SystemTags)
}
