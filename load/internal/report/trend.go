package report

import (
	"bufio"
	"io"
	"math"
	"slices"

	"github.com/pixcert/pixcert/load/internal/result"
)

// Trend writes figures of several runs for a terminal, a line for each run.
func Trend(w io.Writer, trend result.Trend, colour bool) error {
	s := &screen{Writer: bufio.NewWriter(w), colour: colour}
	t := table{Columns: slices.Concat([]column{text("started"), text("outcome")}, figures(trend.Figures...))}
	marks := map[result.Outcome]mark{result.Pass: good, result.Wrong: bad, result.Fail: bad}
	for _, r := range trend.Runs {
		cells := []string{r.Started.UTC().Format("2006-01-02 15:04"), string(r.Outcome())}
		for i, value := range r.Values {
			cell := none
			if !math.IsNaN(value) {
				cell = withUnit(value, trend.Units[i])
			}
			cells = append(cells, cell)
		}
		m, known := marks[r.Outcome()]
		if !known {
			m = warn
		}
		t.add(m, cells...)
	}
	s.table(t)
	return s.Flush()
}
