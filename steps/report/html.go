package report

import (
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/history"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

//go:embed page
var pageFiles embed.FS

// named is text with the name that assistive technology gives it.
type named struct{ Name, Text string }

type namedBody struct {
	Name string
	readableBody
}

// functions are those of the page in a language.
func (words Words) functions() template.FuncMap {
	in := words.Language
	return template.FuncMap{
		"ago":      func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
		"body":     func(name string, b readableBody) namedBody { return namedBody{name, b} },
		"class":    classOf,
		"code":     func(s string) template.HTML { return inElement("code", s) },
		"coded":    func(s string) []span { return coded(exchange.Visible(s)) },
		"command":  func(name, text string) named { return named{name, text} },
		"count":    in.SayCount,
		"counted":  func(c htmlCount) string { return verdict.Counts{c.Verdict: c.Rules}.In(in) },
		"duration": wording.Duration,
		"headers":  headerLines,
		"htmlLanguage": func() string {
			return cmp.Or(map[translation.Language]string{translation.Portuguese: "pt-BR"}[in], "en")
		},
		"join":     joined,
		"kbd":      func(s string) template.HTML { return inElement("kbd", s) },
		"language": func() translation.Language { return in },
		"listed": func(about string, names []string) any {
			return struct {
				About string
				Names []string
			}{about, names}
		},
		"lower":    func(s string) string { return strings.ToLower(exchange.Visible(s)) },
		"mark":     verdict.Verdict.Mark,
		"reason":   words.shortReason,
		"recorded": words.recorded,
		"say":      in.SayMarked,
		"sayf":     func(format string, args ...any) string { return fmt.Sprintf(in.SayMarked(format), args...) },
		"sayh": func(format string, elements ...template.HTML) template.HTML {
			var args []any
			for _, e := range elements {
				args = append(args, e)
			}
			return template.HTML(fmt.Sprintf(template.HTMLEscapeString(in.SayMarked(format)), args...))
		},
		"sayn":    in.SayN,
		"script":  func() template.JS { return template.JS(pageFile("script.js")) },
		"strong":  func(s string) template.HTML { return inElement("strong", s) },
		"style":   func() template.CSS { return template.CSS(pageFile("style.css")) },
		"tally":   tally,
		"visible": exchange.Visible,
	}
}

// htmlTemplate is never executed, so that it can be cloned for each language.
var htmlTemplate = template.Must(template.New("page.html.tmpl").Funcs(Words{}.functions()).ParseFS(pageFiles, "page/*.tmpl"))

// inElement is a text in an element of HTML.
func inElement(name, text string) template.HTML {
	return template.HTML("<" + name + ">" + template.HTMLEscapeString(exchange.Visible(text)) + "</" + name + ">")
}

func pageFile(name string) string {
	content, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(content)
}

// writeHTML writes the report for people: one self-contained file.
// dir is the report's directory; trend is nil without a history.
func writeHTML(w io.Writer, run *verdict.Run, dir string, trend *history.Trend, words Words) error {
	page, err := htmlTemplate.Clone()
	if err != nil {
		return err
	}
	return page.Funcs(words.functions()).Execute(w, pageOf(words.Translated(run), dir, trend, words))
}

type htmlPage struct {
	*verdict.Run
	Repeat       string
	Failures     []htmlFailures // first, and open
	Known        []htmlRule     // that fail as the baseline says
	Broken       []htmlRule     // errors of the suite
	Untested     []htmlRule     // for another reason than a missing control
	Warned       []htmlRule
	Observations []htmlPoints
	Points       int             // that were observed
	Unseen       int             // open points that no scenario observed
	Features     []htmlGroup     // rules by endpoint
	Owned        []htmlGroup     // the user's own, by feature
	Found        []htmlGroup     // by exploring
	Latency      *htmlLatency    // nil if nothing was measured
	Trend        *htmlTrend      // nil without a history
	Preparation  string          // shell lines that set the variables of the curl lines
	Variables    []shellVariable // that occur in them
	Contents     []htmlLink
}

// htmlLink leads to a section.
type htmlLink struct{ ID, Title string }

// htmlGroup are the rules of an endpoint or a feature.
type htmlGroup struct {
	Name  string
	File  string
	Own   bool
	Rules []verdict.RuleResult
}

// htmlPoints are the open points that one feature observed.
type htmlPoints struct {
	Feature      string
	Observations []verdict.Observation
}

// htmlCount is one verdict of the bar, the filter or a group's tally.
type htmlCount struct {
	Verdict verdict.Verdict
	Rules   int
}

func pageOf(r *verdict.Run, dir string, trend *history.Trend, words Words) htmlPage {
	in := words.Language
	results := r.Results()
	shown := &htmlBudget{run: r, dir: UnlessDefault(dir), scripts: makesAccounts(r), evidence: htmlEvidence, anchored: map[string]bool{}, words: words}
	page := htmlPage{
		Run: r, Repeat: words.command(RepeatCommand(r)), Failures: shown.failures(results, r.Causes()),
		Known:    shown.rules(results, func(s verdict.Scenario) bool { return s.Verdict == verdict.KnownFailure }),
		Broken:   shown.rules(results, func(s verdict.Scenario) bool { return s.Verdict.Normalized() == verdict.SuiteError }),
		Untested: shown.rules(results, func(s verdict.Scenario) bool { return s.Verdict == verdict.CouldNotTest && len(s.Missing) == 0 }),
		Warned:   shown.rules(results, func(s verdict.Scenario) bool { return s.Verdict == verdict.Warning || len(s.Warnings) > 0 }),
		Latency:  latencyPlots(r), Trend: trendPlots(trend, r),
	}
	page.group(r)
	if len(page.Failures)+len(page.Known)+len(page.Warned)+len(page.Untested) > 0 {
		page.Preparation, page.Variables = exchange.Visible(preparation(r)), variablesOf(r, in)
	}
	page.observations(r, in)
	page.Contents = page.contents(in)
	return page
}

// group groups the rules: pixcert's by what the specification states them about, others by feature.
func (p *htmlPage) group(r *verdict.Run) {
	isEndpoint := func(g htmlGroup) bool { return strings.Contains(g.Name, " /") }
	for _, f := range featuresOf(r) {
		switch own := (htmlGroup{f.Name, f.File, true, f.Rules}); {
		case f.Found:
			p.Found = append(p.Found, own)
		case f.Own:
			p.Owned = append(p.Owned, own)
		default:
			for _, rule := range f.Rules {
				p.add(rule, f.Name)
			}
		}
	}
	slices.SortStableFunc(p.Features, func(a, b htmlGroup) int {
		switch x, y := isEndpoint(a), isEndpoint(b); {
		case x == y:
			return 0
		case x:
			return -1
		}
		return 1
	})
}

// add adds a rule to the group of its subject, or of its feature if the report does not say what it is about.
func (p *htmlPage) add(rule verdict.RuleResult, feature string) {
	name := rule.Subject
	if name == "" {
		name = feature
	}
	i := slices.IndexFunc(p.Features, func(g htmlGroup) bool { return g.Name == name })
	if i < 0 {
		i = len(p.Features)
		p.Features = append(p.Features, htmlGroup{Name: name})
	}
	p.Features[i].Rules = append(p.Features[i].Rules, rule)
}

func (p *htmlPage) observations(r *verdict.Run, in translation.Language) {
	for _, o := range r.Observations() {
		if len(o.Seen) == 0 {
			p.Unseen++
			continue
		}
		p.Points++
		feature := cmp.Or(featureOf(r, o), in.Say("Others"))
		i := slices.IndexFunc(p.Observations, func(p htmlPoints) bool { return p.Feature == feature })
		if i < 0 {
			i = len(p.Observations)
			p.Observations = append(p.Observations, htmlPoints{Feature: feature})
		}
		p.Observations[i].Observations = append(p.Observations[i].Observations, o)
	}
}

// contents are the sections of the page, in their order.
func (p *htmlPage) contents(in translation.Language) (all []htmlLink) {
	for _, f := range p.Failures {
		all = append(all, htmlLink{f.ID, f.Title})
	}
	for _, section := range []struct {
		shown bool
		htmlLink
	}{
		{len(p.Broken) > 0, htmlLink{"broken", in.Say("Suite errors")}},
		{len(p.Known) > 0 || p.Baseline != nil, htmlLink{"known", in.Say("Known failures")}},
		{len(p.Untested)+len(p.Unlocks)+len(p.MissingControls()) > 0, htmlLink{"untested", in.Say("Could not be tested")}},
		{len(p.Warned) > 0, htmlLink{"warned", in.Say("Warnings")}},
		{p.Points > 0, htmlLink{"points", in.Say("Open points")}},
		{len(p.Features) > 0, htmlLink{"rules", in.Say("Rules by endpoint")}},
		{len(p.Found) > 0, htmlLink{"found", in.Say("Findings")}},
		{len(p.Owned) > 0, htmlLink{"own", in.Say("Your own rules")}},
		{p.Latency != nil, htmlLink{"latencies", in.Say("Latencies")}},
		{p.Trend != nil, htmlLink{"history", in.Say("History")}},
		{p.Preparation != "", htmlLink{"curl", "curl"}},
	} {
		if section.shown {
			all = append(all, section.htmlLink)
		}
	}
	return all
}

// featureOf returns the feature of the first scenario that observed an open point; empty if the run has no such rule.
func featureOf(r *verdict.Run, o verdict.Observation) string {
	for _, rule := range r.Rules {
		for _, seen := range o.Seen {
			if slices.ContainsFunc(seen.Scenarios, func(id string) bool { return strings.HasPrefix(id, rule.Name+"/") }) {
				return rule.Feature
			}
		}
	}
	return ""
}

func tally(rules []verdict.RuleResult) []htmlCount {
	counts := verdict.Counts{}
	for _, rule := range rules {
		counts[rule.Verdict]++
	}
	var tally []htmlCount
	for _, v := range verdict.BySeverity {
		if counts[v] > 0 {
			tally = append(tally, htmlCount{v, counts[v]})
		}
	}
	return tally
}

// classOf returns a verdict as a CSS class and filter value.
func classOf(v verdict.Verdict) string { return strings.ReplaceAll(string(v), " ", "-") }
