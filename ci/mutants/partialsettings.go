package mutants

import (
	"crypto/sha256"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var partialSettingMutants = []partialRow{
	{"finds another account's transaction by its endToEndId", Settings, "RSD-024",
		lending(resend, all(was(404), naming(identifier, `^[ED]\w{31,32}$`))),
		`B.out 10.00; B.list as l; resend $l.0.e2e to=t =404`},
	{"resends the first account's transaction when two accounts use the same externalId", Settings, "RSD-020",
		changing(resend, resendingTheFirst),
		`hook cash_out a; B.hook cash_out b; B.out 10.00 externalId=x; out 11.00 externalId=x; resend x`},
	{"keeps externalIds per certificate, so that two accounts with one certificate collide", Settings, "OUT-012",
		refusing(cashOut, withOneCertificate, 400, api.DuplicateExternalID),
		`B.token; register B; token cert=B; B.out 10.00 externalId=x; out 10.00 externalId=x`},
	{"finds another account's payments with the endToEndId filter", Settings, "LTX-031",
		relisting(transactions, all(asked("endToEndId", `.`), told("metadata.total", `^0$`)), besides(func(c *call) []edit { return c.others(token) })),
		`B.out 10.00; B.list as l; list endToEndId=$l.0.e2e`},
	{"lists payments of all accounts to the key", Settings, "LPK-007",
		relisting(ofKey, always, besides(payersToTheKey)),
		`B.out 10.00 details.key=ana@example.com; bykey ana@example.com`},
	{"shows another account's row of a URL that both accounts have registered", Settings, "WHK-058",
		changing(list, withOthersOfItsURLs),
		`B.hook cash_in a; hook cash_in a; hooks`},
	{"updates another account's registration of the same URL", Settings, "WHK-036",
		both(
			triggering(`AFTER INSERT ON webhooks`, `1`, `UPDATE webhooks SET headers = NEW.headers WHERE type = NEW.type AND url = NEW.url`),
			triggering(`AFTER UPDATE OF headers ON webhooks`, `1`, `UPDATE webhooks SET headers = NEW.headers WHERE type = NEW.type AND url = NEW.url`)),
		`hook cash_in a headers=X-N:1; B.hook cash_in a headers=X-N:2; hooks`},
	{"sends events of one account to URLs of another that shares its certificate", Settings, "WHK-040",
		triggering(`AFTER INSERT ON events`, `NEW.type = 'cash_out' AND NOT EXISTS (SELECT 1 FROM webhooks v WHERE v.account_id = NEW.account_id AND v.type = NEW.type)`,
			`INSERT INTO jobs (id, kind, account_id, payment_id, event_id, webhook_id, due_at)
			SELECT -NEW.id * 1000000 - w.id, 'deliver', NEW.account_id, NEW.payment_id, NEW.id, w.id, CAST(unixepoch('subsec') * 1000000 AS INTEGER)
			FROM webhooks w WHERE w.active = 1 AND w.type = NEW.type AND w.account_id IN (`+certificateShared+`)`),
		`B.hook cash_out a; register B; out 10.00`},
	{"issues no token with a second certificate while the first is registered", Settings, "TOK-030",
		both(
			triggering(`AFTER INSERT ON certificates`, `EXISTS (SELECT 1 FROM certificates c WHERE c.account_id = NEW.account_id AND c.fingerprint <> NEW.fingerprint AND c.revoked = 0)`,
				`UPDATE certificates SET revoked = 2 WHERE fingerprint = NEW.fingerprint AND account_id = NEW.account_id`),
			triggering(`AFTER UPDATE OF revoked ON certificates`, `NEW.revoked = 1 AND OLD.revoked = 0`,
				`UPDATE certificates SET revoked = 0 WHERE account_id = NEW.account_id AND revoked = 2`)),
		`register A2; token cert=A2`},
	{"revokes all certificates of the account with one", Settings, "TOK-029",
		triggering(`AFTER UPDATE OF revoked ON certificates`, `NEW.revoked = 1`, `UPDATE certificates SET revoked = 1 WHERE account_id = NEW.account_id`),
		`register A2; revoke 1; token cert=A2`},
	{"revokes a certificate for every account it is registered with", Settings, "TOK-028",
		triggering(`AFTER UPDATE OF revoked ON certificates`, `NEW.revoked = 1`, `UPDATE certificates SET revoked = 1 WHERE fingerprint = NEW.fingerprint`),
		`B.token; register B; revoke B; B.token`},
	{"knows only the first account of a certificate that is registered with two", Settings, "TOK-031",
		triggering(`BEFORE INSERT ON certificates`, `EXISTS (SELECT 1 FROM certificates c WHERE c.fingerprint = NEW.fingerprint AND c.account_id <> NEW.account_id AND c.revoked = 0)`, `SELECT RAISE(IGNORE)`),
		`B.token; register B; token cert=B`},
	{"counts the daily total per token", Settings, "OUT-084",
		dailyByToken(),
		`limits daily=100.00; out 80.00; token; out 80.00 =400`},
	{"keeps idempotency keys per token", Settings, "DICT-057",
		misreadingBy(transfer, keyOfItsToken),
		`transfer 10.00 key=k; token; transfer 10.00 key=k`},
	{"checks the balance with the fee that was valid at the account's first payment", Settings, "OUT-062",
		accepting(cashOut, all(insufficient, coveredWithFirstFee), set("value", `0.01`)),
		`out 1.00; fees out=0.50; fund 10.00; out 10.00 =400`},
	{"puts the account's present fee beside a final amount with the fee at creation", Settings, "EVT-021",
		reporting(feeChanged, `$.feeAmount`, feeNow+` / 100.0`),
		`hook cash_out a; manual; fees out=0.50; out 10.00 as a; fees out=0.80; settle $a.tid`},
	{"refuses to refund the whole amount when a fee was kept from it", Settings, "DEV-037",
		refusing(devolution, func(c *call, _ *answer) bool {
			item, ok := c.received()
			fee := in(item, "feeAmount")
			return ok && fee > 0 && sentAmount(c, "valor")+refundedBy(refundsOf(c)) > in(item, "originalAmount")-fee
		}, 400, ""),
		`fees in=0.50; cob 10.00 as c; pay $c.code as p; refund $p.e2e 10.00`},
	{"takes the percentage from the net amount for immediate splits", Settings, "SPL-039",
		triggering(`AFTER INSERT ON splits`, `NEW.immediate = 1 AND `+splitType+` = 'PERCENTAGE'`,
			`UPDATE splits SET amount = (SELECT NEW.amount * (c.amount - a.fee_cash_in) / c.amount FROM charges c JOIN accounts a ON a.id = c.account_id WHERE c.id = NEW.charge_id)
			WHERE charge_id = NEW.charge_id AND position = NEW.position`),
		`fees in=1.00; in 100.00 splits=P10i as c; pay $c.code; splits $c.tid`},
	{"compares the split sum with the amount less the fee", Settings, "SPL-004",
		splitsOfTheNetAmount(),
		`fees in=0.50; in 10.00 splits=F4.00,F6.00`},
	{"lists the account's present fee for earlier payments", Settings, "LTX-039",
		listingPresentFee(),
		`out 10.00; fees out=0.50; list`},
	{"takes a lifted limit for a limit of zero", Settings, "OUT-001",
		misreading(limits, all(kind("perTransaction", "null"), after(1, limits, byTheSame, answered(all(accepted, sent("perTransaction"), not(kind("perTransaction", "null")))))), set("perTransaction", `"0.00"`)),
		`limits perTransaction=500.00; limits lifted=perTransaction; out 10.00`},
	{"applies the night limit by day on accounts without a limit per transaction", Settings, "OUT-088",
		nightLimitForUnlimited(),
		`limits lifted=perTransaction; limits night=100.00; out 150.00`},
	{"gives null amounts on an account that has never moved money", Settings, "BAL-008",
		answeringBy(balances, func(c *call, a *answer) []edit {
			if amountAt(a.message, available)+amountAt(a.message, blocked) > 0 || len(c.recorded()) > 0 {
				return nil
			}
			return []edit{set(available, `null`), set(blocked, `null`)}
		}),
		`fund 0.00; balance`},
	{"gives an empty data array for an account without movements in the last 31 days", Settings, "BAL-006",
		answeringBy(balances, func(c *call, _ *answer) []edit {
			if len(c.recorded()) > 0 || !after(1, cashOut, byTheSame, taken)(c, nil) {
				return nil
			}
			return []edit{set("data", `[]`)}
		}),
		`out 1.00; clock +960h; token; balance`},
	{"answers 200 with an empty list for a removed account that never registered a URL", Settings, "WHK-059",
		pretending(list, all(was(404), not(after(1, registration, byTheSame, taken)))),
		`remove; hooks =404`},
	{"uses the simple envelope when the account is not found", Settings, "WHK-043",
		answering(registration, was(404), simplified, drop("timestamp"), drop("path"), drop("method")),
		`remove; hook cash_in a =404`},
	{"gives data null to an account without transactions", Settings, "LTX-010",
		answeringBy(transactions, func(c *call, a *answer) []edit {
			if !nothingListed(c, a) || len(c.recorded()) > 0 {
				return nil
			}
			return []edit{set("data", `null`)}
		}),
		`list`},
	{"refunds a PIX that another account received", Settings, "DEV-045",
		lending(devolution, was(404)),
		`B.cob 10.00 as c; B.pay $c.code as p; refund $p.e2e 1.00 =404`},
	{"counts all accounts in metadata.total under a type filter", Settings, "LTX-028",
		answeringWith(transactions, all(accepted, asked("type", `.`)), func(c *call, a *answer, pass server) []edit {
			total := metadata(a, "total")
			for _, t := range c.others(token) {
				total += metadata(pass(c.edited(t)), "total")
			}
			return []edit{set("metadata.total", fmt.Sprint(total))}
		}),
		`3x B.out 1.00; out 1.00; list type=WITHDRAW`},
	{"lets the clock of the last used account decide over all tokens", Settings, "TOK-023",
		clockOfTheLast(),
		`balance; B.clock +2h; balance`},
	{"applies the provider minimum set for one account to another", Settings, "IN-020",
		minimumOfOthers(),
		`B.faults minimumExpiration=300; faults minimumExpiration=30; in 10.00 transaction.expirationTime=60`},
	{"credits a paid charge to the other account that has the same certificate", Settings, "COB-060",
		both(
			triggering(`AFTER INSERT ON entries`, `NEW.kind = 'received' AND EXISTS (SELECT 1 FROM payments p WHERE p.id = NEW.payment_id AND p.kind = 'cob') AND EXISTS (`+certificateShared+`)`,
				`UPDATE entries SET account_id = (`+certificateShared+` LIMIT 1) WHERE id = NEW.id;
				UPDATE accounts SET available = available + NEW.delta_available WHERE id = (`+certificateShared+` LIMIT 1)`),
			triggering(`AFTER UPDATE OF available, blocked ON accounts`, `1`, `UPDATE accounts SET
				available = (SELECT COALESCE(SUM(delta_available), 0) FROM entries WHERE account_id = NEW.id),
				blocked = (SELECT COALESCE(SUM(delta_blocked), 0) FROM entries WHERE account_id = NEW.id) WHERE id = NEW.id`)),
		`B.token; register B; cob 10.00 as c; B.token; pay $c.code; B.balance`},
	{"calls a case reconciled on the first account only", Settings, "MED-055",
		triggering(`AFTER INSERT ON meds`, `NEW.account_id <> (SELECT MIN(id) FROM accounts)`, `UPDATE meds SET payment_id = 0 WHERE id = NEW.id`),
		`B.cob 10.00 as c; B.pay $c.code as p; B.med $p.e2e; B.meds`},
	{"uses the URL of the account's first registration when an account has both a cash_in and a cash_out URL", Settings, "RSD-013",
		resendingAs(`SELECT w.type FROM webhooks w WHERE w.account_id = NEW.account_id AND NEW.type IN ('cash_in', 'cash_out')
			AND (SELECT COUNT(DISTINCT v.type) FROM webhooks v WHERE v.account_id = NEW.account_id AND v.type IN ('cash_in', 'cash_out')) = 2 ORDER BY w.id LIMIT 1`),
		`hook cash_in a; hook cash_out b; out 10.00 externalId=x; resend x`},
	{"leaves endToEndId out of REFUND for accounts with a fee", Settings, "EVT-076",
		notReporting(`p.kind = 'refund-in' AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = p.account_id AND a.fee_cash_in > 0)`, `$.data.endToEndId`),
		`hook refund_in a; fees in=0.50; cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00`},
	{"ignores the balance of QR Code payments on an account with history", Settings, "OQR-038",
		accepting(qrCashOut, all(insufficient, hasRecorded("type", "WITHDRAW", "status", "CONFIRMED")), set("value", `0.01`)),
		`fund 10.00; out 1.00; qr 50.00 =400`},
}

// certificateShared are the other accounts that have a certificate of the account in the row NEW.
const certificateShared = `SELECT c.account_id FROM certificates c JOIN certificates d ON d.fingerprint = c.fingerprint
	WHERE c.revoked = 0 AND d.revoked = 0 AND d.account_id = NEW.account_id AND c.account_id <> NEW.account_id`

// withOneCertificate holds if the call's externalId was used by a client that has shown the same certificate.
func withOneCertificate(c *call, _ *answer) bool {
	shown := map[string]bool{}
	for _, e := range c.before(token, byTheSame, taken) {
		shown[e.call.header.Get(certificateHeader)] = true
	}
	clients := map[string]bool{}
	for _, e := range c.before(token, byAnother, taken) {
		if shown[e.call.header.Get(certificateHeader)] {
			clients[e.call.client] = true
		}
	}
	return len(clients) > 0 && slices.ContainsFunc(c.before(cashOut, byAnother, taken, same("externalId")), func(e *entry) bool { return clients[e.call.client] })
}

// dailyByToken holds payments under one token to the daily limit, whatever was paid under others.
func dailyByToken() fault {
	daily := &setting{path: "daily"}
	return both(daily.noted(limits), accepting(cashOut, all(refusedAs(api.AboveDaily), func(c *call, _ *answer) bool {
		limit, _ := daily.centavos(c)
		total := sentAmount(c, "value")
		for _, e := range c.before(cashOut, byTheSame, taken, sameHeader("Authorization")) {
			total += amountAt(e.call.message, "value")
		}
		return total <= limit
	}), set("value", `0.01`)))
}

// keyOfItsToken makes a key of idempotency another one for each token but the one that has used it first.
func keyOfItsToken(c *call) []edit {
	then := c.firstBefore(transfer, byTheSame, taken, sameHeader(idempotency))
	if then == nil || sameHeader("Authorization")(c, then) {
		return nil
	}
	h := fmt.Sprintf("%x", sha256.Sum256([]byte(c.header.Get(idempotency)+tokenUnder(c))))
	return []edit{header(idempotency, h[:8]+"-"+h[8:12]+"-4"+h[13:16]+"-a"+h[17:20]+"-"+h[20:32])}
}

// coveredWithFirstFee holds for a value that the balance covers with the fee of the account's first payment.
func coveredWithFirstFee(c *call, _ *answer) bool {
	paid := c.recorded("type", "WITHDRAW")
	if len(paid) == 0 {
		return false
	}
	return sentAmount(c, "value")+in(paid[len(paid)-1], "feeAmount") <= amountAt(c.read(balances.path, "").message, available)
}

// splitsOfTheNetAmount wants splits to fit into what the fee leaves of the amount.
func splitsOfTheNetAmount() fault {
	fee := &setting{path: "cashIn"}
	return both(fee.noted(fees), refusing(cashIn, all(items("splits", 0), func(c *call, _ *answer) bool {
		kept, _ := fee.centavos(c)
		value := sentAmount(c, "transaction.value")
		total := new(big.Rat)
		for i := range lookups(c.body, "splits[]") {
			at := fmt.Sprintf("splits[%d]", i)
			share := big.NewRat(sentAmount(c, at+".value"), 1)
			if textAt(c.body, at+".type") == "PERCENTAGE" {
				share.Mul(share, big.NewRat(value, 100_00))
			}
			total.Add(total, share)
		}
		return kept > 0 && total.Cmp(big.NewRat(value-kept, 1)) > 0 && total.Cmp(big.NewRat(value, 1)) <= 0
	}), 400, api.HTTPError))
}

// listingPresentFee lists payments with the fee that the account has now.
func listingPresentFee() fault {
	fee := &setting{path: "cashOut"}
	return both(fee.noted(fees), answeringBy(transactions, func(c *call, _ *answer) []edit {
		now, known := fee.centavos(c)
		paid := map[any]bool{}
		for _, e := range append(c.before(cashOut, byTheSame, taken), c.before(qrCashOut, byTheSame, taken)...) {
			paid[textAt(e.call.body, "externalId")] = known
		}
		return []edit{eachItem("data", func(_ int, item map[string]any) {
			if paid[item["externalId"]] {
				item["feeAmount"] = value(amount(now))
			}
		})}
	}))
}

// nightLimitForUnlimited holds accounts whose limit of a payment was lifted to the night limit all day.
func nightLimitForUnlimited() fault {
	perTransaction, night := &setting{path: "perTransaction"}, &setting{path: "night"}
	return both(perTransaction.noted(limits), night.noted(limits), refusing(cashOut, func(c *call, _ *answer) bool {
		limit, known := perTransaction.of.Load(c.account())
		most, limited := night.centavos(c)
		h := hour(c.now())
		return known && limit == nil && limited && sentAmount(c, "value") > most && h >= 6 && h < 20
	}, 400, api.AboveNight))
}

// minimumOfOthers holds charges to the minimum that the provider has for any other account.
func minimumOfOthers() fault {
	minimum := &setting{path: "minimumExpiration"}
	return both(minimum.noted(faults), refusing(cashIn, all(sent("transaction.expirationTime"), func(c *call, _ *answer) bool {
		own, asked, below := c.account(), sentAmount(c, "transaction.expirationTime")/100, false
		minimum.of.Range(func(account, seconds any) bool {
			written, ok := spelt(seconds)
			below = below || ok && account != own && asked >= 30 && asked < centavosIn(written)/100
			return !below
		})
		return below
	}), 400, api.ExpirationBelowMinimum))
}

// clockOfTheLast judges tokens by the clock of the account of which a clock was set last, until another is used.
func clockOfTheLast() fault {
	var mu sync.Mutex
	var account string
	var ahead time.Duration
	offsets := map[string]time.Duration{}
	return both(
		noting(clock, accepted, func(c *call, a *answer) {
			at, err := time.Parse(time.RFC3339Nano, textAt(a.body, "now"))
			by, _ := time.ParseDuration(textAt(c.body, "advance"))
			mu.Lock()
			defer mu.Unlock()
			if err == nil && (by != 0 || textAt(c.body, "now") != "") {
				account, ahead = c.client, time.Until(at)
				offsets[c.client] = ahead
			}
		}),
		afterAnswer(underTokens, accepted, func(c *call, a *answer, _ server) *answer {
			own := c.account()
			mu.Lock()
			defer mu.Unlock()
			theirs := time.Now().Add(ahead)
			if account != "" && account != own && theirs.After(c.issuedAt().Add(api.TokenLifetime)) {
				return refusal(c, 401, api.HTTPError)
			}
			account, ahead = own, offsets[own]
			return a
		}))
}
