package mutants

var outcomeMutants = []Mutant{
	{"calls a settled payment LIQUIDATED", "cash-out.confirmed", sending(confirmed, set("status", `"LIQUIDATED"`))},
	{"calls a settled payment PENDING still", "cash-out.confirmed", sending(confirmed, set("status", `"PENDING"`))},
	{"sends no word of a settled payment", "cash-out.confirmed", ignoring(event, confirmed)},
	{"rejects what the bank confirms", "cash-out.confirmed", misreading(bank, sent("outcome", `"CONFIRMED"`), rejectedByBank)},
	{"has an empty errorCode of a settled payment", "cash-out.confirmed", sending(confirmed, set("errorCode", `""`))},
	{"leaves errorCode out of a settled payment", "cash-out.confirmed", sending(confirmed, drop("errorCode"))},

	{"confirms what the bank rejects", "cash-out.error", sending(failed, confirmedAfterAll)},
	{"calls a rejected payment REJECTED", "cash-out.error", sending(failed, set("status", `"REJECTED"`))},
	{"sends no word of a rejected payment", "cash-out.error", ignoring(event, failed)},
	{"does not say why a payment was rejected", "cash-out.error", sending(failed, set("errorCode", `null`))},
	{"says nothing about a rejection", "cash-out.error", sending(failed, set("errorMessage", `null`))},
	{"takes TAX_ID_MISMATCH for INVALID_TAX_ID", "cash-out.error", sending(failedAs("TAX_ID_MISMATCH"), set("errorCode", `"INVALID_TAX_ID"`))},
	{"takes INVALID_TAX_ID for TAX_ID_MISMATCH", "cash-out.error", sending(failedAs("INVALID_TAX_ID"), set("errorCode", `"TAX_ID_MISMATCH"`))},
	{"takes a blocked account for a closed one", "cash-out.error", sending(failedAs("BLOCKED_ACCOUNT"), set("errorCode", `"ACCOUNT_CLOSED"`))},
	{"takes a closed account for a rejected order", "cash-out.error", sending(failedAs("ACCOUNT_CLOSED"), set("errorCode", `"ORDER_REJECTED"`))},
	{"gives the bank's own code of a rejection", "cash-out.error", sending(failedAs("ORDER_REJECTED"), set("errorCode", `"AC03"`))},
	{"takes an expired payment for a time-out", "cash-out.error", sending(failedAs("PAYMENT_EXPIRED"), set("errorCode", `"SETTLEMENT_TIMEOUT"`))},
	{"confirms a payment whose bank did not answer in time", "cash-out.error", sending(failedAs("SETTLEMENT_TIMEOUT"), confirmedAfterAll)},

	{"takes a retry for a repeat, by its amount", "cash-out.retry", refusing(cashOut, after(1, cashOut, byTheSame, taken, same("value")), 400, "PIX_DUPLICATE_EXTERNAL_ID")},
	{"blocks an account after an expiry", "cash-out.retry", changing(bank, blockingAfter("PAYMENT_EXPIRED"))},
	{"blocks an account after a time-out", "cash-out.retry", changing(bank, blockingAfter("SETTLEMENT_TIMEOUT"))},

	{"does not ask who holds the key", "cash-out.holder-check", ignoring(directory, always)},
	{"confirms a payment to somebody else's key", "cash-out.holder-check", sending(failedAs("TAX_ID_MISMATCH"), confirmedAfterAll)},
	{"confirms a payment to a blocked account", "cash-out.holder-check", sending(failedAs("BLOCKED_ACCOUNT"), confirmedAfterAll)},
	{"confirms a payment to a closed account", "cash-out.holder-check", sending(failedAs("ACCOUNT_CLOSED"), confirmedAfterAll)},
	{"holds nobody for the holder of a key", "cash-out.holder-check", sending(confirmed, rejected("TAX_ID_MISMATCH"))},
	{"sends no word of a failed check", "cash-out.holder-check", ignoring(event, failed)},

	{"confirms a payment with wrong check digits", "cash-out.tax-id", sending(failedAs("INVALID_TAX_ID"), confirmedAfterAll)},
	{"takes wrong check digits for another holder", "cash-out.tax-id", sending(failedAs("INVALID_TAX_ID"), set("errorCode", `"TAX_ID_MISMATCH"`))},
	{"sends no word of wrong check digits", "cash-out.tax-id", ignoring(event, failedAs("INVALID_TAX_ID"))},
	{"answers wrong check digits with 422", "cash-out.tax-id", refusing(cashOut, sent("details.document", `"52998224726"`), 422, "HTTP_ERROR")},
	{"takes a CPF of equal digits", "cash-out.tax-id", sending(all(failed, written(`"document":"[^"]*1+[^"]*"`)), confirmedAfterAll)},
}

var (
	confirmed         = sent("status", `"CONFIRMED"`)
	failed            = sent("status", `"ERROR"`)
	confirmedAfterAll = together(set("status", `"CONFIRMED"`), set("errorCode", `null`), set("errorMessage", `null`))
	rejectedByBank    = together(set("outcome", `"ERROR"`), set("errorCode", `"ORDER_REJECTED"`), set("errorMessage", `"rejected"`))
)

func failedAs(code string) condition { return sent("errorCode", string(encode(code))) }

// rejected makes the event of a payment one of its rejection.
func rejected(code string) edit {
	return together(set("status", `"ERROR"`), set("errorCode", string(encode(code))), set("errorMessage", `"rejected by the bank"`))
}

// blockingAfter lets an account pay nothing more once a payment failed with the code.
func blockingAfter(code string) change {
	return func(c *call, pass server) *answer {
		a := pass(c)
		if failedAs(code)(c, a) {
			block := c.edited(body(`{"perTransaction":"0.00"}`))
			block.method, block.path = "PUT", "/accounts/"+c.client+"/limits"
			pass(block)
		}
		return a
	}
}
