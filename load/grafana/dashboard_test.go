package grafana_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/ledger"
)

// shown are the metrics that the dashboard shows, by the names that k6's output for Prometheus gives them with native
// histograms. Those of pixcert are all that it registers.
func shown(t *testing.T) (names []string) {
	names = []string{"k6_vus", "k6_vus_max", "k6_http_reqs_total", "k6_iterations_total", "k6_dropped_iterations_total"}
	source, err := os.ReadFile("../internal/module/metrics.go")
	require.NoError(t, err)
	suffix := map[string]string{"Counter": "_total", "Gauge": "", "Rate": "_rate", "Trend": "_seconds"}
	for _, m := range regexp.MustCompile(`"(pix_\w+)", metrics\.(\w+),`).FindAllStringSubmatch(string(source), -1) {
		require.Contains(t, suffix, m[2])
		names = append(names, "k6_"+m[1]+suffix[m[2]])
	}
	require.Len(t, names, 5+13)
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

func TestEveryMetricIsShown(t *testing.T) {
	t.Parallel()
	known := shown(t)
	_, text := read(t)
	used := regexp.MustCompile(`k6_[a-z0-9_]+`).FindAllString(text, -1)
	for _, m := range used {
		assert.Contains(t, known, m)
	}
	for _, m := range known {
		assert.Contains(t, used, m, "no panel shows it")
	}
}

func TestEveryOutcomeOfAPaymentIsShown(t *testing.T) {
	t.Parallel()
	d, _ := read(t)
	var used []string
	for _, p := range d.Panels {
		for _, q := range p.Targets {
			for _, m := range regexp.MustCompile(`k6_pix_payments_total\{[^}]*outcome=~?"([^"]+)"`).FindAllStringSubmatch(q.Expr, -1) {
				used = append(used, strings.Split(m[1], "|")...)
			}
		}
	}
	for outcome := range (&ledger.Counts{}).Outcomes() {
		if outcome.Metric == "pix_payments" {
			assert.Contains(t, used, outcome.Name)
		}
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
