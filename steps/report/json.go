package report

import (
	"cmp"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// jsonSchema is the schema version of verdict.json. It grows if a member is removed, renamed or
// changes its meaning, but not for a new member.
const jsonSchema = 1

// jsonReport is verdict.json. Times are RFC 3339 in UTC, durations are fractional milliseconds,
// verdicts and the outcome are the words of Verdict and Outcome. Everything is in the order of
// the features, not of the run.
type jsonReport struct {
	Schema          int                     `json:"schema"`
	Pixcert         string                  `json:"pixcert"` // version
	RunID           string                  `json:"runId"`
	Target          string                  `json:"target"`
	URL             string                  `json:"url,omitempty"`       // if target does not say it
	Arguments       []string                `json:"arguments"`           // of the command, that name the target
	Directory       string                  `json:"directory,omitempty"` // that paths in arguments are relative to; itself relative to the report's, unless absolute
	Seed            int64                   `json:"seed"`
	Seeds           []int64                 `json:"seeds,omitempty"` // of the parts of a merged run, if they differ
	Concurrency     int                     `json:"concurrency"`
	Selection       string                  `json:"selection"` // empty for everything
	Controls        []string                `json:"controls"`  // that the target has
	Started         time.Time               `json:"started"`
	TookMs          float64                 `json:"tookMs"`
	Outcome         verdict.Outcome         `json:"outcome"`
	ExitStatus      int                     `json:"exitStatus"`
	Ended           *jsonEnded              `json:"ended,omitempty"`   // why the run ended early
	LeftOut         *verdict.LeftOut        `json:"leftOut,omitempty"` // by --quick
	Outages         []verdict.Outage        `json:"outages,omitempty"` // times in which the target did not respond at all
	Reran           int                     `json:"reran,omitempty"`   // scenarios that failed and passed when --rerun-failed ran them again
	Strict          bool                    `json:"strict,omitempty"`  // warnings count as failures
	Counts          jsonCounts              `json:"counts"`
	Families        []string                `json:"families,omitempty"`      // that the profile claims; absent for all
	Shard           *verdict.Shard          `json:"shard,omitempty"`         // the part of the selection that this is; absent for all
	Omitted         string                  `json:"omitted,omitempty"`       // what the report leaves out because it would be too large
	MissingShards   []verdict.Shard         `json:"missingShards,omitempty"` // of a merged report
	Baseline        *verdict.Baseline       `json:"baseline,omitempty"`      // what became of the failures known before
	Own             *verdict.Own            `json:"own,omitempty"`           // the user's own features, whose rules are marked below; its directory is relative to directory
	Explored        *verdict.Explored       `json:"explored,omitempty"`      // how the gateway was explored first
	Webhooks        jsonWebhooks            `json:"webhooks"`
	Reach           verdict.Reach           `json:"reach"` // how far the rules were judged
	MissingControls []jsonMissing           `json:"missingControls"`
	Unlocks         []verdict.Unlock        `json:"unlocks"`                  // what would allow more to be tested, each in addition to those before it
	Notes           []string                `json:"notes,omitempty"`          // worth knowing, such as a clock that is off
	BrokenControls  []verdict.BrokenControl `json:"brokenControls,omitempty"` // that stopped working during the run
	Suspect         *verdict.Suspect        `json:"suspect,omitempty"`        // a control that the failing scenarios have in common
	Causes          []jsonCause             `json:"causes"`                   // failures grouped by likely cause, the most useful first
	Features        []jsonFeature           `json:"features"`
	Observations    []jsonObservation       `json:"observations"`
}

// jsonWebhooks is how long the target's webhooks took, and for how long silence was waited for.
type jsonWebhooks struct {
	Count     int     `json:"count"`
	P99Ms     float64 `json:"p99Ms"`
	SlowestMs float64 `json:"slowestMs"`
	SilenceMs float64 `json:"silenceMs"`
	Strangers int     `json:"strangers"` // posts that were not this run's
}

type jsonEnded struct {
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
	NotRun int       `json:"notRun"` // scenarios

	Decided bool           `json:"decided,omitempty"` // by a failure
	Silent  exchange.Party `json:"silent,omitempty"`  // that stopped responding
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
	Rule      string   `json:"rule"` // to blame
	Scenario  string   `json:"scenario"`
	Expected  string   `json:"expected"`
	Got       string   `json:"got"`
	Scenarios []string `json:"scenarios"` // that fail alike
}

type jsonFeature struct {
	Name  string     `json:"name"`
	File  string     `json:"file"`
	Own   bool       `json:"own,omitempty"`   // the user's own
	Found bool       `json:"found,omitempty"` // by exploring
	Rules []jsonRule `json:"rules"`
}

type jsonRule struct {
	Name      string          `json:"name"`
	Title     string          `json:"title"`
	Verdict   verdict.Verdict `json:"verdict"`
	Scenarios []jsonScenario  `json:"scenarios"`
}

type jsonScenario struct {
	ID              string          `json:"id"` // for pixcert replay
	Name            string          `json:"name"`
	Line            int             `json:"line,omitempty"` // in the feature file; none for a violation found in passing
	Via             string          `json:"via,omitempty"`  // rule/scenario that found this violation of the wire contract
	Verdict         verdict.Verdict `json:"verdict"`
	Spoiled         bool            `json:"spoiled,omitempty"`  // no attempt says anything about the target
	Unproven        bool            `json:"unproven,omitempty"` // chance may explain each failure, but all attempts agree
	Started         time.Time       `json:"started"`
	TookMs          float64         `json:"tookMs"`
	Finding         *jsonFinding    `json:"finding,omitempty"`
	Known           *verdict.Known  `json:"known,omitempty"` // what the baseline says about a known failure
	Warnings        []jsonFinding   `json:"warnings,omitempty"`
	Attempts        []jsonAttempt   `json:"attempts,omitempty"` // if there were several
	Right           *jsonExchange   `json:"right,omitempty"`    // what the finding's exchange is in an attempt that passed
	MissingControls []string        `json:"missingControls,omitempty"`
	Observed        []jsonObserved  `json:"observed,omitempty"` // on open points
	Steps           []verdict.Step  `json:"steps"`
	ExchangeCount   int             `json:"exchangeCount"`
	LeftOut         int             `json:"exchangesLeftOut,omitempty"` // the run's memory for them was full, or the report too large
	Exchanges       []jsonExchange  `json:"exchanges,omitempty"`        // unless the scenario passed
}

type jsonObserved struct {
	Point string   `json:"point"`
	Value string   `json:"value"`
	Fits  []string `json:"fits,omitempty"` // readings of the point
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
	Verdict  verdict.Verdict `json:"verdict"`
	Spoiled  bool            `json:"spoiled,omitempty"`  // it shows nothing of the target, and does not count
	Unproven bool            `json:"unproven,omitempty"` // chance may explain why it failed: it counts only if no other attempt proves anything
	Finding  *jsonFinding    `json:"finding,omitempty"`
	Started  time.Time       `json:"started"`
	TookMs   float64         `json:"tookMs"`
}

type jsonObservation struct {
	Point     string         `json:"point"`
	Question  string         `json:"question"`
	Permitted string         `json:"permitted"`
	Readings  []string       `json:"readings,omitempty"` // of which a target has to fit one throughout
	Varies    bool           `json:"varies,omitempty"`   // the target does not do the same each time
	Seen      []verdict.Seen `json:"seen"`               // empty if no scenario observed it
}

func writeJSON(w io.Writer, run *verdict.Run, dir string) error {
	return wording.JSON(w, reportJSON(run, dir))
}

func reportJSON(r *verdict.Run, dir string) jsonReport {
	summary := r.Summary()
	report := jsonReport{
		Schema:          jsonSchema,
		Pixcert:         r.Version,
		RunID:           r.ID,
		Target:          r.Target,
		URL:             r.URL,
		Arguments:       append([]string{}, r.Arguments...),
		Directory:       relative(dir, r.Directory),
		Seed:            r.Seed,
		Seeds:           r.Seeds,
		Concurrency:     r.Concurrency,
		Selection:       r.Selection,
		Controls:        append([]string{}, r.Controls...),
		Started:         r.Started.UTC(),
		TookMs:          wording.Milliseconds(r.Took),
		Outcome:         r.Outcome(),
		ExitStatus:      r.Outcome().ExitStatus(),
		LeftOut:         r.LeftOut,
		Outages:         r.Outages,
		Reran:           r.Reran,
		Strict:          r.Strict,
		Counts:          countsJSON(r, summary),
		Families:        r.Families,
		Omitted:         r.Omitted,
		MissingShards:   r.Lacks,
		Baseline:        r.Baseline,
		Own:             r.Own,
		Explored:        r.Explored,
		Webhooks:        webhooksJSON(r.Webhooks),
		Reach:           r.Reach(),
		MissingControls: []jsonMissing{},
		Unlocks:         append([]verdict.Unlock{}, r.Unlocks...),
		Suspect:         r.Suspect,
		BrokenControls:  r.Broken,
		Notes:           r.Notes,
		Causes:          []jsonCause{},
		Features:        []jsonFeature{},
		Observations:    []jsonObservation{},
	}
	if r.Shard.Of > 0 {
		report.Shard = &r.Shard
	}
	if r.Ended != nil {
		report.Ended = &jsonEnded{r.Ended.Reason, r.Ended.At.UTC(), summary.Scenarios[verdict.NotRun], r.Ended.Decided, r.Ended.Silent}
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
		report.Features = append(report.Features, featureJSON(feature))
	}
	for _, o := range r.Observations() {
		seen := append([]verdict.Seen{}, o.Seen...)
		report.Observations = append(report.Observations, jsonObservation{o.Name, o.Question, o.Permitted, o.Readings, o.Varies, seen})
	}
	return report
}

func webhooksJSON(w verdict.Webhooks) jsonWebhooks {
	return jsonWebhooks{w.Count, wording.Milliseconds(w.P99), wording.Milliseconds(w.Slowest), wording.Milliseconds(w.Silence), w.Strangers}
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

func featureJSON(f featureResult) jsonFeature {
	feature := jsonFeature{Name: f.Name, File: f.File, Own: f.Own, Found: f.Found}
	for _, rule := range f.Rules {
		feature.Rules = append(feature.Rules, ruleJSON(rule))
	}
	return feature
}

func ruleJSON(r verdict.RuleResult) jsonRule {
	rule := jsonRule{Name: r.Name, Title: r.Title, Verdict: r.Verdict, Scenarios: []jsonScenario{}}
	for _, s := range r.Scenarios {
		rule.Scenarios = append(rule.Scenarios, scenarioJSON(s))
	}
	return rule
}

func scenarioJSON(s verdict.Scenario) jsonScenario {
	wire := jsonScenario{
		ID: s.Slug(), Name: s.Name, Line: s.Line, Via: s.Via, Verdict: s.Verdict, Started: s.Started.UTC(), TookMs: wording.Milliseconds(s.Took),
		Finding: findingJSON(s.Finding), Known: s.Known, MissingControls: s.Missing, Steps: append([]verdict.Step{}, s.Steps...), ExchangeCount: s.ExchangeCount, LeftOut: s.LeftOut, Spoiled: s.Spoiled, Unproven: s.Unproven,
	}
	for _, w := range s.Warnings {
		wire.Warnings = append(wire.Warnings, *findingJSON(&w))
	}
	for _, o := range s.Observations {
		wire.Observed = append(wire.Observed, jsonObserved(o))
	}
	for _, a := range s.Attempts {
		wire.Attempts = append(wire.Attempts, attemptJSON(a))
	}
	if s.Right != nil {
		right := exchangeJSON(*s.Right)
		wire.Right = &right
	}
	if s.Verdict != verdict.Pass {
		for _, e := range s.Exchanges {
			wire.Exchanges = append(wire.Exchanges, exchangeJSON(e))
		}
	}
	return wire
}

func causeJSON(c verdict.Cause) jsonCause {
	wire := jsonCause{Rule: c.Rule.Name, Scenario: c.Scenario.Slug(), Scenarios: []string{}}
	if f := c.Scenario.Finding; f != nil {
		wire.Expected, wire.Got = f.Expected, f.Got
	}
	for _, s := range c.Others {
		wire.Scenarios = append(wire.Scenarios, s.Slug())
	}
	return wire
}

func attemptJSON(a verdict.Attempt) jsonAttempt {
	wire := jsonAttempt{Verdict: a.Verdict, Spoiled: a.Spoiled, Unproven: a.Unproven, Finding: findingJSON(a.Finding), Started: a.Started.UTC(), TookMs: wording.Milliseconds(a.Took)}
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
