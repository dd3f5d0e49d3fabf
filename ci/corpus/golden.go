package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
)

// goldenFile has what an earlier judge said about the records of its directory: a line for each record, a line for each
// answer, and below it what was said.
//
//	= 12 cash-out.debit/The balance falls, attempt 0
//	7 step 3 judge
//		verdict: pass
const goldenFile = "golden.txt.gz"

// judged is a record with what the judge says about it.
type judged struct {
	name    string
	answers []answer
	record  *record.Record
	steps   []language.Step
}

// corpora lists the directories of recorded runs below dir, the largest first: none of them keeps the others waiting at
// the end.
func corpora(dir string) (all []string) {
	sizes := map[string]int64{}
	_ = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error { // what cannot be read has no records
		if err == nil && entry.Name() == report.RecordsFile {
			if info, err := entry.Info(); err == nil {
				sizes[filepath.Dir(path)] = info.Size()
				all = append(all, filepath.Dir(path))
			}
		}
		return nil
	})
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(sizes[b], sizes[a]) })
	return all
}

// eachRun calls do for the recorded runs below dir, several at the same time.
func eachRun(dir string, do func(dir string) error) error {
	all := corpora(dir)
	if len(all) == 0 {
		return fmt.Errorf("%s has no recorded runs; run corpus collect %s first", dir, dir)
	}
	var (
		running sync.WaitGroup
		mu      sync.Mutex
		failed  []error
	)
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, d := range all {
		room <- struct{}{}
		running.Go(func() {
			defer func() { <-room }()
			if err := do(d); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failed = append(failed, fmt.Errorf("%s: %w", d, err))
			}
		})
	}
	running.Wait()
	return errors.Join(failed...)
}

func readEvidence(dir string) (*run.Evidence, error) {
	f, err := os.Open(filepath.Join(dir, report.RecordsFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return run.ReadEvidence(f)
}

// judgeRun judges the records of a run, one by one.
func judgeRun(dir string, each func(judged)) error {
	return eachRecord(dir, func(rec *record.Record, name string, steps []language.Step, ok bool, of *run.Evidence) {
		j := judged{name: name, record: rec, steps: steps}
		if ok {
			j.answers = examine(rec, steps, &of.Terms, of.Run.ID)
		} else {
			j.answers = []answer{{-1, 0, "steps", "the features have changed since: this record is not judged\n"}}
		}
		each(j)
	})
}

// eachRecord calls do for the records of a run, with their steps; ok is false for one whose scenario has changed.
func eachRecord(dir string, do func(rec *record.Record, name string, steps []language.Step, ok bool, of *run.Evidence)) error {
	evidence, err := readEvidence(dir)
	if err != nil {
		return err
	}
	suite, err := run.Suite(evidence.Own)
	if err != nil {
		return err
	}
	scenarios := map[string]*catalogue.Scenario{}
	for s := range suite.Scenarios() {
		scenarios[s.ID()] = s
	}
	for i, rec := range evidence.Records {
		steps, ok := stepsOf(rec, scenarios[rec.ID()])
		do(rec, fmt.Sprintf("%d %s, attempt %d", i, oneLine(rec.ID()), rec.Attempt), steps, ok, evidence)
	}
	return nil
}

// stepsOf returns the steps of a record; false if those of its scenario have changed.
func stepsOf(rec *record.Record, s *catalogue.Scenario) ([]language.Step, bool) {
	if rec.IsOfSetUp() { // what the run itself did has none
		return nil, true
	}
	if s == nil {
		return nil, false
	}
	steps, err := language.ReadAll(s)
	if err != nil || len(steps) != len(rec.Steps) {
		return nil, false
	}
	for i, step := range steps {
		if step.Words() != rec.Steps[i] {
			return nil, false
		}
	}
	return steps, true
}

// keep judges all records below dir, and keeps what the judge says next to them: of all runs, or only of those that were not
// judged before.
func keep(dir string, unjudged bool, out io.Writer) error {
	var total tally
	err := eachRun(dir, func(dir string) error {
		if _, err := os.Stat(filepath.Join(dir, goldenFile)); err == nil && unjudged {
			return nil
		}
		f, err := os.Create(filepath.Join(dir, goldenFile))
		if err != nil {
			return err
		}
		z, _ := gzip.NewWriterLevel(f, gzip.BestSpeed)
		w := bufio.NewWriter(z)
		total.add(&total.runs, 1)
		err = judgeRun(dir, func(j judged) {
			total.count(j)
			fmt.Fprintf(w, "= %s\n", j.name)
			for _, a := range j.answers {
				fmt.Fprint(w, a)
			}
		})
		return errors.Join(err, w.Flush(), z.Close(), f.Close())
	})
	fmt.Fprintf(out, "judged %s\n", &total)
	return err
}

// String is the answer as the golden file has it.
func (a answer) String() string {
	return fmt.Sprintf("%s\n\t%s\n", a.heading(), strings.ReplaceAll(strings.TrimSuffix(a.text, "\n"), "\n", "\n\t"))
}

func (a answer) heading() string { return fmt.Sprintf("%d step %d %s", a.entry, a.step, a.question) }

// kept are the answers of a golden file by record, as texts.
func kept(dir string) (map[string][]string, error) {
	f, err := os.Open(filepath.Join(dir, goldenFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w; run corpus judge first, with the judge to compare with", err)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	all := map[string][]string{}
	for record := range strings.SplitSeq("\n"+string(text), "\n= ") {
		lines := strings.Split(strings.TrimSuffix(record, "\n"), "\n")
		var answers []string
		for _, line := range lines[1:] {
			if strings.HasPrefix(line, "\t") && len(answers) > 0 {
				answers[len(answers)-1] += line + "\n"
			} else {
				answers = append(answers, line+"\n")
			}
		}
		if lines[0] != "" {
			all[lines[0]] = answers
		}
	}
	return all, nil
}
