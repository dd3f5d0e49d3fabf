package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// certifyCmd is pixcert certify.
type certifyCmd struct {
	targetFlags
	baselineFlag

	Tags        string   `placeholder:"EXPR" help:"Run only the rules and scenarios that match a tag expression."`
	Rules       []string `name:"rule" placeholder:"NAME" help:"Run only this rule. Repeatable."`
	RerunFailed bool     `name:"rerun-failed" help:"Re-run only the scenarios that failed in the last report."`
	Shard       shard    `placeholder:"I/N" help:"Run one part of the selection, such as 2/4; see pixcert merge."`
	Seed        int64    `placeholder:"N" help:"Seed of the scenario order (default random; printed)."`
	Concurrency int      `default:"16" placeholder:"N" help:"Number of scenarios to run at once."`
	Sink        string   `placeholder:"HOST:PORT" help:"Local address that receives webhooks (default 127.0.0.1, free port)."`
	KeepAll     bool     `name:"keep-all" help:"Record every exchange in the report, for pixcert judge."`
	Report      string   `default:"report" type:"path" placeholder:"DIR" help:"Write the report to this directory, replacing the last one."`
}

func (*certifyCmd) Help() string {
	return `Without a profile, --url or --image, pixcert certifies the bundled reference gateway. With an image, the ports in --url and --control-url are ports inside the container. --url without --image means a gateway that is already running: an image in the profile is not started.

Shards split a selection evenly; every scenario is in exactly one. Runs on the same accounts of a profile wait for each other, so give each shard its own accounts or gateway.

Examples:
  pixcert certify pixcert.yaml
  pixcert certify --url http://127.0.0.1:8080 --control-url http://127.0.0.1:8081
  pixcert certify --image acme/gateway:1.4 --url http://127.0.0.1:8080
  pixcert certify pixcert.yaml --tags '@cash-out and not @cash-out.debit'
  pixcert certify pixcert.yaml --rule cash-out.covers-fee --seed 4711
  pixcert certify pixcert.yaml --baseline known.yaml
  pixcert certify pixcert.yaml --shard 2/4 --report report-2`
}

func (c *certifyCmd) Run(ctx context.Context, to *console, status *int) error {
	relaxGC()
	if err := c.valid(); err != nil {
		return err
	}
	known, err := c.known()
	if err != nil {
		return err
	}
	if err := report.CheckWritable(c.Report); err != nil {
		return err
	}
	actions := startActions(to)
	defer actions.end()
	scenarios, err := c.scenarios()
	if err != nil {
		return err
	}
	secrets := &exchange.Redactor{}
	gateway, stop, err := c.target(ctx, to, secrets)
	if err != nil {
		return err
	}
	defer stop()
	options := displayOf(to.out)
	if standard, err := filepath.Abs("report"); err != nil || c.Report != standard {
		options.Report = c.Report
	}
	display := progress.New(to.out, options)
	var evidence *run.Evidence
	if c.KeepAll {
		evidence = &run.Evidence{}
	}
	result, err := run.Certify(ctx, run.Options{
		Evidence: evidence,
		Target:   gateway, Tags: c.Tags, Rules: c.Rules, Seed: c.Seed, Concurrency: c.Concurrency,
		Version: version(), Progress: display, Arguments: c.arguments(), Secrets: secrets,
		Scenarios: scenarios, Shard: verdict.Shard(c.Shard), Known: known.mark, Ready: func() error { return report.Remove(c.Report) },
	})
	if err != nil {
		return err
	}
	known.apply(result)
	if gateway.Container != nil {
		stop()
		result.Log = report.LogFile
	}
	if err := report.Write(c.Report, result); err != nil {
		display.Done(result, "")
		return err
	}
	if evidence != nil {
		if err := report.WriteRecords(c.Report, func(w io.Writer) error { return evidence.Write(w, secrets) }); err != nil {
			return err
		}
	}
	display.Done(result, c.Report)
	*status = result.Outcome().ExitStatus()
	return actions.report(result)
}

// scenarios returns the ids of the scenarios to run under --rerun-failed; none for all.
func (c *certifyCmd) scenarios() ([]string, error) {
	if !c.RerunFailed {
		return nil, nil
	}
	past, err := report.ReadPast(c.Report)
	if err != nil {
		return nil, err
	}
	failed := past.Failed()
	if len(failed) == 0 {
		return nil, fmt.Errorf("--rerun-failed: nothing failed in the report in %s; run without it", c.Report)
	}
	return past.Rerun(failed), nil
}

func (c *certifyCmd) valid() error {
	switch {
	case c.Concurrency < 1:
		return fmt.Errorf("--concurrency: expected at least 1, got %d", c.Concurrency)
	case c.Seed < 0:
		return fmt.Errorf("--seed: expected at least 1, got %d; leave it out for a random seed", c.Seed)
	}
	return c.targetFlags.valid()
}

// target returns the gateway to certify, started if it is the bundled one or an image, and
// a function that stops it.
func (c *certifyCmd) target(ctx context.Context, to *console, secrets *exchange.Redactor) (target.Profile, func(), error) {
	if !c.named() {
		c.noteProfile(to)
		gateway, stop, err := bundled(ctx, reference.Config{})
		gateway.Sink.Listen = c.Sink
		return gateway, stop, err
	}
	p, err := c.profile(to)
	if err != nil {
		return target.Profile{}, nil, err
	}
	if c.Sink != "" {
		p.Sink.Listen, p.Sink.URL = c.Sink, ""
	}
	if p.Container == nil {
		return p, func() {}, nil
	}
	return startImage(ctx, to, p, secrets, func(log []byte) error { return report.WriteLog(c.Report, log) })
}

// arguments returns the command-line arguments that name the same target, without secrets.
func (c *certifyCmd) arguments() []string {
	all := c.targetFlags.arguments()
	if c.Sink != "" {
		all = append(all, "--sink", c.Sink)
	}
	return all
}
