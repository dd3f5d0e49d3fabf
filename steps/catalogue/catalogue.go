// Package catalogue reads the features as rules and scenarios, with the statements of the
// specification that the rules show, and selects the scenarios of a run.
package catalogue

// Catalogue is all features, in the order of their files' names and the user's own last, and all
// statements, in the order of statements.tsv.
type Catalogue struct {
	Features   []*Feature
	Statements []Statement
}

// Feature is one feature file.
type Feature struct {
	File        string // as messages and reports name it
	Own         bool   // the user's, not pixcert's
	Name        string
	Description string
	Rules       []*Rule // in the order of the file
}

// Rule is one requirement.
type Rule struct {
	Name        string // its tag without the @: "cash-out.covers-fee"
	Title       string // "The balance must cover the amount and the fee"
	Description string
	Statements  []string // ids of the statements that it shows, in the order of its tags
	Tags        []string // as written, with their @: its name, its statements, any others
	Feature     *Feature
	Scenarios   []*Scenario // in the order of the file
	Line        int
}

// Scenario is one example of a rule: a scenario, or a row of an outline.
type Scenario struct {
	Name  string // unique within the rule
	Rule  *Rule
	Tags  []string // with their @: the feature's, the rule's and its own
	Line  int      // of the scenario, or of the example's row
	Steps []Step   // those of the backgrounds first
}

// ID identifies a scenario: rule/scenario.
func (s *Scenario) ID() string { return s.Rule.Name + "/" + s.Name }

// Step is one sentence of a scenario.
type Step struct {
	Keyword   string // as written: Given, When, Then, And, But
	Type      StepType
	Text      string
	Table     [][]string // rows of cells; nil for none
	DocString string
	Line      int
}

// StepType is the purpose of a step. And and But have the type of the step before.
type StepType string

const (
	Context StepType = "context" // Given
	Action  StepType = "action"  // When
	Outcome StepType = "outcome" // Then
)
