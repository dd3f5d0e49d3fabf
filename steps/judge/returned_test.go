package judge

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// The balance is looked at until it has the money of what the bank has rejected, and no longer.
func TestTheMoneyOfWhatWasRejected(t *testing.T) {
	t.Parallel()
	paid := func() record.Entry {
		return sent(0, "cash-out", `{"value":10.00,"externalId":"order-0001"}`, 201, `{"transactionId":"t1"}`)
	}
	refund := func() record.Entry { return sent(0, "refund", `{"valor":"4.00"}`, 201, `{"rtrId":"D1"}`) }
	settled := func(outcome string, status int) record.Entry {
		return control(0, target.Settlement, http.MethodPost, "/settle", status, `{"transactionId":"t1","outcome":"`+outcome+`"}`, ``)
	}
	result := func(status string) record.Entry {
		return control(0, target.Refunds, http.MethodPost, "/refunds/D1/result", 200, `{"status":"`+status+`"}`, ``)
	}
	fee := control(0, target.FeesControl, http.MethodPut, "/fees", 200, `{"cashOut":"0.50","cashIn":"0.20"}`, ``)
	for name, c := range map[string]struct {
		entries   []record.Entry
		available string // of R$ 100.00
		awaited   bool
	}{
		"of a payment":                 {list(nil, paid(), settled("ERROR", 200)), "90.00", true},
		"it is back":                   {list(nil, paid(), settled("ERROR", 200)), "100.00", false},
		"more is back":                 {list(nil, paid(), settled("ERROR", 200)), "110.00", false},
		"its fee is kept":              {list(nil, fee, paid(), settled("ERROR", 200)), "99.50", false},
		"not all is back":              {list(nil, fee, paid(), settled("ERROR", 200)), "99.49", true},
		"the bank confirmed it":        {list(nil, paid(), settled("CONFIRMED", 200)), "90.00", false},
		"the bank confirmed it first":  {list(nil, paid(), settled("CONFIRMED", 200), settled("ERROR", 200)), "90.00", true}, // which of two results counts is left open
		"the bank rejected it first":   {list(nil, paid(), settled("ERROR", 200), settled("CONFIRMED", 200)), "90.00", true},
		"the rejection failed":         {list(nil, paid(), settled("ERROR", 409)), "90.00", false},
		"it is pending":                {list(nil, paid()), "90.00", false},
		"of a refund":                  {list(nil, refund(), result("NAO_REALIZADO")), "96.00", true},
		"that of a refund is back":     {list(nil, refund(), result("NAO_REALIZADO")), "100.00", false},
		"the bank confirmed a refund":  {list(nil, refund(), result("DEVOLVIDO")), "96.00", false},
		"of one of two":                {list(nil, paid(), settled("ERROR", 200), refund()), "96.00", false},
		"of the payment, and a refund": {list(nil, paid(), settled("ERROR", 200), refund(), result("NAO_REALIZADO")), "96.00", true},
	} {
		j, entries := story{steps: "When the account sends a cash-out", entries: c.entries}.begin(t)
		j.Add(fact(0, record.Fact{Kind: record.Funded, Text: "100.00"}))
		for _, e := range entries {
			j.Add(e)
		}
		assert.Nil(t, ReturnLook(j, language.TheAccount), "nobody has looked")
		j.Add(as(record.Before, sent(0, "balance request", "", 200, balance(c.available, "0"))))
		assert.Equal(t, c.awaited, ReturnLook(j, language.TheAccount) != nil, name)
	}
}
