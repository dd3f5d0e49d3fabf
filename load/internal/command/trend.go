package command

import (
	"github.com/spf13/cobra"

	"github.com/pixcert/pixcert/load/internal/report"
	"github.com/pixcert/pixcert/load/internal/result"
)

func trend(t terminal) *cobra.Command {
	var names []string
	c := &cobra.Command{
		Use:   "trend DIR",
		Short: "Show how figures changed over the runs in a directory",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			runs, err := result.Runs(args[0])
			if err != nil {
				return err
			}
			selected, err := result.NewTrend(runs, names...)
			if err != nil {
				return err
			}
			return report.Trend(t, selected, t.colour)
		},
	}
	c.Flags().StringArrayVar(&names, "figure", nil, "show the figure `NAME`, such as \"cash-out p99\"; may be repeated")
	return c
}
