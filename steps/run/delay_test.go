package run

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A request that was sent again because the target was busy, as the specification allows, is shown, but
// fails nothing with --strict.
func TestDelaysAreShown(t *testing.T) {
	t.Parallel()
	j := judge.New("med.list", nil, &record.Terms{})
	j.Add(record.Entry{Role: record.Throttled, Exchange: &exchange.Exchange{Party: exchange.API, Operation: "MED list request", Status: 429}})
	s := verdict.Scenario{Verdict: verdict.Pass}
	complete(&s, j, false)
	require.Len(t, s.Warnings, 1)
	assert.Equal(t, "429 1 time; accepted later", s.Warnings[0].Got)
	assert.Equal(t, verdict.Pass, s.Strictly().Verdict)
}
