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
	"github.com/pixcert/pixcert/steps/shell"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// Show prints what was found. page is the file of the report, and rerun the command that runs the findings again.
func (found *Report) Show(w io.Writer, page string, rerun []string) {
	fmt.Fprintf(w, "%s and %s in %s, seed %d\n", wording.Count(found.Walks, "walk"), wording.Count(found.Calls, "request"), wording.Duration(found.Took), found.Seed)
	fmt.Fprintf(w, "%d of %d transitions and %d of %d pairs of transitions reached\n", found.Transitions.Reached, found.Transitions.Of, found.Pairs.Reached, found.Pairs.Of)
	showUnreachable(w, found.Unreachable)
	for _, why := range slices.Sorted(maps.Keys(found.Incomplete)) {
		fmt.Fprintf(w, "%s could not be completed: %s\n", wording.Count(found.Incomplete[why], "walk"), exchange.Line(why))
	}
	found.ShowAvoided(w)
	failing := 0
	if found.Run != nil {
		for _, causes := range byFinding(found.Run.Causes()) {
			failing++
			showFinding(w, causes, slices.Concat(found.Corpus.Sources, found.New))
		}
	}
	for i := range found.Findings {
		f := found.Findings[i]
		if f.Result.Finding == nil {
			continue
		}
		why := fmt.Sprintf("expected %s, got %s", exchange.Line(f.Result.Finding.Expected), exchange.Line(f.Result.Finding.Got))
		switch {
		case f.Slow:
			fmt.Fprintf(w, "\n%s took more than %v while exploring, but passes with the deadlines of the profile: %s\n", f.Name(), Patience, why)
		case f.Unproven:
			fmt.Fprintf(w, "\n%s failed while exploring, and could not be tested again: %s\n  kept in %s\n", f.Name(), why, filepath.Join(found.Corpus.Directory, f.File()))
		}
	}
	switch {
	case failing > 0:
	case found.Walks == 0:
		fmt.Fprintln(w, "\nNothing was explored: no walk ended")
		return
	case slices.ContainsFunc(found.Findings, unproven):
		fmt.Fprintln(w, "\n? What failed could not be tested again")
		return
	default:
		fmt.Fprintln(w, "\n✓ No findings")
		return
	}
	fmt.Fprintf(w, "\n✗ %s\n", wording.Count(failing, "finding"))
	fmt.Fprintf(w, "  report     %s\n", page)
	fmt.Fprintf(w, "  to re-run  %s\n", shell.Command(rerun...))
}

// byFinding are causes by the scenario that shows them: one may break a rule of its own, and one of the contract.
func byFinding(causes []verdict.Cause) (all [][]verdict.Cause) {
	for _, cause := range causes {
		i := slices.IndexFunc(all, func(of []verdict.Cause) bool { return foundBy(of[0]) == foundBy(cause) })
		if i < 0 {
			i, all = len(all), append(all, nil)
		}
		all[i] = append(all[i], cause)
	}
	return all
}

// foundBy is the id of the scenario that shows a cause: a violation of the contract is shown by another one.
func foundBy(c verdict.Cause) string { return cmp.Or(c.Scenario.Via, c.Scenario.ID()) }

// showFinding prints a finding with its scenario, as the corpus has it.
func showFinding(w io.Writer, causes []verdict.Cause, features []catalogue.Source) {
	rule, name, _ := strings.Cut(foundBy(causes[0]), "/")
	source := slices.IndexFunc(features, func(f catalogue.Source) bool { return strings.Contains(f.Text, "@"+rule) })
	fmt.Fprintf(w, "\n✗ %s\n", exchange.Line(name))
	if source >= 0 {
		fmt.Fprintf(w, "  %s\n", features[source].File)
	}
	for _, cause := range causes {
		fmt.Fprintf(w, "  failed %s\n", cmp.Or(cause.Scenario.Frequency(), "once"))
		if f := cause.Scenario.Finding; f != nil {
			fmt.Fprintf(w, "  expected %s\n  got      %s\n", exchange.Line(f.Expected), exchange.Line(f.Got))
		}
	}
	if source >= 0 {
		_, scenario, _ := strings.Cut(features[source].Text, "\n    Scenario: ")
		showScenario(w, scenario, features[source].File)
	}
}

// mostPrinted is how many lines of a scenario are printed. One that an interrupt left unshortened has hundreds.
const mostPrinted = 60

func showScenario(w io.Writer, scenario, file string) {
	lines := slices.Collect(strings.Lines(scenario))
	fmt.Fprintf(w, "\n    Scenario: %s", strings.Join(lines[:min(len(lines), mostPrinted)], ""))
	if more := len(lines) - mostPrinted; more > 0 {
		fmt.Fprintf(w, "      … %s in %s\n", wording.Count(more, "more line"), file)
	}
}

// showUnreachable counts the transitions that could not be reached by what they lack.
func showUnreachable(w io.Writer, all []Unreachable) {
	by := map[string]int{}
	for _, u := range all {
		why := "not reachable, missing: " + strings.Join(u.Missing, ", ")
		if u.Outside != "" {
			why = "not applicable: " + u.Outside
		}
		by[why]++
	}
	for _, why := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(w, "%s %s\n", wording.Count(by[why], "transition"), why)
	}
}

// ShowAvoided names the moves that walks learned to do without.
func (found *Report) ShowAvoided(w io.Writer) {
	for _, a := range found.Avoided {
		fmt.Fprintf(w, "Not tried again: %s (%s ended there; the reasons are above)\n", strings.TrimSpace(cmp.Or(a.Move.Noun, "account")+": "+a.Move.Event), wording.Count(a.Walks, "walk"))
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

func unproven(f Finding) bool { return f.Unproven }

// Progress prints how far exploring has come: a line that is redrawn or, in a log, one every ten
// seconds.
type Progress struct {
	W        io.Writer
	Terminal bool
	last     time.Duration
}

// Show prints the state, if it is time.
func (p *Progress) Show(r Report) {
	const every = 10 * time.Second
	if !p.Terminal && r.Took-p.last < every {
		return
	}
	p.last = r.Took
	state := fmt.Sprintf("%s  %s  %d/%d transitions  %d/%d pairs  %s", r.Took.Round(time.Second), wording.Count(r.Walks, "walk"),
		r.Transitions.Reached, r.Transitions.Of, r.Pairs.Reached, r.Pairs.Of, wording.Count(len(r.Findings), "finding"))
	if r.Shrinking {
		state += "  shortening a failure"
	}
	if p.Terminal {
		fmt.Fprint(p.W, "\r\x1b[K"+state)
		return
	}
	fmt.Fprintln(p.W, state)
}

// Clear removes the line.
func (p *Progress) Clear() {
	if p.Terminal {
		fmt.Fprint(p.W, "\r\x1b[K")
	}
}
