package judge

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// What events and resends say of the same thing agrees, wherever and whenever it is said.
func TestEventsAgree(t *testing.T) {
	t.Parallel()
	const url = "https://sink.example/1"
	at := func(second int64, e record.Entry) record.Entry {
		e.Exchange.Sent = time.Unix(second, 0)
		return e
	}
	registered := func(query string) record.Entry {
		return sent(0, "webhook registration", `{"url":"`+url+query+`","eventType":"cash_out"}`, 200, `{"success":true,"message":"ok"}`)
	}
	resend := func(status string) record.Entry {
		e := at(20, sent(0, "resend request", "", 200, `{"statusCode":`+status+`}`))
		e.Exchange.Took = time.Second
		return e
	}
	answered := func(status int, e record.Entry) record.Entry {
		e.Exchange.Status = status
		return e
	}
	cashOut := at(10, sent(0, "cash-out", `{"value":1.00,"externalId":"x1"}`, 201, `{"transactionId":"t1","externalId":"x1","status":"PENDING"}`))
	event := func(second int64, more string) record.Entry {
		return at(second, came(url, `{"event":"CashOut","status":"CONFIRMED","transactionId":"t1","externalId":"x1"`+more+`}`))
	}
	cob := sent(0, "cob", `{"valor":{"original":"8.41"}}`, 200, `{"txid":"abcdefghijklmnopqrstuvwxyzA1"}`)
	cob.Exchange.URL = "https://gateway.example/cob/abcdefghijklmnopqrstuvwxyzA1"
	receive := func(txid, amount string) record.Entry {
		return came(url, `{"type":"RECEIVE","data":{"status":"LIQUIDATED","txId":"`+txid+`","payment":{"amount":"`+amount+`","currency":"BRL"}}}`)
	}
	refund := sent(0, "refund", `{"valor":"4.00"}`, 201, `{"id":"r1","rtrId":"D0123456789012345678901234567890a","status":"EM_PROCESSAMENTO"}`)
	refunded := func(currency, amount string) record.Entry {
		return came(url, `{"type":"REFUND","data":{"id":"D0123456789012345678901234567890a","status":"REFUNDED","payment":{"amount":"4.00","currency":"BRL"},"refunds":[{"endToEndId":"D0123456789012345678901234567890a","payment":{"amount":`+amount+`,"currency":"`+currency+`"}}]}}`)
	}
	for name, c := range map[string]struct {
		entries []record.Entry
		want    string // a field; empty for no breach
	}{
		"the same again":              {list(nil, cashOut, event(11, `,"finalAmount":1.00`), resend("200"), event(20, `,"finalAmount":1.0`)), ""},
		"another amount again":        {list(nil, cashOut, event(11, `,"finalAmount":1.00`), resend("200"), event(20, `,"finalAmount":1.01`)), "finalAmount"},
		"of another payment":          {list(nil, cashOut, event(11, ``), came(url, `{"event":"CashOut","status":"CONFIRMED","transactionId":"t2","pixKey":"a"}`)), ""},
		"the query":                   {list(nil, registered("?a=1&b"), cashOut, came(url+"?a=1&b", `{}`)), ""},
		"a lost query":                {list(nil, registered("?a=1&b"), cashOut, came(url, `{}`)), "query"},
		"another query":               {list(nil, registered("?a=1&b"), cashOut, came(url+"?a=1&b=", `{}`)), "query"},
		"the status returned":         {list(nil, subscribed("cash_out", url), cashOut, resend("307"), answered(307, at(20, came(url, `{}`)))), ""},
		"another status":              {list(nil, subscribed("cash_out", url), cashOut, resend("200"), answered(307, event(21, ``))), ""},
		"a status from elsewhere":     {list(nil, subscribed("cash_out", url), cashOut, resend("200"), answered(307, atHalf(event(20, ``)))), "statusCode"},
		"of its charge":               {list(nil, cob, receive("abcdefghijklmnopqrstuvwxyzA1", "8.41")), ""},
		"a txid in small letters":     {list(nil, cob, receive("abcdefghijklmnopqrstuvwxyza1", "8.41")), "data.txId"},
		"another amount":              {list(nil, cob, receive("abcdefghijklmnopqrstuvwxyzA1", "8.40")), "data.payment.amount"},
		"a refund":                    {list(nil, refund, refunded("BRL", "4.00")), ""},
		"a refund in another unit":    {list(nil, refund, refunded("986", "4.00")), "data.refunds[0].payment.currency"},
		"a refund of another sum":     {list(nil, refund, refunded("BRL", "0.04")), "data.refunds[0].payment.amount"},
		"money that a payee returned": {list(nil, refund, control(0, target.Returns, http.MethodPost, "/returns", 200, `{"amount":"0.04"}`, `{}`), refunded("BRL", "0.04")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, entries := story{steps: "When the account sends a cash-out", entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			got := ""
			for _, v := range invariants {
				for _, m := range v.check(&audit{facts: &j.facts, requests: j.Requests()}) {
					for _, known := range []string{"finalAmount", "statusCode", "data.txId", "data.payment.amount", "data.refunds[0].payment.currency", "data.refunds[0].payment.amount"} {
						if m.Field == known && m.Rule != "delivery.cash-out-amounts" {
							got = m.Field
						}
					}
					if m.Field == "" && m.Rule == "" && v.statements == "WHK-039 WHK-054" {
						got = "query"
					}
				}
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// atHalf is half a second later.
func atHalf(e record.Entry) record.Entry {
	e.Exchange.Sent = e.Exchange.Sent.Add(500 * time.Millisecond)
	return e
}
