package mutants

import (
	"fmt"

	"github.com/pixcert/pixcert/reference/pix"
	"github.com/pixcert/pixcert/steps/api"
)

var deepLimitMutants = []deepRow{
	{"forgets what was paid today when the daily limit changes", Calendar, "OUT-085", "cash-out.daily-limit",
		triggering(`AFTER UPDATE OF limit_daily ON accounts`, `NEW.limit_daily IS NOT OLD.limit_daily`, `UPDATE daily_totals SET spent = 0 WHERE account_id = NEW.id`),
		`limits daily=100.00; out 60.00; limits daily=80.00; out 30.00 =400`},
	{"forgets what was paid today when the bank rejects a payment", History, "OUT-085", "cash-out.daily-limit",
		triggering(`AFTER UPDATE OF status ON payments`, `NEW.status = 'ERROR' AND NEW.kind = 'cash-out'`, `UPDATE daily_totals SET spent = 0 WHERE account_id = NEW.account_id`),
		`manual; limits daily=100.00; out 60.00; out 10.00 as b; settle $b.tid ORDER_REJECTED; out 50.00 =400`},
	{"counts to the day what it has refused for the daily limit", History, "OUT-085", "cash-out.daily-limit",
		refusing(cashOut, after(1, cashOut, byTheSame, answered(refusedAs(api.AboveDaily))), 400, api.AboveDaily),
		`limits daily=100.00; out 60.00; out 60.00 =400; out 10.00`},
	{"holds only the first payment of a night to the night limit", FirstElement, "OUT-087", "cash-out.night-limit",
		triggering(`AFTER INSERT ON payments`, fmt.Sprintf(`NEW.kind = 'cash-out' AND CAST(strftime('%%H', NEW.created_at / 1000000 - 10800, 'unixepoch') AS INTEGER) NOT BETWEEN %d AND %d`, pix.NightEnds, pix.NightStarts-1),
			`UPDATE accounts SET limit_night = NULL WHERE id = NEW.account_id`),
		`limits night=100.00; clock 2026-03-04T01:00:00Z; token; out 50.00; out 150.00 =400`},
	{"adds the payments of the same day of another month", Calendar, "OUT-085", "cash-out.daily-limit",
		spent(`1`, alsoSpent(`date(NEW.day, '+1 month')`)),
		`limits daily=100.00; out 60.00; clock +31d; token; out 60.00`},
	{"lowers the payment limit of every account with that of one", OtherPeople, "OUT-080", "cash-out.transaction-limit",
		triggering(`AFTER UPDATE OF limit_transaction ON accounts`, `1`,
			`UPDATE accounts SET limit_transaction = NEW.limit_transaction WHERE limit_transaction > NEW.limit_transaction`),
		`B.limits perTransaction=50.00; out 60.00`},
	{"does not lower the limit of a payment for an account that has paid", History, "OUT-081", "cash-out.transaction-limit",
		triggering(`AFTER UPDATE OF limit_transaction ON accounts`,
			`NEW.limit_transaction < OLD.limit_transaction AND EXISTS (SELECT 1 FROM payments p WHERE p.account_id = NEW.id AND p.kind = 'cash-out')`,
			`UPDATE accounts SET limit_transaction = OLD.limit_transaction WHERE id = NEW.id`),
		`out 10.00; limits perTransaction=50.00; out 60.00 =400`},
	{"does not count the first payment of a day", FirstElement, "OUT-085", "cash-out.daily-limit",
		triggering(`AFTER INSERT ON daily_totals`, `1`, `UPDATE daily_totals SET spent = 0 WHERE account_id = NEW.account_id AND day = NEW.day`),
		`limits daily=100.00; out 60.00; out 60.00 =400`},
	{"does not count pending payments to the daily limit", ShortWay, "OUT-085", "cash-out.daily-limit",
		both(spent(`1`, confirmedAlone), triggering(`AFTER UPDATE OF status ON payments`, `NEW.status = 'CONFIRMED'`, confirmedAlone)),
		`manual; limits daily=100.00; out 60.00; out 60.00 =400`},
	{"does not hold a payee who was paid before to the payment limit", Second, "OUT-080", "cash-out.transaction-limit",
		accepting(cashOut, all(overTransaction, after(1, cashOut, byTheSame, taken, same("details.key"))), set("value", `0.01`)),
		`limits perTransaction=50.00; out 10.00; out 60.00 =400`},
	{"counts the payments of yesterday on the first day of a month", Calendar, "OUT-085", "cash-out.daily-limit",
		spent(`date(NEW.day, '+1 day') LIKE '%-01'`, alsoSpent(`date(NEW.day, '+1 day')`)),
		`clock 2026-03-31T15:00:00Z; token; limits daily=100.00; out 60.00; clock +24h; token; out 60.00`},
}
