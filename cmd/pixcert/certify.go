package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/history"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

type certifyCmd struct {
	gatewayFlags
	featuresFlag
	baselineFlag
	languageFlag

	Tags        string        `placeholder:"EXPR" help:"Run only the rules and scenarios that match a tag expression."`
	Rules       []string      `name:"rule" placeholder:"NAME" help:"Run only this rule. Repeatable."`
	RerunFailed bool          `name:"rerun-failed" help:"Re-run what failed or did not run in the last report, and update it."`
	Shrink      string        `placeholder:"CAUSE" help:"Shrink a failure of the last report: a cause's number, or a scenario's id."`
	Shard       shard         `placeholder:"I/N" help:"Run one shard of the selection, such as 2/4."`
	FailFast    bool          `name:"fail-fast" help:"Stop at the first failure."`
	Depth       verdict.Depth `enum:"quick,standard,thorough" default:"standard" placeholder:"DEPTH" help:"How much to try: quick (3s), standard or thorough (minutes)."`
	Budget      time.Duration `placeholder:"DURATION" help:"Begin no scenario after this time, such as 5m; what covers most runs first."`
	Strict      bool          `help:"Count warnings as failures."`
	Timeout     time.Duration `placeholder:"DURATION" help:"Stop after this time, such as 10m (default: never)."`
	Explore     time.Duration `placeholder:"DURATION" help:"Explore the gateway first, for this long, and add the findings."`
	Seed        int64         `placeholder:"N" help:"Order scenarios by this seed (default: random, printed)."`
	Concurrency int           `default:"24" placeholder:"N" help:"Run this many scenarios at once."`
	Sign        string        `placeholder:"KEY" type:"path" help:"Sign the report with this Ed25519 key, and write certificate.json."`
	KeepAll     bool          `name:"keep-all" help:"Record every exchange in the report, for pixcert judge."`
	Quiet       bool          `short:"q" help:"Print only notes, the outcome and likely causes."`
	Report      string        `default:"report" type:"path" placeholder:"DIR" help:"Write the report to this directory, replacing the last one."`
	History     string        `type:"path" placeholder:"DIR" help:"Append the run to the history in this directory, and show trends."`
}

func (*certifyCmd) Help() string {
	return `Without a profile, --url or --image, pixcert certifies the gateway whose profile $PIXCERT_PROFILE names, or that pixcert.yaml in the current directory describes. If there is neither, or with --reference, it certifies the bundled reference gateway. With an image, --url and --control-url take ports inside the container. With --url but no --image, pixcert expects a running gateway and does not start the image of the profile.

If the run ends early (Ctrl-C, SIGTERM, --timeout, or a gateway that stops responding), the report is partial; continue with --rerun-failed, which uses the target of that report and keeps what it has judged before. --fail-fast lets running scenarios finish.

--depth quick is a smoke test: one scenario of each rule, and what else fits in 3 seconds. Its outcome is at best "no failures found", with exit status 0. --depth thorough sends each three choices of a request together, not just each two, and explores for 90s first. --budget is for slow gateways: it begins with one scenario of each rule, then runs what covers most. If it gets to everything, the outcome is that of a whole run; the report says how much was covered.

--features adds rules of your own, written in the sentences that pixcert steps lists. All of them have the tag @own. If only they fail, the outcome is "own rules fail" (exit status 1).

--explore searches for sequences that break the gateway, as pixcert explore does, before the rules run. New findings are written to the directory of --features (default: found) and run with it. A finding fails the run.

--shrink makes the scenario of a likely cause in the last report as small as possible: it drops steps and rows of tables as long as the scenario still fails in the same way. It prints the result, and writes it to the directory of --features (default: found), as a regression test. It runs nothing else and leaves the report as it is.

--sign writes certificate.json into the report, which pixcert verify checks offline: it records every exchange (as --keep-all), judges the records again and signs what they show. It needs a whole run: no --tags, --rule, --shard, --rerun-failed, --fail-fast or --depth quick.

--history appends a line about the run to history.jsonl in a directory, and the report shows rules that fail in some of the last 20 runs only, and operations that became slower. Only runs with the same target name, rules (including your own), depth, selection, shard, concurrency and --strict are compared, so give the gateway a name in the profile if its URL changes. It cannot be combined with --rerun-failed, which updates a run.

--shard splits a selection evenly; pixcert merge merges the reports. Runs that use the same accounts wait for each other, so give each shard its own accounts or gateway.

Examples:
  pixcert certify pixcert.yaml
  pixcert certify --url http://127.0.0.1:8080 --control-url http://127.0.0.1:8081
  pixcert certify --image acme/gateway:1.4 --url http://127.0.0.1:8080
  pixcert certify pixcert.yaml --tags '@cash-out and not @cash-out.debit'
  pixcert certify pixcert.yaml --rule cash-out.covers-fee --seed 4711
  pixcert certify --reference --quiet --strict --timeout 10m
  pixcert certify --rerun-failed
  pixcert certify --shrink 1
  pixcert certify pixcert.yaml --baseline known.yaml
  pixcert certify pixcert.yaml --features rules
  pixcert certify pixcert.yaml --features rules --tags @own
  pixcert certify pixcert.yaml --explore 30s
  pixcert certify pixcert.yaml --shard 2/4 --report report-2
  pixcert certify pixcert.yaml --sign pixcert.key
  pixcert certify pixcert.yaml --history history`
}

func (c *certifyCmd) Run(ctx context.Context, to *console, status *int) (err error) {
	relaxGC()
	if c.Shrink != "" {
		return c.shrink(ctx, to, status)
	}
	interrupted := ctx
	ran := false
	defer func() {
		if err != nil && !ran {
			err = errors.Join(err, report.NotRun(c.Report, cmp.Or(context.Cause(interrupted), err)))
		}
	}()
	past, err := c.continued()
	switch {
	case errors.Is(err, errNothingFailed):
		fmt.Fprintln(to.out, to.language.Sayf("Nothing to re-run: in the report in %s, no scenario failed. Its outcome: %s", c.Report, past.Outcome().In(to.language)))
		*status = past.Outcome().ExitStatus()
		return nil
	case err != nil:
		return err
	}
	c.useStandardProfile(to)
	if err := c.valid(); err != nil {
		return err
	}
	signing, err := c.signing()
	if err != nil {
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
	if c.History != "" {
		if err := history.Check(c.History); err != nil {
			return err
		}
	}
	release, shared := report.Claim(c.Report)
	defer release()
	if shared {
		to.warn(to.language.Sayf("another run writes its report to %s, too; the report of the one that ends last replaces the other; use --report to keep both", c.Report))
	}
	ctx, cancel := c.within(ctx)
	defer cancel()
	options := c.displayOptions(to)
	display := progress.New(to.out, options)
	secrets := &exchange.Redactor{}
	result, files, err := c.certify(ctx, to, past, own, known, display, secrets)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && err != nil:
		return fmt.Errorf("%w before any scenario was judged; allow more time", context.Cause(ctx))
	case err != nil:
		return err
	}
	ran = true // the report, or what there is of it, says why it is not complete
	c.addReferenceResponses(ctx, to, result, run.Options{Own: own, Secrets: secrets}, display)
	place.History, place.Words = c.appendHistory(to, result), wordsIn(to.language)
	if err := place.Write(result, files...); err != nil {
		display.Done(result, "")
		return err
	}
	remember(c.Report)
	noteOmitted(to, result)
	if ended := result.Ended; ended != nil && !ended.Decided {
		fmt.Fprintf(to.err, "pixcert: %s\n", to.language.Sayf("%s; the report is partial. To continue: %s", to.language.Recorded(ended.Reason), report.ContinueCommand(options.Report, c.Baseline)))
	}
	display.Done(result, c.Report)
	*status = result.Outcome().ExitStatus()
	to.annotate(result, c.Report)
	place.Close() // so that nothing but the report is in the directory
	return signing.issue(to, c.Report, result)
}

// within ends what it returns at --timeout.
func (c *certifyCmd) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.Timeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, c.Timeout, fmt.Errorf("--timeout %v reached", c.Timeout))
}

// certify runs the scenarios on the target. It returns the result, and further files for the report.
func (c *certifyCmd) certify(ctx context.Context, to *console, past *verdict.Run, own catalogue.Own, known knownFailures, display progress.Progress, secrets *exchange.Redactor) (*verdict.Run, []report.File, error) {
	var log []byte
	gateway, stop, err := c.open(ctx, to, secrets, func(all []byte) error {
		log = all
		return nil
	})
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
	if c.named() && gateway.Container == nil {
		options.Subject.URL = gateway.BaseURL
	}
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
	more, err := c.signedFiles(gateway, secrets)
	if err != nil {
		return nil, nil, err
	}
	files = append(files, more...)
	if evidence := options.Evidence; evidence != nil {
		files = append(files, report.File{Name: report.RecordsFile, Write: func(w io.Writer) error { return evidence.Write(w, secrets) }})
	}
	return result, files, nil
}
