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
	case c.Quick && (c.Shard.Of > 0 || c.RerunFailed):
		return errors.New("--quick: a quick run leaves out what does not fit, so it cannot be a shard or finish a report; omit --shard and --rerun-failed")
	case c.Explore < 0:
		return fmt.Errorf("--explore: expected a duration above zero, such as 30s, got %v", c.Explore)
	case c.Explore > 0 && (c.Tags != "" || len(c.Rules) > 0 || c.Shard.Of > 0 || c.RerunFailed || c.Quick):
		return errors.New("--explore: exploring adds to a run of all rules; omit --tags, --rule, --shard, --rerun-failed and --quick, or run pixcert explore")
	case c.Timeout < 0:
		return fmt.Errorf("--timeout: expected a duration above zero, such as 10m, got %v", c.Timeout)
	}
	return c.targetFlags.valid()
}

// runOptions returns the options of the run, except for its target, from the flags.
func (c *certifyCmd) runOptions(past *verdict.Run) run.Options {
	options := run.Options{
		Tags: c.Tags, Rules: c.Rules, Seed: c.Seed, Concurrency: c.Concurrency, Version: version(),
		Strict: c.Strict || past.Strict, FailFast: c.FailFast, Subject: c.subject(),
		Scenarios: past.Rerun(past.Unfinished()), Elsewhere: past.Elsewhere(past.Unfinished()), Shard: verdict.Shard(c.Shard),
	}
	if c.Quick {
		options.Quick = 3 * time.Second
	}
	if c.KeepAll {
		options.Evidence = &run.Evidence{}
	}
	return options
}

func (c *certifyCmd) displayOptions(to *console) progress.Options {
	options := displayOf(to.out)
	options.Quiet, options.Quick, options.Report = c.Quiet, c.Quick, report.UnlessDefault(c.Report)
	return options
}
