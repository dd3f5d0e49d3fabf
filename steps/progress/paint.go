package progress

import (
	_ "embed" // for the texts
	"fmt"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"time"
	"unicode"
	"unicode/utf8"

	"charm.land/lipgloss/v2"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

// paint formats the texts. The colours are the terminal's own sixteen.
type paint struct {
	colour bool
	in     translation.Language
	titles map[string]string // of rules, in the language
	texts  *template.Template
}

func newPaint(opts Options) paint {
	p := paint{colour: opts.Colour, in: opts.Language, titles: opts.Titles}
	p.texts = template.Must(texts.Clone()).Funcs(p.functions())
	return p
}

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

func (p paint) style(style lipgloss.Style, words string) string {
	if !p.colour {
		return words
	}
	return style.Render(words)
}

//go:embed texts.tmpl
var textsSource string

var texts = template.Must(template.New("texts").Funcs(paint{}.functions()).Parse(textsSource))

func (p paint) functions() template.FuncMap {
	return template.FuncMap{
		"bold":    func(words string) string { return p.style(bold, words) },
		"bounded": p.bounded,
		"brief":   func(said string) string { return excerpt(said, 160) },
		"clock":   clock,
		"count":   p.in.SayCount,
		"few":     p.few,
		"faint":   func(words string) string { return p.style(faint, words) },
		"footer":  func(english string) string { return p.label(english, footers, 0) },
		"headline": func(o verdict.Outcome) string {
			return p.style(styles[o.Verdict()].Bold(true), o.Verdict().Mark()+" "+capital(o.In(p.in)))
		},
		"join":         func(words []string) string { return strings.Join(words, ", ") },
		"label":        func(english string) string { return p.label(english, labels, 1) },
		"language":     func() translation.Language { return p.in },
		"longestKnown": func(all []known) int { return longest(all, func(k known) string { return k.Rule }) },
		"longestName": func(all []verdict.Unlock) int {
			return longest(all, func(u verdict.Unlock) string { return u.NameIn(p.in) })
		},
		"longestRule": func(all []verdict.RuleResult) int {
			return longest(all, func(r verdict.RuleResult) string { return r.Name })
		},
		"pad":      pad,
		"recorded": func(said string) string { return short(p.in.Recorded(said)) },
		"say":      p.in.SayMarked,
		"sayf":     func(format string, args ...any) string { return fmt.Sprintf(p.in.SayMarked(format), args...) },
		"sayn":     p.in.SayN,
		"selected": p.selected,
		"short":    short,
		"text":     text,
		"title":    p.title,
		"tone":     func(v verdict.Verdict, words string) string { return p.style(styles[v], words) },
	}
}

// Labels of columns, in the facts of a fault and in the lines at the end.
var (
	labels = []string{
		translation.Mark("rule"), translation.Mark("found"), translation.Mark("your own"), translation.Mark("scenario"), translation.Mark("steps"), translation.Mark("when"),
		translation.Mark("expected"), translation.Mark("got"), translation.Mark("reason"), translation.Mark("in"), translation.Mark("failed"), translation.Mark("fails"), translation.Mark("hint"), translation.Mark("explains"), translation.Mark("next"),
	}
	footers = []string{translation.Mark("outage"), translation.Mark("ignored"), translation.Mark("seed"), translation.Mark("report"), translation.Mark("next")}
)

// label is one of a column of labels, as wide as the widest one and so many spaces; only space if it is empty.
func (p paint) label(english string, all []string, spaces int) string {
	width := spaces + longest(all, p.in.SayMarked)
	if english == "" {
		return pad("", width)
	}
	return p.style(faint, pad(p.in.SayMarked(english), width))
}

func pad(words string, width int) string { return fmt.Sprintf("%-*s", width, words) }

// title is that of a rule in the language; the user's own rules have the title that the user gave them.
func (p paint) title(rule verdict.Rule) string {
	if title, known := p.titles[rule.Name]; known && !rule.Own {
		return title
	}
	return rule.Title
}

// capital makes the first letter one.
func capital(words string) string {
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}

func (p paint) render(name string, data any) string {
	var out strings.Builder
	if err := p.texts.ExecuteTemplate(&out, name, data); err != nil {
		return fmt.Sprintf("%v\n", err) // a mistake in the template must not end the run
	}
	return out.String()
}

func longest[T any](all []T, name func(T) string) int {
	width := 0
	for _, one := range all {
		width = max(width, utf8.RuneCountInString(name(one)))
	}
	return width
}

// shownPlan is a plan with what it says in the language.
type shownPlan struct {
	Plan
	Spends, AtATime string
}

func (p paint) plan(plan Plan) string {
	shown := shownPlan{Plan: plan, AtATime: p.atATime(plan)}
	if plan.Money != nil {
		shown.Spends = plan.Money(p.in)
	}
	return p.render("plan", shown)
}

// atATime says how many scenarios run at a time: what changes an account has it for itself.
func (p paint) atATime(plan Plan) string {
	if plan.Accounts > 0 && plan.Concurrency > 1 {
		return p.in.Sayf("one scenario at a time per account, up to %d that change nothing", plan.Concurrency)
	}
	return p.in.Sayf("%d at a time", plan.Concurrency)
}

// few lists the first names, and counts the others.
func (p paint) few(names []string) string {
	const named = 4
	if len(names) <= named+1 {
		return strings.Join(names, ", ")
	}
	return p.in.Sayf("%s and %d more", strings.Join(names[:named], ", "), len(names)-named)
}

// bounded shortens a list of names: it keeps the first ones, and counts the others.
func (p paint) bounded(names []string) []string {
	const most = 20
	if len(names) <= most {
		return names
	}
	return append(slices.Clone(names[:most]), p.in.Sayf("and %d more, in the report", len(names)-most))
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
func (k known) What(in translation.Language) string {
	var all []string
	if k.Failures > 0 {
		all = append(all, in.SayCount(k.Failures, "failure"))
	}
	if k.Untested > 0 {
		all = append(all, in.SayN(k.Untested, "%d could not be tested", "%d could not be tested", k.Untested))
	}
	return strings.Join(all, ", ")
}

func (p paint) knownOf(run *verdict.Run) (all []known) {
	for _, rule := range run.Results() {
		for _, s := range rule.Scenarios {
			if s.Known == nil || !s.Verdict.Failing() && !s.Blocked() {
				continue
			}
			i := slices.IndexFunc(all, func(k known) bool { return k.Rule == s.Rule && k.Says == s.Known.In(p.in) })
			if i < 0 {
				i, all = len(all), append(all, known{Rule: s.Rule, Says: s.Known.In(p.in)})
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
	return p.render("quiet", summary{Run: run, Faults: p.faultsOf(run, "")})
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
func (p paint) selected(selection string) string {
	return short(wording.ListOf(text(selection), 200, p.in.Say("%s and %d more")))
}

func excerpt(said string, longest int) string {
	return exchange.Excerpt(text(said[:min(len(said), 8*longest)]), longest)
}

// state formats the live line.
func (p paint) state(counts verdict.Counts, failing, scenarios int, took, left time.Duration, current string) string {
	var words []string
	for _, v := range verdict.BySeverity {
		if counts[v] > 0 {
			words = append(words, p.style(styles[v], fmt.Sprintf("%s %d", v.Mark(), counts[v])))
		}
	}
	if failing > 0 {
		words = append(words, p.style(styles[verdict.Fail], p.in.SayN(failing, "%d failing", "%d failing", failing)))
	}
	words = append(words, fmt.Sprintf("%d/%d", counts.Total(), scenarios), clock(took))
	if left > 0 {
		words = append(words, p.left(left))
	}
	if current != "" {
		words = append(words, p.style(faint, current))
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
