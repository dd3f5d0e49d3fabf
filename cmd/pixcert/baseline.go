package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/baseline"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/untrusted"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

type baselineCmd struct {
	From   []string `arg:"" name:"report" optional:"" default:"report" type:"path" help:"Read these reports."`
	Update string   `placeholder:"FILE" help:"Add to the entries of this baseline what their failures are."`
}

func (*baselineCmd) Help() string {
	return `Prints one entry per rule and cause. Fill in reason, owner and expiry date, then pass the file to certify --baseline. If the run had a baseline, the entries that it decides are kept; a note names the others. What fails in one of several reports and passes in another is marked as intermittent. What could not be tested is listed, too, so that a gateway without all controls gets a green build until more cannot be tested.

Entries that an earlier version wrote are recognized by their texts, which may change with a new version. --update adds to each what the reports say of its failure (kind, and what belongs to it), and keeps everything else in the file, comments too. It adds no entries and removes none.

Examples:
  pixcert baseline report > known.yaml
  pixcert baseline report-1 report-2 report-3 > known.yaml
  pixcert certify pixcert.yaml --baseline known.yaml
  pixcert baseline --update known.yaml report`
}

func (c *baselineCmd) Run(to *console) error {
	var runs []*verdict.Run
	for _, from := range c.From {
		past, err := report.Read(from)
		if err != nil {
			return err
		}
		runs = append(runs, past)
		if c.Update != "" {
			continue
		}
		if b := past.Baseline; b != nil && len(b.Untested) > 0 {
			fmt.Fprintf(to.err, "pixcert: note: %s does not decide %s of %s, which the list therefore lacks: %s; keep them from that file, or certify everything\n",
				from, wording.Count(len(b.Untested), "known failure"), exchange.Line(b.File), exchange.Line(wording.List(strings.Join(b.Untested, ", "), 300)))
		}
	}
	if c.Update != "" {
		return update(to, c.Update, runs)
	}
	return baseline.Write(to.data, runs...)
}

// update writes a baseline of an earlier version anew, with the kinds of its failures.
func update(to *console, file string, runs []*verdict.Run) error {
	content, err := readBaseline(file)
	if err != nil {
		return fmt.Errorf("--update: cannot read the known failures: %w; correct the path, or print the file with pixcert baseline", err)
	}
	updated, err := baseline.Update(file, content, runs...)
	if err != nil {
		return err
	}
	if updated.Added > 0 {
		if err := os.WriteFile(file, updated.Content, 0o644); err != nil {
			return fmt.Errorf("--update: %w", err)
		}
	}
	fmt.Fprintf(to.out, "%s: added the kind of %s\n", exchange.Line(file), wording.Count(updated.Added, "failure"))
	for _, left := range []struct {
		entries []int
		why     string
	}{
		{updated.Unseen, "the failure does not occur in the reports; pass a report in which it does"},
		{updated.Unclear, "several kinds of failures have these texts; print the file anew without --update"},
	} {
		for _, line := range left.entries {
			fmt.Fprintf(to.err, "pixcert: note: %s:%d: left without a kind: %s\n", exchange.Line(file), line, left.why)
		}
	}
	return nil
}

// baselineFlag names the known failures of a gateway.
type baselineFlag struct {
	Baseline string `placeholder:"FILE" help:"Accept the known failures, and what cannot be tested, in this file."`
}

// known reads the known failures; none if the flag is not set.
// The file may also name scenarios of the user's own features, or of the reports.
func (f baselineFlag) known(own catalogue.Own, reports ...verdict.Report) (knownFailures, error) {
	if f.Baseline == "" {
		return knownFailures{}, nil
	}
	content, err := readBaseline(f.Baseline)
	if err != nil {
		return knownFailures{}, fmt.Errorf("--baseline: cannot read the known failures: %w; correct the path, or print the file with pixcert baseline", err)
	}
	list, malformed := baseline.Parse(f.Baseline, content)
	if list == nil {
		return knownFailures{}, malformed
	}
	all, err := run.Suite(own)
	if err != nil {
		return knownFailures{}, err
	}
	exists := map[string]map[string]bool{} // scenarios, by rule
	add := func(rule, scenario string) {
		if exists[rule] == nil {
			exists[rule] = map[string]bool{}
		}
		exists[rule][scenario] = true
	}
	for s := range all.Scenarios() {
		add(s.Rule.Name, s.Name)
	}
	for _, r := range reports {
		for _, s := range r.Run.Scenarios {
			add(s.Rule, s.Name)
		}
	}
	if err := errors.Join(malformed, list.Check(exists)); err != nil {
		return knownFailures{}, err
	}
	zone, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		return knownFailures{}, err
	}
	return knownFailures{list, time.Now().In(zone).Format(time.DateOnly)}, nil
}

// mostBaseline bounds a baseline, in bytes. One of a run in which everything fails has half of that.
const mostBaseline = 4 << 20

func readBaseline(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return untrusted.ReadAll(file, mostBaseline)
}

// knownFailures are those of a file, as of today. Its zero value knows none.
type knownFailures struct {
	list  *baseline.Baseline
	today string
}

// mark returns what marks a failure as known; nil if none is.
func (k knownFailures) mark() func(verdict.Scenario) verdict.Scenario {
	if k.list == nil {
		return nil
	}
	return func(s verdict.Scenario) verdict.Scenario { return k.list.Mark(s, k.today) }
}

func (k knownFailures) apply(result *verdict.Run) {
	if k.list != nil {
		k.list.Apply(result, k.today)
	}
}
