package mutants

// toleratedLaxity are laxer or stricter than one would wish where the specification lets
// them: they conform, most of them with a warning.
var toleratedLaxity = []Mutant{
	tolerate("takes a number for a valor", accepting(devolution, sent("valor", `1.00`), set("valor", `"1.00"`))),
	tolerate("takes a number for the value of a cob", accepting(cob, sent("valor.original", `10.00`), value10)),
	tolerate("begins a case as received", answering(meds, all(told("data[0].status", `OPEN`), asked("status", `^$`)), set("data[].status", `"RECEIVED"`))),
	tolerate("takes a word for a page of the MED list", accepting(meds, asked("page", `abc`), ask("page", "1"))),
	tolerate("does not say which payment is contested", sending(sent("endToEnd"), drop("endToEnd"))),
	tolerate("does not know the numbers of transactions", refusing(resend, naming(identifier, `^\d+$`), 404, "HTTP_ERROR")),
	tolerate("counts resends for ever", refusing(resend, after(62, resend, byTheSame), 429, "HTTP_ERROR")),
	tolerate("answers 403 for a destination that cannot be reached", answering(resend, all(refused, matching("url", `^https`)), status(403))),
	tolerate("pays no dynamic code", refusing(qrCashOut, matching("qrCode", `^000201010212`), 400, "HTTP_ERROR")),
	tolerate("wants a split where there are splits", refusing(cashIn, sent("splits", `[]`), 400, "HTTP_ERROR")),
	tolerate("gives every cob the same loc.id", answering(cob, accepted, set("loc.id", `1`))),
	tolerate("refuses empty infoAdicionais", refusing(cob, sent("infoAdicionais", `[]`), 400, "")),
	tolerate("takes the keys of a cob from 76 characters on for none", refusing(cob, longer("chave", 76), 400, "")),
	tolerate("does not pay a code beyond ASCII", refusing(qrCashOut, matching("qrCode", `São`), 400, "HTTP_ERROR")),
	tolerate("does not bound cash-outs to a QR Code", accepting(qrCashOut, overTransaction, set("value", `0.01`))),
}
