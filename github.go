package main

import (
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/verdict"
)

// actions shows the result of a run in GitHub Actions; elsewhere it does nothing.
type actions struct {
	to  *console
	end func() // from then on the runner obeys workflow commands again
}

// startActions keeps the runner from obeying what a target sends: it takes lines of the log for
// commands. The caller calls end.
func startActions(to *console) *actions {
	if to.getenv("GITHUB_ACTIONS") != "true" {
		return &actions{to, func() {}}
	}
	token := rand.Text()
	fmt.Fprintf(to.out, "::stop-commands::%s\n", token)
	return &actions{to, sync.OnceFunc(func() { fmt.Fprintf(to.out, "::%s::\n", token) })}
}

// report annotates the run, and adds it to the summary of the job. dir is the report's directory.
func (a *actions) report(run *verdict.Run, dir string) error {
	a.end()
	if a.to.getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	for _, line := range report.Annotations(run) {
		fmt.Fprintln(a.to.out, line)
	}
	a.to.addSummary(func(w io.Writer) error { return report.WriteSummary(w, run, dir) })
	return nil
}

// reportFailure shows why a command could not run in GitHub Actions; elsewhere it does nothing.
func (to *console) reportFailure(err error) {
	if to.getenv("GITHUB_ACTIONS") == "true" {
		fmt.Fprintln(to.out, report.Failure(err))
		to.addSummary(func(w io.Writer) error { return report.WriteFailure(w, err) })
	}
}

// addSummary adds to the summary of the job.
func (to *console) addSummary(write func(io.Writer) error) {
	path := to.getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		defer file.Close()
		err = write(file)
	}
	if err != nil {
		fmt.Fprintf(to.err, "pixcert: note: could not write the job summary: %v\n", err)
	}
}
