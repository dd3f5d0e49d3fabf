package command

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pixcert/pixcert/load/internal/report"
	"github.com/pixcert/pixcert/load/internal/result"
)

func benchfmt(t terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "benchfmt FILE...",
		Short: "Print results in the Go benchmark format, for benchstat",
		Long: "Print results in the Go benchmark format, with which benchstat compares two sets of runs.\n" +
			"Results of invalid and unfinished runs are left out.",
		Example: "  k6 x pix benchfmt before/*.json > before.txt\n" +
			"  k6 x pix benchfmt after/*.json > after.txt\n" +
			"  benchstat before.txt after.txt",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, files []string) error {
			written := 0
			for _, file := range files {
				r, err := result.Read(file)
				if err != nil {
					return err
				}
				switch outcome := r.Outcome; outcome {
				case result.Invalid, result.Interrupted, result.Incomplete:
					fmt.Fprintf(c.ErrOrStderr(), "%s is left out: the run is %s\n", file, outcome)
					continue
				}
				if err := report.Benchmarks(t, r); err != nil {
					return err
				}
				written++
			}
			if written == 0 {
				return errors.New("expected at least one result of a valid run")
			}
			return nil
		},
	}
}
