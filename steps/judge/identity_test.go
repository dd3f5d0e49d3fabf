package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

func TestIdentities(t *testing.T) {
	t.Parallel()
	const uuid = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906"
	const e2e = "E6070119020260301100000000000001"
	paid := sent(0, "cash-out", `{"value":10.00}`, 201, `{"transactionId":"tx-0000001"}`)
	event := func(status, id string) record.Entry {
		return came(one, `{"event":"CashOut","status":"`+status+`","transactionId":"tx-0000001","endToEndId":"`+id+`"}`)
	}
	for name, c := range map[string]struct {
		entries []record.Entry
		want    []string // rule and value
	}{
		"a charge":                  {list(nil, sent(0, "cash-in", `{"transaction":{"externalId":"order-0001"}}`, 201, `{"transactionId":"`+uuid+`","pixCode":"code"}`)), []string{"cash-in.accepted " + uuid, "cash-in.accepted code"}},
		"one with a number":         {list(nil, sent(0, "cash-in", `{"transaction":{"externalId":"order-0001"}}`, 201, `{"transactionId":"17"}`)), nil},
		"one that is rejected":      {list(nil, sent(0, "cash-in", `{"transaction":{"externalId":"order-0001"}}`, 409, `{"transactionId":"`+uuid+`"}`)), nil},
		"a charge of a sandbox":     {list(nil, with("X-Sandbox-Scenario", "success", sent(0, "cash-in", `{"transaction":{"externalId":"order-0001"}}`, 201, `{"pixCode":"code"}`))), nil},
		"a cob":                     {list(nil, sent(0, "cob", `{}`, 201, `{"location":"code"}`)), []string{"cob.created code"}},
		"a confirmed payment":       {list(nil, paid, event("CONFIRMED", e2e)), []string{"delivery.cash-out-payload " + e2e}},
		"a payment that has failed": {list(nil, paid, event("ERROR", e2e)), nil},
		"an id of another form":     {list(nil, paid, event("CONFIRMED", "none")), nil},
		"one that a sandbox plays":  {list(nil, with("X-Sandbox-Scenario", "success", sent(0, "cash-out", `{"value":10.00}`, 201, `{"transactionId":"tx-0000001"}`)), event("CONFIRMED", e2e)), nil},
		"a stranger's payment":      {list(nil, event("CONFIRMED", e2e)), nil},
		"a settled transfer":        {list(nil, with("x-idempotency-key", "key-00001", sent(0, "transfer", `{"payment":{"amount":10.00}}`, 200, `{"id":1}`)), came(one, `{"type":"TRANSFER","data":{"status":"LIQUIDATED","idempotencyKey":"key-00001","endToEndId":"`+e2e+`"}}`)), []string{"events.transfer " + e2e}},
		"a refusal":                 {list(nil, sent(0, "cash-out", `{}`, 400, `{"errorId":"e-1"}`)), []string{"envelope-a.error-id e-1"}},
		"a refusal without an id":   {list(nil, sent(0, "cash-out", `{}`, 400, `{"errorId":null}`)), nil},
		"a rejected body":           {list(nil, sent(0, "cash-out", `{}`, 400, `{"code":"HTTP_ERROR"}`)), []string{"envelope-a.stable-code cashOut /api/pix/cash-out    {}"}},
		"with an externalId":        {list(nil, sent(0, "cash-out", `{"externalId":"order-0001"}`, 400, `{"code":"HTTP_ERROR"}`)), nil},
		"a valid body":              {list(nil, sent(0, "webhook registration", `{"url":"https://a.example","eventType":"cash_in"}`, 400, `{"code":"HTTP_ERROR"}`)), nil},
		"while the provider fails":  {list(nil, called(target.FaultsControl, ""), sent(0, "cash-in", `{}`, 400, `{"code":"HTTP_ERROR"}`)), nil},
		"no token":                  {list(nil, sent(0, "cash-out", `{}`, 401, `{"code":"HTTP_ERROR"}`)), []string{"envelope-a.stable-code cashOut without a token"}},
		"a token":                   {list(nil, with("Authorization", "Bearer x", sent(0, "cash-out", `{}`, 401, `{"code":"HTTP_ERROR"}`))), nil},
		"of the other envelope":     {list(nil, sent(0, "cob", `{}`, 400, `{"errorId":"e-1"}`)), nil},
	} {
		t.Run(name, func(t *testing.T) {
			j, entries := story{steps: "When the account sends a cash-out", entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			var got []string
			for _, id := range j.Identities() {
				got = append(got, id.Rule+" "+id.Value)
			}
			assert.Equal(t, c.want, got)
		})
	}
}
