package catalogue

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A smaller scenario lacks steps or rows, and still states an outcome.
func TestSmallerScenarios(t *testing.T) {
	t.Parallel()
	given := Step{Type: Context, Text: "g"}
	when := Step{Type: Action, Text: "w", Table: [][]string{{"a"}, {"b"}}}
	then := Step{Type: Outcome, Text: "t"}
	cut := when
	cut.Table = [][]string{{"b"}}
	other := when
	other.Table = [][]string{{"a"}}
	assert.Equal(t, [][]Step{
		{given, then}, {when, then}, {given, cut, then}, {given, other, then},
	}, Smaller([]Step{given, when, then}))
	assert.Empty(t, Smaller([]Step{then}))
}
