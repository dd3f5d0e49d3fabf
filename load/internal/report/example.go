package report

import (
	"fmt"
	"strings"

	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/result"
)

// shownExamples is how many of each sort the page lists; the result file has more.
const shownExamples = 10

// examples are the first of a sort, and how many were left out.
func examples(r result.Result, sort string) (shown []ledger.Example, more int) {
	for _, e := range r.Ledger.Examples {
		switch {
		case e.Sort != sort:
		case len(shown) < shownExamples:
			shown = append(shown, e)
		default:
			more++
		}
	}
	return shown, more
}

// exampleTables list examples of each finding, so that the gateway's operators can look
// them up.
func exampleTables(r result.Result, webhooks bool) []table {
	var out []table
	for _, f := range troublesAbout(r, webhooks) {
		out = append(out, exampleTable(r, f.Name, "Examples: "+f.Label))
	}
	return out
}

// exampleTable lists examples of a sort.
func exampleTable(r result.Result, sort, title string) table {
	shown, more := examples(r, sort)
	t := table{
		Title:   title,
		Columns: []column{{Name: "payment", ID: true}, {Name: "account", Right: true}, text("time"), text("detail")},
	}
	if more > 0 {
		t.Note = fmt.Sprintf("The first %d; %s more are in %s.", len(shown), count(int64(more)), ResultFile)
	}
	for _, e := range shown {
		t.add(plain, nameOf(e), fmt.Sprint(e.Account), e.At.UTC().Format("15:04:05.000"), detailOf(e))
	}
	return t
}

// detailOf is an example's detail, with how long it took.
func detailOf(e ledger.Example) string {
	if e.Took == 0 {
		return e.Detail
	}
	return milliseconds(e.Took*1000) + " " + e.Detail
}

// labelOf is an example in one line.
func labelOf(e ledger.Example) string { return strings.Trim(e.Payment+": "+detailOf(e), ": ") }

// nameOf is the id of an example's payment, if it is known.
func nameOf(e ledger.Example) string {
	if e.Payment == "" {
		return none
	}
	return e.Payment
}
