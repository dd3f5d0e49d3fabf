package main

import (
	"fmt"

	"github.com/pixcert/pixcert/steps/certificate"
	"github.com/pixcert/pixcert/steps/history"
	"github.com/pixcert/pixcert/steps/verdict"
)

// appendHistory appends a run to the history, and returns the trend for its report; nil without --history. The run has its
// result even if that fails.
func (c *certifyCmd) appendHistory(to *console, result *verdict.Run) *history.Trend {
	if c.History == "" {
		return nil
	}
	edition, err := certificate.Edition()
	entry := history.EntryOf(result.Redacted(nil), certificate.ShortEdition(edition))
	if err == nil {
		err = history.Append(c.History, entry)
	}
	if err != nil {
		fmt.Fprintf(to.err, "pixcert: warning: the run is not in the history: %v\n", err)
	}
	entries, skipped, err := history.Read(c.History)
	if err != nil {
		fmt.Fprintf(to.err, "pixcert: warning: the report shows no history: %v\n", err)
		return nil
	}
	for _, line := range skipped {
		fmt.Fprintf(to.err, "pixcert: warning: %s\n", line)
	}
	return history.TrendOf(entries, entry.Setting, skipped)
}
