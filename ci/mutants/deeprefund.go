package mutants

import (
	"html"

	"github.com/pixcert/pixcert/steps/api"
)

var deepRefundMutants = []deepRow{
	{"counts only the first refund of a payment to its sum", Second, "DEV-039", "refund.sum",
		both(refundedBesides(`AFTER INSERT`, `EXISTS (SELECT 1 FROM payments q WHERE q.parent_id = NEW.parent_id AND q.id <> NEW.id AND q.account_id <> 0)`, `-NEW.amount`),
			forgettingBesides(`NEW.status = 'ERROR'`)),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 4.00; refund $p.e2e 4.00; refund $p.e2e 4.00 =400`},
	{"does not count refunds in process to their sum", ShortWay, "DEV-039", "refund.sum",
		both(refundedBesides(`AFTER INSERT`, `NEW.status = 'PENDING'`, `-NEW.amount`), forgettingBesides(`NEW.status <> 'PENDING'`)),
		`rmanual; cob 10.00 as c; pay $c.code as p; refund $p.e2e 6.00; refund $p.e2e 6.00 =400`},
	{"refuses the last centavo of a payment that is refunded in three parts", Sums, "DEV-036", "refund.sum",
		refundedBesides(`AFTER INSERT`, `(SELECT COUNT(*) FROM payments q WHERE q.parent_id = NEW.parent_id) = 2`, `1`),
		`cob 10.00 as c; pay $c.code as p; 2x refund $p.e2e 3.33; refund $p.e2e 3.34`},
	{"cuts a refund id of more than 32 characters", BenignData, "DEV-024", "refund.id",
		answering(devolution, accepted, cut("id", 32)),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 id=a*35`},
	{"takes MED_OPERACIONAL next to a descricao", OneBody, "DEV-017", "refund.natureza",
		accepting(devolution, all(sent("descricao"), sent("natureza", `"MED_OPERACIONAL"`, `"MED_FRAUDE"`)), drop("natureza")),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 natureza=MED_OPERACIONAL descricao=oi =400`},
	{"takes any descricao of a RETIRADA", OneBody, "DEV-023", "refund.descricao",
		accepting(devolution, all(sent("natureza", `"RETIRADA"`), longer("descricao", api.MostDescription)), cut("descricao", api.MostDescription)),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 natureza=RETIRADA descricao=a*141 =400`},
	{"takes one decimal next to natureza", OneBody, "DEV-013", "refund.valor",
		accepting(devolution, all(sent("natureza"), matching("valor", `^\d+\.\d$`)), suffixed("valor", "0")),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.5 natureza=ORIGINAL =400`},
	{"refuses to refund in January what was received in December", Calendar, "DEV-042", "refund.deadline",
		refusing(devolution, receivedLastYear, 422, ""),
		`clock 2026-12-20T15:00:00Z; token; cob 10.00 as c; pay $c.code as p; clock +20d; token; refund $p.e2e 1.00`},
	{"counts the deadline from the latest refund", History, "DEV-043", "refund.deadline",
		triggering(`AFTER INSERT ON payments`, `NEW.kind = 'refund-in'`, `UPDATE payments SET processed_at = NEW.created_at WHERE id = NEW.parent_id`),
		`cob 10.00 as c; pay $c.code as p; clock +80d; token; refund $p.e2e 1.00; clock +12d; token; refund $p.e2e 1.00 =422`},
	{"sends no event of a payment's second refund", Second, "DEV-049", "refund.done",
		silent(`p.kind = 'refund-in' AND ` + returnedBefore),
		`hook refund_in a; cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00; refund $p.e2e 2.00`},
	{"reports the first refund when a second is done", Second, "EVT-082", "events.refund",
		both(reporting(`p.kind = 'refund-in' AND `+returnedBefore, `$.data.refunds[0].endToEndId`, `(SELECT q.end_to_end_id `+firstReturned+`)`),
			reporting(`p.kind = 'refund-in' AND `+returnedBefore, `$.data.refunds[0].payment.amount`, `(SELECT q.amount / 100.0 `+firstReturned+`)`)),
		`hook refund_in a; cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 as r; refund $p.e2e 2.00 as s`},
	{"refunds another account's payment for an account that has received one", OtherPeople, "DEV-045", "refund.e2eid",
		lending(devolution, all(was(404), func(c *call, _ *answer) bool { return len(c.recorded("type", "PAYMENT", "status", "CONFIRMED")) > 0 })),
		`cob 10.00 as c; pay $c.code; B.cob 10.00 as d; B.pay $d.code as q; refund $q.e2e 1.00 =404`},
	{"answers the refund of an outgoing transfer with 400", OneBody, "DEV-046", "refund.e2eid",
		answering(devolution, all(was(404), outgoingTransfer), status(400)),
		`transfer 10.00; list as l; refund $l.0.e2e 1.00 =404`},
	{"credits the refund that completes a payment", Second, "DEV-057", "refund.money",
		booking(`NEW.kind = 'settled' AND p.kind = 'refund-in' AND `+returnedBefore+`
			AND (SELECT SUM(q.amount) FROM payments q WHERE q.parent_id = p.parent_id AND q.status <> 'ERROR') = (SELECT q.amount FROM payments q WHERE q.id = p.parent_id)`,
			`-2 * NEW.delta_blocked`, `NEW.delta_blocked`),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 4.00; refund $p.e2e 6.00; balance`},
	{"answers amounts of R$ 1000 and more with a thousands separator", BenignData, "DEV-027", "refund.accepted",
		answering(devolution, accepted, retold("valor", thousands)),
		`cob 2000.00 as c; pay $c.code as p; refund $p.e2e 1000.00`},
	{"answers a descricao escaped for HTML", BenignData, "DEV-029", "refund.accepted",
		answering(devolution, all(accepted, sent("descricao")), retold("descricao", html.EscapeString)),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 descricao='Pão & café'`},
	{"answers a second refund as DEVOLVIDO when the first is", Second, "DEV-032", "refund.accepted",
		answering(devolution, all(accepted, otherRefund, func(c *call, _ *answer) bool { return len(c.recorded("type", "REFUND_IN", "status", "CONFIRMED")) > 0 }), set("status", `"DEVOLVIDO"`)),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00; refund $p.e2e 2.00`},
	{"gives two refunds of a payment one rtrId", Second, "DEV-025", "refund.accepted",
		answeringBy(devolution, rtrIDOfTheFirst),
		`rmanual; cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 as r; refund $p.e2e 2.00 as s`},
	{"finishes every refund of a payment with the first result", Second, "DEV-050", "refund.accepted",
		triggering(`AFTER UPDATE OF status ON refunds`,
			`OLD.status = 'EM_PROCESSAMENTO'`,
			`UPDATE refunds SET status = NEW.status, settled_at = NEW.settled_at WHERE parent_id = NEW.parent_id AND status = 'EM_PROCESSAMENTO'`),
		`rmanual; cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 as r; refund $p.e2e 2.00 as s; result $s.rtr DEVOLVIDO; shown $r.rtr`},
	{"lets a failed refund raise what can be refunded", ShortWay, "DEV-040", "refund.sum",
		refundedBesides(`AFTER UPDATE OF status`, `NEW.status = 'ERROR'`, `-NEW.amount`),
		`rmanual; cob 10.00 as c; pay $c.code as p; refund $p.e2e 5.00 as r; result $r.rtr NAO_REALIZADO; refund $p.e2e 12.00 =400`},
	{"forgets the refunds of a payment before one that has failed", History, "DEV-039", "refund.sum",
		refundedBesides(`AFTER UPDATE OF status`, `NEW.status = 'ERROR'`,
			`-(SELECT COALESCE(SUM(q.amount), 0) FROM payments q WHERE q.parent_id = NEW.parent_id AND q.status <> 'ERROR' AND q.id < NEW.id)`),
		`rmanual; cob 10.00 as c; pay $c.code as p; refund $p.e2e 6.00 as r; result $r.rtr DEVOLVIDO; refund $p.e2e 1.00 as s; result $s.rtr NAO_REALIZADO; refund $p.e2e 6.00 =400`},
	{"rounds a value with three decimals next to a descricao", OneBody, "DEV-041", "refund.valor",
		accepting(devolution, all(sent("descricao"), matching("valor", `^\d+\.\d{3}$`)), retold("valor", shorter)),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.005 descricao=oi =400`},
	{"sends the event of a refund to the first URL only", FirstElement, "EVT-003", "events.subscriptions",
		silent(`p.kind = 'refund-in' AND w.id <> ` + firstURL),
		`hook refund_in a; hook refund_in b; cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00`},
	{"answers centavos below ten with one decimal", BenignData, "DEV-012", "refund.accepted",
		answering(devolution, accepted, retold("valor", tenths)),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.05`},
}

// receivedLastYear holds for a payment of another year than this one: an end-to-end id has the time in it.
func receivedLastYear(c *call, _ *answer) bool {
	id := c.parameter("e2eid")
	return len(id) == 32 && id[9:13] != c.now().UTC().Format("2006")
}

// outgoingTransfer holds for the end-to-end id of a transfer, which the list has under its
// idempotency key.
func outgoingTransfer(c *call, _ *answer) bool {
	sent := c.recorded("endToEndId", c.parameter("e2eid"))
	return len(c.before(transfer, byTheSame, taken, func(_ *call, then *entry) bool {
		return len(sent) > 0 && then.call.header.Get(idempotency) == sent[0]["externalId"]
	})) > 0
}

// otherRefund holds for a payment of which another refund was taken.
var otherRefund = after(1, devolution, byTheSame, taken, sameParameter("e2eid"), otherParameter("id"))

// rtrIDOfTheFirst answers the rtrId of the payment's first refund.
func rtrIDOfTheFirst(c *call, _ *answer) []edit {
	then := c.firstBefore(devolution, byTheSame, taken, sameParameter("e2eid"), otherParameter("id"))
	if then == nil {
		return nil
	}
	return []edit{set("rtrId", string(encode(textAt(then.answer.body, "rtrId"))))}
}
