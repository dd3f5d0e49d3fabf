package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/pixcert/pixcert/steps/report/har"
	"github.com/pixcert/pixcert/steps/verdict"
)

// EvidenceDir is the directory of a report with the exchanges of each scenario that did not
// pass: RULE/SCENARIO.har, an HTTP Archive, and, if the target has the control accounts,
// RULE/SCENARIO.sh, a script that sends the requests again.
const EvidenceDir = "evidence"

// WriteArchive writes what one scenario of a run exchanged with its target to path, as an
// HTTP Archive. id is verdict.Scenario.ID.
func WriteArchive(path string, run *verdict.Run, id string) error {
	var pages []har.Page
	for _, s := range run.Scenarios {
		if s.ID() == id {
			pages = append(pages, pageOfArchive(s, run.Target+": "+id))
		}
	}
	if err := Create(path, func(w io.Writer) error { return har.Write(w, run.Version, pages...) }); err != nil {
		return fmt.Errorf("writing %s: %w", filepath.Base(path), err)
	}
	return nil
}

func pageOfArchive(s verdict.Scenario, title string) har.Page {
	return har.Page{Title: title, Started: s.Started, Took: s.Took, Exchanges: s.Exchanges}
}

// archiveOf is the archive of a scenario, relative to the report's directory; empty if there
// is none: the scenario passed, or nothing was sent or received.
func archiveOf(s verdict.Scenario) string {
	if s.Verdict == verdict.Pass || len(s.Exchanges) == 0 {
		return ""
	}
	return filepath.ToSlash(filepath.Join(EvidenceDir, filepath.FromSlash(s.Slug())+".har"))
}

func scriptOf(archive string) string { return strings.TrimSuffix(archive, ".har") + ".sh" }

func writeEvidence(dir string, run *verdict.Run) error {
	scripts := makesAccounts(run)
	for _, s := range run.Scenarios {
		if archiveOf(s) == "" {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(archiveOf(s)))
		err := Create(path, func(w io.Writer) error { return har.Write(w, run.Version, pageOfArchive(s, s.ID())) })
		if err == nil && scripts {
			err = Create(scriptOf(path), func(w io.Writer) error { return writeScript(w, s, run) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// EvidenceOf returns the files with the evidence of a scenario, relative to the report.
func EvidenceOf(s verdict.Scenario) []string {
	archive := archiveOf(s)
	if archive == "" {
		return nil
	}
	return []string{archive, scriptOf(archive)}
}
