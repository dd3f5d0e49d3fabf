package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/merge"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// errNothingFailed says that --rerun-failed has nothing to do.
var errNothingFailed = errors.New("nothing failed")

// continued returns the last report under --rerun-failed, and selects its target unless the
// flags select one. Otherwise the report is empty.
func (c *certifyCmd) continued() (*verdict.Run, error) {
	if !c.RerunFailed {
		return &verdict.Run{}, nil
	}
	past, err := readPast(c.Report)
	if err != nil {
		return past.Run, err
	}
	if b := past.Baseline; b != nil && c.Baseline == "" {
		return past.Run, fmt.Errorf("the report in %s used the baseline %s; add --baseline %s", c.Report, exchange.Line(b.File), exchange.Line(b.File))
	}
	if len(past.Unfinished()) == 0 {
		return past.Run, errNothingFailed
	}
	return past.Run, c.gatewayFlags.takeFrom(past, &c.featuresFlag, "certify", "--rerun-failed")
}

// sameTarget reports why the last report cannot be continued: it would lose what it says about everything else.
func (c *certifyCmd) sameTarget(past *verdict.Run, now target.Profile, secrets *exchange.Redactor) error {
	if !c.RerunFailed {
		return nil
	}
	const instead = "run without --rerun-failed, or with another --report"
	for _, p := range [][2]string{{past.Target, secrets.Text(now.Name)}, {past.URL, secrets.Text(now.BaseURL)}} {
		if p[0] != p[1] && p[0] != "" {
			return fmt.Errorf("--rerun-failed: the report in %s is about %s, but this run would test %s: %s", c.Report, exchange.Line(p[0]), exchange.Line(p[1]), instead)
		}
	}
	if past.Version != version() {
		return fmt.Errorf("--rerun-failed: the report in %s is by pixcert %s, this is %s: %s", c.Report, exchange.Line(past.Version), version(), instead)
	}
	return nil
}

// continueReport adds what the last report has judged, and its files, to a run of what that has left open. The
// records of --keep-all are those of both, or none.
func (c *certifyCmd) continueReport(past, rest *verdict.Run, records *run.Evidence) (*verdict.Run, []report.File, error) {
	merged := merge.Continue(past, rest)
	if records != nil {
		earlier, err := readEvidence(c.Report)
		if err != nil {
			return nil, nil, fmt.Errorf("--keep-all: %w", err)
		}
		records.Records, records.Run = slices.Concat(earlier.Records, records.Records), *merged.Run
	}
	var files []report.File
	for i, s := range merged.Run.Scenarios {
		if merged.Sources[i] == merge.Past {
			copies, err := report.EvidenceFrom(c.Report, s)
			if err != nil {
				return nil, nil, err
			}
			files = append(files, copies...)
		}
	}
	return merged.Run, files, nil
}
