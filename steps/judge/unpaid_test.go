package judge

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// The splits of a charge that nobody has paid are not PAID, whatever the scenario is about.
func TestSplitsOfUnpaidCharges(t *testing.T) {
	t.Parallel()
	charge := sent(0, "split cash-in", `{"transaction":{"value":10.00},"splits":[{"value":1.00}]}`, 201, `{"transactionId":"transaction-1","pixCode":"000201a"}`)
	plain := sent(0, "cash-in", `{"transaction":{"value":10.00}}`, 201, `{"transactionId":"transaction-1","pixCode":"000201a"}`)
	control := func(of target.Control, method, url string, status int, body, answer string) record.Entry {
		return record.Entry{Exchange: &exchange.Exchange{
			Party: exchange.Control, Operation: string(of), Method: method, URL: "https://gw.example/controls/" + url, Status: status, Body: []byte(body), ResponseBody: []byte(answer),
		}}
	}
	shown := func(id, status string) record.Entry {
		return control(target.Splits, http.MethodGet, "accounts/1/splits?transactionId="+id, 200, "", `{"splits":[{"amount":"1.00","status":"`+status+`"}]}`)
	}
	pays := func(status int) record.Entry {
		return control(target.Payments, http.MethodPost, "payments", status, `{"pixCode":"000201a"}`, `{}`)
	}
	for name, c := range map[string]struct {
		entries []record.Entry
		want    int
	}{
		"pending":                    {list(nil, charge, shown("transaction-1", "PENDING")), 0},
		"paid":                       {list(nil, charge, shown("transaction-1", "PAID")), 1},
		"of another charge":          {list(nil, charge, shown("transaction-2", "PAID")), 0},
		"once somebody pays":         {list(nil, charge, pays(204), shown("transaction-1", "PAID")), 0},
		"once somebody may have":     {list(nil, charge, pays(500), shown("transaction-1", "PAID")), 0},
		"although that was refused":  {list(nil, charge, pays(409), shown("transaction-1", "PAID")), 1},
		"once an account pays":       {list(nil, charge, sent(0, "QR cash-out", `{"qrCode":"000201a"}`, 201, `{}`), shown("transaction-1", "PAID")), 0},
		"a charge without any split": {list(nil, plain, shown("transaction-1", "PAID")), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, entries := story{steps: "When the account sends a split cash-in", entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			assert.Len(t, noneIsPaidEarly(&j.facts), c.want)
		})
	}
}
