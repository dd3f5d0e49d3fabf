package judge

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
)

// A resend whose response says that a URL has accepted the event has delivered it there.
func TestUndeliveredResends(t *testing.T) {
	t.Parallel()
	const one, two = "https://sink.example/1", "https://sink.example/2"
	resend := func(body, answer string, status int) record.Entry {
		e := sent(0, "resend request", body, status, answer)
		e.Exchange.Sent = time.Unix(10, 0)
		return e
	}
	event := func(at int64, url string) record.Entry {
		e := came(url, `{"event":"CashOut"}`)
		e.Exchange.Sent = time.Unix(at, 0)
		return e
	}
	opened, given := fact(0, record.Fact{Kind: record.Opened}), fact(0, record.Fact{Kind: record.Temporary, Of: two})
	const toTwo, delivered = `{"url":"` + two + `"}`, `{"statusCode":200}`
	for name, c := range map[string]struct {
		entries []record.Entry
		want    string // the rule
	}{
		"at its URL":                    {list(nil, opened, given, resend(toTwo, delivered, 200), event(11, two)), ""},
		"at the registered URL instead": {list(nil, opened, subscribed("cash_out", one), given, resend(toTwo, delivered, 200), event(11, one)), "resend.temporary-url"},
		"at an earlier one":             {list(nil, opened, given, fact(0, record.Fact{Kind: record.Temporary, Of: one}), resend(toTwo, delivered, 200), event(11, one)), "resend.temporary-url"},
		"at its URL, but before":        {list(nil, opened, given, event(9, two), resend(toTwo, delivered, 200)), "resend.temporary-url"},
		"refused":                       {list(nil, opened, given, resend(toTwo, `{}`, 400)), ""},
		"a failing destination":         {list(nil, opened, given, resend(toTwo, `{"statusCode":503}`, 200)), ""},
		"a URL of nobody":               {list(nil, opened, given, resend(`{"url":"https://127.0.0.1:9/x"}`, delivered, 200)), ""},
		"registered":                    {list(nil, opened, subscribed("cash_out", one), resend("", delivered, 200), event(11, one)), ""},
		"registered, but nothing there": {list(nil, opened, subscribed("cash_out", one), resend("", delivered, 200), event(11, two)), "resend.registered-url"},
		"registered by others, too":     {list(nil, openedFixed(), subscribed("cash_out", one), resend("", delivered, 200)), ""},
		"nothing registered":            {list(nil, opened, resend("", delivered, 200)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, entries := story{steps: "When the account sends a resend request", entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			var rules []string
			for _, t := range j.Undelivered() {
				rules = append(rules, isDelivered(&j.facts, t)[0].Rule)
			}
			assert.Equal(t, c.want, strings.Join(rules, " "))
		})
	}
}
