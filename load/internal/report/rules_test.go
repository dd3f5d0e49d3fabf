package report

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/load/internal/result"
)

func TestSkippedQuestionsAreReportedWithTheMissingControls(t *testing.T) {
	t.Parallel()
	r := goodRun()
	r.Rules = []result.Rule{
		{Name: "repeat", Says: "a repeat is not another payment", Asked: 7},
		{Name: "daily limit", Says: "a day is limited", Missing: []string{"limits", "clock"}},
		{Name: "night limit", Says: "a night is limited", Missing: []string{"clock"}},
	}
	assert.Contains(t, terminalText(t, r), "questions skipped: daily limit, night limit; missing controls: clock, limits\n")
	page := pageText(t, r)
	assert.Contains(t, page, "a day is limited; skipped: missing controls limits, clock")
	assert.Contains(t, page, "a night is limited; skipped: missing controls clock")

	r.Rules = r.Rules[:1]
	assert.NotContains(t, terminalText(t, r)+pageText(t, r), "skipped")
}
