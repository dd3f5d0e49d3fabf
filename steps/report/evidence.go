package report

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/pixcert/pixcert/steps/report/har"
	"github.com/pixcert/pixcert/steps/untrusted"
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

// evidence returns the files with the exchanges of a run.
func evidence(run *verdict.Run) (files []File) {
	scripts := makesAccounts(run)
	for _, s := range run.Scenarios {
		archive := archiveOf(s)
		if archive == "" {
			continue
		}
		files = append(files, File{Name: archive, Write: func(w io.Writer) error { return har.Write(w, run.Version, pageOfArchive(s, s.ID())) }})
		if scripts {
			files = append(files, File{Name: scriptOf(archive), Write: func(w io.Writer) error { return writeScript(w, s, run) }})
		}
	}
	return files
}

// EvidenceFrom returns the evidence of a scenario of the report in dir as files for another report, since verdict.json
// may have cut long requests. It fails if one is not a regular file.
func EvidenceFrom(dir string, s verdict.Scenario) (files []File, err error) {
	archive := archiveOf(s)
	if archive == "" {
		return nil, nil
	}
	for _, name := range []string{archive, scriptOf(archive)} {
		source, err := untrusted.Open(dir, filepath.FromSlash(name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := source.Close(); err != nil {
			return nil, err
		}
		files = append(files, File{Name: name, Write: CopyOf(dir, name), scenario: s.ID()})
	}
	return files, nil
}

// CopyOf writes the content of a file of the report in dir.
func CopyOf(dir, name string) func(io.Writer) error {
	return func(w io.Writer) error {
		source, err := untrusted.Open(dir, filepath.FromSlash(name))
		if err != nil {
			return err
		}
		defer source.Close()
		_, err = io.Copy(w, untrusted.AtMost(source, mostReport, "file"))
		return err
	}
}

// ReadLog reads the end of the target's log of the report in dir, of at most so many bytes.
func ReadLog(dir string, most int) ([]byte, error) {
	file, err := untrusted.Open(dir, LogFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.NewSectionReader(file, max(info.Size()-int64(most), 0), int64(most)))
}
