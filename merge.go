package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/merge"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// shard is the value of --shard.
type shard verdict.Shard

func (s *shard) UnmarshalText(text []byte) error {
	index, of, _ := strings.Cut(string(text), "/")
	i, err := strconv.Atoi(index)
	n, err2 := strconv.Atoi(of)
	if err != nil || err2 != nil || i < 1 || n < i {
		return fmt.Errorf("expected a shard such as 2/4, got %q", text)
	}
	*s = shard{Index: i, Of: n}
	return nil
}

// mergeCmd is pixcert merge.
type mergeCmd struct {
	baselineFlag

	From   []string `arg:"" name:"report" type:"path" help:"Directories of the reports."`
	Report string   `required:"" type:"path" placeholder:"DIR" help:"Write the merged report to this directory."`
}

func (*mergeCmd) Help() string {
	return `Merges the reports of shards, or of runs of different rules, on the same target with the same version. Of a scenario in several reports, the most severe verdict counts. If a shard is missing, the result is incomplete. Evidence, target logs and the records of --keep-all are merged too.

If the runs had a baseline, pass it here too.

Exit status: as for pixcert certify.

Examples:
  pixcert certify pixcert.yaml --shard 1/2 --report report-1
  pixcert certify pixcert.yaml --shard 2/2 --report report-2
  pixcert merge report-1 report-2 --report report`
}

func (c *mergeCmd) Run(to *console, status *int) error {
	known, err := c.known()
	if err != nil {
		return err
	}
	var reports []merge.Report
	for _, dir := range c.From {
		if dir == c.Report {
			return fmt.Errorf("--report %s: that is one of the reports to merge; choose another directory", dir)
		}
		one, err := report.Read(dir)
		if err != nil {
			return err
		}
		if one.Baseline != nil && c.Baseline == "" {
			return fmt.Errorf("%s was made with a baseline: add --baseline %s", dir, one.Baseline.File)
		}
		reports = append(reports, merge.Report{Name: dir, Run: one})
	}
	merged, err := merge.Merge(reports)
	if err != nil {
		return err
	}
	actions := startActions(to)
	defer actions.end()
	known.apply(merged.Run)
	if err := c.write(to, merged); err != nil {
		return err
	}
	options := displayOf(to.out)
	options.Report = c.Report
	progress.New(to.out, options).Done(merged.Run, c.Report)
	*status = merged.Run.Outcome().ExitStatus()
	return actions.report(merged.Run)
}

// write writes the merged report, with what the reports have besides their verdicts.
func (c *mergeCmd) write(to *console, merged merge.Merged) error {
	if err := report.CheckWritable(c.Report); err != nil {
		return err
	}
	if err := report.Remove(c.Report); err != nil {
		return err
	}
	if err := report.Write(c.Report, merged.Run); err != nil {
		return err
	}
	for i, s := range merged.Run.Scenarios {
		if err := report.CopyEvidence(c.From[merged.Sources[i]], c.Report, s); err != nil {
			return err
		}
	}
	if err := c.writeLogs(); err != nil {
		return err
	}
	return c.writeRecords(to, merged.Run)
}

// writeLogs writes the logs of the targets one after another.
func (c *mergeCmd) writeLogs() error {
	var all []byte
	for _, dir := range c.From {
		log, err := os.ReadFile(filepath.Join(dir, report.LogFile))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		all = append(all, fmt.Sprintf("==> %s <==\n", filepath.Join(filepath.Base(dir), report.LogFile))...)
		all = append(all, log...)
	}
	if all == nil {
		return nil
	}
	return report.WriteLog(c.Report, all)
}

// writeRecords writes the records of all reports as one, if all have them.
func (c *mergeCmd) writeRecords(to *console, result *verdict.Run) error {
	var all *run.Evidence
	for _, dir := range c.From {
		file := filepath.Join(dir, report.RecordsFile)
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			if all != nil {
				fmt.Fprintf(to.err, "pixcert: note: %s has no records: the merged report has none either\n", dir)
			}
			return nil
		}
		evidence, err := readEvidence(file)
		if err != nil {
			return err
		}
		switch {
		case all == nil:
			all = evidence
		case !reflect.DeepEqual(all.Terms, evidence.Terms):
			fmt.Fprintf(to.err, "pixcert: note: %s was recorded with another profile: the merged report has no records\n", dir)
			return nil
		default:
			all.Records = slices.Concat(all.Records, evidence.Records)
		}
	}
	all.Run = *result
	return report.WriteRecords(c.Report, all.WriteAgain)
}
