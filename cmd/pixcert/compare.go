package main

import (
	"fmt"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/compare"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/verdict"
)

type compareCmd struct {
	baselineFlag

	Reports []string `arg:"" name:"report" help:"Compare these reports with the first one."`
	HTML    string   `name:"html" type:"path" placeholder:"FILE" help:"Also write an HTML page to this file."`
	JSON    bool     `name:"json" help:"Print JSON."`
}

func (*compareCmd) Help() string {
	return `Compares each report with the first: new failures, fixed ones, scenarios that can no longer be tested, warnings, open points that the gateway now handles differently, and speed. The reports may come from different runs, versions or gateways. With --baseline, the failures that it lists are known in all of them; otherwise, each report keeps the known failures of its own run.

Exit status: 0 nothing got worse; 1 a scenario fails that did not fail in the base and is no known failure, fails differently, or can no longer be tested; 2 a report could not be read.

Examples:
  pixcert compare report-main report
  pixcert compare report-main report --html comparison.html
  pixcert compare report-main report --baseline known.yaml
  pixcert compare report-acme report-other report-third --json`
}

func (c *compareCmd) Run(to *console, status *int) error {
	if len(c.Reports) < 2 {
		return fmt.Errorf("expected at least two reports, got %d: pass the base, then the others", len(c.Reports))
	}
	var reports []verdict.Report
	for _, dir := range c.Reports {
		run, err := report.Read(dir)
		if err != nil {
			return err
		}
		reports = append(reports, verdict.Report{Name: dir, Run: run})
	}
	known, err := c.known(catalogue.Own{}, reports...)
	if err != nil {
		return err
	}
	for _, r := range reports {
		known.apply(r.Run)
	}
	comparison := compare.Reports(reports)
	if c.HTML != "" {
		if err := report.Create(c.HTML, comparison.WriteHTML); err != nil {
			return fmt.Errorf("--html: %w", err)
		}
	}
	if comparison.Worse() {
		*status = 1
	}
	if c.JSON {
		return comparison.WriteJSON(to.data)
	}
	return comparison.WriteText(to.out)
}
