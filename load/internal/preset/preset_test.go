package preset

import (
	"regexp"
	"testing"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEveryPresetSaysWhereItComesFrom(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, p := range presets {
		s := p.Source
		assert.NotEmpty(t, s.Purpose, s.Name)
		assert.NotEmpty(t, s.Source, s.Name)
		assert.Equal(t, s.Source == own, s.Date == "", "%s: a source from outside has a date", s.Name)
		assert.False(t, seen[s.Name], "%s is there twice", s.Name)
		seen[s.Name] = true
		thresholds, sources, err := Thresholds(s.Name)
		require.NoError(t, err)
		assert.NotEmpty(t, thresholds, s.Name)
		assert.Equal(t, []Source{s}, sources)
	}
}

func TestEveryLimitIsOnAnOutcomeOrALatencyThatThereIs(t *testing.T) {
	t.Parallel()
	known := map[string]string{
		"pix_money_drift": "value==0", "pix_req_failed": "rate<=0.001", "pix_tokens_rejected": "count==0",
		"pix_invalid": "count==0", "pix_iterations_thrown": "count==0", "dropped_iterations": "count==0",
	}
	for of := range new(ledger.Counts).Outcomes() {
		known[of.String()] = "count==0"
	}
	latency := regexp.MustCompile(`^pix_(req_intended_duration\{operation:[a-z-]+\}|webhook(_intended)?_duration)$`)
	for _, p := range presets {
		for _, l := range p.limits {
			if expression, ok := known[l.metric]; ok {
				assert.Equal(t, expression, l.expression, l.metric)
				continue
			}
			assert.Regexp(t, latency, l.metric)
			assert.Regexp(t, `^(p\(\d+\)|max)<=?\d+$`, l.expression)
		}
	}
}

func TestPresetsOnOneMetricBothStand(t *testing.T) {
	t.Parallel()
	thresholds, sources, err := Thresholds("bcb-launch", "bcb-experience", "bcb-launch")
	require.NoError(t, err)
	assert.Equal(t, []string{"p(99)<4000", "p(50)<=6000", "p(99)<=10000"}, thresholds["pix_webhook_intended_duration"])
	require.Len(t, sources, 2)
	assert.Equal(t, "bcb-launch", sources[0].Name)
	assert.Equal(t, "bcb-experience", sources[1].Name)
}

func TestAnUnknownPresetIsToldTheKnown(t *testing.T) {
	t.Parallel()
	_, _, err := Thresholds("correct", "corect")
	require.ErrorContains(t, err, `got "corect"`)
	for _, name := range Names() {
		require.ErrorContains(t, err, name)
	}
}

func TestNoPresetIsNoThreshold(t *testing.T) {
	t.Parallel()
	thresholds, sources, err := Thresholds()
	require.NoError(t, err)
	assert.Empty(t, thresholds)
	assert.Empty(t, sources)
}
