package pix

import (
	"errors"
	"fmt"
	"time"
)

// Period is the time that a list covers: from From on and before Before.
type Period struct{ From, Before time.Time }

// Spans of the transaction lists, in days ("Limits": date interval).
const (
	MaxSpan = 31 // the longest period, and that of the account's list where no start is given
	KeySpan = 30 // that of the list by key where no start is given
)

// NewPeriod is the period between two bounds. A missing end is now; a missing start is
// as many days before the end as span says. A period of more than MaxSpan days, and a
// start after an end that was given, are a *Refusal; a start to come is a period in which
// nothing lies. Whole days are counted by the calendar: the
// first of March is 31 days from the first of April, whatever the hours.
func NewPeriod(start, end Bound, span int, now time.Time) (Period, error) {
	if err := checkOrder(start, end); err != nil {
		return Period{}, err
	}
	if !end.Given() {
		end = Bound{at: now, given: true}
	}
	if !start.Given() {
		start = end.daysBefore(span)
	}
	if longerThan(MaxSpan, start, end) {
		return Period{}, Refuse(CodeValidation, fmt.Sprintf("startDate must be at most %d days before endDate, got %s and %s", MaxSpan, start, end))
	}
	return Period{start.from(), end.before()}, nil
}

// OpenPeriod is the period between two bounds, of any length; without one of them it is
// open on that side. A start after its end is a *Refusal.
func OpenPeriod(start, end Bound) (Period, error) {
	period := Period{Before: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)}
	if start.Given() {
		period.From = start.from()
	}
	if end.Given() {
		period.Before = end.before()
	}
	return period, checkOrder(start, end)
}

func checkOrder(start, end Bound) error {
	if start.Given() && end.Given() && !start.from().Before(end.before()) {
		return Refuse(CodeValidation, fmt.Sprintf("startDate must not be after endDate, got %s and %s", start, end))
	}
	return nil
}

// longerThan compares instants, or dates where either bound is one.
func longerThan(days int, start, end Bound) bool {
	if start.wholeDay || end.wholeDay {
		return start.plusDays(days).Before(end.plusDays(0))
	}
	return end.at.Sub(start.at) > time.Duration(days)*24*time.Hour
}

// Bound is one end of a period, an instant or a whole day in São Paulo. The zero Bound
// is one that was not given.
type Bound struct {
	at       time.Time // of a whole day its midnight
	wholeDay bool
	given    bool
}

// ErrBound is what ParseBound answers to anything else.
var ErrBound = errors.New("expected an ISO 8601 date such as 2026-03-01, or a date-time with its zone such as 2026-03-01T12:00:00Z")

// boundFormats are the forms of ISO 8601 that are read beside a date; seconds may have
// a fraction.
var boundFormats = [...]string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05Z0700"}

// ParseBound reads an ISO 8601 date, or date-time with its zone.
func ParseBound(text string) (Bound, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return Bound{startOfDay(day.Date()), true, true}, nil
	}
	for _, format := range boundFormats {
		if at, err := time.Parse(format, text); err == nil {
			return Bound{at: at, given: true}, nil
		}
	}
	return Bound{}, ErrBound
}

// Given says whether there is a bound.
func (b Bound) Given() bool { return b.given }

// String is the bound as a client may write it.
func (b Bound) String() string {
	if b.wholeDay {
		return b.at.Format(time.DateOnly)
	}
	return Timestamp(b.at)
}

// from is the first instant of a period that starts here.
func (b Bound) from() time.Time { return b.at }

// before is the first instant after a period that ends here. An end is part of its
// period: the whole day, or the whole millisecond, since clients see no finer time.
func (b Bound) before() time.Time {
	if b.wholeDay {
		return b.plusDays(1)
	}
	return b.at.Truncate(time.Millisecond).Add(time.Millisecond)
}

func (b Bound) daysBefore(days int) Bound {
	if b.wholeDay {
		b.at = b.plusDays(-days)
	} else {
		b.at = b.at.Add(-time.Duration(days) * 24 * time.Hour)
	}
	return b
}

// plusDays is the first instant of the day that is so many days after the bound's.
func (b Bound) plusDays(days int) time.Time {
	year, month, day := b.at.In(saoPaulo).Date()
	return startOfDay(year, month, day+days)
}
