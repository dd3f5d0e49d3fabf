package verdict

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
)

func TestIndexOf(t *testing.T) {
	t.Parallel()
	sent := time.Date(2026, 3, 1, 14, 30, 0, 0, time.UTC)
	first := exchange.Exchange{Method: "GET", URL: "/a", Sent: sent}
	later := exchange.Exchange{Method: "GET", URL: "/a", Sent: sent.Add(time.Millisecond)}
	s := Scenario{Exchanges: []exchange.Exchange{first, later}}
	assert.Equal(t, 1, s.IndexOf(later))
	assert.Equal(t, -1, s.IndexOf(exchange.Exchange{Method: "PUT", URL: "/a", Sent: sent}))
}

func TestFindingAt(t *testing.T) {
	t.Parallel()
	f := Finding{Got: "201", Exchange: 3}
	assert.Equal(t, &Finding{Got: "201", Exchange: 1}, f.At(1))
	assert.Equal(t, 3, f.Exchange)
}

func TestOutcomeAsAVerdict(t *testing.T) {
	t.Parallel()
	for outcome, want := range map[Outcome]Verdict{Conforms: Pass, DoesNotConform: Fail, Incomplete: CouldNotTest, EndedEarly: NotRun} {
		assert.Equal(t, want, outcome.Verdict(), outcome)
	}
}

func TestMarksDiffer(t *testing.T) {
	t.Parallel()
	seen := map[string]Verdict{"·": ""} // a step that was not reached
	assert.Equal(t, "·", Verdict("").Mark())
	for _, v := range BySeverity {
		assert.NotContains(t, seen, v.Mark(), v)
		seen[v.Mark()] = v
	}
}
