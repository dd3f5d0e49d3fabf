package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/explore"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/shell"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/untrusted"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

type exploreCmd struct {
	targetFlags

	For         time.Duration `default:"60s" placeholder:"DURATION" help:"Start no round of 64 walks after this time; shortening and repeating findings come on top."`
	Walks       int           `placeholder:"N" help:"Start no more walks than this (default: no limit)."`
	FailFast    bool          `name:"fail-fast" help:"Stop at the first finding."`
	Seed        int64         `placeholder:"N" help:"Draw the walks from this seed (default: random, printed)."`
	Corpus      string        `default:"found" placeholder:"DIR" help:"Write findings to this directory; re-run those already in it."`
	Report      string        `default:"explore-report" type:"path" placeholder:"DIR" help:"Write the report of the findings to this directory."`
	Concurrency int           `default:"16" placeholder:"N" help:"Run this many walks at once."`
	Sink        string        `placeholder:"HOST:PORT" help:"Receive webhooks at this address (default: 127.0.0.1, free port)."`
}

func (*exploreCmd) Help() string {
	return `Sends random sequences of requests and events to the gateway, and compares its responses, balances, lists and webhooks with a model of the specification. Shortens each sequence that fails, and writes it as a feature that certify --features runs.

Ctrl-C ends the run and keeps the findings.

Exit status: 0 no findings, 1 findings, 2 could not run or interrupted, 3 no findings, but missing controls left parts unexplored, or what failed could not be tested again.

Examples:
  pixcert explore
  pixcert explore pixcert.yaml --for 10m
  pixcert explore --url http://127.0.0.1:8080 --control-url http://127.0.0.1:8081 --walks 500
  pixcert explore pixcert.yaml --seed 4711 --corpus regressions`
}

func (c *exploreCmd) Run(ctx context.Context, to *console, status *int) error {
	relaxGC()
	c.useStandardProfile(to)
	if err := c.valid(); err != nil {
		return err
	}
	corpus, err := readCorpus(c.Corpus)
	if err != nil {
		return fmt.Errorf("--corpus %s: %w", c.Corpus, err)
	}
	secrets := &exchange.Redactor{}
	certify := certifyCmd{targetFlags: c.targetFlags, Sink: c.Sink, keepLog: func([]byte) error { return nil }}
	gateway, stop, err := certify.target(ctx, to, secrets)
	if err != nil {
		return err
	}
	stop = sync.OnceFunc(stop)
	defer stop()
	name := secrets.Text(exchange.Line(target.Presume(gateway).Profile.Name))
	fmt.Fprintf(to.out, "Exploring %s\n", name)
	progress := exploreProgress{w: to.out, terminal: displayOf(to.out).Terminal}
	options := run.Options{
		Target: gateway, Secrets: secrets, Concurrency: c.Concurrency, Version: version(),
		Arguments: append(certify.arguments(), "--report", c.Report+"-rerun"),
	}
	options.Directory, _ = os.Getwd() // unknown, paths in the report stay as they are
	found, err := explore.Explore(ctx, explore.Options{
		Run: options, Seed: c.Seed, For: c.For, Walks: c.Walks, FirstFinding: c.FailFast, Corpus: corpus, Progress: progress.show,
	})
	progress.clear()
	if err != nil {
		showSuspects(to.err, found)
		return errors.Join(err, writeFindings(found.Corpus.Directory, found.Unsettled()))
	}
	if found.Interrupted {
		fmt.Fprintln(to.err, "pixcert: interrupted; the findings so far are kept")
	}
	if err := c.write(found); err != nil {
		return err
	}
	c.show(to.out, found, certify.arguments())
	*status = exploreStatus(found)
	return nil
}

// showSuspects names what was going on when the gateway stopped responding.
func showSuspects(w io.Writer, found explore.Report) {
	for _, f := range found.Findings {
		if f.Suspect {
			fmt.Fprintf(w, "pixcert: %s: the gateway may have stopped responding because of this sequence\n", filepath.Join(found.Corpus.Directory, f.File()))
		}
	}
}

func exploreStatus(r explore.Report) int {
	switch {
	case r.Interrupted || r.Walks == 0 || r.Run != nil && r.Run.Ended != nil:
		return exitNotRun
	case r.Run != nil && r.Run.Outcome().ExitStatus() == 1:
		return 1
	case slices.ContainsFunc(r.Findings, unproven), slices.ContainsFunc(r.Unreachable, func(u explore.Unreachable) bool { return u.Outside == "" }):
		return verdict.Incomplete.ExitStatus()
	}
	return 0
}

func unproven(f explore.Finding) bool { return f.Unproven }

func (c *exploreCmd) valid() error {
	switch {
	case c.Concurrency < 1:
		return fmt.Errorf("--concurrency: expected at least 1, got %d", c.Concurrency)
	case c.Seed < 0:
		return fmt.Errorf("--seed: expected at least 1, got %d; omit it for a random seed", c.Seed)
	case c.Walks < 0:
		return fmt.Errorf("--walks: expected at least 1, got %d; omit it for no limit", c.Walks)
	case c.For <= 0:
		return fmt.Errorf("--for: expected a duration above zero, such as 10m, got %v", c.For)
	case c.Corpus == "":
		return empty("--corpus")
	}
	return c.targetFlags.valid()
}

// Bounds of a corpus, far above what exploring finds.
const (
	mostFindings    = 1_000
	mostFindingsSum = 8 << 20 // bytes
)

// readCorpus reads the findings of earlier runs; none if there is no such directory yet. Another machine may have
// found them, so that links are refused: what they link to would become part of reports.
func readCorpus(dir string) (catalogue.Own, error) {
	none := catalogue.Own{Directory: dir}
	earlier, err := filepath.Glob(filepath.Join(dir, "*.feature"))
	if err != nil || len(earlier) == 0 {
		return none, err
	}
	if len(earlier) > mostFindings {
		return none, fmt.Errorf("expected at most %d files, got %d; remove some", mostFindings, len(earlier))
	}
	left := int64(mostFindingsSum)
	for _, path := range earlier {
		content, err := untrusted.ReadFile(dir, filepath.Base(path), left)
		if err != nil {
			return none, err
		}
		left -= int64(len(content))
	}
	own, err := catalogue.ReadOwn(dir)
	if err == nil {
		_, err = run.Suite(own)
	}
	return own, err
}

// write writes new findings into the corpus, and the report of the last run of all. Without findings there
// is none, and that of an earlier exploration is removed.
func (c *exploreCmd) write(found explore.Report) error {
	if found.Run == nil || len(found.Run.Rules) == 0 {
		return report.Remove(c.Report)
	}
	if err := writeFindings(c.Corpus, found.New); err != nil {
		return err
	}
	if err := report.Write(c.Report, found.Run); err != nil {
		return err
	}
	remember(c.Report)
	return nil
}

func writeFindings(dir string, found []catalogue.Source) error {
	if len(found) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var problems []error
	for _, source := range found {
		problems = append(problems, root.WriteFile(filepath.Base(source.File), []byte(source.Text), 0o644))
	}
	return errors.Join(problems...)
}

// show prints what was found.
func (c *exploreCmd) show(w io.Writer, found explore.Report, arguments []string) {
	fmt.Fprintf(w, "%s and %s in %s, seed %d\n", wording.Count(found.Walks, "walk"), wording.Count(found.Calls, "request"), wording.Duration(found.Took), found.Seed)
	fmt.Fprintf(w, "%d of %d transitions and %d of %d pairs of transitions reached\n", found.Transitions.Reached, found.Transitions.Of, found.Pairs.Reached, found.Pairs.Of)
	showUnreachable(w, found.Unreachable)
	for _, why := range slices.Sorted(maps.Keys(found.Incomplete)) {
		fmt.Fprintf(w, "%s could not be completed: %s\n", wording.Count(found.Incomplete[why], "walk"), exchange.Line(why))
	}
	showAvoided(w, found.Avoided)
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
			fmt.Fprintf(w, "\n%s took more than %v while exploring, but passes with the deadlines of the profile: %s\n", f.Name(), explore.Patience, why)
		case f.Unproven:
			fmt.Fprintf(w, "\n%s failed while exploring, and could not be tested again: %s\n  kept in %s\n", f.Name(), why, filepath.Join(c.Corpus, f.File()))
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
	fmt.Fprintf(w, "  report     %s\n", filepath.Join(c.Report, report.HTMLFile))
	fmt.Fprintf(w, "  to re-run  %s\n", shell.Command(append(append([]string{"pixcert", "certify"}, arguments...), "--features", c.Corpus, "--tags", catalogue.FoundTag)...))
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
func showUnreachable(w io.Writer, all []explore.Unreachable) {
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

// showAvoided names the moves that walks learned to do without.
func showAvoided(w io.Writer, all []explore.Avoided) {
	for _, a := range all {
		fmt.Fprintf(w, "Not tried again: %s (%s ended there; the reasons are above)\n", strings.TrimSpace(cmp.Or(a.Move.Noun, "account")+": "+a.Move.Event), wording.Count(a.Walks, "walk"))
	}
}

// exploreProgress prints how far exploring has come: a line that is redrawn or, in a log, one every ten
// seconds.
type exploreProgress struct {
	w        io.Writer
	terminal bool
	last     time.Duration
}

func (p *exploreProgress) show(r explore.Report) {
	const every = 10 * time.Second
	if !p.terminal && r.Took-p.last < every {
		return
	}
	p.last = r.Took
	state := fmt.Sprintf("%s  %s  %d/%d transitions  %d/%d pairs  %s", r.Took.Round(time.Second), wording.Count(r.Walks, "walk"),
		r.Transitions.Reached, r.Transitions.Of, r.Pairs.Reached, r.Pairs.Of, wording.Count(len(r.Findings), "finding"))
	if r.Shrinking {
		state += "  shortening a failure"
	}
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K"+state)
		return
	}
	fmt.Fprintln(p.w, state)
}

func (p *exploreProgress) clear() {
	if p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
