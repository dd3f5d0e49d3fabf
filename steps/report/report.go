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

	FailedLogFile = "failed-run.log" // the same, of a run that has no report
)

// WriteLog writes what the target logged into a file of dir, which it creates if necessary. The
// caller removes the secrets from it.
func WriteLog(dir, name string, log []byte) error {
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name), log, 0o644)
	}
	if err != nil {
		return fmt.Errorf("writing the target's log in %s: %w; %s", dir, err, advice(err))
	}
	return nil
}

// Create writes a new file, and creates its directory if necessary.
func Create(path string, write func(io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	buffered := bufio.NewWriter(file)
	if err := write(buffered); err != nil {
		return err
	}
	return buffered.Flush()
}
