package judge

import (
	"fmt"
	"net/http"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
)

// A scenario moves the clock until shortly before something expires, or until shortly before the hour at which a
// night begins or ends. If its steps take so long that it is past that nonetheless, what the target does then is no
// fault.

// overrun says what has expired by the time of a request only because the scenario took so long; empty if
// nothing has. How long it looked again at an outcome does not count.
func (s *Scenario) overrun() string {
	if len(s.callsOf(target.Clock, http.MethodPut)) == 0 {
		return ""
	}
	again := looksAgain(s)
	acts := func(index int, e *exchange.Exchange) bool { return e.Party != exchange.Webhook && !again[index] }
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
	return pastTheHour(s, acts)
}

// looksAgain are the exchanges by which a step looked at what it had looked at before, since it did not hold.
func looksAgain(s *Scenario) map[int]bool {
	again, seen := map[int]bool{}, map[string]bool{}
	look := func(step, index int, at string) {
		key := fmt.Sprint(step, " ", at)
		again[index], seen[key] = seen[key], true
	}
	for _, t := range s.Looks {
		look(t.Step, t.Index, t.URL)
	}
	for _, c := range s.Calls {
		if c.Method == http.MethodGet {
			look(c.Step, c.Index, c.URL)
		}
	}
	return again
}

// pastTheHour: the clock was set to a time of day, and before a request ended that followed an hour began: perhaps
// another night, day or date. Scenarios keep a minute away from the hours that matter.
func pastTheHour(s *Scenario, acts func(int, *exchange.Exchange) bool) string {
	calls := s.callsOf(target.Clock, http.MethodPut)
	for n, c := range calls {
		now, err := time.Parse(time.RFC3339, c.Text("now"))
		if err != nil {
			continue
		}
		left := now.Truncate(time.Hour).Add(time.Hour).Sub(now)
		for index, e := range s.Exchanges {
			moved := n+1 < len(calls) && index >= calls[n+1].Index
			if took := e.Sent.Add(e.Took).Sub(c.Sent); index > c.Index && !moved && acts(index, e) && took >= left {
				return fmt.Sprintf("the scenario took %v from %s on, so that the next hour had begun", took.Round(time.Second), now.Format("15:04"))
			}
		}
	}
	return ""
}
