package mutants

var contractMutants = []row{
	{"labels the answer to a token request as text", "contract.token", answering(token, always, header("Content-Type", "text/plain"))},
	{"gives a token in another field", "contract.token", answering(token, accepted, rename("", "access_token", "accessToken"))},
	{"refuses a token without a timestamp", "contract.token", answering(token, refused, drop("timestamp"))},
	{"repeats another status in a refused token request", "contract.token", answering(token, refused, set("statusCode", `200`))},

	{"gives the balance without data", "contract.balances", answering(balances, accepted, rename("", "data", "balances"))},
	{"gives a balance with three decimals", "contract.balances", answering(balances, accepted, set(blocked, `0.001`))},
	{"gives what is blocked as null", "contract.balances", answering(balances, accepted, set(blocked, `null`))},
	{"refuses a balance without its reason phrase", "contract.balances", answering(balances, refused, drop("error"))},

	{"gives a cash-out without its time", "contract.cash-out", answering(cashOut, accepted, drop("generateTime"))},
	{"gives a cash-out the status WAITING", "contract.cash-out", answering(cashOut, accepted, set("status", `"WAITING"`))},
	{"repeats another errorCode for want of money", "contract.cash-out", answering(cashOut, insufficient, set("errorCode", `"INSUFFICIENT"`))},
	{"gives another reason phrase for an invalid body", "contract.cash-out", answering(cashOut, refusedAs("HTTP_ERROR"), set("error", `"Unprocessable Entity"`))},
	{"labels refused cash-outs as problems", "contract.cash-out", answering(cashOut, refused, header("Content-Type", "application/problem+json"))},
	{"has a number among the messages", "contract.cash-out", answering(cashOut, refusedAs("HTTP_ERROR"), set("message", `["value is required",1]`))},

	{"gives yes for success", "contract.register-webhook", answering(registration, accepted, set("success", `"yes"`))},
	{"refuses a registration in the simple envelope", "contract.register-webhook", answering(registration, refused, simplified)},
	{"answers a registration with 207", "contract.register-webhook", answering(registration, accepted, status(207))},

	{"gives a list of webhooks and nothing around it", "contract.list-webhooks", answering(list, accepted, rewritten(func(b []byte) []byte { v, _ := lookup(b, "webhooks"); return encode(v) }))},
	{"counts a list in text", "contract.list-webhooks", answering(list, accepted, quoted("total"))},
	{"gives the type of a registration in capitals", "contract.list-webhooks", answering(list, accepted, set("webhooks[].type", `"CASH_OUT"`))},
	{"gives a registration without its time", "contract.list-webhooks", answering(list, accepted, drop("webhooks[].createdAt"))},
	{"refuses a list without an errorId", "contract.list-webhooks", answering(list, refused, drop("errorId"))},

	{"sends the final amount as text", "contract.cash-out-event", sending(always, quoted("finalAmount"))},
	{"sends no end-to-end id", "contract.cash-out-event", sending(always, drop("endToEndId"))},
	{"sends an errorCode that nobody knows", "contract.cash-out-event", sending(failed, set("errorCode", `"UNKNOWN"`))},
	{"sends an errorMessage with a confirmation", "contract.cash-out-event", sending(confirmed, set("errorMessage", `"ok"`))},
	{"sends a cash-out as a credit", "contract.cash-out-event", sending(always, set("movementType", `"CREDIT"`))},

	{"gives a refund without a horario", "contract.refund", answering(devolution, accepted, drop("horario"))},
	{"gives a rtrId of 33 characters", "contract.refund", answering(devolution, accepted, suffixed("rtrId", "0"))},
	{"gives a refund the status PENDENTE", "contract.refund", answering(devolution, accepted, set("status", `"PENDENTE"`))},
	{"refuses a refund beyond the payment without a message", "contract.refund", answering(devolution, was(400), drop("message"))},
	{"refuses a refund of an unknown payment in text", "contract.refund", answering(devolution, was(404), body("Not Found"), header("Content-Type", "text/plain"))},
	{"answers an empty refund with another status than it repeats", "contract.refund", answering(devolution, unsent("valor"), set("statusCode", `422`))},

	{"sends the amount of a REFUND as a number", "contract.refund-event", sending(refundEvent, unquoted("data.payment.amount"))},
	{"sends the amount of a refund as text", "contract.refund-event", sending(refundEvent, quoted("data.refunds[].payment.amount"))},
	{"sends the refunds of a REFUND as an object", "contract.refund-event", sending(refundEvent, set("data.refunds", `{}`))},
	{"sends a REFUND without its end-to-end id", "contract.refund-event", sending(refundEvent, drop("data.endToEndId"))},

	{"gives a case without its bank", "contract.med-list", answering(meds, accepted, drop("data[].requestingBank"))},
	{"gives the id of a case as text", "contract.med-list", answering(meds, accepted, quoted("data[].id"))},
	{"gives a payment that it does not know as an empty object", "contract.med-list", answering(meds, accepted, set("data[0].originalTransaction", `{}`))},
	{"gives no metadata of a MED list", "contract.med-list", answering(meds, accepted, drop("metadata"))},
	{"refuses page 0 of the MED list without a message", "contract.med-list", answering(meds, was(400), drop("message"))},
	{"repeats another status for page 0 of the MED list", "contract.med-list", answering(meds, was(400), set("statusCode", `422`))},

	{"lists transactions in an array alone", "contract.transaction-list", answering(transactions, accepted, rewritten(func(b []byte) []byte { v, _ := lookup(b, "data"); return encode(v) }))},
	{"lists a state of its own", "contract.transaction-list", answering(transactions, accepted, set("data[].status", `"Aguardando"`))},
	{"lists three decimals", "contract.transaction-list", answering(transactions, accepted, set("data[].originalAmount", `0.001`))},
	{"lists no movement", "contract.transaction-list", answering(transactions, accepted, drop("data[].movementType"))},
	{"counts transactions in text", "contract.transaction-list", answering(transactions, accepted, quoted("metadata.total"))},
	{"refuses a list of transactions in the simple envelope", "contract.transaction-list", answering(transactions, refused, simplified)},

	{"lists an operation of its own by key", "contract.key-list", answering(ofKey, accepted, set("data[].operationType", `"PIX"`))},
	{"lists no pages by key", "contract.key-list", answering(ofKey, accepted, drop("metadata.totalPages"))},
	{"lists a time without a zone by key", "contract.key-list", answering(ofKey, accepted, stamped(zoneless, saoPaulo))},
	{"refuses a list by key without an errorId", "contract.key-list", answering(ofKey, refused, drop("errorId"))},

	{"resends without telling when", "contract.resend", answering(resend, accepted, drop("sentAt"))},
	{"gives the id of a log as a UUID", "contract.resend", answering(resend, accepted, fresh("webhookLogId"))},
	{"gives a message of a resend in an object", "contract.resend", answering(resend, accepted, set("message", `{"pt":"enviado"}`))},
	{"refuses a resend in the simple envelope", "contract.resend", answering(resend, refused, simplified)},

	{"gives a QR cash-out without its time", "contract.qr-cash-out", answering(qrCashOut, accepted, drop("generateTime"))},
	{"gives a QR cash-out the status WAITING", "contract.qr-cash-out", answering(qrCashOut, accepted, set("status", `"WAITING"`))},
	{"refuses a repeated QR cash-out in the simple envelope", "contract.qr-cash-out", answering(qrCashOut, was(409), simplified)},
	{"refuses an empty QR cash-out without its path", "contract.qr-cash-out", answering(qrCashOut, refusedAs("HTTP_ERROR"), drop("path"))},
	{"refuses an uncovered QR cash-out without a timestamp", "contract.qr-cash-out", answering(qrCashOut, insufficient, drop("timestamp"))},

	{"gives a cash-in without its code", "contract.cash-in", answering(cashIn, accepted, rename("", "pixCode", "emv"))},
	{"gives an image that is no text", "contract.cash-in", answering(cashIn, accepted, set("qrCodeImage", `{"png":""}`))},
	{"refuses a repeated cash-in without an errorId", "contract.cash-in", answering(cashIn, duplicate, drop("errorId"))},
	{"refuses an empty cash-in without userMessage", "contract.cash-in", answering(cashIn, refusedAs("HTTP_ERROR"), drop("userMessage"))},

	{"gives a cob without its location", "contract.cob", answering(cob, accepted, drop("location"))},
	{"gives a cob the status CRIADA", "contract.cob", answering(cob, accepted, set("status", `"CRIADA"`))},
	{"refuses an invalid cob in the rich envelope only", "contract.cob", answering(cob, was(400), rename("", "error", "code"))},
	{"refuses a repeated cob with texts", "contract.cob", answering(cob, was(409), listed("message"))},

	{"tells the amount of RECEIVE as a number", "contract.receive-event", sending(always, unquoted("data.payment.amount"))},
	{"sends RECEIVE without an end-to-end id", "contract.receive-event", sending(always, drop("data.endToEndId"))},
	{"calls the status of RECEIVE CONFIRMED", "contract.receive-event", sending(always, set("data.status", `"CONFIRMED"`))},
	{"sends RECEIVE without the debtor", "contract.receive-event", sending(always, drop("data.debtorAccount"))},

	{"tells the amount of TRANSFER as a number", "contract.transfer-event", sending(always, unquoted("data.payment.amount"))},
	{"sends TRANSFER without x-idempotency-key", "contract.transfer-event", sending(always, drop("data.idempotencyKey"))},
	{"sends TRANSFER as a credit", "contract.transfer-event", sending(always, set("data.creditDebitType", `"CREDIT"`))},
	{"sends TRANSFER without the creditor", "contract.transfer-event", sending(always, drop("data.creditorAccount"))},
	{"tells the id of TRANSFER as text", "contract.transfer-event", sending(always, quoted("data.id"))},

	{"gives a transfer without its time", "contract.transfer", answering(transfer, accepted, drop("eventDate"))},
	{"gives a transfer the type QUEUED", "contract.transfer", answering(transfer, accepted, set("type", `"QUEUED"`))},
	{"refuses an invalid transfer without its status", "contract.transfer", answering(transfer, was(400), drop("statusCode"))},
	{"refuses an uncovered transfer with another reason phrase", "contract.transfer", answering(transfer, was(422), set("error", `"Unprocessable"`))},
	{"gives a repeated transfer without an id", "contract.transfer", answering(transfer, replayed, drop("id"))},
}
