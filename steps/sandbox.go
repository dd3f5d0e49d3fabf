package steps

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
)

// Without the control of settlement a payment's outcome can be had from the target's own
// sandbox: the order carries X-Sandbox-Scenario with the value that brings the outcome
// about. The bank of the scenario then acts when it likes and its own steps do nothing,
// so that only a scenario will do which does not look while the payment waits, and which
// waits for its end itself.

const sandboxHeader = "X-Sandbox-Scenario"

// confirmed is the outcome of a payment that did not fail; those that did have the
// errorCode of their event.
const confirmed = "CONFIRMED"

// staging is how a scenario does without the control of settlement.
type staging struct {
	outcome map[int]string // of what a step orders, by its index
}

// stages says whether the target's sandbox can bring about every outcome of a scenario.
func (o offer) stages(p *planned) bool {
	if p.staging == nil {
		return false
	}
	for _, outcome := range p.staging.outcome {
		if !o.sandbox[outcome] {
			return false
		}
	}
	return true
}

// Steps as staging reads them.
var (
	anOrder     = regexp.MustCompile(`^the account (?:sends|has sent) a (?:QR )?cash-out(?: of R\$ [\d.]+| with (\S+) .+| with:)?$`)
	aRequest    = regexp.MustCompile(`^the (?:other )?account (?:sends|has sent|walks) `)
	bankConfirm = regexp.MustCompile(`^the bank confirms (?:it|the (first|second|third))$`)
	bankReject  = regexp.MustCompile(`^the bank rejects (?:it|the (first|second|third)) with ([A-Z_]+)$`)
	ofTheAnswer = regexp.MustCompile(`^(?:it is accepted(?: with \d+)?|the answer has:|both answers differ .*)$`)
	untilTheEnd = regexp.MustCompile(`^an? (?:CashOut|cash_out) event arrives|^it has become `)
	orderFields = []string{"value", "description", "externalId"} // that decide about no outcome
)

// unstaged are the words of steps which decide about an outcome themselves, or that ask
// for something which a sandbox does not do.
var unstaged = []string{" tries to ", "key directory", " pass", " in São Paulo", "at once", "to one key", " after each", "the PIX provider", "upstream"}

// stage finds out how a scenario can do without the control of settlement; nil if it
// cannot.
func stage(scenario *catalogue.Scenario, spoken []*sentence, reads map[int]bool) *staging {
	st := &staging{outcome: map[int]string{}}
	var orders []int            // the steps that order a payment
	open := map[int]bool{}      // those that wait for the bank
	waits, last := false, false // the bank does; the last request was an order of ours
	for i, step := range scenario.Steps {
		text := step.Text
		which, outcome := bankActs(text)
		switch {
		case slices.ContainsFunc(unstaged, func(word string) bool { return strings.Contains(text, word) }):
			return nil
		case text == "settlement waits for the bank":
			waits = true
		case spoken[i].brings:
			last = true
		case anOrder.MatchString(text):
			if !decidesNothing(step) {
				return nil
			}
			orders, last = append(orders, i), true
			if open[i] = waits; !waits {
				st.outcome[i] = confirmed
			}
		case spoken[i].sendsPayment(text), last && strings.HasPrefix(text, "the account sends it again"):
			return nil
		case outcome != "":
			order, known := nthOf(orders, which)
			if !known || !open[order] || readsWithin(reads, order+1, i) {
				return nil
			}
			if i+1 == len(scenario.Steps) || !waitsForEnd(scenario.Steps[i+1]) {
				return nil
			}
			st.outcome[order] = outcome
			delete(open, order)
		case last && strings.Contains(text, "refused"):
			return nil
		case hasOpen(open) && !ofTheAnswer.MatchString(text):
			return nil
		case aRequest.MatchString(text):
			last = false
		}
	}
	if len(orders) == 0 && !slices.ContainsFunc(spoken, func(s *sentence) bool { return s.brings }) {
		return nil // it is about other payments
	}
	return st
}

func bankActs(text string) (which, outcome string) {
	if m := bankConfirm.FindStringSubmatch(text); m != nil {
		return m[1], confirmed
	}
	if m := bankReject.FindStringSubmatch(text); m != nil {
		return m[1], m[2]
	}
	return "", ""
}

// decidesNothing: the order changes no field by which its outcome could be another.
func decidesNothing(step catalogue.Step) bool {
	var fields []string
	if field := anOrder.FindStringSubmatch(step.Text)[1]; field != "" {
		fields = append(fields, field)
	}
	for _, row := range step.Table {
		fields = append(fields, row[0])
	}
	return !slices.ContainsFunc(fields, func(field string) bool { return !slices.Contains(orderFields, field) })
}

// nthOf finds the order that a sentence counts; "" is the last.
func nthOf(orders []int, which string) (int, bool) {
	n := len(orders) - 1
	if which != "" {
		n = slices.Index([]string{"first", "second", "third"}, which)
	}
	if n < 0 || n >= len(orders) {
		return 0, false
	}
	return orders[n], true
}

// readsWithin: the balance is read before one of those steps, by which what moves
// afterwards is measured.
func readsWithin(reads map[int]bool, from, to int) bool {
	for i := from; i <= to; i++ {
		if reads[i] {
			return true
		}
	}
	return false
}

func hasOpen(open map[int]bool) bool {
	for _, is := range open {
		if is {
			return true
		}
	}
	return false
}

// waitsForEnd: the step itself waits until the payment has come to its end.
func waitsForEnd(step catalogue.Step) bool {
	listed := step.Text == "the payment is listed with:" && slices.ContainsFunc(step.Table, func(row []string) bool { return row[0] == "status" })
	return listed || untilTheEnd.MatchString(step.Text)
}

// sandboxed puts the header on an order that a step of a staged scenario sends.
func (s *scenario) sandboxed(r *request) {
	if r.op.makes != payment || !s.plan.staged {
		return
	}
	if outcome, ok := s.plan.staging.outcome[s.step]; ok {
		r.header.Set(sandboxHeader, s.run.profile.SandboxScenarios[outcome])
	}
}

// brings: "the account sends a cash-out that the sandbox brings to CONFIRMED".
func (s *scenario) brings(ctx context.Context, who, verb, noun, outcome string) error {
	r, err := s.valid(who, noun)
	if err != nil {
		return err
	}
	r.header.Set(sandboxHeader, s.run.profile.SandboxScenarios[outcome])
	return s.sendsRequest(ctx, r, verb)
}
