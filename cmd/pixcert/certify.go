package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/merge"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

type certifyCmd struct {
	targetFlags
	featuresFlag
	baselineFlag

	Tags        string        `placeholder:"EXPR" help:"Run only the rules and scenarios that match a tag expression."`
	Rules       []string      `name:"rule" placeholder:"NAME" help:"Run only this rule. Repeatable."`
	RerunFailed bool          `name:"rerun-failed" help:"Re-run what failed or did not run in the last report, and update it."`
	Shard       shard         `placeholder:"I/N" help:"Run one shard of the selection, such as 2/4."`
	FailFast    bool          `name:"fail-fast" help:"Stop at the first failure."`
	Quick       bool          `help:"Run one scenario of each rule, and what else fits in 3s."`
	Strict      bool          `help:"Count warnings as failures."`
	Timeout     time.Duration `placeholder:"DURATION" help:"Stop after this time, such as 10m (default: never)."`
	Explore     time.Duration `placeholder:"DURATION" help:"Explore the gateway first, for this long, and add the findings."`
	Seed        int64         `placeholder:"N" help:"Order scenarios by this seed (default: random, printed)."`
	Concurrency int           `default:"24" placeholder:"N" help:"Run this many scenarios at once."`
	Sink        string        `placeholder:"HOST:PORT" help:"Receive webhooks at this address (default: 127.0.0.1, free port)."`
	KeepAll     bool          `name:"keep-all" help:"Record every exchange in the report, for pixcert judge."`
	Quiet       bool          `short:"q" help:"Print only the outcome and likely causes of failure."`
	Report      string        `default:"report" type:"path" placeholder:"DIR" help:"Write the report to this directory, replacing the last one."`

	keepLog func([]byte) error // of an image; nil to write it into the report's directory
}

func (*certifyCmd) Help() string {
	return `Without a profile, --url or --image, pixcert certifies the gateway that pixcert.yaml in the current directory describes. If there is no such file, or with --reference, it certifies the bundled reference gateway. With an image, --url and --control-url take ports inside the container. With --url but no --image, pixcert expects a running gateway and does not start the image of the profile.

If the run ends early (Ctrl-C, SIGTERM, --timeout, or a gateway that stops responding), the report is partial; continue with --rerun-failed, which uses the target of that report and keeps what it has judged before. --fail-fast lets running scenarios finish.

--quick is a smoke test: its outcome is at best "no failures found", with exit status 0. Run everything before you call a gateway conforming.

--features adds rules of your own, written in the sentences that pixcert steps lists. All of them have the tag @own. If only they fail, the outcome is "own rules fail" (exit status 1).

--explore searches for sequences that break the gateway, as pixcert explore does, before the rules run. New findings are written to the directory of --features (default: found) and run with it. A finding fails the run.

--shard splits a selection evenly; pixcert merge merges the reports. Runs that use the same accounts wait for each other, so give each shard its own accounts or gateway.

Examples:
  pixcert certify pixcert.yaml
  pixcert certify --url http://127.0.0.1:8080 --control-url http://127.0.0.1:8081
  pixcert certify --image acme/gateway:1.4 --url http://127.0.0.1:8080
  pixcert certify pixcert.yaml --tags '@cash-out and not @cash-out.debit'
  pixcert certify pixcert.yaml --rule cash-out.covers-fee --seed 4711
  pixcert certify --reference --quiet --strict --timeout 10m
  pixcert certify --rerun-failed
  pixcert certify pixcert.yaml --baseline known.yaml
  pixcert certify pixcert.yaml --features rules
  pixcert certify pixcert.yaml --features rules --tags @own
  pixcert certify pixcert.yaml --explore 30s
  pixcert certify pixcert.yaml --shard 2/4 --report report-2`
}

func (c *certifyCmd) Run(ctx context.Context, to *console, status *int) error {
	relaxGC()
	past, err := c.continued()
	switch {
	case errors.Is(err, errNothingFailed):
		fmt.Fprintf(to.out, "Nothing to re-run: in the report in %s, no scenario failed. Its outcome: %s\n", c.Report, past.Outcome())
		*status = past.Outcome().ExitStatus()
		return nil
	case err != nil:
		return err
	}
	c.useStandardProfile(to)
	if err := c.valid(); err != nil {
		return err
	}
	own, err := c.ownAndFound()
	if err != nil {
		return err
	}
	known, err := c.known(own)
	if err != nil {
		return err
	}
	place, err := report.Open(c.Report)
	if err != nil {
		return err
	}
	defer place.Close()
	release, shared := report.Claim(c.Report)
	defer release()
	if shared {
		fmt.Fprintf(to.err, "pixcert: warning: another run writes its report to %s, too; the report of the one that ends last replaces the other; use --report to keep both\n", c.Report)
	}
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("--timeout %v reached", c.Timeout))
		defer cancel()
	}
	options := c.displayOptions(to)
	display := progress.New(to.out, options)
	result, files, err := c.certify(ctx, to, past, own, known, display)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && err != nil:
		return fmt.Errorf("%w before any scenario was judged; allow more time", context.Cause(ctx))
	case err != nil:
		return err
	}
	if err := place.Write(result, files...); err != nil {
		display.Done(result, "")
		return err
	}
	remember(c.Report)
	noteOmitted(to, result)
	if ended := result.Ended; ended != nil && !ended.Decided {
		fmt.Fprintf(to.err, "pixcert: %s; the report is partial. To continue: %s\n", ended.Reason, report.ContinueCommand(options.Report, c.Baseline))
	}
	display.Done(result, c.Report)
	*status = result.Outcome().ExitStatus()
	to.annotate(result, c.Report)
	return nil
}

// certify runs the scenarios on the target. It returns the result, and further files for the report.
func (c *certifyCmd) certify(ctx context.Context, to *console, past *verdict.Run, own catalogue.Own, known knownFailures, display progress.Progress) (*verdict.Run, []report.File, error) {
	var log []byte
	c.keepLog = func(all []byte) error {
		log = all
		return nil
	}
	secrets := &exchange.Redactor{}
	gateway, stop, err := c.target(ctx, to, secrets)
	if err != nil {
		return nil, nil, err
	}
	stop = sync.OnceFunc(stop)
	defer stop()
	if err := c.sameTarget(past, target.Presume(gateway).Profile, secrets); err != nil {
		return nil, nil, err
	}
	options := c.runOptions(past)
	options.Own, options.Known = own, known.mark()
	options.Target, options.Secrets, options.Progress = gateway, secrets, display
	options.HasURL = c.named() && gateway.Container == nil
	explored, err := c.explore(ctx, to, &options)
	if err != nil {
		return nil, nil, err
	}
	result, err := run.Certify(ctx, options)
	stop()
	if err != nil {
		if log != nil {
			err = fmt.Errorf("%w; log: %s", err, filepath.Join(c.Report, report.FailedLogFile))
			err = errors.Join(err, report.WriteLog(c.Report, report.FailedLogFile, log))
		}
		return nil, nil, err
	}
	var files []report.File
	if c.RerunFailed {
		if result, files, err = c.continueReport(past, result, options.Evidence); err != nil {
			return nil, nil, err
		}
	}
	known.apply(result)
	if err := settle(explored, result); err != nil {
		return nil, nil, err
	}
	if log != nil {
		result.Log = report.LogFile
		files = append(files, report.File{Name: report.LogFile, Write: func(w io.Writer) error {
			_, err := w.Write(log)
			return err
		}})
	}
	if evidence := options.Evidence; evidence != nil {
		files = append(files, report.File{Name: report.RecordsFile, Write: func(w io.Writer) error { return evidence.Write(w, secrets) }})
	}
	return result, files, nil
}

// sameTarget reports why the last report cannot be continued: it would lose what it says about everything else.
func (c *certifyCmd) sameTarget(past *verdict.Run, now target.Profile, secrets *exchange.Redactor) error {
	if !c.RerunFailed {
		return nil
	}
	const instead = "run without --rerun-failed, or with another --report"
	for _, p := range [][2]string{{past.Target, secrets.Text(now.Name)}, {past.URL, secrets.Text(now.BaseURL)}} {
		if p[0] != p[1] && p[0] != "" {
			return fmt.Errorf("--rerun-failed: the report in %s is about %s, but this run would test %s: %s", c.Report, exchange.Line(p[0]), exchange.Line(p[1]), instead)
		}
	}
	if past.Version != version() {
		return fmt.Errorf("--rerun-failed: the report in %s is by pixcert %s, this is %s: %s", c.Report, exchange.Line(past.Version), version(), instead)
	}
	return nil
}

// continueReport adds what the last report has judged, and its files, to a run of what that has left open. The
// records of --keep-all are those of both, or none.
func (c *certifyCmd) continueReport(past, rest *verdict.Run, records *run.Evidence) (*verdict.Run, []report.File, error) {
	merged := merge.Continue(past, rest)
	if records != nil {
		earlier, err := readEvidence(c.Report)
		if err != nil {
			return nil, nil, fmt.Errorf("--keep-all: %w", err)
		}
		records.Records, records.Run = slices.Concat(earlier.Records, records.Records), *merged.Run
	}
	var files []report.File
	for i, s := range merged.Run.Scenarios {
		if merged.Sources[i] == merge.Past {
			copies, err := report.EvidenceFrom(c.Report, s)
			if err != nil {
				return nil, nil, err
			}
			files = append(files, copies...)
		}
	}
	return merged.Run, files, nil
}

// runOptions returns the options of the run, except for its target, from the flags.
func (c *certifyCmd) runOptions(past *verdict.Run) run.Options {
	options := run.Options{
		Tags: c.Tags, Rules: c.Rules, Seed: c.Seed, Concurrency: c.Concurrency, Version: version(),
		Strict: c.Strict || past.Strict, FailFast: c.FailFast, Arguments: c.arguments(),
		Scenarios: past.Rerun(past.Unfinished()), Elsewhere: past.Elsewhere(past.Unfinished()), Shard: verdict.Shard(c.Shard),
	}
	if c.Quick {
		options.Quick = 3 * time.Second
	}
	options.Directory, _ = os.Getwd() // unknown, paths in the report stay as they are
	if c.KeepAll {
		options.Evidence = &run.Evidence{}
	}
	return options
}

func (c *certifyCmd) displayOptions(to *console) progress.Options {
	options := displayOf(to.out)
	options.Quiet, options.Report = c.Quiet, report.UnlessDefault(c.Report)
	return options
}

// errNothingFailed says that --rerun-failed has nothing to do.
var errNothingFailed = errors.New("nothing failed")

// continued returns the last report under --rerun-failed, and selects its target unless the
// flags select one. Otherwise the report is empty.
func (c *certifyCmd) continued() (*verdict.Run, error) {
	if !c.RerunFailed {
		return &verdict.Run{}, nil
	}
	past, err := readPast(c.Report)
	if err != nil {
		return past.Run, err
	}
	if b := past.Baseline; b != nil && c.Baseline == "" {
		return past.Run, fmt.Errorf("the report in %s used the baseline %s; add --baseline %s", c.Report, exchange.Line(b.File), exchange.Line(b.File))
	}
	if len(past.Unfinished()) == 0 {
		return past.Run, errNothingFailed
	}
	sink, err := c.targetFlags.takeFrom(past, &c.featuresFlag, "certify", "--rerun-failed")
	c.Sink = cmp.Or(c.Sink, sink)
	return past.Run, err
}

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

// target returns the gateway to certify, started if it is the bundled one or an image, and
// a function that stops it.
func (c *certifyCmd) target(ctx context.Context, to *console, secrets *exchange.Redactor) (target.Profile, func(), error) {
	if !c.named() {
		gateway, stop, err := bundled(ctx, reference.Config{})
		gateway.Sink.Listen = c.Sink
		return gateway, stop, err
	}
	p, err := c.profile(to, c.Sink)
	if err != nil {
		return target.Profile{}, nil, err
	}
	if p.Container == nil {
		return p, func() {}, nil
	}
	keep := c.keepLog
	if keep == nil {
		keep = func(log []byte) error { return report.WriteLog(c.Report, report.LogFile, log) }
	}
	return startImage(ctx, to, p, secrets, keep)
}

// arguments returns the command-line arguments that name the same target, without secrets.
func (c *certifyCmd) arguments() []string {
	all := c.targetFlags.arguments()
	if c.Sink != "" {
		all = append(all, "--sink", c.Sink)
	}
	return all
}
