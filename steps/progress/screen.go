package progress

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/verdict"
)

// screen is the size of the terminal. Without a height, as in a log, there is room for faultsShown.
type screen struct{ width, height int }

// rows are how many rows a text takes.
func (s screen) rows(text string) (n int) {
	for line := range strings.Lines(text) {
		n += 1 + max(0, ansi.StringWidth(strings.TrimSuffix(line, "\n"))-1)/max(1, s.width)
	}
	return n
}

// summary ends with the causes of failure and the outcome, so that both are on the last screen.
func (p paint) summary(run *verdict.Run, reportDir string, on screen) string {
	s := summary{Run: run, Faults: p.faultsOf(run, reportDir), Known: p.knownOf(run)}
	s.untested()
	if reportDir != "" {
		s.Report = filepath.Join(reportDir, report.HTMLFile)
	}
	if len(s.Faults) > 0 {
		one := *run
		one.Selection, one.Shard = s.Faults[0].repeated(), verdict.Shard{}
		if reportDir != "" && !slices.Contains(run.Arguments, "--report") { // a run of one rule must not replace this report
			one.Arguments = append(slices.Clone(run.Arguments), "--report", filepath.Clean(reportDir)+"-rerun")
		}
		s.Repeat = p.command(report.RepeatCommand(&one))
	}
	return "\n" + sections(p.render("summary", s), p.lastScreen(s, on))
}

// sections are texts with one empty line between each two.
func sections(texts ...string) string {
	var all []string
	for _, text := range texts {
		if text = strings.Trim(text, "\n"); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n\n") + "\n"
}

// lastScreen is what fits on one screen: as many causes as there is room for, then the outcome.
func (p paint) lastScreen(s summary, on screen) string {
	shown := []string{p.render("failed", s)}
	rows := func() int { return on.rows(sections(append(shown[:len(shown):len(shown)], p.conclusion(s))...)) }
	fits := func(f string) bool {
		shown = append(shown, f)
		const prompt = 1
		if on.height == 0 && len(shown) <= 1+faultsShown || rows()+prompt <= on.height {
			return true
		}
		shown = shown[:len(shown)-1]
		return false
	}
	for i, f := range s.Faults {
		s.MoreFaults = len(s.Faults) - 1 - i
		text, brief := p.render("fault", f), p.render("brief fault", f)
		switch {
		case fits(text):
		case i == 0: // it matters more than how to go on
			if s.Tight = true; !fits(text) {
				shown = append(shown, brief)
			}
		case on.height == 0 || !fits(brief):
			s.MoreFaults++
			return sections(append(shown, p.conclusion(s))...)
		}
	}
	return sections(append(shown, p.conclusion(s))...)
}

// conclusion is what follows the causes: how to go on, if there is room for that, and the outcome.
func (p paint) conclusion(s summary) string {
	next := p.render("next", s)
	if s.Tight {
		next = ""
	}
	return sections(p.render("more", s), next, p.render("conclusion", s))
}
