package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/har"
	"github.com/pixcert/pixcert/steps/replay"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Exit statuses of replay beside exitNotRun.
const (
	exitPassesNow  = 0
	exitFailsAgain = 1
	exitNotTested  = 3
)

// replayCmd: pixcert replay.
type replayCmd struct {
	ID string `arg:"" help:"The scenario as the report calls it, cash-out.covers-fee/one-cent-short, or a beginning that no other has."`
	targetFlags

	Report string `default:"report" type:"path" placeholder:"DIR" help:"Directory of the report that tells of the scenario and of the target."`
	Sink   string `placeholder:"HOST:PORT" help:"Where webhooks are received, as with certify."`
	HAR    string `name:"har" type:"path" placeholder:"DIR" help:"Write target.har and reference.har into that directory."`
	JSON   bool   `name:"json" help:"Print the comparison as JSON."`
}

// Help says what the status tells.
func (c *replayCmd) Help() string {
	return "Carries a scenario of the last report out again, against its target and against the bundled reference, and shows where their answers differ in meaning.\n\n" +
		"Exit status: 0 the target passes now, 1 it fails again, 2 the replay could not be made, 3 the scenario could not be tested."
}

func (c *replayCmd) Run(ctx context.Context, to *console, status *int) error {
	past, err := verdict.ReadPast(c.Report)
	if err != nil {
		return err
	}
	scenario, err := past.Find(c.ID)
	if err != nil {
		return err
	}
	like, err := c.like(past)
	if err != nil {
		return err
	}
	again := past.Again([]verdict.PastScenario{scenario})
	theirs, err := ofTarget(ctx, to, like, past, again)
	if err != nil {
		return fmt.Errorf("with the target: %w", err)
	}
	ours, err := ofReference(ctx, past, again)
	if err != nil {
		return fmt.Errorf("with the reference: %w", err)
	}
	result, err := compared(scenario, theirs, ours)
	if err != nil {
		return err
	}
	if c.HAR != "" {
		if err := errors.Join(c.archive("target", scenario, theirs), c.archive("reference", scenario, ours)); err != nil {
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

// like is the run of the report as the command that made it, with what the flags say in the
// place of what it said. Its target's log does not take the place of the report's.
func (c *replayCmd) like(past verdict.Past) (*certifyCmd, error) {
	before := &certifyCmd{targetFlags: c.targetFlags}
	if !c.named() && c.ControlURL == nil {
		parser, err := kong.New(before, kong.Exit(func(int) {}))
		if err != nil {
			return nil, err
		}
		if _, err := parser.Parse(past.Arguments); err != nil {
			return nil, fmt.Errorf("the report names its target by %q, which this version does not understand: name the target with a profile or with --url", past.Arguments)
		}
		before.ControlToken = cmp.Or(c.ControlToken, before.ControlToken)
	}
	before.Sink = cmp.Or(c.Sink, before.Sink)
	before.Report = filepath.Join(c.Report, "replay")
	before.Concurrency = 1
	return before, before.valid()
}

func ofTarget(ctx context.Context, to *console, like *certifyCmd, past verdict.Past, scenarios []string) (*verdict.Run, error) {
	secrets := &exchange.Redactor{}
	gateway, stop, err := like.target(ctx, to, secrets)
	if err != nil {
		return nil, err
	}
	defer stop()
	return carriedOut(ctx, gateway, past, scenarios, secrets)
}

func ofReference(ctx context.Context, past verdict.Past, scenarios []string) (*verdict.Run, error) {
	gateway, stop, err := bundled(ctx, reference.Config{})
	if err != nil {
		return nil, err
	}
	defer stop()
	return carriedOut(ctx, gateway, past, scenarios, nil)
}

func carriedOut(ctx context.Context, gateway target.Profile, past verdict.Past, scenarios []string, secrets *exchange.Redactor) (*verdict.Run, error) {
	return steps.Run(ctx, steps.Options{
		Target: gateway, Scenarios: scenarios, KeepAll: true, Secrets: secrets,
		Seed: past.Seed, Concurrency: 1, Version: version(),
	})
}

// compared holds the two runs of a scenario against each other.
func compared(past verdict.PastScenario, theirs, ours *verdict.Run) (replay.Result, error) {
	carrier := cmp.Or(past.Via, past.ID())
	a, err := result(theirs, past, carrier)
	if err != nil {
		return replay.Result{}, err
	}
	b, err := result(ours, past, carrier)
	if err != nil {
		return replay.Result{}, err
	}
	r := replay.Of(a, b)
	r.ID, r.Title, r.Name = past.Slug, past.Rule.Title, past.Name
	r.Target.Name, r.Reference.Name = theirs.Target, ours.Target
	return r, nil
}

// result is what the scenario came to. A breach of the wire contract is a result of its own
// beside that of the scenario that met it.
func result(run *verdict.Run, past verdict.PastScenario, carrier string) (verdict.Scenario, error) {
	i := slices.IndexFunc(run.Scenarios, func(s verdict.Scenario) bool { return s.ID() == carrier })
	if i < 0 {
		return verdict.Scenario{}, fmt.Errorf("the scenario %s was not carried out", carrier)
	}
	s := run.Scenarios[i]
	if past.Via == "" {
		return s, nil
	}
	for _, breach := range run.Scenarios {
		if breach.Rule != past.Rule.Name || breach.Name != past.Name {
			continue
		}
		s.Verdict, s.Finding = breach.Verdict, breach.Finding
		if f := s.Finding; f != nil && f.Exchange >= 0 && f.Exchange < len(breach.Exchanges) {
			s.Finding = breach.Finding.At(s.IndexOf(breach.Exchanges[f.Exchange]))
		}
		return s, nil
	}
	if s.Verdict == verdict.Fail {
		s.Verdict = verdict.Pass // of another rule: this one's breach did not come again
	}
	return s, nil
}

// archive writes what was exchanged with one gateway.
func (c *replayCmd) archive(name string, past verdict.PastScenario, run *verdict.Run) error {
	carrier := cmp.Or(past.Via, past.ID())
	if err := os.MkdirAll(c.HAR, 0o755); err != nil {
		return fmt.Errorf("writing %s.har: %w; name another directory with --har", name, err)
	}
	file, err := os.Create(filepath.Join(c.HAR, name+".har"))
	if err != nil {
		return fmt.Errorf("writing %s.har: %w; name another directory with --har", name, err)
	}
	var pages []har.Page
	for _, s := range run.Scenarios {
		if s.ID() == carrier {
			pages = append(pages, har.Page{Title: run.Target + ": " + s.ID(), Started: s.Started, Took: s.Took, Exchanges: s.Exchanges})
		}
	}
	return errors.Join(har.Write(file, run.Version, pages...), file.Close())
}
