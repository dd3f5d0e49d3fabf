package model

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/spec"
)

const (
	day = 24 * time.Hour

	mostWalk = 5 * time.Minute // that a walk takes at a slow gateway

	// Lists by key surely go back so far by default, and lists of transactions a day more, even if a gateway counts dates.
	month  = api.SinceByKey - day - mostWalk
	window = api.SinceByDefault - day - mostWalk
)

// Clock is the account's time.
type Clock struct {
	Known   bool          // it was set
	Dated   bool          // to a date
	Began   time.Duration // of the day, when the walk began
	Elapsed time.Duration // since then, as moved
}

// set sets the time of day, of a date that is years away or of the present one.
func (c *Clock) set(began time.Duration, dated bool) { c.Known, c.Began, c.Dated = true, began, dated }

// isMoved reports whether it may not be the time that others have.
func (c *Clock) isMoved() bool { return c.Known || c.Elapsed > 0 }

// until is how long it is until a time of day.
func (c *Clock) until(of time.Duration) time.Duration {
	return (of - (c.Began+c.Elapsed)%day + day) % day
}

// between reports whether it surely is between two times of the day in São Paulo.
func (c *Clock) between(from, to time.Duration) bool {
	now := (c.Began + c.Elapsed) % day
	return c.Known && now >= from && now+mostWalk <= to
}

// atNight says whether it is night while a walk at a slow gateway goes on.
func (c *Clock) atNight() spec.Done {
	if !c.Known {
		return spec.MayBeDone
	}
	now := (c.Began + c.Elapsed) % day
	return spec.AtNight(now, now+mostWalk)
}

// isOneDay reports whether no day ends soon, of either zone: that of UTC ends at 21:00 in São Paulo.
func (c *Clock) isOneDay() bool {
	return c.between(0, day+api.SãoPaulo) || c.between(day+api.SãoPaulo, day)
}

// pass lets what waits expire, as far as it may while a walk at a slow gateway goes on.
func (g *Gateway) pass(by time.Duration) {
	g.Time.Elapsed += by
	g.step(g.state.Pass(spec.Interval{Most: mostWalk}).Move(int(language.TheAccount), spec.Interval{Least: by, Most: by}), nil)
	g.the().Spent = spec.CountedLater(g.the().Spent, by)
}

// hasListed reports whether an account has something that its list of transactions surely shows.
func (g *Gateway) hasListed(who language.Account) bool {
	return g.Time.Elapsed < month && slices.ContainsFunc(g.Things, func(t Thing) bool {
		return t.Account == who && slices.Contains([]string{"cash-out", "QR cash-out", "cash-in", "split cash-in"}, t.Noun)
	})
}
