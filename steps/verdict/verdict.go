// Package verdict judges a run: what each scenario showed becomes a verdict for
// each rule, the rules become the outcome of the run, and that is written for
// people (terminal, HTML) and for machines (JSON, JUnit, exit status).
package verdict

import (
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Verdict is what a scenario, and by its scenarios a rule, came to.
type Verdict string

const (
	Pass          Verdict = "pass"
	Fail          Verdict = "fail"
	Warning       Verdict = "warning"        // allowed but unwise
	NotApplicable Verdict = "not applicable" // the profile does not claim that family
	CouldNotTest  Verdict = "could not test" // a control is missing, or a precondition could not be met
	SuiteError    Verdict = "suite error"    // the suite's own fault, never the target's
)

// Outcome is what a whole run came to.
type Outcome string

const (
	Conforms       Outcome = "conforms"
	DoesNotConform Outcome = "does not conform"
	Incomplete     Outcome = "incomplete"
)

// ExitStatus is the exit status of the command for an outcome: 0 conforms, 1
// does not conform, 3 incomplete. (2 is for a run that could not be made, which
// has no outcome.)
func (o Outcome) ExitStatus() int {
	switch o {
	case Conforms:
		return 0
	case DoesNotConform:
		return 1
	default:
		return 3
	}
}

// Rule names one requirement: the stable tag of a Gherkin Rule without its @.
type Rule struct {
	Name    string // "cash-out.covers-fee"
	Title   string // "The balance must cover the amount and the fee"
	Feature string // "Cash-out to a PIX key"
	File    string // "cash-out.feature"
}

// Scenario is what one scenario of a rule came to, with its evidence.
type Scenario struct {
	Rule     string // the rule's name
	Name     string // unique within its rule
	Line     int    // in the feature file
	Via      string // ID of the scenario that met a breach of the wire contract; else empty
	Verdict  Verdict
	Steps    []Step
	Finding  *Finding // why it is not a pass; nil for a pass
	Missing  []string // the controls that were missing, for could not test
	Warnings []Finding

	// Exchanges are kept when the verdict is not a pass; ExchangeCount always.
	Exchanges     []exchange.Exchange
	ExchangeCount int
	LeftOut       int // exchanges of a scenario that does not pass for which the run had no room
	Observations  []Observed
	Started       time.Time
	Took          time.Duration
}

// Step is one line of a scenario as it was carried out.
type Step struct {
	Keyword string // "Given", "When", "Then", "And"
	Text    string
	Table   [][]string
	Verdict Verdict // Pass, Fail, CouldNotTest, SuiteError; empty when it was not reached
}

// Finding says what was expected, what came and what to look at next. Each part
// is a phrase without a capital or a full stop; Hint may be empty.
type Finding struct {
	Expected string
	Came     string
	Hint     string
	Exchange int // index into Scenario.Exchanges of the exchange it speaks of; -1 for none
}

// Observed is what a target did on one open point in one scenario.
type Observed struct {
	Point string // name of the open point
	Value string
}

// Run is a whole run.
type Run struct {
	ID          string // also in the User-Agent of each request
	Version     string
	Target      string // base URL, or "the bundled reference"
	Seed        int64
	Concurrency int
	Selection   string // the tag expression or rules, empty for all
	Controls    []string
	Families    []string // that the profile claims; none where it claims all
	Unlocks     []Unlock // what would have let more be tested, the best first
	Arguments   []string // of the command that name the target; none for the bundled reference
	Log         string   // the report's file of what the target logged; empty for none
	Rules       []Rule   // in the order of the features; what was selected
	Scenarios   []Scenario
	OpenPoints  []OpenPoint // all that exist, for the report's questions
	Started     time.Time
	Took        time.Duration // the scenarios alone
}

// OpenPoint is a question that the specification leaves open.
type OpenPoint struct {
	Name      string
	Question  string
	Permitted string
}

// IndexOf is where an exchange stands among the scenario's, which may have been recorded
// elsewhere too; -1 where it does not.
func (s Scenario) IndexOf(e exchange.Exchange) int {
	return slices.IndexFunc(s.Exchanges, func(own exchange.Exchange) bool {
		return own.Sent.Equal(e.Sent) && own.URL == e.URL && own.Method == e.Method
	})
}

// At is f speaking of the exchange of another index.
func (f Finding) At(index int) *Finding {
	f.Exchange = index
	return &f
}
