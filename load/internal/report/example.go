package report

import (
	"strings"

	"github.com/pixcert/pixcert/load/internal/result"
)

// shownExamples is how many of each sort the summary shows; the result file has more.
const shownExamples = 3

// examples are the first of a sort, in a line each.
func examples(r result.Result, sort string) (shown []string) {
	for _, e := range r.Ledger.Examples {
		if e.Sort == sort && len(shown) < shownExamples {
			shown = append(shown, strings.Trim(e.Payment+": "+e.Detail, ": "))
		}
	}
	return shown
}
