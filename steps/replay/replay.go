// Package replay compares what two gateways did in the same scenario, and reports where they
// differ in meaning. The order of fields, white space, and the ids, times and tokens that each
// gateway generates are not differences.
package replay

import (
	"cmp"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Result is one scenario on both gateways.
type Result struct {
	ID        string `json:"id"` // verdict.Scenario.Slug
	Title     string `json:"title"`
	Name      string `json:"scenario"`
	Target    Side   `json:"target"`
	Reference Side   `json:"reference"`
	Steps     []Step `json:"steps"`
}

// Side is the result of one gateway.
type Side struct {
	Name    string           `json:"name"`
	Verdict verdict.Verdict  `json:"verdict"`
	Finding *verdict.Finding `json:"-"`
}

// Step is a step of the scenario with its exchanges.
type Step struct {
	Keyword   string          `json:"keyword"`
	Text      string          `json:"text"`
	Target    verdict.Verdict `json:"target,omitempty"` // absent if it was not reached
	Reference verdict.Verdict `json:"reference,omitempty"`
	Pairs     []Pair          `json:"exchanges"`
}

// Pair is the same exchange with both gateways. One of the two is nil if only the other gateway
// took part in it.
type Pair struct {
	Target      *Exchange    `json:"target"`
	Reference   *Exchange    `json:"reference"`
	Differences []Difference `json:"differences"`

	First   bool `json:"first,omitempty"`   // it has the first differences that matter
	Subject bool `json:"subject,omitempty"` // the target's finding is about it
}

// Matters reports whether the two differ in something that a rule can be about.
func (p Pair) Matters() bool {
	for _, d := range p.Differences {
		if d.Matters {
			return true
		}
	}
	return false
}

// Exchange is one exchange, or the last of several identical reads that polled for a change.
type Exchange struct {
	exchange.Exchange `json:"-"`

	Party     exchange.Party `json:"party"`
	Operation string         `json:"operation"`
	Method    string         `json:"method"`
	URL       string         `json:"url"`
	Sent      string         `json:"body,omitempty"` // of the request
	Status    int            `json:"status"`
	Answer    string         `json:"answer,omitempty"`
	Error     string         `json:"error,omitempty"`
	Times     int            `json:"times"` // how often it was sent
}

func shown(e exchange.Exchange) *Exchange {
	return &Exchange{
		Exchange: e, Party: e.Party, Operation: e.Operation, Method: e.Method, URL: e.URL, Times: 1,
		Sent: excerpt(e.Body), Status: e.Status, Answer: excerpt(e.ResponseBody), Error: e.Err,
	}
}

// excerpt returns the beginning of a body as text.
func excerpt(body []byte) string {
	const most = 4 << 10
	if len(body) > most {
		return exchange.Visible(string(body[:most])) + "…"
	}
	return exchange.Visible(string(body))
}

// Of compares a scenario on the target and on the reference, both with all their exchanges. If
// the target fails and the reference passes, the first difference that matters is marked.
func Of(target, reference verdict.Scenario) Result {
	r := Result{
		ID: target.Slug(), Name: target.Name,
		Target:    Side{Verdict: target.Verdict, Finding: target.Finding},
		Reference: Side{Verdict: reference.Verdict, Finding: reference.Finding},
	}
	c := newComparison(target.Exchanges, reference.Exchanges)
	subject := subjectOf(target)
	marks := target.Verdict == verdict.Fail && reference.Verdict != verdict.Fail
	for i := range max(len(target.Steps), len(reference.Steps)) {
		step := Step{Pairs: []Pair{}}
		if i < len(target.Steps) {
			step.Keyword, step.Text, step.Target = target.Steps[i].Keyword, target.Steps[i].Text, target.Steps[i].Verdict
		}
		if i < len(reference.Steps) {
			step.Keyword, step.Text = cmp.Or(step.Keyword, reference.Steps[i].Keyword), cmp.Or(step.Text, reference.Steps[i].Text)
			step.Reference = reference.Steps[i].Verdict
		}
		for _, pair := range align(ofStep(target.Exchanges, i), ofStep(reference.Exchanges, i)) {
			pair.Subject = subject != nil && pair.Target != nil && pair.Target.Exchange.Sent.Equal(subject.Sent) && pair.Target.URL == subject.URL
			pair.Differences = c.differences(pair, step.Target != "")
			if marks && pair.Matters() {
				pair.First, marks = true, false
			}
			step.Pairs = append(step.Pairs, pair)
		}
		r.Steps = append(r.Steps, step)
	}
	return r
}

func subjectOf(s verdict.Scenario) *exchange.Exchange {
	if s.Finding == nil || s.Finding.Exchange < 0 || s.Finding.Exchange >= len(s.Exchanges) {
		return nil
	}
	return &s.Exchanges[s.Finding.Exchange]
}

func ofStep(all []exchange.Exchange, step int) []exchange.Exchange {
	var of []exchange.Exchange
	for _, e := range all {
		if e.Step == step {
			of = append(of, e)
		}
	}
	return of
}
