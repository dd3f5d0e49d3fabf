package mutants

import (
	"html"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"github.com/pixcert/pixcert/steps/api"
)

var deepCobMutants = []deepRow{
	{"does not check the debtor's CPF where the charge has a chave", OneBody, "COB-016", "cob.devedor",
		accepting(cob, all(sent("chave"), sent("devedor.cpf"), not(matching("devedor.cpf", `^\d{11}$`))), set("devedor.cpf", `"52998224725"`)),
		`cob 10.00 chave=loja@example.com devedor.cpf="123" =400`},
	{"does not check the debtor's CNPJ next to infoAdicionais", OneBody, "COB-017", "cob.devedor",
		accepting(cob, all(items("infoAdicionais", 0), sent("devedor.cnpj"), not(company("devedor.cnpj"))), set("devedor.cnpj", `"11222333000181"`)),
		`cob 10.00 infoAdicionais=2lines devedor.cpf=- devedor.cnpj="123" =400`},
	{"takes any text to the payer of a charge without a debtor", OneBody, "COB-034", "cob.texts",
		accepting(cob, all(lacking("devedor"), longer("solicitacaoPagador", api.MostDescription)), cut("solicitacaoPagador", api.MostDescription)),
		`cob 10.00 devedor=- solicitacaoPagador=a*141 =400`},
	{"takes a chave of 78 characters next to a company that owes", OneBody, "COB-031", "cob.texts",
		accepting(cob, all(sent("devedor.cnpj"), longer("chave", 77)), cut("chave", 77)),
		`cob 10.00 devedor.cpf=- devedor.cnpj="11222333000181" chave="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@example.com.br" =400`},
	{"takes three decimals next to infoAdicionais", OneBody, "COB-025", "cob.valor",
		accepting(cob, all(items("infoAdicionais", 0), matching("valor.original", `^\d+\.\d{3}$`)), retold("valor.original", shorter)),
		`cob 10.001 infoAdicionais=2lines =400`},
	{"answers only the first of infoAdicionais", FirstElement, "COB-036", "cob.texts",
		answering(cob, all(accepted, items("infoAdicionais", 1)), keeping("infoAdicionais", 1)),
		`cob 10.00 infoAdicionais=2lines`},
	{"answers the debtor's name without its accents", BenignData, "COB-048", "cob.created",
		answering(cob, all(accepted, nonASCII("devedor.nome")), retold("devedor.nome", unaccented)),
		`cob 10.00 devedor.nome='José Conceição'`},
	{"answers the debtor's CPF without its leading zero", BenignData, "COB-047", "cob.created",
		answering(cob, all(accepted, matching("devedor.cpf", `^0`)), retold("devedor.cpf", unpadded)),
		`cob 10.00 devedor.cpf="01234567890"`},
	{"answers the text to the payer escaped for HTML", BenignData, "COB-052", "cob.created",
		answering(cob, all(accepted, sent("solicitacaoPagador")), retold("solicitacaoPagador", html.EscapeString)),
		`cob 10.00 solicitacaoPagador='Mesa 4 & 5 "São João"'`},
	{"answers a chave in lower case", BenignData, "COB-051", "cob.created",
		answering(cob, accepted, retold("chave", strings.ToLower)),
		`cob 10.00 chave=Loja@Example.com`},
	{"answers a debtor's CNPJ as a CPF", OneBody, "COB-047", "cob.created",
		answering(cob, all(accepted, sent("devedor.cnpj")), rename("devedor", "cnpj", "cpf")),
		`cob 10.00 devedor.cpf=- devedor.cnpj="11222333000181"`},
	{"takes a txid again once its charge is paid", ShortWay, "COB-009", "cob.duplicate-txid",
		changing(cob, takingUsedTxIDs(func(c *call) bool {
			return first(c.recorded("externalId", c.parameter("txid")), "status", "Confirmado")
		})),
		`cob 10.00 txid=t1 as c; pay $c.code; cob 10.00 txid=t1 =409`},
	{"takes a txid again after two other charges", History, "COB-009", "cob.duplicate-txid",
		changing(cob, takingUsedTxIDs(func(c *call) bool { return followed(2, cob, samePath)(c, nil) })),
		`cob 10.00 txid=t1; 2x cob 1.00; cob 10.00 txid=t1 =409`},
	{"removes a paid charge that is refunded", ShortWay, "COB-064", "cob.paid-once",
		triggering(`AFTER UPDATE OF status ON refunds`, whollyRefunded,
			`UPDATE charges SET status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR' WHERE payment_id = NEW.parent_id AND kind = 'cob'`),
		`cob 10.00 txid=t1 as c; pay $c.code as p; refund $p.e2e 10.00; charge t1`},
	{"lets a refunded charge be paid again", ShortWay, "COB-064", "cob.paid-once",
		triggering(`AFTER UPDATE OF status ON refunds`, whollyRefunded, `UPDATE charges SET status = 'ATIVA', payment_id = 0 WHERE payment_id = NEW.parent_id AND kind = 'cob'`),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 10.00; pay $c.code =409`},
	{"never ends a charge that expires in more than a day", Calendar, "COB-062", "cob.expired",
		triggering(`BEFORE INSERT ON jobs`, `NEW.kind = 'expire' AND (SELECT expires_at - created_at FROM charges WHERE id = NEW.charge_id) > 86400000000`, `SELECT RAISE(IGNORE)`),
		`cob 10.00 txid=t1 calendario.expiracao=172800; clock +3d; charge t1`},
	{"lets a cob of under a minute expire at once", Calendar, "COB-058", "cob.paid",
		triggering(`AFTER INSERT ON charges`, `NEW.kind = 'cob' AND NEW.expires_at - NEW.created_at < 60000000`, `UPDATE charges SET expires_at = created_at WHERE id = NEW.id`),
		`cob 10.00 calendario.expiracao=45 as c; pay $c.code`},
	{"answers an amount whose centavos end in zero with one decimal", BenignData, "COB-049", "cob.valor",
		answering(cob, all(accepted, matching("valor.original", `\.[1-9]0$`)), retold("valor.original", trimmedZeros)),
		`cob 10.50`},
	{"reports the txid of the first charge for every later one", Second, "EVT-063", "events.receive",
		reporting(`p.kind = 'cob'`, `$.data.txId`, `(SELECT q.external_id `+firstPaid+`)`),
		`hook cash_in a; cob 10.00 as a; cob 11.00 as b; pay $a.code; pay $b.code`},
	{"sends no event of a paid charge without a debtor", OneBody, "COB-059", "cob.paid",
		silent(`p.kind = 'cob' AND (SELECT COALESCE(json_extract(c.body, '$.Debtor.nome'), '') FROM charges c WHERE c.payment_id = p.id) = ''`),
		`hook cash_in a; cob 10.00 devedor=- as c; pay $c.code`},
	{"answers a txid in lower case", BenignData, "COB-039", "cob.txid",
		answering(cob, all(accepted, naming("txid", `[A-Z]`)), retold("txid", strings.ToLower)),
		`cob 10.00 txid=Pedido2026Loja0001Caixa0007`},
	{"does not credit what a company pays", OneBody, "COB-060", "cob.paid",
		booking(`NEW.kind = 'received' AND p.kind = 'cob' AND length(p.counterpart_document) = 14`, `0`, `NEW.delta_blocked`),
		`cob 10.00 as c; pay $c.code payer.document="11222333000181"; balance`},
	{"reports the document of a company that pays unmasked", BenignData, "EVT-069", "events.receive",
		reporting(`p.kind = 'cob' AND length(p.counterpart_document) = 14`, `$.data.debtorAccount.document`, `p.counterpart_document`),
		`hook cash_in a; cob 10.00 as c; pay $c.code payer.document="11222333000181"`},
	{"reports the end-to-end id of the first payment for every later one", Second, "EVT-067", "events.receive",
		reporting(`p.kind = 'cob'`, `$.data.endToEndId`, `(SELECT q.end_to_end_id `+firstPaid+`)`),
		`hook cash_in a; cob 10.00 as a; cob 11.00 as b; pay $a.code; pay $b.code`},
	{"ends an expired charge no earlier than the next midnight", Calendar, "COB-062", "cob.expired",
		triggering(`AFTER INSERT ON jobs`,
			`NEW.kind = 'expire' AND NEW.charge_id <> 0`,
			`UPDATE jobs SET due_at = (SELECT ((NEW.due_at + clock_offset - 10800000000) / 86400000000 + 1) * 86400000000 + 10800000000 - clock_offset FROM accounts WHERE id = NEW.account_id) WHERE id = NEW.id`),
		`cob 10.00 txid=t1 calendario.expiracao=3600; clock +2h; charge t1`},
	{"cuts names of infoAdicionais at 20 characters", BenignData, "COB-053", "cob.created",
		answering(cob, all(accepted, items("infoAdicionais", 0)), cut("infoAdicionais[].nome", 20)),
		`cob 10.00 infoAdicionais=2lines infoAdicionais.0.nome='Número do pedido na loja'`},
	{"does not answer the name of a debtor who is a company", OneBody, "COB-018", "cob.created",
		answering(cob, all(accepted, sent("devedor.cnpj")), drop("devedor.nome")),
		`cob 10.00 devedor.cpf=- devedor.cnpj="11222333000181" devedor.nome='Padaria do Zé'`},
	{"answers the expiracao of the account's previous charge", History, "COB-038", "cob.created",
		answeringBy(cob, lifeOfThePrevious),
		`cob 10.00 calendario.expiracao=3600; cob 11.00 calendario.expiracao=7200`},
	{"does not let the receiver end a charge while another is paid", ShortWay, "COB-061", "cob.ended",
		ignoring(ending, all(sent("by", `"receiver"`), after(1, payment, byTheSame, taken))),
		`cob 10.00 as a; pay $a.code; cob 11.00 txid=t2; end t2 receiver; charge t2`},
}

// takingUsedTxIDs makes another charge for a used txid when so it should.
func takingUsedTxIDs(when func(*call) bool) change {
	return func(c *call, pass server) *answer {
		a := pass(c)
		if a.status != http.StatusConflict || !when(c) {
			return a
		}
		txid := c.parameter("txid")
		other := strings.ReplaceAll(uuid.NewString(), "-", "")
		return pass(c.edited(renamed(cob, "txid", func(string) string { return other }))).edited(replaced("txid", other, txid))
	}
}

// lifeOfThePrevious answers how long the client's charge before lives.
func lifeOfThePrevious(c *call, _ *answer) []edit {
	then := c.lastBefore(cob, byTheSame, taken)
	if then == nil {
		return nil
	}
	life, _ := lookup(then.answer.body, "calendario.expiracao")
	return []edit{set("calendario.expiracao", string(encode(life)))}
}
