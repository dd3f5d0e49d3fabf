package mutants

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var partialTimeMutants = []partialRow{
	{"forgets the night limit after midnight", Time, "OUT-086",
		accepting(cashOut, all(refusedAs(api.AboveNight), atTime(func(t time.Time) bool { return hour(t) < 6 })), set("value", `0.01`)),
		`limits night=100.00; clock 2026-03-10T04:00:00Z; token; out 150.00 =400`},
	{"has no night limit on Sundays", Time, "OUT-087",
		accepting(cashOut, all(refusedAs(api.AboveNight), atTime(func(t time.Time) bool { return t.In(saoPaulo).Weekday() == time.Sunday })), set("value", `0.01`)),
		`limits night=100.00; clock 2026-03-01T23:30:00Z; token; out 150.00 =400`},
	{"applies the night limit all day on Saturdays", Time, "OUT-088",
		applyingNightLimit(func(t time.Time) bool { return t.In(saoPaulo).Weekday() == time.Saturday }),
		`limits night=100.00; clock 2026-02-28T15:00:00Z; token; out 150.00`},
	{"ends the night an hour late because it compares hour <= 6", Time, "OUT-089",
		applyingNightLimit(func(t time.Time) bool { return hour(t) == 6 }),
		`limits night=100.00; clock 2026-03-10T09:30:00Z; token; out 150.00`},
	{"keys the daily total by day of the month", Time, "OUT-085",
		spent(`1`, alsoSpent(`date(NEW.day, '+1 month')`)),
		`limits daily=100.00; clock 2026-01-15T15:00:00Z; token; out 80.00; clock 2026-02-15T15:00:00Z; token; out 80.00`},
	{"takes 31 days as one calendar month, so that 30 days over February are too long", Time, "LTX-024",
		refusing(transactions, func(c *call, _ *answer) bool {
			start, end := c.askedDate("startDate"), c.askedDate("endDate")
			return !start.IsZero() && end.After(start.AddDate(0, 1, 0))
		}, 400, api.HTTPError),
		`list startDate=2026-02-01 endDate=2026-03-03`},
	{"subtracts days of the year, so that an interval over New Year is never too long", Time, "LPK-031",
		accepting(ofKey, all(askedAcross(31), func(c *call, _ *answer) bool {
			return c.askedDate("endDate").YearDay()-c.askedDate("startDate").YearDay() <= 31
		}), asking(func(q url.Values) {
			if end, err := time.Parse(time.DateOnly, q.Get("endDate")[:min(10, len(q.Get("endDate")))]); err == nil {
				q.Set("startDate", end.AddDate(0, 0, -30).Format(time.DateOnly))
				q.Set("endDate", end.Format(time.DateOnly))
			}
		})),
		`bykey ana@example.com startDate=2026-12-15 endDate=2027-01-20 =400`},
	{"refuses February 29 of a leap year", Time, "LTX-012",
		refusing(transactions, either(asked("startDate", `-02-29`), asked("endDate", `-02-29`)), 400, api.HTTPError),
		`clock 2028-03-10T12:00:00Z; token; list startDate=2028-02-29 endDate=2028-03-05`},
	{"accepts February 29 of a common year", Time, "MED-012",
		accepting(meds, either(asked("startDate", `-02-29`), asked("endDate", `-02-29`)), eachAsked(func(s string) string { return strings.Replace(s, "-02-29", "-03-01", 1) })),
		`meds startDate=2027-02-29 =400`},
	{"accepts hour 25 in a date filter", Time, "LTX-023",
		accepting(transactions, either(asked("startDate", `T25:`), asked("endDate", `T25:`)), eachAsked(func(s string) string { return strings.Replace(s, "T25:", "T23:", 1) })),
		`list startDate=2026-03-01T25:00:00Z =400`},
	{"starts the default window one calendar month back", Time, "LTX-007",
		misreadingBy(transactions, sinceTheMonthBefore),
		`clock 2026-02-10T12:00:00Z; token; out 10.00; clock 2026-03-12T12:00:00Z; token; list`},
	{"refuses refunds of a PIX received in the year before", Time, "DEV-042",
		refusing(devolution, receivedLastYear, 422, ""),
		`clock 2026-12-20T12:00:00Z; token; cob 10.00 as c; pay $c.code as p; clock 2027-01-05T12:00:00Z; token; refund $p.e2e 1.00`},
	{"compares only the time of day at expiry, so that a charge that runs past midnight UTC is expired at once", Time, "COB-058",
		triggering(`AFTER INSERT ON charges`, `NEW.kind = 'cob' AND NEW.expires_at % 86400000000 < NEW.created_at % 86400000000`, `UPDATE charges SET expires_at = created_at WHERE id = NEW.id`),
		`clock 2026-03-10T23:30:00Z; token; cob 10.00 calendario.expiracao=3600 as c; clock +15m; pay $c.code`},
	{"keeps the old year in expirationDate on December 31", Time, "IN-024",
		answering(cashIn, all(accepted, told("generateTime", `-12-31T`), told("expirationDate", `-01-0`)), retold("expirationDate", retime(func(t time.Time) string { return t.AddDate(-1, 0, 0).Format(isoTime) }))),
		`clock 2026-12-31T12:00:00Z; token; in 10.00`},
	{"refuses tokens with less than 30 seconds to live on the money-moving Central-Bank routes", Time, "TOK-023",
		refusing(group{transfer, devolution}, func(c *call, _ *answer) bool {
			age := c.now().Sub(c.issuedAt())
			return age > api.TokenLifetime-30*time.Second && age < api.TokenLifetime
		}, 401, ""),
		`clock +1780s; transfer 10.00`},
	{"hands out a live token again with what is left of its life", Time, "TOK-021",
		changing(token, handingOutAgain),
		`token; clock +100s; token`},
	{"prolongs a token with each balance request", Time, "AUTH-014",
		renewingAt(underTokens, prolonged, func(time.Time, time.Time) bool { return true }),
		`clock +1700s; balance; clock +400s; balance =401`},
	{"accepts an expired token after midnight because it compares the time of day", Time, "AUTH-041",
		renewingAt(transactions, always, func(now, expiry time.Time) bool {
			issued := timeOfDay(expiry.Add(-api.TokenLifetime))
			return timeOfDay(now) < issued+api.TokenLifetime
		}),
		`clock 2026-03-10T23:45:00Z; token; clock +45m; list =401`},
	{"stops the queue clock on weekends", Time, "DICT-031",
		neverExpiring(`strftime('%w', p.created_at / 1000000 - 10800, 'unixepoch') IN ('0', '6')`),
		`clock 2026-03-07T15:00:00Z; token; manual; transfer 10.00 expiration=60 as a; clock +5m; settle $a.id =409`},
	{"gives no default expiration to NORM transfers made at night", Time, "DICT-030",
		neverExpiring(`NEW.priority <> 'HIGH' AND NEW.expires_at - p.created_at = 600000000 AND CAST(strftime('%H', p.created_at / 1000000 - 10800, 'unixepoch') AS INTEGER) NOT BETWEEN 6 AND 19`),
		`clock 2026-03-10T03:00:00Z; token; manual; transfer 10.00 priority=NORM as a; clock +11m; settle $a.id =409`},
	{"takes an expiration above one hour as minutes", Time, "DICT-028",
		both(
			triggering(`AFTER INSERT ON transfers`, `EXISTS (SELECT 1 FROM payments p WHERE p.id = NEW.payment_id AND NEW.expires_at - p.created_at > 3600000000)`,
				`UPDATE transfers SET expires_at = (SELECT p.created_at FROM payments p WHERE p.id = NEW.payment_id) + 60 * (expires_at - (SELECT p.created_at FROM payments p WHERE p.id = NEW.payment_id)) WHERE payment_id = NEW.payment_id`),
			triggering(`BEFORE INSERT ON jobs`, `NEW.kind = 'expire' AND EXISTS (SELECT 1 FROM transfers f JOIN payments p ON p.id = f.payment_id WHERE p.id = NEW.payment_id AND f.expires_at - p.created_at > 3600000000)`, `SELECT RAISE(IGNORE)`)),
		`manual; transfer 10.00 expiration=7200 as a; clock +125m; token; settle $a.id =409`},
	{"writes the week-year in generateTime at the end of December", Time, "OUT-056",
		answering(cashOut, accepted, retold("generateTime", retime(func(t time.Time) string {
			weekYear := t.AddDate(0, 0, int(time.Saturday-t.Weekday())).Year() // a week belongs to the year of its last day
			return strconv.Itoa(weekYear) + t.Format(isoTime)[4:]
		}))),
		`clock 2026-12-30T12:00:00Z; token; out 10.00`},
	{"writes createdAt with a clock of 12 hours", Time, "GEN-005",
		answering(ofKey, accepted, retold("data[].createdAt", retime(func(t time.Time) string { return t.Format("2006-01-02T03:04:05.000Z") }))),
		`out 10.00 details.key=ana@example.com; bykey ana@example.com`},
	{"ignores the time part of startDate", Time, "MED-010",
		misreading(meds, asked("startDate", `^\d{4}-\d\d-\d\dT`), asking(func(q url.Values) { q.Set("startDate", q.Get("startDate")[:10]) })),
		`med E0000000020260303150000000000001; meds startDate=2026-03-03T16:00:00Z`},
	{"ignores the offset of a date-time filter", Time, "LTX-013",
		misreading(transactions, either(asked("startDate", withOffset), asked("endDate", withOffset)), eachAsked(func(s string) string { return regexp.MustCompile(withOffset).ReplaceAllString(s, "${1}Z") })),
		`out 10.00; list startDate=2026-03-03T14:00:00-03:00`},
	{"ends the default window at the last midnight in the first hour of a month", Time, "LTX-008",
		misreadingBy(transactions, endingAtMidnight),
		`clock 2026-04-01T00:20:00Z; token; out 10.00; list`},
	{"compares dates as dd/mm text, so that an interval over New Year is empty", Time, "LPK-026",
		relisting(ofKey, overNewYear, func(*call, server) []any { return nil }),
		`clock 2026-12-31T12:00:00Z; token; out 10.00 details.key=ana@example.com; clock 2027-01-02T12:00:00Z; token; bykey ana@example.com startDate=2026-12-30 endDate=2027-01-02`},
	{"issues tokens dated by the server's own clock, dead on arrival when the account's clock runs ahead", Time, "TOK-025",
		remembering(group(append(group{token}, underTokens...)), deadOnArrival),
		`clock 2030-01-01T12:00:00Z; token; balance`},
	{"counts months of 31 days, so that a refund 92 days after receipt passes", Time, "DEV-044",
		takingRefund(all(was(422), wellFormedRefund, func(c *call, _ *answer) bool {
			id := c.parameter("e2eid") // which has the time in it
			at, err := time.Parse("200601021504", id[min(9, len(id)):min(21, len(id))])
			return err == nil && c.now().Sub(at) < 93*24*time.Hour
		})),
		`clock 2026-02-01T12:00:00Z; token; cob 10.00 as c; pay $c.code as p; clock 2026-05-04T12:00:00Z; token; refund $p.e2e 1.00 =422`},
}

// withOffset is a time with one.
const withOffset = `(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?)[+-]\d\d:\d\d$`

// atTime holds at times of the account that are such.
func atTime(such func(time.Time) bool) condition {
	return func(c *call, _ *answer) bool {
		now := c.now()
		return !now.IsZero() && such(now)
	}
}

// timeOfDay is how much of a day in UTC is over.
func timeOfDay(t time.Time) time.Duration { return t.Sub(t.UTC().Truncate(24 * time.Hour)) }

// applyingNightLimit holds payments to the night limit at times that are such.
func applyingNightLimit(at func(time.Time) bool) fault {
	night := &setting{path: "night"}
	return both(night.noted(limits), refusing(cashOut, func(c *call, a *answer) bool {
		limit, limited := night.centavos(c)
		return limited && sentAmount(c, "value") > limit && atTime(at)(c, a)
	}, 400, api.AboveNight))
}

// eachAsked changes the dates of a query.
func eachAsked(change func(string) string) edit {
	return asking(func(q url.Values) {
		for _, name := range []string{"startDate", "endDate"} {
			if q.Has(name) {
				q.Set(name, change(q.Get(name)))
			}
		}
	})
}

// prolonged holds for a call, renewed, whose own token has read a balance less than its lifetime ago.
func prolonged(c *call, _ *answer) bool {
	last := c.lastBefore(balances, taken, func(now *call, then *entry) bool {
		return then.call.header.Get("Authorization") == now.original.Header.Get("Authorization")
	})
	if last == nil {
		return false
	}
	at, err := time.Parse(time.RFC3339, textAt(last.answer.body, "data[0].eventDate"))
	return err == nil && c.now().Sub(at) < api.TokenLifetime
}

// handingOutAgain answers a token request with the client's last token while that lives.
func handingOutAgain(c *call, pass server) *answer {
	a := pass(c)
	then := c.lastBefore(token, byTheSame, taken, sameHeader(certificateHeader))
	if then == nil || !a.succeeded() {
		return a
	}
	last := c.edited(bearer(tokenOf(then)))
	now := last.now()
	left := api.TokenLifetime - now.Sub(last.issuedAt())
	if now.IsZero() || left <= 0 {
		return a
	}
	return a.edited(set("access_token", string(encode(tokenOf(then)))), set("expires_in", strconv.Itoa(int((left+time.Second/2)/time.Second))))
}

// endingAtMidnight is the window of a list for which no dates are asked, in the first hour of a month.
func endingAtMidnight(c *call) []edit {
	if c.asked("startDate")+c.asked("endDate") != "" {
		return nil
	}
	now := c.now().UTC()
	if now.Day() != 1 || now.Hour() != 0 {
		return nil
	}
	midnight := now.Truncate(24 * time.Hour)
	return []edit{ask("startDate", midnight.AddDate(0, 0, -30).Format(time.RFC3339)), ask("endDate", midnight.Add(-time.Millisecond).Format(isoTime))}
}

// deadOnArrival ends tokens half an hour after they were issued by the real time, if the account's is ahead of it.
func deadOnArrival() change {
	var issued sync.Map // in real time, by token
	return func(c *call, pass server) *answer {
		a := pass(c)
		if c.endpoint == token {
			issued.Store(textAt(a.body, "access_token"), time.Now())
			return a
		}
		at, known := issued.Load(tokenUnder(c))
		if !known || c.issuedAt().Sub(at.(time.Time)) < time.Minute || !c.now().After(at.(time.Time).Add(api.TokenLifetime)) {
			return a
		}
		return refusal(c, 401, api.HTTPError)
	}
}
