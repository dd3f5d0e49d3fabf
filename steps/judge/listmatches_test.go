package judge

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// listedItem is a transaction of a gateway that lists what it should.
type listedItem struct {
	key    string
	fields map[string]any
}

func (i listedItem) text(field string) string { s, _ := i.fields[field].(string); return s }

// lister is that gateway, or one with a fault.
type lister struct {
	items    []listedItem
	ignores  func(q url.Values) []string // filters
	answers  func(q url.Values, page map[string]any)
	sizes    int  // pages of that size whatever is asked for
	lag      int  // requests that the first item is missing in
	soon     bool // it is asked while something may still be under way
	by       func(a, b string) bool
	refuses  int // the number of the request that it refuses, as if its parameters were wrong; 0 for none
	requests []string
}

// rightly are the items of a list, as its filters say.
func (l *lister) rightly(q url.Values, key string) []any {
	var found []any
	equal := func(a, b string) bool { return a == b }
	if l.by != nil {
		equal = l.by
	}
	for n, item := range l.items {
		created := item.text("createdAt")
		matched := key == "" || item.key == key
		for filter, field := range map[string]string{"status": "status", "type": "operationType", "externalId": "externalId", "endToEndId": "endToEndId"} {
			if asked := q.Get(filter); asked != "" {
				shown := asked
				if label := api.TransactionType(asked).Label() + api.State(asked).Label(); label != "" {
					shown = string(label)
				}
				matched = matched && equal(item.text(field), shown)
			}
		}
		if start := q.Get("startDate"); start != "" {
			matched = matched && created >= start
		}
		if end := q.Get("endDate"); end != "" {
			matched = matched && (created <= end || strings.HasPrefix(created, end))
		}
		if matched && (n > 0 || len(l.requests) > l.lag) {
			found = append(found, item.fields)
		}
	}
	return found
}

func (l *lister) page(look *Look) string {
	q := url.Values(http.Header(look.Query).Clone())
	l.requests = append(l.requests, look.PixKey+"?"+q.Encode())
	if l.ignores != nil {
		for _, filter := range l.ignores(q) {
			q.Del(filter)
		}
	}
	items := l.rightly(q, look.PixKey)
	number := func(name string, otherwise int) int {
		if n, err := strconv.Atoi(q.Get(name)); err == nil {
			return n
		}
		return otherwise
	}
	page, size := number("page", 1), number("size", 20)
	if l.sizes > 0 {
		size = l.sizes
	}
	pages := (len(items) + size - 1) / size
	some := items[min(len(items), (page-1)*size):min(len(items), page*size)]
	answer := map[string]any{"data": append([]any{}, some...), "metadata": map[string]any{
		"page": page, "size": size, "total": len(items), "totalPages": pages, "hasNext": page < pages, "hasPrevious": page > 1,
	}}
	if l.answers != nil {
		l.answers(look.Query, answer)
	}
	body, _ := json.Marshal(answer)
	return string(body)
}

// asks judges the last step of a story, and has the gateway answer what the judge looks at, until it
// holds or was looked at three times without.
func (l *lister) asks(t *testing.T, s story) Result {
	t.Helper()
	j, entries := s.begin(t)
	for _, e := range entries {
		j.Add(e)
	}
	last := len(j.Steps) - 1
	var r Result
	for failures := 0; len(l.requests) < 500; {
		if r = j.Judge(last); r.Look == nil || r.Verdict == verdict.Fail && failures == 3 {
			assert.Equal(t, said(r), said(j.Judge(last)), "judging is idempotent")
			return r
		}
		if r.Verdict == verdict.Fail {
			failures++
		}
		status, body := 200, l.page(r.Look)
		if len(l.requests) == l.refuses {
			status, body = 400, `{"message":"startDate must be a date"}`
		}
		e := looked(r.Look.Op.Noun, status, body)
		e.Step, e.Account = last, r.Look.Account
		e.Exchange.URL = "https://gw.example/gw/list?" + r.Look.Query.Encode()
		e.Exchange.Sent = lastChange(j.Exchanges).Add(stillAfter)
		if !l.soon {
			e.Exchange.Sent = e.Exchange.Sent.Add(1)
		}
		j.Add(e)
	}
	t.Fatal("the judge does not stop looking")
	return r
}

const matchesPairs = "the account's transaction list contains exactly the matching payments for every pair of filters"

// aWeek is a scenario with three payments of the account: one rejected, one received three days later,
// and one that waits; and one of another account. The gateway lists them.
func aWeek(sentence string) (story, *lister) {
	l := &lister{}
	var entries []record.Entry
	control := func(body string) record.Entry {
		return record.Entry{Exchange: &exchange.Exchange{Party: exchange.Control, Operation: string(target.Settlement), Method: http.MethodPost, Status: 200, Body: []byte(body)}}
	}
	pays := func(n int, noun, key, label, kind string, at time.Time) record.Entry {
		id, order, value := fmt.Sprintf("transaction-%d", n), fmt.Sprintf("Order-%d", 10+n), fmt.Sprintf("%d.00", n)
		body := fmt.Sprintf(`{"externalId":%q,"value":%s,"details":{"key":%q,"keyType":"EMAIL"}}`, order, value, key)
		if noun == "cash-in" {
			body = fmt.Sprintf(`{"transaction":{"externalId":%q,"value":%s}}`, order, value)
		}
		item := map[string]any{
			"transactionId": id, "externalId": order, "status": label, "operationType": kind, "originalAmount": json.Number(value),
			"createdAt": at.Format(time.RFC3339), "endToEndId": fmt.Sprintf("E607011902026030110000000000AbC%d", n),
		}
		l.items = append(l.items, listedItem{key, item})
		return sent(0, noun, body, 201, fmt.Sprintf(`{"transactionId":%q}`, id))
	}
	entries = list(entries,
		fact(0, record.Fact{Kind: record.Opened}),
		control(`{"mode":"manual"}`),
		pays(1, "cash-out", "ana@a.example", "Error", "Pix out", began),
		control(`{"transactionId":"transaction-1","outcome":"ERROR"}`),
		pays(2, "cash-in", "", "Confirmado", "Pix in", began.AddDate(0, 0, 4)),
		fact(0, record.Fact{Kind: record.Paid, Index: 3, Text: "E607011902026030110000000000AbC2"}),
		pays(3, "cash-out", "ana@a.example", "Pendente", "Pix out", began.AddDate(0, 0, 4).Add(time.Minute)),
		byOther(pays(4, "cash-out", "ana@a.example", "Confirmado", "Pix out", began)),
	)
	l.items = l.items[:3]
	return story{steps: "Given the account has sent a cash-out\nThen " + sentence, entries: entries}, l
}

func TestListsMatch(t *testing.T) {
	t.Parallel()
	ignoring := func(filters ...string) func(*lister) {
		return func(l *lister) { l.ignores = func(url.Values) []string { return filters } }
	}
	beside := func(ignored string, with ...string) func(*lister) {
		return func(l *lister) {
			l.ignores = func(q url.Values) []string {
				for _, name := range with {
					if q.Get(name) == "" || name == "page" && q.Get(name) == "1" {
						return nil
					}
				}
				return []string{ignored}
			}
		}
	}
	metadata := func(change func(q url.Values, m map[string]any)) func(*lister) {
		return func(l *lister) {
			l.answers = func(q url.Values, page map[string]any) { change(q, page["metadata"].(map[string]any)) }
		}
	}
	emptyOnce := func(soon bool) func(*lister) {
		return func(l *lister) {
			once := true
			l.soon, l.answers = soon, func(q url.Values, page map[string]any) {
				if once && q.Get("status") == "PENDING" && q.Get("type") == "" {
					once, page["data"] = false, []any{}
				}
			}
		}
	}
	const byKey = "the account's list by key contains exactly the matching payments for every filter"
	rows := map[string]struct {
		sentence string
		fault    func(*lister)
		want     string // the begin of what the judge says
	}{
		"as it should":                  {matchesPairs, nil, "pass"},
		"by key":                        {byKey, nil, "pass"},
		"a lagging replica":             {matchesPairs, func(l *lister) { l.lag = 2 }, "pass"},
		"the status is ignored":         {matchesPairs, ignoring("status"), "fail: expected GET /list?page=1&size=1&status=PENDING to list only payment 3 (cash-out of R$ 3.00, PENDING), got also payment 1 (cash-out of R$ 1.00, ERROR)"},
		"beside an externalId":          {matchesPairs, beside("status", "externalId"), "fail: expected GET /list?externalId="},
		"beside a type":                 {matchesPairs, beside("status", "type"), "fail: expected GET /list?"},
		"the type beside an endToEndId": {matchesPairs, beside("type", "endToEndId"), "fail: expected GET /list?endToEndId="},
		"the endDate beside startDate":  {matchesPairs, beside("endDate", "startDate"), "fail: expected GET /list?endDate="},
		"startDate on later pages":      {matchesPairs, beside("startDate", "page"), "fail: expected GET /list?"},
		"a prefix of an id":             {matchesPairs, func(l *lister) { l.by = strings.HasPrefix }, "fail: expected GET /list?externalId=Order-1"},
		"another case of an id":         {matchesPairs, func(l *lister) { l.by = strings.EqualFold }, "fail: expected GET /list?endToEndId="},
		"a total of everything":         {matchesPairs, metadata(func(q url.Values, m map[string]any) { m["total"] = 3 }), "fail: expected GET /list?externalId=Order-11 to return 3 items, since metadata.total is 3, got 1"},
		"a total of everything on later pages": {matchesPairs, metadata(func(q url.Values, m map[string]any) {
			if q.Get("page") == "2" && q.Get("size") == "1" && q.Get("startDate") != "" {
				m["total"], m["totalPages"], m["hasNext"] = 3, 3, true
			}
		}), "fail: expected GET /list?"},
		"a next page that is none": {matchesPairs, metadata(func(q url.Values, m map[string]any) { m["hasNext"] = true }), "fail: expected GET /list?externalId=Order-11 to return consistent metadata: hasNext to be false on page 1 of 1, got true"},
		"another page size":        {matchesPairs, func(l *lister) { l.sizes = 10 }, "fail: expected GET /list?externalId=Order-11 to return metadata.size 20, got 10"},
		"another account's payment": {matchesPairs, func(l *lister) {
			other := map[string]any{"transactionId": "transaction-4", "externalId": "Order-14", "status": "Confirmado", "operationType": "Pix out", "createdAt": began.Format(time.RFC3339)}
			l.items = append(l.items, listedItem{"ana@a.example", other})
		}, "fail: expected GET /list?externalId=Order-14 to list nothing, got also payment 4 (cash-out of R$ 4.00)"},
		"a payment that nobody made": {matchesPairs, func(l *lister) {
			l.items = append(l.items, listedItem{"", map[string]any{"transactionId": "transaction-9"}})
		}, "fail: expected GET /list?page=4&size=1 to list only payment 1"},
		"one is missing":                           {matchesPairs, func(l *lister) { l.items = l.items[1:] }, "fail: expected GET /list?externalId=Order-11 to list payment 1 (cash-out of R$ 1.00, ERROR), got no payment 1"},
		"another amount":                           {matchesPairs, func(l *lister) { l.items[2].fields["originalAmount"] = json.Number("9.00") }, "fail: expected GET /list?externalId=Order-13 to list payment 3 (cash-out of R$ 3.00, PENDING) with originalAmount R$ 3.00, got 9.00"},
		"another status":                           {matchesPairs, func(l *lister) { l.items[2].fields["status"] = "Confirmado" }, `fail: expected GET /list?externalId=Order-13 to list payment 3 (cash-out of R$ 3.00, PENDING) with status "Pendente", got status "Confirmado"`},
		"a refusal, once":                          {matchesPairs, func(l *lister) { l.refuses = 5 }, "fail: expected GET /list?"},
		"an empty page, once":                      {matchesPairs, emptyOnce(false), "fail: expected GET /list?page=1&size=1&status=PENDING to return 1 item, since metadata.total is 1, got 0"},
		"counted before a payment, and read after": {matchesPairs, emptyOnce(true), "pass"},
		"without the key":                          {byKey, func(l *lister) { l.items[1].key = "ana@a.example" }, "fail: expected GET /list to list only payment 1"},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, l := aWeek(row.sentence)
			if row.fault != nil {
				row.fault(l)
			}
			got := said(l.asks(t, s))
			assert.True(t, strings.HasPrefix(got, row.want), "got  %s\nwant %s", got, row.want)
			if row.fault == nil {
				assert.Less(t, len(l.requests), 170, "requests of one step")
			}
		})
	}
}

// Every pair of filters is tried, with a list that a payment is in.
func TestEachPairOfFiltersIsTried(t *testing.T) {
	t.Parallel()
	s, l := aWeek(matchesPairs)
	assert.Equal(t, verdict.Pass, l.asks(t, s).Verdict)
	filters := api.Lists["listTransactions"].Filters
	for i, a := range filters {
		for _, b := range filters[i+1:] {
			n := 0
			for _, request := range l.requests {
				if strings.Contains(request, a+"=") && strings.Contains(request, b+"=") {
					n++
				}
			}
			assert.GreaterOrEqual(t, n, 2, "%s and %s", a, b)
		}
	}
}

// An account with a history lists what the scenario did not make. Only the ids leave that out.
func TestListsWithAHistoryMatch(t *testing.T) {
	t.Parallel()
	forgets := func(q url.Values) []string { // what came back
		if q.Get("type") == "REFUND_OUT" {
			q.Set("type", "REFUND_IN")
		}
		return nil
	}
	with := func(id, order string, fault func(url.Values) []string) Result {
		s, l := aWeek(matchesPairs)
		l.ignores = fault
		s.entries[0].Fact.Yes = true
		l.items = append(l.items, listedItem{"", map[string]any{
			"transactionId": id, "externalId": order, "status": "Confirmado", "operationType": "Refund out", "createdAt": began.AddDate(0, 0, 2).Format(time.RFC3339),
		}})
		return l.asks(t, s)
	}
	assert.Equal(t, "pass", said(with("transaction-9", "Order-99", nil)))
	assert.Equal(t, "pass", said(with("transaction-9", "Order-1", nil)), "an id that is nearly one of the scenario's")
	assert.Contains(t, said(with("transaction-9", "Order-12", nil)), "fail: expected GET /list?externalId=Order-12 to list only payment 2 (cash-in of R$ 2.00, CONFIRMED), got also another transaction")
	assert.Contains(t, said(with("transaction-9", "Order-99", forgets)), "&type=REFUND_OUT to list item listed before (Refund out of R$ 0.00), got no item listed before")
}

// What is left open is not known: where a charge that may have expired stands, a payment that waits while time
// passes, and how a new case does.
func TestWhatIsKnownOfStates(t *testing.T) {
	t.Parallel()
	s, _ := aWeek(matchesPairs)
	s.entries = append(s.entries, sent(0, "cash-in", `{"transaction":{"externalId":"Order-15","value":5.00,"expirationTime":60}}`, 201, `{"transactionId":"transaction-5"}`))
	states := func(more ...record.Entry) string {
		j, entries := story{steps: s.steps, entries: slices.Concat(s.entries, more)}.begin(t)
		for _, e := range entries {
			j.Add(e)
		}
		var all []string
		for _, k := range append(j.knownPayments(language.TheAccount), j.knownCases(language.TheAccount)...) {
			all = append(all, strings.Join(k.Values["status"], "|"))
		}
		return strings.Join(all, " ")
	}
	passes := func(by string) record.Entry {
		return record.Entry{Exchange: &exchange.Exchange{Party: exchange.Control, Operation: string(target.Clock), Method: http.MethodPut, Status: 200, Body: []byte(`{"advance":"` + by + `"}`)}}
	}
	opened := openedCase(0, "7", "")
	assert.Equal(t, "ERROR CONFIRMED PENDING  PENDING", states())
	assert.Equal(t, "ERROR CONFIRMED   PENDING", states(passes("48s")))
	assert.Equal(t, "ERROR CONFIRMED   ", states(passes("50s")), "a request takes time, too")
	later := sent(0, "balance request", "", 200, `{}`)
	later.Exchange.Took = 20 * time.Second
	assert.Equal(t, "ERROR CONFIRMED   PENDING", states(passes("20s"), later))
	assert.Equal(t, "ERROR CONFIRMED   ", states(passes("30s"), later), "so do others")
	assert.Equal(t, "ERROR CONFIRMED PENDING  PENDING OPEN|RECEIVED", states(opened...))
	assert.Equal(t, "ERROR CONFIRMED PENDING  PENDING CANCELLED", states(append(opened, movedCase(0, "7", "CANCELLED", "")...)...))
	assert.Empty(t, strings.TrimSpace(states(append(opened, fact(0, record.Fact{Kind: record.Opened}))...)), "another account takes its place")
}
