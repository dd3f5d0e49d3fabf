package mutants

import (
	"fmt"

	"github.com/pixcert/pixcert/steps/api"
)

var deepSplitMutants = []deepRow{
	{"takes punctuation in the document of any but the first recipient", FirstElement, "SPL-025", "splits.recipient",
		accepting(cashIn, laterItem("splits", matching("document", `[./-]`)), splitDocument),
		`in 10.00 splits=F1.00,F1.00 splits.1.document=529.982.247-25 =400`},
	{"takes a name of 256 characters of any but the first recipient", FirstElement, "SPL-021", "splits.recipient",
		accepting(cashIn, laterItem("splits", longer("name", 255)), set("splits[].name", `"-"`)),
		`in 10.00 splits=F1.00,F1.00,F1.00 splits.2.name=a*256 =400`},
	{"takes any key type of any but the first recipient", FirstElement, "SPL-018", "splits.pix-key",
		accepting(cashIn, laterItem("splits", outside("pixKeyType", "EMAIL", "PHONE", "CPF", "CNPJ", "RANDOM")), splitKey),
		`in 10.00 splits=F1.00,F1.00 splits.1.pixKeyType=DOCUMENT =400`},
	{"takes a value of zero of any but the first recipient", FirstElement, "SPL-035", "splits.value",
		accepting(cashIn, laterItem("splits", equals("value", "0")), splitValue),
		`in 10.00 splits=F1.00,F1.00 splits.1.value=0 =400`},
	{"rounds a third decimal of any but the first split", FirstElement, "SPL-033", "splits.value",
		accepting(cashIn, laterItem("splits", finer("value")), splitValue),
		`in 10.00 splits=F1.00,F1.00 splits.1.value=1.001 =400`},
	{"pays only the first two splits of a charge", FirstElement, "SPL-046", "splits.division",
		triggering(`AFTER UPDATE OF status ON splits`, `NEW.position >= 2`, unpaidSplit),
		`in 10.00 splits=F1.00i,F1.00i,F1.00i as c; pay $c.code; splits $c.tid`},
	{"does not pay immediate splits of a charge that was made on another day", Calendar, "SPL-044", "splits.immediate",
		triggering(`AFTER UPDATE OF status ON splits`,
			`NEW.immediate = 1 AND EXISTS (SELECT 1 FROM charges c JOIN accounts ON accounts.id = c.account_id WHERE c.id = NEW.charge_id AND `+onDay(`c.created_at`)+` <> `+onDay(accountNow)+`)`, unpaidSplit),
		`in 10.00 splits=F1.00i as c; clock +13h; pay $c.code; splits $c.tid`},
	{"gives a split without immediate what the first split says", FirstElement, "SPL-043", "splits.immediate",
		misreading(cashIn, sent("splits[0].immediate", `true`), inheritedImmediate),
		`in 10.00 splits=F1.00i,F1.00 as c; pay $c.code; splits $c.tid`},
	{"takes a percentage of what the splits before it leave", Sums, "SPL-039", "splits.division",
		triggering(`AFTER INSERT ON splits`,
			`NEW.position > 0 AND json_extract((SELECT body FROM charges WHERE id = NEW.charge_id), '$.Order.Splits[' || NEW.position || '].Type') = 'PERCENTAGE'`,
			`UPDATE splits SET amount = amount * (
				SELECT c.amount - (SELECT SUM(s.amount) FROM splits s WHERE s.charge_id = c.id AND s.position < NEW.position)
				FROM charges c WHERE c.id = NEW.charge_id) / (SELECT amount FROM charges WHERE id = NEW.charge_id)
				WHERE charge_id = NEW.charge_id AND position = NEW.position`),
		`in 100.00 splits=F20.00,P50 as c; splits $c.tid`},
	{"adds up only the first two splits", FirstElement, "SPL-005", "splits.sum",
		accepting(cashIn, all(beyondAmount, items("splits", 2)), keeping("splits", 2)),
		`in 10.00 splits=F4.00,F4.00,F4.00 =400`},
	{"refuses splits whose floating-point sum is above the amount", Sums, "SPL-004", "splits.sum",
		refusing(cashIn, aboveInFloats, 400, api.HTTPError),
		`in 0.30 splits=F0.10,F0.20`},
	{"drops a second split to the same key", Second, "SPL-046", "splits.division",
		triggering(`BEFORE INSERT ON splits`, `EXISTS (SELECT 1 FROM splits s WHERE s.charge_id = NEW.charge_id AND s.pix_key = NEW.pix_key)`, `SELECT RAISE(IGNORE)`),
		`in 10.00 splits=F1.00,F2.00 splits.1.pixKey=s1@example.com as c; splits $c.tid`},
	{"leaves to the account what the second split was to get", Sums, "SPL-048", "splits.division",
		booking(`NEW.kind = 'received' AND EXISTS (`+splitsOfPayment+` AND s.position = 1)`,
			`NEW.delta_available + (SELECT s.amount FROM splits s JOIN charges c ON c.id = s.charge_id WHERE c.payment_id = NEW.payment_id AND s.position = 1)`, `NEW.delta_blocked`),
		`in 100.00 splits=F10.00i,F20.00i as c; pay $c.code; balance`},
	{"refuses a recipient's CPF with a leading zero", BenignData, "SPL-023", "splits.recipient",
		refusing(cashIn, matching("splits[].document", `^0\d{10}$`), 400, api.HTTPError),
		`in 10.00 splits=F1.00 splits.0.document="01234567890"`},
	{"does not pay the splits of an account's second charge", Second, "SPL-046", "splits.division",
		triggering(`AFTER UPDATE OF status ON splits`,
			`EXISTS (SELECT 1 FROM splits s JOIN charges c ON c.id = s.charge_id WHERE s.status = 'PAID' AND c.id <> NEW.charge_id AND c.account_id = (SELECT account_id FROM charges WHERE id = NEW.charge_id))`, unpaidSplit),
		`in 10.00 splits=F1.00i as a; pay $a.code; in 11.00 splits=F1.00i as b; pay $b.code; splits $b.tid`},
	{"wants no document of a recipient with a CNPJ key", OneBody, "SPL-022", "splits.recipient",
		accepting(cashIn, anyItem("splits", all(sent("pixKeyType", `"CNPJ"`), lacking("document"))), splitDocument),
		`in 10.00 splits=F1.00 splits.0.pixKeyType=CNPJ splits.0.pixKey="11222333000181" splits.0.document=- =400`},
	{"wants no name of a recipient with a phone", OneBody, "SPL-019", "splits.recipient",
		accepting(cashIn, anyItem("splits", all(sent("pixKeyType", `"PHONE"`), lacking("name"))), set("splits[].name", `"-"`)),
		`in 10.00 splits=F1.00 splits.0.pixKeyType=PHONE splits.0.pixKey="11987654321" splits.0.name=- =400`},
	{"takes a percentage of zero", OneBody, "SPL-037", "splits.value",
		accepting(cashIn, anyItem("splits", all(sent("type", `"PERCENTAGE"`), equals("value", "0"))), splitValue),
		`in 10.00 splits=F1.00,P10 splits.1.value=0 =400`},
	{"does not add percentages to amounts in charges of three splits", Sums, "SPL-008", "splits.sum",
		accepting(cashIn, all(beyondAmount, items("splits", 2), sent("splits[].type", `"FIXED"`), sent("splits[].type", `"PERCENTAGE"`)), keeping("splits", 1)),
		`in 10.00 splits=F1.00,F1.00,P90 =400`},
	{"takes a text as immediate of any but the first split", FirstElement, "SPL-042", "splits.immediate",
		accepting(cashIn, laterItem("splits", kind("immediate", "text")), drop("splits[].immediate")),
		`in 10.00 splits=F1.00,F1.00 splits.1.immediate=yes =400`},
}

// beyondAmount holds for splits that were refused for their sum.
func beyondAmount(c *call, a *answer) bool {
	return refused(c, a) && told("message", `splits must take`)(c, a)
}

// aboveInFloats holds for fixed splits whose sum is the amount, and above it in binary
// fractions.
func aboveInFloats(c *call, _ *answer) bool {
	var total float64
	var exact int64
	for i := range lookups(c.body, "splits[]") {
		share := amountAt(c.message, fmt.Sprintf("splits[%d].value", i))
		total, exact = total+float64(share)/100, exact+share
	}
	amount := amountAt(c.message, "transaction.value")
	return !sent("splits[].type", `"PERCENTAGE"`)(c, nil) && exact == amount && total > float64(amount)/100
}

// inheritedImmediate gives splits that do not say whether they are immediate what the
// first says.
func inheritedImmediate(m *message) {
	first, _ := lookup(m.body, "splits[0].immediate")
	eachItem("splits", func(_ int, item map[string]any) {
		if _, says := item["immediate"]; !says {
			item["immediate"] = first
		}
	})(m)
}
