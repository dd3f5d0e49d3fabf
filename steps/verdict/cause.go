package verdict

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Cause is what some failures probably have in common: the same operation, the same expectation and
// the same outcome, apart from values that differ from scenario to scenario.
type Cause struct {
	Scenario Scenario   // the simplest of them, whose rule is to blame
	Rule     Rule       // that of Scenario
	Others   []Scenario // the other failures
}

// Causes groups the failures of a run, the simplest first: a fault of the target shows in the
// scenarios that are about it, and in longer ones that merely run into it. Causes that only the user's
// own rules show come last.
func (r *Run) Causes() []Cause {
	return r.CausesOf(func(s Scenario) bool { return s.Verdict == Fail })
}

// CausesOf groups the wanted failures of a run; Causes groups all new ones.
func (r *Run) CausesOf(some func(Scenario) bool) []Cause {
	of := map[Signature]int{}
	rules := map[string]Rule{}
	var causes []Cause
	for _, result := range r.Results() {
		rules[result.Rule.Name] = result.Rule
		for _, s := range result.Scenarios {
			if !some(s) {
				continue
			}
			key := cmp.Or(s.Signature(), Signature{Got: s.ID()})
			i, known := of[key]
			if !known {
				i = len(causes)
				of[key] = i
				causes = append(causes, Cause{Scenario: s})
				continue
			}
			causes[i].Others = append(causes[i].Others, s)
		}
	}
	for i := range causes {
		causes[i].blame(rules)
		causes[i].Rule = rules[causes[i].Scenario.Rule]
	}
	slices.SortStableFunc(causes, func(a, b Cause) int {
		return cmp.Or(OwnLast(a.Rule, b.Rule), framingFirst(a.Scenario, b.Scenario), bySimplicity(a.Scenario, b.Scenario), cmp.Compare(len(b.Others), len(a.Others)))
	})
	return joined(joined(causes)) // once more, for what comes before its explanation
}

// framingFirst: while responses may belong to other requests, whatever else fails may be a consequence.
func framingFirst(a, b Scenario) int {
	rank := func(s Scenario) int {
		if s.Finding != nil && s.Finding.About.Kind == Framing {
			return 0
		}
		return 1
	}
	return cmp.Compare(rank(a), rank(b))
}

// OwnLast sorts the API's rules before the user's.
func OwnLast(a, b Rule) int {
	switch {
	case a.Own == b.Own:
		return 0
	case b.Own:
		return -1
	}
	return 1
}

// blame makes the simplest failure that of the cause, of a rule of the API if one fails. Of rules that
// fail equally early, the one that fails most often is probably about the fault.
func (c *Cause) blame(rules map[string]Rule) {
	all := append([]Scenario{c.Scenario}, c.Others...)
	of := map[string]int{}
	for _, s := range all {
		of[s.Rule]++
	}
	slices.SortStableFunc(all, func(a, b Scenario) int {
		return cmp.Or(OwnLast(rules[a.Rule], rules[b.Rule]), cmp.Compare(a.reached(), b.reached()), cmp.Compare(of[b.Rule], of[a.Rule]), bySimplicity(a, b))
	})
	c.Scenario, c.Others = all[0], all[1:]
}

// joined joins causes whose findings are worded differently but are about the same response. What was like the one
// that was thought to be the cause is joined even after another explains that one.
func joined(causes []Cause) (all []Cause) {
	of := map[string]int{} // the first cause that is alike in this
	for _, c := range causes {
		is, seeks := c.Scenario.likeness()
		i := len(all)
		for _, key := range seeks {
			if before, known := of[key]; known {
				i = min(i, before)
			}
		}
		switch {
		case i == len(all):
			all = append(all, c)
		case explains(c.Scenario, all[i].Scenario):
			c.Scenario, all[i].Scenario, all[i].Rule = all[i].Scenario, c.Scenario, c.Rule
			all[i].Others = append(append(all[i].Others, c.Scenario), c.Others...)
		default:
			all[i].Others = append(append(all[i].Others, c.Scenario), c.Others...)
			continue
		}
		for _, key := range is {
			if _, known := of[key]; !known {
				of[key] = i
			}
		}
	}
	return all
}

// likeness says what a failure is, and what another one with the same cause may be:
//   - What a rule says must be rejected is accepted, by whichever operation.
//   - A response that did not arrive, for the same reason: it is rarely one operation that loses connections.
//   - The same refusal of an operation. Of a request that is rightly refused, but in the wrong way, the
//     message tells nothing.
//   - The right refusal, of whichever operation, with a message that does not name what is wrong.
//   - The same wrong value in responses of an operation.
//   - A listed transaction that nobody made.
//   - A balance that moves too far in the same direction after the same operation; or, found in passing, by the same rule.
//   - The same field of them, of which one says only that it violates the wire contract.
//   - A field of an object that is absent itself.
func (s Scenario) likeness() (is, seeks []string) {
	both := func(parts ...string) {
		key := strings.Join(parts, "\x00")
		is, seeks = append(is, key), append(seeks, key)
	}
	if e := s.Subject(); e != nil && e.Err != "" {
		both("break", Typical(e.Err))
	}
	operation := s.Operation()
	if operation == "" {
		return is, seeks
	}
	got, field, about := s.Finding.Got, withoutIndexes(s.Finding.Field), s.Finding.About
	switch {
	case s.Finding.accepted() && about.MustFail:
		both("acceptance", s.Rule, Typical(s.Finding.Expected))
	case s.Finding.rejected() && about.MustFail:
		if about.RightCode {
			both("naming")
		}
		both("rejection", operation, Typical(about.answer()))
	case s.Finding.rejected():
		both("refusal", operation, Typical(got))
	case strings.HasPrefix(got, `"`):
		both("value", operation, got)
	case about.Stranger:
		both("stranger")
	case s.Via != "" && strings.HasPrefix(s.Rule, "money."):
		both("balance", s.Rule)
	case about.Kind == Movement:
		both("movement", s.asked(), field, string(about.Expected), string(about.Got))
	}
	key := func(what, field string) string { return strings.Join([]string{what, operation, field}, "\x00") }
	switch {
	case field == "":
	case s.ofContract():
		is = append(is, key("contract", field), key("field", field))
		seeks = append(seeks, key("field", field), key("absent in", field))
	default:
		is, seeks = append(is, key("field", field)), append(seeks, key("contract", field))
	}
	for i, c := range field {
		if c == '.' && got == "absent" {
			is, seeks = append(is, key("absent in", field[:i])), append(seeks, key("contract", field[:i]))
		}
	}
	return is, seeks
}

// asked is the operation of the last request before the finding that may have changed something; empty for none.
func (s Scenario) asked() string {
	for _, e := range slices.Backward(s.Exchanges[:s.Finding.Exchange]) {
		if e.Party == exchange.API && e.Method != "GET" {
			return e.Operation
		}
	}
	return ""
}

// explains reports whether a failure is that an object is absent, and the other that a field of it is.
func explains(a, b Scenario) bool {
	return a.ofContract() && a.Operation() == b.Operation() && a.Finding.Field != "" &&
		strings.HasPrefix(withoutIndexes(b.Finding.Field), withoutIndexes(a.Finding.Field)+".") && b.Finding.Got == "absent"
}

func (s Scenario) ofContract() bool { return strings.HasPrefix(s.Rule, "contract.") }

// OtherRules returns the names of the rules that fail for this cause, without the one to blame.
func (c Cause) OtherRules() []string {
	var rules []string
	for _, s := range c.Others {
		if s.Rule != c.Rule.Name && !slices.Contains(rules, s.Rule) {
			rules = append(rules, s.Rule)
		}
	}
	return rules
}

// bySimplicity compares how much had to happen before each scenario failed.
func bySimplicity(a, b Scenario) int {
	return cmp.Or(cmp.Compare(a.reached(), b.reached()), cmp.Compare(a.ExchangeCount, b.ExchangeCount))
}

// reached counts the steps before the failure. A violation that another scenario found in passing
// sorts after all others.
func (s Scenario) reached() int {
	if s.Via != "" {
		return 1000
	}
	return s.failed()
}

// failed is the index of the step that failed; the number of steps for none.
func (s Scenario) failed() int {
	n := slices.IndexFunc(s.Steps, func(step Step) bool { return step.Verdict == Fail })
	if n < 0 {
		return len(s.Steps)
	}
	return n
}

// LastAction is the last When that requested something, with its table, before the step that failed; empty
// if another scenario found the failure.
func (s Scenario) LastAction() string {
	if s.Via != "" {
		return ""
	}
	section, action := "", ""
	for i, step := range s.Steps[:s.failed()] {
		if step.Keyword != "And" {
			section = step.Keyword
		}
		requests := slices.ContainsFunc(s.Exchanges, func(e exchange.Exchange) bool { return e.Step == i })
		if section != "When" || !requests && action != "" {
			continue
		}
		action = step.Text
		if len(step.Table) == 0 {
			continue
		}
		if len(step.Table[0]) > 1 { // fields with their values
			action = strings.TrimSuffix(action, ":")
		}
		var rows []string
		for _, row := range step.Table {
			rows = append(rows, strings.Join(row, ": "))
		}
		action += " " + strings.Join(rows, ", ")
	}
	return action
}

// Signature is equal for failures that probably have the same cause: what was expected of an
// operation and what was received, without the values that differ from scenario to scenario.
type Signature struct{ Operation, Expected, Got string }

// SignatureOf returns the signature of a failure. What a misfit received does not count: it is a
// list of scenarios, which may differ in another run.
func SignatureOf(operation, expected, got string) Signature {
	if misfit := (Signature{Expected: expected}); misfit.IsMisfit() {
		return misfit
	}
	expected, got = Distinct(expected, got) // an earlier version may have written them
	return Signature{operation, Typical(expected), Typical(got)}
}

// IsMisfit reports whether the failure is one of those that Misfits returns.
func (a Signature) IsMisfit() bool { return strings.HasPrefix(a.Expected, oneReading) }

// Matches reports whether two failures have the same signature. An unknown operation matches any:
// a run may have had no room to keep the exchange that shows it.
func (a Signature) Matches(b Signature) bool {
	if a.Operation == "" || b.Operation == "" {
		a.Operation, b.Operation = "", ""
	}
	return a == b
}

// Amounts tell failures with equal signatures apart: a payment that is debited three times is not the same failure
// as one that is debited twice.
type Amounts struct{ Expected, Got string }

// AmountsOf returns all amounts that were expected, and the first that was got: what follows that, and what a balance
// moved from, tells more of the account than of the failure.
func AmountsOf(expected, got string) Amounts {
	got, _, _ = strings.Cut(got, ", from ")
	return Amounts{strings.Join(amount.FindAllString(expected, -1), " "), amount.FindString(got)}
}

// Amounts are those of a failing scenario; empty if it has no finding.
func (s Scenario) Amounts() Amounts {
	if s.Finding == nil {
		return Amounts{}
	}
	return AmountsOf(s.Finding.Expected, s.Finding.Got)
}

// Contradicts reports whether another amount was got where the same was expected.
func (a Amounts) Contradicts(b Amounts) bool {
	return a.Expected != "" && a.Expected == b.Expected && a.Got != b.Got
}

// Signature is the signature of a failing scenario; empty if it has no finding.
func (s Scenario) Signature() Signature {
	if s.Finding == nil {
		return Signature{}
	}
	return SignatureOf(s.Operation(), s.Finding.Expected, s.Finding.Got)
}

// Operation is the operation that the finding is about; empty for none.
func (s Scenario) Operation() string {
	if e := s.Subject(); e != nil {
		return e.Operation
	}
	return ""
}

// values matches what differs between scenarios that fail for the same cause: URLs, quoted texts,
// ids, amounts, times. What is one of a few, quoted or not, is kept: error codes, states, labels, types of
// events, field names, HTTP statuses and their phrases.
var (
	code   = regexp.MustCompile(`^"([A-Z_]+|(Pix|Refund) (in|out)|Pendente|Confirmado|Error|(cash|refund)_(in|out)|med_[a-z]+|Bad Request|Unauthorized|Forbidden|Not Found|Conflict|Unprocessable Entity|Too Many Requests|Internal Server Error|Service Unavailable)"$`)
	index  = regexp.MustCompile(`\[\d+\]`) // of an array
	values = regexp.MustCompile(`https?://\S+|"[^"]*"|\b[\w-]*\d[\w.:-]*`)
	amount = regexp.MustCompile(`R\$ -?[\d.,]*\d`)
	status = regexp.MustCompile(`^[1-5]\d\d$`)
)

// Stranger is what a listed transaction is called that a scenario did not make.
const Stranger = "another transaction"

// Typical is a text without the values that differ from scenario to scenario.
func Typical(text string) string {
	return values.ReplaceAllStringFunc(withoutIndexes(cut(text)), func(value string) string {
		if status.MatchString(value) || code.MatchString(value) {
			return value
		}
		return "…"
	})
}

// withoutIndexes is a text or the path of a field without the indexes of arrays: what is wrong with one item is most
// often wrong with the others.
func withoutIndexes(text string) string { return index.ReplaceAllString(text, "[…]") }
