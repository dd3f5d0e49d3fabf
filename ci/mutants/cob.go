package mutants

import (
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var cobMutants = []row{
	{"requires infoAdicionais of a company", "cob.shapes", refusing(cob, all(sent("devedor.cnpj"), lacking("infoAdicionais")), 400, "")},
	{"requires a chave without a debtor's text", "cob.shapes", refusing(cob, all(lacking("chave"), lacking("solicitacaoPagador")), 400, "")},

	{"returns 204 for a cob", "cob.created", answering(cob, accepted, status(204), body(""))},
	{"returns a cob in a format of its own", "cob.created", answering(cob, accepted, rename("", "status", "estado"))},
	{"reports a new cob as CRIADA", "cob.created", answering(cob, accepted, set("status", `"CRIADA"`))},
	{"starts the revisions of a cob at 1", "cob.created", answering(cob, accepted, set("revisao", `1`))},
	{"labels São Paulo time as UTC in a cob", "cob.created", answering(cob, accepted, stamped(mislabelled, saoPaulo))},
	{"returns a cob with another txid", "cob.created", answering(cob, accepted, replaced("txid", "a", "b"), suffixed("txid", "x"))},
	{"returns another expiracao for a cob", "cob.created", answering(cob, accepted, set("calendario.expiracao", `3600`))},
	{"returns the expiracao of a cob as a string", "cob.created", answering(cob, accepted, quoted("calendario.expiracao"))},
	{"returns the id of a location as a string", "cob.created", answering(cob, accepted, quoted("loc.id"))},
	{"returns the same location for every cob", "cob.created", answering(cob, accepted, set("location", `"`+anyCode+`"`), set("loc.location", `"`+anyCode+`"`))},
	{"returns the code in loc.location and a URL in location", "cob.created", answering(cob, accepted, set("location", `"pix.example.com/1"`))},
	{"returns tipoCob cobv for every charge", "cob.created", answering(cob, accepted, set("loc.tipoCob", `"cobv"`))},
	{"does not echo the CPF of a debtor", "cob.created", answering(cob, accepted, drop("devedor.cpf"))},
	{"does not echo the CNPJ of a debtor", "cob.created", answering(cob, accepted, drop("devedor.cnpj"))},
	{"does not echo the name of a debtor", "cob.created", answering(cob, accepted, drop("devedor.nome"))},
	{"returns the value of a cob as a number", "cob.created", answering(cob, accepted, unquoted("valor.original"))},
	{"does not return modalidadeAlteracao", "cob.created", answering(cob, accepted, drop("valor.modalidadeAlteracao"))},
	{"does not echo the key of a cob", "cob.created", answering(cob, accepted, drop("chave"))},
	{"does not echo solicitacaoPagador", "cob.created", answering(cob, accepted, drop("solicitacaoPagador"))},
	{"does not echo infoAdicionais", "cob.created", answering(cob, accepted, set("infoAdicionais", `[]`))},
	{"credits a cob before it is paid", "cob.created", answering(balances, after(1, cob, byTheSame, taken), plus(available, 1000))},
	{"blocks money for a cob", "cob.created", answering(balances, after(1, cob, byTheSame, taken), plus(blocked, 1000))},

	{"rejects a txid of 35 characters", "cob.txid", refusing(cob, onPath(`/cob/.{35}$`), 400, "")},
	{"rejects a txid of 26 characters", "cob.txid", refusing(cob, onPath(`/cob/.{26}$`), 400, "")},
	{"truncates the txid in the response", "cob.txid", answering(cob, accepted, cut("txid", 25))},
	{"accepts a txid of 25 characters", "cob.txid", pretending(cob, onPath(`/cob/.{25}$`))},
	{"accepts a txid of 36 characters", "cob.txid", pretending(cob, onPath(`/cob/.{36}$`))},
	{"accepts a hyphen in a txid", "cob.txid", pretending(cob, onPath(`-`))},
	{"accepts an underscore in a txid", "cob.txid", pretending(cob, onPath(`_`))},
	{"accepts a dot in a txid", "cob.txid", pretending(cob, onPath(`\.`))},
	{"returns 404 for an invalid txid", "cob.txid", answering(cob, refused, status(404))},

	{"returns the first charge for a repeated cob", "cob.duplicate-txid", repeating(cob, byTheSame, taken, samePath, same("valor.original"))},
	{"updates an existing cob", "cob.duplicate-txid", pretending(cob, all(was(409), after(1, cob, byTheSame, taken, samePath, other("valor.original"))))},
	{"returns 422 for a repeated cob", "cob.duplicate-txid", answering(cob, was(409), status(422))},
	{"rejects a repeated cob without a message", "cob.duplicate-txid", answering(cob, was(409), drop("message"))},
	{"reports a repeated cob as a bad request", "cob.duplicate-txid", answering(cob, was(409), set("error", `"Bad Request"`))},
	{"creates a cob several times for concurrent requests", "cob.duplicate-txid", pretending(cob, all(was(409), concurrent))},
	{"creates a finished cob again", "cob.duplicate-txid", pretending(cob, all(was(409), not(concurrent)))},

	{"accepts a cob without a calendario", "cob.calendario", accepting(cob, lacking("calendario"), calendar)},
	{"accepts anything as a calendario", "cob.calendario", accepting(cob, kind("calendario", "text", "list"), calendar)},
	{"accepts a word as expiracao", "cob.calendario", accepting(cob, kind("calendario.expiracao", "word"), calendar)},
	{"accepts an object as expiracao", "cob.calendario", accepting(cob, kind("calendario.expiracao", "object"), calendar)},
	{"returns 500 for expiracao in quotes", "cob.left-open", refusing(cob, kind("calendario.expiracao", "quoted"), 500, "")},
	{"returns 422 for an invalid calendario", "cob.calendario", answering(cob, refused, status(422))},

	{"requires a debtor", "cob.devedor", refusing(cob, unsent("devedor"), 400, "")},
	{"accepts any CPF of a debtor", "cob.devedor", accepting(cob, sent("devedor.cpf"), drop("devedor"))},
	{"accepts any CNPJ of a debtor", "cob.devedor", accepting(cob, sent("devedor.cnpj"), drop("devedor"))},
	{"accepts a string as a debtor", "cob.devedor", accepting(cob, kind("devedor", "text"), drop("devedor"))},
	{"returns 422 for an invalid debtor", "cob.devedor", answering(cob, refused, status(422))},

	{"rejects a cob of less than R$ 1.00", "cob.valor", refusing(cob, below("valor.original", "1"), 400, "")},
	{"rejects a cob of more than R$ 100.00", "cob.valor", refusing(cob, above("valor.original", "100"), 400, "")},
	{"drops trailing zeros from the value of a cob", "cob.valor", answering(cob, accepted, retold("valor.original", withoutZeros))},
	{"computes cobs in floating point and truncates", "cob.valor", answering(cob, accepted, binary("valor.original"))},
	{"reads the value of a cob as an integer", "cob.valor", refusing(cob, cents("valor.original"), 400, "")},
	{"requires a value without decimals in a cob", "cob.valor", accepting(cob, all(kind("valor.original", "quoted"), decimals("valor.original", 0, 0)), value10)},
	{"accepts a cob with one decimal", "cob.valor", accepting(cob, all(kind("valor.original", "quoted"), decimals("valor.original", 1, 1)), value10)},
	{"accepts a cob with three decimals", "cob.valor", accepting(cob, all(kind("valor.original", "quoted"), decimals("valor.original", 3, 99)), value10)},
	{"accepts a comma in the value of a cob", "cob.valor", accepting(cob, matching("valor.original", `,`), value10)},
	{"accepts a negative cob", "cob.valor", accepting(cob, below("valor.original", "0"), value10)},
	{"accepts a cob without a value", "cob.valor", accepting(cob, lacking("valor.original"), value10)},
	{"accepts a string as valor", "cob.valor", accepting(cob, kind("valor", "text"), value10)},
	{"returns 422 for an invalid value of a cob", "cob.valor", answering(cob, refused, status(422))},
	{"lets any payer change the amount", "cob.valor", answering(cob, accepted, set("valor.modalidadeAlteracao", `1`))},

	{"requires the key of a cob", "cob.texts", refusing(cob, unsent("chave"), 400, "")},
	{"requires solicitacaoPagador", "cob.texts", refusing(cob, unsent("solicitacaoPagador"), 400, "")},
	{"rejects a solicitacaoPagador of 140 characters", "cob.texts", refusing(cob, longer("solicitacaoPagador", api.MostDescription-1), 400, "")},
	{"requires infoAdicionais", "cob.texts", refusing(cob, unsent("infoAdicionais"), 400, "")},
	{"accepts a key of 78 characters", "cob.texts", accepting(cob, longer("chave", 77), drop("chave"))},
	{"accepts an object as the key of a cob", "cob.texts", accepting(cob, kind("chave", "object"), drop("chave"))},
	{"accepts a solicitacaoPagador of 141 characters", "cob.texts", accepting(cob, longer("solicitacaoPagador", api.MostDescription), drop("solicitacaoPagador"))},
	{"accepts an object as solicitacaoPagador", "cob.texts", accepting(cob, kind("solicitacaoPagador", "object"), drop("solicitacaoPagador"))},
	{"accepts anything as infoAdicionais", "cob.texts", accepting(cob, kind("infoAdicionais", "object", "text"), drop("infoAdicionais"))},
	{"returns 422 for an invalid text of a cob", "cob.texts", answering(cob, refused, status(422))},

	{"does not credit a paid cob", "cob.paid", ignoring(payment, always)},
	{"does not credit a paid cob", "cob.paid", sometimes(EverySecond, ignoring(payment, always))},
	{"credits a paid cob with more than was paid", "cob.paid", leaving(payment, accepted, windfall)},
	{"blocks the payment of a cob", "cob.paid", answering(balances, accepted, sum(blocked, available))},
	{"keeps a paid cob ATIVA", "cob.paid", answering(charge, accepted, set("status", `"ATIVA"`))},
	{"sends no event for a paid cob", "cob.paid", ignoring(event, always)},

	{"credits the second payment of a cob", "cob.paid-once", leaving(payment, was(409), windfall)},
	{"returns both payments when a cob is paid twice", "cob.paid-once", leaving(payment, was(409), "0.00")},
	{"expires a paid cob", "cob.paid-once", answering(charge, told("status", `CONCLUIDA`), set("status", `"REMOVIDA_PELO_PSP"`))},

	{"accepts the removal of a cob and ignores it", "cob.ended", ignoring(ending, always)},
	{"reports a removal by the PSP as one by the receiver", "cob.ended", misreading(ending, sent("by", `"psp"`), set("by", `"receiver"`))},
	{"reports a removal by the receiver as one by the PSP", "cob.ended", misreading(ending, sent("by", `"receiver"`), set("by", `"psp"`))},
	{"credits the payment of a removed cob", "cob.ended", leaving(payment, was(409), windfall)},

	{"expires a cob a minute early", "cob.expired", misreading(clock, passing(59*time.Minute, time.Hour), later(time.Minute))},
	{"expires a cob a minute late", "cob.expired", misreading(clock, passing(time.Hour, 61*time.Minute), later(-time.Minute))},
	{"never expires a cob", "cob.expired", answering(charge, told("status", `PSP`), set("status", `"ATIVA"`))},
	{"reports an expired cob as EXPIRADA", "cob.expired", answering(charge, told("status", `PSP`), set("status", `"EXPIRADA"`))},
	{"credits the payment of an expired cob", "cob.expired", leaving(payment, was(409), windfall)},
	{"does not credit a cob paid shortly before its expiry", "cob.expired", ignoring(payment, always)},

	{"returns 500 for an empty calendario", "cob.left-open", refusing(cob, kind("calendario", "no members"), 500, "")},
	{"returns 500 for an expiracao of 0", "cob.left-open", refusing(cob, equals("calendario.expiracao", "0"), 500, "")},
	{"returns 500 for a negative expiracao", "cob.left-open", refusing(cob, below("calendario.expiracao", "0"), 500, "")},
	{"returns 500 for an expiracao of more than 32 bits", "cob.left-open", refusing(cob, above("calendario.expiracao", "2147483647"), 500, "")},
	{"returns 500 for a cob of R$ 0.00", "cob.left-open", refusing(cob, equals("valor.original", "0"), 500, "")},
	{"returns 500 without modalidadeAlteracao", "cob.left-open", refusing(cob, unsent("valor.modalidadeAlteracao"), 500, "")},
	{"returns 500 for modalidadeAlteracao 1 or 2", "cob.left-open", refusing(cob, above("valor.modalidadeAlteracao", "0"), 500, "")},
	{"returns 500 for a debtor without a name", "cob.left-open", refusing(cob, unsent("devedor.nome"), 500, "")},
	{"returns 422 for a debtor with two documents", "cob.left-open", refusing(cob, all(sent("devedor.cpf"), sent("devedor.cnpj")), 422, "")},
	{"returns 422 for wrong check digits of a debtor", "cob.left-open", refusing(cob, wrongCheckDigits("devedor.cpf"), 422, "")},
	{"returns 400 for another account's txid", "cob.left-open", refusing(cob, after(1, cob, byAnother, taken, samePath), 400, "")},
	{"returns 500 for a used txid with the case swapped", "cob.left-open", refusing(cob, after(1, cob, byTheSame, taken), 500, "")},
}

var (
	calendar = set("calendario", `{"expiracao":86400}`)
	value10  = set("valor", `{"original":"10.00"}`)
)
