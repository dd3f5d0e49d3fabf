// Package compare shows what changed between runs: over time, between two versions of a target or of
// pixcert, or between targets.
package compare

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/history"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// Comparison is what changed from the first report to each of the others.
type Comparison struct {
	Base    Side           `json:"base"`
	Changes []Change       `json:"changes"`
	History *history.Trend `json:"history,omitempty"` // of the last report's target; nil for none
}

// Side is what a comparison shows about a report itself.
type Side struct {
	Report     string          `json:"report"`
	Target     string          `json:"target"`
	Version    string          `json:"pixcert"`
	RunID      string          `json:"runId"`
	Started    time.Time       `json:"started"`
	Outcome    verdict.Outcome `json:"outcome"`
	Baseline   string          `json:"baseline,omitempty"` // its file
	Selection  string          `json:"selection"`
	Scenarios  int             `json:"scenarios"`
	TookMs     float64         `json:"tookMs"`
	Webhooks   int             `json:"webhooks"`
	WebhookP99 float64         `json:"webhookP99Ms"`
	WebhookMax float64         `json:"webhookSlowestMs"`
}

// Change is what changed from the base to a report.
type Change struct {
	Side
	Different    []string   `json:"different"` // what differs besides the results
	Failing      []Cause    `json:"newFailures"`
	Known        []Cause    `json:"newKnownFailures"` // that a baseline lists
	Differently  []Item     `json:"failingInAnotherWay"`
	Untested     []Item     `json:"noLongerTested"`
	Fixed        []Item     `json:"fixed"`
	Unseen       []Item     `json:"notSeenAgain"` // what was flaky, or was found in passing while another scenario of its rule fails
	Tested       []Item     `json:"newlyTested"`
	Warned       []Item     `json:"newWarnings"`
	Still        []Cause    `json:"stillFailing"`
	Observations []Observed `json:"openPoints"`
	Speed        []Measure  `json:"speed"`
}

// Cause is a likely cause of failures.
type Cause struct {
	Item
	Headline string   `json:"headline,omitempty"` // what happened
	Others   []string `json:"others,omitempty"`   // more scenarios that fail for it

	headlineIn func(translation.Language) string
}

// Item is a scenario whose result changed, or that still fails.
type Item struct {
	Scenario string          `json:"scenario"`         // rule/scenario
	Title    string          `json:"title"`            // of its rule
	Before   verdict.Verdict `json:"before,omitempty"` // empty if it was not selected
	Now      verdict.Verdict `json:"now"`
	Expected string          `json:"expected,omitempty"`
	Got      string          `json:"got,omitempty"`
	Often    string          `json:"often,omitempty"` // in 1 of 4 attempts

	inPassing string // the rule, of a breach that no scenario of its own shows
	unseen    bool
}

// Observed is an open point on which the target behaves differently.
type Observed struct {
	Point    string   `json:"point"`
	Question string   `json:"question"`
	Before   []string `json:"before"`
	Now      []string `json:"now"`
}

// Measure is a figure of both runs.
type Measure struct {
	What   string `json:"what"`
	Before string `json:"before"`
	Now    string `json:"now"`
}

// Worse reports whether anything got worse: a scenario fails that did not fail and that no baseline
// lists, fails in another way, or can no longer be tested.
func (c Comparison) Worse() bool {
	return slices.ContainsFunc(c.Changes, func(c Change) bool { return len(c.Failing)+len(c.Differently)+len(c.Untested) > 0 })
}

// Reports compares each report with the first one.
func Reports(reports []verdict.Report) Comparison {
	base := reports[0]
	c := Comparison{Base: sideOf(base)}
	for _, r := range reports[1:] {
		c.Changes = append(c.Changes, changeOf(base, r))
	}
	return c
}

func sideOf(r verdict.Report) Side {
	run := r.Run
	file := ""
	if run.Baseline != nil {
		file = run.Baseline.File
	}
	return Side{
		Baseline: file,
		Report:   r.Name, Target: run.Target, Version: run.Version, RunID: run.ID, Started: run.Started.UTC(), Outcome: run.Outcome(), Selection: run.Selection,
		Scenarios: run.Summary().Scenarios.Total(), TookMs: wording.Milliseconds(run.Took),
		Webhooks: run.Webhooks.Count, WebhookP99: wording.Milliseconds(run.Webhooks.P99), WebhookMax: wording.Milliseconds(run.Webhooks.Slowest),
	}
}

func changeOf(base, now verdict.Report) Change {
	c := Change{
		Side: sideOf(now), Different: differencesOf(base.Run, now.Run), Differently: []Item{}, Untested: []Item{}, Fixed: []Item{}, Unseen: []Item{}, Tested: []Item{}, Warned: []Item{},
		Observations: observationsOf(base.Run, now.Run), Speed: speedOf(base.Run, now.Run),
	}
	keyOf := keysOf(base.Run, now.Run)
	was := byKey(base.Run, keyOf)
	failing, known, still := map[key]bool{}, map[key]bool{}, map[key]bool{}
	for _, rule := range now.Run.Results() {
		for _, s := range rule.Scenarios {
			before, ran := was[keyOf(s)]
			item := itemOf(s, rule.Rule, before)
			switch {
			case s.Verdict == verdict.KnownFailure && !before.Verdict.Failing():
				known[keyOf(s)] = true
			case s.Verdict == verdict.Fail && before.Verdict.Failing() && failsDifferently(before, s):
				c.Differently = append(c.Differently, item)
			case s.Verdict.Failing() && before.Verdict.Failing():
				still[keyOf(s)] = true
			case s.Verdict.Failing():
				failing[keyOf(s)] = true
			case !ran && s.Via == "":
			case !judged(s) && judged(before):
				c.Untested = append(c.Untested, item)
			case judged(s) && !judged(before):
				c.Tested = append(c.Tested, item)
			case before.Verdict.Failing() && before.Intermittent():
				item.unseen = true
				c.Unseen = append(c.Unseen, item)
			case before.Verdict.Failing():
				c.Fixed = append(c.Fixed, item)
			case s.Verdict == verdict.Warning && before.Verdict != verdict.Warning:
				c.Warned = append(c.Warned, item)
			}
		}
	}
	fixed, unseen := goneBreaches(base.Run, now.Run, keyOf)
	c.Fixed, c.Unseen = append(c.Fixed, fixed...), append(c.Unseen, unseen...)
	causes := func(some map[key]bool) []Cause { return causesOf(now.Run, some, was, keyOf) }
	c.Failing, c.Known, c.Still = causes(failing), causes(known), causes(still)
	return c
}

// failsDifferently: how much is wrong counts only for what is wrong each time.
func failsDifferently(before, now verdict.Scenario) bool {
	comesAndGoes := before.Intermittent() || now.Intermittent()
	return !before.FailsLike(now) || !comesAndGoes && before.Amounts().Contradicts(now.Amounts())
}

// key identifies a scenario in both runs. A breach of the wire contract is the same whichever scenario met it, and
// whichever operation shows it.
type key struct {
	id     string
	breach verdict.Identity
	rule   string            // of the breach
	reads  verdict.Signature // if nothing says what the breach is
}

// keysOf returns what tells the scenarios of both runs apart. If the report of one has texts only, these do.
func keysOf(base, now *verdict.Run) func(verdict.Scenario) key {
	isUntyped := func(s verdict.Scenario) bool { return s.Finding != nil && !s.IsTyped() }
	byTexts := slices.ContainsFunc(base.Scenarios, isUntyped) || slices.ContainsFunc(now.Scenarios, isUntyped)
	return func(s verdict.Scenario) key {
		if s.Via == "" {
			return key{id: s.ID()}
		}
		if byTexts {
			sign := s.Signature()
			sign.Operation = ""
			return key{rule: s.Rule, reads: sign}
		}
		is := s.Identity()
		is.Operation = ""
		return key{rule: s.Rule, breach: is}
	}
}

func byKey(run *verdict.Run, keyOf func(verdict.Scenario) key) map[key]verdict.Scenario {
	all := map[key]verdict.Scenario{}
	for _, s := range run.Scenarios {
		all[keyOf(s)] = s
	}
	return all
}

func judged(s verdict.Scenario) bool {
	return s.Verdict == verdict.Pass || s.Verdict == verdict.Warning || s.Verdict.Failing()
}

func itemOf(s verdict.Scenario, rule verdict.Rule, before verdict.Scenario) Item {
	item := Item{Scenario: s.ID(), Title: rule.Title, Before: before.Verdict, Now: s.Verdict, Often: s.Frequency()}
	shown := s.Finding
	if shown == nil && len(s.Warnings) > 0 {
		shown = &s.Warnings[0]
	}
	switch {
	case shown != nil:
		item.Expected, item.Got = shown.Expected, shown.Got
	case len(s.Missing) > 0:
		item.Got = "missing controls: " + strings.Join(s.Missing, ", ")
	case before.Verdict.Failing() && before.Frequency() != "":
		item.Often = "failed " + before.Frequency()
	}
	return item
}

// goneBreaches returns the breaches of the base that no longer occur, although the scenario that met
// them was judged again. If they were flaky, or a scenario of their rule or the one that met them still fails, they may just
// not have shown.
func goneBreaches(base, now *verdict.Run, keyOf func(verdict.Scenario) key) (fixed, unseen []Item) {
	there, fails := byKey(now, keyOf), map[string]bool{}
	for _, s := range now.Scenarios {
		fails[s.Rule] = fails[s.Rule] || s.Via == "" && s.Verdict.Failing()
	}
	for _, rule := range base.Results() {
		for _, s := range rule.Scenarios {
			if s.Via == "" {
				continue
			}
			by := there[key{id: s.Via}]
			if _, again := there[keyOf(s)]; again || !judged(by) {
				continue
			}
			item := itemOf(s, rule.Rule, s)
			item.Now, item.inPassing = verdict.Pass, rule.Name
			if item.Often != "" {
				item.Often = "failed " + item.Often
			}
			if fails[rule.Name] || s.Intermittent() || by.Verdict.Failing() {
				item.unseen = true
				unseen = append(unseen, item)
			} else {
				fixed = append(fixed, item)
			}
		}
	}
	return fixed, unseen
}

func causesOf(run *verdict.Run, some map[key]bool, was map[key]verdict.Scenario, keyOf func(verdict.Scenario) key) []Cause {
	causes := []Cause{}
	for _, c := range run.CausesOf(func(s verdict.Scenario) bool { return some[keyOf(s)] }) {
		cause := Cause{Item: itemOf(c.Scenario, c.Rule, was[keyOf(c.Scenario)]), Headline: c.Headline, headlineIn: c.HeadlineIn}
		for _, s := range c.Others {
			cause.Others = append(cause.Others, s.ID())
		}
		causes = append(causes, cause)
	}
	return causes
}

// differencesOf lists how the runs differ besides their results.
func differencesOf(base, now *verdict.Run) []string {
	all := []string{}
	for _, d := range []struct{ what, before, now string }{
		{"target", base.Target, now.Target},
		{"URL", cmp.Or(base.URL, now.URL), cmp.Or(now.URL, base.URL)}, // reports of earlier versions have none
		{"version of pixcert", base.Version, now.Version},
		{"selection", cmp.Or(base.Selection, "everything"), cmp.Or(now.Selection, "everything")},
		{"shard", cmp.Or(base.Shard.String(), "all"), cmp.Or(now.Shard.String(), "all")},
		{"own rules", ownOf(base), ownOf(now)},
		{"families", cmp.Or(strings.Join(base.Families, ", "), "all"), cmp.Or(strings.Join(now.Families, ", "), "all")},
		{"controls", cmp.Or(strings.Join(base.Controls, ", "), "none"), cmp.Or(strings.Join(now.Controls, ", "), "none")},
	} {
		if d.before != d.now {
			all = append(all, fmt.Sprintf("different %s: %s, now %s", d.what, d.before, d.now))
		}
	}
	keyOf := keysOf(base, now)
	before, after := byKey(base, keyOf), byKey(now, keyOf)
	if n := onlyIn(before, after); n > 0 {
		all = append(all, wording.Count(n, "scenario")+" of the base not in this report")
	}
	if n := onlyIn(after, before); n > 0 {
		all = append(all, wording.Count(n, "scenario")+" of this report not in the base")
	}
	return all
}

// ownOf names the user's own features of a run; equal for equal files.
func ownOf(run *verdict.Run) string {
	if run.Own == nil {
		return "none"
	}
	return fmt.Sprintf("%s (digest %s)", filepath.Base(run.Own.Directory), run.Own.Digest)
}

// onlyIn counts the scenarios that only the first of two runs has.
func onlyIn(a, b map[key]verdict.Scenario) (n int) {
	for key, s := range a {
		if _, both := b[key]; !both && s.Via == "" {
			n++
		}
	}
	return n
}

// observationsOf returns the open points on which both runs observed something, but not the same. One that a target
// handles differently each time is no difference as long as both runs saw some of the same.
func observationsOf(base, now *verdict.Run) []Observed {
	was, varied := map[string][]string{}, map[string]bool{}
	for _, o := range base.Observations() {
		was[o.Name], varied[o.Name] = valuesOf(o), o.Varies
	}
	all := []Observed{}
	for _, o := range now.Observations() {
		before, after := was[o.Name], valuesOf(o)
		if (o.Varies || varied[o.Name]) && slices.ContainsFunc(after, func(v string) bool { return slices.Contains(before, v) }) {
			continue
		}
		if len(before) > 0 && len(after) > 0 && !slices.Equal(before, after) {
			all = append(all, Observed{o.Name, o.Question, before, after})
		}
	}
	return all
}

func valuesOf(o verdict.Observation) (all []string) {
	for _, seen := range o.Seen {
		all = append(all, seen.Value)
	}
	slices.Sort(all)
	return all
}

func speedOf(base, now *verdict.Run) []Measure {
	scenarios := func(r *verdict.Run) int { return r.Summary().Scenarios.Total() }
	all := []Measure{
		{translation.Mark("scenarios"), fmt.Sprintf("%d, %d at a time", scenarios(base), base.Concurrency), fmt.Sprintf("%d, %d at a time", scenarios(now), now.Concurrency)},
		{translation.Mark("duration"), wording.Duration(base.Took), wording.Duration(now.Took) + change(base.Took, now.Took)},
	}
	if base.Coverage != nil && now.Coverage != nil {
		all = append(all, Measure{translation.Mark("coverage"), base.Coverage.String(), now.Coverage.String()}, Measure{translation.Mark("requests"), fmt.Sprint(base.Coverage.Requests), fmt.Sprint(now.Coverage.Requests)})
	}
	if base.Webhooks.Count > 0 && now.Webhooks.Count > 0 {
		all = append(all,
			Measure{translation.Mark("webhooks"), fmt.Sprint(base.Webhooks.Count), fmt.Sprint(now.Webhooks.Count)},
			Measure{translation.Mark("webhook p99"), wording.Duration(base.Webhooks.P99), wording.Duration(now.Webhooks.P99) + change(base.Webhooks.P99, now.Webhooks.P99)},
			Measure{translation.Mark("slowest webhook"), wording.Duration(base.Webhooks.Slowest), wording.Duration(now.Webhooks.Slowest) + change(base.Webhooks.Slowest, now.Webhooks.Slowest)},
		)
	}
	return all
}

// change formats the relative change of a duration; empty for none.
func change(before, now time.Duration) string {
	if before <= 0 {
		return ""
	}
	percent := math.Round(100 * (float64(now)/float64(before) - 1))
	if percent == 0 {
		return ""
	}
	return fmt.Sprintf(" (%+.0f %%)", percent)
}
