package mutants

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/api"
)

var deepListMutants = []deepRow{
	{"lists what has the status or the type where both are asked for", FiltersAlone, "LTX-018", "lists.matching",
		relisting(transactions, all(asked("status", paymentStatus), asked("type", paymentType)), func(c *call, pass server) []any {
			return merged(c.whole(pass, unasked("type")), c.whole(pass, unasked("status")))
		}),
		`manual; out 10.00; in 20.00; list status=PENDING type=PAYMENT`},
	{"ignores the status next to an externalId", FiltersAlone, "LTX-015", "lists.matching",
		misreading(transactions, all(asked("externalId", `.`), asked("status", paymentStatus)), unasked("status")),
		`manual; out 10.00 externalId=x; list externalId=x status=CONFIRMED`},
	{"ignores the dates next to an endToEndId", FiltersAlone, "LTX-011", "lists.matching",
		misreading(transactions, all(asked("endToEndId", `.`), asked("startDate", `^\d{4}-`)), unasked("startDate", "endDate")),
		`out 10.00; list as l; list endToEndId=$l.0.e2e startDate=2026-02-01T00:00:00Z endDate=2026-02-10T00:00:00Z`},
	{"says that a page follows where the filter leaves none", FiltersAlone, "LTX-029", "lists.matching",
		answeringBy(transactions, nextOfAll),
		`in 10.00; in 11.00; out 12.00; list type=WITHDRAW size=1`},
	{"ignores the type on later pages", FiltersAlone, "LTX-030", "lists.matching",
		misreading(transactions, all(laterPage, asked("type", paymentType)), unasked("type")),
		`2x in 10.00; 2x out 11.00; list type=PAYMENT size=1 page=2; list type=PAYMENT size=1 page=3`},
	{"repeats an item from the third page on", FiltersAlone, "LTX-030", "lists.page",
		answeringBy(group{transactions, ofKey}, lastOfThePageBefore),
		`5x out 10.00; list size=2 page=3`},
	{"counts a page too many where the last page is full", FiltersAlone, "LTX-029", "lists.page",
		answering(group{transactions, ofKey}, lastPageFull, counted("metadata.totalPages", 1)),
		`2x out 10.00; list size=2`},
	{"lists externalIds that begin with the one asked for", FiltersAlone, "LTX-009", "lists.matching",
		relisting(transactions, asked("externalId", `.`), keepingItems(func(c *call, item map[string]any) bool {
			return strings.HasPrefix(textOf(item, "externalId"), c.asked("externalId"))
		}, unasked("externalId"))),
		`out 10.00 externalId=pedido-1; out 10.00 externalId=pedido-12; list externalId=pedido-1`},
	{"lists every payment of the minute for one endToEndId", FiltersAlone, "LTX-011", "lists.end-to-end-id",
		relisting(transactions, asked("endToEndId", `^.{21}`), keepingItems(func(c *call, item map[string]any) bool { // whose id is null while it is pending
			minute := strings.NewReplacer("-", "", "T", "", ":", "").Replace(textOf(item, "createdAt"))
			return strings.HasPrefix(minute, c.asked("endToEndId")[9:21])
		}, unasked("endToEndId"))),
		`out 10.00; out 11.00; list as l; list endToEndId=$l.0.e2e`},
	{"lists keys that begin with the one asked for", FiltersAlone, "LPK-007", "lists.matching",
		relisting(ofKey, always, withLongerKeys),
		`out 10.00 details.key=ana@example.com; out 11.00 details.key=ana@example.com.br; bykey ana@example.com`},
	{"lists other accounts' payments under the same externalId", OtherPeople, "LTX-031", "lists.own-account",
		relisting(transactions, asked("externalId", `.`), besides(func(c *call) []edit {
			return c.others(cashOut, func(now *call, then *entry) bool {
				return textAt(then.call.body, "externalId") == now.asked("externalId")
			})
		})),
		`B.out 10.00 externalId=x; out 11.00 externalId=x; list externalId=x`},
	{"counts other accounts' payments to a key", OtherPeople, "LPK-038", "lists.matching",
		answeringBy(ofKey, totalOfAll),
		`B.out 10.00 details.key=ana@example.com; out 11.00 details.key=ana@example.com; bykey ana@example.com`},
	{"does not list a confirmed payment of which a part was returned", ShortWay, "LTX-015", "lists.matching",
		confirmedWithoutReturns(),
		`out 10.00; list as l; back $l.0.e2e 1.00; list status=CONFIRMED`},
	{"repeats the total of an earlier list with the same filter", History, "LTX-014", "lists.matching",
		answeringBy(transactions, totalThen),
		`manual; out 10.00 as a; list status=PENDING; settle $a.tid; list status=PENDING`},
	{"starts the default window on the same day of the month before", Calendar, "LTX-007", "lists.default-window",
		misreadingBy(transactions, sinceTheMonthBefore),
		`clock 2026-02-03T16:00:00Z; token; out 10.00; clock +29d; token; list`},
	{"refuses the 29th of February", Calendar, "LTX-012", "lists.dates",
		refusing(group{transactions, ofKey}, either(asked("startDate", `-02-29`), asked("endDate", `-02-29`)), 400, api.HTTPError),
		`clock 2028-03-01T15:00:00Z; token; list startDate=2028-02-29 endDate=2028-03-01`},
	{"refuses an interval over the end of a year", Calendar, "LTX-024", "lists.interval",
		refusing(group{transactions, ofKey}, overNewYear, 400, api.HTTPError),
		`clock 2027-01-10T15:00:00Z; token; list startDate=2026-12-20 endDate=2027-01-10`},
	{"takes any interval within two months", Calendar, "LTX-025", "lists.interval",
		changing(transactions, withinTwoMonths),
		`clock 2026-03-31T15:00:00Z; token; list startDate=2026-02-01 endDate=2026-03-31 =400`},
	{"lists everything of a type where the externalId is unknown", FiltersAlone, "LTX-010", "lists.matching",
		changing(transactions, allOfTheType),
		`out 10.00; list externalId=unknown type=WITHDRAW`},
	{"takes an unknown status next to a type", FiltersAlone, "LTX-017", "lists.enums",
		accepting(transactions, all(asked("type", paymentType), askedOutside("status", "PENDING", "CONFIRMED", "ERROR")), unasked("status")),
		`list status=SETTLED type=WITHDRAW =400`},
	{"takes an unknown type next to an externalId", FiltersAlone, "LTX-022", "lists.enums",
		accepting(transactions, all(asked("externalId", `.`), askedOutside("type", "PAYMENT", "WITHDRAW", "REFUND_IN", "REFUND_OUT")), unasked("type")),
		`out 10.00 externalId=x; list externalId=x type=PIX_OUT =400`},
	{"takes a size of more than 100 on later pages", FiltersAlone, "LTX-003", "lists.size",
		accepting(transactions, all(laterPage, asked("size", `^\d{3}$`)), ask("size", "100")),
		`list page=2 size=101 =400`},
	{"lists any but the newest return as Pix in", FirstElement, "LTX-058", "lists.type",
		answeringBy(transactions, laterReturnsAsPayments),
		`out 10.00; list as l; back $l.0.e2e 1.00; back $l.0.e2e 2.00; list type=REFUND_OUT`},
	{"lists other accounts' payments to a key that the account has paid", OtherPeople, "LPK-007", "lists.matching",
		relisting(ofKey, told("metadata.total", `[1-9]`), besides(payersToTheKey)),
		`B.out 10.00 details.key=ana@example.com; out 11.00 details.key=ana@example.com; bykey ana@example.com`},
	{"refuses an e-mail key with a plus", BenignData, "LPK-005", "lists.pix-key",
		refusing(ofKey, naming("pixKey", `\+.*@`), 400, api.HTTPError),
		`out 10.00 details.key=ana+pix@example.com; bykey ana+pix@example.com`},
	{"does not find an externalId with a plus", BenignData, "LTX-009", "lists.matching",
		misreading(transactions, asked("externalId", `\+`), asking(func(q url.Values) { q.Set("externalId", strings.ReplaceAll(q.Get("externalId"), "+", " ")) })),
		`out 10.00 externalId=a+b; list externalId=a+b`},
	{"gives every item of a page the movementType of the first", FirstElement, "LTX-061", "listed.fields",
		answeringBy(group{transactions, ofKey}, func(*call, *answer) []edit { return []edit{alike("data", "movementType")} }),
		`in 10.00 as c; pay $c.code; out 11.00; list`},
	{"gives every item of a page the status of the first", FirstElement, "LTX-053", "lists.matching",
		answeringBy(group{transactions, ofKey}, func(*call, *answer) []edit { return []edit{alike("data", "status")} }),
		`out 10.00; list; manual; out 11.00; list`},
	{"dates transactions of the evening a day early", Calendar, "LTX-042", "listed.fields",
		answering(group{transactions, ofKey}, accepted, retold("data[].createdAt", aDayEarly)),
		`clock 2026-03-04T01:00:00Z; token; out 10.00; list`},
	{"does not find a rejected payment by its externalId", FiltersAlone, "LTX-009", "lists.matching",
		relisting(transactions, asked("externalId", `.`), withoutItems("status", "Error")),
		`manual; out 10.00 externalId=x as a; settle $a.tid ORDER_REJECTED; list externalId=x`},
	{"ignores startDate next to a type in the list by key", FiltersAlone, "LPK-026", "lists.matching",
		misreading(ofKey, all(asked("type", paymentType), asked("startDate", `^\d{4}-`)), unasked("startDate")),
		`out 10.00 details.key=ana@example.com; clock +3d; token; bykey ana@example.com type=WITHDRAW startDate=2026-03-05T15:00:00Z`},
	{"says that no page follows where the last page is not full", FiltersAlone, "LPK-040", "lists.matching",
		answeringBy(group{transactions, ofKey}, noPartOfAPage),
		`3x out 10.00 details.key=ana@example.com; bykey ana@example.com size=2`},
	{"lists another account's payment by its endToEndId", OtherPeople, "LTX-011", "lists.matching",
		relisting(transactions, all(asked("endToEndId", `.`), told("metadata.total", `^0$`)), besides(func(c *call) []edit { return c.others(token) })),
		`B.out 10.00; B.list as l; list endToEndId=$l.0.e2e`},
	{"leaves rejected payments out of the list by key unless they are asked for", FiltersAlone, "LPK-007", "lists.matching",
		relisting(ofKey, asked("status", `^$`), withoutItems("status", "Error")),
		`manual; out 10.00 details.key=ana@example.com as a; settle $a.tid ORDER_REJECTED; bykey ana@example.com`},
	{"takes a size of more than 1000 on later pages", FiltersAlone, "LPK-013", "lists.size",
		accepting(ofKey, all(laterPage, asked("size", `^\d{4}$`)), ask("size", "1000")),
		`bykey ana@example.com page=2 size=1001 =400`},
	{"takes an underscore of an externalId for any character", BenignData, "LTX-009", "lists.matching",
		relisting(transactions, asked("externalId", `_`), keepingItems(func(c *call, item map[string]any) bool {
			return likeAny(c.asked("externalId"), textOf(item, "externalId"))
		}, unasked("externalId"))),
		`out 10.00 externalId=a_b; out 11.00 externalId=axb; list externalId=a_b`},
	{"ignores the type next to a status in the list by key", FiltersAlone, "LPK-017", "lists.matching",
		misreading(ofKey, all(asked("status", paymentStatus), asked("type", paymentType)), unasked("type")),
		`manual; in 20.00 as c; out 10.00 details.key=ana@example.com as a; settle $a.tid ORDER_REJECTED; bykey ana@example.com status=ERROR type=PAYMENT`},
	{"lists the documents of companies unmasked", OneBody, "LTX-046", "listed.fields",
		answeringBy(transactions, companiesUnmasked),
		`out 10.00 details.document="11222333000181"; list`},
	{"gives every item of a page the fee of the first", FirstElement, "LTX-039", "listed.fields",
		answeringBy(group{transactions, ofKey}, func(*call, *answer) []edit { return []edit{alike("data", "feeAmount")} }),
		`out 10.00; fees out=0.50; out 11.00; list`},
	{"starts the default window by key on the same day of the month before", Calendar, "LPK-024", "lists.default-window",
		misreadingBy(ofKey, sinceTheMonthBefore),
		`clock 2026-02-03T16:00:00Z; token; out 10.00 details.key=ana@example.com; clock +29d; token; bykey ana@example.com`},
}

// paymentStatus and paymentType are values of filters.
const (
	paymentStatus = `^(PENDING|CONFIRMED|ERROR)$`
	paymentType   = `^(PAYMENT|WITHDRAW|REFUND_IN|REFUND_OUT)$`
)

// metadata is a number of a list's metadata.
func metadata(a *answer, name string) int64 {
	v, _ := lookup(a.body, "metadata."+name)
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return i
}

// nextOfAll says that a page follows as if there were no filter.
func nextOfAll(c *call, a *answer) []edit {
	all := c.edited(unasked("status", "type", "externalId", "endToEndId", "page", "size"))
	total := metadata(c.read(c.path, all.query), "total")
	return []edit{set("metadata.hasNext", strconv.FormatBool(metadata(a, "page")*metadata(a, "size") < total))}
}

// lastOfThePageBefore begins a later page than the second with what the page before ends with.
func lastOfThePageBefore(c *call, a *answer) []edit {
	page, data := metadata(a, "page"), lookups(a.body, "data[]")
	if page < 3 || len(data) == 0 {
		return nil
	}
	before := lookups(c.read(c.path, c.edited(ask("page", strconv.FormatInt(page-1, 10))).query).body, "data[]")
	data = slices.Concat(before[max(0, len(before)-1):], data)
	return []edit{set("data", string(encode(data[:min(int64(len(data)), metadata(a, "size"))])))}
}

// payersToTheKey are the other clients that have paid the key of a list.
func payersToTheKey(c *call) []edit { return c.others(cashOut, namedThen("pixKey", "details.key")) }

// totalOfAll counts what other clients have paid to a key.
func totalOfAll(c *call, a *answer) []edit {
	total := metadata(a, "total")
	for _, t := range payersToTheKey(c) {
		total += metadata(c.server(c.edited(t)), "total")
	}
	return []edit{set("metadata.total", strconv.FormatInt(total, 10))}
}

// withLongerKeys lists what the client has paid to keys that begin with the one asked for.
func withLongerKeys(c *call, pass server) []any {
	lists := [][]any{c.whole(pass)}
	for _, e := range c.before(cashOut, byTheSame, taken) {
		if key := textAt(e.call.body, "details.key"); strings.HasPrefix(key, c.parameter("pixKey")) {
			lists = append(lists, c.whole(pass, renamed(ofKey, "pixKey", func(string) string { return key })))
		}
	}
	return merged(lists...)
}

// likeAny reports whether a text is as another one in which underscores stand for any character.
func likeAny(pattern, text string) bool {
	form := "^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), "_", ".") + "$"
	return regexp.MustCompile(form).MatchString(text)
}

// confirmedWithoutReturns lists confirmed payments without those of which a part was returned.
func confirmedWithoutReturns() fault {
	var returned sync.Map // by the endToEndId of the payment
	return both(
		misreadingBy(paymentReturn, func(c *call) []edit {
			returned.Store(textAt(c.body, "endToEndId"), true)
			return nil
		}),
		relisting(transactions, asked("status", `^CONFIRMED$`), keepingItems(func(_ *call, item map[string]any) bool {
			_, back := returned.Load(textOf(item, "endToEndId"))
			return !back
		})))
}

// lastPageFull holds for a list whose last page is.
func lastPageFull(c *call, a *answer) bool {
	return accepted(c, a) && metadata(a, "total") > 0 && metadata(a, "total")%metadata(a, "size") == 0
}

// noPartOfAPage says on the last page but one that none follows, unless the last is full.
func noPartOfAPage(_ *call, a *answer) []edit {
	if metadata(a, "page") != metadata(a, "totalPages")-1 || metadata(a, "total")%metadata(a, "size") == 0 {
		return nil
	}
	return []edit{set("metadata.hasNext", `false`)}
}

// totalThen repeats the total that the same query by status had first.
func totalThen(c *call, _ *answer) []edit {
	then := c.firstBefore(transactions, byTheSame, taken, sameQueryThen)
	if then == nil || c.asked("status") == "" {
		return nil
	}
	return []edit{set("metadata.total", strconv.FormatInt(metadata(then.answer, "total"), 10))}
}

// sinceTheMonthBefore is the window of a list for which no dates are asked. It is a minute
// short of a month, which may have 31 days: no longer an interval is taken.
func sinceTheMonthBefore(c *call) []edit {
	if c.asked("startDate")+c.asked("endDate") != "" {
		return nil
	}
	return []edit{ask("startDate", c.now().AddDate(0, -1, 0).Add(time.Minute).Format(time.RFC3339))}
}

// askedDate is a date that the query asks for; zero if it is none.
func (c *call) askedDate(name string) time.Time {
	text := c.asked(name)
	date, _ := time.Parse(time.DateOnly, text[:min(10, len(text))])
	return date
}

// overNewYear holds for an interval that begins and ends in different years.
func overNewYear(c *call, _ *answer) bool {
	start, end := c.askedDate("startDate"), c.askedDate("endDate")
	return !start.IsZero() && !end.IsZero() && start.Year() != end.Year()
}

// withinTwoMonths takes an interval of any length that ends no later than the next month.
func withinTwoMonths(c *call, pass server) *answer {
	a := pass(c)
	start, end := c.askedDate("startDate"), c.askedDate("endDate")
	months := int(end.Month()) - int(start.Month())
	if !refused(c, a) || start.IsZero() || end.IsZero() || start.Year() != end.Year() || months < 0 || months > 1 {
		return a
	}
	return pass(c.edited(ask("startDate", end.AddDate(0, 0, -30).Format(time.DateOnly)), ask("endDate", end.Format(time.DateOnly))))
}

// allOfTheType lists all of a type when an externalId is not found in it.
func allOfTheType(c *call, pass server) *answer {
	a := pass(c)
	if c.asked("externalId") == "" || c.asked("type") == "" || !accepted(c, a) || metadata(a, "total") > 0 {
		return a
	}
	return pass(c.edited(unasked("externalId")))
}

// laterReturnsAsPayments lists all returns but the first of a page as payments.
func laterReturnsAsPayments(*call, *answer) []edit {
	returns := 0
	return []edit{eachItem("data", func(_ int, item map[string]any) {
		if item["operationType"] != "Refund out" {
			return
		}
		if returns++; returns > 1 {
			item["operationType"] = "Pix in"
		}
	})}
}

// companiesUnmasked lists the documents of the companies that the client has paid.
func companiesUnmasked(c *call, _ *answer) []edit {
	paid := map[any]string{}
	for _, e := range c.before(cashOut, byTheSame, taken) {
		if company("details.document")(e.call, nil) {
			paid[textAt(e.call.body, "externalId")] = textAt(e.call.body, "details.document")
		}
	}
	return []edit{eachItem("data", func(_ int, item map[string]any) {
		counterpart, ok := item["counterpart"].(map[string]any)
		if document := paid[item["externalId"]]; ok && document != "" {
			counterpart["document"] = document
		}
	})}
}
