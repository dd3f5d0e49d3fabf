package judge

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/listing"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// page is the response to a list request.
func page(items string, metadata ...string) string {
	return `{"data":[` + items + `],"metadata":{` + strings.Join(metadata, ",") + `}}`
}

const listed1, listed2 = `{"transactionId":"tx-0000001","externalId":"Order-00001","status":"Pendente"}`, `{"transactionId":"tx-0000002"}`

func TestLists(t *testing.T) {
	t.Parallel()
	lists := func(sentence, answer, want string, more ...record.Entry) story {
		return story{
			steps:   "Given the account has sent a cash-out\nWhen the account sends a transaction list request\nThen " + sentence,
			entries: list(list(nil, paid(), sent(1, "transaction list request", "", 200, answer)), more...), want: want,
		}
	}
	fixed := func(s story) story { s.entries = append([]record.Entry{openedFixed()}, s.entries...); return s }
	later := func(status int, answer string) record.Entry {
		return looked("transaction list request", status, answer)
	}
	var long []record.Entry
	for range listing.MostPages {
		long = append(long, later(200, page(listed2, `"totalPages":100`)))
	}
	cases := func(sentence, answer, want string, more ...record.Entry) story {
		return story{
			steps:   "When the account sends a MED list request\nThen " + sentence,
			entries: list(list(more, sent(0, "MED list request", "", 200, answer))), want: want,
		}
	}
	opened := fact(0, record.Fact{Kind: record.Opening, Text: "7", Of: "E1"})
	tell(t, map[string]story{
		"each item":                 lists("each item has:\n| transactionId | a non-empty string |", page(listed1+","+listed2), "pass"),
		"one item does not":         lists("each item has:\n| externalId | present |", page(listed1+","+listed2), "fail: expected externalId to be present in each item, got absent in item 2 [1]"),
		"no item":                   lists("each item has:\n| externalId | present |", page(""), "fail: expected at least one item, got an empty list [1]"),
		"each item, of which none":  lists("each item, if any, has:\n| externalId | present |", page(""), "pass"),
		"no list":                   lists("each item, if any, has:\n| externalId | present |", `{"data":{}}`, "fail: expected data to be an array, got {} [1]"),
		"no JSON":                   lists("each item, if any, has:\n| externalId | present |", `<html>`, "fail: expected data to be an array, got absent [1]"),
		"an item that is no object": lists("each item has:\n| externalId | present |", page("7"), "fail: expected externalId to be present in each item, got absent in item 1 [1]"),
		"no request":                {steps: "Then each item has:\n| externalId | present |", want: noRequest},
		"each item cannot be told":  lists("each item has:\n| x | the first y |", page(listed1), couldNot+"no accepted response in this scenario has the field y [-1]"),

		"it holds the payment":                    lists("the list contains the payment", page(listed2+","+listed1), "pass"),
		"it does not":                             lists("the list contains the payment", page(listed2), `fail: expected the list to contain the payment, got 1 item: {"data":[{"transactionId":"tx-0000002"}],"metadata":{}} [1]`),
		"it should not":                           lists("the list does not contain the payment", page(listed1), `fail: expected the list not to contain the payment, got 1 item: {"data":[{"transactionId":"tx-0000001","externalId":"Order-00001","status":"Pendente"}],"metadata":{}} [1]`),
		"it need not":                             lists("the list does not contain the payment", page(listed2), "pass"),
		"it holds the first payment":              lists("the list contains the first payment", page(listed1), "pass"),
		"there is no second payment":              lists("the list contains the second payment", page(listed1), couldNot+"there is no second accepted payment [-1]"),
		"nothing was paid":                        {steps: "When the account sends a transaction list request\nThen the list contains the payment", entries: list(nil, sent(0, "transaction list request", "", 200, page(listed1))), want: noRequest},
		"a later page may, on an old account":     fixed(lists("the list contains the payment", page(listed2), "look: list for 0s")),
		"a later page does":                       fixed(lists("the list contains the payment", page(listed2), "pass", later(200, page(listed2, `"totalPages":2`)), later(200, page(listed1, `"totalPages":2`)))),
		"a later page does, if it must not":       fixed(lists("the list does not contain the payment", page(listed2), `fail: expected the list not to contain the payment, got 1 item: {"data":[{"transactionId":"tx-0000001","externalId":"Order-00001","status":"Pendente"}],"metadata":{"totalPages":1}} [2]`, later(200, page(listed1, `"totalPages":1`)))),
		"the second page is next":                 fixed(lists("the list contains the payment", page(listed2), "look: list for 0s", later(200, page(listed2, `"totalPages":2.0`)))),
		"the last page does not":                  fixed(lists("the list contains the payment", page(listed2), `fail: expected the list to contain the payment, got 1 item: {"data":[{"transactionId":"tx-0000002"}],"metadata":{"totalPages":1}} [2]`, later(200, page(listed2, `"totalPages":1`)))),
		"an empty page is the last":               fixed(lists("the list does not contain the payment", page(listed2), "pass", later(200, page("", `"totalPages":9`)))),
		"a later page is refused":                 fixed(lists("the list contains the payment", page(listed2), "fail: expected accepted with 200, got 500 [2]", later(500, ``))),
		"a later page, once it is not throttled":  fixed(lists("the list contains the payment", page(listed2), "pass", as(record.Throttled, later(429, `{}`)), later(200, page(listed1, `"totalPages":1`)))),
		"more pages than anybody reads":           fixed(lists("the list contains the payment", page(listed2), couldNot+"the list has more than 50 pages of 100, too many to read [-1]", long...)),
		"it holds the case":                       cases("the list contains the case", page(`{"id":7}`), "pass", opened),
		"it does not hold the case":               cases("the list contains the case", page(`{"id":8}`), `fail: expected the list to contain the case, got 1 item: {"data":[{"id":8}],"metadata":{}} [0]`, opened),
		"there is no case, and items without ids": cases("the list contains the case", page(`{}`), "could not test: expected a MED case that this step refers to, got none recorded [-1]"),
	})
}

// The page that is asked for next keeps the filters of the first.
func TestTheNextPageKeepsTheFilters(t *testing.T) {
	t.Parallel()
	first := sent(0, "MED list request", "", 200, page(`{"id":8}`))
	first.Exchange.URL += "?status=OPEN&page=1"
	s := story{
		steps:   "When the account sends a MED list request\nThen the list contains the case",
		entries: list(nil, openedFixed(), fact(0, record.Fact{Kind: record.Opening, Text: "7"}), first, looked("MED list request", 200, page(`{"id":8}`, `"totalPages":2`))),
	}
	look := s.judged(t).Look
	assert.Equal(t, "page=2&pageSize=100&status=OPEN", look.Query.Encode())
	assert.Equal(t, "listMeds", look.Op.ID)
}

func TestMetadata(t *testing.T) {
	t.Parallel()
	adds := func(want string, metadata string) story {
		return story{
			steps:   "When the account sends a transaction list request\nThen the metadata is consistent",
			entries: list(nil, sent(0, "transaction list request", "", 200, page("", metadata))), want: want,
		}
	}
	tell(t, map[string]story{
		"it adds up":      adds("pass", `"total":21,"page":2,"size":10,"totalPages":3,"hasNext":true,"hasPrevious":true`),
		"a page too few":  adds("fail: expected totalPages to be 3 for 21 items in pages of 10, got 2 [0]", `"total":21,"page":1,"size":10,"totalPages":2`),
		"of nothing sent": {steps: "Then the metadata is consistent", want: noRequest},
	})
}

func TestWalks(t *testing.T) {
	t.Parallel()
	item := func(n int) string { return fmt.Sprintf(`{"transactionId":"tx-000000%d"}`, n) }
	at := func(status int, answer string) record.Entry {
		return sent(0, "transaction list request", "", status, answer)
	}
	walk := func(sentence, want string, entries ...record.Entry) story {
		s := story{steps: "When the account pages through a transaction list request, 2 items per page", entries: entries, want: want}
		if sentence != "" {
			s.steps += "\nThen " + sentence
		}
		return s
	}
	three := []record.Entry{at(200, page(item(1)+","+item(2), `"totalPages":2`)), at(200, page(item(3), `"totalPages":2`)), at(200, page("", `"totalPages":2`))}
	overfull := at(200, page(item(1)+","+item(2)+","+item(3), `"totalPages":1`))
	overfull.Exchange.URL += "?page=1&size=2"
	payments := []record.Entry{sent(0, "cash-out", `{}`, 201, item(1)), sent(0, "cash-out", `{}`, 400, `{}`), sent(0, "cash-out", `{}`, 201, item(4))}
	afterPayments := func(sentence, want string) story {
		s := story{steps: "When the account sends 3 concurrent cash-outs\nWhen the account pages through a transaction list request, 2 items per page\nThen " + sentence, want: want}
		s.entries = list(s.entries, payments...)
		for _, e := range three {
			s.entries = append(s.entries, during(1, e))
		}
		return s
	}
	tell(t, map[string]story{
		"to its end":                       walk("", "pass", three...),
		"beyond the last page, refused":    walk("", "pass", three[0], three[1], at(400, `{}`)),
		"beyond the last page, no list":    walk("", "fail: expected data to be an array, got absent [1]", three[0], at(200, `{}`)),
		"the first page, refused":          walk("", "fail: expected accepted with 200, got 400 [0]", at(400, `{}`)),
		"nothing asked":                    walk("", "could not test: expected a request of this step, got none recorded [-1]"),
		"a payment on the way":             {steps: "When the account pages through a transaction list request, 2 items per page, sending a cash-out after each page", entries: list(nil, three[0], sent(0, "cash-out", `{}`, 201, ok), three[1]), want: "pass"},
		"a payment that was refused":       {steps: "When the account pages through a transaction list request, 2 items per page, sending a cash-out after each page", entries: list(nil, three[0], sent(0, "cash-out", `{}`, 400, `{}`)), want: "could not test: expected a target that can be brought into the state that this scenario requires, got a payment between two pages was not accepted: 400 [-1]"},
		"each once":                        walk("no item appears twice", "pass", three...),
		"one twice":                        walk("no item appears twice", "fail: expected each item on exactly one page, got tx-0000002, which is also on GET /api/transactions [1]", three[0], at(200, page(item(2), `"totalPages":2`))),
		"one twice, at a time set before":  walk("no item appears twice", couldNot+"earlier scenarios may have set the clock of this account to the same time, so that what they made comes into the list while it is read, and an item is on two pages [-1]", openedFixed(), control(0, target.Clock, http.MethodPut, "/clock", 200, `{}`, ``), three[0], at(200, page(item(2), `"totalPages":2`))),
		"the last page again and again":    walk("no item appears twice", "pass", three[0], three[1], at(200, page(item(3), `"totalPages":2`))),
		"a page beyond the last with more": walk("4 items are returned", "pass", at(200, page(item(1)+","+item(2), `"totalPages":1`)), at(200, page(item(2)+","+item(3), `"totalPages":1`)), at(200, page(""))),
		"two without an id":                walk("no item appears twice", "fail: expected each item on exactly one page, got an item without an id twice [0]", at(200, page(`{},{}`, `"totalPages":1`))),
		"so many":                          walk("3 items are returned", "pass", three...),
		"of a page that was refused":       walk("3 items are returned", "pass", three[0], three[1], at(400, page(item(9)))),
		"too many":                         walk("2 items are returned", "fail: expected 2 items on all pages, got 3 [2]", three...),
		"too many, but others pay, too":    walk("2 items are returned", couldNot+"this account is shared (shared: true in the profile), so others may have caused this: expected 2 items on all pages, got 3 [-1]", append(list(nil, openedFixed(), fact(0, record.Fact{Kind: record.Shared})), three...)...),
		"an overfull page":                 walk("at most 4 items are returned", "fail: expected at most 2 items with size 2, got 3 [0]", overfull, at(200, page("", `"totalPages":1`))),
		"at most so many":                  walk("at most 4 items are returned", "pass", three...),
		"more than that":                   walk("at most 2 items are returned", "fail: expected at most 2 items on all pages, got 3 [2]", three...),
		"too few":                          walk("4 items are returned", "fail: expected 4 items on all pages, got 3 [2]", three...),
		"no walk":                          {steps: "When the account sends a transaction list request\nThen no item appears twice", entries: three, want: "could not test: expected a list that this scenario read page by page, got none recorded [-1]"},
		"none missed":                      afterPayments("none of the first 1 payments is missing", "pass"),
		"one missed":                       afterPayments("none of the first 2 payments is missing", "fail: expected each earlier payment on some page, got payment 2 missing [5]"),
		"another list after it is none":    {steps: "When the account pages through a transaction list request, 2 items per page\nWhen the account sends a transaction list request\nThen 3 items are returned", entries: list(three[:2:2], sent(1, "transaction list request", "", 200, page(item(9)))), want: "pass"},
		"a walk that is still to come":     {steps: "When the account sends a transaction list request\nThen 3 items are returned\nWhen the account pages through a transaction list request, 2 items per page", entries: three, want: "could not test: expected a list that this scenario read page by page, got none recorded [-1]"},
	})
}

func TestListings(t *testing.T) {
	t.Parallel()
	lists := func(sentence, want string, more ...record.Entry) story {
		return story{steps: "When the account sends a cash-out\nThen " + sentence, entries: list(list(nil, paid()), more...), want: want}
	}
	shows := func(items string) record.Entry { return looked("transaction list request", 200, page(items)) }
	again := func(first, second, want string, verb string) story {
		return story{
			steps:   "When the account sends a cash-out\nThen the payment is listed with:\n| status | present |\nThen the payment " + verb + " listed as before",
			entries: list(nil, paid(), during(1, shows(first)), shows(second)), want: want,
		}
	}
	tell(t, map[string]story{
		"not looked yet":            lists("the payment is listed once", "look: list for 10s"),
		"once":                      lists("the payment is listed once", "pass", shows(listed1+","+listed2)),
		"twice":                     lists("the payment is listed once", "fail: expected the payment to be listed exactly once, got 2 times [1]", shows(listed1+","+listed1)),
		"not yet, then once":        lists("the payment is listed once", "pass", shows(""), shows(listed1)),
		"never":                     lists("the payment is listed once", "fail: expected the payment to be listed exactly once, got 0 times [1]; look: list for 10s", shows(listed2)),
		"no list":                   lists("the payment is listed once", "fail: expected data to be an array, got absent [1]", looked("transaction list request", 200, `{}`)),
		"nothing to list":           {steps: "Then the payment is listed once", want: noRequest},
		"with":                      lists("the payment is listed with:\n| status | \"Pendente\" |", "pass", shows(listed1)),
		"with another":              lists("the payment is listed with:\n| status | \"Confirmado\" |", `fail: expected status to be "Confirmado", got "Pendente" [1]; look: list for 10s`, shows(listed1)),
		"with what cannot be told":  lists("the payment is listed with:\n| status | the first x |", couldNot+"no accepted response in this scenario has the field x [-1]", shows(listed1)),
		"as before":                 again(listed1, listed1, "pass", "is"),
		"not as before":             again(listed1, `{"transactionId":"tx-0000001","status":{"a":1},"more":[]}`, `fail: expected the listed payment to stay the same, with externalId "Order-00001", more null, status "Pendente", got externalId null, more [], status {"a":1} [2]; look: list for 1s`, "is"),
		"not as it should":          again(listed1, `{"transactionId":"tx-0000001","externalId":"Order-00001","status":"Confirmado"}`, `pass; warning: expected the listed payment to stay the same, with status "Pendente", got status "Confirmado" [2]; look: list for 1s`, "should be"),
		"before nothing was looked": lists("the payment is listed as before", "could not test: expected an earlier look at the listed payment, got none recorded [-1]"),
	})
}

// A payment without an externalId is looked for by its end-to-end id, or else on the first page.
func TestHowAPaymentIsLookedFor(t *testing.T) {
	t.Parallel()
	s := story{steps: "When the account sends a cash-out\nThen the payment is listed once", entries: list(nil, paid())}
	assert.Equal(t, "externalId=Order-00001", s.judged(t).Look.Query.Encode())
	s.entries = list(nil, sent(0, "cash-out", `{}`, 201, ok))
	assert.Empty(t, s.judged(t).Look.Query)
	s.entries = list(s.entries, fact(0, record.Fact{Kind: record.Paid, Index: 0, Text: "E60701190"}))
	assert.Equal(t, "endToEndId=E60701190", s.judged(t).Look.Query.Encode())
}

func TestStates(t *testing.T) {
	t.Parallel()
	state := func(noun, answer, sentence, want string, more ...record.Entry) story {
		return story{
			steps:   "When the account sends a " + noun + "\nThen " + sentence,
			entries: list(list(nil, sent(0, noun, `{"externalId":"Order-00001"}`, 201, answer)), more...), want: want,
		}
	}
	shows := func(items string) record.Entry { return looked("transaction list request", 200, page(items)) }
	refund := func(answer, sentence, want string, more ...record.Entry) story {
		s := state("refund", answer, sentence, want, more...)
		s.entries[0].Exchange.Status = 200
		return s
	}
	const ativa, devolvido = `{"status":"ATIVA"}`, `{"status":"DEVOLVIDO"}`
	tell(t, map[string]story{
		"a payment is looked for in the list":  state("cash-out", ok, "its state is PENDING", "look: list for 10s"),
		"as the list labels it":                state("cash-out", ok, "its state is PENDING", "pass", shows(listed1)),
		"in another state":                     state("cash-out", ok, "its state is CONFIRMED", "fail: expected the state CONFIRMED, got PENDING [1]; look: list for 10s", shows(listed1)),
		"another, then that":                   state("cash-out", ok, "its state is CONFIRMED", "pass", shows(listed1), shows(strings.Replace(listed1, "Pendente", "Confirmado", 1))),
		"in a state without a label":           state("cash-out", ok, "its state is PENDING", "pass", shows(strings.Replace(listed1, "Pendente", "PENDING", 1))),
		"without a state":                      state("cash-out", ok, "its state is PENDING", "fail: expected the state PENDING, got no status [1]; look: list for 10s", shows(`{"transactionId":"tx-0000001"}`)),
		"not listed":                           state("cash-out", ok, "its state is PENDING", "fail: expected the state PENDING, got not listed [1]; look: list for 10s", shows("")),
		"no list":                              state("cash-out", ok, "its state is PENDING", "fail: expected data to be an array, got absent [1]", looked("transaction list request", 200, ``)),
		"it should have stayed":                state("cash-out", ok, "its state should still be CONFIRMED", "pass; warning: expected the state CONFIRMED, got PENDING [1]; look: list for 10s", shows(listed1)),
		"a charge is looked at by its control": state("cob", `{}`, "the charge is ATIVA", "look: charge for 10s"),
		"a charge":                             state("cob", `{}`, "the charge is ATIVA", "pass", called(target.Charges, ativa)),
		"a charge in another state":            state("cob", `{}`, "the charge is CONCLUIDA", "fail: expected the state CONCLUIDA, got ATIVA [1]; look: charge for 10s", called(target.Charges, ativa), came(one, `{}`)),
		"a control that returns no JSON":       state("cob", `{}`, "the charge is CONCLUIDA", "fail: expected the state CONCLUIDA, got no status [1]; look: charge for 10s", called(target.Charges, `<html>`)),
		"a refund is looked at by its control": refund(`{"rtrId":"D1234567"}`, "the refund is DEVOLVIDO", "look: refund for 10s"),
		"a refund":                             refund(`{"rtrId":"D1234567"}`, "the refund is DEVOLVIDO", "pass", called(target.Refunds, devolvido)),
		"a refund in another state":            refund(`{"rtrId":"D1234567"}`, "the refund is NAO_REALIZADO", "fail: expected the state NAO_REALIZADO, got DEVOLVIDO [1]; look: refund for 10s", called(target.Refunds, devolvido)),
		"a refund without an id":               refund(`{}`, "the refund is DEVOLVIDO", couldNot+"no refund was accepted: 200 [-1]"),
		"of nothing":                           {steps: "Then its state is PENDING", want: noRequest},
	})
}

func TestSplits(t *testing.T) {
	t.Parallel()
	splits := func(sentence, want string, more ...record.Entry) story {
		return story{
			steps:   "When the account sends a split cash-in\nThen " + sentence,
			entries: list(list(nil, sent(0, "split cash-in", `{}`, 201, ok)), more...), want: want,
		}
	}
	divided := func(status, left string, amounts ...string) record.Entry {
		var parts []string
		for _, amount := range amounts {
			parts = append(parts, fmt.Sprintf(`{"amount":%q,"status":%q}`, amount, status))
		}
		return called(target.Splits, fmt.Sprintf(`{"splits":[%s],"left":%q}`, strings.Join(parts, ","), left))
	}
	mixed := called(target.Splits, `{"splits":[{"amount":"6.00","status":"PAID"},{"amount":"4.00","status":"PENDING"}],"left":"0.00"}`)
	tell(t, map[string]story{
		"not looked yet":               splits("the splits are PAID", "look: splits for 10s"),
		"not looked yet, for once":     splits("the split amounts are R$ 6.00 and R$ 4.00", "look: splits for 0s"),
		"paid":                         splits("the splits are PAID", "pass", divided("PAID", "0.00", "6.00", "4.00")),
		"pending":                      splits("the splits are PAID", "fail: expected split 1 of 2, of R$ 6.00, to be PAID, got PENDING [1]; look: splits for 10s", divided("PENDING", "0.00", "6.00", "4.00"), came(one, `{}`)),
		"each its own":                 splits("the splits are PAID and PENDING", "pass", mixed),
		"each its own, but otherwise":  splits("the splits are PENDING and PAID", "fail: expected split 1 of 2, of R$ 6.00, to be PENDING, got PAID [1]; look: splits for 10s", mixed),
		"the last alone is pending":    splits("the splits are PAID", "fail: expected split 2 of 2, of R$ 4.00, to be PAID, got PENDING [1]; look: splits for 10s", mixed),
		"one too few":                  splits("the splits are PAID, PENDING and PAID", "fail: expected 3 splits, got 2 [1]", mixed),
		"of the first charge":          splits("the split amounts of the first charge are R$ 6.00 and R$ 4.00", "pass", mixed),
		"of a charge that is not made": splits("the splits of the second charge are PAID", couldNot+"there is no second accepted charge [-1]"),
		"none":                         splits("the splits are PAID", "fail: expected the splits of the charge, got none [0]", divided("PAID", "0.00")),
		"so much each":                 splits("the split amounts are R$ 6.00 and R$ 4.00", "pass", divided("PAID", "0.00", "6.00", "4.00")),
		"in another order":             splits("the split amounts are R$ 6.00 and R$ 4.00", "fail: expected splits of R$ 6.00, R$ 4.00, got R$ 4.00, R$ 6.00 [1]", divided("PAID", "0.00", "4.00", "6.00")),
		"amounts that are none":        splits("the split amounts are R$ 6.00 and R$ 4.00", "fail: expected splits of R$ 6.00, R$ 4.00, got R$ 6.00, R$ four [1]", divided("PAID", "0.00", "6.00", "four")),
		"so much left":                 splits("the account keeps R$ 1.00", "pass", divided("PAID", "1.00", "9.00")),
		"another amount left":          splits("the account keeps R$ 1.00", "fail: expected R$ 1.00 left for the account, got R$ 1.01 [1]", divided("PAID", "1.01", "9.00")),
		"left in hexadecimal":          splits("the account keeps R$ 1.00", "fail: expected R$ 1.00 left for the account, got R$ 0x1 [1]", divided("PAID", "0x1", "9.00")),
		"a sum":                        splits("the splits and the account's share add up to R$ 10.00", "pass", divided("PAID", "1.00", "8.00", "1.00")),
		"another sum":                  splits("the splits and the account's share add up to R$ 10.00", "fail: expected splits and the remainder to add up to R$ 10.00, got R$ 8.00, R$ 2.00 and R$ 1.00 [1]", divided("PAID", "1.00", "8.00", "2.00")),
		"no JSON":                      splits("the splits and the account's share add up to R$ 10.00", "fail: expected splits and the remainder to add up to R$ 10.00, got no splits and R$  [1]", called(target.Splits, `<html>`)),
		"of a charge that was refused": {steps: "When the account sends a split cash-in\nThen the splits are PAID", entries: list(nil, sent(0, "split cash-in", `{}`, 400, refusal)), want: couldNot + "no charge was accepted: 400 PIX_INVALID_AMOUNT, too little [-1]"},
		"of no charge":                 {steps: "Then the splits are PAID", want: noRequest},
	})
}

func TestTheNthOfSeveral(t *testing.T) {
	t.Parallel()
	cob := func(step int, amount string) record.Entry {
		e := sent(step, "cob", `{"valor":{"original":"`+amount+`"}}`, 201, `{}`)
		e.Exchange.URL = "https://gw.example/gw/cob/charge" + amount
		return e
	}
	const two = "When the account sends a cob\nWhen the account sends a cob\nThen "
	const cases = "When a MED case is opened against the payment\nWhen a MED case is opened against the payment\nWhen the account sends a MED list request\nThen "
	opened := func(step int, id string) record.Entry {
		return fact(step, record.Fact{Kind: record.Opening, Text: id, Of: "E60701190"})
	}
	listedCases := list(nil, opened(0, "7"), opened(1, "8"), sent(2, "MED list request", ``, 200, `{"data":[{"id":8,"status":"ANALYZED"},{"id":7,"status":"OPEN"}]}`))
	tell(t, map[string]story{
		"the state of the first charge": {
			steps: two + "the first charge is ATIVA", entries: list(nil, cob(0, "1.00"), cob(1, "2.00"), called(target.Charges, `{"status":"CONCLUIDA"}`)),
			want: "fail: expected the state ATIVA of the first cob, got CONCLUIDA [2]; look: charge for 10s",
		},
		"there is no third charge": {
			steps: two + "the third charge is ATIVA", entries: list(nil, cob(0, "1.00"), cob(1, "2.00")),
			want: couldNot + "there is no third accepted charge [-1]",
		},
		"the first case": {steps: cases + "the first case is listed with:\n| status | \"OPEN\" |", entries: listedCases, want: "pass"},
		"the last case":  {steps: cases + "the case is listed with:\n| status | \"ANALYZED\" |", entries: listedCases, want: "pass"},
		"a case of another state": {
			steps: cases + "the second case is listed with:\n| status | \"OPEN\" |", entries: listedCases,
			want: "fail: expected status to be \"OPEN\" in the second case, got \"ANALYZED\" [0]",
		},
		"a case that is not listed": {
			steps: cases + "the first case is listed with:\n| status | \"OPEN\" |", entries: list(nil, opened(0, "9"), listedCases[1], listedCases[2]),
			want: "fail: expected the list to contain the first case, got 2 items: {\"data\":[{\"id\":8,\"status\":\"ANALYZED\"},{\"id\":7,\"status\":\"OPEN\"}]} [0]",
		},
	})
}

func TestRefundEventsOfSeveral(t *testing.T) {
	t.Parallel()
	refund := func(step int, amount string) record.Entry {
		return sent(step, "refund", `{"valor":"`+amount+`"}`, 201, `{"rtrId":"D`+amount+`567890"}`)
	}
	told := func(amount string) record.Entry {
		return came(one, `{"type":"REFUND","data":{"status":"REFUNDED","refunds":[{"payment":{"amount":`+amount+`}}]}}`)
	}
	judged := func(want string, more ...record.Entry) story {
		return story{
			steps:   "Given the account receives refund_in webhooks\nWhen the account sends a refund\nWhen the account sends a refund\nThen a REFUND event of the second refund arrives",
			entries: list(list(nil, subscribed("refund_in", one), refund(1, "4.00"), refund(2, "6.00")), more...), want: want,
		}
	}
	tell(t, map[string]story{
		"its own":             judged("pass", told("4.00"), told("6.00")),
		"that of another one": judged("fail: expected a REFUND event with status REFUNDED of the second refund, of R$ 6.00, at "+one+" within 10s, got only this event: REFUND REFUNDED [1]; look: deliveries for 10s", told("4.00")),
	})
}
