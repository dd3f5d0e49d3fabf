package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/explore"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

type exploreCmd struct {
	gatewayFlags
	languageFlag

	For         time.Duration `default:"60s" placeholder:"DURATION" help:"Start no round of 64 walks after this time; shortening and repeating findings come on top."`
	Walks       int           `placeholder:"N" help:"Start no more walks than this (default: no limit)."`
	FailFast    bool          `name:"fail-fast" help:"Stop at the first finding."`
	Seed        int64         `placeholder:"N" help:"Draw the walks from this seed (default: random, printed)."`
	Corpus      string        `default:"found" placeholder:"DIR" help:"Write findings to this directory; re-run those already in it."`
	Report      string        `default:"explore-report" type:"path" placeholder:"DIR" help:"Write the report of the findings to this directory."`
	Concurrency int           `default:"16" placeholder:"N" help:"Run this many walks at once."`
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

func (c *exploreCmd) Run(ctx context.Context, to *console, exit *int) error {
	relaxGC()
	c.useStandardProfile(to)
	if err := c.valid(); err != nil {
		return err
	}
	corpus, err := explore.ReadCorpus(c.Corpus)
	if err != nil {
		return fmt.Errorf("--corpus %s: %w", c.Corpus, err)
	}
	secrets := &exchange.Redactor{}
	gateway, stop, err := c.open(ctx, to, secrets, func([]byte) error { return nil })
	if err != nil {
		return err
	}
	stop = sync.OnceFunc(stop)
	defer stop()
	name := secrets.Text(exchange.Line(target.Presume(gateway).Profile.Name))
	fmt.Fprintln(to.out, to.language.Sayf("Exploring %s", name))
	status := progress.NewStatus(to.out, to.display())
	options := run.Options{
		Target: gateway, Secrets: secrets, Concurrency: c.Concurrency, Version: version(),
		Subject: c.subject("--report", c.Report+"-rerun"),
	}
	found, err := explore.Explore(ctx, explore.Options{
		Run: options, Seed: c.Seed, For: c.For, Walks: c.Walks, FirstFinding: c.FailFast, Corpus: corpus, Progress: func(r explore.Report) { status.Show(explore.Progress{Report: r, In: to.language}) },
	})
	status.Clear()
	if err != nil {
		found.ShowSuspects(to.err)
		return errors.Join(err, explore.WriteFindings(found.Corpus.Directory, found.Unsettled()))
	}
	if found.Interrupted {
		fmt.Fprintln(to.err, "pixcert: "+to.language.Say("interrupted; the findings so far are kept"))
	}
	if err := c.write(found); err != nil {
		return err
	}
	found.Show(to.out, to.language)
	if results := found.Results(); results != nil {
		progress.New(to.out, to.display()).Done(results, c.Report)
	} else {
		fmt.Fprintf(to.out, "\n%s\n", found.Conclusion(to.language))
	}
	*exit = exploreStatus(found)
	return nil
}

func exploreStatus(r explore.Report) int {
	results := r.Results()
	switch {
	case r.Interrupted || r.Walks == 0:
		return exitNotRun
	case results != nil:
		return results.Outcome().ExitStatus()
	case r.IsIncomplete():
		return verdict.Incomplete.ExitStatus()
	}
	return 0
}

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

// write writes new findings into the corpus, and the report of the last run of all. Without findings there
// is none, and that of an earlier exploration is removed.
func (c *exploreCmd) write(found explore.Report) error {
	if found.Run == nil || len(found.Run.Rules) == 0 {
		return report.Remove(c.Report)
	}
	if err := explore.WriteFindings(c.Corpus, found.New); err != nil {
		return err
	}
	if err := wordsIn(c.Language).Write(c.Report, found.Run); err != nil {
		return err
	}
	remember(c.Report)
	return nil
}
