package model

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/spec"
)

// pass lets what waits expire, as far as it may while a walk at a slow gateway goes on. Its money may come back, and its fee
// may be taken only now.
func (g *Gateway) pass(by time.Duration) {
	g.Time.Elapsed += by
	before := g.state.Things()
	g.become(g.state.Pass(spec.Interval{Most: mostWalk}).Move(int(language.TheAccount), spec.Interval{Least: by, Most: by}), nil)
	for i, t := range g.state.Things() {
		changed := !slices.Equal(t.Moves(), before[i].Moves())
		g.the().mayMove(changed, changed && g.Fees.MostOut > 0)
	}
	g.the().newDay(by > day)
}

// hasListed reports whether an account has something that its list of transactions surely shows.
func (g *Gateway) hasListed(who language.Account) bool {
	return g.Time.Elapsed < month && slices.ContainsFunc(g.Things, func(t Thing) bool {
		return t.Account == who && slices.Contains([]string{"cash-out", "QR cash-out", "cash-in", "split cash-in"}, t.Noun)
	})
}
