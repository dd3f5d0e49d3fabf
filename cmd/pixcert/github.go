package main

import (
	"fmt"
	"io"
	"os"

	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/verdict"
)

// annotate annotates the job in GitHub Actions, and adds the run to its summary; elsewhere it does nothing. dir is the
// report's directory.
func (to *console) annotate(run *verdict.Run, dir string) {
	if to.getenv("GITHUB_ACTIONS") != "true" {
		return
	}
	words := wordsIn(to.language)
	for _, line := range words.Annotations(run) {
		to.workflowCommand(line)
	}
	to.addSummary(func(w io.Writer) error { return words.WriteSummary(w, run, dir) })
}

// reportFailure shows why a command could not run in GitHub Actions; elsewhere it does nothing.
func (to *console) reportFailure(err error) {
	if to.getenv("GITHUB_ACTIONS") == "true" {
		to.workflowCommand(report.Failure(err))
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
