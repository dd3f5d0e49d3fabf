package preset

import (
	"regexp"
	"slices"
	"strings"
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

func TestEveryLimitIsOnAMetricThatThereIs(t *testing.T) {
	t.Parallel()
	gauge := regexp.MustCompile(`^pix_(duration\{operation:[a-z-]+,|webhook_delivery\{)from:(intended|acceptance),stat:(p50|p99|max)\}$`)
	for _, p := range presets {
		for _, l := range p.limits {
			name, ours := strings.CutPrefix(l.metric, "pix_")
			if _, ok := (ledger.Counts{}).Get(name); ok || slices.Contains([]string{"pix_invalid", "dropped_iterations", "pix_iterations_thrown", "pix_tokens_rejected"}, l.metric) {
				assert.Equal(t, "count==0", l.expression, l.metric)
				continue
			}
			assert.True(t, ours)
			if l.metric == "pix_failed" {
				assert.Equal(t, "value<=0.001", l.expression)
				continue
			}
			assert.Regexp(t, gauge, l.metric)
			assert.Regexp(t, `^value<=?\d+$`, l.expression)
		}
	}
}

func TestPresetsOnOneMetricBothStand(t *testing.T) {
	t.Parallel()
	thresholds, sources, err := Thresholds("bcb-launch", "bcb-experience", "bcb-launch")
	require.NoError(t, err)
	assert.Equal(t, []string{"value<4000", "value<=10000"}, thresholds["pix_webhook_delivery{from:intended,stat:p99}"])
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
