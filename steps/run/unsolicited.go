package run

import (
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
		if op := api.Named(e.Operation); op != nil && e.Party == exchange.API && b.doubts(*e) {
			all = append(all, judge.Met{Breach: judge.Breach{Rule: op.Rule, Expected: "one response to each request", Got: unsolicited}, Exchange: e})
		}
	}
	return all
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
