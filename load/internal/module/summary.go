package module

import (
	"bytes"
	"fmt"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/report"
	"github.com/pixcert/pixcert/load/internal/result"
)

// summary returns the text of the run for the terminal, from the data of k6's handleSummary. The
// script decides where it goes.
func (i *instance) summary(call sobek.FunctionCall) sobek.Value {
	t := i.module.current
	of, res := i.concluded("summary", call)
	var text bytes.Buffer
	_ = report.Terminal(&text, res, of.Color) // a buffer takes all
	t.mu.Lock()
	t.shown = true
	t.mu.Unlock()
	return i.vu.Runtime().ToValue(text.String())
}

// result returns the result of the run as JSON, from the data of k6's handleSummary.
func (i *instance) result(call sobek.FunctionCall) sobek.Value {
	_, res := i.concluded("result", call)
	text, err := result.Encode(res)
	if err != nil {
		common.Throw(i.vu.Runtime(), fmt.Errorf("result: %w", err))
	}
	return i.vu.Runtime().ToValue(string(text))
}

// concluded reads the data of k6's handleSummary, or throws an error that starts with the function's name.
func (i *instance) concluded(name string, call sobek.FunctionCall) (result.Summary, result.Result) {
	rt := i.vu.Runtime()
	of, err := result.ReadSummary(argument(rt, call.Argument(0)))
	if err != nil {
		common.Throw(rt, fmt.Errorf("%s: %w", name, err))
	}
	return of, i.module.current.conclusion(of.Checks)
}

// conclusion is the result with the verdicts on thresholds and the script's checks. Without a run,
// it says why there was none.
func (t *test) conclusion(of []result.Check) result.Result {
	res := t.outcome()
	if res == nil {
		nothing := result.Reason{Figure: result.Nothing, Detail: t.whyNoResult()}
		return result.Result{Schema: result.Schema, Run: t.name(), Script: t.config.Script, Instances: 1, Outcome: result.Invalid, Reasons: []result.Reason{nothing}}
	}
	res.Checks = of
	return *res
}

// name is the id of the run; empty: the script has no gateway.
func (t *test) name() string {
	if t.options == nil {
		return ""
	}
	return t.runID()
}

// whyNoResult explains why there is no result.
func (t *test) whyNoResult() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case gateway.Exhausted(t.refused):
		return "generator: the run could not be prepared: " + t.refused.Error()
	case t.refused != nil:
		return "the run could not be prepared: " + t.refused.Error()
	case t.given == nil:
		return "the script has no Client"
	}
	return "nothing was measured: the script did not call the gateway"
}
