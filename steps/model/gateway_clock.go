package model

import (
	"time"

	"github.com/pixcert/pixcert/steps/api"
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

// Whether a night is one of São Paulo or of UTC is unspecified: it is surely night where both agree.
func (c *Clock) isNight() bool {
	return c.between(api.NightBegins, day) || c.between(0, api.NightEnds+api.SãoPaulo)
}

func (c *Clock) isDay() bool { return c.between(api.NightEnds, api.NightBegins+api.SãoPaulo) }

// isOneDay reports whether no day ends soon, of either zone: that of UTC ends at 21:00 in São Paulo.
func (c *Clock) isOneDay() bool {
	return c.between(0, day+api.SãoPaulo) || c.between(day+api.SãoPaulo, day)
}
