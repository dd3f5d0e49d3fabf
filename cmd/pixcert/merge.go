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
	"github.com/pixcert/pixcert/steps/exchange"
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
	languageFlag

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

func (c *mergeCmd) Run(to *console, status *int) (err error) {
	relaxGC()
	if slices.Contains(c.From, c.Report) {
		return fmt.Errorf("--report %s: cannot overwrite a report to merge; choose another directory", c.Report)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, report.NotRun(c.Report, err))
		}
	}()
	var reports []verdict.Report
	ours := true
	for _, dir := range c.From {
		one, err := readPast(dir)
		if err != nil {
			return err
		}
		ours = ours && one.ours
		reports = append(reports, verdict.Report{Name: dir, Run: one.Run})
	}
	merged, err := merge.Merge(reports)
	if err != nil {
		return err
	}
	for _, r := range reports {
		if r.Run.Baseline != nil && c.Baseline == "" {
			return fmt.Errorf("%s used a baseline; add --baseline %s", r.Name, exchange.Line(r.Run.Baseline.File))
		}
	}
	known, err := c.known(catalogue.Own{}, reports...)
	if err != nil {
		return err
	}
	if stale := merge.Stale(reports); stale != "" {
		fmt.Fprintf(to.err, "pixcert: note: %s\n", stale)
	}
	known.apply(merged.Run)
	files, err := c.files(to, merged)
	if err != nil {
		return err
	}
	if err := wordsIn(to.language).Write(c.Report, merged.Run, files...); err != nil {
		return err
	}
	if ours {
		remember(c.Report)
	}
	noteOmitted(to, merged.Run)
	options := to.display()
	options.Report, options.Quiet = c.Report, c.Quiet
	progress.New(to.out, options).Done(merged.Run, c.Report)
	*status = merged.Run.Outcome().ExitStatus()
	to.annotate(merged.Run, c.Report)
	return nil
}

// files returns the other files of the reports: evidence, logs and records.
func (c *mergeCmd) files(to *console, merged merge.Merged) ([]report.File, error) {
	var all []report.File
	for i, s := range merged.Run.Scenarios {
		copies, err := report.EvidenceFrom(c.From[merged.Sources[i]], s)
		if err != nil {
			return nil, err
		}
		all = append(all, copies...)
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

// writeLogs writes the logs of the targets one after another: of each the end, if all do not fit.
func (c *mergeCmd) writeLogs(w io.Writer) error {
	for _, dir := range c.From {
		log, err := report.ReadLog(dir, mostLogs/len(c.From))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "==> %s <==\n%s", filepath.Join(filepath.Base(dir), report.LogFile), log); err != nil {
			return err
		}
	}
	return nil
}

// mostLogs is how much of a merged report is logs, in bytes.
const mostLogs = 4 << 20

// noteOmitted says what a report leaves out.
func noteOmitted(to *console, written *verdict.Run) {
	if written.Omitted != "" {
		to.note(to.language.Sayf("the report leaves out %s", to.language.Recorded(written.Omitted)))
	}
}

// records returns the records of all reports; nil if a report has none.
func (c *mergeCmd) records(to *console, result *verdict.Run) (*run.Evidence, error) {
	var all *run.Evidence
	without := ""
	for _, dir := range c.From {
		if _, err := os.Lstat(filepath.Join(dir, report.RecordsFile)); errors.Is(err, fs.ErrNotExist) {
			without = dir
			continue
		}
		evidence, err := readEvidence(dir)
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
