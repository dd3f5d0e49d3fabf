package verdict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/translation"
)

// BySeverity lists the verdicts from the most severe: a rule gets the most severe verdict
// of its scenarios.
var BySeverity = [...]Verdict{Fail, SuiteError, NotRun, CouldNotTest, KnownFailure, Warning, Pass, NotApplicable}

// Failing says whether it is a failure, known or not.
func (v Verdict) Failing() bool { return v == Fail || v == KnownFailure }

// Normalized is v, or SuiteError if no such verdict exists: that is a mistake of the suite.
func (v Verdict) Normalized() Verdict {
	if slices.Contains(BySeverity[:], v) {
		return v
	}
	return SuiteError
}

// RuleResult is a rule with its verdict and its scenarios, in the order of the feature file.
type RuleResult struct {
	Rule
	Verdict   Verdict
	Scenarios []Scenario
}

// Results judges each rule, in the order of the features. A rule without scenarios could not be
// tested. A scenario of a rule that the run does not list is judged under its rule's name at
// the end, so that nothing is lost.
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
	// Scenarios are in the order in which they ended; so are the unlisted rules.
	slices.SortFunc(results[len(r.Rules):], func(a, b RuleResult) int { return cmp.Compare(a.Name, b.Name) })
	for i := range results {
		slices.SortStableFunc(results[i].Scenarios, func(a, b Scenario) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
		})
		results[i].Verdict = mostSevere(results[i].Scenarios)
	}
	return results
}

// Untested reports whether a rule could not be tested, and the baseline does not say why.
func (r RuleResult) Untested() bool {
	isNew := func(s Scenario) bool { return s.Verdict == CouldNotTest && s.Known == nil }
	return r.Verdict == CouldNotTest && (len(r.Scenarios) == 0 || slices.ContainsFunc(r.Scenarios, isNew))
}

// Intermittent reports whether each new failure of a rule occurs only in some attempts.
func (r RuleResult) Intermittent() bool {
	return r.Verdict == Fail && !slices.ContainsFunc(r.Scenarios, func(s Scenario) bool { return s.Verdict == Fail && !s.Intermittent() })
}

func mostSevere(scenarios []Scenario) Verdict {
	for _, v := range BySeverity {
		if slices.ContainsFunc(scenarios, func(s Scenario) bool { return s.Verdict.Normalized() == v }) {
			return v
		}
	}
	return CouldNotTest
}

// Outcome returns the outcome of the run, by the first of these that applies:
//   - EndedEarly: the run ended early, and not because of a failure under --fail-fast.
//   - DoesNotConform: a rule of the API fails, or a finding of exploring.
//   - OwnRulesFail: a rule of the user's own fails.
//   - Outdated: the baseline lists failures that are fixed.
//   - Incomplete: a rule could not be tested for a reason that the baseline does not list, hit a suite error or did
//     not run, no scenario was judged, or a shard is missing.
//   - NoNewFailures: there are only known failures.
//   - NoneFound: the run was quick, or its budget was too small.
//   - Conforms: with or without warnings.
func (r *Run) Outcome() Outcome {
	summary := r.Summary()
	rules := summary.Rules.and(summary.Own).and(summary.Found)
	isJudged := func(s Scenario) bool { return s.Holds() || s.Verdict == KnownFailure }
	switch {
	case r.Ended != nil && !(r.Ended.Decided && rules[Fail] > 0):
		return EndedEarly
	case summary.Rules[Fail]+summary.Found[Fail] > 0:
		return DoesNotConform
	case summary.Own[Fail] > 0:
		return OwnRulesFail
	case r.Baseline != nil && len(r.Baseline.Fixed) > 0:
		return Outdated
	case slices.ContainsFunc(r.Results(), RuleResult.Untested), rules[SuiteError] > 0, rules[NotRun] > 0, !slices.ContainsFunc(r.Scenarios, isJudged), len(r.Lacks) > 0:
		return Incomplete
	case rules[KnownFailure]+rules[CouldNotTest] > 0:
		return NoNewFailures
	case r.LeftOut != nil:
		return NoneFound
	default:
		return Conforms
	}
}

// Qualifier says what the outcome of a run that is not about everything is about; empty if it is, or if the
// outcome is bad whatever else was to run.
func (r *Run) Qualifier() string { return r.QualifierIn(translation.English) }

// QualifierIn is Qualifier in a language.
func (r *Run) QualifierIn(in translation.Language) string {
	switch summary := r.Summary(); {
	case r.LeftOut != nil && r.Outcome() == Incomplete:
		return r.LeftOut.describe(in, summary)
	case r.Outcome().ExitStatus() != 0:
	case r.LeftOut != nil:
		return r.LeftOut.describe(in, summary)
	case summary.Rules.Total() == 0:
		return in.Say("your own rules only")
	case r.Selection != "":
		return in.Say("selected rules only")
	case r.Reran > 0:
		return in.SayN(r.Reran, "%d scenario passed only when run again", "%d scenarios passed only when run again", r.Reran)
	case r.Depth == Thorough:
		return in.Say("thorough")
	}
	return ""
}

// describe says how many rules a run tested that did not get to everything, at least in part.
func (l LeftOut) describe(in translation.Language, of Summary) string {
	rules := of.Rules.and(of.Own).and(of.Found)
	tested := rules.Total() - rules[NotApplicable] - rules[CouldNotTest] - rules[NotRun] - rules[SuiteError]
	return in.Sayf("tested: %d of %s", tested, in.SayCount(rules.Total()+len(l.Rules), "rule"))
}

// Counts is how many rules or scenarios got each verdict.
type Counts map[Verdict]int

// Total is how many there are in all.
func (c Counts) Total() int {
	total := 0
	for _, n := range c {
		total += n
	}
	return total
}

func (c Counts) and(more Counts) Counts {
	sum := maps.Clone(c)
	for v, n := range more {
		sum[v] += n
	}
	return sum
}

// NotRun is how many did not run, since the run ended early.
func (c Counts) NotRun() int { return c[NotRun] }

// count is a number of scenarios with that verdict: "38 pass", "1 warning".
func (v Verdict) count(in translation.Language, n int) string {
	switch v {
	case Pass:
		return in.SayN(n, "%d pass", "%d pass", n)
	case Warning:
		return in.SayN(n, "%d warning", "%d warnings", n)
	case Fail:
		return in.SayN(n, "%d fail", "%d fail", n)
	case KnownFailure:
		return in.SayN(n, "%d known failure", "%d known failures", n)
	case SuiteError:
		return in.SayN(n, "%d suite error", "%d suite errors", n)
	case CouldNotTest:
		return in.SayN(n, "%d could not test", "%d could not test", n)
	case NotRun:
		return in.SayN(n, "%d not run", "%d not run", n)
	case NotApplicable:
		return in.SayN(n, "%d not applicable", "%d not applicable", n)
	}
	return fmt.Sprint(n, " ", v)
}

// String names the verdicts that occur, the good ones first: "38 pass, 2 fail".
func (c Counts) String() string { return c.In(translation.English) }

// In is String in a language.
func (c Counts) In(in translation.Language) string {
	var words []string
	for _, v := range [...]Verdict{Pass, Warning, Fail, KnownFailure, SuiteError, CouldNotTest, NotRun, NotApplicable} {
		if c[v] > 0 {
			words = append(words, v.count(in, c[v]))
		}
	}
	if len(words) == 0 {
		return in.Say("none")
	}
	return strings.Join(words, ", ")
}

// Summary counts the rules of the API, the user's own rules, the findings of exploring, and the scenarios
// of all by verdict. Violations are those that scenarios found in passing: they are no scenarios, so that the
// count of scenarios is that of the plan.
type Summary struct {
	Rules, Own, Found, Scenarios, Violations Counts

	Sometimes Sometimes // failures that do not occur each time
}

// Sometimes counts what fails only in some attempts: rules of the API, the user's own rules, findings, and scenarios.
type Sometimes struct{ Rules, Own, Found, Scenarios int }

// Summary counts the run's rules and scenarios by verdict.
func (r *Run) Summary() Summary {
	s := Summary{Rules: Counts{}, Own: Counts{}, Found: Counts{}, Scenarios: Counts{}, Violations: Counts{}}
	for _, rule := range r.Results() {
		rules, sometimes := s.Rules, &s.Sometimes.Rules
		switch {
		case rule.Found:
			rules, sometimes = s.Found, &s.Sometimes.Found
		case rule.Own:
			rules, sometimes = s.Own, &s.Sometimes.Own
		}
		rules[rule.Verdict]++
		if rule.Intermittent() {
			*sometimes++
		}
		for _, scenario := range rule.Scenarios {
			if scenario.Via != "" {
				s.Violations[scenario.Verdict.Normalized()]++
				continue
			}
			s.Scenarios[scenario.Verdict.Normalized()]++
			if scenario.Verdict == Fail && scenario.Intermittent() {
				s.Sometimes.Scenarios++
			}
		}
	}
	return s
}

// Missing is a control that the target lacks, or offers although it does not work, with the rules that
// could not be tested completely without it, in the order of the features.
type Missing struct {
	Control string
	Offered bool
	Rules   []Rule
}

// MissingControls are the controls that the target lacks or that do not work, the one that most rules
// need first.
func (r *Run) MissingControls() []Missing {
	rules := map[string][]Rule{}
	for _, rule := range r.Results() {
		for _, s := range rule.Scenarios {
			for _, control := range s.Missing {
				if !slices.Contains(rules[control], rule.Rule) {
					rules[control] = append(rules[control], rule.Rule)
				}
			}
		}
	}
	var all []Missing
	for control, needed := range rules {
		all = append(all, Missing{control, slices.Contains(r.Controls, control), needed})
	}
	slices.SortFunc(all, func(a, b Missing) int {
		return cmp.Or(cmp.Compare(len(b.Rules), len(a.Rules)), cmp.Compare(a.Control, b.Control))
	})
	return all
}
