package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/compare"
	"github.com/pixcert/pixcert/steps/history"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/shell"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

type compareCmd struct {
	baselineFlag
	languageFlag

	Reports []string `arg:"" optional:"" name:"report" help:"Compare these reports with the first one."`
	History string   `type:"path" placeholder:"DIR" help:"Also show the trend of the runs in this history."`
	HTML    string   `name:"html" type:"path" placeholder:"FILE" help:"Also write an HTML page to this file."`
	JSON    bool     `name:"json" help:"Print JSON."`
}

func (*compareCmd) Help() string {
	return `Compares each report with the first: new failures, fixed ones, scenarios that can no longer be tested, warnings, open points that the gateway now handles differently, and speed. The reports may come from different runs, versions or gateways. With --baseline, the failures that it lists are known in all of them; otherwise, each report keeps the known failures of its own run.

--history shows what the last 20 runs of certify --history have in common with the last report: rules that fail in some of them only, and operations that became slower. Without reports, it is about the latest run.

Exit status: 0 nothing got worse; 1 a scenario fails that did not fail in the base and is no known failure, fails differently, or can no longer be tested; 2 a report could not be read.

Examples:
  pixcert compare report-main report
  pixcert compare report-main report --html comparison.html
  pixcert compare report-main report --baseline known.yaml
  pixcert compare report-acme report-other report-third --json
  pixcert compare --history history
  pixcert compare report-main report --language pt`
}

func (c *compareCmd) Run(to *console, status *int) error {
	if c.History != "" && len(c.Reports) == 0 {
		return c.showHistory(to)
	}
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
	if c.History != "" {
		entries, skipped, err := history.Read(c.History)
		if err != nil {
			return err
		}
		comparison.History = history.TrendOf(entries, history.SettingIn(entries, reports[len(reports)-1].Run), skipped)
	}
	shown := compare.Reports(translatedReports(reports, to.language)) // what programs read stays English
	shown.History = comparison.History
	if c.HTML != "" {
		page := func(w io.Writer) error { return shown.WriteHTML(w, to.language) }
		if err := report.Create(c.HTML, page); err != nil {
			return fmt.Errorf("--html: %w", err)
		}
	}
	if comparison.Worse() {
		*status = 1
	}
	if c.JSON {
		return comparison.WriteJSON(to.data)
	}
	return shown.WriteText(to.out, to.language)
}

// translatedReports are reports with what the features say in a language.
func translatedReports(reports []verdict.Report, in translation.Language) []verdict.Report {
	words := wordsIn(in)
	translated := slices.Clone(reports)
	for i, r := range translated {
		translated[i].Run = words.Translated(r.Run)
	}
	return translated
}

// showHistory shows a history without reports: that of the latest run's setting.
func (c *compareCmd) showHistory(to *console) error {
	if c.HTML != "" {
		return errors.New("--html: a page needs reports to compare; omit it, or pass reports")
	}
	entries, skipped, err := history.Read(c.History)
	if err != nil {
		return err
	}
	latest, found := history.Last(entries)
	if !found {
		return fmt.Errorf("--history: %s has no runs yet: run pixcert certify --history %s", c.History, shell.Quote(c.History))
	}
	trend := history.TrendOf(entries, latest, skipped)
	if c.JSON {
		return wording.JSON(to.data, trend)
	}
	return trend.WriteText(to.out, to.language)
}
