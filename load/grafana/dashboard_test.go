package grafana_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/ledger"
)

// What Prometheus sees of k6's metrics: counters get the suffix _total, gauges none.
// Trends would get the name of a statistic, which depends on the user's settings, so the
// dashboard uses none.
func emitted() (names []string) {
	for _, gauge := range []string{
		"pix_duration", "pix_duration_now", "pix_webhook_delivery", "pix_webhook_delivery_now",
		"pix_schedule_lag", "pix_hiccup", "pix_backlog", "vus", "vus_max",
	} {
		names = append(names, "k6_"+gauge)
	}
	for _, counter := range []string{"pix_invalid", "http_reqs", "iterations", "dropped_iterations"} {
		names = append(names, "k6_"+counter+"_total")
	}
	for counter := range (ledger.Counts{}).All() {
		names = append(names, "k6_pix_"+counter+"_total")
	}
	return names
}

type dashboard struct {
	UID           string `json:"uid"`
	Title         string `json:"title"`
	SchemaVersion int    `json:"schemaVersion"`
	Panels        []struct {
		ID      int    `json:"id"`
		Type    string `json:"type"`
		Title   string `json:"title"`
		GridPos struct{ H, W, X, Y int }
		Targets []struct {
			RefID      string `json:"refId"`
			Expr       string `json:"expr"`
			Datasource struct{ Type, UID string }
		}
	}
	Templating struct {
		List []struct{ Name, Type, Query any }
	}
}

func read(t *testing.T) (d dashboard, text string) {
	raw, err := os.ReadFile("dashboard.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &d))
	return d, string(raw)
}

func TestEveryMetricIsEmitted(t *testing.T) {
	t.Parallel()
	known := emitted()
	_, text := read(t)
	used := regexp.MustCompile(`k6_[a-z0-9_]+`).FindAllString(text, -1)
	require.NotEmpty(t, used)
	for _, m := range used {
		assert.Contains(t, known, m)
	}
	for _, m := range known {
		assert.True(t, slices.Contains(used, m), "no panel shows %s", m)
	}
}

func TestADashboardThatGrafanaTakes(t *testing.T) {
	t.Parallel()
	d, _ := read(t)
	assert.Equal(t, "pixcert-load", d.UID)
	assert.NotEmpty(t, d.Title)
	assert.GreaterOrEqual(t, d.SchemaVersion, 36)

	require.NotEmpty(t, d.Templating.List)
	assert.Equal(t, "datasource", d.Templating.List[0].Type, "the data source is chosen first")
	assert.Equal(t, "prometheus", d.Templating.List[0].Query)

	ids := map[int]bool{}
	taken := map[[2]int]string{}
	for _, p := range d.Panels {
		assert.False(t, ids[p.ID], "two panels have the id %d", p.ID)
		ids[p.ID] = true
		assert.NotEmpty(t, p.Title)
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			assert.Less(t, x, 24, "%s is wider than the grid", p.Title)
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				assert.Empty(t, taken[[2]int{x, y}], "%s lies over another panel", p.Title)
				taken[[2]int{x, y}] = p.Title
			}
		}
		if p.Type == "row" {
			continue
		}
		assert.NotEmpty(t, p.Targets, p.Title)
		refs := map[string]bool{}
		for _, q := range p.Targets {
			assert.Equal(t, "${datasource}", q.Datasource.UID, p.Title)
			assert.Contains(t, q.Expr, `testid=~"$testid"`, p.Title)
			assert.False(t, refs[q.RefID], "%s has two queries %s", p.Title, q.RefID)
			refs[q.RefID] = true
		}
	}
}
