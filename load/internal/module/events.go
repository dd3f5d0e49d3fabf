package module

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/errext/exitcodes"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/measure"
	"github.com/pixcert/pixcert/load/internal/preset"
	"github.com/pixcert/pixcert/load/internal/report"
	"github.com/pixcert/pixcert/load/internal/result"
)

// end closes the run, once, and reports its results to k6.
func (t *test) end() {
	t.mu.Lock()
	r, tick := t.run, t.tick
	t.mu.Unlock()
	if r == nil {
		return
	}
	if tick != nil {
		tick.stop()
	}
	early := t.execution != nil && t.execution.GetCurrentExecutionStatus() == lib.ExecutionStatusInterrupted
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM) // k6 receives it too, and ends without a report if it is the second
	if n := r.Waiting(); n > 0 {
		ends := "to skip the rest"
		if early {
			ends = "to skip the rest; if you have pressed it before, that ends the run without a report"
		}
		t.logger.Infof("waiting up to %s for %s, then for look-ups and balances; press Ctrl+C %s", r.Config().Drain, due(n, min(r.Unheard(), n)), ends)
	}
	res := r.Close(ctx)
	cut := ctx.Err() != nil
	stop()
	if res == nil || tick == nil {
		return
	}
	if n, first := r.Trouble(); n > 0 {
		t.logger.Errorf("the ledger is incomplete: %d final look-ups of payments and balances failed, the first with: %s", n, first)
	}
	tick.conclude(time.Now(), res)
	t.mu.Lock()
	defer t.mu.Unlock()
	res.Presets, res.TagValues = t.sources, t.options.TagValues
	res.Interrupted = early || cut
	switch {
	case cut:
		res.Complaint = "a signal ended the wait for webhooks, look-ups and balances"
	case t.state.TestStatus != nil && t.state.TestStatus.Failed():
		res.Complaint = "test run was marked as failed" // k6's words
	}
	t.result = res
}

// due are n webhooks in words, of which some are of payments without a conclusive response.
func due(n, unheard int64) string {
	switch {
	case n == 1 && unheard == 1:
		return "1 webhook, of a payment that may not have been accepted"
	case n == 1:
		return "1 webhook"
	case unheard > 0:
		return fmt.Sprintf("%s webhooks, %s of them of payments that may not have been accepted", data.FormatCount(n), data.FormatCount(unheard))
	}
	return data.FormatCount(n) + " webhooks"
}

// exit completes the report, and ends k6 with the exit status of the run's outcome where
// k6's own would be another: k6 knows neither runs without a result nor invalid ones. k6's
// status of a test that was stopped stays. A failed threshold stays too, unless the run is
// invalid in a way that may have caused it: see [result.Result.Proven].
func (t *test) exit(complaint error) {
	res := t.outcome()
	if res == nil {
		t.exitWithout(complaint)
		return
	}
	if err := t.complete(res, complaint); err != nil {
		t.logger.WithError(err).Error("cannot write the report")
	}
	t.without(res)
	outcome := res.Outcome()
	unproven := outcome == result.Invalid || outcome == result.Interrupted
	another := complaint == nil && outcome.ExitStatus() != 0 || unproven && crossed(complaint)
	if another || outcome == result.Wrong && !res.Validity.Valid {
		why := report.Why(*res)
		t.logger.Errorf("the run is %s: %s", outcome, why[0])
		for _, reason := range why[1:] {
			t.logger.Error("- " + reason)
		}
	}
	if another {
		exitWith(outcome.ExitStatus())
	}
}

// exitWithout ends k6 after a test without a result, although its script has a gateway:
// nothing was sent. k6 calls that a success, unless setup failed or was interrupted.
func (t *test) exitWithout(complaint error) {
	t.mu.Lock()
	refused, unused := t.refused, t.given != nil && t.run == nil
	t.mu.Unlock()
	switch {
	case measure.Exhausted(refused):
		t.logger.Error(t.whyNoResult())
		exitWith(result.Invalid.ExitStatus())
	case complaint != nil && !crossed(complaint) && !errext.IsInterruptError(complaint):
	case refused != nil:
		t.logger.Error(t.whyNoResult())
		exitWith(int(exitcodes.ScriptException))
	case unused && complaint == nil:
		t.logger.Error(t.whyNoResult())
		exitWith(result.Invalid.ExitStatus())
	}
}

// complete writes the report, again if the script's handleSummary has written one before k6
// said why the test ended.
func (t *test) complete(res *result.Result, complaint error) error {
	if !t.shown {
		if err := t.judge(res); err != nil {
			return err
		}
	}
	if complaint != nil && (!crossed(complaint) || res.Interrupted && res.Complaint == "") {
		res.Complaint, _, _ = strings.Cut(complaint.Error(), "\n")
	}
	if t.shown {
		return report.Write(t.reportDir(), *res)
	}
	return t.report(os.Stdout, res)
}

// crossed says whether k6's error is about failed thresholds.
func crossed(err error) bool {
	var coded errext.HasExitCode
	return errors.As(err, &coded) && coded.ExitCode() == exitcodes.ThresholdsHaveFailed
}

// outcome is the result, completed with k6's counts once all metrics are in; nil without a run.
func (t *test) outcome() *result.Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.result == nil {
		return nil
	}
	t.result.Iterations = counted(t.state.BuiltinMetrics.Iterations)
	t.result.Dropped = counted(t.state.BuiltinMetrics.DroppedIterations)
	t.result.Validity = t.run.Judge(t.result, true)
	return t.result
}

// counted is what k6 counted; it is called when nothing is pushed any more.
func counted(m *metrics.Metric) int64 {
	sink, ok := m.Sink.(*metrics.CounterSink)
	if !ok {
		return 0
	}
	return int64(sink.Value)
}

// cite logs the sources of the presets once.
func (t *test) cite(sources []preset.Source) {
	t.mu.Lock()
	defer t.mu.Unlock()
	known := func(s preset.Source) bool { return slices.Contains(t.sources, s) }
	added := slices.DeleteFunc(slices.Clone(sources), known)
	t.sources = append(t.sources, added...)
	for _, source := range report.Sources(added) {
		t.logger.Infof("thresholds %s", source)
	}
}
