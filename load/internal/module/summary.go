package module

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"

	"github.com/pixcert/pixcert/load/internal/report"
	"github.com/pixcert/pixcert/load/internal/result"
)

// reportDir is the folder of the report.
func (t *test) reportDir() string { return cmp.Or(t.options.Report, "report/load") }

// replaced warns that this run's report replaces the report of another run.
func (t *test) replaced() {
	dir := t.reportDir()
	if old, err := result.Read(filepath.Join(dir, report.ResultFile)); err == nil {
		t.logger.Warnf("the report of run %s in %s is replaced by that of run %s: to keep both, set another folder with PIX_REPORT or the option report", old.Run, dir, t.runID())
	}
}

// handleSummary is k6's handleSummary for scripts to export: it writes the report and
// returns the text for the terminal.
func (i *instance) handleSummary(call sobek.FunctionCall) sobek.Value {
	rt := i.vu.Runtime()
	t := i.module.current
	res := t.outcome()
	if res == nil {
		return rt.ToValue(map[string]any{"stdout": "pix: no report: " + t.whyNoResult() + "\n"})
	}
	summary := argument(rt, call.Argument(0))
	if err := errors.Join(res.ReadChecks(summary), t.judge(res)); err != nil {
		common.Throw(rt, fmt.Errorf("handleSummary: %w", err))
	}
	t.colour = coloured(summary)
	var text bytes.Buffer
	if err := t.report(&text, res); err != nil {
		common.Throw(rt, fmt.Errorf("handleSummary: %w", err))
	}
	return rt.ToValue(map[string]any{"stdout": text.String()})
}

// judge adds the verdicts on thresholds. Whether the run is valid depends on the verdicts on
// latency, and the verdict on pix_invalid depends on whether the run is valid.
func (t *test) judge(res *result.Result) error {
	if err := res.Adopt(t.thresholds()); err != nil {
		return err
	}
	res.Validity = t.run.Judge(res, true)
	return res.Adopt(t.thresholds())
}

// whyNoResult explains why there is no result.
func (t *test) whyNoResult() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if errors.Is(t.refused, errUnsent) {
		return t.refused.Error()
	}
	if t.refused != nil {
		return "the run could not be prepared: " + t.refused.Error()
	}
	return "nothing was measured: the script did not call the gateway"
}

// report writes the files of a report, and its text to w. If a script does not export
// handleSummary, this happens when k6 exits.
func (t *test) report(w io.Writer, res *result.Result) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shown = true
	dir := t.reportDir()
	t.replaced() // the folder was cleared when this run began
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
