package judge

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

func TestNotes(t *testing.T) {
	t.Parallel()
	notes := func(what, want string, entries ...record.Entry) story {
		return story{steps: "When the account sends a cash-out\nThen " + what + ` recorded for open point "point"`, entries: entries, want: want}
	}
	answer := func(body string) record.Entry { return sent(0, "cash-out", order, 201, body) }
	event := func(what, want, body string) story {
		s := notes(what, want, subscribed("cash_out", one), sent(0, "cash-out", order, 201, `{"transactionId":"tx-0000001","endToEndId":"E1"}`),
			during(1, with("X-B", "b", with("X-A", "a", came(one, body)))))
		s.steps = "When the account sends a cash-out\nThen a CashOut event arrives\nThen " + what + ` recorded for open point "point"`
		s.entries[2].Exchange.Method = http.MethodPut
		return s
	}
	several := notes("the response's status is", "", atOnce(sent(0, "cash-out", order, 409, `{}`), sent(0, "cash-out", order, 201, `{}`), sent(0, "cash-out", order, 409, `{}`))...)
	several.steps = "When the account sends 3 concurrent cash-outs\nThen the response's status is recorded for open point \"point\""
	several.want = "pass; noted: 1 times 201, 2 times 409"
	ordered := notes("the order of the payments is", "pass; noted: made as 2, 1", answer(`{"transactionId":"tx-0000001"}`), sent(1, "cash-out", order, 400, `{}`), sent(2, "cash-out", `{}`, 201, `{"transactionId":"tx-0000002"}`),
		sent(3, "transaction list request", "", 200, page(listed2+`,{"transactionId":"tx-0000009"},`+listed1)))
	ordered.steps = "When the account sends a cash-out\nWhen the account sends a cash-out\nWhen the account sends a cash-out\nWhen the account sends a transaction list request\nThen the order of the payments is recorded for open point \"point\""
	tell(t, map[string]story{
		"a status":                  notes("the response's status is", "pass; noted: 201", answer(ok)),
		"several statuses":          several,
		"a code":                    notes("the response's code is", "pass; noted: 400 PIX_INVALID_AMOUNT", sent(0, "cash-out", order, 400, refusal)),
		"no code":                   notes("the response's code is", "pass; noted: 201", answer(ok)),
		"fields":                    notes("the response's fields are", "pass; noted: externalId, transactionId, value", answer(ok)),
		"fields of no object":       notes("the response's fields are", "pass; noted: ", answer(`[]`)),
		"a field":                   notes("the response's value is", "pass; noted: 10", answer(ok)),
		"a field that is a list":    notes("the response's x is", "pass; noted: 0 items", answer(`{"x":[]}`)),
		"a field that is an object": notes("the response's x is", "pass; noted: a, b", answer(`{"x":{"b":1,"a":2}}`)),
		"no field":                  notes("the response's x is", "pass; noted: absent", answer(ok)),
		"of nothing":                {steps: `Then the response's status is recorded for open point "point"`, want: noRequest},
		"how an event came":         event("the event's method is", "pass; noted: PUT", confirmed),
		"its headers":               event("the event's headers are", "pass; noted: X-A, X-B", confirmed),
		"its type":                  event("the event's type is", "pass; noted: cash_out", confirmed),
		"its shape":                 event("the event's shape is", "pass; noted: endToEndId, event, status, transactionId", confirmed),
		"its field":                 event("the event's status is", `pass; noted: "CONFIRMED"`, confirmed),
		"its id, another":           event("the event's endToEndId is", "pass; noted: another than that of the response", confirmed),
		"its id, the same":          event("the event's data.endToEndId is", "pass; noted: the one of the response", `{"event":"CashOut","id":"tx-0000001","data":{"endToEndId":"E1"}}`),
		"of no event":               notes("the event's method is", "could not test: expected an event that this step refers to, got none recorded [-1]", answer(ok)),
		"not looked at in the list": notes("how the payment is listed is", "look: list for 0s", answer(ok)),
		"as listed":                 notes("how the payment is listed is", `pass; noted: "OUT"`, answer(ok), looked("transaction list request", 200, page(`{"transactionId":"tx-0000001","operationType":"OUT"}`))),
		"a field as listed":         notes("the payment's status is", `pass; noted: "Pendente"`, answer(ok), looked("transaction list request", 200, page(listed1))),
		"not listed":                notes("how the payment is listed is", "pass; noted: not listed", answer(ok), looked("transaction list request", 200, page(""))),
		"no list":                   notes("how the payment is listed is", "could not test: expected data to be an array, got absent [1]", answer(ok), looked("transaction list request", 200, `{}`)),
		"a refund, not looked at":   notes("how the refund is listed is", "look: list for 0s", answer(ok)),
		"a refund as listed":        notes("how the refund is listed is", "pass; noted: Confirmado, IN", answer(ok), looked("transaction list request", 200, page(`{"status":"Confirmado","movementType":"IN"}`))),
		"a refund that is not":      notes("how the refund is listed is", "pass; noted: not listed", answer(ok), looked("transaction list request", 200, page(""))),
		"an order":                  ordered,
		"the order of no list":      notes("the order of the payments is", "could not test: expected data to be an array, got absent [0]", answer(ok)),
		"a total":                   notes("the total number of items is", "pass; noted: 3", answer(page("", `"total":3`))),
		"no total":                  notes("the total number of items is", couldNot+"no accepted response in this scenario has the field metadata.total [-1]", answer(ok)),
		"splits":                    {steps: "When the account sends a split cash-in\nThen the splits are recorded for open point \"point\"", entries: list(nil, sent(0, "split cash-in", `{}`, 201, ok), called(target.Splits, `{"splits":[{"amount":"6.00","status":"PAID"},{"amount":"3.00","status":"PENDING"}],"left":"1.00"}`)), want: "pass; noted: 6.00 PAID, 3.00 PENDING, left 1.00"},
		"splits, not looked at":     {steps: "When the account sends a split cash-in\nThen the splits are recorded for open point \"point\"", entries: list(nil, sent(0, "split cash-in", `{}`, 201, ok)), want: "look: splits for 0s"},
		"a movement":                notes("the change in the available balance is", "pass; noted: fallen by R$ 1.00", before(0, "10.00", "0"), answer(ok), looked("balance request", 200, balance("9.00", "0"))),
		"no movement":               notes("the change in the available balance is", "pass; noted: unchanged", before(0, "10.00", "0"), answer(ok), looked("balance request", 200, balance("10.00", "0"))),
		"a rise":                    notes("the change in the available balance is", "pass; noted: risen by R$ 2.00", before(0, "10.00", "0"), answer(ok), looked("balance request", 200, balance("12.00", "0"))),
		"a movement from nowhere":   notes("the change in the available balance is", "could not test: expected a balance before this step, got none recorded [-1]", answer(ok), looked("balance request", 200, balance("10.00", "0"))),
		"a movement, not looked at": notes("the change in the available balance is", "look: balance for 0s", before(0, "10.00", "0"), answer(ok)),
	})
}

func TestWhetherSomethingArrives(t *testing.T) {
	t.Parallel()
	whether := func(what, want string, more ...record.Entry) story {
		return story{
			steps: "When the account sends a cash-out\nWhen 2 hours pass\nThen whether " + what + " is recorded for open point \"point\"",
			entries: list(list(nil, subscribed("cash_out", one), fact(0, record.Fact{Kind: record.WhenBegan}), paid(), during(0, came(one, confirmed)),
				fact(1, record.Fact{Kind: record.TimePassed})), more...),
			want: want,
		}
	}
	tell(t, map[string]story{
		"a time for retries": whether("the event arrives again", "look: silence for 24s"),
		"not again":          whether("the event arrives again", "pass; noted: no", silence()),
		"before the clock moves": {
			steps:   "When the account sends a cash-out\nWhen 2 hours pass\nThen whether the event arrives again is recorded for open point \"point\"",
			entries: list(nil, subscribed("cash_out", one), paid(), during(0, came(one, confirmed)), during(0, came(one, confirmed))),
			want:    "pass; noted: yes",
		},
		"a gateway that sends every event twice": {
			steps: "When the account sends a cash-out\nWhen the account sends a cash-out\nThen whether the event arrives again is recorded for open point \"point\"",
			entries: list(nil, subscribed("cash_out", one), paid(), during(0, came(one, confirmed)), during(0, came(one, confirmed)),
				sent(1, "cash-out", `{"externalId":"order-0002"}`, 201, `{"transactionId":"tx-9999999"}`), during(1, came(one, stranger)), during(1, came(one, stranger)), silence()),
			want: "pass; noted: no",
		},
		"and retries": {
			steps: "When the account sends a cash-out\nWhen the account sends a cash-out\nThen whether the event arrives again is recorded for open point \"point\"",
			entries: list(nil, subscribed("cash_out", one), paid(), during(0, came(one, confirmed)), during(0, came(one, confirmed)),
				sent(1, "cash-out", `{"externalId":"order-0002"}`, 201, `{"transactionId":"tx-9999999"}`), during(1, came(one, stranger)), during(1, came(one, stranger)), came(one, stranger)),
			want: "pass; noted: yes",
		},
		"again":             whether("the event arrives again", "pass; noted: yes", came(one, confirmed)),
		"between two moves": whether("the event arrives again", "pass; noted: yes", during(1, came(one, confirmed)), fact(1, record.Fact{Kind: record.TimePassed}), silence()),
		"of another":        whether("the event arrives again", "pass; noted: no", came(one, stranger), silence()),
		"at all":            whether("an event arrives", "pass; noted: yes"),
		"of nothing":        {steps: "Then whether it is settled is recorded for open point \"point\"", want: noRequest},
	})
}

func TestWhatIsNotedFitsReadings(t *testing.T) {
	t.Parallel()
	seen := func(status int) []string {
		r := story{
			steps:   "When the account sends a cash-out\nThen the response's status is recorded for open point \"zone\":\n| here | 400 |\n| there | 201 or 400 |",
			entries: list(nil, sent(0, "cash-out", order, status, ok)),
		}.judged(t)
		require.Len(t, r.Observations, 1)
		return r.Observations[0].Fits
	}
	require.Equal(t, []string{"here", "there"}, seen(400))
	require.Equal(t, []string{"there"}, seen(201))
	require.Empty(t, seen(500))
}

// What observes an open point or prepares another step never fails a target.
func TestOnlyRulesFail(t *testing.T) {
	t.Parallel()
	all, err := catalogue.Load(features.FS)
	require.NoError(t, err)
	for _, f := range all.Features {
		for _, rule := range f.Rules {
			for _, s := range rule.Scenarios {
				steps, err := language.ReadAll(s)
				require.NoError(t, err)
				for _, step := range steps {
					observes := strings.Contains(step.Text, " recorded for open point ")
					prepares := step.Type == catalogue.Context || strings.Contains(step.Text, "has sent") || strings.Contains(step.Text, "has received R$")
					require.Equal(t, !observes && !prepares, decides(step), "%s:%d: %s", f.File, step.Line, step.Text)
				}
			}
		}
	}
}
