package module

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"reflect"
	"strings"
	"syscall"
	"time"

	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/errext/exitcodes"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/metrics"

	"github.com/pixcert/pixcert/load/preset"
	"github.com/pixcert/pixcert/load/result"
)

// k6's events; their type is internal to k6.
const (
	testEnd = 3 // iterations and teardown are over, metrics are still accepted
	exit    = 6 // k6 is about to exit, after the summary
)

// follow closes the run when the test ends, and judges it when k6 exits. k6 closes the
// channel after the last event.
func (t *test) follow(events common.Events) {
	if v := reflect.ValueOf(events.Global); !v.IsValid() || v.IsNil() {
		return // outside of a test
	}
	_, received := events.Global.Subscribe(testEnd, exit)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM) // k6 receives them too, and ends the test
	go func() {
		for range signals {
			t.interrupted.Store(true)
		}
	}()
	go func() {
		for e := range received {
			switch e.Type {
			case testEnd:
				t.end()
			case exit:
				t.exit(e.Data)
			}
			e.Done()
		}
		signal.Stop(signals)
		close(signals)
	}()
}

// end closes the run, once, and reports its results to k6.
func (t *test) end() {
	t.mu.Lock()
	r, tick, starts := t.run, t.tick, t.starts
	t.mu.Unlock()
	for _, s := range starts {
		s.forget()
	}
	if r == nil {
		return
	}
	if tick != nil {
		tick.stop()
	}
	interrupted := t.interrupted.Load() // a later signal only interrupts the final look-ups
	if n := r.Waiting(); n > 0 {
		doubt := ""
		if unheard := min(r.Unheard(), n); unheard > 0 {
			doubt = fmt.Sprintf(", %d of them of payments that may not have been accepted", unheard)
		}
		t.logger.Infof("waiting up to %s for %d webhooks%s, then for look-ups and balances; press Ctrl+C again to end without a report", r.Config().Drain, n, doubt)
	}
	res := r.Close(context.Background()) // it limits the time of each step
	if res == nil || tick == nil {
		return
	}
	if n, first := r.Trouble(); n > 0 {
		t.logger.Errorf("the ledger is incomplete: %d final look-ups of payments and balances failed, the first with: %s", n, first)
	}
	tick.conclude(time.Now(), res)
	t.mu.Lock()
	defer t.mu.Unlock()
	res.Presets = t.sources
	res.Interrupted = interrupted
	t.result = res
}

// exit ends k6 with the exit status of the run's outcome if k6 itself found no error: a run
// in which the generator was the bottleneck must not pass because it has no threshold. If k6
// reports only failed thresholds, an invalid run still ends as invalid unless a failure is
// proven, so that CI can distinguish a busy machine from a bad gateway.
func (t *test) exit(data any) {
	res := t.outcome()
	if res == nil {
		return
	}
	if !t.reported() {
		err := t.judgeAlone(res)
		if err == nil {
			err = t.report(os.Stdout, res)
		}
		if err != nil {
			t.logger.WithError(err).Error("cannot write the report")
		}
	}
	outcome, complaint := res.Outcome(), complaint(data)
	if outcome == result.Wrong && !res.Validity.Valid {
		t.logger.Errorf("the run is wrong, and also invalid: %s", reasons(res))
	}
	if complaint == nil && outcome.ExitStatus() != 0 || outcome == result.Invalid && crossed(complaint) {
		t.logger.Errorf("the run is %s: %s", outcome, reasons(res))
		os.Exit(outcome.ExitStatus())
	}
}

// judgeAlone judges the module's own thresholds for a script without handleSummary, to which
// k6 would have passed its verdicts. Shared accounts are judged by the merge.
func (t *test) judgeAlone(res *result.Result) error {
	if t.run.Config().Shared {
		return nil
	}
	expressions := map[string][]string{}
	for metric, limits := range t.state.Options.Thresholds {
		for _, limit := range limits.Thresholds {
			expressions[metric] = append(expressions[metric], limit.Source)
		}
	}
	return t.judge(res, func() (err error) {
		res.Thresholds, err = res.Judge(expressions)
		return err
	})
}

// crossed says whether k6's error is about failed thresholds.
func crossed(err error) bool {
	var coded errext.HasExitCode
	return errors.As(err, &coded) && coded.ExitCode() == exitcodes.ThresholdsHaveFailed
}

// reasons are why a run fails although k6 found no error, in words.
func reasons(res *result.Result) string {
	if res.Validity.Valid && res.Capacity != nil && res.Measured() {
		return res.Capacity.String()
	}
	var words []string
	if !res.Measured() {
		words = append(words, "nothing was measured")
		if res.Threw() > 0 {
			words = append(words, fmt.Sprintf("%d of %d iterations threw an error", res.Threw(), res.Iterations))
		}
	}
	if res.Interrupted {
		words = append(words, "it ended early")
	}
	for _, r := range res.Validity.Reasons {
		if r.Detail != "" {
			words = append(words, r.Detail)
			continue
		}
		word := fmt.Sprintf("%s %.4g %s, expected at most %.4g", r.Figure, r.Value, r.Unit, r.Limit)
		if r.Note != "" {
			word += " (" + r.Note + ")"
		}
		words = append(words, word)
	}
	return strings.Join(words, "; ")
}

func (t *test) reported() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shown
}

// complaint is the error that k6 exits with; the type of the event's data is internal to k6.
func complaint(data any) error {
	v := reflect.Indirect(reflect.ValueOf(data))
	if v.Kind() != reflect.Struct {
		return nil
	}
	field := v.FieldByName("Error")
	if !field.IsValid() || field.IsNil() {
		return nil
	}
	err, _ := field.Interface().(error)
	return err
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
	var order []string
	names := map[string][]string{} // by source
	for _, s := range sources {
		if t.cited(s.Name) {
			continue
		}
		t.sources = append(t.sources, s)
		if names[s.Source] == nil {
			order = append(order, s.Source)
		}
		names[s.Source] = append(names[s.Source], s.Name)
	}
	for _, source := range order {
		t.logger.Infof("thresholds %s: %s", strings.Join(names[source], ", "), source)
	}
}

func (t *test) cited(name string) bool {
	for _, s := range t.sources {
		if s.Name == name {
			return true
		}
	}
	return false
}
