package run

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A target that sends a response that was not requested breaks HTTP: the next request on the connection gets the wrong
// response. What is wrong with such responses is no fault of the operations that they arrive at, so all of them are
// reported as one breach.

const unsolicited = "the target sent a response that was not requested"

// unsolicited returns the breaches of a scenario in which something unsolicited was received, by operation.
func (b *breachLog) unsolicited(j *judge.Scenario) (all []judge.Met) {
	for _, e := range j.Exchanges {
		if b.doubts(*e) {
			all = append(all, metUnsolicited(e)...)
		}
	}
	return all
}

func metUnsolicited(e *exchange.Exchange) []judge.Met {
	op := cmp.Or(api.Named(e.Operation), probed(e))
	if op == nil || e.Party != exchange.API {
		return nil
	}
	return []judge.Met{{Breach: judge.Breach{Rule: op.Rule, Expected: "one response to each request", Got: unsolicited}, Exchange: e}}
}

// probed returns the operation that a probe is about: one is a GET of the balance, the other asks for a token.
func probed(e *exchange.Exchange) *api.Operation {
	if e.Method == http.MethodGet {
		return api.MustNamed("balance request")
	}
	return api.MustNamed("token request")
}

// keepSent keeps when a scenario sent its requests.
func (b *breachLog) keepSent(by verdict.Scenario, j *judge.Scenario) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sentBy == nil {
		b.sentBy = map[int64]*verdict.Scenario{}
	}
	from := &verdict.Scenario{Rule: by.Rule, Name: by.Name, Line: by.Line, Started: by.Started, Took: by.Took}
	for _, e := range j.Exchanges {
		if e.Party == exchange.API {
			b.sentBy[e.Sent.UnixNano()] = from
		}
	}
}

// addLate adds the breaches of scenarios that had ended before something unsolicited was received on a connection of
// theirs, and of requests that belong to no scenario, such as probes. These exchanges are the doubtful ones of the run.
func (b *breachLog) addLate(exchanges []exchange.Exchange) {
	var ofScenarios []func()
	for _, e := range exchanges {
		b.mu.Lock()
		by := b.sentBy[e.Sent.UnixNano()]
		b.mu.Unlock()
		if by == nil {
			b.add(verdict.Scenario{Rule: setUp, Started: e.Sent}, metUnsolicited(&e))
			continue
		}
		ofScenarios = append(ofScenarios, func() { b.add(*by, metUnsolicited(&e)) })
	}
	for _, add := range ofScenarios { // last, because they are shown: a scenario can be replayed
		add()
	}
}

func (b *breachLog) doubts(e exchange.Exchange) bool { return b.isDoubtful != nil && b.isDoubtful(e) }

func (b *breachLog) isUnsolicited(m judge.Met) bool { return m.Got == unsolicited }

// oneUnsolicited keeps the first of the breaches that are about unsolicited responses.
func oneUnsolicited(all []verdict.Scenario) []verdict.Scenario {
	found := false
	return slices.DeleteFunc(all, func(s verdict.Scenario) bool {
		again := found && s.Finding.Got == unsolicited
		found = found || s.Finding.Got == unsolicited
		return again
	})
}
