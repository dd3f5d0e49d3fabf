package mutants

import "github.com/pixcert/pixcert/steps/api"

var contractMutants = []row{
	{"returns a token as text/plain", "contract.token", answering(token, always, header("Content-Type", "text/plain"))},
	{"returns the token in another field", "contract.token", answering(token, accepted, rename("", "access_token", "accessToken"))},
	{"rejects a token request without a timestamp", "contract.token", answering(token, refused, drop("timestamp"))},
	{"returns a different statusCode when it rejects a token request", "contract.token", answering(token, refused, set("statusCode", `200`))},

	{"returns the balance without data", "contract.balances", answering(balances, accepted, rename("", "data", "balances"))},
	{"returns a balance with three decimals", "contract.balances", answering(balances, accepted, set(blocked, `0.001`))},
	{"returns the blocked balance as null", "contract.balances", answering(balances, accepted, set(blocked, `null`))},
	{"rejects a balance request without the reason phrase", "contract.balances", answering(balances, refused, drop("error"))},

	{"returns a cash-out without its time", "contract.cash-out", answering(cashOut, accepted, drop("generateTime"))},
	{"returns a cash-out with status WAITING", "contract.cash-out", answering(cashOut, accepted, set("status", `"WAITING"`))},
	{"returns another errorCode for insufficient balance", "contract.cash-out", answering(cashOut, insufficient, set("errorCode", `"INSUFFICIENT"`))},
	{"returns another reason phrase for an invalid body", "contract.cash-out", answering(cashOut, refusedAs(api.HTTPError), set("error", `"Unprocessable Entity"`))},
	{"rejects cash-outs with application/problem+json", "contract.cash-out", answering(cashOut, refused, header("Content-Type", "application/problem+json"))},
	{"returns a number among the messages", "contract.cash-out", answering(cashOut, refusedAs(api.HTTPError), set("message", `["value is required",1]`))},

	{"returns the word yes for success", "contract.register-webhook", answering(registration, accepted, set("success", `"yes"`))},
	{"rejects a registration in the simple envelope", "contract.register-webhook", answering(registration, refused, simplified)},
	{"returns 207 for a registration", "contract.register-webhook", answering(registration, accepted, status(207))},

	{"returns a list of webhooks without an envelope", "contract.list-webhooks", answering(list, accepted, rewritten(func(b []byte) []byte { v, _ := lookup(b, "webhooks"); return encode(v) }))},
	{"lists the type of a registration in upper case", "contract.list-webhooks", answering(list, accepted, set("webhooks[].type", `"CASH_OUT"`))},
	{"lists a registration without its time", "contract.list-webhooks", answering(list, accepted, drop("webhooks[].createdAt"))},
	{"rejects a list request without an errorId", "contract.list-webhooks", answering(list, refused, drop("errorId"))},

	{"sends the final amount as a string", "contract.cash-out-event", sending(always, quoted("finalAmount"))},
	{"sends no end-to-end id", "contract.cash-out-event", sending(always, drop("endToEndId"))},
	{"sends an unknown errorCode", "contract.cash-out-event", sending(failed, set("errorCode", `"UNKNOWN"`))},
	{"sends an errorMessage with a confirmation", "contract.cash-out-event", sending(confirmed, set("errorMessage", `"ok"`))},
	{"sends a cash-out as a credit", "contract.cash-out-event", sending(always, set("movementType", `"CREDIT"`))},

	{"returns a refund without a horario", "contract.refund", answering(devolution, accepted, drop("horario"))},
	{"returns an rtrId of 33 characters", "contract.refund", answering(devolution, accepted, suffixed("rtrId", "0"))},
	{"returns a refund with status PENDENTE", "contract.refund", answering(devolution, accepted, set("status", `"PENDENTE"`))},
	{"rejects a refund above the payment without a message", "contract.refund", answering(devolution, was(400), drop("message"))},
	{"rejects a refund of an unknown payment in plain text", "contract.refund", answering(devolution, was(404), body("Not Found"), header("Content-Type", "text/plain"))},
	{"returns a different statusCode when it rejects an empty refund", "contract.refund", answering(devolution, unsent("valor"), set("statusCode", `422`))},

	{"sends the amount of a REFUND as a number", "contract.refund-event", sending(refundEvent, unquoted("data.payment.amount"))},
	{"sends a REFUND without its end-to-end id", "contract.refund-event", sending(refundEvent, drop("data.endToEndId"))},

	{"returns a case without its bank", "contract.med-list", answering(meds, accepted, drop("data[].requestingBank"))},
	{"lists the id of a case as a string", "contract.med-list", answering(meds, accepted, quoted("data[].id"))},
	{"returns an unknown payment as an empty object", "contract.med-list", answering(meds, accepted, set("data[0].originalTransaction", `{}`))},
	{"rejects page 0 of the MED list without a message", "contract.med-list", answering(meds, was(400), drop("message"))},
	{"returns a different statusCode for page 0 of the MED list", "contract.med-list", answering(meds, was(400), set("statusCode", `422`))},

	{"lists transactions in a bare array", "contract.transaction-list", answering(transactions, accepted, rewritten(func(b []byte) []byte { v, _ := lookup(b, "data"); return encode(v) }))},
	{"lists a status of its own", "contract.transaction-list", answering(transactions, accepted, set("data[].status", `"Aguardando"`))},
	{"lists amounts with three decimals", "contract.transaction-list", answering(transactions, accepted, set("data[].originalAmount", `0.001`))},
	{"lists transactions without movementType", "contract.transaction-list", answering(transactions, accepted, drop("data[].movementType"))},
	{"rejects a list of transactions in the simple envelope", "contract.transaction-list", answering(transactions, refused, simplified)},

	{"lists an operationType of its own by key", "contract.key-list", answering(ofKey, accepted, set("data[].operationType", `"PIX"`))},
	{"lists by key without totalPages", "contract.key-list", answering(ofKey, accepted, drop("metadata.totalPages"))},
	{"lists a time without a zone by key", "contract.key-list", answering(ofKey, accepted, stamped(zoneless, saoPaulo))},
	{"rejects a list by key without an errorId", "contract.key-list", answering(ofKey, refused, drop("errorId"))},

	{"resends without sentAt", "contract.resend", answering(resend, accepted, drop("sentAt"))},
	{"returns the webhookLogId as a UUID", "contract.resend", answering(resend, accepted, fresh("webhookLogId"))},
	{"rejects a resend in the simple envelope", "contract.resend", answering(resend, refused, simplified)},

	{"returns a QR cash-out without its time", "contract.qr-cash-out", answering(qrCashOut, accepted, drop("generateTime"))},
	{"returns a QR cash-out with status WAITING", "contract.qr-cash-out", answering(qrCashOut, accepted, set("status", `"WAITING"`))},
	{"rejects a repeated QR cash-out in the simple envelope", "contract.qr-cash-out", answering(qrCashOut, was(409), simplified)},
	{"returns no errorCode for a used externalId of a QR cash-out", "contract.qr-cash-out", answering(qrCashOut, refusedAs(api.DuplicateExternalID), drop("errorCode"))},
	{"rejects a QR cash-out above the balance without a timestamp", "contract.qr-cash-out", answering(qrCashOut, insufficient, drop("timestamp"))},

	{"returns a cash-in without its code", "contract.cash-in", answering(cashIn, accepted, rename("", "pixCode", "emv"))},
	{"returns an image that is not a string", "contract.cash-in", answering(cashIn, accepted, set("qrCodeImage", `{"png":""}`))},
	{"rejects a repeated cash-in without an errorId", "contract.cash-in", answering(cashIn, duplicate, drop("errorId"))},

	{"returns a cob without its location", "contract.cob", answering(cob, accepted, drop("location"))},
	{"returns a cob with status CRIADA", "contract.cob", answering(cob, accepted, set("status", `"CRIADA"`))},
	{"rejects an invalid cob in the rich envelope only", "contract.cob", answering(cob, was(400), rename("", "error", "code"))},
	{"rejects a repeated cob with a list of messages", "contract.cob", answering(cob, was(409), listed("message"))},

	{"sends the amount of RECEIVE as a number", "contract.receive-event", sending(always, unquoted("data.payment.amount"))},
	{"sends RECEIVE without an end-to-end id", "contract.receive-event", sending(always, drop("data.endToEndId"))},
	{"sends RECEIVE with status CONFIRMED", "contract.receive-event", sending(always, set("data.status", `"CONFIRMED"`))},

	{"sends the amount of TRANSFER as a number", "contract.transfer-event", sending(always, unquoted("data.payment.amount"))},
	{"sends TRANSFER without x-idempotency-key", "contract.transfer-event", sending(always, drop("data.idempotencyKey"))},
	{"sends TRANSFER as a credit", "contract.transfer-event", sending(always, set("data.creditDebitType", `"CREDIT"`))},
	{"sends TRANSFER without the creditor", "contract.transfer-event", sending(always, drop("data.creditorAccount"))},

	{"returns a transfer with type QUEUED", "contract.transfer", answering(transfer, accepted, set("type", `"QUEUED"`))},
	{"rejects an invalid transfer without its status", "contract.transfer", answering(transfer, was(400), drop("statusCode"))},
	{"rejects a transfer above the balance with another reason phrase", "contract.transfer", answering(transfer, was(422), set("error", `"Unprocessable"`))},
	{"returns a repeated transfer without an id", "contract.transfer", answering(transfer, replayed, drop("id"))},
}
