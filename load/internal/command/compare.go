package command

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pixcert/pixcert/load/internal/report"
	"github.com/pixcert/pixcert/load/internal/result"
)

func compare(t terminal) *cobra.Command {
	var page string
	var strict bool
	var tolerance time.Duration
	c := &cobra.Command{
		Use:   "compare A B",
		Short: "Compare the runs in B with those in A",
		Long: "Compare the runs in B with those in A: each is a directory with the results of at least\n" +
			"three runs. The exit status is always 0; with --fail-on-regression it is 99 if anything\n" +
			"got worse, 3 if too little is comparable, and 0 otherwise.",
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			a, errA := result.Runs(args[0])
			b, errB := result.Runs(args[1])
			if err := errors.Join(errA, errB); err != nil {
				return err
			}
			c := result.Compare(a, b, tolerance)
			if page != "" {
				if err := report.WriteComparison(page, a, b, c); err != nil {
					return err
				}
			}
			if err := report.Comparison(t, a, b, c, t.colour); err != nil {
				return err
			}
			if page != "" {
				fmt.Fprintf(t, "\n  page: %s\n", page)
			}
			if strict {
				return regression(c)
			}
			return nil
		},
	}
	c.Flags().StringVar(&page, "html", "", "write the comparison as an HTML page to `FILE`")
	c.Flags().BoolVar(&strict, "fail-on-regression", false, "exit with 99 if anything got worse, with 3 if too little is comparable")
	c.Flags().DurationVar(&tolerance, "tolerance", time.Millisecond, "ignore differences of latencies up to `DURATION`")
	return c
}

// regression is the error for a worse run, with the exit status of a failed threshold, or for
// runs with too few comparable figures, with that of an invalid run: neither must pass in CI.
func regression(c result.Comparison) error {
	switch {
	case c.Regression():
		return withStatus(errors.New("the runs in B are worse than those in A"), result.Fail.ExitStatus())
	case !c.Conclusive():
		return withStatus(errors.New("too little is comparable to decide whether the runs in B are worse than those in A"), result.Invalid.ExitStatus())
	}
	return nil
}
