package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// ByWeight lists the verdicts from the one that weighs most: a rule comes to
// the heaviest of its scenarios' verdicts.
var ByWeight = [...]Verdict{Fail, SuiteError, CouldNotTest, Warning, Pass, NotApplicable}

// weight is the place of v in ByWeight. A verdict that does not exist is a
// mistake of the suite and weighs as one.
func (v Verdict) weight() int {
	if i := slices.Index(ByWeight[:], v); i >= 0 {
		return i
	}
	return slices.Index(ByWeight[:], SuiteError)
}

// RuleResult is a rule with its scenarios, in the order of the feature file,
// and what they came to together.
type RuleResult struct {
	Rule
	Verdict   Verdict
	Scenarios []Scenario
}

// Results judges each rule, in the order of the features. A rule of which no
// scenario ran could not be tested. A scenario of a rule that the run does not
// list is judged under its rule's name at the end, so that nothing is lost.
func (r *Run) Results() []RuleResult {
	results := make([]RuleResult, len(r.Rules))
	byName := make(map[string]int, len(r.Rules))
	for i, rule := range r.Rules {
		results[i].Rule = rule
		byName[rule.Name] = i
	}
	for _, s := range r.Scenarios {
		i, listed := byName[s.Rule]
		if !listed {
			i = len(results)
			byName[s.Rule] = i
			results = append(results, RuleResult{Rule: Rule{Name: s.Rule, Title: s.Rule, Feature: "Rules that were not selected"}})
		}
		results[i].Scenarios = append(results[i].Scenarios, s)
	}
	// Scenarios come as they ended; the strays' rules too.
	slices.SortFunc(results[len(r.Rules):], func(a, b RuleResult) int { return cmp.Compare(a.Name, b.Name) })
	for i := range results {
		slices.SortStableFunc(results[i].Scenarios, func(a, b Scenario) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
		})
		results[i].Verdict = heaviest(results[i].Scenarios)
	}
	return results
}

func heaviest(scenarios []Scenario) Verdict {
	if len(scenarios) == 0 {
		return CouldNotTest
	}
	weight := len(ByWeight)
	for _, s := range scenarios {
		weight = min(weight, s.Verdict.weight())
	}
	return ByWeight[weight]
}

// Outcome is what the run came to. Any rule that fails: does not conform. Else
// any that could not be tested or met an error of the suite, or none that was
// tested at all: incomplete. Else it conforms; warnings do not change that.
func (r *Run) Outcome() Outcome {
	rules := r.Summary().Rules
	switch tested := rules[Pass] + rules[Warning]; {
	case rules[Fail] > 0:
		return DoesNotConform
	case rules[CouldNotTest] > 0, rules[SuiteError] > 0, tested == 0:
		return Incomplete
	default:
		return Conforms
	}
}

// Counts says how many came to each verdict.
type Counts map[Verdict]int

// Total is how many there are in all.
func (c Counts) Total() int {
	total := 0
	for _, n := range c {
		total += n
	}
	return total
}

// String names the verdicts that occur, the good ones first: "38 pass, 2 fail".
func (c Counts) String() string {
	var words []string
	for _, v := range [...]Verdict{Pass, Warning, Fail, SuiteError, CouldNotTest, NotApplicable} {
		if c[v] > 0 {
			words = append(words, fmt.Sprintf("%d %s", c[v], v))
		}
	}
	return cmp.Or(strings.Join(words, ", "), "none")
}

// Summary counts the rules and the scenarios of a run by verdict.
type Summary struct {
	Rules, Scenarios Counts
}

// Summary counts what the run came to.
func (r *Run) Summary() Summary {
	s := Summary{Rules: Counts{}, Scenarios: Counts{}}
	for _, rule := range r.Results() {
		s.Rules[rule.Verdict]++
		for _, scenario := range rule.Scenarios {
			s.Scenarios[ByWeight[scenario.Verdict.weight()]]++
		}
	}
	return s
}

// MissingControls says for each missing control which rules could not be
// tested, or not wholly, for want of it: their names, in the order of the
// features.
func (r *Run) MissingControls() map[string][]string {
	missing := map[string][]string{}
	for _, rule := range r.Results() {
		for _, s := range rule.Scenarios {
			for _, control := range s.Missing {
				if !slices.Contains(missing[control], rule.Name) {
					missing[control] = append(missing[control], rule.Name)
				}
			}
		}
	}
	return missing
}

// Repeat is the command that makes this run again in the same order.
func (r *Run) Repeat() string {
	words := []string{"pixcert certify"}
	for _, argument := range r.Arguments {
		words = append(words, shellWord(argument))
	}
	switch {
	case strings.Contains(r.Selection, "@"):
		words = append(words, "--tags "+shellWord(r.Selection))
	default:
		for _, rule := range strings.FieldsFunc(r.Selection, func(c rune) bool { return c == ' ' || c == ',' }) {
			words = append(words, "--rule "+shellWord(rule))
		}
	}
	words = append(words, fmt.Sprintf("--seed %d --concurrency %d", r.Seed, r.Concurrency))
	return strings.Join(words, " ")
}

// Replay is the command that carries the scenario out again beside the reference. report is
// the report's directory, empty for the default.
func (s Scenario) Replay(report string) string {
	command := "pixcert replay " + shellWord(s.Slug())
	if report != "" {
		command += " --report " + shellWord(report)
	}
	return command
}

// shellWord quotes s where a shell would read more than a word in it.
func shellWord(s string) string {
	special := func(c rune) bool {
		return !strings.ContainsRune("_-./:", c) && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}
	if s != "" && !strings.ContainsFunc(s, special) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
