// Package replay shows the responses of two gateways in the same scenario side by side, and marks
// what the verdict on the first one is about. Only the judge decides which differences matter: its
// finding names the exchange and, if it is about one, the field.
package replay

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Result is one scenario on both gateways.
type Result struct {
	ID        string `json:"id"` // verdict.Scenario.Slug
	Title     string `json:"title"`
	Name      string `json:"scenario"`
	Attempts  int    `json:"attempts"` // on the target, up to the first that did not pass
	Target    Side   `json:"target"`
	Reference Side   `json:"reference"`
	Steps     []Step `json:"steps"`            // as far as the target got: the last is the one that failed
	Blamed    *Pair  `json:"blamed,omitempty"` // the exchange that the finding is about
}

// Side is the result of one gateway.
type Side struct {
	Name     string          `json:"name"`
	Verdict  verdict.Verdict `json:"verdict"`
	Expected string          `json:"expected,omitempty"`
	Got      string          `json:"got,omitempty"`
	Hint     string          `json:"hint,omitempty"`
}

func (s Side) passes() bool { return s.Verdict == verdict.Pass || s.Verdict == verdict.Warning }

// Step is a step of the scenario with its exchanges.
type Step struct {
	Keyword   string          `json:"keyword"`
	Text      string          `json:"text"`
	Target    verdict.Verdict `json:"target"`
	Reference verdict.Verdict `json:"reference,omitempty"` // absent if it was not reached
	Exchanges []Row           `json:"exchanges"`
}

// none stands for an exchange or an event that does not exist.
const none = "none"

// Row is all exchanges of one operation in a step, or all webhooks that the step waited for.
type Row struct {
	Request   string `json:"request"`   // "POST /api/pix/cash-out" or "webhook"
	Target    string `json:"target"`    // statuses or event names: "201, 400 ×2"; empty for none
	Reference string `json:"reference"` // likewise
	Marked    bool   `json:"marked,omitempty"`

	of group
}

// Of compares a scenario on the target and on the reference, both with all their exchanges. Marks show
// what may explain the target's failure, so that there are none unless the reference passes.
func Of(target, reference verdict.Scenario) Result {
	r := Result{ID: target.Slug(), Name: target.Name, Target: sideOf(target), Reference: sideOf(reference), Steps: []Step{}}
	for i := range reached(target) {
		step := Step{Keyword: target.Steps[i].Keyword, Text: target.Steps[i].Text, Target: target.Steps[i].Verdict, Exchanges: rows(target, reference, i)}
		if i < len(reference.Steps) {
			step.Reference = reference.Steps[i].Verdict
		}
		r.Steps = append(r.Steps, step)
	}
	own, other := blamed(target, reference)
	isAudit := own != nil && other == nil && own.Step >= len(target.Steps) // what pixcert reads after a failure, the reference is not asked for
	if own == nil && other == nil || isAudit {
		return r
	}
	r.Blamed = &Pair{Request: requestOf(cmp.Or(own, other)), Differences: compare(own, other, target.Finding.Field)}
	if own != nil && own.Party != exchange.Webhook {
		r.Blamed.Sent = exchange.Excerpt(string(own.Body), 400)
	}
	if r.Reference.passes() {
		r.mark(cmp.Or(own, other), target.Finding.Field)
	}
	return r
}

func sideOf(s verdict.Scenario) Side {
	side := Side{Verdict: s.Verdict}
	if f := s.Finding; f != nil {
		side.Expected, side.Got, side.Hint = f.Expected, f.Got, f.Hint
	}
	return side
}

// reached is how many steps were carried out.
func reached(s verdict.Scenario) int {
	n := slices.IndexFunc(s.Steps, func(step verdict.Step) bool { return step.Verdict == "" })
	if n < 0 {
		return len(s.Steps)
	}
	return n
}

// blamed returns the exchange that the target's finding is about, and its counterpart on the
// reference; nil for one that does not exist. If the last step of the target waited in vain for a
// webhook that the reference sent, the finding is about that.
func blamed(target, reference verdict.Scenario) (own, other *exchange.Exchange) {
	if target.Finding == nil {
		return nil, nil
	}
	last := reached(target) - 1
	if came := webhooks.in(reference, last); len(came) > 0 && len(webhooks.in(target, last)) == 0 {
		return nil, &came[0]
	}
	i := target.Finding.Exchange
	if i < 0 || i >= len(target.Exchanges) {
		return nil, nil
	}
	own = &target.Exchanges[i]
	return own, counterpart(i, target, reference)
}

// Counterpart returns the exchange of the reference that corresponds to the one that the target's finding is about; nil
// for none.
func Counterpart(target, reference verdict.Scenario) *exchange.Exchange {
	_, other := blamed(target, reference)
	return other
}

// counterpart finds the exchange with the reference that corresponds to one with the target. Both runs
// follow the same plan, so that it has the same position among those of its step and operation. A
// request that is repeated until its response fits, or until patience ends, is judged by the last one.
func counterpart(i int, target, reference verdict.Scenario) *exchange.Exchange {
	e := target.Exchanges[i]
	before := 0
	for _, earlier := range target.Exchanges[:i] {
		if groupOf(earlier) == groupOf(e) && earlier.Step == e.Step && !earlier.Unread {
			before++
		}
	}
	group := groupOf(e)
	others := group.in(reference, e.Step)
	if len(others) == 0 {
		return nil
	}
	if before >= len(others) || before == len(group.in(target, e.Step))-1 {
		before = len(others) - 1
	}
	return &others[before]
}

// group is what the exchanges of a row have in common.
type group struct {
	party             exchange.Party
	method, operation string
	other             bool // on behalf of the other account
}

// webhooks is a single group for events of every name, because the name may be what is wrong.
var webhooks = group{party: exchange.Webhook}

func groupOf(e exchange.Exchange) group {
	if e.Party == exchange.Webhook {
		return webhooks
	}
	return group{e.Party, e.Method, e.Operation, e.Other}
}

// in returns the exchanges of the group in a step, without webhooks that no step waited for.
func (g group) in(s verdict.Scenario, step int) []exchange.Exchange {
	var all []exchange.Exchange
	for _, e := range s.Exchanges {
		if e.Step == step && groupOf(e) == g && !e.Unread {
			all = append(all, e)
		}
	}
	return all
}

// rows returns the exchanges of a step by their groups, in the order of the target.
func rows(target, reference verdict.Scenario, step int) []Row {
	all := []Row{}
	for _, e := range slices.Concat(target.Exchanges, reference.Exchanges) {
		g := groupOf(e)
		if e.Step == step && !e.Unread && !slices.ContainsFunc(all, func(r Row) bool { return r.of == g }) {
			all = append(all, Row{Request: requestOf(&e), Target: outcomes(g.in(target, step)), Reference: outcomes(g.in(reference, step)), of: g})
		}
	}
	return all
}

// outcomes lists the outcomes of exchanges, with how many there are of each. Reads are not counted,
// because they are repeated until the response fits.
func outcomes(all []exchange.Exchange) string {
	count := map[string]int{}
	for _, e := range all {
		count[outcome(e)]++
		if e.Method == http.MethodGet {
			count[outcome(e)] = 1
		}
	}
	var words []string
	for _, word := range slices.Sorted(maps.Keys(count)) {
		if n := count[word]; n > 1 {
			word += fmt.Sprintf(" ×%d", n)
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// outcome is a status, or the name of an event. Any success of a control is as good as another.
func outcome(e exchange.Exchange) string {
	switch {
	case e.Party == exchange.Webhook:
		return cmp.Or(exchange.Line(e.Operation), "an unnamed event")
	case e.Status == 0:
		return "no response"
	case e.Party == exchange.Control && e.Status/100 == 2:
		return "ok"
	default:
		return fmt.Sprint(e.Status)
	}
}

// requestOf returns the method and path of a request. Webhooks have URLs of the suite's own.
func requestOf(e *exchange.Exchange) string {
	if e.Party == exchange.Webhook {
		return "webhook"
	}
	return exchange.Line(e.Method + " " + e.Resource())
}

// mark marks the row of an exchange, and the difference that the finding is about.
func (r *Result) mark(e *exchange.Exchange, field string) {
	if e.Step < len(r.Steps) { // not one after the last step
		for i, row := range r.Steps[e.Step].Exchanges {
			r.Steps[e.Step].Exchanges[i].Marked = row.of == groupOf(*e)
		}
	}
	if i := subject(r.Blamed.Differences, field); i >= 0 {
		r.Blamed.Differences[i].Marked = true
	}
}
