package verdict

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pixcert/pixcert/steps/har"
)

// EvidenceDir is the directory of a report that holds, of each scenario that is not a pass
// and that sent something, an HTTP Archive, evidence/RULE/SCENARIO.har, and beside it,
// where the target has the control accounts, SCENARIO.sh, which sends the requests again.
const EvidenceDir = "evidence"

// archive is the file of a scenario's evidence, below the report's directory; empty where
// nothing was sent or received that could be shown.
func (s Scenario) archive() string {
	if s.Verdict == Pass || len(s.Exchanges) == 0 {
		return ""
	}
	return filepath.ToSlash(filepath.Join(EvidenceDir, filepath.FromSlash(s.Slug())+".har"))
}

// writeEvidence writes the archives of a run in the place of those of an earlier one.
func writeEvidence(dir string, run *Run) error {
	if err := removeEvidence(dir); err != nil {
		return err
	}
	scripts := run.makesAccounts()
	for _, s := range run.Scenarios {
		if s.archive() == "" {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(s.archive()))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		page := har.Page{Title: s.ID(), Started: s.Started, Took: s.Took, Exchanges: s.Exchanges}
		if err := replace(path, func(w io.Writer) error { return har.Write(w, run.Version, page) }); err != nil {
			return err
		}
		if !scripts {
			continue
		}
		if err := replace(scriptOf(path), func(w io.Writer) error {
			_, err := io.WriteString(w, s.script(run))
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// scriptOf is the script beside an archive.
func scriptOf(archive string) string { return strings.TrimSuffix(archive, ".har") + ".sh" }

// removeEvidence takes an earlier run's archives and scripts away, and nothing else that may be in a
// directory of that name.
func removeEvidence(dir string) error {
	archives, err := fs.Glob(os.DirFS(dir), EvidenceDir+"/*/*.har")
	if err != nil {
		return err
	}
	for _, archive := range archives {
		archive = filepath.Join(dir, filepath.FromSlash(archive))
		for _, file := range []string{archive, scriptOf(archive)} {
			if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		_ = os.Remove(filepath.Dir(archive)) // fails where it holds something else
	}
	_ = os.Remove(filepath.Join(dir, EvidenceDir))
	return nil
}

// Writable finds out before a run whether a report can be kept in dir, which it makes if
// need be. What an earlier run left there stays.
func Writable(dir string) error {
	const advice = "name another directory for the report"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the report cannot be written: %w: %s", err, advice)
	}
	probe, err := os.CreateTemp(dir, ".pixcert-*")
	if err != nil {
		return fmt.Errorf("the report cannot be written: %w: %s", err, advice)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// Clear takes the report of an earlier run away, which nobody shall take for that of the
// run that begins.
func Clear(dir string) error {
	err := removeEvidence(dir)
	for _, file := range []string{JSONFile, JUnitFile, HTMLFile, LogFile} {
		if gone := os.Remove(filepath.Join(dir, file)); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	if err != nil {
		return fmt.Errorf("taking the earlier report away: %w", err)
	}
	return nil
}
