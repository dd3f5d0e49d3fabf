package model

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
)

// pass lets what waits expire. What becomes of a payment then, of its money, and of a cash-in, is left
// open; a cob is removed.
func (g *Gateway) pass(by time.Duration) {
	g.Time.Elapsed += by
	now, a := g.Time.Elapsed, g.the()
	for i := range g.Things {
		t := &g.Things[i]
		waits := t.Makes == api.Payment && t.State == api.Pending
		queued := waits && t.Noun == "transfer" && t.Lasts > 0
		switch {
		case t.Account != language.TheAccount:
		case queued && now < t.expires()-mostWalk: // it stays in the queue
		case waits:
			if t.State = overdue; queued && now >= t.expires()+api.ClockTolerance {
				t.State = expired
			}
			a.mayGetBack(t.Amount + t.Fee)
		case t.Makes != api.Charge || now < t.expires()-mostWalk:
		case t.State == api.Active && now >= t.expires()+api.ClockTolerance:
			t.State = api.RemovedByPSP
		case t.State == api.Active || t.State == api.Pending:
			t.State = Unknown
		}
	}
	if a.Unnamed > 0 {
		a.mayGetBack(a.Unnamed)
	}
	a.newDay(by > day)
}

// hasListed reports whether an account has something that its list of transactions surely shows.
func (g *Gateway) hasListed(who language.Account) bool {
	return g.Time.Elapsed < month && slices.ContainsFunc(g.Things, func(t Thing) bool {
		return t.Account == who && slices.Contains([]string{"cash-out", "QR cash-out", "cash-in", "split cash-in"}, t.Noun)
	})
}
