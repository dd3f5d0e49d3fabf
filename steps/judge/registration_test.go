package judge

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A valid registration that only prepares something fails the rule of registrations, whichever scenario sent
// it, although a precondition fails nothing.
func TestRegistrationsThatPrepareAndFail(t *testing.T) {
	t.Parallel()
	const prepares = "Given the account receives cash_out webhooks"
	answered := func(status int) record.Entry {
		return sent(0, "webhook registration", `{"eventType":"cash_out","url":"https://a"}`, status, fmt.Sprintf(`{"statusCode":%d,"code":"X","message":"m"}`, status))
	}
	without := func(status int, reason string) record.Entry {
		e := answered(status)
		e.Exchange.Err = reason
		return e
	}
	const fails = "webhook.registered "
	for name, c := range map[string]struct {
		steps   string
		entries []record.Entry
		want    string
	}{
		"accepted":                       {prepares, list(nil, answered(200)), ""},
		"an error of the gateway":        {prepares, list(nil, answered(500)), fails + "500"},
		"an outage of a moment":          {prepares, list(nil, answered(503)), fails + "503"},
		"and accepted afterwards":        {prepares, list(nil, answered(502), answered(200)), fails + "502"},
		"a status that nobody lists":     {prepares, list(nil, answered(409)), fails + "409"},
		"a limit that nobody states":     {prepares, list(nil, answered(429)), fails + "429"},
		"a reason that is listed":        {prepares, list(nil, answered(400)), ""},
		"a token that is not known yet":  {prepares, list(nil, answered(401)), ""},
		"an account that is not yet":     {prepares, list(nil, answered(404)), ""},
		"one that takes too long":        {prepares, list(nil, without(0, "timed out after 30s")), ""},
		"a connection that broke":        {prepares, list(nil, without(0, "the target closed the connection before responding")), ""},
		"while something fails":          {prepares, list(nil, called(target.FaultsControl, ""), answered(503)), ""},
		"before the scenarios":           {"", list(nil, answered(500)), fails + "500"},
		"one that another step judges":   {"When the account sends a webhook registration", list(nil, answered(500)), ""},
		"one that has to be accepted":    {"Given the account has sent a webhook registration", list(nil, answered(500)), fails + "500"},
		"a request of another operation": {prepares, list(nil, sent(0, "cash-out", `{}`, 500, `{}`)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			steps := c.steps
			if steps == "" {
				steps = prepares
			}
			j, entries := story{steps: steps, entries: c.entries}.begin(t)
			if c.steps == "" {
				j.Steps = nil
			}
			for _, e := range entries {
				j.Add(e)
			}
			var got []string
			for _, met := range j.contradictions() {
				if met.Rule == "webhook.registered" {
					status, _, _ := strings.Cut(met.Got, ",")
					got = append(got, met.Rule+" "+status)
				}
			}
			assert.Equal(t, c.want, strings.Join(got, "; "))
		})
	}
}

// A new account has room for three URLs for each type of event, also where no step asks for a fourth.
func TestRoomForURLs(t *testing.T) {
	t.Parallel()
	const steps = "When the account sends a webhook registration"
	registered := func(eventType, url string, status int) record.Entry {
		return sent(0, "webhook registration", fmt.Sprintf(`{"eventType":%q,"url":"https://sink.example/%s"}`, eventType, url), status, `{"success":true}`)
	}
	full := list(nil, registered("cash_in", "1", 200), registered("cash_in", "2", 200), registered("cash_in", "3", 200))
	own := record.Entry{Fact: &record.Fact{Kind: record.OwnURLs, Of: "https://sink.example/"}}
	for name, c := range map[string]struct {
		entries []record.Entry
		fails   bool
	}{
		"three":            {list(nil, own), false},
		"a fourth":         {list(nil, own, registered("cash_in", "4", 200)), true},
		"rejected":         {list(nil, own, registered("cash_in", "4", 400)), false},
		"one of them":      {list(nil, own, registered("cash_in", "2", 200)), false},
		"of another type":  {list(nil, own, registered("cash_out", "4", 200)), false},
		"of no type":       {list(nil, own, registered("payout", "4", 200)), false},
		"of somebody else": {list(nil, registered("cash_in", "4", 200)), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j, entries := story{steps: steps, entries: slices.Concat(full, c.entries)}.begin(t)
			for _, e := range entries {
				j.Add(e)
			}
			isLimit := func(met Met) bool { return met.Rule == "webhook.limit" }
			assert.Equal(t, c.fails, slices.ContainsFunc(j.contradictions(), isLimit))
		})
	}
}
