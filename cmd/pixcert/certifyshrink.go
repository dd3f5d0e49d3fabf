package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/explore"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/shell"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

// shrink makes the scenario of a cause of the last report as small as possible, and writes it as a feature.
func (c *certifyCmd) shrink(ctx context.Context, to *console, status *int) error {
	past, err := readPast(c.Report)
	if err != nil {
		return err
	}
	failed, headline, err := c.toShrink(past.Run, to.language)
	if err != nil {
		return err
	}
	if err := c.gatewayFlags.takeFrom(past, &c.featuresFlag, "certify", "--shrink", c.Shrink); err != nil {
		return err
	}
	c.useStandardProfile(to)
	if err := cmp.Or(c.onlyShrinks(), c.valid()); err != nil {
		return err
	}
	own, err := c.own()
	if err != nil {
		return err
	}
	scenario, err := scenarioOf(cmp.Or(failed.Via, failed.ID()), own)
	if err != nil {
		return err
	}
	ctx, cancel := c.within(ctx)
	defer cancel()
	secrets := &exchange.Redactor{}
	gateway, stop, err := c.open(ctx, to, secrets, func(log []byte) error {
		return report.WriteLog(c.Report, filepath.Join("shrink", report.LogFile), log) // apart from that of the report
	})
	if err != nil {
		return err
	}
	defer stop()
	if !c.Quiet {
		fmt.Fprintln(to.out, to.language.Sayf("Shrinking %s: %s", scenario.ID(), exchange.Line(headline)))
	}
	live := progress.NewStatus(to.out, c.displayOptions(to))
	shrunk, err := explore.ShrinkScenario(ctx, run.Options{
		Target: gateway, Secrets: secrets, Own: own, Seed: cmp.Or(c.Seed, past.Seed), Concurrency: c.Concurrency, Version: version(), Strict: c.Strict || past.Strict,
	}, scenario, failed, func(left int) { live.Show(stepsLeft{left, len(scenario.Steps), to.language}) })
	live.Clear()
	switch {
	case errors.Is(err, explore.ErrPasses):
		fmt.Fprintln(to.out, to.language.Sayf("It passes now. To be sure, run it more often: %s", shell.Command("pixcert", "replay", failed.Slug(), "--attempts", "100")))
		return nil
	case err != nil:
		return cmp.Or(context.Cause(ctx), err)
	}
	dir := filepath.ToSlash(cmp.Or(own.Directory, corpusDirectory))
	if err := explore.WriteFindings(dir, []catalogue.Source{shrunk.Feature}); err != nil {
		return err
	}
	fmt.Fprintf(to.data, "\n%s\n", shrunk.Feature.Text)
	fmt.Fprintln(to.out, to.language.Sayf("%d of %d steps fail in %d of %d attempts. Written to %s", shrunk.Steps, shrunk.Of, shrunk.Failed, shrunk.Times, filepath.Join(dir, shrunk.Feature.File)))
	again := []string{"pixcert", "certify", "--features", dir}
	for _, rule := range shrunk.Rules {
		again = append(again, "--rule", rule)
	}
	fmt.Fprintln(to.out, to.language.Sayf("To run it: %s", shell.Command(again...)))
	*status = verdict.DoesNotConform.ExitStatus()
	return nil
}

// onlyShrinks refuses flags that say what a run tests or writes: shrinking tests one scenario.
func (c *certifyCmd) onlyShrinks() error {
	if c.Tags != "" || len(c.Rules) > 0 || c.RerunFailed || c.Shard.Of > 0 || c.FailFast || c.hasBudget() || c.Explore > 0 || c.Sign != "" || c.KeepAll || c.History != "" || c.Baseline != "" {
		return errors.New("--shrink: it runs the scenario of one failure and leaves the report as it is; omit flags other than those for the target, --features, --report, --seed, --concurrency, --strict and --timeout")
	}
	return nil
}

// scenarioOf is the scenario with that id, of pixcert's features or the user's own.
func scenarioOf(id string, own catalogue.Own) (*catalogue.Scenario, error) {
	suite, err := run.Suite(own)
	if err != nil {
		return nil, err
	}
	for s := range suite.Scenarios() {
		if s.ID() == id {
			return s, nil
		}
	}
	return nil, fmt.Errorf("this pixcert has no scenario %s; run pixcert certify, and shrink a cause of its report", exchange.Line(id))
}

// toShrink is the failure that --shrink names, by the number of its cause or the id of its scenario, and what happened.
func (c *certifyCmd) toShrink(past *verdict.Run, in translation.Language) (verdict.Scenario, string, error) {
	causes := past.Causes()
	if n, err := strconv.Atoi(c.Shrink); err == nil {
		if n < 1 || n > len(causes) {
			return verdict.Scenario{}, "", fmt.Errorf("--shrink: expected a number from 1 to %d, the likely causes in the report in %s, got %d", len(causes), c.Report, n)
		}
		return causes[n-1].Scenario, causes[n-1].HeadlineIn(in), nil
	}
	failed, err := past.Find(c.Shrink)
	switch {
	case err != nil:
		return failed, "", fmt.Errorf("--shrink: %w", err)
	case failed.Verdict != verdict.Fail:
		return failed, "", fmt.Errorf("--shrink: %s did not fail in the report in %s", exchange.Line(failed.Slug()), c.Report)
	}
	i := slices.IndexFunc(causes, func(cause verdict.Cause) bool { return cause.Scenario.ID() == failed.ID() })
	if i < 0 {
		return failed, past.Title(failed.Rule), nil
	}
	return failed, causes[i].HeadlineIn(in), nil
}

// stepsLeft shows how far shrinking is.
type stepsLeft struct {
	left, of int
	in       translation.Language
}

func (s stepsLeft) String() string {
	return s.in.Sayf("Shrinking: %d of %d steps left", s.left, s.of)
}
