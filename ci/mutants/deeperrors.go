package mutants

import (
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
)

var deepErrorMutants = []deepRow{
	{"reports at most two of the invalid fields", FirstElement, "ERR-009", "envelope-a.validation",
		answering(cashOut, refused, keeping("message", 2)),
		`out 10.00 externalId=7 description=7 details.name=7 =400`},
	{"reports one entry for all invalid splits", FirstElement, "ERR-009", "envelope-a.validation",
		answering(cashIn, refused, at("message", oneForSplits)),
		`in 10.00 splits=F1.00,F1.00 splits.0.name=7 splits.1.name=7 =400`},
	{"repeats the errorId of three errors before", History, "ERR-013", "envelope-a.error-id",
		changing(cashOut, errorIDsInARing),
		`4x out 0 =400`},
	{"reports the pattern of a path with parameters", OneBody, "ERR-003", "envelope-a.fields",
		changing(group{resend, ofKey}, patternAsPath),
		`resend unknown =404`},
	{"refuses an invalid debtor in the rich envelope", OneBody, "COB-055", "envelope-b.fields",
		answering(cob, all(refused, told("message", `devedor`)), enriched),
		`cob 10.00 devedor.cpf="123" =400`},
	{"refuses a denied institution in the rich envelope", OneBody, "DICT-048", "envelope-b.fields",
		answering(transfer, all(was(422), items("ispbDeny", 0)), enriched),
		`transfer 10.00 ispbDeny=["60701190"] =422`},
	{"answers two faults of the simple envelope as a list", FirstElement, "ERR-022", "envelope-b.one-message",
		answering(cob, told("message", `; `), listed("message")),
		`cob 10.0 solicitacaoPagador=a*141 =400`},
	{"refuses a list of cases with a filter in the rich envelope", FiltersAlone, "ERR-034", "envelope-b.fields",
		answering(meds, all(refused, func(c *call, _ *answer) bool { return c.query != "" }), enriched),
		`meds status=CLOSED =400`},
	{"reports another errorCode than code for a company's invalid key", OneBody, "ERR-015", "envelope-a.optional-fields",
		answering(cashOut, all(refusedAs(api.InvalidPixKey), company("details.document")), set("errorCode", `"INVALID_PIX_KEY"`)),
		`out 10.00 details.keyType=DOCUMENT details.key=nada details.document="11222333000181" =400`},
	{"reports an invalid nested field as a text", FirstElement, "ERR-008", "envelope-a.validation",
		answering(cashOut, told("message[0]", `^"details\.`), at("message", onlyItem)),
		`out 10.00 details.name=7 =400`},
}

// enriched makes a refusal one of the other family, which need not name the reason phrase.
var enriched = together(drop("error"), set("code", quote(api.HTTPError)), set("userMessage", `"Recusado."`), set("errorId", `"err_0"`), set("details", `{}`))

// oneForSplits keeps one message for all splits.
func oneForSplits(v any) any {
	items, ok := v.([]any)
	if !ok {
		return v
	}
	told := false
	return slices.DeleteFunc(slices.Clone(items), func(v any) bool {
		s, _ := v.(string)
		again := told && strings.HasPrefix(s, "splits[")
		told = told || strings.HasPrefix(s, "splits[")
		return again
	})
}

// errorIDsInARing gives a refusal the errorId of three refusals before.
func errorIDsInARing(c *call, pass server) *answer {
	a := pass(c)
	before := c.before(cashOut, byTheSame, answered(refused))
	if !refused(c, a) || len(before) < 3 {
		return a
	}
	return a.edited(set("errorId", string(encode(textAt(before[len(before)-3].answer.body, "errorId")))))
}

// patternAsPath reports the path of an endpoint with the names of its parameters.
func patternAsPath(c *call, pass server) *answer {
	a := pass(c)
	if !refused(c, a) {
		return a
	}
	return a.edited(set("path", string(encode(c.endpoint.path))))
}
