package explore

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/model"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
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

// Show prints what was explored, and what failed then and does not count now.
func (found *Report) Show(w io.Writer, in translation.Language) {
	fmt.Fprintln(w, in.Sayf("%s and %s in %s, seed %d", in.SayCount(found.Walks, "walk"), in.SayCount(found.Calls, "request"), wording.Duration(found.Took), found.Seed))
	fmt.Fprintln(w, in.Sayf("%d of %d transitions and %d of %d pairs of transitions reached", found.Transitions.Reached, found.Transitions.Of, found.Pairs.Reached, found.Pairs.Of))
	showUnreachable(w, found.Unreachable, in)
	for _, why := range slices.Sorted(maps.Keys(found.Incomplete)) {
		fmt.Fprintln(w, in.SayN(found.Incomplete[why], "%d walk could not be completed: %s", "%d walks could not be completed: %s", found.Incomplete[why], exchange.Line(in.Recorded(why))))
	}
	found.ShowAvoided(w, in)
	for _, f := range found.Findings {
		if f.Result.Finding == nil {
			continue
		}
		why := in.Sayf("expected %s, got %s", exchange.Line(in.Recorded(f.Result.Finding.Expected)), exchange.Line(in.Recorded(f.Result.Finding.Got)))
		switch {
		case f.Slow:
			fmt.Fprintf(w, "\n%s\n", in.Sayf("%s took more than %v while exploring, but passes with the deadlines of the profile: %s", f.Name(), Patience, why))
		case f.Unproven:
			fmt.Fprintf(w, "\n%s\n  %s\n", in.Sayf("%s failed while exploring, and could not be tested again: %s", f.Name(), why), in.Sayf("kept in %s", filepath.Join(found.Corpus.Directory, f.File())))
		}
	}
}

// Results is the run of the findings as certify shows it, without what only a part of a run has; nil if there are none,
// or if all of them pass.
func (found *Report) Results() *verdict.Run {
	if found.Run == nil || found.Run.Ended == nil && (len(found.Run.Rules) == 0 || found.Run.Outcome().ExitStatus() == 0) {
		return nil
	}
	run := *found.Run
	run.Selection, run.Explored = "", nil
	return &run
}

// Conclusion is the last line about an exploration without results.
func (found *Report) Conclusion(in translation.Language) string {
	switch {
	case found.Walks == 0:
		return "? " + in.Say("Nothing was explored: no walk ended")
	case found.isUnproven():
		return "? " + in.Say("What failed could not be tested again")
	case found.lacks():
		return "? " + in.Say("No findings, but missing controls left parts unexplored")
	}
	return "✓ " + in.Say("No findings")
}

// IsIncomplete reports whether more has to be tested: something failed and could not be tested again, or controls are missing.
func (found *Report) IsIncomplete() bool { return found.isUnproven() || found.lacks() }

func (found *Report) isUnproven() bool {
	return slices.ContainsFunc(found.Findings, func(f Finding) bool { return f.Unproven })
}

// lacks reports whether controls are missing that would let more be explored.
func (found *Report) lacks() bool {
	return slices.ContainsFunc(found.Unreachable, func(u Unreachable) bool { return u.Outside == "" })
}

// showUnreachable counts the transitions that could not be reached by what they lack.
func showUnreachable(w io.Writer, all []Unreachable, in translation.Language) {
	by := map[string]int{}
	for _, u := range all {
		why := in.Sayf("not reachable, missing: %s", strings.Join(u.Missing, ", "))
		if u.Outside != "" {
			why = in.Sayf("not applicable: %s", in.Recorded(u.Outside))
		}
		by[why]++
	}
	for _, why := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(w, "%s %s\n", in.SayCount(by[why], "transition"), why)
	}
}

// ShowAvoided names the moves that walks learned to do without.
func (found *Report) ShowAvoided(w io.Writer, in translation.Language) {
	for _, a := range found.Avoided {
		fmt.Fprintln(w, in.SayN(a.Walks, "Not tried again: %s (%d walk ended there; the reasons are above)", "Not tried again: %s (%d walks ended there; the reasons are above)", strings.TrimSpace(cmp.Or(a.Move.Noun, "account")+": "+a.Move.Event), a.Walks))
	}
}

// ShowSuspects names what was going on when the gateway stopped responding.
func (found *Report) ShowSuspects(w io.Writer) {
	for _, f := range found.Findings {
		if f.Suspect {
			fmt.Fprintf(w, "pixcert: %s: the gateway may have stopped responding because of this sequence\n", filepath.Join(found.Corpus.Directory, f.File()))
		}
	}
}

// Progress is how far exploring has come, in a language.
type Progress struct {
	Report
	In translation.Language
}

func (p Progress) String() string {
	state := p.In.Sayf("%s  %s  %d/%d transitions  %d/%d pairs  %s", p.Took.Round(time.Second), p.In.SayCount(p.Walks, "walk"),
		p.Transitions.Reached, p.Transitions.Of, p.Pairs.Reached, p.Pairs.Of, p.In.SayCount(len(p.Findings), "finding"))
	if p.Shrinking {
		state += "  " + p.In.Say("shortening a failure")
	}
	return state
}
