package plan

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A control is suspected if almost all that fails calls it, and most of what runs does not.
func TestSuspect(t *testing.T) {
	t.Parallel()
	all, err := Make(everything(t), Offer{Controls: controls(target.AllControls...)})
	require.NoError(t, err)
	failing := func(most int, of func(*Scenario) bool) map[*Scenario]bool {
		fails := map[*Scenario]bool{}
		for _, s := range all {
			if len(fails) < most && s.Runs() && of(s) {
				fails[s] = true
			}
		}
		return fails
	}
	calls := func(c target.Control) func(*Scenario) bool {
		return func(s *Scenario) bool { return s.Calls(c) }
	}
	harmless := func(s *Scenario) bool { return s.Harmless }
	for name, c := range map[string]struct {
		fails map[*Scenario]bool
		extra int // failing scenarios that call no control
		proof []target.Control
		want  *verdict.Suspect
	}{
		"none":                     {failing(0, harmless), 0, nil, nil},
		"too few":                  {failing(7, calls(target.Directory)), 0, nil, nil},
		"all call it":              {failing(40, calls(target.Directory)), 0, nil, &verdict.Suspect{Control: "directory", Failing: 40, Of: 40}},
		"most callers pass":        {failing(20, calls(target.Directory)), 0, nil, nil},
		"all call it, which works": {failing(40, calls(target.Directory)), 0, []target.Control{target.Directory}, nil},
		"almost all":               {failing(40, calls(target.LimitsControl)), 2, nil, &verdict.Suspect{Control: "limits", Failing: 40, Of: 42}},
		"too many without it":      {failing(40, calls(target.LimitsControl)), 3, nil, nil},
		"nothing in common":        {failing(40, harmless), 0, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			without := failing(c.extra, harmless)
			assert.Equal(t, c.want, Suspect(all, c.proof, func(s *Scenario) bool { return c.fails[s] || without[s] }))
		})
	}
}
