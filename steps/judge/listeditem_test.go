package judge

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/brcode"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
)

// What a list or an event says of a cash-out of R$ 10.00, whatever the steps ask of it.
func TestContradictions(t *testing.T) {
	t.Parallel()
	const item = `{"transactionId":"tx-1","externalId":"order-0001","status":"Pendente","operationType":"Pix out","movementType":"DEBIT","originalAmount":10.00}`
	const event = `{"event":"CashOut","transactionId":"tx-1","externalId":"order-0001","originalAmount":10.00,"feeAmount":0.50,"finalAmount":10.50}`
	const confirmed = `{"event":"CashOut","status":"CONFIRMED","transactionId":"tx-1","externalId":"order-0001","originalAmount":10.00}`
	const transferred = `{"type":"TRANSFER","data":{"idempotencyKey":"key-1","payment":{"amount":"10.00"}}}`
	code := brcode.Code{Location: "a@b.example", Payee: "Fulano", Amount: "10.00"}.String()
	cashOut := func() record.Entry {
		return sent(0, "cash-out", `{"value":10.00,"externalId":"order-0001"}`, 201, `{"transactionId":"tx-1"}`)
	}
	const uuid = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906"
	identified := func(id string) record.Entry {
		return sent(0, "cash-out", `{"value":10.00,"externalId":"order-0001"}`, 201, `{"transactionId":"`+id+`"}`)
	}
	newAccount, ownURLs := fact(0, record.Fact{Kind: record.Opened}), fact(0, record.Fact{Kind: record.OwnURLs, Of: "https://sink.example/w/r/"})
	transfer := func() record.Entry {
		return with("x-idempotency-key", "key-1", sent(0, "transfer", `{"payment":{"amount":10.00}}`, 201, `{"id":1}`))
	}
	transferOf := func(amount string, status int) record.Entry {
		return with("x-idempotency-key", "key-1", sent(0, "transfer", `{"payment":{"amount":`+amount+`}}`, status, `{"id":1}`))
	}
	transferTo := func(key string) record.Entry {
		return with("x-idempotency-key", "key-1", sent(0, "transfer", `{"pixKey":"`+key+`","payment":{"amount":10.00}}`, 201, `{"id":1}`))
	}
	put := func(key, ispb string) record.Entry {
		return record.Entry{Exchange: &exchange.Exchange{Party: exchange.Control, Operation: "directory", Method: http.MethodPut, URL: "http://127.0.0.1:1/directory/" + url.PathEscape(key), Status: 200, Body: []byte(`{"ispb":"` + ispb + `"}`)}}
	}
	cashOutTo := func(key string) record.Entry {
		return sent(0, "cash-out", `{"value":10.00,"externalId":"order-0001","details":{"key":"`+key+`"}}`, 201, `{"transactionId":"tx-1"}`)
	}
	decided := func(outcome, code string) record.Entry {
		return record.Entry{Exchange: &exchange.Exchange{Party: exchange.Control, Operation: "settlement", Method: http.MethodPost, Status: 200, Body: []byte(`{"transactionId":"tx-1","outcome":"` + outcome + `","errorCode":"` + code + `"}`)}}
	}
	failed := strings.Replace(confirmed, `"CONFIRMED"`, `"ERROR","errorCode":"ORDER_REJECTED"`, 1)
	charge := func() record.Entry {
		return sent(0, "cash-in", `{"transaction":{"value":10.00,"externalId":"order-0001"}}`, 201, `{"transactionId":"tx-1","pixCode":"`+code+`"}`)
	}
	splitCharge := func() record.Entry {
		return sent(0, "cash-in", `{"transaction":{"value":10.00,"externalId":"order-0001"},"splits":[{"value":10.00}]}`, 201, `{"transactionId":"tx-1","pixCode":"`+code+`"}`)
	}
	refusedSplits := func() record.Entry {
		return sent(0, "cash-in", `{"transaction":{"value":10.00,"externalId":"order-0001"},"splits":[{"value":10.01}]}`, 400, `{}`)
	}
	caseOpened := func() record.Entry {
		return record.Entry{Exchange: &exchange.Exchange{Party: exchange.Control, Operation: "med", Method: http.MethodPost, Status: 201, Body: []byte(`{}`)}}
	}
	paid := func(more string) record.Entry {
		return record.Entry{Exchange: &exchange.Exchange{Party: exchange.Control, Operation: "payments", Method: http.MethodPost, Status: 200, Body: []byte(`{"pixCode":"` + code + `"` + more + `}`)}}
	}
	keeps := func(eventType, url string) record.Entry {
		return fact(0, record.Fact{Kind: record.Kept, Text: eventType, Of: url})
	}
	webhooks := func(url string) record.Entry {
		return sent(0, "webhook list request", "", 200, `{"webhooks":[{"url":"`+url+`"}]}`)
	}
	ofKeyType := func(keyType, messages string) record.Entry {
		return sent(0, "cash-out", `{"details":{"keyType":"`+keyType+`"}}`, 400, `{"code":"HTTP_ERROR","message":[`+messages+`]}`)
	}
	lists := func(query, item string) record.Entry {
		e := sent(0, "transaction list request", "", 200, `{"data":[`+item+`],"metadata":{"total":1}}`)
		e.Exchange.URL += "?" + query
		return e
	}
	cases := func(query, item string) record.Entry {
		e := sent(0, "MED list request", "", 200, `{"data":[`+item+`],"metadata":{"total":1}}`)
		e.Exchange.URL += "?" + query
		return e
	}
	after := func(pause time.Duration, e record.Entry) record.Entry {
		e.Exchange.Sent = began.Add(pause)
		return e
	}
	but := func(text string, oldNew ...string) string { return strings.NewReplacer(oldNew...).Replace(text) }
	charged := sent(0, "cob", `{}`, 201, `{"txid":"t7d1234567890123456789012"}`)
	institution := but(transferred, `"payment"`, `"creditorAccount":{"ispb":"60701190"},"payment"`)
	in := but(item, "Pix out", "Pix in", "DEBIT", "CREDIT")
	for name, c := range map[string]struct {
		entries []record.Entry
		want    string // the rule
	}{
		"a list that is right":             {list(nil, cashOut(), lists("status=PENDING&type=WITHDRAW&externalId=order-0001", item)), ""},
		"another status than was asked":    {list(nil, cashOut(), lists("status=CONFIRMED", item)), "lists.status"},
		"another type":                     {list(nil, cashOut(), lists("type=PAYMENT", item)), "lists.type"},
		"another externalId":               {list(nil, cashOut(), lists("externalId=order-0002", item)), "lists.external-id"},
		"a case that was asked for":        {list(nil, cases("status=OPEN&isReconciled=true", `{"status":"OPEN","isReconciled":true}`)), ""},
		"a case of another status":         {list(nil, cases("status=OPEN", `{"status":"RECEIVED"}`)), "med.status-filter"},
		"a case that is not linked":        {list(nil, cases("isReconciled=true", `{"isReconciled":false}`)), "med.reconciled-filter"},
		"a status that is asked for twice": {list(nil, cases("status=OPEN&status=RECEIVED", `{"status":"RECEIVED"}`)), ""},
		"a refund of that externalId":      {list(nil, lists("externalId=order-0002", but(item, "Pix out", "Refund in"))), ""},
		"another movement":                 {list(nil, cashOut(), lists("", but(item, "DEBIT", "CREDIT"))), "listed.fields"},
		"another amount":                   {list(nil, cashOut(), lists("", but(item, "10.00", "10.01"))), "listed.amounts"},
		"another amount of somebody's":     {list(nil, cashOut(), lists("", but(item, "10.00", "10.01", "tx-1", "tx-2", "order-0001", "order-0002"))), ""},
		"another amount of what it lacks":  {list(nil, cashOut(), lists("", but(item, `"originalAmount"`, `"x"`))), ""},
		"as its event reported":            {list(nil, cashOut(), came(one, but(confirmed, "}", `,"feeAmount":0.50,"endToEndId":"E1"}`)), lists("", but(item, "Pendente", "Confirmado", "10.00", `10.00,"feeAmount":0.50,"endToEndId":"E1"`))), ""},
		"with its fee rounded":             {list(nil, cashOut(), came(one, but(confirmed, "}", `,"feeAmount":0.505,"endToEndId":"E1"}`)), lists("", but(item, "Pendente", "Confirmado", "10.00", `10.00,"feeAmount":0.51,"endToEndId":"E1"`))), ""},
		"with another fee":                 {list(nil, cashOut(), came(one, but(confirmed, "}", `,"feeAmount":0.50,"endToEndId":"E1"}`)), lists("", but(item, "Pendente", "Confirmado", "10.00", `10.00,"feeAmount":0.70,"endToEndId":"E1"`))), "listed.fields"},
		"with another endToEndId":          {list(nil, cashOut(), came(one, but(confirmed, "}", `,"feeAmount":0.50,"endToEndId":"E1"}`)), lists("", but(item, "Pendente", "Confirmado", "10.00", `10.00,"feeAmount":0.50,"endToEndId":"E2"`))), "listed.fields"},
		"a sum of its own":                 {list(nil, cashOut(), lists("", but(item, "Pendente", "Confirmado", "10.00", `10.00,"feeAmount":0.50,"finalAmount":10.00`))), "listed.amounts"},
		"a sum that may still change":      {list(nil, cashOut(), lists("", but(item, "10.00", `10.00,"feeAmount":0.50,"finalAmount":10.00`))), ""},
		"the amount of a charge":           {list(nil, charge(), paid(""), lists("", but(in, "10.00", "10.01"))), "listed.amounts"},
		"of a charge paid another amount":  {list(nil, charge(), paid(`,"amount":"10.01"`), lists("", but(in, "10.00", "10.01"))), ""},
		"what the other account has made":  {list(nil, byOther(identified(uuid)), lists("", but(item, "tx-1", uuid))), "lists.own-account"},
		"what has its number by chance":    {list(nil, byOther(identified("17")), lists("", but(item, "tx-1", "17"))), ""},
		"what nobody here has sent":        {list(nil, newAccount, cashOut(), lists("", but(item, "tx-1", "tx-2", "order-0001", "order-0002"))), "lists.own-account"},
		"what a split paid":                {list(nil, newAccount, splitCharge(), lists("", but(item, "tx-1", "tx-2", "order-0001", "split-1"))), ""},
		"what a refused one did not pay":   {list(nil, newAccount, refusedSplits(), lists("", but(item, "tx-1", "tx-2", "order-0001", "split-1"))), "lists.own-account"},
		"what a MED case led to":           {list(nil, newAccount, caseOpened(), cashOut(), lists("", but(item, "tx-1", "tx-2", "order-0001", "med-1"))), ""},
		"on an account with a history":     {list(nil, openedFixed(), cashOut(), lists("", but(item, "tx-1", "tx-2", "order-0001", "order-0002"))), ""},
		"another id of its own":            {list(nil, cashOut(), lists("", but(item, "tx-1", "tx-2"))), "listed.fields"},
		"the id of its charge":             {list(nil, charge(), lists("", but(item, "tx-1", "tx-2"))), ""},
		"another id of what may be done":   {list(nil, cashOut(), sent(0, "cash-out", `{"value":10.00,"externalId":"order-0001"}`, 500, `{}`), lists("", but(item, "tx-1", "tx-2"))), ""},
		"sent without an externalId":       {list(nil, newAccount, transfer(), lists("", item)), ""},
		"one of an unknown externalId":     {list(nil, lists("externalId=no-such-order", "")), "lists.external-id"},
		"one that may not be listed yet":   {list(nil, cashOut(), lists("externalId=order-0001", "")), ""},
		"what the bank had confirmed":      {list(nil, cashOut(), came(one, confirmed), after(time.Minute, lists("", item))), "cash-out.confirmed"},
		"had it as long as a list may lag": {list(nil, cashOut(), came(one, confirmed), after(9*time.Second, lists("", item))), ""},
		"had it just now":                  {list(nil, cashOut(), came(one, confirmed), lists("", item)), ""},
		"or rejected":                      {list(nil, cashOut(), came(one, strings.Replace(confirmed, "CONFIRMED", "ERROR", 1)), after(time.Minute, lists("", item))), ""},
		"an event that is not JSON":        {list(nil, cashOut(), came(one, strings.Replace(event, "}", ",}", 1))), "delivery.json"},
		"an event in a JSON string":        {list(nil, cashOut(), came(one, `"{\"externalId\":\"order-0001\"}"`)), "delivery.json"},
		"nor is a stranger's":              {list(nil, cashOut(), came(one, `{"event":"CashOut",}`)), ""},
		"an event that is right":           {list(nil, cashOut(), came(one, event)), ""},
		"an event of another order":        {list(nil, cashOut(), came(one, but(event, "order-0001", "order-0002"))), "delivery.cash-out-payload"},
		"an event of another amount":       {list(nil, cashOut(), came(one, but(event, "10.00", "11.00", "10.50", "11.50"))), "delivery.cash-out-amounts"},
		"an event that does not add up":    {list(nil, cashOut(), came(one, but(event, "10.50", "10.49"))), "delivery.cash-out-amounts"},
		"a fee of three decimals":          {list(nil, cashOut(), came(one, but(event, `:0.50`, `:0.505`, "10.50", "10.505"))), ""}, // left open
		"a fee of three decimals, rounded": {list(nil, cashOut(), came(one, but(event, `:0.50`, `:0.505`, "10.50", "10.51"))), ""},
		"a failed one that does not":       {list(nil, cashOut(), came(one, but(failed, `"originalAmount":10.00`, `"originalAmount":10.00,"feeAmount":0.50,"finalAmount":10.00`))), ""},
		"an event at a URL for others":     {list(nil, subscribed("cash_in", two), cashOut(), came(two, event)), "delivery.own-type"},
		"an event at a URL for cases":      {list(nil, subscribed("med_created", two), cashOut(), came(two, event)), "delivery.own-type"},
		"an event at a URL for both":       {list(nil, subscribed("cash_in", two), subscribed("cash_out", two), cashOut(), came(two, event)), ""},
		"an event at a URL for returns":    {list(nil, subscribed("refund_out", two), cashOut(), came(two, event)), ""},
		"an event at a URL that is kept":   {list(nil, keeps("cash_in", two), cashOut(), came(two, event)), "delivery.own-type"},
		"an event at its URL that is kept": {list(nil, keeps("cash_out", two), cashOut(), came(two, event)), ""},
		"a URL of another scenario":        {list(nil, newAccount, ownURLs, webhooks("https://sink.example/w/r/8")), "webhook.own-account"},
		"a URL of its own":                 {list(nil, newAccount, ownURLs, sent(0, "webhook registration", `{"url":"https://sink.example/w/r/8"}`, 200, `{}`), webhooks("https://sink.example/w/r/8")), ""},
		"a URL of somebody's":              {list(nil, newAccount, ownURLs, webhooks("https://sink.example/w/q/8")), ""},
		"an unknown keyType":               {list(nil, ofKeyType("CPF", `"details.keyType must be one of EMAIL, PHONE, DOCUMENT, EVP"`)), "cash-out.key-type"},
		"an unknown keyType, as it should": {list(nil, ofKeyType("CPF", `"details.key is wrong for its keyType","keyType: EMAIL, PHONE, DOCUMENT, RANDOM"`)), ""},
		"a keyType that is no text":        {list(nil, sent(0, "cash-out", `{"details":{"keyType":true}}`, 400, `{"code":"HTTP_ERROR","message":["details.keyType must be a string"]}`)), ""},
		"a keyType with a space":           {list(nil, ofKeyType("EMAIL ", `"details.keyType must have no space"`)), ""},
		"a keyType beside another mistake": {list(nil, ofKeyType("CPF", `"value is required"`)), ""},
		"an event of somebody's":           {list(nil, cashOut(), came(one, but(event, "tx-1", "tx-2", "10.00", "11.00"))), ""},
		"a transfer's event that is right": {list(nil, transfer(), came(one, transferred)), ""},
		"of another order under its key":   {list(nil, transfer(), transferOf("7.00", 200), came(one, but(transferred, "10.00", "7.00"))), ""},
		"of one with an unknown result":    {list(nil, transferOf("7.00", 0), transfer(), came(one, but(transferred, "10.00", "7.00"))), ""},
		"of another account under its key": {list(nil, transfer(), byOther(transferOf("7.00", 200)), came(one, but(transferred, "10.00", "7.00"))), ""},
		"of one nobody can read":           {list(nil, transfer(), transferOf(`"ten"`, 200), came(one, but(transferred, "10.00", "7.00"))), ""},
		"of no order under its key":        {list(nil, transfer(), transferOf("7.00", 200), came(one, but(transferred, "10.00", "1.00"))), "events.transfer"},
		"of a cash-out that was rejected":  {list(nil, sent(0, "cash-out", `{"externalId":"order-0001"}`, 400, `{}`), came(one, failed)), "events.rejected"},
		"of one accepted under its name":   {list(nil, sent(0, "cash-out", `{"externalId":"order-0001"}`, 400, `{}`), cashOut(), came(one, event)), ""},
		"of one that may be done":          {list(nil, sent(0, "cash-out", `{"externalId":"order-0001"}`, 0, ``), came(one, event)), ""},
		"of a transfer that was rejected":  {list(nil, transferOf("7.00", 422), came(one, but(transferred, `"payment"`, `"status":"LIQUIDATED","payment"`))), "events.rejected"},
		"of one accepted in another case":  {list(nil, with("x-idempotency-key", "KEY-1", sent(0, "transfer", `{"payment":{"amount":10.00}}`, 201, `{"id":1}`)), transferOf("10.00", 400), came(one, but(transferred, `"payment"`, `"status":"LIQUIDATED","payment"`))), ""},
		"of an order that was refused":     {list(nil, transferOf("7.00", 422), came(one, but(transferred, "10.00", "1.00"))), ""},
		"of another key":                   {list(nil, transferTo("a@b.example"), came(one, but(transferred, `"payment"`, `"pixKey":"c@b.example","payment"`))), "events.transfer"},
		"of its key in another form":       {list(nil, transferTo("+5511987654321"), came(one, but(transferred, `"payment"`, `"pixKey":"(11) 98765-4321","payment"`))), ""},
		"of its institution":               {list(nil, put("a@b.example", "60701190"), transferTo("A@b.example"), came(one, institution)), ""},
		"of another institution":           {list(nil, put("a@b.example", "18236120"), transferTo("a@b.example"), came(one, institution)), "events.transfer"},
		"of an institution that moved":     {list(nil, put("a@b.example", "18236120"), put("a@b.example", "11111111"), transferTo("a@b.example"), came(one, institution)), ""},
		"of an institution nobody told":    {list(nil, put("c@b.example", "18236120"), transferTo("a@b.example"), came(one, institution)), ""},
		"of another id":                    {list(nil, transfer(), came(one, but(transferred, `"payment"`, `"id":2,"payment"`))), "events.transfer"},
		"of its id":                        {list(nil, transfer(), came(one, but(transferred, `"payment"`, `"id":1.0,"payment"`))), ""},
		"an event of another key":          {list(nil, cashOutTo("a@b.example"), came(one, but(event, "}", `,"pixKey":"c@b.example"}`))), "delivery.cash-out-payload"},
		"an event of its key":              {list(nil, cashOutTo("a@b.example"), came(one, but(event, "}", `,"pixKey":"A@b.example"}`))), ""},
		"as the bank decided":              {list(nil, cashOut(), decided("CONFIRMED", ""), came(one, confirmed)), ""},
		"other than the bank decided":      {list(nil, cashOut(), decided("ERROR", "ORDER_REJECTED"), came(one, confirmed)), "cash-out.error"},
		"failed, which the bank confirmed": {list(nil, cashOut(), decided("CONFIRMED", ""), came(one, failed)), "cash-out.confirmed"},
		"failed as the bank decided":       {list(nil, cashOut(), decided("ERROR", "ORDER_REJECTED"), came(one, failed)), ""},
		"failed for another reason":        {list(nil, cashOut(), decided("ERROR", "BLOCKED_ACCOUNT"), came(one, failed)), "cash-out.error"},
		"failed before the bank decided":   {list(nil, cashOut(), came(one, failed), decided("CONFIRMED", "")), ""},
		"decided twice":                    {list(nil, cashOut(), decided("CONFIRMED", ""), decided("ERROR", "ORDER_REJECTED"), came(one, failed)), ""},
		"a charge paid in reais":           {list(nil, charged, came(one, `{"type":"RECEIVE","data":{"txId":"t7d1234567890123456789012","payment":{"currency":"BRL"}}}`)), ""},
		"a charge paid in something else":  {list(nil, charged, came(one, `{"type":"RECEIVE","data":{"txId":"t7d1234567890123456789012","payment":{"currency":"986"}}}`)), "events.receive"},
		"of another amount":                {list(nil, transfer(), came(one, but(transferred, "10.00", "1.00"))), "events.transfer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := story{steps: "When the account sends a cash-out", entries: c.entries}
			if strings.Contains(name, "kept") {
				s.terms = shared
			}
			j, entries := s.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			var rules []string
			for _, met := range j.contradictions() {
				rules = append(rules, met.Rule)
				assert.Equal(t, entries[len(entries)-1].Exchange, met.Exchange)
			}
			assert.Equal(t, c.want, strings.Join(rules, " "), fmt.Sprint(j.contradictions()))
		})
	}
}

// A list with hundreds of wrong items shows one breach.
func TestAResponseShowsEachBreachOnce(t *testing.T) {
	t.Parallel()
	e := &exchange.Exchange{}
	one, other := Breach{Rule: "lists.own-account", Got: "another"}, Breach{Rule: "lists.own-account", Got: "yet another"}
	assert.Equal(t, []Met{{one, e}, {other, e}}, metIn(e, []Breach{one, other, one}, []Breach{other}))
}
