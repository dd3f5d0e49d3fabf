package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

func (c *certifyCmd) valid() error {
	switch {
	case c.Concurrency < 1:
		return fmt.Errorf("--concurrency: expected at least 1, got %d", c.Concurrency)
	case c.Seed < 0:
		return fmt.Errorf("--seed: expected at least 1, got %d; omit it for a random seed", c.Seed)
	case c.hasBudget() && (c.Shard.Of > 0 || c.RerunFailed):
		return errors.New("--depth quick, --budget: such a run leaves out what does not fit, so it cannot be a shard or finish a report; omit --shard and --rerun-failed")
	case c.Budget < 0:
		return fmt.Errorf("--budget: expected a duration above zero, such as 5m, got %v", c.Budget)
	case c.Explore < 0:
		return fmt.Errorf("--explore: expected a duration above zero, such as 30s, got %v", c.Explore)
	case c.Explore > 0 && (c.Tags != "" || len(c.Rules) > 0 || c.Shard.Of > 0 || c.RerunFailed || c.Depth == verdict.Quick):
		return errors.New("--explore: exploring adds to a run of all rules; omit --tags, --rule, --shard, --rerun-failed and --depth quick, or run pixcert explore")
	case c.History != "" && c.RerunFailed:
		return errors.New("--history: the run whose report --rerun-failed updates would count twice; omit --history or --rerun-failed")
	case c.Timeout < 0:
		return fmt.Errorf("--timeout: expected a duration above zero, such as 10m, got %v", c.Timeout)
	}
	return c.targetFlags.valid()
}

// hasBudget reports whether the run may leave out scenarios for lack of time.
func (c *certifyCmd) hasBudget() bool { return c.Depth == verdict.Quick || c.Budget > 0 }

// exploredByDefault is for how long a thorough run explores.
const exploredByDefault = 90 * time.Second

// explored is for how long to explore; 0 for not at all. A thorough run of some rules only sends more of these.
func (c *certifyCmd) explored() time.Duration {
	if c.Explore == 0 && c.Depth == verdict.Thorough && c.Tags == "" && len(c.Rules) == 0 && c.Shard.Of == 0 && !c.RerunFailed {
		return exploredByDefault
	}
	return c.Explore
}

// runOptions returns the options of the run, except for its target, from the flags.
func (c *certifyCmd) runOptions(past *verdict.Run) run.Options {
	options := run.Options{
		Tags: c.Tags, Rules: c.Rules, Seed: c.Seed, Concurrency: c.Concurrency, Version: version(),
		Strict: c.Strict || past.Strict, FailFast: c.FailFast, Subject: c.subject(),
		Scenarios: past.Rerun(past.Unfinished()), Elsewhere: past.Elsewhere(past.Unfinished()), Shard: verdict.Shard(c.Shard),
	}
	options.Depth, options.Budget = c.Depth, c.Budget
	if c.KeepAll || c.Sign != "" {
		options.Evidence = &run.Evidence{}
	}
	return options
}

func (c *certifyCmd) displayOptions(to *console) progress.Options {
	options := to.display()
	options.Quiet, options.Quick, options.Report = c.Quiet, c.hasBudget(), report.UnlessDefault(c.Report)
	return options
}
