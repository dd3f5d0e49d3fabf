// Package command is the subcommand of k6 that searches for the capacity, and works on the results
// of load runs:
//
//	k6 x pix capacity | merge | report | benchfmt | thresholds
package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"go.k6.io/k6/v2/cmd/state"
	"go.k6.io/k6/v2/errext"
	"go.k6.io/k6/v2/errext/exitcodes"

	"github.com/pixcert/pixcert/load/internal/preset"
	"github.com/pixcert/pixcert/load/internal/report"
	"github.com/pixcert/pixcert/load/internal/result"
)

// terminal is the output of the commands.
type terminal struct {
	io.Writer
	color bool
}

// subcommands in the order of the help text.
var subcommands = []func(terminal) *cobra.Command{capacitySearch, merge, render, benchfmt, thresholds}

// New is the command "pix", which is registered with k6 as a subcommand extension. The exit
// status is the run's outcome, see [result.Outcome.ExitStatus].
func New(gs *state.GlobalState) *cobra.Command {
	return pix(terminal{gs.Stdout, gs.Stdout.IsTTY && !gs.Flags.NoColor})
}

func pix(t terminal) *cobra.Command {
	c := &cobra.Command{
		Use:   "pix",
		Short: "Find the capacity, and merge, show and convert the results of PIX load runs",
		Long: "Find the capacity, and merge, show and convert the results of PIX load runs.\n\n" +
			"A script writes the result of its run with the function result of k6/x/pix.",
	}
	for _, make := range subcommands {
		c.AddCommand(make(t))
	}
	return c
}

func merge(t terminal) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "merge FILE...",
		Short: "Merge the results of a run's instances into one verdict",
		Long: "Add up the results of a run's instances. A threshold passes if it passes in every instance.\n" +
			"The exit status is that of the whole run, or 2 if the result of an instance is missing.",
		Example: "  k6 x pix merge results/*.json --result merged.json",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			var results []result.Result
			for _, name := range args {
				r, err := result.Read(name)
				if errors.Is(err, fs.ErrNotExist) {
					return withStatus(fmt.Errorf("the result of an instance is missing: %w", err), result.Incomplete.ExitStatus())
				}
				if err != nil {
					return err
				}
				results = append(results, r)
			}
			merged, err := result.Merge(results)
			if err != nil {
				return err
			}
			if file != "" {
				text, err := result.Encode(merged)
				if err == nil {
					err = os.WriteFile(file, text, 0o600)
				}
				if err != nil {
					return fmt.Errorf("write the merged result: %w", err)
				}
			}
			return t.conclude(merged)
		},
	}
	c.Flags().StringVar(&file, "result", "", "write the merged result to this `FILE`")
	return c
}

func render(t terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "report FILE",
		Short: "Print the summary of a result",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := result.Read(args[0])
			if err != nil {
				return err
			}
			return t.conclude(r)
		},
	}
}

// conclude prints a result and returns its exit status.
func (t terminal) conclude(r result.Result) error {
	if err := report.Terminal(t, r, t.color); err != nil {
		return err
	}
	if outcome := r.Outcome; outcome != result.Pass {
		return withStatus(fmt.Errorf("the outcome of run %s is %q", r.Run, outcome), outcome.ExitStatus())
	}
	return nil
}

func thresholds(t terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "thresholds [NAME...]",
		Short: "List the threshold presets with their sources",
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return preset.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, names []string) error { return report.Presets(t, t.color, names...) },
	}
}

// withStatus makes k6 exit with the given status.
func withStatus(err error, status int) error {
	return errext.WithExitCodeIfNone(err, exitcodes.ExitCode(status)) // #nosec G115 -- a status of a process
}

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
