package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/verdict"
)

// What a target handles differently each time differs between any two runs, and is no difference between them.
func TestWhatVariesIsNoDifference(t *testing.T) {
	t.Parallel()
	run := func(values ...string) *verdict.Run {
		run := &verdict.Run{OpenPoints: []verdict.OpenPoint{{Name: "p", Question: "Which order?"}}}
		for i, v := range values {
			run.Scenarios = append(run.Scenarios, verdict.Scenario{Rule: "a.b", Name: string(rune('a' + i)), Observations: []verdict.Observed{{Point: "p", Value: v}}})
		}
		return run
	}
	for _, c := range []struct {
		before, now *verdict.Run
		differs     bool
	}{
		{run("400", "409"), run("409", "409"), false},
		{run("409", "409"), run("400", "409"), false},
		{run("400", "409"), run("409", "422"), false},
		{run("400", "409"), run("500", "500"), true},
		{run("400", "400"), run("409", "409"), true},
		{run("400"), run("400"), false},
	} {
		assert.Equal(t, c.differs, len(observationsOf(c.before, c.now)) > 0)
	}
}
