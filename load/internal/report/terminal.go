// Package report renders the result of a run as text for a terminal. It makes no verdicts of its own: they
// come from package result.
package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/pixcert/pixcert/load/internal/result"
)

// Terminal writes the summary for a terminal of 80 columns: the verdict and its reasons, requests,
// webhooks, money, the generator's own health, checks, thresholds, and what k6's own summary has
// in addition: the metrics of k6 and the script.
// With color it uses ANSI escapes: pass true if w is a terminal and NO_COLOR is unset.
func Terminal(w io.Writer, r result.Result, color bool) error {
	s := &screen{Writer: bufio.NewWriter(w), color: color}
	printVerdict(s, r)
	if r.Measured() || len(r.Failures) > 0 {
		for _, section := range []func(result.Result){s.requests, s.webhooks, s.money, s.generator, s.checks, s.thresholds} {
			section(r)
		}
	}
	s.metrics(r)
	return s.Flush()
}

func printVerdict(s *screen, r result.Result) {
	v := verdictOf(r)
	word := strings.ToUpper(v.Word)
	lines := fold(v.Why, columns-len(word)-2)
	fmt.Fprintf(s, "%s  %s\n", s.paint(v.Mark, word), lines[0])
	for _, l := range lines[1:] {
		fmt.Fprintln(s, strings.Repeat(" ", len(word)+2)+l)
	}
	for _, reason := range v.Reasons {
		s.para(v.Mark, "  - ", reason)
	}
	fmt.Fprintln(s)
	for _, f := range about(r) {
		s.para(plain, fmt.Sprintf("  %-9s", f[0]), f[1])
	}
}
