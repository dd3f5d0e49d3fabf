package judge

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
)

// A scenario moves the clock until shortly before something expires. If its requests take so long that it
// expires nonetheless, what the target does then is no fault.

// lifetimes are how long what an operation makes lasts: the field that says so, and the default.
var lifetimes = map[string]struct{ field, seconds string }{
	"transfer": {"expiration", "600"}, // Endpoints 3, 6 and 7
	"cashIn":   {"transaction.expirationTime", "86400"},
	"cob":      {"calendario.expiracao", ""},
	api.Token:  {"", "1800"},
}

func lifetimeOf(t *record.Attempt) (time.Duration, bool) {
	of, known := lifetimes[t.Op.ID]
	seconds := of.seconds
	if of.field != "" {
		seconds = cmp.Or(t.SentText(of.field), of.seconds)
	}
	lifetime, err := time.ParseDuration(seconds + "s")
	return lifetime, known && err == nil
}

// overrun says what has expired by the time of a request only because the scenario took so long; empty if
// nothing has. How long it looked at the outcome does not count.
func (s *Scenario) overrun() string {
	if len(s.callsOf(target.Clock, http.MethodPut)) == 0 {
		return ""
	}
	reads := map[int]bool{}
	for _, t := range s.Looks {
		reads[t.Index] = true
	}
	acts := func(index int, e *exchange.Exchange) bool {
		return e.Party != exchange.Webhook && (e.Party == exchange.API || e.Method != http.MethodGet) && !reads[index]
	}
	for _, t := range s.Requests() {
		lifetime, ok := lifetimeOf(t)
		if !ok || !t.Accepted() {
			continue
		}
		for index, e := range s.Exchanges {
			passed := s.passedSince(t.Index) - s.passedSince(index)
			if index > t.Index && passed > 0 && passed < lifetime && acts(index, e) && passed+e.Sent.Add(e.Took).Sub(t.Sent) >= lifetime {
				return fmt.Sprintf("the scenario took %v besides the %v that it lets pass, so that what the %s made had expired", e.Sent.Add(e.Took).Sub(t.Sent).Round(time.Second), passed, t.Op.Noun)
			}
		}
	}
	return ""
}
