package mutants

import "github.com/pixcert/pixcert/steps/api"

var stateMutants = []row{
	{"leaves a refund in processing", "states.refund", ignoring(refundResult, always)},
	{"lets every refund succeed", "states.refund", misreading(refundResult, always, set("status", `"DEVOLVIDO"`))},
	{"lets every refund fail", "states.refund", misreading(refundResult, always, set("status", `"NAO_REALIZADO"`))},
	{"lets a finished refund continue", "states.refund", answering(refundShown, after(2, refundResult, sameParameter("rtrId")), set("status", `"EM_PROCESSAMENTO"`))},
	{"moves a refund from DEVOLVIDO to NAO_REALIZADO", "states.refund", answering(refundShown, all(returned, after(1, refundResult, sameParameter("rtrId"), answered(sent("status", `"NAO_REALIZADO"`)))), set("status", `"NAO_REALIZADO"`))},
	{"moves a refund from NAO_REALIZADO to DEVOLVIDO", "states.refund", answering(refundShown, all(notReturned, after(1, refundResult, sameParameter("rtrId"), answered(sent("status", `"DEVOLVIDO"`)))), set("status", `"DEVOLVIDO"`))},
	{"forgets that a refund has failed", "states.refund", answering(refundShown, after(2, refundResult, sameParameter("rtrId"), answered(sent("status", `"NAO_REALIZADO"`))), set("status", `"EM_PROCESSAMENTO"`))},
	{"forgets that a refund has succeeded", "states.refund", answering(refundShown, after(2, refundResult, sameParameter("rtrId"), answered(sent("status", `"DEVOLVIDO"`))), set("status", `"EM_PROCESSAMENTO"`))},
	{"returns the money of a finished refund", "states.refund", leaving(refundResult, was(409), windfall)},
	{"returns the money when a refund succeeds again", "states.refund", leaving(refundResult, all(was(409), sent("status", `"DEVOLVIDO"`)), windfall)},
	{"returns the money when a refund fails again", "states.refund", leaving(refundResult, all(was(409), sent("status", `"NAO_REALIZADO"`)), windfall)},

	{"returns status CLOSED for a case that moved", "states.med", answering(meds, accepted, set("data[].status", `"CLOSED"`))},
	{"does not list a case that moved", "states.med", answering(meds, accepted, set("data", `[]`))},

	{"lists every payment as pending", "states.cash-out", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
	{"lists a confirmed payment with its state instead of the label", "states.cash-out", answering(transactions, told("data[0].status", `Confirmado`), set("data[].status", `"Liquidado"`))},
	{"lists a rejected payment as confirmed", "states.cash-out", answering(transactions, told("data[0].status", `Error`), set("data[].status", `"Confirmado"`))},
	{"confirms a payment that the bank rejects", "states.cash-out", misreading(bank, sent("outcome", `"ERROR"`), confirmedByBank)},
	{"rejects a payment that the bank confirms", "states.cash-out", misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank)},

	{"debits a payment again when the bank confirms it again", "states.cash-out", leaving(bank, all(was(409), sent("outcome", `"CONFIRMED"`)), "0.00")},
	{"debits a payment when the bank rejects it again", "states.cash-out", leaving(bank, all(was(409), sent("outcome", `"ERROR"`)), "0.00")},

	{"releases the money of a transfer that is confirmed again", "states.transfer", leaving(bank, all(was(409), sent("outcome", `"CONFIRMED"`)), windfall)},
	{"does not release the blocked amount of a settled transfer", "states.transfer", ignoring(bank, always)},
	{"rejects transfers that the bank confirms", "states.transfer", misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank)},

	{"does not let the receiver remove a cob", "states.charge", ignoring(ending, sent("by", `"receiver"`))},
	{"does not let the PSP remove a cob", "states.charge", ignoring(ending, sent("by", `"psp"`))},
	{"does not expire a cob", "states.charge", ignoring(clock, matching("advance", `^[0-9]{5,}s$|^[3-9][0-9]{3}s$`))},
	{"does not let a cob be paid", "states.charge", ignoring(payment, always)},
	{"completes a removed cob when a payer pays it", "states.charge", answering(charge, all(told("status", `REMOVIDA`), after(1, payment, byTheSame)), is("CONCLUIDA"))},
	{"reopens a removed cob", "states.charge", answering(charge, told("status", `REMOVIDA`), is("ATIVA"))},
	{"reopens a paid cob", "states.charge", answering(charge, told("status", `CONCLUIDA`), is("ATIVA"))},
	{"lets the receiver remove a finished cob", "states.charge", answering(charge, all(told("status", `CONCLUIDA|PSP`), after(1, ending, byTheSame, answered(sent("by", `"receiver"`)))), is("REMOVIDA_PELO_USUARIO_RECEBEDOR"))},
	{"lets the PSP remove a finished cob", "states.charge", answering(charge, all(told("status", `CONCLUIDA|RECEBEDOR`), after(1, ending, byTheSame, answered(sent("by", `"psp"`)))), is("REMOVIDA_PELO_PSP"))},
	{"lets a finished cob expire", "states.charge", answering(charge, all(told("status", `CONCLUIDA|RECEBEDOR`), after(1, clock, byTheSame)), is("REMOVIDA_PELO_PSP"))},
	{"returns EXPIRADA for a cob that expired", "states.charge", answering(charge, after(1, clock, byTheSame), is("EXPIRADA"))},
	{"credits the payment of a finished cob", "states.charge", leaving(payment, was(409), windfall)},
	{"debits the payment of a cob when it expires", "states.charge", leaving(clock, always, "0.00")},
	{"credits a cob when it is removed or expires", "states.charge", both(leaving(ending, always, windfall), leaving(clock, always, windfall))},

	{"credits a paid cash-in again", "states.cash-in", leaving(payment, was(409), windfall)},
	{"does not let a cash-in be paid", "states.cash-in", ignoring(payment, always)},
	{"always lists a paid cash-in as pending", "states.cash-in", answering(transactions, accepted, set("data[].status", `"Pendente"`))},
	{"does not credit the payment of a cash-in", "states.cash-in", leaving(payment, always, "0.00")},
}

// neighborMutants change more than what an event is about, or report what has not happened.
var neighborMutants = []row{
	{"confirms all pending payments with one", "states.cash-out", spreading(`payments`, `NEW.kind LIKE 'cash-out%' AND NEW.status = 'CONFIRMED'`,
		`status = 'CONFIRMED', processed_at = NEW.processed_at`, `status = 'PENDING' AND kind LIKE 'cash-out%'`)},
	{"rejects all pending payments with one", "states.cash-out", spreading(`payments`, `NEW.kind LIKE 'cash-out%' AND NEW.status = 'ERROR'`,
		`status = 'ERROR', error_code = NEW.error_code, processed_at = NEW.processed_at`, `status = 'PENDING' AND kind LIKE 'cash-out%'`)},
	{"rejects pending payments above a new limit", "states.cash-out", triggering(`AFTER UPDATE OF limit_transaction ON accounts`, `NEW.limit_transaction IS NOT NULL`,
		`UPDATE payments SET status = 'ERROR', processed_at = created_at WHERE account_id = NEW.id AND status = 'PENDING' AND amount > NEW.limit_transaction`)},
	{"reports a confirmed payment as failed, too", "states.cash-out", doubling(event, all(called("CashOut"), sent("status", `"CONFIRMED"`)), is("ERROR"), set("errorCode", quote(api.OrderRejected)))},
	{"lists a settled payment twice", "states.cash-out", answering(transactions, told("data[].status", `Confirmado|Error`), at("data", twice))},
	{"sends an account's events to every account", "states.cash-out", triggering(`AFTER INSERT ON events`, `1`,
		`INSERT INTO jobs (id, kind, account_id, payment_id, event_id, webhook_id, due_at)
			SELECT (SELECT MIN(0, COALESCE(MIN(id), 0)) FROM jobs) - w.id, 'deliver', NEW.account_id, NEW.payment_id, NEW.id, w.id, CAST(unixepoch('subsec') * 1000000 AS INTEGER)
			FROM webhooks w WHERE w.account_id <> NEW.account_id AND w.type = NEW.type AND w.active = 1`)},

	{"reports a rejected transfer as LIQUIDATED", "states.transfer", sending(all(typed("TRANSFER"), sent("data.status", `"ERROR"`)), set("data.status", `"LIQUIDATED"`))},
	{"reports a transfer as LIQUIDATED when it is ordered", "states.transfer", announcing(transfer, accepted, "cash_out", func(c *call, a *answer) string {
		return `{"type":"TRANSFER","data":{"status":"LIQUIDATED","idempotencyKey":` + string(encode(c.header.Get(idempotency))) + `}}`
	})},

	{"completes all cobs of an account when one is paid", "states.charge", answering(charge, all(told("status", `ATIVA`), after(1, payment, byTheSame)), is("CONCLUIDA"))},
	{"removes all cobs of an account with one", "states.charge", answering(charge, all(told("status", `ATIVA`), after(1, ending, byTheSame)), is("REMOVIDA_PELO_PSP"))},
	{"removes the first cob when a second is ordered", "states.charge", triggering(`AFTER INSERT ON charges`, `NEW.kind = 'cob'`,
		`UPDATE charges SET status = 'REMOVIDA_PELO_PSP' WHERE account_id = NEW.account_id AND kind = 'cob' AND status = 'ATIVA' AND id < NEW.id`)},
	{"reports a cob as paid when it is ordered", "states.charge", announcing(cob, accepted, "cash_in", func(c *call, a *answer) string {
		return `{"type":"RECEIVE","data":{"status":"LIQUIDATED","txId":` + string(encode(textAt(a.body, "txid"))) + `}}`
	})},

	{"confirms all cash-ins of an account when one is paid", "states.cash-in", spreading(`payments`, `NEW.kind = 'cash-in' AND NEW.status = 'CONFIRMED'`,
		`status = 'CONFIRMED', processed_at = NEW.processed_at`, `status = 'PENDING' AND kind = 'cash-in'`)},
	{"rejects the pending cash-in when another is ordered", "states.cash-in", triggering(`AFTER INSERT ON payments`, `NEW.kind = 'cash-in'`,
		`UPDATE payments SET status = 'ERROR', processed_at = created_at WHERE account_id = NEW.account_id AND kind = 'cash-in' AND status = 'PENDING' AND id < NEW.id`)},

	{"completes all refunds of an account with one", "states.refund", answering(refundShown, all(told("status", `EM_PROCESSAMENTO`), after(1, refundResult, byTheSame)), is("DEVOLVIDO"))},
	{"lists a failed refund as confirmed", "states.refund", answering(transactions, accepted, eachItem("data", func(_ int, item map[string]any) {
		if item["operationType"] == "Refund in" && item["status"] == "Error" {
			item["status"] = "Confirmado"
		}
	}))},
	{"reports a refund as REFUNDED when it is requested", "states.refund", announcing(devolution, accepted, "refund_in", func(_ *call, a *answer) string {
		return `{"type":"REFUND","data":{"status":"REFUNDED","endToEndId":` + string(encode(textAt(a.body, "rtrId"))) + `}}`
	})},

	{"analyzes all cases of an account with one", "states.med", spreading(`meds`, `NEW.status = 'ANALYZED'`, `status = 'ANALYZED', analysis_result = NEW.analysis_result`, `status <> 'ANALYZED'`)},
	{"cancels the other cases of an account when one is opened", "states.med", triggering(`AFTER INSERT ON meds`, `1`,
		`UPDATE meds SET status = 'CANCELLED' WHERE account_id = NEW.account_id AND id <> NEW.id`)},

	{"pays the splits of all charges with one", "states.splits", triggering(`AFTER UPDATE OF status ON splits`, `NEW.status = 'PAID'`,
		`UPDATE splits SET status = 'PAID' WHERE charge_id IN (SELECT id FROM charges c WHERE c.account_id = (SELECT d.account_id FROM charges d WHERE d.id = NEW.charge_id))`)},
	{"shows paid splits as pending once another charge is ordered", "states.splits", triggering(`AFTER INSERT ON charges`, `NEW.kind = 'cash-in'`,
		`UPDATE splits SET status = 'PENDING' WHERE charge_id IN (SELECT id FROM charges c WHERE c.account_id = NEW.account_id)`)},

	{"renews an expired token", "states.token", renewing(underTokens, always)},
	{"revokes the other certificates when one is registered", "states.certificate", triggering(`AFTER INSERT ON certificates`, `1`,
		`UPDATE certificates SET revoked = 1 WHERE account_id = NEW.account_id AND fingerprint <> NEW.fingerprint`)},
	{"forgets that a certificate is revoked when another is registered", "states.certificate", triggering(`AFTER INSERT ON certificates`, `1`,
		`UPDATE certificates SET revoked = 0`)},
	{"removes another account's registration of the same URL", "states.registration", triggering(`AFTER INSERT ON webhooks`, `1`,
		`DELETE FROM webhooks WHERE url = NEW.url AND account_id <> NEW.account_id`)},
	{"counts URLs of other types to the limit of one", "states.registration", refusing(registration, all(not(registered), urls(3)), 400, api.HTTPError)},
}

// spreading makes an update of one row of an account update others, too, for which the condition holds.
func spreading(table, when, update, others string) fault {
	return triggering(`AFTER UPDATE OF status ON `+table, when, `UPDATE `+table+` SET `+update+` WHERE account_id = NEW.account_id AND id <> NEW.id AND (`+others+`)`)
}

// twice repeats the items of an array.
func twice(v any) any {
	items, _ := v.([]any)
	return append(items, items...)
}

// is makes a state another one.
func is(state string) edit { return set("status", string(encode(state))) }
