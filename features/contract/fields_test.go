package contract

import (
	"fmt"
	"strings"
	"testing"

	second "github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fields holds the tables of the specification: for every field of a body, what it may
// be and what it may not. A value is JSON without spaces, #3 a text of 3 characters,
// items#3 and keys#3 an array and an object of that size, - a field that is left out.
// Everything else is as in the example.
//
// The first column says which rows of the checklist it is about.
var fields = []struct{ rows, body, field, good, bad string }{
	{"TOK", "token", "clientId", `"3F0C5B1E-6A7D-4F55-BB0E-2F4F7F1F8A11"`, `- "abc" "3f0c5b1e-6a7d-1f55-9b0e-2f4f7f1f8a11"`},
	{"TOK", "token", "clientSecret", `"s"`, `- 5 null`},

	{"DICT-005..011", "transfer", "pixKey", `"52998224725" "+5511999990000"`, `- 123 null`},
	{"DICT-013..016", "transfer", "creditorDocument", `"52998224725" "11222333000181"`, `- "12" "529.982.247-25" 52998224725`},
	{"DICT-017..020", "transfer", "priority", `- "HIGH" "NORM"`, `"LOW" "high" 1 null`},
	{"DICT-022", "transfer", "description", `- #200`, `1`},
	{"DICT-023", "transfer", "paymentFlow", `- "any"`, `1`},
	{"DICT-024..029", "transfer", "expiration", `- 1 10800 600.0`, `0 10801 "600" 1.5 -1`},
	{"DICT-032, DICT-033", "transfer", "payment", `{"amount":1}`, `- 10 [] {}`},
	{"DICT-034", "transfer", "payment.currency", `- "BRL"`, `1 "USD"`},
	{"DICT-035..038", "transfer", "payment.amount", `0.01 10.55 10 1e1`, `- "10.00" 10.555 0 -1 null`},
	{"DICT-039, DICT-040", "transfer", "ispbDeny", `- [] ["00000000"]`, `"12345678" {}`},
	{"DICT-040", "transfer", "ispbDeny[0]", `"12345678"`, `1 null`},

	{"OUT", "cashOut", "value", `0.01 90071992547409.93`, `- "10" 0 1.234 null`},
	{"OUT", "cashOut", "externalId", `"o"`, `- 1 null`},
	{"OUT", "cashOut", "description", `- #140`, `#141 1`},
	{"OUT", "cashOut", "details", ``, `- [] "x"`},
	{"OUT", "cashOut", "details.key", `"k"`, `- 1`},
	{"OUT-023", "cashOut", "details.keyType", `"DOCUMENT" "EMAIL" "PHONE" "RANDOM"`, `- "CPF" "email"`},
	{"OUT", "cashOut", "details.name", `#100`, `- #101 1`},
	{"OUT", "cashOut", "details.document", `"52998224725" "11222333000181"`, `- "5299822472" "112223330001811" "529982247251"`},

	{"OQR-002..007", "cashOutQRCode", "value", `0.01 1.23`, `- "10" 0 1.234`},
	{"OQR-012..018", "cashOutQRCode", "qrCode", `000201#50 000201#500`, `- 123 000201#49 000201#501 #100`},
	{"OQR-020, OQR-021", "cashOutQRCode", "externalId", `"o"`, `- 123`},
	{"OQR-025", "cashOutQRCode", "description", `- #200`, `1`},
	{"OQR-026", "cashOutQRCode", "name", `- #200`, `1`},
	{"OQR-027, OQR-028", "cashOutQRCode", "document", `- "52998224725" "11222333000181"`, `"12" "5299822472" "529982247251" 1`},

	{"IN-002, IN-003", "cashIn", "transaction", ``, `- "x"`},
	{"IN-004..009", "cashIn", "transaction.value", `0.01 1.23`, `- "10" 0 1.234`},
	{"IN-010..013", "cashIn", "transaction.description", `#1 #140`, `- "" #141 1`},
	{"IN-014, IN-015", "cashIn", "transaction.externalId", `#1`, `- "" 1`},
	{"IN-018..023", "cashIn", "transaction.expirationTime", `- 30 604800`, `"60" 29 604801`},
	{"IN-029, IN-030", "cashIn", "transaction.generateQrCode", `- true false`, `"yes" 1`},
	{"IN-035, IN-036", "cashIn", "payer", ``, `- "x"`},
	{"IN-037..039", "cashIn", "payer.fullName", `#100`, `- #101 1`},
	{"IN-040..043", "cashIn", "payer.document", `"52998224725" "11222333000181"`, `- "5299822472" "529982247251" "5299822472512" "112223330001811"`},
	{"IN-045..049", "cashIn", "additionalInfo", `- {} {"a":"b"} keys#10`, `{"a":1} {"a":null} keys#11 [] "x"`},
	{"IN-050, SPL-001..003", "cashIn", "splits", `- [] items#10`, `{} items#11`},
	{"SPL-009..011", "cashIn", "splits[0].pixKey", `#255`, `- #256 1`},
	{"SPL-012..018", "cashIn", "splits[0].pixKeyType", `"EMAIL" "PHONE" "CPF" "CNPJ" "RANDOM"`, `- "DOCUMENT"`},
	{"SPL-019..021", "cashIn", "splits[0].name", `#255`, `- #256 1`},
	{"SPL-022..025", "cashIn", "splits[0].document", `"52998224725" "11222333000181"`, `- "123.456.789-09" 1`},
	{"SPL-026..029", "cashIn", "splits[0].type", `"FIXED" "PERCENTAGE"`, `- "RATIO"`},
	{"SPL-030..037", "cashIn", "splits[0].value", `0.01 1.23`, `- "1" 1.234 0`},
	{"SPL-041, SPL-042", "cashIn", "splits[1].immediate", `- true false`, `"yes"`},

	{"COB-011", "cob", "calendario", `{}`, `- 3600`},
	{"COB-012", "cob", "calendario.expiracao", `- 1 3600`, `"3600" 0 1.5`},
	{"COB-013", "cob", "devedor", `- {}`, `"x"`},
	{"COB-014, COB-016", "cob", "devedor.cpf", `- "52998224725"`, `"123" "5299822472" "529982247251" 1`},
	{"COB-015, COB-017", "cob", "devedor.cnpj", `"11222333000181"`, `"123" "52998224725" 1`},
	{"COB-018", "cob", "devedor.nome", `- #200`, `1`},
	{"COB-019", "cob", "valor", ``, `- "10.00"`},
	{"COB-020..027", "cob", "valor.original", `"10.00" "0.01"`, `- 10.00 "10" "10.0" "10.000" "10,00" "abc" "-1.00" ".50"`},
	{"COB-028", "cob", "valor.modalidadeAlteracao", `- 0 1`, `"0" 2`},
	{"COB-029..031", "cob", "chave", `- #77`, `#78 1`},
	{"COB-032..034", "cob", "solicitacaoPagador", `- #140`, `#141 1`},
	{"COB-035, COB-036", "cob", "infoAdicionais", `- []`, `{} "x"`},
	{"COB-036", "cob", "infoAdicionais[0].nome", `"n"`, `- 1`},
	{"COB-036", "cob", "infoAdicionais[0].valor", `"v"`, `- 1`},

	{"DEV-010..013", "refund", "valor", `"1.00"`, `- 1.00 "1" "1.0" "1.000" "1,00" "abc"`},
	{"DEV-014..019", "refund", "natureza", `- "ORIGINAL" "RETIRADA"`, `"MED_OPERACIONAL" "MED_FRAUDE" "X"`},
	{"DEV-021..023", "refund", "descricao", `- #140`, `#141 1`},

	{"WHK", "registerWebhook", "url", `"HTTPS://a.example/x"`, `- 1 "http://a.example" "https://"`},
	{"WHK", "registerWebhook", "eventType", `"cash_in" "cash_out" "refund_in" "refund_out" "med_created" "med_accepted" "med_rejected"`, `- "CashOut"`},
	{"WHK-015..020", "registerWebhook", "headers", `- [] items#5`, `{} items#6`},
	{"WHK-017", "registerWebhook", "headers[0].key", `"k"`, `- 1`},
	{"WHK-018", "registerWebhook", "headers[0].value", `"v"`, `- 1`},

	{"RSD-006, RSD-007", "resendWebhook", "url", `- "https://a.example"`, `1 "http://a.example"`},

	{"AUTH", "token 201", "access_token", `"a.b.c"`, `- "abc" 1`},
	{"AUTH", "token 201", "token_type", `"Bearer"`, `- "bearer"`},
	{"AUTH", "token 201", "expires_in", `1800 1800.0`, `- 3600 "1800"`},

	{"BAL-005, BAL-006", "balances 200", "data", ``, `- [] items#2 {}`},
	{"BAL-007", "balances 200", "data[0].eventDate", `"2026-03-01T12:00:00Z" "2026-03-01T12:00:00.5+00:00"`, `- "2026-03-01" "2026-03-01T12:00:00" "2026-03-01T12:00:00-03:00"`},
	{"BAL", "balances 200", "data[0].balanceAmount", ``, `- 5`},
	{"BAL-008", "balances 200", "data[0].balanceAmount.available", `0 1.5`, `- "1" 1.555 null`},
	{"BAL-009", "balances 200", "data[0].balanceAmount.blocked", `0 1.5`, `- "1" 1.555 null`},
	{"BAL-010, BAL-011", "balances 200", "data[0].balanceAmount.overdraft", `0 0.00`, `- "0" 1`},

	{"BAL-022", "standardBalance 200", "grossBalance", `0`, `- "1" 1.555`},
	{"BAL-023", "standardBalance 200", "blockedBalance", `0`, `- "1" 1.555`},
	{"BAL-024", "standardBalance 200", "netBalance", `0`, `- "1" 1.555`},
	{"BAL-025", "standardBalance 200", "consultedAt", `"2026-03-01T12:00:00Z"`, `- "2026-03-01"`},

	{"DICT-049", "transfer 200", "endToEndId", `"any"`, `- 1 null`},
	{"DICT-051", "transfer 201", "eventDate", `"2026-03-01T12:00:00Z"`, `- 1 "2026-03-01"`},
	{"DICT-052", "transfer 202", "id", `1 1.0`, `- "1"`},
	{"DICT-053", "transfer 200", "payment", ``, `- 10.50`},
	{"DICT-053", "transfer 200", "payment.amount", `10`, `- "10.50" 1.555`},
	{"DICT-054, DICT-055", "transfer 200", "type", `"PENDING" "COMPLETED" "ERROR"`, `- "LIQUIDATED"`},

	{"OUT-053", "cashOut 201", "transactionId", `"8a1f0e5c-0b5f-4d0e-9a55-6a6f0c7a1b22"`, `- "17" 17`},
	{"OUT", "cashOut 201", "externalId", `"o"`, `- 1`},
	{"OUT", "cashOut 201", "status", `"PENDING"`, `- "CONFIRMED"`},
	{"OUT", "cashOut 201", "generateTime", `"2026-03-01T12:00:00Z"`, `- "2026-03-01"`},

	{"OQR-030, OQR-031", "cashOutQRCode 201", "transactionId", `"any"`, `- 17`},
	{"OQR-032", "cashOutQRCode 201", "externalId", `"o"`, `- 1`},
	{"OQR-033, OQR-034", "cashOutQRCode 201", "status", `"PENDING" "CONFIRMED" "ERROR"`, `- "Pendente"`},
	{"OQR-035", "cashOutQRCode 201", "generateTime", `"2026-03-01T12:00:00Z"`, `- "2026-03-01"`},

	{"IN-052", "cashIn 201", "transactionId", `"any"`, `- 17`},
	{"IN-053", "cashIn 201", "externalId", `"o"`, `- 1`},
	{"IN-054", "cashIn 201", "status", `"PENDING"`, `- "CONFIRMED"`},
	{"IN-055", "cashIn 201", "generateTime", `"2026-03-01T12:00:00Z"`, `- "2026-03-01"`},
	{"IN-056", "cashIn 201", "correlationId", `"8A1F0E5C-0b5f-4d0e-9a55-6a6f0c7a1b22"`, `- "abc" 1`},
	{"IN-057", "cashIn 201", "pixCode", `"000201"`, `- "" "pix.example/1" 1`},
	{"IN-058", "cashIn 201", "expirationDate", `"2026-03-01T12:00:00Z"`, `- 3600`},
	{"IN-031..034", "cashIn 201", "qrCodeImage", `- "AA=="`, `1 ""`},

	{"COB-037", "cob 201", "calendario", ``, `- 3600`},
	{"COB-037", "cob 201", "calendario.criacao", `"2026-03-01T12:00:00Z"`, `- "2026-03-01"`},
	{"COB-038", "cob 200", "calendario.expiracao", `- 1 3600.0`, `"3600"`},
	{"COB-039", "cob 201", "txid", ``, `- "short" 1`},
	{"COB-040", "cob 201", "revisao", `0`, `- 1 "0"`},
	{"COB-041", "cob 201", "loc", ``, `- 1`},
	{"COB-041", "cob 201", "loc.id", `1`, `- "1"`},
	{"COB-042", "cob 201", "loc.location", `"000201"`, `- "" 1`},
	{"COB-043", "cob 201", "loc.tipoCob", `"cob"`, `- "cobv"`},
	{"COB-044", "cob 201", "location", `"000201"`, `- "" 1`},
	{"COB-045, COB-046", "cob 201", "status", `"ATIVA" "CONCLUIDA" "REMOVIDA_PELO_USUARIO_RECEBEDOR" "REMOVIDA_PELO_PSP"`, `- "EXPIRADA"`},
	{"COB-047", "cob 201", "devedor", `- null`, `"x"`},
	{"COB-047", "cob 201", "devedor.cpf", `- null`, `1`},
	{"COB-047", "cob 201", "devedor.cnpj", `"11222333000181" null`, `1`},
	{"COB-048", "cob 201", "devedor.nome", `- null`, `1`},
	{"COB-049", "cob 201", "valor", ``, `- "10.50"`},
	{"COB-049", "cob 201", "valor.original", `"10.00"`, `- 10.00 "10" "10.5"`},
	{"COB-050", "cob 201", "valor.modalidadeAlteracao", `- 1`, `"0"`},
	{"COB-051", "cob 201", "chave", `- null "k"`, `1`},
	{"COB-052", "cob 201", "solicitacaoPagador", `- null "k"`, `1`},
	{"COB-053", "cob 201", "infoAdicionais", `- null []`, `{}`},
	{"COB-053", "cob 201", "infoAdicionais[0].nome", `"n"`, `- 1`},
	{"COB-054", "cob 201", "infoAdicionais[0].valor", `"v"`, `- 1`},

	{"DEV-024", "refund 201", "id", `"1"`, `- "" 1 #36`},
	{"DEV-025, DEV-026", "refund 200", "rtrId", `#32`, `- #31 #33 1`},
	{"DEV-027", "refund 202", "valor", `"1.00"`, `- 1.00 "1.0"`},
	{"DEV-028", "refund 201", "natureza", `- "ORIGINAL" "RETIRADA" "MED_OPERACIONAL" "MED_FRAUDE"`, `"X" 1`},
	{"DEV-029", "refund 201", "descricao", `- null #140`, `1 #141`},
	{"DEV-030", "refund 201", "horario", `{"solicitacao":"2026-03-01T12:00:00Z","liquidacao":"x"}`, `- "2026-03-01T12:00:00Z" {}`},
	{"DEV-031", "refund 201", "horario.solicitacao", `"2026-03-01T12:00:00Z"`, `- "2026-03-01"`},
	{"DEV-032, DEV-033", "refund 201", "status", `"EM_PROCESSAMENTO" "DEVOLVIDO" "NAO_REALIZADO"`, `- "PENDING"`},
	{"DEV-034", "refund 201", "motivo", `- null "why"`, `1`},

	{"MED-024", "listMeds 200", "data", `[]`, `- {}`},
	{"MED-033", "listMeds 200", "data[0].id", `1`, `- "1"`},
	{"MED-034", "listMeds 200", "data[0].endToEnd", `"any"`, `- null 1`},
	{"MED-035", "listMeds 200", "data[0].status", `"ANALYZED" "CANCELLED"`, `- "CLOSED"`},
	{"MED-036", "listMeds 200", "data[0].reason", `"REFUND_REQUEST" "REFUND_CANCELLATION"`, `- "OTHER" null`},
	{"MED-037", "listMeds 200", "data[0].cause", `null "ANY"`, `- 1`},
	{"MED-038", "listMeds 200", "data[0].description", `null "any"`, `- 1`},
	{"MED-039, MED-041", "listMeds 200", "data[0].analysisResult", `null "APPROVED" "REJECTED"`, `- "PENDING" 1`},
	{"MED-042", "listMeds 200", "data[0].analysisDetails", `null "any"`, `- 1`},
	{"MED-043", "listMeds 200", "data[0].requestingBank", ``, `- null`},
	{"MED-043", "listMeds 200", "data[0].requestingBank.ispb", `"12345678"`, `- 12345678`},
	{"MED-044", "listMeds 200", "data[0].requestingBank.name", `"any"`, `- 1`},
	{"MED-045", "listMeds 200", "data[0].contestedBank", ``, `- null`},
	{"MED-045", "listMeds 200", "data[0].contestedBank.ispb", `"12345678"`, `- 12345678`},
	{"MED-046", "listMeds 200", "data[0].contestedBank.name", `"any"`, `- 1`},
	{"MED-047", "listMeds 200", "data[0].originalTransaction", `null`, `- "x" {}`},
	{"MED-048", "listMeds 200", "data[0].originalTransaction.amount", `1`, `- "1" 1.555`},
	{"MED-049", "listMeds 200", "data[0].originalTransaction.type", `"any"`, `- 1`},
	{"MED-050", "listMeds 200", "data[0].originalTransaction.transactionType", `"any"`, `- 1`},
	{"MED-051", "listMeds 200", "data[0].originalTransaction.name", `"any"`, `- 1`},
	{"MED-052", "listMeds 200", "data[0].originalTransaction.document", `"***.982.247-**" "982247" "11.222.333/0001-XX"`, `- "52998224725" "529.982.247-25" "11.222.333/0001-81" 1`},
	{"MED-053", "listMeds 200", "data[0].originalTransaction.dateTime", `"2026-03-01T12:00:00Z"`, `- "2026-03-01"`},
	{"MED-054, MED-055", "listMeds 200", "data[0].isReconciled", `true`, `- "true" null`},
	{"MED-056", "listMeds 200", "data[0].originalTransactionId", `1`, `- "1" null`},
	{"MED-057", "listMeds 200 notReconciled", "data[0].originalTransactionId", `null`, `- 1`},
	{"MED-040", "listMeds 200 notReconciled", "data[0].analysisResult", `null`, `- "APPROVED"`},
	{"MED-035", "listMeds 200 notReconciled", "data[0].status", `"OPEN" "RECEIVED" "CANCELLED" "ANALYZED"`, `- "open"`},
	{"MED-058", "listMeds 200", "data[0].createdAt", `"2026-03-01T12:00:00Z"`, `- "2026-03-01"`},
	{"MED-059", "listMeds 200", "data[0].updatedAt", `"2026-03-01T12:00:00Z"`, `- "2026-03-01"`},
	{"MED-026", "listMeds 200", "metadata", ``, `- []`},
	{"MED-026", "listMeds 200", "metadata.total", `0`, `- "0"`},
	{"MED-027", "listMeds 200", "metadata.page", `1`, `- "1"`},
	{"MED-028", "listMeds 200", "metadata.pageSize", `1`, `- "1"`},
	{"MED-029", "listMeds 200", "metadata.totalPages", `0 1`, `- "1"`},

	// Item 0 is pending, item 1 is confirmed.
	{"LPK-035", "listTransactionsByKey 200", "data", `[]`, `- {}`},
	{"LTX-033", "listTransactions 200", "data[0].transactionId", `"any"`, `- 1 null`},
	{"LTX-034", "listTransactions 200", "data[0].externalId", `"any" null`, `- 1`},
	{"LTX-035, LTX-052..054", "listTransactions 200", "data[0].status", `"Pendente" "Error"`, `- "PENDING" "Erro"`},
	{"LTX-036, LTX-061, LTX-062", "listTransactions 200", "data[0].operationType", `"Pix\u0020out" "Refund\u0020in"`, `- "WITHDRAW" "PIX\u0020OUT"`},
	{"LTX-036, LTX-059, LTX-060", "listTransactions 200", "data[1].operationType", `"Pix\u0020in" "Refund\u0020out"`, `- "PAYMENT"`},
	{"LTX-037, LTX-061", "listTransactions 200", "data[0].movementType", `"DEBIT"`, `- "CREDIT" "debit"`},
	{"LTX-037, LTX-059", "listTransactions 200", "data[1].movementType", `"CREDIT"`, `- "DEBIT"`},
	{"LTX-038, LPK-042", "listTransactions 200", "data[0].originalAmount", `1 1.50`, `- "1.00" 1.555 null`},
	{"LTX-039", "listTransactions 200", "data[0].feeAmount", `0`, `- "1.00" 1.555`},
	{"LTX-040", "listTransactions 200", "data[0].finalAmount", `1`, `- "1.00" 1.555`},
	{"LTX-041", "listTransactions 200", "data[0].endToEndId", `- null "any"`, `1`},
	{"LTX-041", "listTransactions 200", "data[1].endToEndId", `"any"`, `- null 1`},
	{"LTX-042", "listTransactions 200", "data[0].createdAt", `"2026-03-01T12:00:00Z"`, `- null "2026-03-01"`},
	{"LTX-043", "listTransactions 200", "data[0].processedAt", `- null`, `1`},
	{"LTX-043", "listTransactions 200", "data[1].processedAt", `"2026-03-01T12:00:00Z"`, `- null "2026-03-01"`},
	{"LTX-044", "listTransactions 200", "data[0].counterpart", `- null {}`, `"x"`},
	{"LTX-044", "listTransactions 200", "data[1].counterpart", ``, `- null {}`},
	{"LTX-044", "listTransactions 200", "data[1].counterpart.name", `"any"`, `- 1`},
	{"LTX-045, LTX-046, LPK-043", "listTransactions 200", "data[1].counterpart.document", `"***.982.247-**"`, `- "52998224725" 1`},
	{"LTX-047", "listTransactions 200", "data[1].counterpart.bank", ``, `- null`},
	{"LTX-047", "listTransactions 200", "data[1].counterpart.bank.bankISPB", `"any"`, `- 1`},
	{"LTX-048", "listTransactions 200", "data[1].counterpart.bank.bankName", `"any"`, `- 1`},
	{"LTX-049", "listTransactions 200", "data[1].counterpart.bank.bankCode", `"any"`, `- 1`},
	{"LTX-050", "listTransactions 200", "data[1].counterpart.bank.accountBranch", `- null "1"`, `1`},
	{"LTX-051", "listTransactions 200", "data[1].counterpart.bank.accountNumber", `- null "1"`, `1`},
	{"LPK-036", "listTransactionsByKey 200", "metadata", ``, `- []`},
	{"LPK-036", "listTransactionsByKey 200", "metadata.page", `1`, `- "1"`},
	{"LPK-037", "listTransactionsByKey 200", "metadata.size", `1`, `- "1"`},
	{"LPK-038", "listTransactionsByKey 200", "metadata.total", `0`, `- "1"`},
	{"LPK-039", "listTransactionsByKey 200", "metadata.totalPages", `0`, `- "1"`},
	{"LPK-040", "listTransactionsByKey 200", "metadata.hasNext", `true`, `- "true" 1`},
	{"LPK-041, LTX-029", "listTransactions 200", "metadata.hasPrevious", `true`, `- "true" 1`},

	{"WHK-028", "registerWebhook 200", "success", `true`, `- "true"`},
	{"WHK-029", "registerWebhook 200", "message", `""`, `- 1`},
	{"WHK-047", "listWebhooks 200", "accountId", `1`, `- "1"`},
	{"WHK-048", "listWebhooks 200", "webhooks", `[]`, `- {}`},
	{"WHK-049", "listWebhooks 200", "total", `1`, `- "1"`},
	{"WHK-052", "listWebhooks 200", "webhooks[0].id", `1`, `- "1"`},
	{"WHK-053", "listWebhooks 200", "webhooks[0].type", `"cash_in"`, `- "CASH_IN"`},
	{"WHK-054", "listWebhooks 200", "webhooks[0].url", `"https://a.example"`, `- "http://a.example"`},
	{"WHK-055", "listWebhooks 200", "webhooks[0].headers", `{}`, `- []`},
	{"WHK-056", "listWebhooks 200", "webhooks[0].isActive", `true false`, `- 1`},
	{"WHK-057", "listWebhooks 200", "webhooks[0].createdAt", `"2026-03-01T12:00:00Z"`, `- "2026-03-01"`},

	{"RSD-015", "resendWebhook 200", "message", `""`, `- 1`},
	{"RSD-016", "resendWebhook 200", "webhookLogId", `1`, `- "1"`},
	{"RSD-017", "resendWebhook 200", "sentAt", `"2026-03-01T12:00:00Z"`, `- "2026-03-01"`},
	{"RSD-018", "resendWebhook 200", "statusCode", `202 500`, `- "200"`},

	{"EVT-010", "cashOutResult", "event", `"CashOut"`, `- "CashIn"`},
	{"EVT-011", "cashOutResult", "status", `"CONFIRMED"`, `- "PENDING"`},
	{"EVT-012", "cashOutResult", "transactionType", `"any"`, `- 1`},
	{"EVT-013", "cashOutResult", "movementType", `"DEBIT"`, `- "CREDIT"`},
	{"EVT-014", "cashOutResult", "transactionId", `"any"`, `- 1`},
	{"EVT-015", "cashOutResult", "externalId", `"any"`, `- 1`},
	{"EVT-016", "cashOutResult", "endToEndId", `"any"`, `- 1 null`},
	{"EVT-017", "cashOutResult", "pixKey", `"any" null`, `- 1`},
	{"EVT-018", "cashOutResult", "originalAmount", `1`, `- "1" 1.555`},
	{"EVT-019", "cashOutResult", "feeAmount", `0`, `- "1" 1.555`},
	{"EVT-020", "cashOutResult", "finalAmount", `1`, `- "1" 1.555`},
	{"EVT-022", "cashOutResult", "processingDate", `"2026-03-01T12:00:00Z"`, `- "2026-03-01"`},
	{"EVT-023", "cashOutResult", "errorCode", `null`, `- "ORDER_REJECTED"`},
	{"EVT-024", "cashOutResult", "errorMessage", `null`, `- "m"`},
	{"EVT-025, EVT-036..043", "cashOutResult rejected", "errorCode", `"TAX_ID_MISMATCH" "INVALID_TAX_ID" "BLOCKED_ACCOUNT" "ACCOUNT_CLOSED" "ORDER_REJECTED" "PAYMENT_EXPIRED" "SETTLEMENT_TIMEOUT"`, `- null "OTHER"`},
	{"EVT-026", "cashOutResult rejected", "errorMessage", `"m"`, `- null ""`},
	{"EVT-027", "cashOutResult", "counterpart", ``, `- null`},
	{"EVT-028", "cashOutResult", "counterpart.name", `"any"`, `- 1`},
	{"EVT-029", "cashOutResult", "counterpart.document", `"any"`, `- 1`},
	{"EVT-030", "cashOutResult", "counterpart.bank", ``, `- null`},
	{"EVT-030", "cashOutResult", "counterpart.bank.bankISPB", `"any"`, `- 1`},
	{"EVT-031", "cashOutResult", "counterpart.bank.bankName", `"any"`, `- 1`},
	{"EVT-032", "cashOutResult", "counterpart.bank.bankCode", `"any" 341`, `- null`},
	{"EVT-033", "cashOutResult", "counterpart.bank.accountBranch", `"1" null`, `- 1`},
	{"EVT-034", "cashOutResult", "counterpart.bank.accountNumber", `"1" null`, `- 1`},
	{"EVT-035", "cashOutResult", "metadata", `{"a":1}`, `- null`},

	{"EVT-047", "transferResult", "type", `"TRANSFER"`, `- "RECEIVE"`},
	{"EVT-046", "transferResult", "data", `{"status":"ERROR"}`, `- [] {}`},
	{"EVT-048", "transferResult", "data.id", `1`, `- "1"`},
	{"EVT-049", "transferResult", "data.txId", `null "any"`, `- 1`},
	{"EVT-050", "transferResult", "data.pixKey", `"any"`, `- 1`},
	{"EVT-051", "transferResult", "data.status", `"LIQUIDATED" "EXPIRED"`, `- 1`},
	{"EVT-052", "transferResult", "data.payment", ``, `- "10.50"`},
	{"EVT-052", "transferResult", "data.payment.amount", `"10.50" "10.5" "10"`, `- 10.50 "10,50" "10.555"`},
	{"EVT-053", "transferResult", "data.payment.currency", `"BRL"`, `- 1`},
	{"EVT-054", "transferResult", "data.endToEndId", `"any"`, `- null`},
	{"EVT-055", "transferResult", "data.creditDebitType", `"DEBIT"`, `- "CREDIT"`},
	{"EVT-056", "transferResult", "data.idempotencyKey", `"any"`, `- 1`},
	{"EVT-057", "transferResult", "data.creditorAccount", ``, `- null`},
	{"EVT-057", "transferResult", "data.creditorAccount.name", `"any"`, `- 1`},
	{"EVT-058", "transferResult", "data.creditorAccount.document", `"***"`, `- "52998224725"`},
	{"EVT-059", "transferResult", "data.creditorAccount.ispb", `"any"`, `- 1`},
	{"EVT-060", "transferResult", "data.remittanceInformation", `""`, `- 1`},

	{"EVT-061", "chargeReceived", "type", `"RECEIVE"`, `- "TRANSFER"`},
	{"EVT-061", "chargeReceived", "data", ``, `- null`},
	{"EVT-062", "chargeReceived", "data.id", `1 "any"`, `- true`},
	{"EVT-063", "chargeReceived", "data.txId", `"any"`, `- 1`},
	{"EVT-064", "chargeReceived", "data.status", `"LIQUIDATED"`, `- "PAID"`},
	{"EVT-065", "chargeReceived", "data.payment", ``, `- null`},
	{"EVT-065", "chargeReceived", "data.payment.amount", `"10.50"`, `- 10.50`},
	{"EVT-066", "chargeReceived", "data.payment.currency", `"BRL"`, `- 1`},
	{"EVT-067", "chargeReceived", "data.endToEndId", `"any"`, `- 1`},
	{"EVT-068", "chargeReceived", "data.debtorAccount", ``, `- null`},
	{"EVT-068", "chargeReceived", "data.debtorAccount.name", `"any"`, `- 1`},
	{"EVT-069", "chargeReceived", "data.debtorAccount.document", `"***"`, `- "52998224725"`},

	{"EVT-070", "refundResult", "type", `"REFUND"`, `- "DEVOLUCAO"`},
	{"EVT-070", "refundResult", "data", `{"status":"FAILED"}`, `- null {}`},
	{"EVT-071", "refundResult", "data.id", `1 "any"`, `- true`},
	{"EVT-072", "refundResult", "data.txId", `null "any"`, `- 1`},
	{"EVT-073", "refundResult", "data.status", `"REFUNDED" "FAILED"`, `- 1`},
	{"EVT-074", "refundResult", "data.payment", ``, `- null`},
	{"EVT-074", "refundResult", "data.payment.amount", `"10.50"`, `- 10.50`},
	{"EVT-075", "refundResult", "data.payment.currency", `"BRL"`, `- 1`},
	{"EVT-076", "refundResult", "data.endToEndId", `"any"`, `- 1`},
	{"EVT-077", "refundResult", "data.creditDebitType", `"DEBIT" "CREDIT"`, `- "BOTH"`},
	{"EVT-078", "refundResult", "data.refunds", ``, `- [] {}`},
	{"EVT-079", "refundResult", "data.refunds[0].status", `"LIQUIDATED"`, `- "REFUNDED"`},
	{"EVT-080", "refundResult", "data.refunds[0].payment", ``, `- 4.00`},
	{"EVT-080", "refundResult", "data.refunds[0].payment.amount", `4.00`, `- "4.00" 4.555`},
	{"EVT-081", "refundResult", "data.refunds[0].payment.currency", `"BRL"`, `- 1`},
	{"EVT-082", "refundResult", "data.refunds[0].endToEndId", `"any"`, `- 1`},
	{"EVT-083", "refundResult", "data.refunds[0].eventDate", `"2026-03-01T12:00:00Z"`, `- "2026-03-01"`},
	{"EVT-084", "refundResult", "data.refunds[0].information", `"any" null`, `- 1`},
}

func TestFields(t *testing.T) {
	t.Parallel()
	doc, err := readDocument(embedded(t))
	require.NoError(t, err)
	bodies := bodiesOf(t, doc)
	opinions := map[string]*second.Resolved{}
	for _, f := range fields {
		require.Contains(t, bodies, f.body)
		b := bodies[f.body]
		if opinions[b.pointer] == nil {
			opinions[b.pointer] = secondOpinion(t, doc, b.pointer)
		}
		try := func(value string, good bool) {
			body := replaced(t, b.example, f.field, value)
			violations := b.doc.report(b.content, body, b.breaches(body))
			name := fmt.Sprintf("%s: %s of %s as %.40s", f.rows, f.field, f.body, value)
			if good {
				assert.Empty(t, violations, name)
			} else if assert.NotEmpty(t, violations, name) {
				assert.True(t, strings.HasPrefix(violations[0].Field, f.field), "%s: %v", name, violations)
			}
			if len(violations) > 0 && violations[0].Rule == "format" {
				return // the other implementation does not look at formats
			}
			err := opinions[b.pointer].Validate(reread(t, body))
			assert.Equal(t, good, err == nil, "%s: the implementations disagree: %v", name, err)
		}
		for _, value := range strings.Fields(f.good) {
			try(value, true)
		}
		for _, value := range strings.Fields(f.bad) {
			try(value, false)
		}
	}
}
