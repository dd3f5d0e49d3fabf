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

// k6's events, whose type is its own.
const (
	testEnd = 3 // iterations and teardown are over, metrics are still taken
	exit    = 6 // k6 is about to end, after the summary
)

// follow closes the books when the test has ended, and judges the run when k6 exits. The
// channel is closed by k6, after the last event.
func (t *test) follow(events common.Events) {
	if v := reflect.ValueOf(events.Global); !v.IsValid() || v.IsNil() {
		return // outside of a test
	}
	_, received := events.Global.Subscribe(testEnd, exit)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM) // k6 hears them too, and ends the test
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

// end closes the books, once, and tells k6 what they say.
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
	interrupted := t.interrupted.Load() // what comes later interrupts the end alone
	if n := r.Waiting(); n > 0 {
		doubt := ""
		if unheard := min(r.Unheard(), n); unheard > 0 {
			doubt = fmt.Sprintf(", %d of them of payments that may never have been taken", unheard)
		}
		t.logger.Infof("waiting at most %s for %d webhooks%s; then for look-ups and balances; another Ctrl+C ends without a report", r.Config().Drain, n, doubt)
	}
	res := r.Close(context.Background()) // which bounds each of its steps
	if res == nil || tick == nil {
		return
	}
	if n, first := r.Trouble(); n > 0 {
		t.logger.Errorf("the books are not closed: the gateway did not answer for %d payments or balances, first %s", n, first)
	}
	tick.conclude(time.Now(), res)
	t.mu.Lock()
	defer t.mu.Unlock()
	res.Presets = t.sources
	res.Interrupted = interrupted
	t.result = res
}

// exit ends k6 with the status of the run's outcome where k6 itself is content: a run is
// not to pass, for want of a threshold, when the generator was the bottleneck. Where k6 has
// nothing to complain of but thresholds, an invalid run ends as invalid all the same, unless
// one of them is proven: a pipeline is to tell a busy machine from a bad gateway.
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
		t.logger.Errorf("the run is wrong, and invalid besides: %s", reasons(res))
	}
	if complaint == nil && outcome.ExitStatus() != 0 || outcome == result.Invalid && crossed(complaint) {
		t.logger.Errorf("the run is %s: %s", outcome, reasons(res))
		os.Exit(outcome.ExitStatus())
	}
}

// judgeAlone holds the module's own thresholds against a result, for a script that asked
// for no summary, in which k6 would have told its verdicts. Of shared accounts the merge
// judges.
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

// crossed says whether an error of k6 is that of thresholds.
func crossed(err error) bool {
	var coded errext.HasExitCode
	return errors.As(err, &coded) && coded.ExitCode() == exitcodes.ThresholdsHaveFailed
}

// reasons are why a run that k6 is content with is not, in words.
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
		words = append(words, "it ended before its time")
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

// complaint is the error that k6 exits with: the type of the event's data is its own.
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

// outcome is the result, with what k6 knows once all metrics are in; nil without a run.
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

// counted is what k6 counted; nothing pushes any more when it is asked.
func counted(m *metrics.Metric) int64 {
	sink, ok := m.Sink.(*metrics.CounterSink)
	if !ok {
		return 0
	}
	return int64(sink.Value)
}

// cite tells once where the figures of presets come from.
func (t *test) cite(sources []preset.Source) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var order []string
	names := map[string][]string{} // by who says so
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
