package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/merge"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

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

type mergeCmd struct {
	baselineFlag

	From   []string `arg:"" name:"report" type:"path" help:"Merge these reports."`
	Report string   `required:"" type:"path" placeholder:"DIR" help:"Write the merged report to this directory."`
	Quiet  bool     `short:"q" help:"Print only the outcome and likely causes of failure."`
}

func (*mergeCmd) Help() string {
	return `Merges the reports of shards, or of runs of different rules, on the same target with the same version. If a scenario is in several reports, the most severe verdict counts. If a shard is missing, the outcome is incomplete. Shards of different features, pixcert's or your own, are refused; a report that is much older than the others is named. Evidence, target logs and the records of --keep-all are merged too.

If the runs used a baseline, pass it here too.

Exit status: as for pixcert certify.

Examples:
  pixcert certify pixcert.yaml --shard 1/2 --report report-1
  pixcert certify pixcert.yaml --shard 2/2 --report report-2
  pixcert merge report-1 report-2 --report report`
}

func (c *mergeCmd) Run(to *console, status *int) error {
	var reports []verdict.Report
	for _, dir := range c.From {
		if dir == c.Report {
			return fmt.Errorf("--report %s: cannot overwrite a report to merge; choose another directory", dir)
		}
		one, err := report.Read(dir)
		if err != nil {
			return err
		}
		reports = append(reports, verdict.Report{Name: dir, Run: one})
	}
	merged, err := merge.Merge(reports)
	if err != nil {
		return err
	}
	for _, r := range reports {
		if r.Run.Baseline != nil && c.Baseline == "" {
			return fmt.Errorf("%s used a baseline; add --baseline %s", r.Name, r.Run.Baseline.File)
		}
	}
	known, err := c.known(catalogue.Own{}, reports...)
	if err != nil {
		return err
	}
	if stale := merge.Stale(reports); stale != "" {
		fmt.Fprintf(to.err, "pixcert: note: %s\n", stale)
	}
	actions := startActions(to)
	defer actions.end()
	known.apply(merged.Run)
	files, err := c.files(to, merged)
	if err != nil {
		return err
	}
	if err := report.Write(c.Report, merged.Run, files...); err != nil {
		return err
	}
	options := displayOf(to.out)
	options.Report, options.Quiet = c.Report, c.Quiet
	progress.New(to.out, options).Done(merged.Run, c.Report)
	*status = merged.Run.Outcome().ExitStatus()
	return actions.report(merged.Run, c.Report)
}

// files returns the other files of the reports: evidence, logs and records.
func (c *mergeCmd) files(to *console, merged merge.Merged) ([]report.File, error) {
	var all []report.File
	for i, s := range merged.Run.Scenarios {
		all = append(all, evidenceOf(s, c.From[merged.Sources[i]])...)
	}
	if merged.Run.Log != "" {
		all = append(all, report.File{Name: report.LogFile, Write: c.writeLogs})
	}
	records, err := c.records(to, merged.Run)
	if records != nil {
		all = append(all, report.File{Name: report.RecordsFile, Write: records.WriteAgain})
	}
	return all, err
}

// evidenceOf copies the evidence of a scenario of another report, since verdict.json may have cut long requests.
func evidenceOf(s verdict.Scenario, dir string) (all []report.File) {
	for _, name := range report.EvidenceOf(s) {
		source := filepath.Join(dir, filepath.FromSlash(name))
		if _, err := os.Stat(source); err == nil {
			all = append(all, report.File{Name: filepath.FromSlash(name), Write: func(w io.Writer) error { return copyFile(w, source) }})
		}
	}
	return all
}

func copyFile(w io.Writer, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(w, file)
	return err
}

// writeLogs writes the logs of the targets one after another.
func (c *mergeCmd) writeLogs(w io.Writer) error {
	for _, dir := range c.From {
		path := filepath.Join(dir, report.LogFile)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if _, err := fmt.Fprintf(w, "==> %s <==\n", filepath.Join(filepath.Base(dir), report.LogFile)); err != nil {
			return err
		}
		if err := copyFile(w, path); err != nil {
			return err
		}
	}
	return nil
}

// records returns the records of all reports; nil if a report has none.
func (c *mergeCmd) records(to *console, result *verdict.Run) (*run.Evidence, error) {
	var all *run.Evidence
	without := ""
	for _, dir := range c.From {
		file := filepath.Join(dir, report.RecordsFile)
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			without = dir
			continue
		}
		evidence, err := readEvidence(file)
		if err != nil {
			return nil, err
		}
		switch {
		case all == nil:
			all = evidence
		case !reflect.DeepEqual(all.Terms, evidence.Terms):
			fmt.Fprintf(to.err, "pixcert: note: %s was recorded with a different profile, so the merged report has no records\n", dir)
			return nil, nil
		default:
			all.Records = slices.Concat(all.Records, evidence.Records)
			if len(all.Own.Sources) == 0 {
				all.Own = evidence.Own
			}
		}
	}
	if all == nil {
		return nil, nil
	}
	if without != "" {
		fmt.Fprintf(to.err, "pixcert: note: %s has no records, so the merged report has none\n", without)
		return nil, nil
	}
	all.Run = *result
	return all, nil
}
