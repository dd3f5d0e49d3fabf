package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

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
	gatewayFlags
	featuresFlag
	languageFlag

	Report   string `default:"report" type:"path" placeholder:"DIR" help:"Read the scenario from this report."`
	Attempts int    `default:"4" placeholder:"N" help:"Require this many attempts to pass."`
	HAR      string `name:"har" type:"path" placeholder:"DIR" help:"Write target.har and reference.har to this directory."`
	JSON     bool   `name:"json" help:"Print JSON."`
}

func (*replayCmd) Help() string {
	return `Re-runs a scenario of the last report against its target and the bundled reference. Prints the step that fails and both responses, and marks the difference that explains the failure with >. If the scenario passes, it runs again, because faults may be intermittent.

The default target and your own rules (--features) are those of the report, if this machine wrote it. For a report from somebody else, name the target: a profile, pixcert.yaml in the current directory, or --url.

Exit status: 0 the target passes now; 1 it still fails; 2 could not run; 3 the scenario could not be tested.

Examples:
  pixcert replay cash-out.covers-fee/above-the-balance-next-to-every-choice
  pixcert replay cash-out.covers-fee/above-the-balance-next-to-every-choice pixcert.yaml --har hars`
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
	if err := c.selectTarget(to, past, scenario); err != nil {
		return err
	}
	own, err := c.own()
	if err != nil {
		return err
	}
	what := rerunOptions(past.Run, scenario, own)
	onTarget, attempts, err := c.runOnTarget(ctx, to, what, scenario)
	if err != nil {
		return fmt.Errorf("on the target: %w", err)
	}
	onReference, err := runOnReference(ctx, what)
	if err != nil {
		return fmt.Errorf("on the reference: %w", err)
	}
	result, err := replay.Compare(scenario, past.Title(scenario.Rule), onTarget, onReference)
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
		return wording.JSON(to.data, result)
	}
	if title, known := featuresIn(c.Language).Titles[scenario.Rule]; known {
		result.Title = title
	}
	_, err = io.WriteString(to.out, result.Text(c.Language))
	return err
}

// selectTarget selects the target of the report, unless the flags select one.
func (c *replayCmd) selectTarget(to *console, past pastReport, scenario verdict.Scenario) error {
	if err := c.gatewayFlags.takeFrom(past, &c.featuresFlag, "replay", scenario.Slug()); err != nil {
		return err
	}
	c.useStandardProfile(to)
	if c.Attempts < 1 {
		return fmt.Errorf("--attempts: expected at least 1, got %d", c.Attempts)
	}
	return c.valid()
}

// runOnTarget repeats the scenario until it does not pass. It returns the last run and how many
// there were.
func (c *replayCmd) runOnTarget(ctx context.Context, to *console, what run.Options, scenario verdict.Scenario) (*verdict.Run, int, error) {
	what.Secrets = &exchange.Redactor{}
	gateway, stop, err := c.open(ctx, to, what.Secrets, func(log []byte) error {
		return report.WriteLog(c.Report, filepath.Join("replay", report.LogFile), log) // apart from that of the report
	})
	if err != nil {
		return nil, 0, err
	}
	defer stop()
	for attempt := 1; ; attempt++ {
		result, err := rerun(ctx, gateway, what)
		if err != nil {
			return nil, 0, err
		}
		of, err := replay.ResultOf(result, scenario)
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
