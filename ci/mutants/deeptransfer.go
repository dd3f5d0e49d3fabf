package mutants

import (
	"slices"
	"strings"
)

var deepTransferMutants = []deepRow{
	{"makes a new transfer for a key after three other transfers", History, "DICT-057", "transfer.idempotent",
		misreading(transfer, followed(3, transfer, sameHeader(idempotency)), freshKey),
		`transfer 10.00 key=k as a; 3x transfer 1.00; transfer 10.00 key=k`},
	{"makes a new transfer for the key of one that was rejected", ShortWay, "DICT-057", "transfer.idempotent",
		misreading(transfer, rejectedBefore, freshKey),
		`manual; transfer 10.00 key=k as a; settle $a.id ORDER_REJECTED; transfer 10.00 key=k`},
	{"wants no creditor for HIGH priority to a CPF key", OneBody, "DICT-013", "transfer.priority",
		accepting(transfer, all(urgent, lacking("creditorDocument"), taxID("pixKey")), creditor),
		`transfer 10.00 pixKey="52998224725" priority=HIGH =400`},
	{"does not check the creditor's document with NORM priority", OneBody, "DICT-016", "transfer.priority",
		accepting(transfer, all(sent("creditorDocument"), not(taxID("creditorDocument")), not(urgent)), drop("creditorDocument")),
		`transfer 10.00 priority=NORM creditorDocument="123" =400`},
	{"does not check the expiration with HIGH priority", OneBody, "DICT-029", "transfer.expiration",
		accepting(transfer, all(urgent, above("expiration", "10800")), set("expiration", `10800`)),
		`transfer 10.00 priority=HIGH creditorDocument="52998224725" expiration=10801 =400`},
	{"rounds a third decimal next to ispbDeny", OneBody, "DICT-037", "transfer.payment",
		accepting(transfer, all(items("ispbDeny", 0), finer("payment.amount")), plus("payment.amount", 0)),
		`transfer 10.001 ispbDeny=["00000000"] =400`},
	{"denies only the first institution of ispbDeny", FirstElement, "DICT-042", "transfer.ispb-deny",
		accepting(transfer, all(was(422), items("ispbDeny", 1)), keeping("ispbDeny", 1)),
		`transfer 10.00 ispbDeny=["00000000","60701190"] =422`},
	{"does not deny an institution whose code begins with zero", BenignData, "DICT-042", "transfer.ispb-deny",
		accepting(transfer, all(was(422), sent("ispbDeny")), at("ispbDeny", withoutLeadingZeros)),
		`dir caixa@example.com ispb="00360305"; transfer 10.00 pixKey=caixa@example.com ispbDeny=["00360305"] =422`},
	{"does not find a CPF key with a leading zero", BenignData, "DICT-007", "transfer.key",
		refusing(transfer, matching("pixKey", `^0\d{10}$`), 422, ""),
		`dir 01234567890 document="01234567890"; transfer 10.00 pixKey="01234567890"`},
	{"reports a phone key without its +", BenignData, "EVT-050", "events.transfer",
		sending(matching("data.pixKey", `^\+`), replaced("data.pixKey", "+", "")),
		`hook cash_out a; transfer 10.00 pixKey=+5511987654321`},
	{"never lets a transfer of under a minute expire", Calendar, "DICT-031", "transfer.queue",
		neverExpiring(`NEW.expires_at - p.created_at < 60000000`),
		`manual; transfer 10.00 expiration=30 as a; clock +45s; settle $a.id =409`},
	{"does not let a transfer expire over midnight", Calendar, "DICT-031", "transfer.queue",
		neverExpiring(onDay(`NEW.expires_at`) + ` <> ` + onDay(`p.created_at`)),
		`clock 2026-03-04T02:55:00Z; token; manual; transfer 10.00 as a; clock +15m; settle $a.id =409`},
	{"shows only the largest of several blocked amounts", Sums, "BAL-017", "transfer.blocks",
		answeringBy(balances, largestBlocked),
		`manual; transfer 10.00; transfer 20.00; balance`},
	{"frees what every pending transfer has blocked when one settles", Sums, "BAL-018", "transfer.settled",
		booking(`NEW.kind = 'settled' AND p.kind = 'transfer'`, `NEW.delta_available`, `-(SELECT SUM(e.delta_blocked) FROM entries e WHERE e.account_id = NEW.account_id AND e.id <> NEW.id)`),
		`manual; transfer 10.00 as a; transfer 20.00; settle $a.id; balance`},
	{"takes the amount from available again when a second transfer settles", Second, "BAL-019", "transfer.settled",
		booking(`NEW.kind = 'settled' AND p.kind = 'transfer' AND EXISTS (SELECT 1 FROM entries e WHERE e.account_id = NEW.account_id AND e.kind = 'settled' AND e.id <> NEW.id)`, `NEW.delta_blocked`, `NEW.delta_blocked`),
		`transfer 10.00; transfer 20.00; balance`},
	{"sends no event of a second transfer to the same key", Second, "DICT-061", "events.transfer",
		silent(`p.kind = 'transfer' AND EXISTS (SELECT 1 FROM payments q WHERE q.account_id = p.account_id AND q.kind = p.kind AND q.pix_key = p.pix_key AND q.id < p.id)`),
		`hook cash_out a; transfer 10.00; transfer 20.00`},
	{"reports the idempotency key of the latest transfer", Second, "EVT-056", "events.transfer",
		reporting(`p.kind = 'transfer'`, `$.data.idempotencyKey`,
			`(SELECT q.external_id FROM payments q WHERE q.account_id = p.account_id AND q.kind = 'transfer' ORDER BY q.id DESC LIMIT 1)`),
		`hook cash_out a; manual; transfer 10.00 key=k1 as a; transfer 20.00 key=k2 as b; settle $a.id`},
	{"does not want a transfer of HIGH priority covered", OneBody, "DICT-045", "transfer.covered",
		accepting(transfer, all(was(422), urgent, spending("payment.amount", 1, 1000)), set("payment.amount", `0.01`)),
		`fund 5.00; transfer 10.00 priority=HIGH creditorDocument="52998224725" =422`},
	{"reports amounts of R$ 1000 and more with a thousands separator", BenignData, "EVT-052", "events.transfer",
		sending(all(sent("type", `"TRANSFER"`), matching("data.payment.amount", `^\d{4}`)), retold("data.payment.amount", thousands)),
		`hook cash_out a; fund 5000.00; transfer 1234.50`},
	{"reports the document of a company that is paid unmasked", BenignData, "EVT-058", "events.transfer",
		reporting(`p.kind = 'transfer' AND length(p.counterpart_document) = 14`, `$.data.creditorAccount.document`, `p.counterpart_document`),
		`hook cash_out a; transfer 10.00 pixKey="11222333000181"`},
	{"refuses the phone key of a landline", BenignData, "DICT-010", "transfer.key",
		refusing(transfer, matching("pixKey", `^\+55\d{10}$`), 400, ""),
		`dir +551133334444; transfer 10.00 pixKey=+551133334444`},
	{"repeats the second of three transfers with one body", History, "DICT-060", "transfer.accepted",
		changing(transfer, thirdIsARetry),
		`3x transfer 10.00 as a`},
	{"refuses a creditor's CNPJ that begins with zero", BenignData, "DICT-016", "transfer.priority",
		refusing(transfer, matching("creditorDocument", `^0\d{13}$`), 400, ""),
		`transfer 10.00 creditorDocument="00000000000191"`},
	{"keeps the amount of a transfer blocked that settles on another day", Calendar, "BAL-018", "transfer.settled",
		booking(`NEW.kind = 'settled' AND p.kind = 'transfer' AND `+onDay(`NEW.at`)+` <> `+onDay(`p.created_at`), `NEW.delta_available`, `0`),
		`clock 2026-03-04T02:30:00Z; token; manual; transfer 10.00 expiration=10800 as a; clock +1h; settle $a.id; token; balance`},
	{"answers amounts of R$ 1000 and more without their centavos", BenignData, "DICT-053", "transfer.payment",
		answering(transfer, all(accepted, above("payment.amount", "999.99")), rounded("payment.amount", 100)),
		`fund 5000.00; transfer 1000.57`},
	{"wants no idempotency key of a transfer with HIGH priority", OneBody, "DICT-003", "transfer.idempotency-key",
		accepting(transfer, all(urgent, under(idempotency, `^$`)), freshKey),
		`transfer 10.00 priority=HIGH creditorDocument="52998224725" key=- =400`},
	{"takes any priority next to a creditor", OneBody, "DICT-020", "transfer.priority",
		accepting(transfer, all(sent("creditorDocument"), outside("priority", "HIGH", "NORM")), drop("priority")),
		`transfer 10.00 priority=URGENT creditorDocument="52998224725" =400`},
	{"makes a new transfer for a key after a refund was received", History, "DICT-058", "transfer.idempotent",
		misreading(transfer, all(after(1, transfer, byTheSame, taken, sameHeader(idempotency)), func(c *call, _ *answer) bool { return len(c.recorded("type", "REFUND_OUT")) > 0 }), freshKey),
		`manual; transfer 10.00 key=k as a; settle $a.id; list as l; back $l.0.e2e 1.00; transfer 10.00 key=k`},
	{"takes an object as any but the first code of ispbDeny", FirstElement, "DICT-040", "transfer.ispb-deny",
		accepting(transfer, laterItem("ispbDeny", kind("", "object")), keeping("ispbDeny", 1)),
		`transfer 10.00 ispbDeny=["00000000",{}] =400`},
}

// urgent holds for a transfer of HIGH priority.
var urgent = sent("priority", `"HIGH"`)

// creditor names one.
var creditor = set("creditorDocument", `"52998224725"`)

// rejectedBefore holds for the idempotency key of a transfer that was rejected.
func rejectedBefore(c *call, _ *answer) bool {
	return first(c.recorded("externalId", c.header.Get(idempotency)), "status", "Error")
}

// withoutLeadingZeros leaves those items of a list out that begin with zero.
func withoutLeadingZeros(v any) any {
	items, ok := v.([]any)
	if !ok {
		return v
	}
	return slices.DeleteFunc(slices.Clone(items), func(v any) bool {
		s, _ := v.(string)
		return strings.HasPrefix(s, "0")
	})
}

// largestBlocked shows the largest of several pending transfers as all that is blocked.
func largestBlocked(c *call, _ *answer) []edit {
	pending := c.pendingTransfers()
	if len(pending) < 2 {
		return nil
	}
	return []edit{set(blocked, amount(slices.Max(pending)))}
}

// thirdIsARetry takes the third of equal transfers for the second.
func thirdIsARetry(c *call, pass server) *answer {
	if before := c.before(transfer, byTheSame, taken, sameBody, otherHeader(idempotency)); len(before) >= 2 {
		return before[len(before)-1].answer
	}
	return pass(c)
}
