package report

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// NotRun writes a junit.xml whose only test case is an error with the reason why a run has no report. CI servers publish
// the file whatever the exit status, and would take that of an earlier run for the result of this one. The rest of an
// earlier report stays: certify --rerun-failed continues it.
func (p *Place) NotRun(reason error) error {
	if err := p.locked(func() error { return p.writeNotRun(reason) }); err != nil {
		return fmt.Errorf("writing %s: %w", filepath.Join(p.dir, JUnitFile), err)
	}
	return nil
}

// NotRun is Place.NotRun for a command that failed before it opened a place: it only replaces a junit.xml that is there.
func NotRun(dir string, reason error) error {
	if _, err := os.Lstat(filepath.Join(dir, JUnitFile)); err != nil {
		return nil
	}
	return (&Place{dir: dir}).NotRun(reason)
}

func (p *Place) writeNotRun(reason error) error {
	return inRoot(p.dir, func(root *os.Root) error {
		if err := root.RemoveAll(JUnitFile); err != nil { // first: if the disk is full, no file is better than an old one
			return err
		}
		err := createIn(root, JUnitFile, func(w io.Writer) error { return encodeJUnit(w, junitOfNotRun(reason)) })
		if err != nil {
			return errors.Join(err, root.RemoveAll(JUnitFile))
		}
		return nil
	})
}

func junitOfNotRun(reason error) junitReport {
	suite := junitSuite{Name: wholeRun, Tests: 1, Errors: 1, Time: seconds(0), Timestamp: junitTime(time.Now()), Cases: []junitCase{{
		Name: runIsComplete, Classname: "pixcert", Time: seconds(0),
		Error: &junitReason{Type: string(verdict.EndedEarly), Message: exchange.Excerpt(reason.Error(), 2000)},
	}}}
	return junitReport{Name: "pixcert", Tests: 1, Errors: 1, Time: seconds(0), Suites: []junitSuite{suite}}
}
