package run

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWitnessesExist(t *testing.T) {
	t.Parallel()
	all, err := embeddedFeatures()
	require.NoError(t, err)
	exists := map[string]bool{}
	for s := range all.Scenarios() {
		exists[s.ID()] = true
	}
	for control, ids := range witnesses {
		for _, id := range ids {
			assert.True(t, exists[id], "%s: there is no scenario %q", control, id)
		}
	}
}
