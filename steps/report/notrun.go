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

// NotRun replaces the junit.xml of an earlier run, if there is one, by one whose only test case is an error with the reason
// why a run has no report. CI servers publish the file whatever the exit status, and would take it for the result of this
// run. The rest of the earlier report stays: certify --rerun-failed continues it.
func NotRun(dir string, reason error) error {
	name := filepath.Join(dir, JUnitFile)
	if _, err := os.Lstat(name); err != nil {
		return nil
	}
	p := &Place{dir: dir}
	if err := p.locked(func() error { return p.writeNotRun(reason) }); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	return nil
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
