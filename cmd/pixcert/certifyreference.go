package main

import (
	"context"
	"time"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/replay"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// The scenarios of so many causes run on the reference, too, for at most so long.
const (
	causesBeside = 8
	timeBeside   = 15 * time.Second
)

// besideReference runs the scenarios that show the first causes of failure on the bundled reference, and adds its
// responses to the result, for the report. What does not work, or takes too long, is left out: the verdicts do not
// depend on it.
func besideReference(ctx context.Context, result *verdict.Run, own catalogue.Own) {
	causes := result.Causes()
	causes = causes[:min(len(causes), causesBeside)]
	var shown []verdict.Scenario
	for _, c := range causes {
		shown = append(shown, c.Scenario)
	}
	what := result.Rerun(shown)
	if len(what) == 0 || ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, timeBeside)
	defer cancel()
	gateway, stop, err := bundled(ctx, reference.Config{})
	if err != nil {
		return
	}
	defer stop()
	of, err := run.Certify(ctx, run.Options{
		Target: gateway, Scenarios: what, Own: own, Whole: true, Once: true, Seed: result.Seed, Version: version(), Strict: result.Strict,
	})
	if err != nil {
		return
	}
	for _, s := range shown {
		on, err := replay.ResultOf(of, s)
		if err != nil || !on.Holds() {
			continue
		}
		for i := range result.Scenarios {
			if one := &result.Scenarios[i]; one.ID() == s.ID() && one.Line == s.Line {
				one.Reference = replay.Counterpart(*one, on)
			}
		}
	}
}
