package judge

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// What a control has done to a MED case arrives at each URL that was registered for it, and a REFUND event that
// comes early is followed by another.
func TestUnreported(t *testing.T) {
	t.Parallel()
	const one, two = "https://sink.example/1", "https://sink.example/2"
	const e2e = "E6070119020260301100000000000001"
	control := func(control target.Control, method, url, body, answer string) record.Entry {
		return record.Entry{Exchange: &exchange.Exchange{
			Party: exchange.Control, Operation: string(control), Method: method, URL: "https://gw.example/controls" + url, Status: 200, Body: []byte(body), ResponseBody: []byte(answer),
		}}
	}
	paid := func() []record.Entry {
		return list(nil, fact(0, record.Fact{Kind: record.Opened}), sent(0, "cob", `{}`, 201, `{"location":"code"}`), fact(0, record.Fact{Kind: record.Paid, Text: e2e}))
	}
	registered := func(eventType, url string) []record.Entry {
		return list(nil, sent(0, "webhook registration", `{"url":"`+url+`","eventType":"`+eventType+`"}`, 200, `{"success":true}`), subscribed(eventType, url))
	}
	opened := func() []record.Entry {
		return list(nil, control(target.MED, http.MethodPost, "/accounts/1/meds", `{}`, `{"id":7}`), fact(0, record.Fact{Kind: record.Opening, Text: "7", Of: e2e}))
	}
	accepted := func() record.Entry {
		return control(target.MED, http.MethodPatch, "/accounts/1/meds/7", `{"status":"ANALYZED","analysisResult":"APPROVED"}`, `{}`)
	}
	waited := fact(1, record.Fact{Kind: record.Waited, Text: EventsAfterLastStep})
	whole := func(parts ...[]record.Entry) (all []record.Entry) {
		for _, part := range parts {
			all = append(all, part...)
		}
		return append(all, waited)
	}
	refund := func(status string) []record.Entry {
		return list(nil, sent(0, "refund", `{"valor":"1.00"}`, 201, `{"rtrId":"D1","status":"EM_PROCESSAMENTO"}`),
			control(target.Refunds, http.MethodPost, "/accounts/1/refunds/D1/result", `{"status":"`+status+`"}`, `{}`))
	}
	said := func(status string) []record.Entry {
		return list(nil, came(one, `{"type":"REFUND","data":{"status":"`+status+`","refunds":[{"endToEndId":"D1"}]}}`))
	}
	failing := func(events []record.Entry) []record.Entry {
		events[0].Exchange.Status = http.StatusInternalServerError
		return events
	}
	const refunded = "a REFUND event with status REFUNDED once the refund is DEVOLVIDO"
	for name, c := range map[string]struct {
		entries []record.Entry
		want    string
	}{
		"a refund":        {whole(refund("DEVOLVIDO"), said("REFUNDED")), ""},
		"a refund, twice": {whole(refund("DEVOLVIDO"), said("PROCESSING"), said("REFUNDED")), ""},
		"a refund, announced too late to wait for its end": {append(whole(refund("DEVOLVIDO")), said("PROCESSING")...), ""},
		"a refund in processing":                           {whole(refund("DEVOLVIDO"), said("PROCESSING")), refunded},
		"a URL that fails":                                 {whole(refund("DEVOLVIDO"), failing(said("PROCESSING"))), ""},
		"another URL that fails":                           {whole(paid(), registered("med_created", one), registered("med_created", two), opened(), failing(list(nil, came(two, `{}`)))), "a med_created event at each URL that is registered for it"},
		"a refund, unheard":                                {whole(refund("DEVOLVIDO")), ""},
		"a refund that failed":                             {whole(refund("NAO_REALIZADO"), said("PROCESSING")), ""},
		"arrived":                                          {whole(paid(), registered("med_created", one), opened(), list(nil, came(one, `{}`))), ""},
		"missing":                                          {whole(paid(), registered("med_created", one), opened()), "a med_created event at each URL that is registered for it"},
		"at one of two":                                    {whole(paid(), registered("med_created", one), registered("med_created", two), opened(), list(nil, came(two, `{}`))), "a med_created event at each URL that is registered for it"},
		"only before":                                      {whole(paid(), registered("med_created", one), list(nil, came(one, `{}`)), opened()), "a med_created event at each URL that is registered for it"},
		"of another type":                                  {whole(paid(), registered("med_rejected", one), opened()), ""},
		"registered later":                                 {whole(paid(), opened(), registered("med_created", one)), ""},
		"an analysis":                                      {whole(paid(), registered("med_accepted", one), opened(), list(nil, accepted())), "a med_accepted event at each URL that is registered for it"},
		"of an unknown payment":                            {whole(registered("med_created", one), opened()), ""},
		"of a moved clock":                                 {whole(paid(), registered("med_created", one), opened(), list(nil, control(target.Clock, http.MethodPut, "/accounts/1/clock", `{}`, `{}`))), ""},
		"that was not waited for":                          {whole(paid(), registered("med_created", one), opened())[:7], ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, entries := story{steps: "When the account sends a MED list request", entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			var got []string
			for _, met := range j.contradictions() {
				if met.Rule != "cob.created" { // the charge of another txid
					got = append(got, met.Expected)
				}
			}
			assert.Equal(t, c.want, strings.Join(got, "; "))
		})
	}
}
