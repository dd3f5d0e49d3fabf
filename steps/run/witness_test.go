package run

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/fake"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/target"
)

// What could not be carried out again is no sign of a control without effect.
func TestWitnessesWithoutTimeShowNothing(t *testing.T) {
	t.Parallel()
	over, cancel := context.WithCancel(t.Context())
	options := Options{Target: fake.New(t).Profile(), Rules: []string{"balance.available"}}
	of, err := prepare(t.Context(), options)
	require.NoError(t, err)
	defer of.close()
	r := &recheck{run: of, planned: map[string]*plan.Scenario{}}
	cancel()
	require.Empty(t, r.hasNoEffect(over, target.LimitsControl, nil))
	require.NotEmpty(t, r.plan(witnesses[target.LimitsControl][0]))
	of.distrusted[target.LimitsControl] = "it does nothing"
	require.Empty(t, r.plan(witnesses[target.LimitsControl][0]))
}

func TestWitnessesExist(t *testing.T) {
	t.Parallel()
	all, err := embeddedFeatures()
	require.NoError(t, err)
	exists := map[string]bool{}
	for s := range all.Scenarios() {
		exists[s.ID()] = true
	}
	for control, groups := range witnesses {
		for _, id := range slices.Concat(groups...) {
			assert.True(t, exists[id], "%s: there is no scenario %q", control, id)
		}
	}
}
