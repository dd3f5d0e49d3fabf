package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/replay"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// The scenarios of so many causes run on the reference, too.
const mostReferenceCauses = 8

// referenceTimeout is for how long they may run: who wants a quick run does not wait long for its report.
func (c *certifyCmd) referenceTimeout() time.Duration {
	if c.Depth == verdict.Quick || c.FailFast {
		return 3 * time.Second
	}
	return 15 * time.Second
}

// addReferenceResponses runs the scenarios that show the first causes of failure on the bundled reference, and adds its
// responses to the result, for the report. What does not work, or takes too long, is left out: the verdicts do not
// depend on it. The options have the user's own features, and the secrets of the run, which those features may send.
func (c *certifyCmd) addReferenceResponses(ctx context.Context, to *console, result *verdict.Run, options run.Options, display progress.Progress) {
	causes := result.Causes()
	var shown []verdict.Scenario
	for _, cause := range causes[:min(len(causes), mostReferenceCauses)] {
		shown = append(shown, cause.Scenario)
	}
	options.Scenarios = result.Rerun(shown)
	if len(options.Scenarios) == 0 || ctx.Err() != nil {
		return
	}
	display.Waiting("the responses of the bundled reference gateway to the requests that fail")
	limited, cancel := context.WithTimeoutCause(ctx, c.referenceTimeout(), fmt.Errorf("it took longer than %v", c.referenceTimeout()))
	defer cancel()
	options.Whole, options.Once, options.Seed, options.Version, options.Strict = true, true, result.Seed, version(), result.Strict
	of, err := onReference(limited, options)
	switch {
	case ctx.Err() != nil:
	case err != nil || of.Ended != nil:
		to.note(to.language.Sayf("the report does not have all responses of the reference gateway: %v", cmp.Or(context.Cause(limited), err, errors.New("the run on it ended early"))))
	case len(causes) > len(shown):
		to.note(to.language.Sayf("the report has the responses of the reference gateway for the first %d of %d likely causes", len(shown), len(causes)))
	}
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

// onReference runs scenarios on the bundled reference gateway.
func onReference(ctx context.Context, options run.Options) (*verdict.Run, error) {
	gateway, stop, err := bundled(ctx, reference.Config{})
	if err != nil {
		return nil, err
	}
	defer stop()
	options.Target = gateway
	return run.Certify(ctx, options)
}
