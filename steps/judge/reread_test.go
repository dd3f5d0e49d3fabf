package judge

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A read that failed is a breach or a warning, although the next one is right.
func TestReadsThatFailed(t *testing.T) {
	t.Parallel()
	read := func(noun string, status int, role record.Role) record.Entry {
		e := sent(0, noun, "", status, fmt.Sprintf(`{"statusCode":%d}`, status))
		e.Role = role
		return e
	}
	unfinished := func(status int, reason string) record.Entry {
		e := read("balance request", status, record.Look)
		e.Exchange.Err = reason
		return e
	}
	proxys := func() record.Entry {
		e := read("balance request", 503, record.Look)
		e.Exchange.ResponseBody = []byte("no healthy upstream")
		return e
	}
	accounts := func(method string) record.Entry {
		e := called(target.Accounts, "")
		e.Exchange.Method = method
		return e
	}
	const webhooks = "webhook list request"
	const lists, balances, cases = "transaction list request", "balance request", "MED list request"
	const lagging = "a token that replicas do not know"
	for name, c := range map[string]struct {
		entries        []record.Entry
		breach, warned string
	}{
		lagging:                          {list(nil, fact(0, record.Fact{Kind: record.Lagging, For: 3 * time.Second}), read(balances, 200, record.Look), read(balances, 401, record.Look), read(balances, 200, record.Look)), "", ""},
		"one that is right":              {list(nil, read(balances, 200, record.Look)), "", ""},
		"a list":                         {list(nil, read(lists, 500, record.Look), read(lists, 200, record.Look)), "lists.answer 500", ""},
		"an outage of a moment":          {list(nil, read(lists, 503, record.Look), read(lists, 200, record.Look)), "lists.answer 503", ""},
		"a balance before a step":        {list(nil, read(balances, 502, record.Before)), "balance.answer 502", ""},
		"a balance while preparing":      {list(nil, read(balances, 504, record.Aside)), "balance.answer 504", ""},
		"a limit that nobody states":     {list(nil, read(balances, 429, record.Look)), "balance.answer 429", ""},
		"a token rejected in between":    {list(nil, read(balances, 200, record.Look), read(balances, 401, record.Look), read(balances, 200, record.Look)), "balance.answer 401", ""},
		"a token that is not known yet":  {list(nil, read(balances, 401, record.Look), read(balances, 200, record.Look)), "", ""},
		"an account that is gone":        {list(nil, read(balances, 200, record.Look), read(balances, 404, record.Look)), "", ""},
		"a token that may have expired":  {list(nil, read(balances, 200, record.Look), called(target.Clock, ""), read(balances, 401, record.Look), read(balances, 200, record.Look)), "", ""},
		"half a balance":                 {list(nil, unfinished(200, "the response broke off after 7 bytes of the body: the target closed the connection")), "", ""},
		"a body that is malformed":       {list(nil, unfinished(200, "the response broke off after 7 bytes of the body: malformed chunked encoding")), "balance.answer a malformed response: the response broke off after 7 bytes of the body: malformed chunked encoding", ""},
		"a proxy without its gateway":    {list(nil, proxys()), "", ""},
		"a balance that takes too long":  {list(nil, unfinished(0, "timed out after 30s")), "", ""},
		"a connection that broke":        {list(nil, unfinished(0, "the target closed the connection before responding")), "", ""},
		"what pixcert did not wait for":  {list(nil, unfinished(200, "pixcert stopped waiting: context canceled")), "", ""},
		"while something fails":          {list(nil, called(target.FaultsControl, ""), read(balances, 503, record.Look)), "", ""},
		"of which sentences speak":       {list(nil, read(balances, 503, record.Spoken)), "", ""},
		"cases, too often":               {list(nil, read(cases, 429, record.Throttled), read(cases, 429, record.Throttled), read(cases, 200, record.Look)), "", "429 2 times; accepted later"},
		"cases, for a documented reason": {list(nil, read(cases, 500, record.Look), read(cases, 200, record.Look)), "", "500 1 time; accepted later"},
		"cases, for another":             {list(nil, read(cases, 503, record.Look)), "med.list 503", ""},
		"webhooks of a removed account":  {list(nil, accounts(http.MethodPost), accounts(http.MethodDelete), read(webhooks, 200, record.Look)), "webhook.account-not-found 200", ""},
		"webhooks of one that is there":  {list(nil, accounts(http.MethodPost), read(webhooks, 200, record.Look), accounts(http.MethodDelete), read(webhooks, 404, record.Look)), "", ""},
		"webhooks of the one after it":   {list(nil, accounts(http.MethodDelete), accounts(http.MethodPost), read(webhooks, 200, record.Look)), "", ""},
		"a resend, too often":            {list(nil, read("resend request", 429, record.Throttled)), "", "429 1 time; accepted later"},
	} {
		t.Run(name, func(t *testing.T) {
			j, entries := story{steps: "When the account sends a balance request", entries: c.entries}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			var breaches, warned []string
			for _, met := range j.contradictions() {
				got, _, _ := strings.Cut(met.Got, ",")
				breaches = append(breaches, met.Rule+" "+got)
			}
			for _, w := range j.Delays() {
				warned = append(warned, w.Got)
			}
			assert.Equal(t, c.breach, strings.Join(breaches, "; "))
			assert.Equal(t, c.warned, strings.Join(warned, "; "))
		})
	}
}
