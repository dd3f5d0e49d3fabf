package progress

import (
	_ "embed" // for the texts
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"
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
	verdict.KnownFailure:  lipgloss.NewStyle().Foreground(lipgloss.Yellow),
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

//go:embed texts.tmpl
var textsSource string

var texts = map[paint]*template.Template{true: paint(true).texts(), false: paint(false).texts()}

func (p paint) texts() *template.Template {
	return template.Must(template.New("texts").Funcs(template.FuncMap{
		"bold":    func(words string) string { return p.in(bold, words) },
		"bounded": bounded,
		"brief":   func(said string) string { return excerpt(said, 160) },
		"clock":   clock,
		"count":   wording.Count,
		"few":     few,
		"faint":   func(words string) string { return p.in(faint, words) },
		"headline": func(o verdict.Outcome) string {
			words := strings.ToUpper(string(o[:1])) + string(o[1:])
			return p.in(styles[o.Verdict()].Bold(true), o.Verdict().Mark()+" "+words)
		},
		"join":         func(words []string) string { return strings.Join(words, ", ") },
		"longestKnown": func(all []known) int { return longest(all, func(k known) string { return k.Rule }) },
		"longestName":  func(all []verdict.Unlock) int { return longest(all, verdict.Unlock.Name) },
		"longestRule": func(all []verdict.RuleResult) int {
			return longest(all, func(r verdict.RuleResult) string { return r.Name })
		},
		"pad":      func(words string, width int) string { return fmt.Sprintf("%-*s", width, words) },
		"selected": selected,
		"short":    short,
		"text":     text,
		"tone":     func(v verdict.Verdict, words string) string { return p.in(styles[v], words) },
	}).Parse(textsSource))
}

func (p paint) render(name string, data any) string {
	var out strings.Builder
	if err := texts[p].ExecuteTemplate(&out, name, data); err != nil {
		return fmt.Sprintf("%v\n", err) // a mistake in the template must not end the run
	}
	return out.String()
}

func longest[T any](all []T, name func(T) string) int {
	width := 0
	for _, one := range all {
		width = max(width, len(name(one)))
	}
	return width
}

func (p paint) plan(plan Plan) string { return p.render("plan", plan) }

// AtATime says how many scenarios run at a time: what changes an account has it for itself.
func (p Plan) AtATime() string {
	switch {
	case p.Accounts > 0 && p.Concurrency > 1:
		return fmt.Sprintf("one scenario at a time per account, up to %d that change nothing", p.Concurrency)
	default:
		return fmt.Sprintf("%d at a time", p.Concurrency)
	}
}

// fault is a scenario that failed, or hit a suite error, as the summary shows it.
type fault struct {
	verdict.Scenario
	Headline string   // of its cause; empty for a suite error
	Title    string   // of its rule
	Own      string   // where the user has it: "rules/refund.feature:12"; empty for a rule of the API
	Found    bool     // by exploring
	Steps    []string // of the scenario that exploring found, unless another fault shows them
	When     string   // the last thing that was done before it failed; empty if another scenario found it
	About    string   // the request or the webhook that the finding is about: "GET /accounts/balances"; empty for none
	More     string   // how many other failures it explains; empty for none
	Alike    string   // the same, and of which rules
	Replay   string   // command; empty unless it failed
}

// faultsShown bounds the faults that the summary shows: if everything fails, the first ones say as
// much as all of them.
const faultsShown = 8

// faultsOf returns the likely causes of the failures of a run, then the suite errors.
func faultsOf(run *verdict.Run, reportDir string) (all []fault) {
	found, causes := foundIn(run), run.Causes()
	for _, c := range causes {
		found.shown[c.Scenario.ID()] = true // by itself
	}
	for _, c := range causes {
		f := fault{Scenario: c.Scenario, Headline: c.Headline, Title: c.Rule.Title, When: c.Scenario.LastAction(), Own: placeOfOwn(c.Rule, c.Scenario), Found: c.Rule.Found, About: about(c.Scenario), Replay: report.ReplayCommand(c.Scenario, reportDir)}
		if n := len(c.Others); n > 0 {
			f.More = wording.Count(n, "more failure")
			f.Alike = f.More
			if others := c.OtherRules(); len(others) > 0 {
				f.Alike += map[bool]string{true: " of ", false: ", including "}[len(others) == n] + few(others)
			}
		}
		f.Steps = found.steps(c.Scenario)
		all = append(all, f)
	}
	for _, rule := range run.Results() {
		for _, s := range rule.Scenarios {
			if s.Verdict.Normalized() == verdict.SuiteError {
				all = append(all, fault{Scenario: s, Title: rule.Title, Own: placeOfOwn(rule.Rule, s), Found: rule.Found})
			}
		}
	}
	return all
}

func placeOfOwn(rule verdict.Rule, s verdict.Scenario) string {
	if !rule.Own {
		return ""
	}
	return fmt.Sprintf("%s:%d", rule.File, s.Line)
}

// about returns the exchange that the finding of a scenario is about, on one line.
func about(s verdict.Scenario) string {
	e := s.Subject()
	if e == nil {
		return ""
	}
	const looked = 8 << 10 // bytes, of which far fewer are shown
	body := longText.ReplaceAllString(string(e.Body[:min(len(e.Body), looked)]), `"$1…"`)
	words := []string{e.Method, e.Resource(), body}
	if e.Party == exchange.Webhook {
		words = []string{"webhook", body}
	}
	return excerpt(strings.Join(words, " "), 200)
}

// longText is a text in JSON that would leave little room for what the finding is about.
var longText = regexp.MustCompile(`"((?:[^"\\]|\\.){20})(?:[^"\\]|\\.){3,}"`)

// few lists the first names, and counts the others.
func few(names []string) string {
	const named = 4
	if len(names) <= named+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:named], ", "), len(names)-named)
}

// bounded shortens a list of names: it keeps the first ones, and counts the others.
func bounded(names []string) []string {
	const most = 20
	if len(names) <= most {
		return names
	}
	return append(slices.Clone(names[:most]), fmt.Sprintf("and %d more, in the report", len(names)-most))
}

// summary is what the text at the end of a run shows.
type summary struct {
	*verdict.Run
	Report, Repeat string  // empty for none
	Faults         []fault // the first of them
	MoreFaults     int
	Tight          bool // no room for how to go on
	Known          []known
	Missing        []verdict.Missing
	Lacking        int // rules that miss a control
	Reasons        []verdict.Reason
	Accepted       int // rules that could not be tested as the baseline says
}

// known is what the baseline says of failures of a rule.
type known struct {
	Rule, Says         string
	Failures, Untested int // scenarios that fail, and that could not be tested
}

// What counts its scenarios: "3 failures, 1 could not be tested".
func (k known) What() string {
	var all []string
	if k.Failures > 0 {
		all = append(all, wording.Count(k.Failures, "failure"))
	}
	if k.Untested > 0 {
		all = append(all, fmt.Sprintf("%d could not be tested", k.Untested))
	}
	return strings.Join(all, ", ")
}

func knownOf(run *verdict.Run) (all []known) {
	for _, rule := range run.Results() {
		for _, s := range rule.Scenarios {
			if s.Known == nil || !s.Verdict.Failing() && !s.Blocked() {
				continue
			}
			i := slices.IndexFunc(all, func(k known) bool { return k.Rule == s.Rule && k.Says == s.Known.String() })
			if i < 0 {
				i, all = len(all), append(all, known{Rule: s.Rule, Says: s.Known.String()})
			}
			if s.Verdict == verdict.CouldNotTest {
				all[i].Untested++
			} else {
				all[i].Failures++
			}
		}
	}
	return all
}

// That returns the rules with verdict v.
func (s summary) That(v verdict.Verdict) []verdict.RuleResult {
	return slices.DeleteFunc(s.Results(), func(r verdict.RuleResult) bool { return r.Verdict != v })
}

// untested sets what could not be tested, and why. Controls that are there, but do not work, are among the reasons.
func (s *summary) untested() {
	rest := *s.Run
	rest.Scenarios = nil
	accepted, lacking := map[string]bool{}, map[string]bool{}
	for _, one := range s.Run.Scenarios {
		if one.Verdict == verdict.CouldNotTest && one.Known != nil && !one.Blocked() {
			accepted[one.Rule] = true
			continue
		}
		rest.Scenarios = append(rest.Scenarios, one)
	}
	s.Missing = slices.DeleteFunc(rest.MissingControls(), func(m verdict.Missing) bool { return m.Offered })
	for _, m := range s.Missing {
		for _, rule := range m.Rules {
			lacking[rule.Name] = true
		}
	}
	s.Reasons, s.Accepted, s.Lacking = s.Run.Reasons(), len(accepted), len(lacking)
}

// quiet is all that --quiet prints.
func (p paint) quiet(run *verdict.Run) string {
	return p.render("quiet", summary{Run: run, Faults: faultsOf(run, "")})
}

// veryLong is a text in JSON that is longer than anything that helps, such as an image.
var veryLong = regexp.MustCompile(`"((?:[^"\\]|\\.){100})(?:[^"\\]|\\.){200,}"`)

// text makes foreign text safe to print, on one line.
func text(said string) string {
	var none *exchange.Redactor
	return exchange.Line(none.Text(said))
}

// short is text on one line of bounded length.
func short(said string) string {
	const looked = 64 << 10 // bytes
	return excerpt(veryLong.ReplaceAllString(said[:min(len(said), looked)], `"$1…"`), 400)
}

// selected is a selection on one line of bounded length. A list of rules ends with a whole name.
func selected(selection string) string { return short(wording.List(text(selection), 200)) }

func excerpt(said string, longest int) string {
	return exchange.Excerpt(text(said[:min(len(said), 8*longest)]), longest)
}

// state formats the live line.
func (p paint) state(counts verdict.Counts, failing, scenarios int, took, left time.Duration, current string) string {
	var words []string
	for _, v := range verdict.BySeverity {
		if counts[v] > 0 {
			words = append(words, p.in(styles[v], fmt.Sprintf("%s %d", v.Mark(), counts[v])))
		}
	}
	if failing > 0 {
		words = append(words, p.in(styles[verdict.Fail], fmt.Sprintf("%d failing", failing)))
	}
	words = append(words, fmt.Sprintf("%d/%d", counts.Total(), scenarios), clock(took))
	if left > 0 {
		words = append(words, approximately(left)+" left")
	}
	if current != "" {
		words = append(words, p.in(faint, current))
	}
	return strings.Join(words, "  ")
}

// clock formats d; below a minute, to a tenth of a second.
func clock(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return wording.Duration(d)
}
