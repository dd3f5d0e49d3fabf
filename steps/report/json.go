package report

import (
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// jsonSchema is the schema version of verdict.json. It grows if a member is removed, renamed or
// changes its meaning, but not for a new member.
const jsonSchema = 1

// jsonReport is verdict.json. Times are RFC 3339 in UTC, durations are fractional milliseconds,
// verdicts and the outcome are the words of Verdict and Outcome. Everything is in the order of
// the features, not of the run. The directory of the user's own features is relative to directory, and that to the
// report's, unless it is absolute.
type jsonReport struct {
	Schema  int    `json:"schema"`
	Pixcert string `json:"pixcert"` // version
	RunID   string `json:"runId"`
	verdict.Subject
	verdict.Settings
	Controls []string `json:"controls"` // that the target has
	jsonTime
	Outcome    verdict.Outcome `json:"outcome"`
	ExitStatus int             `json:"exitStatus"`
	Ended      *jsonEnded      `json:"ended,omitempty"` // why the run ended early
	verdict.Course
	Counts        jsonCounts      `json:"counts"`
	Families      []string        `json:"families,omitempty"`      // that the profile claims; absent for all
	Omitted       string          `json:"omitted,omitempty"`       // what the report leaves out because it would be too large
	MissingShards []verdict.Shard `json:"missingShards,omitempty"` // of a merged report
	verdict.Additions
	Webhooks        jsonWebhooks  `json:"webhooks"`
	Latencies       []jsonLatency `json:"latencies,omitempty"` // of responses by operation, and of webhooks
	Reach           verdict.Reach `json:"reach"`               // how far the rules were judged
	MissingControls []jsonMissing `json:"missingControls"`
	verdict.Advice
	BrokenControls []verdict.BrokenControl `json:"brokenControls,omitempty"` // that stopped working during the run
	Causes         []jsonCause             `json:"causes"`                   // failures grouped by likely cause, the most useful first
	Features       []jsonFeature           `json:"features"`
	Observations   []verdict.Observation   `json:"observations"`
}

// jsonTime is when something began, and how long it took.
type jsonTime struct {
	Started time.Time `json:"started"`
	TookMs  float64   `json:"tookMs"`
}

func timeJSON(started time.Time, took time.Duration) jsonTime {
	return jsonTime{started.UTC(), wording.Milliseconds(took)}
}

// jsonWebhooks is how long the target's webhooks took, and for how long silence was waited for.
type jsonWebhooks struct {
	Count     int     `json:"count"`
	P99Ms     float64 `json:"p99Ms"`
	SlowestMs float64 `json:"slowestMs"`
	SilenceMs float64 `json:"silenceMs"`
	Strangers int     `json:"strangers"` // posts that were not this run's
}

// jsonLatency is how long responses to an operation took.
type jsonLatency struct {
	Operation string       `json:"operation"`
	Count     int          `json:"count"`
	P50Ms     float64      `json:"p50Ms"`
	P99Ms     float64      `json:"p99Ms"`
	SlowestMs float64      `json:"slowestMs"`
	Histogram []jsonBucket `json:"histogram"` // its buckets that are not empty
}

type jsonBucket struct {
	UpToMs float64 `json:"upToMs"`
	Count  int     `json:"count"`
}

type jsonEnded struct {
	verdict.Ended
	NotRun int `json:"notRun"` // scenarios
}

type jsonCounts struct {
	Rules     jsonVerdicts  `json:"rules"`                // of the API
	Own       *jsonVerdicts `json:"ownRules,omitempty"`   // the user's own
	Found     *jsonVerdicts `json:"findings,omitempty"`   // of exploring
	Scenarios jsonVerdicts  `json:"scenarios"`            // as many as were planned
	Passing   *jsonVerdicts `json:"violations,omitempty"` // that scenarios found in passing, besides those of the scenarios
	Exchanges int           `json:"exchanges"`
}

type jsonVerdicts struct {
	Total         int `json:"total"`
	Pass          int `json:"pass"`
	Fail          int `json:"fail"`
	Warning       int `json:"warning"`
	NotApplicable int `json:"notApplicable"`
	CouldNotTest  int `json:"couldNotTest"`
	SuiteError    int `json:"suiteError"`
	KnownFailure  int `json:"knownFailure"`
	NotRun        int `json:"notRun"`
}

type jsonMissing struct {
	Control string   `json:"control"`
	Rules   []string `json:"rules"` // that could not be tested, or only partly
}

type jsonCause struct {
	Headline  string   `json:"headline"` // what happened
	Rule      string   `json:"rule"`     // to blame
	Scenario  string   `json:"scenario"`
	Expected  string   `json:"expected"`
	Got       string   `json:"got"`
	Scenarios []string `json:"scenarios"` // that it explains, too
}

type jsonFeature struct {
	Name  string     `json:"name"`
	File  string     `json:"file"`
	Own   bool       `json:"own,omitempty"`   // the user's own
	Found bool       `json:"found,omitempty"` // by exploring
	Rules []jsonRule `json:"rules"`
}

type jsonRule struct {
	Name       string              `json:"name"`
	Title      string              `json:"title"`
	Subject    string              `json:"subject,omitempty"`    // what the specification states it about
	Statements []verdict.Statement `json:"statements,omitempty"` // of the specification, unless the rule passes
	Verdict    verdict.Verdict     `json:"verdict"`
	Scenarios  []jsonScenario      `json:"scenarios"`
}

type jsonScenario struct {
	ID      string          `json:"id"` // for pixcert replay
	Name    string          `json:"name"`
	Line    int             `json:"line,omitempty"` // in the feature file; none for a violation found in passing
	Via     string          `json:"via,omitempty"`  // rule/scenario that found this violation of the wire contract
	Verdict verdict.Verdict `json:"verdict"`
	verdict.Doubt
	jsonTime
	Finding         *jsonFinding       `json:"finding,omitempty"`
	Known           *verdict.Known     `json:"known,omitempty"` // what the baseline says about a known failure
	Warnings        []jsonFinding      `json:"warnings,omitempty"`
	Attempts        []jsonAttempt      `json:"attempts,omitempty"`  // if there were several
	Right           *jsonExchange      `json:"right,omitempty"`     // what the finding's exchange is in an attempt that passed
	Reference       *jsonExchange      `json:"reference,omitempty"` // and with the reference gateway
	MissingControls []string           `json:"missingControls,omitempty"`
	Observed        []verdict.Observed `json:"observed,omitempty"` // on open points
	Steps           []verdict.Step     `json:"steps"`
	ExchangeCount   int                `json:"exchangeCount"`
	LeftOut         int                `json:"exchangesLeftOut,omitempty"` // the run's memory for them was full, or the report too large
	Exchanges       []jsonExchange     `json:"exchanges,omitempty"`        // unless the scenario passed
}

type jsonFinding struct {
	Expected string `json:"expected"`
	Got      string `json:"got"`
	Hint     string `json:"hint,omitempty"`
	Exchange *int   `json:"exchange,omitempty"` // index into exchanges
	Field    string `json:"field,omitempty"`    // of its response that it is about

	About *verdict.About `json:"about,omitempty"` // the same as values; earlier versions wrote none
}

type jsonAttempt struct {
	Verdict verdict.Verdict `json:"verdict"`
	verdict.Doubt
	Finding *jsonFinding `json:"finding,omitempty"`
	jsonTime
}

func writeJSON(w io.Writer, run *verdict.Run, dir string) error {
	return wording.JSON(w, reportJSON(run, dir))
}

func reportJSON(r *verdict.Run, dir string) jsonReport {
	summary := r.Summary()
	report := jsonReport{
		Schema: jsonSchema, Pixcert: r.Version, RunID: r.ID, Subject: r.Subject, Settings: r.Settings, Controls: append([]string{}, r.Controls...),
		jsonTime: timeJSON(r.Started, r.Took), Outcome: r.Outcome(), ExitStatus: r.Outcome().ExitStatus(), Course: r.Course,
		Counts: countsJSON(r, summary), Families: r.Families, Omitted: r.Omitted, MissingShards: r.Lacks, Additions: r.Additions,
		Webhooks: webhooksJSON(r.Webhooks), Latencies: latenciesJSON(r.Latencies), Reach: r.Reach(), MissingControls: []jsonMissing{}, Advice: r.Advice, BrokenControls: r.Broken,
		Causes: []jsonCause{}, Features: []jsonFeature{}, Observations: r.Observations(),
	}
	report.Arguments, report.Unlocks = append([]string{}, r.Arguments...), append([]verdict.Unlock{}, r.Unlocks...)
	report.Directory = relative(dir, r.Directory)
	if r.Ended != nil {
		report.Ended = &jsonEnded{*r.Ended, summary.Scenarios[verdict.NotRun]}
		report.Ended.At = r.Ended.At.UTC()
	}
	for _, missing := range r.MissingControls() {
		wire := jsonMissing{Control: missing.Control}
		for _, rule := range missing.Rules {
			wire.Rules = append(wire.Rules, rule.Name)
		}
		report.MissingControls = append(report.MissingControls, wire)
	}
	slices.SortFunc(report.MissingControls, func(a, b jsonMissing) int { return cmp.Compare(a.Control, b.Control) })
	for _, c := range r.Causes() {
		report.Causes = append(report.Causes, causeJSON(c))
	}
	for _, feature := range featuresOf(r) {
		report.Features = append(report.Features, featureJSON(feature, r.Statements))
	}
	return report
}

func webhooksJSON(w verdict.Webhooks) jsonWebhooks {
	return jsonWebhooks{w.Count, wording.Milliseconds(w.P99), wording.Milliseconds(w.Slowest), wording.Milliseconds(w.Silence), w.Strangers}
}

func latenciesJSON(all []verdict.Latency) (wire []jsonLatency) {
	for _, l := range all {
		one := jsonLatency{Operation: l.Operation, Count: l.Count, P50Ms: wording.Milliseconds(l.P50), P99Ms: wording.Milliseconds(l.P99), SlowestMs: wording.Milliseconds(l.Slowest)}
		for _, b := range l.Buckets {
			one.Histogram = append(one.Histogram, jsonBucket{wording.Milliseconds(b.UpTo), b.Count})
		}
		wire = append(wire, one)
	}
	return wire
}

func countsJSON(r *verdict.Run, summary verdict.Summary) jsonCounts {
	counts := jsonCounts{Rules: verdictsJSON(summary.Rules), Own: verdictsIfAny(summary.Own), Found: verdictsIfAny(summary.Found), Scenarios: verdictsJSON(summary.Scenarios), Passing: verdictsIfAny(summary.Violations)}
	for _, s := range r.Scenarios {
		counts.Exchanges += s.ExchangeCount
	}
	return counts
}

func verdictsIfAny(c verdict.Counts) *jsonVerdicts {
	if c.Total() == 0 {
		return nil
	}
	counts := verdictsJSON(c)
	return &counts
}

func verdictsJSON(c verdict.Counts) jsonVerdicts {
	return jsonVerdicts{c.Total(), c[verdict.Pass], c[verdict.Fail], c[verdict.Warning], c[verdict.NotApplicable], c[verdict.CouldNotTest], c[verdict.SuiteError], c[verdict.KnownFailure], c[verdict.NotRun]}
}

// relative is a directory as seen from the report's: both may move together.
func relative(dir, path string) string {
	absolute, err := filepath.Abs(dir)
	if err != nil || path == "" {
		return path
	}
	below, err := filepath.Rel(absolute, path)
	if err != nil { // on another volume
		return path
	}
	return filepath.ToSlash(below)
}

func featureJSON(f featureResult, stated map[string][]verdict.Statement) jsonFeature {
	feature := jsonFeature{Name: f.Name, File: f.File, Own: f.Own, Found: f.Found}
	for _, rule := range f.Rules {
		wire := ruleJSON(rule)
		if rule.Verdict != verdict.Pass {
			wire.Statements = stated[rule.Name]
		}
		feature.Rules = append(feature.Rules, wire)
	}
	return feature
}

func ruleJSON(r verdict.RuleResult) jsonRule {
	rule := jsonRule{Name: r.Name, Title: r.Title, Subject: r.Subject, Verdict: r.Verdict, Scenarios: []jsonScenario{}}
	for _, s := range r.Scenarios {
		rule.Scenarios = append(rule.Scenarios, scenarioJSON(s))
	}
	return rule
}

func scenarioJSON(s verdict.Scenario) jsonScenario {
	wire := jsonScenario{
		ID: s.Slug(), Name: s.Name, Line: s.Line, Via: s.Via, Verdict: s.Verdict, Doubt: s.Doubt, jsonTime: timeJSON(s.Started, s.Took),
		Finding: findingJSON(s.Finding), Known: s.Known, MissingControls: s.Missing, Observed: s.Observations, Steps: append([]verdict.Step{}, s.Steps...),
		ExchangeCount: s.ExchangeCount, LeftOut: s.LeftOut,
	}
	for _, w := range s.Warnings {
		wire.Warnings = append(wire.Warnings, *findingJSON(&w))
	}
	for _, a := range s.Attempts {
		wire.Attempts = append(wire.Attempts, attemptJSON(a))
	}
	wire.Right, wire.Reference = exchangeIfAny(s.Right), exchangeIfAny(s.Reference)
	if s.Verdict != verdict.Pass {
		for _, e := range s.Exchanges {
			wire.Exchanges = append(wire.Exchanges, exchangeJSON(e))
		}
	}
	return wire
}

func causeJSON(c verdict.Cause) jsonCause {
	wire := jsonCause{Headline: c.Headline, Rule: c.Rule.Name, Scenario: c.Scenario.Slug(), Scenarios: []string{}}
	if f := c.Scenario.Finding; f != nil {
		wire.Expected, wire.Got = f.Expected, f.Got
	}
	for _, s := range c.Others {
		wire.Scenarios = append(wire.Scenarios, s.Slug())
	}
	return wire
}

func attemptJSON(a verdict.Attempt) jsonAttempt {
	wire := jsonAttempt{Verdict: a.Verdict, Doubt: a.Doubt, Finding: findingJSON(a.Finding), jsonTime: timeJSON(a.Started, a.Took)}
	if wire.Finding != nil {
		wire.Finding.Exchange = nil // the attempt's own exchanges are not kept
	}
	return wire
}

func findingJSON(f *verdict.Finding) *jsonFinding {
	if f == nil {
		return nil
	}
	about := f.About
	about.Kind = cmp.Or(about.Kind, verdict.Other)
	wire := &jsonFinding{Expected: f.Expected, Got: f.Got, Hint: f.Hint, Field: f.Field, About: &about}
	if f.Exchange >= 0 {
		wire.Exchange = &f.Exchange
	}
	return wire
}
