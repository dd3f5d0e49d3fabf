package mutants

var deepBalanceMutants = []deepRow{
	{"overflows above R$ 21,474,836.47", BenignData, "BAL-008", "balance.answer",
		answeringBy(balances, overflowing),
		`fund 30000000.00; balance`},
	{"loses a centavo after ten payments with centavos", Sums, "BAL-016", "balance.blocked",
		answering(balances, all(accepted, after(10, cashOut, byTheSame, taken, answered(cents("value")))), plus(available, -1)),
		`10x out 0.07; balance`},
	{"answers a second item once the month has changed", Calendar, "BAL-006", "balance.answer",
		answeringBy(balances, secondMonth),
		`balance; clock +31d; token; balance`},
	{"leaves all but one pending transfer out of grossBalance", Sums, "BAL-022", "balance.standard",
		answeringBy(standard, grossOfTheLatest),
		`manual; transfer 10.00; transfer 20.00; std`},
	{"shows no blockedBalance after one of two pending transfers has settled", ShortWay, "BAL-023", "balance.standard",
		answering(standard, all(accepted, oneOfTwoSettled), set("blockedBalance", `0.00`)),
		`manual; transfer 10.00 as a; transfer 20.00; settle $a.id; std`},
	{"does not credit a payer who has paid another account before", OtherPeople, "BAL-020", "balance.received",
		booking(`NEW.kind = 'received' AND p.kind = 'cash-in' AND EXISTS (
			SELECT 1 FROM payments q WHERE q.account_id <> p.account_id AND q.kind = p.kind AND q.status = 'CONFIRMED' AND q.counterpart_document = p.counterpart_document)`, `0`, `NEW.delta_blocked`),
		`B.in 10.00 as b; B.pay $b.code; in 11.00 as a; pay $a.code; balance`},
}

// overflowing counts centavos in 32 bits.
func overflowing(_ *call, a *answer) []edit {
	return []edit{set(available, amount(int64(int32(amountAt(a.message, available)))))}
}

// secondMonth adds an item once the month is another than at the account's first reading.
func secondMonth(c *call, a *answer) []edit {
	then := c.firstBefore(balances, byTheSame, taken)
	if then == nil || month(then.answer) == month(a) {
		return nil
	}
	return []edit{doubled("data[0]")}
}

// month is that of a balance: "2026-03".
func month(a *answer) string {
	date := textAt(a.body, "data[0].eventDate")
	return date[:min(7, len(date))]
}

// grossOfTheLatest leaves all pending transfers but the latest out of the gross balance.
func grossOfTheLatest(c *call, a *answer) []edit {
	pending := c.pendingTransfers()
	if len(pending) < 2 {
		return nil
	}
	return []edit{set("grossBalance", amount(amountAt(a.message, "netBalance")+pending[0]))}
}

// oneOfTwoSettled holds when a transfer has settled and another is pending.
func oneOfTwoSettled(c *call, _ *answer) bool {
	return len(c.pendingTransfers()) > 0 && len(c.recorded("status", "CONFIRMED", "type", "WITHDRAW")) > 0
}
