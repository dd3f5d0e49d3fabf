package progress

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// paint formats the texts, in colour if it is true. The colours are the terminal's own sixteen.
type paint bool

var styles = map[verdict.Verdict]lipgloss.Style{
	verdict.Pass:          lipgloss.NewStyle().Foreground(lipgloss.Green),
	verdict.Fail:          lipgloss.NewStyle().Foreground(lipgloss.Red),
	verdict.Warning:       lipgloss.NewStyle().Foreground(lipgloss.Yellow),
	verdict.CouldNotTest:  lipgloss.NewStyle().Foreground(lipgloss.Blue),
	verdict.SuiteError:    lipgloss.NewStyle().Foreground(lipgloss.Magenta),
	verdict.NotApplicable: lipgloss.NewStyle().Faint(true),
	verdict.NotRun:        lipgloss.NewStyle().Foreground(lipgloss.Yellow),
}

var (
	faint = lipgloss.NewStyle().Faint(true)
	bold  = lipgloss.NewStyle().Bold(true)
)

func (p paint) in(style lipgloss.Style, words string) string {
	if !p {
		return words
	}
	return style.Render(words)
}

func (p paint) plan(plan Plan) string {
	var out strings.Builder
	fmt.Fprintf(&out, "Certifying %s\n", p.in(bold, text(plan.Target)))
	fmt.Fprintf(&out, "  %s, %s, %s", wording.Count(plan.Features, "feature"), wording.Count(plan.Rules, "rule"), wording.Count(plan.Scenarios, "scenario"))
	if plan.Selection != "" {
		fmt.Fprintf(&out, " (selected: %s)", short(plan.Selection))
	}
	fmt.Fprintf(&out, "\n  %s\n", p.in(faint, fmt.Sprintf("run %s, seed %d, %d at a time", text(plan.RunID), plan.Seed, plan.Concurrency)))
	if len(plan.Families) > 0 {
		fmt.Fprintf(&out, "  Families: %s\n", text(strings.Join(plan.Families, ", ")))
	}
	if !plan.Reach.Complete() {
		fmt.Fprintf(&out, "  %s\n", plan.Reach.Describe("can be tested"))
		p.unlocks(&out, plan.Unlocks)
	}
	return out.String() + "\n"
}

// unlocks lists what would allow more to be tested.
func (p paint) unlocks(out *strings.Builder, unlocks []verdict.Unlock) {
	if len(unlocks) == 0 {
		return
	}
	out.WriteString("  To test more, add (cheapest first):\n")
	width := 0
	for _, u := range unlocks {
		width = max(width, len(u.Name()))
	}
	for _, u := range unlocks {
		fmt.Fprintf(out, "    %-*s  + %-24s %s\n", width, u.Name(), u.Gain(), p.in(faint, u.Effort))
	}
}

// fault describes a scenario that failed or hit a suite error.
func (p paint) fault(s verdict.Scenario, reportDir string) string {
	var out strings.Builder
	out.WriteString(p.faultLine(s))
	if s.Verdict == verdict.SuiteError {
		out.WriteString("    a fault of pixcert, not of the target\n")
	}
	if f := s.Finding; f != nil {
		got := "got"
		if f.Expected == "" {
			got = "reason"
		}
		for _, part := range [...]struct{ name, said string }{{"expected", f.Expected}, {got, f.Got}, {"hint", f.Hint}} {
			if part.said != "" {
				fmt.Fprintf(&out, "    %s %s\n", p.in(faint, fmt.Sprintf("%-9s", part.name)), short(part.said))
			}
		}
	}
	if s.Verdict == verdict.Fail {
		fmt.Fprintf(&out, "    %s %s\n", p.in(faint, fmt.Sprintf("%-9s", "next")), text(report.ReplayCommand(s, reportDir)))
	}
	return out.String()
}

// faultLine is the first line of a fault.
func (p paint) faultLine(s verdict.Scenario) string {
	return fmt.Sprintf("%s %s: %s\n", p.in(styles[s.Verdict], s.Verdict.Mark()), p.in(bold, text(s.Rule)), text(s.Name))
}

// text makes foreign text safe to print, on one line.
func text(said string) string {
	var none *exchange.Redactor
	return exchange.Line(none.Text(said))
}

// short is text on one line of bounded length.
func short(said string) string {
	const longest = 400
	runes := []rune(text(said[:min(len(said), 8*longest)]))
	if len(runes) <= longest {
		return string(runes)
	}
	return string(runes[:longest]) + "…"
}

// state formats the live line.
func (p paint) state(counts verdict.Counts, scenarios int, took time.Duration, current string) string {
	var words []string
	for _, v := range verdict.BySeverity {
		if counts[v] > 0 {
			words = append(words, p.in(styles[v], fmt.Sprintf("%s %d", v.Mark(), counts[v])))
		}
	}
	words = append(words, fmt.Sprintf("%d/%d", counts.Total(), scenarios), clock(took))
	if current != "" {
		words = append(words, p.in(faint, current))
	}
	return strings.Join(words, "  ")
}

func (p paint) summary(run *verdict.Run, reportDir string) string {
	var out strings.Builder
	summary := run.Summary()
	fmt.Fprintf(&out, "\n%s", p.outcome(run))
	if run.Ended != nil && !run.Ended.Decided {
		out.WriteString("  What was judged before stands below; it says nothing about the rest.\n")
	}
	if run.Strict {
		out.WriteString("  Warnings count as failures (--strict)\n")
	}
	if run.Selection != "" {
		fmt.Fprintf(&out, "  Partial run: %s\n", short(run.Selection))
	}
	fmt.Fprintf(&out, "  %s\n", summary)
	fmt.Fprintf(&out, "  %s in %s: %s\n", wording.Count(summary.Scenarios.Total(), "scenario"), clock(run.Took), summary.Scenarios)

	if reach := run.Reach(); !reach.Complete() {
		fmt.Fprintf(&out, "  %s\n", reach.Describe("judged"))
	}
	if len(run.Families) > 0 {
		fmt.Fprintf(&out, "  Families: %s\n", text(strings.Join(run.Families, ", ")))
	}

	results := run.Results()
	p.list(&out, "Failed", results, verdict.Fail)
	p.list(&out, "Suite errors (faults of pixcert, not of the target)", results, verdict.SuiteError)
	p.untested(&out, run, results)
	p.list(&out, "Warnings", results, verdict.Warning)

	fmt.Fprintf(&out, "\n  %s %d\n", p.in(faint, "seed   "), run.Seed)
	if reportDir != "" {
		fmt.Fprintf(&out, "  %s %s\n", p.in(faint, "report "), filepath.Join(reportDir, report.HTMLFile))
	}
	if first := firstFault(results); first != "" {
		one := *run
		one.Selection = first
		fmt.Fprintf(&out, "  %s open the report, or re-run one rule:\n          %s\n", p.in(faint, "next   "), text(report.RepeatCommand(&one)))
	}
	return out.String()
}

// outcome is the outcome of a run on one line, and if it ended early, why.
func (p paint) outcome(run *verdict.Run) string {
	outcome := run.Outcome()
	words := strings.ToUpper(string(outcome[:1])) + string(outcome[1:])
	line := p.in(styles[outcome.Verdict()].Bold(true), outcome.Verdict().Mark()+" "+words)
	if run.Ended == nil {
		return line + "\n"
	}
	return fmt.Sprintf("%s: %s; %s did not run\n", line, text(run.Ended.Reason), wording.Count(run.Summary().Scenarios[verdict.NotRun], "scenario"))
}

// list prints the rules with verdict v, one per line.
func (p paint) list(out *strings.Builder, heading string, results []verdict.RuleResult, v verdict.Verdict) {
	named := rulesThat(results, func(r verdict.RuleResult) bool { return r.Verdict == v })
	if len(named) == 0 {
		return
	}
	fmt.Fprintf(out, "\n  %s\n", p.in(styles[v], heading))
	p.rules(out, named)
}

func (p paint) rules(out *strings.Builder, rules []verdict.RuleResult) {
	width := 0
	for _, r := range rules {
		width = max(width, len(r.Name))
	}
	for _, r := range rules {
		fmt.Fprintf(out, "    %-*s  %s\n", width, text(r.Name), p.in(faint, text(r.Title)))
	}
}

// untested prints what each missing control costs, then the rules that could not be tested
// for another reason.
func (p paint) untested(out *strings.Builder, run *verdict.Run, results []verdict.RuleResult) {
	missing := run.MissingControls()
	for _, u := range run.Unlocks { // the unlocks say more about these
		for _, means := range u.Means {
			delete(missing, strings.TrimPrefix(means, "control "))
		}
	}
	others := rulesThat(results, func(r verdict.RuleResult) bool {
		return r.Verdict == verdict.CouldNotTest && !slices.ContainsFunc(r.Scenarios, func(s verdict.Scenario) bool { return len(s.Missing) > 0 })
	})
	if len(missing) == 0 && len(others) == 0 && len(run.Unlocks) == 0 {
		return
	}
	fmt.Fprintf(out, "\n  %s\n", p.in(styles[verdict.CouldNotTest], "Could not be tested"))
	p.unlocks(out, run.Unlocks)
	controls := slices.SortedFunc(maps.Keys(missing), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(missing[b]), len(missing[a])), cmp.Compare(a, b))
	})
	for _, control := range controls {
		fmt.Fprintf(out, "    missing control %s: %s\n", text(control), wording.Count(len(missing[control]), "rule"))
	}
	p.rules(out, others)
}

func rulesThat(results []verdict.RuleResult, want func(verdict.RuleResult) bool) []verdict.RuleResult {
	var rules []verdict.RuleResult
	for _, r := range results {
		if want(r) {
			rules = append(rules, r)
		}
	}
	return rules
}

func firstFault(results []verdict.RuleResult) string {
	for _, r := range results {
		if r.Verdict == verdict.Fail || r.Verdict == verdict.SuiteError {
			return r.Name
		}
	}
	return ""
}

// clock formats d; below a minute, to a tenth of a second.
func clock(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	d = d.Round(time.Second)
	return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
}
