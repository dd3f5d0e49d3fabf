package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/replay"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

type replayCmd struct {
	ID string `arg:"" help:"Re-run the scenario with this id, or unique prefix."`
	targetFlags
	featuresFlag

	Report   string `default:"report" type:"path" placeholder:"DIR" help:"Read the scenario from this report."`
	Attempts int    `default:"4" placeholder:"N" help:"Require this many attempts to pass."`
	Sink     string `placeholder:"HOST:PORT" help:"Receive webhooks at this address, as in certify."`
	HAR      string `name:"har" type:"path" placeholder:"DIR" help:"Write target.har and reference.har to this directory."`
	JSON     bool   `name:"json" help:"Print JSON."`
}

func (*replayCmd) Help() string {
	return `Re-runs a scenario of the last report against its target and the bundled reference. Prints the step that fails and both responses, and marks the difference that explains the failure with >. If the scenario passes, it runs again, because faults may be intermittent.

The default target and your own rules (--features) are those of the report, if this machine wrote it. For a report from somebody else, name the target: a profile, pixcert.yaml in the current directory, or --url.

Exit status: 0 the target passes now; 1 it still fails; 2 could not run; 3 the scenario could not be tested.

Examples:
  pixcert replay cash-out.covers-fee/one-centavo-short
  pixcert replay cash-out.covers-fee/one-centavo-short pixcert.yaml --har hars`
}

// Exit statuses of replay, besides exitNotRun.
const (
	exitPassesNow  = 0
	exitFailsAgain = 1
	exitNotTested  = 3
)

func (c *replayCmd) Run(ctx context.Context, to *console, status *int) error {
	past, err := readPast(c.Report)
	if err != nil {
		return err
	}
	scenario, err := past.Find(c.ID)
	if err != nil {
		return err
	}
	again, err := c.certify(to, past, scenario)
	if err != nil {
		return err
	}
	own, err := c.own()
	if err != nil {
		return err
	}
	what := rerunOptions(past.Run, scenario, own)
	onTarget, attempts, err := c.runOnTarget(ctx, to, again, what, scenario)
	if err != nil {
		return fmt.Errorf("on the target: %w", err)
	}
	onReference, err := runOnReference(ctx, what)
	if err != nil {
		return fmt.Errorf("on the reference: %w", err)
	}
	result, err := compared(scenario, past.Title(scenario.Rule), onTarget, onReference)
	if err != nil {
		return err
	}
	result.Attempts = attempts
	if c.HAR != "" {
		if err := c.writeArchives(cmp.Or(scenario.Via, scenario.ID()), onTarget, onReference); err != nil {
			return err
		}
	}
	switch result.Target.Verdict {
	case verdict.Pass, verdict.Warning:
		*status = exitPassesNow
	case verdict.Fail:
		*status = exitFailsAgain
	default:
		*status = exitNotTested
	}
	if c.JSON {
		return wording.JSON(to.out, result)
	}
	_, err = io.WriteString(to.out, result.Text())
	return err
}

// certify returns the command that certifies the target of the report, or the one that the user
// names. It keeps the target's log apart from the report's.
func (c *replayCmd) certify(to *console, past pastReport, scenario verdict.Scenario) (*certifyCmd, error) {
	again := &certifyCmd{targetFlags: c.targetFlags, Concurrency: 1}
	sink, err := again.targetFlags.takeFrom(past, &c.featuresFlag, "replay", scenario.Slug())
	if err != nil {
		return nil, err
	}
	again.useStandardProfile(to)
	again.Sink = cmp.Or(c.Sink, sink)
	again.keepLog = func(log []byte) error {
		return report.WriteLog(c.Report, filepath.Join("replay", report.LogFile), log)
	}
	if c.Attempts < 1 {
		return nil, fmt.Errorf("--attempts: expected at least 1, got %d", c.Attempts)
	}
	return again, again.valid()
}

// runOnTarget repeats the scenario until it does not pass. It returns the last run and how many
// there were.
func (c *replayCmd) runOnTarget(ctx context.Context, to *console, again *certifyCmd, what run.Options, scenario verdict.Scenario) (*verdict.Run, int, error) {
	what.Secrets = &exchange.Redactor{}
	gateway, stop, err := again.target(ctx, to, what.Secrets)
	if err != nil {
		return nil, 0, err
	}
	defer stop()
	for attempt := 1; ; attempt++ {
		result, err := rerun(ctx, gateway, what)
		if err != nil {
			return nil, 0, err
		}
		of, err := resultOf(result, scenario)
		if err != nil || attempt == c.Attempts || of.Verdict != verdict.Pass && of.Verdict != verdict.Warning {
			return result, attempt, err
		}
	}
}

func runOnReference(ctx context.Context, what run.Options) (*verdict.Run, error) {
	gateway, stop, err := bundled(ctx, reference.Config{})
	if err != nil {
		return nil, err
	}
	defer stop()
	return rerun(ctx, gateway, what)
}

// rerunOptions are those of a run of one scenario of a report, except for the target.
func rerunOptions(past *verdict.Run, scenario verdict.Scenario, own catalogue.Own) run.Options {
	return run.Options{
		Scenarios: past.Rerun([]verdict.Scenario{scenario}), Own: own, Whole: true, Once: true,
		Seed: past.Seed, Concurrency: 1, Version: version(), Strict: past.Strict,
	}
}

func rerun(ctx context.Context, gateway target.Profile, what run.Options) (*verdict.Run, error) {
	what.Target = gateway
	result, err := run.Certify(ctx, what)
	if err == nil && result.Ended != nil {
		return nil, errors.New(result.Ended.Reason)
	}
	return result, err
}

func compared(past verdict.Scenario, title string, onTarget, onReference *verdict.Run) (replay.Result, error) {
	a, err := resultOf(onTarget, past)
	if err != nil {
		return replay.Result{}, err
	}
	b, err := resultOf(onReference, past)
	if err != nil {
		return replay.Result{}, err
	}
	r := replay.Of(a, b)
	r.ID, r.Title, r.Name = past.Slug(), title, past.Name
	r.Target.Name, r.Reference.Name = onTarget.Target, onReference.Target
	return r, nil
}

// resultOf returns the result of a scenario of the report. A violation of the wire contract is
// found by another scenario: to its rule, that one ends with the step that violates it.
func resultOf(run *verdict.Run, past verdict.Scenario) (verdict.Scenario, error) {
	id := cmp.Or(past.Via, past.ID())
	i := slices.IndexFunc(run.Scenarios, func(s verdict.Scenario) bool { return s.ID() == id })
	if i < 0 {
		return verdict.Scenario{}, fmt.Errorf("scenario %s did not run", id)
	}
	s := run.Scenarios[i]
	if past.Via == "" {
		return s, nil
	}
	for _, violation := range run.Scenarios {
		if violation.Rule != past.Rule || violation.Name != past.Name {
			continue
		}
		s.Verdict, s.Finding = violation.Verdict, violation.Finding
		if e := violation.Subject(); e != nil {
			s.Finding = violation.Finding.At(s.IndexOf(*e))
			return endingAt(s), nil
		}
		return s, nil
	}
	if s.Verdict == verdict.Fail {
		s.Verdict, s.Finding = verdict.Pass, nil // the failure is another rule's: this violation did not occur again
	}
	return s, nil
}

// endingAt returns the scenario as if it ended with the step of the exchange that its finding is
// about.
func endingAt(s verdict.Scenario) verdict.Scenario {
	if s.Finding.Exchange < 0 {
		return s
	}
	last := s.Exchanges[s.Finding.Exchange].Step
	if last < len(s.Steps) {
		s.Steps = slices.Clone(s.Steps[:last+1])
		s.Steps[last].Verdict = s.Verdict
	}
	return s
}

// writeArchives writes the exchanges of the scenario with that id, one file for each gateway.
func (c *replayCmd) writeArchives(id string, onTarget, onReference *verdict.Run) error {
	err := errors.Join(
		report.WriteArchive(filepath.Join(c.HAR, "target.har"), onTarget, id),
		report.WriteArchive(filepath.Join(c.HAR, "reference.har"), onReference, id),
	)
	if err != nil {
		return fmt.Errorf("%w; choose another directory with --har", err)
	}
	return nil
}
