package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/replay"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// replayCmd is pixcert replay.
type replayCmd struct {
	ID string `arg:"" help:"Id of the scenario in the report, or a unique prefix."`
	targetFlags

	Report string `default:"report" type:"path" placeholder:"DIR" help:"Read scenario and target from this report."`
	Sink   string `placeholder:"HOST:PORT" help:"Local address that receives webhooks, as in certify."`
	HAR    string `name:"har" type:"path" placeholder:"DIR" help:"Write target.har and reference.har to this directory."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

func (*replayCmd) Help() string {
	return `Re-runs a scenario of the last report against its target and the bundled reference, and shows where the responses differ in meaning. Ids, times and the order of fields do not count as differences.

Exit status: 0 the target passes now, 1 it still fails, 2 could not run, 3 the scenario could not be tested.

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
	past, err := report.ReadPast(c.Report)
	if err != nil {
		return err
	}
	scenario, err := past.Find(c.ID)
	if err != nil {
		return err
	}
	original, err := c.originalRun(past)
	if err != nil {
		return err
	}
	ids := past.Rerun([]report.PastScenario{scenario})
	onTarget, err := runOnTarget(ctx, to, original, past, ids)
	if err != nil {
		return fmt.Errorf("on the target: %w", err)
	}
	onReference, err := runOnReference(ctx, past, ids)
	if err != nil {
		return fmt.Errorf("on the reference: %w", err)
	}
	result, err := compared(scenario, onTarget, onReference)
	if err != nil {
		return err
	}
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
		encoder := json.NewEncoder(to.out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(result)
	}
	_, err = io.WriteString(to.out, result.Text())
	return err
}

// originalRun returns the command that made the report, with the flags applied. It keeps the
// target's log apart from the report's.
func (c *replayCmd) originalRun(past report.Past) (*certifyCmd, error) {
	original := &certifyCmd{targetFlags: c.targetFlags}
	if !c.named() && c.ControlURL == nil {
		parser, err := kong.New(original, kong.Exit(func(int) {}))
		if err != nil {
			return nil, err
		}
		if _, err := parser.Parse(past.Arguments); err != nil {
			return nil, fmt.Errorf("this version does not understand the arguments %q of the report: select the target with a profile or --url", past.Arguments)
		}
		original.ControlToken = cmp.Or(c.ControlToken, original.ControlToken)
	}
	original.Sink = cmp.Or(c.Sink, original.Sink)
	original.Report = filepath.Join(c.Report, "replay")
	original.Concurrency = 1
	return original, original.valid()
}

func runOnTarget(ctx context.Context, to *console, original *certifyCmd, past report.Past, scenarios []string) (*verdict.Run, error) {
	secrets := &exchange.Redactor{}
	gateway, stop, err := original.target(ctx, to, secrets)
	if err != nil {
		return nil, err
	}
	defer stop()
	return rerun(ctx, gateway, past, scenarios, secrets)
}

func runOnReference(ctx context.Context, past report.Past, scenarios []string) (*verdict.Run, error) {
	gateway, stop, err := bundled(ctx, reference.Config{})
	if err != nil {
		return nil, err
	}
	defer stop()
	return rerun(ctx, gateway, past, scenarios, nil)
}

func rerun(ctx context.Context, gateway target.Profile, past report.Past, scenarios []string, secrets *exchange.Redactor) (*verdict.Run, error) {
	return run.Certify(ctx, run.Options{
		Target: gateway, Scenarios: scenarios, Whole: true, Secrets: secrets,
		Seed: past.Seed, Concurrency: 1, Version: version(),
	})
}

// compared compares the two runs of a scenario.
func compared(past report.PastScenario, onTarget, onReference *verdict.Run) (replay.Result, error) {
	id := cmp.Or(past.Via, past.ID())
	a, err := result(onTarget, past, id)
	if err != nil {
		return replay.Result{}, err
	}
	b, err := result(onReference, past, id)
	if err != nil {
		return replay.Result{}, err
	}
	r := replay.Of(a, b)
	r.ID, r.Title, r.Name = past.Slug, past.Rule.Title, past.Name
	r.Target.Name, r.Reference.Name = onTarget.Target, onReference.Target
	return r, nil
}

// result returns the result of the scenario with that id. If the report's scenario is a
// violation of the wire contract, which another scenario found, the verdict is about that
// violation.
func result(run *verdict.Run, past report.PastScenario, id string) (verdict.Scenario, error) {
	i := slices.IndexFunc(run.Scenarios, func(s verdict.Scenario) bool { return s.ID() == id })
	if i < 0 {
		return verdict.Scenario{}, fmt.Errorf("scenario %s did not run", id)
	}
	s := run.Scenarios[i]
	if past.Via == "" {
		return s, nil
	}
	for _, violation := range run.Scenarios {
		if violation.Rule != past.Rule.Name || violation.Name != past.Name {
			continue
		}
		s.Verdict, s.Finding = violation.Verdict, violation.Finding
		if f := s.Finding; f != nil && f.Exchange >= 0 && f.Exchange < len(violation.Exchanges) {
			s.Finding = violation.Finding.At(s.IndexOf(violation.Exchanges[f.Exchange]))
		}
		return s, nil
	}
	if s.Verdict == verdict.Fail {
		s.Verdict = verdict.Pass // the failure is another rule's: this violation did not occur again
	}
	return s, nil
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
