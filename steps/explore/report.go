package explore

import (
	"time"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/model"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Options say how long to explore, and which target.
type Options struct {
	Run   run.Options   // its target, secrets, concurrency and version
	Seed  int64         // of the walks and of their data
	For   time.Duration // after which no walk begins; 0 for no limit
	Walks int           // after which none begins; 0 for no limit

	FirstFinding bool // stop at the first finding that is shrunk

	// Corpus has the findings of earlier runs as features, which are tried again at the end. New ones
	// go to its directory.
	Corpus catalogue.Own

	// Progress, if set, is called after each batch of walks, and with each finding once it is shrunk.
	Progress func(Report)
}

// Report is what exploring a target has shown.
type Report struct {
	Walks, Calls int
	Took         time.Duration
	Transitions  Reached
	Pairs        Reached
	Unreachable  []Unreachable
	Incomplete   map[string]int // why walks could not be carried out to their end, without amounts, and how many
	Avoided      []Avoided
	Findings     []Finding
	Shrinking    bool // a failing walk is being shrunk right now
	Interrupted  bool
	Seed         int64
	Corpus       catalogue.Own      // of earlier findings
	Run          *verdict.Run       // of the findings and of the corpus; nil for none
	New          []catalogue.Source // findings that count and that the corpus does not have yet
}

// Reached counts what was reached of what can be reached.
type Reached struct{ Reached, Of int }

// Unreachable is a transition that the target does not offer, or that needs controls that it lacks.
type Unreachable struct {
	Transition model.Transition
	Missing    []string // controls
	Outside    string   // why it does not apply to the target; empty if it does
}

// Avoided is a move that walks do without, because the gateway never does what it needs. The specification leaves open
// whether it does.
type Avoided struct {
	Move  *model.Move
	Walks int // that ended at it
}

// Finding is a shortest walk that the gateway fails.
type Finding struct {
	Walk   *model.Walk
	Result verdict.Scenario // of the walk; once it is settled, of all attempts
	Slow   bool             // it failed because it did not wait long enough, and never again: it is none
	// Unproven is a walk that failed once and then could not be tested.
	Unproven bool
	// Suspect is a walk that got no response when the gateway stopped responding.
	Suspect bool
	kind    kind
}

// reportViolations has violations of the wire contract reported, too, whichever walk shows them.
func reportViolations(options *run.Options) error {
	all, err := run.Suite(catalogue.Own{})
	if err != nil {
		return err
	}
	for rule := range all.Rules() {
		options.Elsewhere = append(options.Elsewhere, rule.Name)
	}
	return nil
}
