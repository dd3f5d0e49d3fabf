package explore

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/model"
)

// Of several bodies, the one is sent whose fields never stood together: as many requests combine more.
func TestRequestsCombineWhatNeverStoodTogether(t *testing.T) {
	t.Parallel()
	begin := model.Play([]model.Step{{ID: 1, Move: move(t, "", "opens as"), Way: "an account with exactly R$ 100.00"}})
	wrong := move(t, "cash-in", "is sent in a mixed body against cash-in.payer")
	combined := func(after func(g *guide, step model.Step) *model.Walk) int {
		g := newGuide(rand.New(rand.NewPCG(1, 1)), nil)
		for range 60 {
			step := model.Step{ID: 2, Move: wrong, Draws: model.Draw(g.random)}
			if w := after(g, step); w != nil {
				g.count(w)
			}
		}
		return len(g.combined)
	}
	drawn := combined(func(_ *guide, step model.Step) *model.Walk { return begin.After(step) })
	novel := combined(func(g *guide, step model.Step) *model.Walk { return g.novel(begin, step) })
	require.Greater(t, novel, drawn*5/4)
}
