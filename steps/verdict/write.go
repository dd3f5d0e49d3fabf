package verdict

import (
	"bufio"
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
	LogFile   = "target.log" // where the run started the target itself
)

// Write writes the report of a run into dir, which it makes if need be:
// verdict.json and junit.xml for machines, index.html for people, and the evidence of
// what is not a pass as HTTP Archives. Secrets in known places are left out (see
// Run.Redacted for the others). A file of an earlier run is replaced as a whole or not at
// all.
func Write(dir string, run *Run) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("making the report's directory %s: %w; choose another with --report", dir, err)
	}
	run = run.Redacted(nil)
	if err := writeEvidence(dir, run); err != nil {
		return fmt.Errorf("writing the report's evidence: %w; make room there or choose another directory with --report", err)
	}
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

// WriteLog writes into dir, which it makes if need be, what the target of a run logged.
// The secrets in it are the caller's to take out.
func WriteLog(dir string, log []byte) error {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = replace(filepath.Join(dir, LogFile), func(w io.Writer) error {
			_, err := w.Write(log)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("writing the target's log: %w; make room in %s or choose another directory with --report", err, dir)
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
