package run

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/verdict"
)

// A target that sends a response that was not requested breaks HTTP: the next request on the connection gets the wrong
// response. What is wrong with such responses is no fault of the operations that they arrive at, so one failure reports
// all of them.

const unsolicited = "the target sent a response that was not requested"

// noteUnsolicited keeps the exchange that shows it, by preference one of a scenario, which can be replayed.
func (b *breachLog) noteUnsolicited(by verdict.Scenario, e *exchange.Exchange) (isNew bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	isNew = b.unsolicited == nil
	if isNew || cmp.Or(outsideLast(by, *b.unsolicited), cmp.Compare(by.ID(), b.unsolicited.ID())) < 0 {
		b.unsolicited = &verdict.Scenario{Rule: by.Rule, Name: by.Name, Line: by.Line, Started: by.Started, Exchanges: []exchange.Exchange{e.Kept()}}
	}
	return isNew
}

func outsideLast(a, b verdict.Scenario) int {
	switch {
	case (a.Rule == setUp) == (b.Rule == setUp):
		return 0
	case a.Rule == setUp:
		return 1
	}
	return -1
}

// noteDoubtful notes the exchanges of a scenario whose connection received something unsolicited.
func (b *breachLog) noteDoubtful(by verdict.Scenario, j *judge.Scenario) (isNew bool) {
	for _, e := range j.Exchanges {
		if e.Party == exchange.API && b.doubts(*e) {
			isNew = b.noteUnsolicited(by, e) || isNew
		}
	}
	return isNew
}

// noteLate notes the doubtful exchanges of a run: also those of scenarios that had ended before something unsolicited was
// received on their connection, and of requests that belong to no scenario, such as probes.
func (b *breachLog) noteLate(exchanges []exchange.Exchange) {
	for _, e := range exchanges {
		if e.Party != exchange.API {
			continue
		}
		b.mu.Lock()
		by := cmp.Or(b.sentBy[e.Sent.UnixNano()], &verdict.Scenario{Rule: setUp})
		b.mu.Unlock()
		b.noteUnsolicited(*by, &e)
	}
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

func (b *breachLog) doubts(e exchange.Exchange) bool { return b.isDoubtful != nil && b.isDoubtful(e) }

// unsolicitedResult is the failure that reports unsolicited responses. Its rule does not depend on the connection on which
// one arrives: it is the first selected one about contracts, or else the first.
func (b *breachLog) unsolicitedResult(selected map[string]bool) (result verdict.Scenario, ok bool) {
	rules := slices.DeleteFunc(slices.Sorted(maps.Keys(selected)), func(rule string) bool { return !selected[rule] })
	if b.unsolicited == nil || len(rules) == 0 {
		return result, false
	}
	rule := rules[max(0, slices.IndexFunc(rules, func(rule string) bool { return strings.HasPrefix(rule, "contract.") }))]
	return verdict.Scenario{
		Rule: rule, Name: unsolicited, Via: b.unsolicited.ID(), Verdict: verdict.Fail,
		Finding: &verdict.Finding{
			Expected: "one response to each request", Got: unsolicited, Hint: howBroken(*b.unsolicited), About: verdict.About{Kind: verdict.Framing},
		},
		Exchanges: b.unsolicited.Exchanges, ExchangeCount: 1, Started: b.unsolicited.Started,
	}, true
}
