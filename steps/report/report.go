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
	"os"
	"path/filepath"
)

// The files of a report.
const (
	JSONFile    = "verdict.json"
	JUnitFile   = "junit.xml"
	HTMLFile    = "index.html"
	RecordsFile = "records.json.gz" // written if the run keeps all that it recorded
	LogFile     = "target.log"      // written if the run started the target itself

	ProfileFile     = "profile.json"     // of a signed run: the target's profile without secrets
	BaselineFile    = "baseline.yaml"    // of a signed run with a baseline
	CertificateFile = "certificate.json" // of a signed run; written last

	FailedLogFile = "failed-run.log" // the same, of a run that has no report
)

// WriteLog writes what the target logged into a file of the report in dir, which it creates if necessary. The
// caller removes the secrets from it.
func WriteLog(dir, name string, log []byte) error {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = inRoot(dir, func(root *os.Root) error {
			return createIn(root, name, func(w io.Writer) error {
				_, err := w.Write(log)
				return err
			})
		})
	}
	if err != nil {
		return fmt.Errorf("writing the target's log in %s: %w; %s", dir, err, advice(err))
	}
	return nil
}

func inRoot(dir string, do func(*os.Root) error) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return do(root)
}

// Create writes a new file, and creates its directory if necessary.
func Create(path string, write func(io.Writer) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	return fill(file, err, write)
}

// createIn is Create below a directory, which it does not leave.
func createIn(root *os.Root, name string, write func(io.Writer) error) error {
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	file, err := root.Create(name)
	return fill(file, err, write)
}

func fill(file *os.File, err error, write func(io.Writer) error) error {
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(file)
	if err := write(buffered); err != nil {
		return errors.Join(err, file.Close())
	}
	return errors.Join(buffered.Flush(), file.Close())
}
