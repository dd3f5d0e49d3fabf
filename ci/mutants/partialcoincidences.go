package mutants

import (
	"math/big"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"github.com/pixcert/pixcert/steps/api"
)

var partialCoincidenceMutants = []partialRow{
	{"fails with 500 on keyType constructor, which it looks up in an object", Coincidence, "OUT-024",
		answering(cashOut, all(was(400), sent("details.keyType", `"constructor"`)), status(500)),
		`out 1.00 details.keyType=constructor =400`},
	{"trims keyType before it compares", Coincidence, "OUT-024",
		accepting(cashOut, matching("details.keyType", `^\s|\s$`), retold("details.keyType", strings.TrimSpace)),
		`out 1.00 details.keyType='EMAIL ' =400`},
	{"accepts pixKeyType in lower case", Coincidence, "SPL-018",
		accepting(cashIn, matching("splits[].pixKeyType", `^[a-z]+$`), retold("splits[].pixKeyType", strings.ToUpper)),
		`in 10.00 splits=F1.00 splits.0.pixKeyType=email =400`},
	{"accepts PERCENT because it compares only the beginning of the word", Coincidence, "SPL-029",
		accepting(cashIn, matching("splits[].type", `^PERCENT`), retold("splits[].type", func(s string) string { return regexp.MustCompile(`^PERCENT.*`).ReplaceAllString(s, "PERCENTAGE") })),
		`in 10.00 splits=P10 splits.0.type=PERCENT =400`},
	{"accepts high in lower case and then asks for no creditorDocument", Coincidence, "DICT-020",
		accepting(transfer, sent("priority", `"high"`), drop("priority")),
		`transfer 10.00 priority=high =400`},
	{"accepts natureza in lower case", Coincidence, "DEV-019",
		accepting(devolution, matching("natureza", `^(original|retirada)$`), retold("natureza", strings.ToUpper)),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 natureza=original =400`},
	{"accepts eventType with a hyphen for the underscore", Coincidence, "WHK-014",
		accepting(registration, matching("eventType", `^[a-z]+-[a-z]+$`), replaced("eventType", "-", "_")),
		`hook cash-out a =400`},
	{"accepts any eventType that begins with med_", Coincidence, "WHK-014",
		accepting(registration, all(ofMED, outside("eventType", eventTypes...)), set("eventType", `"med_created"`)),
		`hook med_analyzed a =400`},
	{"checks only the first of several comma-separated statuses", Coincidence, "MED-007",
		accepting(meds, asked("status", `,`), asking(func(q url.Values) { first, _, _ := strings.Cut(q.Get("status"), ","); q.Set("status", first) })),
		`meds status=OPEN,FOO =400`},
	{"reads page=1abc as 1", Coincidence, "LPK-010",
		accepting(ofKey, asked("page", `^[1-9]\d*[A-Za-z]`), askLeading("page")),
		`bykey ana@example.com page=1abc =400`},
	{"cuts a fractional size instead of refusing it", Coincidence, "LPK-014",
		accepting(ofKey, asked("size", `^\d+\.\d+$`), askLeading("size")),
		`bykey ana@example.com size=20.5 =400`},
	{"lets a pageSize of 4294967297 wrap round to 1", Coincidence, "MED-021",
		accepting(meds, asked("pageSize", `^\d{10,}$`), askWrapped("pageSize", 32)),
		`meds pageSize=4294967297 =400`},
	{"lets a size of 18446744073709551617 wrap round to 1", Coincidence, "LTX-003",
		accepting(transactions, asked("size", `^\d{20,}$`), askWrapped("size", 64)),
		`list size=18446744073709551617 =400`},
	{"removes hyphens wherever they stand before it checks a RANDOM key", Coincidence, "OUT-049",
		accepting(cashOut, all(sent("details.keyType", `"RANDOM"`), matching("details.key", `-`)), replaced("details.key", "-", "")),
		`out 1.00 details.keyType=RANDOM details.key=7c9e-66797425-40de944b-e07f-c1f90ae7 =400`},
	{"accepts an e-mail key with two at signs", Coincidence, "OUT-041",
		accepting(cashOut, all(sent("details.keyType", `"EMAIL"`), matching("details.key", `^[^@]+@[^@]+@[^@]+$`)), retold("details.key", func(s string) string { return strings.Replace(s, "@", ".", 1) })),
		`out 1.00 details.key=a@b@example.com =400`},
	{"accepts digits of other scripts in a DOCUMENT key", Coincidence, "OUT-040",
		accepting(cashOut, all(sent("details.keyType", `"DOCUMENT"`), matching("details.key", `^\p{Nd}+$`)), retold("details.key", westernDigits)),
		`out 1.00 details.keyType=DOCUMENT details.key=٥٢٩٩٨٢٢٤٧٢٥ =400`},
	{"strips a leading 55 from a phone of 12 digits", Coincidence, "OUT-045",
		accepting(cashOut, all(sent("details.keyType", `"PHONE"`), matching("details.key", `^55\d{10}$`)), retold("details.key", func(s string) string { return s[2:] })),
		`out 1.00 details.keyType=PHONE details.key="551133334444" =400`},
	{"treats a phone with one digit too few as an unknown key", Coincidence, "DICT-012",
		answering(transfer, all(was(400), matching("pixKey", `^\+55\d{9}$`)), status(422)),
		`transfer 10.00 pixKey=+55113333444 =400`},
	{"sends transfers to phones that the directory does not know", Coincidence, "DICT-044",
		payingUnknownPhones(),
		`transfer 10.00 pixKey=+5511987650000 =422`},
	{"answers 401 instead of 400 to a clientId of version 5", Coincidence, "TOK-013",
		answering(token, all(refusedAs(api.TokenBodyInvalid), matching("clientId", `(?i)^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)),
			status(401), code(api.InvalidCredentials), drop("details"), set("message", `"clientId or clientSecret is wrong"`)),
		`token client=74738ff5-5367-5958-9aee-98fffdcd1876 =400`},
	{"compares only as many characters of clientSecret as the stored secret has", Coincidence, "TOK-049",
		takingSecrets(func(sent, right string) bool { return strings.HasPrefix(sent, right) }),
		`token longer=x =401`},
	{"compares clientSecret without regard to case", Coincidence, "TOK-050",
		takingSecrets(strings.EqualFold),
		`token turned=case =401`},
	{"treats a percent sign in the externalId filter as a wildcard", Coincidence, "LTX-010",
		relisting(transactions, asked("externalId", `%`), keepingItems(func(c *call, item map[string]any) bool {
			return withWildcards(c.asked("externalId"), textOf(item, "externalId"))
		}, unasked("externalId"))),
		`2x out 10.00; list externalId=%`},
	{"compares only the beginning in the endToEndId filter", Coincidence, "LTX-011",
		relisting(transactions, asked("endToEndId", `.`), keepingItems(func(c *call, item map[string]any) bool {
			return strings.HasPrefix(textOf(item, "endToEndId"), c.asked("endToEndId"))
		}, unasked("endToEndId"))),
		`out 10.00; list endToEndId=E`},
	{"lists externalIds that differ only in case", Coincidence, "LTX-009",
		relisting(transactions, asked("externalId", `.`), keepingItems(func(c *call, item map[string]any) bool {
			return strings.EqualFold(textOf(item, "externalId"), c.asked("externalId"))
		}, unasked("externalId"))),
		`out 10.00 externalId=Pedido-1; out 10.00 externalId=PEDIDO-1; list externalId=Pedido-1`},
	{"takes pedido-é and pedido-e for the same externalId because its table compares without accents", Coincidence, "OUT-011",
		refusing(cashOut, after(1, cashOut, byTheSame, taken, other("externalId"), func(now *call, then *entry) bool {
			return unaccented(textAt(now.body, "externalId")) == unaccented(textAt(then.call.body, "externalId"))
		}), 400, api.DuplicateExternalID),
		`out 10.00 externalId=pedido-e; out 10.00 externalId=pedido-é`},
	{"treats an underscore in an e-mail key as a wildcard", Coincidence, "LPK-007",
		relisting(ofKey, naming("pixKey", `_.*@|@.*_`), withKeys(likeAny)),
		`out 10.00 details.key=joao_silva@example.com; out 10.00 details.key=joaoxsilva@example.com; bykey joao_silva@example.com`},
	{"compares keys by their beginning, so that a CPF lists a CNPJ that begins with it", Coincidence, "LPK-007",
		relisting(ofKey, naming("pixKey", `^\d{11}$`), withKeys(func(asked, key string) bool { return len(key) == 14 && strings.HasPrefix(key, asked) })),
		`out 10.00 details.keyType=DOCUMENT details.key="52998224725108"; bykey 52998224725`},
	{"accepts accented letters in txid", Coincidence, "COB-007",
		acceptingTxIDs(naming("txid", `^[\p{L}\d]{26,35}$`), unaccented),
		`cob 10.00 txid=abcdefghijklmnopqrstuvwxy%C3%A9 =400`},
	{"accepts a txid with a line feed at its end", Coincidence, "COB-005",
		acceptingTxIDs(naming("txid", `^[A-Za-z0-9]{26,35}\n$`), strings.TrimSpace),
		`cob 10.00 txid=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%0A =400`},
	{"accepts a thousands separator in valor.original", Coincidence, "COB-026",
		accepting(cob, matching("valor.original", `^\d{1,3}(,\d{3})+\.\d\d$`), replaced("valor.original", ",", "")),
		`cob 1,000.00 =400`},
	{"refuses a valor.original below 1.00 for its leading zero", Coincidence, "COB-022",
		refusing(cob, matching("valor.original", `^0\.\d\d$`), 400, ""),
		`cob 0.50`},
	{"reads valor up to the first character that is no digit", Coincidence, "DEV-041",
		accepting(devolution, matching("valor", `^\d+\.\d\d[^\d]`), retold("valor", func(s string) string { return s[:strings.Index(s, ".")+3] })),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00abc =400`},
	{"finds the original PIX without regard to the case of e2eid", Coincidence, "DEV-045",
		changing(devolution, foundInAnyCase),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 e2eid=lower =404`},
	{"takes refund ids as numbers, so that 01 is the refund 1", Coincidence, "DEV-024",
		repeating(devolution, byTheSame, taken, sameParameter("e2eid"), otherParameter("id"), sameNumber("id")),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 id=1; refund $p.e2e 2.00 id=01`},
	{"takes an externalId of 32 characters that begins with E for an endToEndId", Coincidence, "RSD-003",
		refusing(resend, all(naming(identifier, `^[ED].{31}$`), func(c *call, _ *answer) bool { return len(c.recorded("externalId", c.parameter(identifier))) > 0 }), 404, api.HTTPError),
		`hook cash_out a; out 10.00 externalId=EncomendaNumero00000000000000001; resend EncomendaNumero00000000000000001`},
	{"finds a transaction by the beginning of its externalId", Coincidence, "RSD-023",
		changing(resend, foundByItsBeginning),
		`hook cash_out a; out 10.00 externalId=pedido-12345; resend pedido-1234 =404`},
	{"fails with 500 on an additionalInfo key named constructor", Coincidence, "IN-046",
		answering(cashIn, all(accepted, sent("additionalInfo.constructor")), status(500), body(`{"statusCode":500,"code":"HTTP_ERROR","message":"Internal server error"}`)),
		`in 10.00 additionalInfo.constructor=x`},
	{"accepts https:// without a host", Coincidence, "WHK-005",
		pretending(registration, matching("url", `^https://$`)),
		`hook cash_in a url=https:// =400`},
	{"decodes and trims e2eid, so that a space at its end passes", Coincidence, "DEV-005",
		accepting(devolution, naming("e2eid", `\s$`), renamed(devolution, "e2eid", strings.TrimSpace)),
		`cob 10.00 as c; pay $c.code as p; refund $p.e2e 1.00 e2eid=space =400`},
	{"accepts the type of any inherited name, such as toString", Coincidence, "LTX-022",
		accepting(transactions, asked("type", `^(toString|constructor|valueOf|hasOwnProperty|__proto__|isPrototypeOf)$`), unasked("type")),
		`list type=toString =400`},
}

// askLeading asks for the digits with which a parameter begins.
func askLeading(name string) edit {
	return asking(func(q url.Values) { q.Set(name, regexp.MustCompile(`^\d*`).FindString(q.Get(name))) })
}

// askWrapped asks for what is left of a number in so many bits.
func askWrapped(name string, bits uint) edit {
	return asking(func(q url.Values) {
		if n, ok := new(big.Int).SetString(q.Get(name), 10); ok {
			q.Set(name, n.Mod(n, new(big.Int).Lsh(big.NewInt(1), bits)).String())
		}
	})
}

// westernDigits writes the digits of any script as 0 to 9.
func westernDigits(s string) string {
	return strings.Map(func(r rune) rune {
		for _, of := range unicode.Nd.R16 {
			if lo, hi := rune(of.Lo), rune(of.Hi); r >= lo && r <= hi {
				return '0' + (r-lo)%10
			}
		}
		return r
	}, s)
}

// payingUnknownPhones sends to the last key of the directory what goes to a phone that it does not know.
func payingUnknownPhones() fault {
	var mu sync.Mutex
	var known string
	active := func(c *call, _ *answer) bool {
		return c.parameter("key") != "" && !sent("accountStatus", `"BLOCKED"`, `"CLOSED"`)(c, nil)
	}
	return both(
		noting(directory, all(accepted, active), func(c *call, _ *answer) {
			mu.Lock()
			defer mu.Unlock()
			known = c.parameter("key")
		}),
		afterAnswer(transfer, all(was(http.StatusUnprocessableEntity), matching("pixKey", `^\+55\d{10,11}$`)), func(c *call, a *answer, pass server) *answer {
			mu.Lock()
			key := known
			mu.Unlock()
			if second := pass(c.edited(set("pixKey", string(encode(key))))); second.succeeded() {
				return second
			}
			return a
		}))
}

// takingSecrets takes a wrong secret for the right one, which the client has sent before, if it is such.
func takingSecrets(such func(sent, right string) bool) fault {
	return afterAnswer(token, refusedAs(api.InvalidCredentials), func(c *call, a *answer, pass server) *answer {
		then := c.lastBefore(token, byTheSame, taken)
		if then == nil {
			return a
		}
		right := textAt(then.call.body, "clientSecret")
		if !such(textAt(c.body, "clientSecret"), right) {
			return a
		}
		return pass(c.edited(set("clientSecret", string(encode(right)))))
	})
}

// withWildcards reports whether a text is as another one in which percent signs stand for any characters.
func withWildcards(pattern, text string) bool {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), "%", ".*") + "$").MatchString(text)
}

// withKeys lists, besides what was paid to the key that is asked for, what the client has paid to keys that are such.
func withKeys(such func(asked, key string) bool) func(c *call, pass server) []any {
	return func(c *call, pass server) []any {
		lists := [][]any{c.whole(pass)}
		for _, e := range c.before(cashOut, byTheSame, taken) {
			if key := textAt(e.call.body, "details.key"); key != c.parameter("pixKey") && such(c.parameter("pixKey"), key) {
				lists = append(lists, c.whole(pass, renamed(ofKey, "pixKey", func(string) string { return key })))
			}
		}
		return merged(lists...)
	}
}

// acceptingTxIDs takes a txid as it is spelled otherwise, and answers it as it was sent.
func acceptingTxIDs(when condition, spell func(string) string) fault {
	return afterAnswer(cob, all(refused, when), func(c *call, a *answer, pass server) *answer {
		sent := c.parameter("txid")
		second := pass(c.edited(renamed(cob, "txid", spell)))
		if !second.succeeded() {
			return a
		}
		return second.edited(set("txid", string(encode(sent))))
	})
}

// foundInAnyCase refunds what was received under an end-to-end id in other letters.
func foundInAnyCase(c *call, pass server) *answer {
	a := pass(c)
	if a.status != http.StatusNotFound && a.status != http.StatusBadRequest {
		return a
	}
	id := c.parameter("e2eid")
	for _, item := range c.recorded("type", "PAYMENT") {
		if known := textOf(item, "endToEndId"); known != id && strings.EqualFold(known, id) {
			return pass(c.edited(renamed(devolution, "e2eid", func(string) string { return known })))
		}
	}
	return a
}

// sameNumber: the path has the same number in a parameter, however many zeros it begins with.
func sameNumber(name string) relation {
	return func(now *call, then *entry) bool {
		x, y := now.parameter(name), then.call.parameter(name)
		return digitsOnly(x) == x && digitsOnly(y) == y && unpadded(x) == unpadded(y)
	}
}

// foundByItsBeginning resends a transaction whose externalId begins with what is named.
func foundByItsBeginning(c *call, pass server) *answer {
	a := pass(c)
	if a.status != http.StatusNotFound {
		return a
	}
	for _, item := range c.recorded() {
		if id := textOf(item, "externalId"); strings.HasPrefix(id, c.parameter(identifier)) {
			return pass(c.edited(renamed(resend, identifier, func(string) string { return id })))
		}
	}
	return a
}
