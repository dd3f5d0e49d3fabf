package module

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"syscall"
	"time"

	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/internal/data"
	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/report"
	"github.com/pixcert/pixcert/load/internal/result"
)

// end closes the run, once, and reports its results to k6.
func (t *Test) end() {
	t.mu.Lock()
	r, prepared := t.run, t.prepared
	t.ended = true
	t.mu.Unlock()
	if r == nil {
		t.nothing()
		return
	}
	if prepared {
		t.emitter.stop()
	}
	early := t.execution != nil && t.execution.GetCurrentExecutionStatus() == lib.ExecutionStatusInterrupted
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM) // k6 receives it too, and ends without a report if it is the second
	if n := r.Waiting(); n > 0 {
		ends := "to skip the rest"
		if early {
			ends = "to skip the rest; if you have pressed it before, that ends the run without a report"
		}
		t.init.Logger.Infof("waiting up to %s for %s, then for look-ups and balances; press Ctrl+C %s", r.Config().Drain, due(n, min(r.NoResponse(), n)), ends)
	}
	res := r.Close(ctx)
	cut := ctx.Err() != nil
	stop()
	if res == nil || !prepared {
		t.nothing()
		return
	}
	if n, first := r.Trouble(); n > 0 {
		t.init.Logger.Errorf("the ledger is incomplete: %d final look-ups of payments and balances failed, the first with: %s", n, first)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	res.Presets = t.sources
	res.Interrupted = early || cut
	if t.execution != nil { // k6 has not counted all of its metrics yet
		res.Iterations = int64(t.execution.GetFullIterationCount() + t.execution.GetPartialIterationCount()) // #nosec G115 -- a test ends before
	}
	res.Reasons = r.Invalid(res)
	t.emitter.conclude(time.Now(), res)
	switch {
	case cut:
		res.Complaint = "a signal ended the wait for webhooks, look-ups and balances"
	case t.state.TestStatus != nil && t.state.TestStatus.Failed():
		res.Complaint = "test run was marked as failed" // k6's words
	}
	t.result = res
}

// nothing tells k6 that the run is invalid because nothing was sent.
func (t *Test) nothing() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, vu := range t.vus {
		if state := vu.State(); state != nil {
			t.emitter.open(t.init.Registry, state)
			t.emitter.send(metrics.Samples{sample(t.emitter.invalid, t.emitter.common, time.Now(), 1)})
			return
		}
	}
}

// due are n webhooks in words, of which some are of payments without a conclusive response.
func due(n, noResponse int64) string {
	text := report.Plural(n, "webhook", "webhooks")
	if noResponse > 0 {
		text += fmt.Sprintf(", %s of payments that may not have been accepted", data.FormatCount(noResponse))
	}
	return text
}

// exit logs the verdict and the sources of presets, unless the script's handleSummary has shown them. The exit status is
// k6's: an invalid run or a fault fails the test by a threshold, if the script has one.
func (t *Test) exit() {
	t.mu.Lock()
	shown, used := t.shown, t.given != nil && t.ended
	t.mu.Unlock()
	if shown || !used {
		return
	}
	if res := t.outcome(); res != nil {
		t.log(res)
		for _, source := range report.Sources(res.Presets) {
			t.init.Logger.Infof("thresholds %s", source)
		}
	} else {
		t.init.Logger.Error("INVALID: " + t.whyNoResult())
	}
}

// log logs the verdict with its reasons.
func (t *Test) log(res *result.Result) {
	log := t.init.Logger.Error
	if res.Outcome == result.Pass {
		log = t.init.Logger.Info
	}
	why := report.Why(*res)
	log(strings.ToUpper(string(res.Outcome)) + ": " + why[0])
	for _, reason := range why[1:] {
		log("- " + reason)
	}
}

// outcome is the result, completed with k6's figures and verdicts once all metrics are in; nil without a run.
func (t *Test) outcome() *result.Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.result == nil {
		return nil
	}
	res := *t.result
	res.Iterations = counted(t.state.BuiltinMetrics.Iterations)
	res.Dropped = counted(t.state.BuiltinMetrics.DroppedIterations)
	t.observe(&res)
	res.Reasons = t.run.Invalid(&res)
	res.Judge()
	return &res
}

// counted is what k6 counted; it is called when nothing is pushed any more.
func counted(m *metrics.Metric) int64 {
	sink, ok := m.Sink.(*metrics.CounterSink)
	if !ok {
		return 0
	}
	return int64(sink.Value)
}

// k6's events; their type is internal to k6. Tests run k6 itself and fail if the numbers change.
const (
	testEnd = 3 // iterations and teardown are over, metrics are still accepted
	exit    = 6 // k6 is about to exit, after the summary
)

// follow closes the run when the test ends, and logs the verdict when k6 exits, after which k6 closes the channel. Without
// these events, for example outside of a test, there is no result.
func (t *Test) follow(events common.Events) {
	if v := reflect.ValueOf(events.Global); !v.IsValid() || v.IsNil() {
		return
	}
	_, received := events.Global.Subscribe(testEnd, exit)
	go func() {
		for e := range received {
			switch e.Type {
			case testEnd:
				t.end()
			case exit:
				t.exit()
			}
			e.Done()
		}
	}()
}

// kind is the kind of a failure. The report counts failures by status; the log says why without
// any code in the script, also of a request that is then sent again with a new access token.
type kind struct {
	operation gateway.Operation
	status    int
	why       string // the API's error code, or k6's if there is no response
}

// mostKinds limits how many kinds are logged: a gateway may have a code for each request.
const mostKinds = 20

// failed logs a failed exchange if it is the first of its kind.
func (t *Test) failed(x *gateway.Exchange) {
	of := kind{x.Request.Operation, x.Status, x.Code()}
	switch {
	case x.Status == 0:
		of.why = x.ErrorCode
	case x.Invalid != nil:
		of.why = "invalid"
	}
	t.failures.Lock()
	first := !t.failures.told[of] && len(t.failures.told) < mostKinds
	if first {
		t.failures.told[of] = true
	}
	t.failures.Unlock()
	if first {
		t.init.Logger.Warnf("%s (only the first of its kind is logged; the report counts failed calls and rejected access tokens)", x.Failure())
	}
}
