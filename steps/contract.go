package steps

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/features/contract"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/sink"
	"github.com/pixcert/pixcert/steps/verdict"
)

// contractEvents are the events that openapi.yaml describes, by the names of their
// payloads: its name for each, and the rule under which breaches are reported.
var contractEvents = map[string]struct{ webhook, rule string }{
	"CashOut":  {"cashOutResult", "contract.cash-out-event"},
	"TRANSFER": {"transferResult", "contract.transfer-event"},
	"RECEIVE":  {"chargeReceived", "contract.receive-event"},
	"REFUND":   {"refundResult", "contract.refund-event"},
}

// contractBook holds every answer and event of a run against openapi.yaml. A breach
// is reported under the rule of its operation, whichever scenario met it, so that one
// wrong field fails one rule instead of every scenario that passes by it.
type contractBook struct {
	contract *contract.Contract

	mu       sync.Mutex
	breaches map[breach]verdict.Scenario // with the scenario that shows it
	of       map[string]int              // breaches by rule
}

// mostBreaches bounds the breaches that are told of a rule: a target can break the
// contract in another way with each answer.
const mostBreaches = 50

// breach is one way in which the answers of an operation break the contract.
type breach struct{ rule, expected, came string }

func newContractBook() (*contractBook, error) {
	c, err := contract.Load()
	if err != nil {
		return nil, err
	}
	return &contractBook{contract: c, breaches: map[breach]verdict.Scenario{}, of: map[string]int{}}, nil
}

// check holds an answer against the contract.
func (b *contractBook) check(s *scenario, t *attempt) {
	if s.probing {
		return
	}
	for _, message := range b.breachesOf(s, t) {
		b.add(s, breach{t.op.rule, expectedAnswer(s, t), fmt.Sprintf("%d with: %s", t.status(), message)}, t.exchange)
	}
}

func expectedAnswer(s *scenario, t *attempt) string {
	return fmt.Sprintf("an answer of %s %s as openapi.yaml has it", t.op.method, shownPath(s, t))
}

// shownPath is the path with its parameters by name: the same for all requests of an
// operation, so that a breach is told once.
func shownPath(s *scenario, t *attempt) string {
	if t.op.path == "" {
		return t.path(s)
	}
	return t.op.path
}

// breachesOf lists what in an answer breaks the contract. What a gateway answers to
// another content type is left open, its shape too.
func (b *contractBook) breachesOf(s *scenario, t *attempt) []string {
	op, ok := b.contract.Operation(t.op.id)
	otherContent := len(t.exchange.Body) > 0 && !strings.HasPrefix(t.header.Get("Content-Type"), "application/json")
	switch {
	case !ok || t.op.rule == "" || t.status() == 0 || otherContent:
		return nil
	case t.exchange.Truncated:
		return []string{"a body longer than any answer of the API"}
	}
	var messages []string
	for _, v := range op.CheckResponse(t.status(), t.exchange.ResponseHeader, t.exchange.ResponseBody) {
		messages = append(messages, v.Message)
	}
	return append(messages, b.notOfTheCall(s, t)...)
}

// notOfTheCall: path and method of a refusal are those of the request (Errors,
// envelope A; the simple envelope has neither).
func (b *contractBook) notOfTheCall(s *scenario, t *attempt) []string {
	var messages []string
	if path, ok := lookup(t.answer, "path"); ok && t.status() >= 400 && !isPath(path, t.path(s)) {
		messages = append(messages, "path must be that of the request, "+shownPath(s, t))
	}
	if method, ok := lookup(t.answer, "method"); ok && t.status() >= 400 && method != t.op.method {
		messages = append(messages, "method must be that of the request, "+t.op.method)
	}
	return messages
}

// checkEvent holds an event against the contract.
func (b *contractBook) checkEvent(s *scenario, came sink.Event) {
	for _, message := range b.eventBreaches(came) {
		b.add(s, breach{contractEvents[nameOf(came)].rule, expectedEvent(came), message}, s.webhookExchange(came))
	}
}

func expectedEvent(came sink.Event) string {
	return fmt.Sprintf("a %s event as openapi.yaml has it", nameOf(came))
}

// eventBreaches lists what in an event breaks the contract, which is silent on events
// of other names.
func (b *contractBook) eventBreaches(came sink.Event) []string {
	event, described := contractEvents[nameOf(came)]
	if !described {
		return nil
	}
	body := came.Body
	if payload, err := decode(body); err == nil {
		body, _ = json.Marshal(unwrapped(payload)) // what was decoded can be encoded
	}
	var messages []string
	for _, v := range b.contract.CheckWebhook(event.webhook, body) {
		messages = append(messages, v.Message)
	}
	return messages
}

// add keeps a breach once, however many answers show it. The scenario that shows it is
// one of the operation's own rule where there is one, else the first by name: the same
// in every run, whatever the order.
func (b *contractBook) add(s *scenario, found breach, evidence exchange.Exchange) {
	b.mu.Lock()
	defer b.mu.Unlock()
	met := verdict.Scenario{Rule: s.plan.scenario.Rule.Name, Name: s.plan.scenario.Name, Line: s.plan.scenario.Line, Started: s.result.Started}
	known, ok := b.breaches[found]
	if ok && (known.Rule == found.rule || met.Rule != found.rule && known.ID() <= met.ID()) {
		return
	}
	if !ok && b.of[found.rule] == mostBreaches {
		return
	}
	if !ok {
		b.of[found.rule]++
	}
	met.Exchanges = []exchange.Exchange{evidence.Kept()}
	b.breaches[found] = met
}

// results are the breaches that no scenario of the operation's own rule failed by, as
// results of that rule, if it is among those that were to run.
func (b *contractBook) results(carriedOut []verdict.Scenario) []verdict.Scenario {
	failed, selected := map[string]bool{}, map[string]bool{}
	for _, s := range carriedOut {
		failed[s.ID()] = s.Verdict == verdict.Fail
		selected[s.Rule] = true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []verdict.Scenario
	for found, met := range b.breaches {
		if !selected[found.rule] || met.Rule == found.rule && failed[met.ID()] {
			continue
		}
		all = append(all, verdict.Scenario{
			Rule: found.rule, Name: found.came, Via: met.ID(), Verdict: verdict.Fail,
			Finding:   &verdict.Finding{Expected: found.expected, Came: found.came, Hint: "met while testing " + met.Rule + ", " + met.Name, Exchange: 0},
			Exchanges: met.Exchanges, ExchangeCount: 1, Started: met.Started,
		})
	}
	slices.SortFunc(all, func(a, b verdict.Scenario) int { return cmp.Compare(a.ID(), b.ID()) })
	return all
}

// --- sentences ---

func (s *scenario) answersMatchContract() error {
	for _, t := range s.attempts {
		if t.op.rule != s.plan.scenario.Rule.Name {
			continue
		}
		if t.status() == 0 {
			return s.fail(t, "an answer", t.summary(), "")
		}
		for _, message := range s.run.contract.breachesOf(s, t) {
			return s.fail(t, expectedAnswer(s, t), fmt.Sprintf("%d with: %s", t.status(), message), "")
		}
	}
	return nil
}

func (s *scenario) eventsMatchContract() error {
	if name := nameOf(s.event.Event); name != s.event.awaited {
		return s.failEvent(fmt.Sprintf("an event called %s, in event or in type", s.event.awaited), fmt.Sprintf("%q", name))
	}
	for _, message := range s.run.contract.eventBreaches(s.event.Event) {
		return s.failEvent(expectedEvent(s.event.Event), message)
	}
	return nil
}
