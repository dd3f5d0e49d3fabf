package pix

import (
	"fmt"
	"time"
	_ "time/tzdata" // days and nights are those of São Paulo wherever the gateway runs
)

// Limits bound the payments that leave an account. A nil limit is lifted. Amounts
// count without their fees.
type Limits struct {
	PerTransaction *Centavos
	Daily          *Centavos // sum of a day's payments; what ends as ERROR is given back
	Night          *Centavos // of one payment at night; see IsNight

	RequestsPerMinute *int // of the resend and of the MED list, each by itself
}

// DefaultLimits are the limits of a new account.
func DefaultLimits() Limits {
	perTransaction, daily, night, requests := Centavos(15_000_00), Centavos(100_000_00), Centavos(1_000_00), 60
	return Limits{&perTransaction, &daily, &night, &requests}
}

// Check judges a payment by the limit of a payment, then that of the night, then that
// of the day; at is the account's time and spent what the account has paid already on
// that day. An amount equal to a limit is within it.
func (l Limits) Check(amount, spent Centavos, at time.Time) error {
	checks := [...]struct {
		limit   *Centavos
		applies bool
		amount  Centavos
		code    string
		what    string
	}{
		{l.PerTransaction, true, amount, CodeTransactionLimit, "a payment is limited to"},
		{l.Night, IsNight(at), amount, CodeNightLimit, "a payment " + nightHours + " is limited to"},
		{l.Daily, true, spent + amount, CodeDailyLimit, "the payments of a day are limited to"},
	}
	for _, c := range checks {
		if c.limit != nil && c.applies && c.amount > *c.limit {
			return Refuse(c.code, fmt.Sprintf("%s %s, got %s", c.what, *c.limit, c.amount))
		}
	}
	return nil
}

// The night's first hour and the day's, in São Paulo.
const (
	NightStarts = 20
	NightEnds   = 6
)

var nightHours = fmt.Sprintf("between %02d:00 and %02d:00", NightStarts, NightEnds)

var saoPaulo = mustLoad("America/Sao_Paulo")

// IsNight says whether the reduced limit applies: from the night's first hour on and before the day's.
func IsNight(at time.Time) bool {
	hour := at.In(saoPaulo).Hour()
	return hour >= NightStarts || hour < NightEnds
}

// Day is the date in São Paulo, "2026-03-01".
func Day(at time.Time) string { return at.In(saoPaulo).Format(time.DateOnly) }

// startOfDay is the first instant of a day in São Paulo. Where daylight saving time begins, as
// until 2018, that is 01:00: there is no midnight.
func startOfDay(year int, month time.Month, day int) time.Time {
	midnight := time.Date(year, month, day, 0, 0, 0, 0, saoPaulo)
	if midnight.Hour() > 12 { // the day before, in its own zone
		_, midnight = midnight.ZoneBounds()
	}
	return midnight
}

func mustLoad(zone string) *time.Location {
	location, err := time.LoadLocation(zone)
	if err != nil {
		panic(err) // the zone is embedded above
	}
	return location
}
