package mutants

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var deepCashInMutants = []deepRow{
	{"takes any description of a charge with splits", OneBody, "IN-013", "cash-in.description",
		accepting(cashIn, all(items("splits", 0), longer("transaction.description", api.MostDescription)), cut("transaction.description", api.MostDescription)),
		`in 10.00 splits=F1.00 transaction.description=a*141 =400`},
	{"takes a name of 101 characters of a company that pays", OneBody, "IN-039", "cash-in.payer",
		accepting(cashIn, all(company("payer.document"), longer("payer.fullName", api.MostName)), cut("payer.fullName", api.MostName)),
		`in 10.00 payer.document="11222333000181" payer.fullName=a*101 =400`},
	{"does not check the payer's document next to additional information", OneBody, "IN-043", "cash-in.payer",
		accepting(cashIn, all(sent("additionalInfo"), sent("payer.document"), not(taxID("payer.document"))), set("payer.document", `"52998224725"`)),
		`in 10.00 additionalInfo.pedido=1x payer.document="123" =400`},
	{"takes 11 keys of additional information next to splits", OneBody, "IN-049", "cash-in.additional-info",
		accepting(cashIn, all(items("splits", 0), pairs("additionalInfo", 10)), drop("additionalInfo")),
		`in 10.00 splits=F1.00 additionalInfo=11keys =400`},
	{"takes an object as the second value of additional information", FirstElement, "IN-047", "cash-in.additional-info",
		accepting(cashIn, laterPairNoText, drop("additionalInfo")),
		`in 10.00 additionalInfo.a=x additionalInfo.b={} =400`},
	{"takes an expiration of under 30 seconds with a QR Code image", OneBody, "IN-021", "cash-in.expiration-time",
		accepting(cashIn, all(sent("transaction.generateQrCode", `true`), above("transaction.expirationTime", "0"), below("transaction.expirationTime", "30")), set("transaction.expirationTime", `30`)),
		`in 10.00 transaction.generateQrCode=true transaction.expirationTime=29 =400`},
	{"rounds the expiration of a charge down to minutes", Calendar, "IN-025", "cash-in.expiration-date",
		answeringBy(cashIn, expiringByTheMinute),
		`in 10.00 transaction.expirationTime=119`},
	{"ends a charge that would expire in another month at the month's end", Calendar, "IN-025", "cash-in.expiration-date",
		answeringBy(cashIn, expiringWithinTheMonth),
		`clock 2026-03-28T15:00:00Z; token; in 10.00 transaction.expirationTime=604800`},
	{"lets a charge of under a minute expire at once", Calendar, "IN-068", "cash-in.paid",
		triggering(`AFTER INSERT ON charges`, `NEW.kind = 'cash-in' AND NEW.expires_at - NEW.created_at < 60000000`, `UPDATE charges SET expires_at = created_at WHERE id = NEW.id`),
		`in 10.00 transaction.expirationTime=45 as c; pay $c.code`},
	{"does not let a charge be paid in its last minute", Calendar, "IN-067", "cash-in.unpaid",
		triggering(`AFTER INSERT ON charges`,
			`NEW.kind = 'cash-in' AND NEW.expires_at - NEW.created_at > 60000000`,
			`UPDATE charges SET expires_at = expires_at - 60000000 WHERE id = NEW.id`),
		`in 10.00 transaction.expirationTime=300 as c; clock +270s; pay $c.code`},
	{"sends no event when the same payer pays the same amount again", Second, "IN-069", "cash-in.paid",
		silent(`p.kind = 'cash-in' AND ` + paidBefore),
		`hook cash_in a; in 10.00 as a; in 10.00 as b; pay $a.code; pay $b.code`},
	{"credits nothing when the same payer pays the same amount again", Sums, "IN-072", "cash-in.paid",
		booking(`NEW.kind = 'received' AND p.kind = 'cash-in' AND `+paidBefore, `0`, `NEW.delta_blocked`),
		`in 10.00 as a; in 10.00 as b; pay $a.code; pay $b.code; balance`},
	{"gives two charges of the same amount and description one code", Second, "IN-068", "cash-in.paid",
		answeringBy(cashIn, oneCodeForTwo),
		`in 10.00 as a; in 10.00 as b; pay $b.code; list externalId=$b.externalId`},
	{"takes an externalId again once its charge is paid", History, "IN-016", "cash-in.duplicate-external-id",
		accepting(cashIn, all(duplicate, recordedAs("transaction.externalId", "Confirmado")), fresh("transaction.externalId")),
		`in 10.00 transaction.externalId=x as a; pay $a.code; in 10.00 transaction.externalId=x =4xx`},
	{"lists question marks for emoji of an externalId", BenignData, "LTX-034", "listed.fields",
		answering(group{transactions, ofKey}, accepted, retold("data[].externalId", withoutEmoji)),
		`in 10.00 transaction.externalId=pedido-🍕; list`},
	{"lists a paid charge as rejected once all of it is refunded", ShortWay, "IN-075", "cash-in.paid-once",
		triggering(`AFTER UPDATE OF status ON refunds`, whollyRefunded, `UPDATE payments SET status = 'ERROR' WHERE id = NEW.parent_id`),
		`in 10.00 as c; pay $c.code as p; refund $p.e2e 10.00; list type=PAYMENT`},
	{"takes the fee of a paid charge once more if it has splits", Sums, "BAL-020", "balance.received",
		booking(`NEW.kind = 'received' AND p.fee > 0 AND EXISTS (`+splitsOfPayment+`)`,
			`NEW.delta_available - (SELECT fee FROM payments WHERE id = NEW.payment_id)`, `NEW.delta_blocked`),
		`fees in=0.10; in 10.00 splits=F1.00i as c; pay $c.code; balance`},
	{"does not hold charges with splits to the provider's minimum", OneBody, "IN-028", "cash-in.provider-minimum",
		accepting(cashIn, all(refusedAs(api.ExpirationBelowMinimum), items("splits", 0)), set("transaction.expirationTime", longestCashIn)),
		`faults minimumExpiration=300; in 10.00 splits=F1.00 transaction.expirationTime=60 =400`},
	{"refuses a payer's CPF with a leading zero", BenignData, "IN-041", "cash-in.payer",
		refusing(cashIn, matching("payer.document", `^0\d{10}$`), 400, api.HTTPError),
		`in 10.00 payer.document="01234567890"`},
	{"skips the 29th of February when it dates the end of a charge", Calendar, "IN-025", "cash-in.expiration-date",
		answering(cashIn, told("expirationDate", `-02-29T`), retold("expirationDate", aDayLater)),
		`clock 2028-02-28T15:00:00Z; token; in 10.00`},
	{"sends no event of a charge that is paid on another day", ShortWay, "IN-069", "cash-in.paid",
		silent(`p.kind = 'cash-in' AND ` + onDay(`p.created_at`) + ` <> ` + onDay(`p.processed_at`)),
		`hook cash_in a; in 10.00 as c; clock +13h; pay $c.code`},
	{"answers an externalId of a charge in upper case if it has a space", BenignData, "IN-053", "cash-in.accepted",
		answering(cashIn, all(accepted, matching("transaction.externalId", ` `)), retold("externalId", strings.ToUpper)),
		`in 10.00 transaction.externalId='mesa 12a'`},
	{"takes an empty description of a charge with a QR Code image", OneBody, "IN-011", "cash-in.description",
		accepting(cashIn, all(sent("transaction.generateQrCode", `true`), kind("transaction.description", "blank")), set("transaction.description", `"-"`)),
		`in 10.00 transaction.generateQrCode=true transaction.description="" =400`},
	{"credits amounts of R$ 1000 and more without their centavos", Sums, "BAL-020", "balance.received",
		booking(`NEW.kind = 'received' AND p.kind = 'cash-in' AND p.amount >= 100000`, `NEW.delta_available - NEW.delta_available % 100`, `NEW.delta_blocked`),
		`in 1000.57 as c; pay $c.code; balance`},
	{"takes an externalId of a charge again after three other charges", History, "IN-016", "cash-in.duplicate-external-id",
		accepting(cashIn, all(duplicate, followed(3, cashIn, same("transaction.externalId"))), fresh("transaction.externalId")),
		`in 10.00 transaction.externalId=x; 3x in 1.00; in 10.00 transaction.externalId=x =4xx`},
	{"draws no QR Code image for an account's second charge", Second, "IN-033", "cash-in.qr-code-image",
		answering(cashIn, all(accepted, after(1, cashIn, byTheSame, taken, answered(sent("transaction.generateQrCode", `true`)))), drop("qrCodeImage")),
		`in 10.00 transaction.generateQrCode=true; in 11.00 transaction.generateQrCode=true`},
}

// laterPairNoText holds for additional information of which a member that is not the first
// is no text.
func laterPairNoText(c *call, _ *answer) bool {
	pairs := lookups(c.body, "additionalInfo[]")
	return len(pairs) > 1 && slices.ContainsFunc(pairs[1:], func(v any) bool { _, ok := v.(string); return !ok })
}

// expiringByTheMinute rounds the expiration of a charge down.
func expiringByTheMinute(c *call, _ *answer) []edit {
	v, _ := lookup(c.body, "transaction.expirationTime")
	n, _ := v.(json.Number)
	seconds, _ := n.Int64()
	return []edit{retold("expirationDate", moved(-time.Duration(seconds%60)*time.Second))}
}

// expiringWithinTheMonth ends a charge with the month in which it was made.
func expiringWithinTheMonth(_ *call, a *answer) []edit {
	made, err := time.Parse(time.RFC3339, textAt(a.body, "generateTime"))
	end, wrong := time.Parse(time.RFC3339, textAt(a.body, "expirationDate"))
	if err != nil || wrong != nil || made.Month() == end.Month() {
		return nil
	}
	last := time.Date(made.Year(), made.Month()+1, 0, 23, 59, 59, 0, time.UTC)
	return []edit{retold("expirationDate", moved(last.Sub(end)))}
}

// moved changes a time by so much.
func moved(by time.Duration) func(string) string {
	return func(s string) string {
		t, err := time.Parse(time.RFC3339Nano, s)
		if err != nil {
			return s
		}
		return t.Add(by).UTC().Format("2006-01-02T15:04:05.000Z")
	}
}

// aDayLater makes a date the next one.
var aDayLater = moved(24 * time.Hour)

// oneCodeForTwo gives a charge the code of an earlier one that asks for the same.
func oneCodeForTwo(c *call, _ *answer) []edit {
	then := c.lastBefore(cashIn, byTheSame, taken, same("transaction.value"), same("transaction.description"))
	if then == nil {
		return nil
	}
	return []edit{set("pixCode", string(encode(textAt(then.answer.body, "pixCode"))))}
}
