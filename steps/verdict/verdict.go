// Package verdict holds the results of a run: a verdict for each scenario, from these a
// verdict for each rule, and from these the outcome of the run and its exit status. Its
// values have no I/O; package report writes and reads them.
package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/wording"
)

// Verdict is the result of a scenario, and of a rule by its scenarios.
type Verdict string

const (
	Pass          Verdict = "pass"
	Fail          Verdict = "fail"
	Warning       Verdict = "warning"        // allowed but unwise
	NotApplicable Verdict = "not applicable" // the profile does not claim that family
	CouldNotTest  Verdict = "could not test" // a control is missing, or a precondition could not be met
	SuiteError    Verdict = "suite error"    // the suite's own fault, never the target's
	KnownFailure  Verdict = "known failure"  // it fails as a baseline says
	NotRun        Verdict = "not run"        // the run ended early, before this was judged
)

// Outcome is the result of a whole run.
type Outcome string

const (
	Conforms       Outcome = "conforms"
	DoesNotConform Outcome = "does not conform"
	OwnRulesFail   Outcome = "own rules fail" // the user's; none of the API's does
	Incomplete     Outcome = "incomplete"
	NoNewFailures  Outcome = "no new failures"         // everything else conforms
	NoneFound      Outcome = "no failures found"       // a quick run, which does not test enough to say that a target conforms
	Outdated       Outcome = "baseline is out of date" // it lists failures that are fixed
	EndedEarly     Outcome = "ended early"             // it says nothing about the target as a whole
)

// outcomes are the exit status of the command, and the verdict of the rules that decided it.
var outcomes = map[Outcome]struct {
	exitStatus int
	verdict    Verdict
}{
	Conforms: {0, Pass}, NoneFound: {0, Pass}, NoNewFailures: {0, KnownFailure}, DoesNotConform: {1, Fail}, OwnRulesFail: {1, Fail}, Outdated: {1, Fail}, EndedEarly: {2, NotRun}, Incomplete: {3, CouldNotTest},
}

// ExitStatus is the exit status of the command for an outcome. 2 is also for a run that
// could not start, which has no outcome.
func (o Outcome) ExitStatus() int { return outcomes[o].exitStatus }

// Verdict is the verdict of the rules that decided the outcome.
func (o Outcome) Verdict() Verdict { return outcomes[o].verdict }

// In is the outcome in a language.
func (o Outcome) In(in translation.Language) string { return in.SayMarked(string(o)) }

// In is the verdict in a language.
func (v Verdict) In(in translation.Language) string { return in.SayMarked(string(v)) }

// Rule names one requirement: the stable tag of a Gherkin Rule without its @.
type Rule struct {
	Name    string // "cash-out.covers-fee"
	Title   string // "The balance must cover the amount and the fee"
	Subject string // what the specification states it about: "POST /api/pix/cash-out", "Bearer token"; empty if it states nothing
	Feature string // "Cash-out to a PIX key"
	File    string // "cash-out.feature"
	Own     bool   // the user's own, not one of the API's
	Found   bool   // by exploring; then it is in a file of the user's, too
}

// Statement is an atomic requirement of the specification.
type Statement struct {
	ID   string `json:"id"` // "OUT-067"
	Text string `json:"text"`
}

// Scenario is the result of one scenario of a rule, with its evidence. Many methods: each answers one question about the
// same result, and changes nothing.
type Scenario struct {
	Rule     string // the rule's name
	Name     string // unique within its rule
	Line     int    // in the feature file
	Via      string // ID of the scenario that found this violation of the wire contract, or the first that showed it of several; otherwise empty
	Verdict  Verdict
	Steps    []Step
	Finding  *Finding // why it is not a pass; nil for a pass
	Known    *Known   // what the baseline says about it; nil unless it is a known failure
	Missing  []string // the controls that were missing, for could not test
	Warnings []Finding

	// Exchanges are kept when the verdict is not a pass; ExchangeCount always.
	Exchanges     []exchange.Exchange
	ExchangeCount int
	LeftOut       int // exchanges that were not kept because the run's memory for them was full
	Observations  []Observed
	Alike         bool // the slug of another scenario's name is the same
	Doubt
	Attempts []Attempt          // all of them, if there were several; the first that failed is this one
	Right    *exchange.Exchange // what the finding's exchange is in an attempt that passed; nil for none

	Reference *exchange.Exchange // what the finding's exchange is with the reference gateway; nil if that is unknown
	Started   time.Time
	Took      time.Duration
}

// Doubt is why an attempt at a scenario may say nothing about the target.
type Doubt struct {
	Spoiled  bool `json:"spoiled,omitempty"`  // pixcert itself, an outage or a connection that broke left it without meaning
	Unproven bool `json:"unproven,omitempty"` // chance may explain why it failed: it counts only if no other attempt proves anything
}

// Step is one line of a scenario with its result.
type Step struct {
	Keyword string     `json:"keyword"` // "Given", "When", "Then", "And"
	Text    string     `json:"text"`
	Table   [][]string `json:"table,omitempty"`
	Verdict Verdict    `json:"verdict,omitempty"` // Pass, Fail, CouldNotTest, SuiteError; empty if it was not reached
}

// Finding says what was expected, what was received and what to look at next. Each part
// is a phrase without a capital or a full stop; Hint may be empty.
type Finding struct {
	Expected string
	Got      string
	Hint     string
	Exchange int    // index into Scenario.Exchanges of the exchange that it is about; -1 for none
	Field    string // path of the field of its response, or within an item of it, that it is about; empty for no single field
	About    About  // the same, for those who group and compare findings
}

// Precondition is the hint of a finding that made a rule untestable, because it is about a step that only
// prepares the scenario.
const Precondition = "this is a precondition, so the rule could not be tested"

// Known is what a baseline says about a failure.
type Known struct {
	Reason  string `json:"reason,omitempty"`
	Owner   string `json:"owner,omitempty"`
	Expires string `json:"expires,omitempty"` // the last day, 2026-12-31; empty for never

	Intermittent bool `json:"intermittent,omitempty"` // it comes and goes
}

// String is what is known in one phrase: "fee is rounded (ana, until 2026-12-31)".
func (k Known) String() string { return k.In(translation.English) }

// In is String in a language.
func (k Known) In(in translation.Language) string {
	var by []string
	if k.Owner != "" {
		by = append(by, k.Owner)
	}
	if k.Expires != "" {
		by = append(by, in.Sayf("until %s", k.Expires))
	}
	return strings.TrimSuffix(cmp.Or(k.Reason, in.Say("no reason given"))+" ("+strings.Join(by, ", ")+")", " ()")
}

// Observed is what a target did on one open point in one scenario.
type Observed struct {
	Point string   `json:"point"` // name of the open point
	Value string   `json:"value"`
	Fits  []string `json:"fits,omitempty"` // the readings of the point that the value fits
}

// Report is a run with the name of its report.
type Report struct {
	Name string
	Run  *Run
}

// Run is a whole run.
type Run struct {
	ID      string // also in the User-Agent of each request
	Version string
	Subject
	Settings
	Controls []string
	Families []string // that the profile claims; none where it claims all
	Started  time.Time
	Took     time.Duration // of the scenarios
	Ended    *Ended        // why it ended early; nil if it did not
	Course
	Additions
	Webhooks  Webhooks
	Latencies []Latency // of responses by operation, and of webhooks
	Advice
	Broken     []BrokenControl
	Log        string  // the report's file of what the target logged; empty for none
	Omitted    string  // what the report leaves out because it would be too large; empty for nothing
	Lacks      []Shard // shards without a report, of a merged run
	Rules      []Rule  // in the order of the features; what was selected
	Scenarios  []Scenario
	Statements map[string][]Statement // that rules show, by the name of the rule
	OpenPoints []OpenPoint            // all that exist, for the report's questions
}

// The groups of a run that verdict.json has as they are.
type (
	// Subject is what was tested, and how a command names it again.
	Subject struct {
		Target    string   `json:"target"`              // the profile's name of it, the base URL, or "the bundled reference"
		URL       string   `json:"url,omitempty"`       // the base URL, if Target is another name; empty where it differs from run to run
		Arguments []string `json:"arguments"`           // of the command that name the target
		Directory string   `json:"directory,omitempty"` // absolute; paths in Arguments are relative to it
	}

	// Settings are what was to run, and how.
	Settings struct {
		Seed        int64   `json:"seed"`
		Seeds       []int64 `json:"seeds,omitempty"` // of the parts of a merged run, if they differ
		Concurrency int     `json:"concurrency"`
		Selection   string  `json:"selection"`        // the tag expression or rules, empty for all
		Strict      bool    `json:"strict,omitempty"` // warnings count as failures
		Shard       Shard   `json:"shard,omitzero"`   // the part of the selection that this is

		Depth  Depth         `json:"depth,omitempty"`    // empty in a report that does not say so
		Budget time.Duration `json:"budgetNs,omitempty"` // after which no scenario began; 0 for none
	}

	// Course is how the run went: what it did not get to, when the target was silent, what it ran again.
	Course struct {
		LeftOut  *LeftOut  `json:"leftOut,omitempty"`  // what there was no time for; nil if the run had no budget, or got to everything
		Outages  []Outage  `json:"outages,omitempty"`  // in their order
		Reran    int       `json:"reran,omitempty"`    // scenarios that failed and passed when --rerun-failed ran them again
		Coverage *Coverage `json:"coverage,omitempty"` // nil for a merged or continued report, whose parts do not say what they have in common
	}

	// Additions are what the user added to pixcert's own rules.
	Additions struct {
		Baseline *Baseline `json:"baseline,omitempty"` // what became of the failures known before; nil for no baseline
		Own      *Own      `json:"own,omitempty"`      // the user's own features; nil for none
		Explored *Explored `json:"explored,omitempty"` // how the gateway was explored before; nil if it was not
	}

	// Advice is what the user should know, or do next.
	Advice struct {
		Unlocks []Unlock `json:"unlocks"`           // what would have let more be tested, the best first, each in addition to those before it
		Notes   []string `json:"notes,omitempty"`   // what is worth knowing and no reason to warn, such as a clock that is off
		Suspect *Suspect `json:"suspect,omitempty"` // a control that the failing scenarios have in common; nil for none
	}
)

// Webhooks are how long the target's webhooks took in a run, and how long a scenario therefore
// waited at most for one that must not arrive.
type Webhooks struct {
	Count                 int
	Strangers             int // posts that name nothing that the run has sent, or went to no URL of its own
	P99, Slowest, Silence time.Duration
}

// Baseline is what became of the failures that a baseline lists, besides those that are known
// failures of this run. Each is listed as "rule/scenario".
type Baseline struct {
	File     string   `json:"file"`
	Fixed    []string `json:"fixed"`    // the scenario passes: to be taken out
	Changed  []string `json:"changed"`  // the scenario fails in another way
	Untested []string `json:"untested"` // the scenario was not selected, or could not be tested
	Expired  []string `json:"expired"`  // the scenario still fails, but its entry no longer counts

	WithoutReason []int `json:"withoutReason"` // lines of entries whose reason nobody has filled in
}

// Unexplained says which entries have no reason; empty if all have one.
func (b Baseline) Unexplained() string { return b.UnexplainedIn(translation.English) }

// UnexplainedIn is Unexplained in a language.
func (b Baseline) UnexplainedIn(in translation.Language) string {
	n := len(b.WithoutReason)
	if n == 0 {
		return ""
	}
	lines := strings.ReplaceAll(strings.Trim(fmt.Sprint(b.WithoutReason), "[]"), " ", ", ")
	return in.SayN(n, "%d entry in %s has no reason: line %s", "%d entries in %s have no reason: lines %s", n, b.File, wording.List(lines, 100))
}

// Own is the user's own features that a run had besides pixcert's.
type Own struct {
	Directory string `json:"directory"`
	Digest    string `json:"digest"` // equal for the same files
}

// Explored is how far exploring came, whose findings are rules of the run.
type Explored struct {
	Walks       int `json:"walks"`
	Requests    int `json:"requests"`
	Transitions int `json:"transitions"` // of the model, that were reached
	Of          int `json:"of"`          // that can be reached with the target's controls
}

// String is "320 walks, 11834 requests, 146 of 147 transitions".
func (e Explored) String() string { return e.In(translation.English) }

// In is String in a language.
func (e Explored) In(in translation.Language) string {
	return in.Sayf("%s, %s, %d of %d transitions", in.SayCount(e.Walks, "walk"), in.SayCount(e.Requests, "request"), e.Transitions, e.Of)
}

// Shard is a part of a selection. The zero value is all of it.
type Shard struct {
	Index int `json:"index"` // from 1
	Of    int `json:"of"`
}

// String is a shard as the command line has it: "2/4"; empty for all.
func (s Shard) String() string {
	if s.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Of)
}

// Ended says why and when a run ended before all of it was judged. Scenarios that did not
// run have the verdict NotRun.
type Ended struct {
	Reason  string         `json:"reason"` // a clause that names the time
	At      time.Time      `json:"at"`
	Decided bool           `json:"decided,omitempty"` // a failure decides the outcome: nothing that did not run could change it
	Silent  exchange.Party `json:"silent,omitempty"`  // that stopped responding; empty if none did
}

// Outage is a time in which the target, or its test controls, did not respond at all.
type Outage struct {
	Party exchange.Party `json:"party"`
	From  time.Time      `json:"from"`        // the last response before it
	To    time.Time      `json:"to,omitzero"` // the first response after it; zero if there was none
}

// LeftOut is what a run with a budget did not get to. Each quick run has one, even if it got to everything.
type LeftOut struct {
	Scenarios int      `json:"scenarios"`
	Rules     []string `json:"rules"`             // of which no scenario ran
	Skipped   []string `json:"skipped,omitempty"` // the scenarios, as rule/name
}

// OpenPoint is a question that the specification leaves open.
type OpenPoint struct {
	Name      string   `json:"point"`
	Question  string   `json:"question"`
	Permitted string   `json:"permitted"`
	Readings  []string `json:"readings,omitempty"` // names of the permitted ones, of which a target has to fit one throughout
}

// Order names the order of a run by its seed, or those of the parts of a merged run by theirs.
func (r *Run) Order() string {
	if len(r.Seeds) == 0 {
		return fmt.Sprint(r.Seed)
	}
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(r.Seeds), "[]"), " ", ", ")
}

// Title is the title of a rule; empty if the run does not have it.
func (r *Run) Title(rule string) string {
	if i := slices.IndexFunc(r.Rules, func(one Rule) bool { return one.Name == rule }); i >= 0 {
		return r.Rules[i].Title
	}
	return ""
}

// IndexOf is the index of an exchange in s.Exchanges, -1 if it is not there. e may be a copy
// that another scenario recorded.
func (s Scenario) IndexOf(e exchange.Exchange) int {
	return slices.IndexFunc(s.Exchanges, func(own exchange.Exchange) bool {
		return own.Sent.Equal(e.Sent) && own.URL == e.URL && own.Method == e.Method
	})
}

// Subject is the exchange that the finding is about; nil for none, or if it was not kept.
func (s Scenario) Subject() *exchange.Exchange {
	if s.Finding == nil || s.Finding.Exchange < 0 || s.Finding.Exchange >= len(s.Exchanges) {
		return nil
	}
	return &s.Exchanges[s.Finding.Exchange]
}

// KeepExchange drops all exchanges of a scenario but that one; nil for none.
func KeepExchange(s *Scenario, one *exchange.Exchange) {
	had := len(s.Exchanges)
	s.Exchanges = nil
	if one != nil {
		s.Exchanges = []exchange.Exchange{*one}
	}
	s.LeftOut += had - len(s.Exchanges)
	if s.Finding != nil {
		s.Finding = s.Finding.At(len(s.Exchanges) - 1)
	}
	if one == nil {
		s.Right, s.Reference = nil, nil // there is nothing left to compare them with
	}
	s.Warnings = slices.Clone(s.Warnings)
	for i := range s.Warnings {
		s.Warnings[i].Exchange = -1
	}
}

// Strictly is s as --strict judges it: a warning is a failure.
func (s Scenario) Strictly() Scenario {
	if s.Verdict != Warning || len(s.Warnings) == 0 {
		return s
	}
	s.Verdict = Fail
	s.Finding = s.Warnings[0].At(s.Warnings[0].Exchange)
	s.Finding.AddHint("a warning, which fails the rule with --strict")
	return s
}

// AddHint adds to what to look at next.
func (f *Finding) AddHint(more string) { f.Hint = strings.TrimPrefix(f.Hint+"; "+more, "; ") }

// At is a copy of f that is about the exchange at another index.
func (f Finding) At(index int) *Finding {
	f.Exchange = index
	return &f
}
