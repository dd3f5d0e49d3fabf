package verdict

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// The files of a report.
const (
	JSONFile  = "verdict.json"
	JUnitFile = "junit.xml"
	HTMLFile  = "index.html"
)

// Write writes the report of a run into dir, which it makes if need be:
// verdict.json and junit.xml for machines, index.html for people. Secrets in
// known places are left out (see Run.Redacted for the others). A file of an
// earlier run is replaced as a whole or not at all.
func Write(dir string, run *Run) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the report's directory %s: %w; choose another with --report", dir, err)
	}
	run = run.Redacted(nil)
	for _, file := range []struct {
		name  string
		write func(io.Writer, *Run) error
	}{
		{JSONFile, writeJSON},
		{JUnitFile, writeJUnit},
		{HTMLFile, writeHTML},
	} {
		path := filepath.Join(dir, file.name)
		if err := replace(path, func(w io.Writer) error { return file.write(w, run) }); err != nil {
			return fmt.Errorf("writing the report's %s: %w; make room there or choose another directory with --report", path, err)
		}
	}
	return nil
}

// replace writes a file beside path and puts it into the place of path when it
// is whole.
func replace(path string, write func(io.Writer) error) (err error) {
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
	if err := file.Chmod(0o644); err != nil { // a temporary file is its maker's alone
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

// Clear makes dir ready for a report before a run: it finds out whether one can be kept
// there, and takes away that of an earlier run, which nobody shall take for this one's.
func Clear(dir string) error {
	const advice = "name another directory for the report"
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the report cannot be written: %w: %s", err, advice)
	}
	probe, err := os.CreateTemp(dir, ".pixcert-*")
	if err != nil {
		return fmt.Errorf("the report cannot be written: %w: %s", err, advice)
	}
	err = errors.Join(probe.Close(), os.Remove(probe.Name()))
	for _, file := range []string{JSONFile, JUnitFile, HTMLFile} {
		if gone := os.Remove(filepath.Join(dir, file)); !errors.Is(gone, os.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}
