package module

import (
	"bytes"
	"encoding/json"
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
	rt, t := i.vu.Runtime(), i.module.current
	data, of, err := readSummary(rt, call.Argument(0))
	if err != nil {
		common.Throw(rt, fmt.Errorf("summary: %w", err))
	}
	res, err := t.conclusion(of)
	if err != nil {
		common.Throw(rt, fmt.Errorf("summary: %w", err))
	}
	var text bytes.Buffer
	if err := report.Terminal(&text, res, colored(data)); err != nil {
		common.Throw(rt, fmt.Errorf("summary: %w", err))
	}
	t.mu.Lock()
	t.shown = true
	t.mu.Unlock()
	return rt.ToValue(text.String())
}

// result returns the result of the run as JSON, from the data of k6's handleSummary.
func (i *instance) result(call sobek.FunctionCall) sobek.Value {
	rt := i.vu.Runtime()
	_, of, err := readSummary(rt, call.Argument(0))
	if err != nil {
		common.Throw(rt, fmt.Errorf("result: %w", err))
	}
	res, err := i.module.current.conclusion(of)
	if err != nil {
		common.Throw(rt, fmt.Errorf("result: %w", err))
	}
	text, err := result.Encode(res)
	if err != nil {
		common.Throw(rt, fmt.Errorf("result: %w", err))
	}
	return rt.ToValue(string(text))
}

func readSummary(rt *sobek.Runtime, v sobek.Value) (data []byte, of []result.Check, err error) {
	data = argument(rt, v)
	of, err = result.ReadChecks(data)
	return data, of, err
}

// conclusion is the result with the verdicts on thresholds and the script's checks. Without a run,
// it says why there was none.
func (t *test) conclusion(of []result.Check) (result.Result, error) {
	res := t.outcome()
	if res == nil {
		nothing := result.Reason{Figure: result.Nothing, Detail: t.whyNoResult()}
		return result.Result{Schema: result.Schema, Run: t.name(), Script: t.config.Script, Instances: 1, Outcome: result.Invalid, Reasons: []result.Reason{nothing}}, nil
	}
	res.Checks = of
	return *res, nil
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

// colored says whether k6 writes to a terminal that shows colors.
func colored(summary []byte) bool {
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
