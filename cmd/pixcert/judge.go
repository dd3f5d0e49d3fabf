package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/untrusted"
	"github.com/pixcert/pixcert/steps/verdict"
)

type judgeCmd struct {
	baselineFlag
	languageFlag

	From   string `arg:"" name:"report" default:"report" type:"path" help:"Judge this report, recorded with --keep-all."`
	Report string `type:"path" placeholder:"DIR" help:"Write a new report to this directory."`
}

func (*judgeCmd) Help() string {
	return `Reads records.json.gz of the report, judges every scenario again and prints the verdicts that changed. The records contain placeholders instead of secrets, so you can do this on any machine.

Exit status: as for pixcert certify.

Examples:
  pixcert certify pixcert.yaml --keep-all
  pixcert judge report
  pixcert judge report --report report-again`
}

func (c *judgeCmd) Run(to *console, status *int) error {
	relaxGC()
	if c.Report == c.From {
		return fmt.Errorf("--report %s: cannot overwrite the report being judged; choose another directory", c.Report)
	}
	evidence, err := readEvidence(c.From)
	if err != nil {
		return err
	}
	known, err := c.known(evidence.Own)
	if err != nil {
		return err
	}
	result, err := evidence.Judge()
	if err != nil {
		return err
	}
	known.apply(result)
	if c.Report != "" {
		if err := wordsIn(to.language).Write(c.Report, result); err != nil {
			return err
		}
		noteOmitted(to, result)
	}
	options := to.display()
	options.Report = report.UnlessDefault(cmp.Or(c.Report, c.From))
	differ := differences(to.language, &evidence.Run, result)
	in := to.language
	fmt.Fprintln(to.out, in.SayN(len(differ), "Judged %s from %s, recorded on %s by pixcert %s: %d verdict differs from the original run", "Judged %s from %s, recorded on %s by pixcert %s: %d verdicts differ from the original run",
		in.SayCount(result.Summary().Scenarios.Total(), "scenario"), in.SayCount(len(evidence.Records), "record"),
		evidence.Run.Started.Format("2006-01-02 15:04"), evidence.Run.Version, len(differ)))
	for _, line := range differ {
		fmt.Fprintln(to.out, "  "+line)
	}
	progress.New(to.out, options).Done(result, c.Report)
	*status = result.Outcome().ExitStatus()
	return nil
}

// readEvidence reads the records of the report in dir.
func readEvidence(dir string) (*run.Evidence, error) {
	f, err := untrusted.Open(dir, report.RecordsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s does not exist; record a run with pixcert certify --keep-all", filepath.Join(dir, report.RecordsFile))
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	evidence, err := run.ReadEvidence(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, report.RecordsFile), err)
	}
	return evidence, nil
}

// differences lists the scenarios whose verdict differs between two runs.
func differences(in translation.Language, before, now *verdict.Run) []string {
	was := map[string]verdict.Verdict{}
	for _, s := range before.Scenarios {
		was[s.ID()] = s.Verdict
	}
	var lines []string
	for _, s := range now.Scenarios {
		switch v, known := was[s.ID()]; {
		case !known:
			lines = append(lines, in.Sayf("%s: not judged, now %s", s.ID(), s.Verdict.In(in)))
		case v != s.Verdict:
			lines = append(lines, in.Sayf("%s: %s, now %s", s.ID(), v.In(in), s.Verdict.In(in)))
		}
		delete(was, s.ID())
	}
	for id, v := range was {
		lines = append(lines, in.Sayf("%s: %s, now not judged", id, v.In(in)))
	}
	slices.Sort(lines)
	return lines
}
