package report

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/load/internal/result"
)

func sampleComparison() result.Comparison {
	return result.Comparison{
		Caveats: []string{"the rates differ: 177 a second in a, 203 in b"},
		Rows: []result.Row{
			{Figure: "cash-out p50", Unit: "ms", A: 4.1, B: 4.2, Ratio: 1.02, Low: 0.98, High: 1.07, Verdict: result.Same},
			{Figure: "cash-out p99", Unit: "ms", A: 14.1, B: 21.2, Ratio: 1.50, Low: 1.39, High: 1.62, Verdict: result.Worse},
			{Figure: "webhook from acceptance p99", Unit: "ms", A: 132, B: 88, Ratio: 0.67, Low: 0.5, High: 0.8, Verdict: result.Better},
			{Figure: "refund p99", Unit: "ms", A: 21.3, Verdict: result.Incomparable, Reason: "a run has too few values for the percentile"},
			{Figure: "webhooks_late", A: 2, B: 4, Ratio: 2, Low: -3.2, High: 7.35, Verdict: result.Same},
			{Figure: "cash-out failed", Unit: "%", A: 0, B: 2.5, Low: 2.1, High: 2.9, Verdict: result.Worse},
			{Figure: "money_drift", Unit: "centavos", A: 0, B: 4213, Low: 3000, High: 5100, Verdict: result.Worse},
			{Figure: "capacity", Unit: "1/s", A: 176.9, B: 203.4, Ratio: 1.15, Low: 0.95, High: 1.35, Verdict: result.Same},
		},
	}
}

func TestComparisonOnTheTerminal(t *testing.T) {
	t.Parallel()
	var b, colour bytes.Buffer
	require.NoError(t, Comparison(&b, []result.Result{goodRun(), goodRun()}, []result.Result{badRun()}, sampleComparison(), false))
	text := b.String()
	for _, l := range strings.Split(text, "\n") {
		assert.LessOrEqual(t, utf8.RuneCountInString(l), 80, l)
	}
	assert.True(t, strings.HasPrefix(text, "WORSE  8 figures: 3 worse, 1 better, 3 unchanged, 1 not comparable\n  - the rates differ"), text)
	assert.Regexp(t, `worse +cash-out p99 +14\.1 ms +21\.2 ms +1\.50 +1\.39 to 1\.62`, text)
	assert.Contains(t, text, "  a run has too few values for the percentile: refund p99\n")
	assert.Regexp(t, `same +webhooks_late +2 +4 +2\.00 +-3\.2 to \+7\.3`, text)
	assert.Regexp(t, `worse +cash-out failed +0% +2\.5% +– +\+2\.10 to \+2\.90 points`, text)
	assert.Regexp(t, `worse +money_drift +R\$ 0\.00 +R\$ 42\.13 +– +\+30\.00 to \+51\.00 R\$`, text)
	assert.Regexp(t, `same +capacity +177/s +203/s +1\.15 +0\.95 to 1\.35`, text)
	assert.Contains(t, text, "a  2 runs from ")
	assert.Less(t, strings.Index(text, "worse  "), strings.Index(text, "better  "), "what got worse comes first")

	require.NoError(t, Comparison(&colour, []result.Result{goodRun(), goodRun()}, []result.Result{badRun()}, sampleComparison(), true))
	assert.Equal(t, text, escape.ReplaceAllString(colour.String(), ""))
}

func TestAComparisonThatTellsNothingSaysSo(t *testing.T) {
	t.Parallel()
	c := sampleComparison()
	for i := range c.Rows {
		c.Rows[i].Verdict, c.Rows[i].Reason = result.Incomparable, "a run is too short"
	}
	var b bytes.Buffer
	require.NoError(t, Comparison(&b, []result.Result{goodRun()}, []result.Result{goodRun()}, c, false))
	assert.True(t, strings.HasPrefix(b.String(), "CANNOT TELL  8 figures: 0 worse, 0 better, 0 unchanged, 8 not comparable"), b.String())
	assert.Contains(t, b.String(), "a run is too short: cash-out p50, cash-out p99, webhook from acceptance p99\n  and 5 more\n")
}

func TestComparisonPage(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	require.NoError(t, ComparisonHTML(&b, []result.Result{goodRun(), goodRun()}, []result.Result{badRun()}, sampleComparison()))
	page := b.String()
	assert.Contains(t, page, "the rates differ")
	assert.Contains(t, page, "refund p99")
	assert.Equal(t, 5, strings.Count(page, `<svg class="plot `), "one drawing for each operation that both have")
	assert.NotContains(t, page, "<script")

	b.Reset()
	require.NoError(t, ComparisonHTML(&b, []result.Result{goodRun()}, []result.Result{emptyRun()}, result.Comparison{}))
	assert.NotContains(t, b.String(), "<svg", "nothing in common")
	assert.Contains(t, b.String(), "cannot tell")
}
