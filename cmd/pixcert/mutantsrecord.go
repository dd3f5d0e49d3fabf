package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// record runs the whole suite against each mutant to its end, and writes a report of each. The reports are numbered,
// so that who reads their causes does not know the faults.
func (c *mutantsCmd) record(ctx context.Context, to *console, faulty []mutants.Mutant) error {
	if c.Sample > 0 {
		faulty = draw(faulty, c.Sample, c.Seed)
	}
	var failed error
	err := c.proof(to).Record(ctx, gateways(faulty), func(i int, run *verdict.Run) {
		dir := filepath.Join(c.Record, fmt.Sprintf("%03d", i+1))
		line := []string{dir, faulty[i].Rule, faulty[i].Name}
		if run == nil {
			line = append(line, "the run did not start")
		} else {
			line = append(line, string(run.Outcome()), wording.Count(len(run.Causes()), "cause"))
			if err := report.Write(dir, run); failed == nil {
				failed = err
			}
		}
		fmt.Fprintln(to.out, strings.Join(line, "\t"))
	})
	if err != nil {
		return err
	}
	return failed
}
