// Package report writes the report of a run into a directory and reads it back:
// index.html for people, verdict.json and junit.xml for machines, and for each scenario
// that did not pass its exchanges as an HTTP Archive and as a shell script. What a target
// sent is shown as text that neither a browser nor a terminal acts on, and without secrets.
package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pixcert/pixcert/steps/verdict"
)

// The files of a report.
const (
	JSONFile    = "verdict.json"
	JUnitFile   = "junit.xml"
	HTMLFile    = "index.html"
	RecordsFile = "records.json.gz" // written if the run keeps all that it recorded
	LogFile     = "target.log"      // written if the run started the target itself
)

// Write writes the report of a run into dir, which it creates if necessary. It masks
// secrets in the places where they usually stand (see verdict.Run.Redacted for all
// others). Each file of an earlier run is replaced as a whole or not at all.
func Write(dir string, run *verdict.Run) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("creating the report directory %s: %w; choose another with --report", dir, err)
	}
	run = run.Redacted(nil)
	if err := writeEvidence(dir, run); err != nil {
		return fmt.Errorf("writing the report's evidence: %w; free some space or choose another directory with --report", err)
	}
	for _, file := range []struct {
		name  string
		write func(io.Writer, *verdict.Run) error
	}{
		{JSONFile, writeJSON},
		{JUnitFile, writeJUnit},
		{HTMLFile, writeHTML},
	} {
		path := filepath.Join(dir, file.name)
		if err := replace(path, func(w io.Writer) error { return file.write(w, run) }); err != nil {
			return fmt.Errorf("writing %s: %w; free some space or choose another directory with --report", path, err)
		}
	}
	return nil
}

// WriteLog writes what the target logged into dir. The caller removes the secrets from it.
func WriteLog(dir string, log []byte) error {
	err := replace(filepath.Join(dir, LogFile), func(w io.Writer) error {
		_, err := w.Write(log)
		return err
	})
	if err != nil {
		return fmt.Errorf("writing the target's log: %w; free some space in %s or choose another directory with --report", err, dir)
	}
	return nil
}

// CheckWritable checks before a run that a report can be written into dir, which it creates
// if necessary. The report of an earlier run stays.
func CheckWritable(dir string) error {
	const advice = "choose another directory with --report"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("cannot write the report: %w; %s", err, advice)
	}
	probe, err := os.CreateTemp(dir, ".pixcert-*")
	if err != nil {
		return fmt.Errorf("cannot write the report: %w; %s", err, advice)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// Remove removes the report of an earlier run, so that nobody mistakes it for the report of
// the run that starts now. Other files in dir stay.
func Remove(dir string) error {
	err := removeEvidence(dir)
	for _, file := range []string{JSONFile, JUnitFile, HTMLFile, RecordsFile, LogFile} {
		if gone := os.Remove(filepath.Join(dir, file)); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	if err != nil {
		return fmt.Errorf("removing the earlier report: %w", err)
	}
	return nil
}

// WriteRecords writes what a run recorded into its report.
func WriteRecords(dir string, write func(io.Writer) error) error {
	if err := replace(filepath.Join(dir, RecordsFile), write); err != nil {
		return fmt.Errorf("writing the records: %w", err)
	}
	return nil
}

// replace writes a file next to path, whose directory it creates if necessary, and renames it to
// path when it is complete.
func replace(path string, write func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = file.Close()
			_ = os.Remove(file.Name())
		}
	}()
	buffered := bufio.NewWriter(file)
	if err := write(buffered); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	if err := file.Chmod(0o644); err != nil { // a temporary file can be read only by its owner
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}
