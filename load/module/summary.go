package module

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"

	"github.com/pixcert/pixcert/load/report"
	"github.com/pixcert/pixcert/load/result"
)

// reportDir is where the files of a report go.
func (t *test) reportDir() string { return first(t.options.Report, "report/load") }

// replaced tells of the report of another run in the folder, which this run's takes the
// place of.
func (t *test) replaced() {
	dir := t.reportDir()
	if old, err := result.Read(filepath.Join(dir, report.ResultFile)); err == nil {
		t.logger.Warnf("the report of run %s in %s is replaced by that of run %s: PIX_REPORT or the option report names another folder", old.Run, dir, t.runID())
	}
}

// handleSummary is k6's handleSummary for scripts to export: it writes the report and
// gives k6 the text for the terminal.
func (i *instance) handleSummary(call sobek.FunctionCall) sobek.Value {
	rt := i.vu.Runtime()
	t := i.module.current
	res := t.outcome()
	if res == nil {
		return rt.ToValue(map[string]any{"stdout": "pix: there is nothing to report: " + t.unbegun() + "\n"})
	}
	summary := argument(rt, call.Argument(0))
	if err := t.judge(res, func() error { return res.ReadSummary(summary) }); err != nil {
		common.Throw(rt, fmt.Errorf("handleSummary: %w", err))
	}
	t.colour = coloured(summary)
	var text bytes.Buffer
	if err := t.report(&text, res); err != nil {
		common.Throw(rt, fmt.Errorf("handleSummary: %w", err))
	}
	return rt.ToValue(map[string]any{"stdout": text.String()})
}

// judge takes over the verdicts on thresholds. Whether the run is valid depends on those of
// limits on latency, and that on pix_invalid on whether the run is valid.
func (t *test) judge(res *result.Result, verdicts func() error) error {
	if err := verdicts(); err != nil {
		return err
	}
	res.Validity = t.run.Judge(res, true)
	return verdicts()
}

// unbegun is why there is no result, in words.
func (t *test) unbegun() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if errors.Is(t.refused, errUnsent) {
		return t.refused.Error()
	}
	if t.refused != nil {
		return "the gateway could not be made ready: " + t.refused.Error()
	}
	return "no gateway was called"
}

// report writes the files of a report, and its text to w. It is done once: a script that
// does not export handleSummary has it at the end of k6, with the verdicts on own
// thresholds.
func (t *test) report(w io.Writer, res *result.Result) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shown = true
	dir := t.reportDir()
	t.replaced() // the folder was empty when this run began
	if err := report.Write(dir, *res); err != nil {
		return err
	}
	if err := report.Terminal(w, *res, t.colour); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n  report: %s\n", dir)
	return err
}

// coloured says whether k6 writes to a terminal that shows colours.
func coloured(summary []byte) bool {
	var of struct {
		State struct {
			Terminal bool `json:"isStdOutTTY"`
		} `json:"state"`
		Options struct {
			Plain bool `json:"noColor"`
		} `json:"options"`
	}
	return json.Unmarshal(summary, &of) == nil && of.State.Terminal && !of.Options.Plain
}
