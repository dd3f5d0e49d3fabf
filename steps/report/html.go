package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/wording"
)

//go:embed report.html.tmpl
var htmlSource string

var htmlTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"ago":      func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
	"class":    classOf,
	"count":    wording.Count,
	"duration": wording.Duration,
	"headers":  headerLines,
	"join":     joined,
	"listed": func(about string, names []string) any {
		return struct {
			About string
			Names []string
		}{about, names}
	},
	"lower":   strings.ToLower,
	"mark":    verdict.Verdict.Mark,
	"tally":   tally,
	"visible": exchange.Visible,
}).Parse(htmlSource))

// writeHTML writes the report for people: one self-contained file.
// dir is the report's directory.
func writeHTML(w io.Writer, run *verdict.Run, dir string) error {
	return htmlTemplate.Execute(w, pageOf(run, dir))
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
	Points       int // that were observed
	Unseen       int // open points that no scenario observed
	Features     []featureResult
	Owned        []featureResult // the user's own
	Found        []featureResult // by exploring
	Preparation  string          // shell lines that set the variables of the curl lines
	Variables    []shellVariable // that occur in them
}

// htmlFailures are the failures of the API's rules, or of the user's own.
type htmlFailures struct {
	ID, Title, About string
	Causes           []htmlCause
}

// htmlCause is a cause with the rule that is about it, and the rules that fail as a consequence.
type htmlCause struct {
	verdict.Cause
	Blamed       htmlRule
	Consequences []htmlRule
}

// htmlPoints are the open points that one feature observed.
type htmlPoints struct {
	Feature      string
	Observations []verdict.Observation
}

// htmlCount is one verdict of the bar, the filter or a feature's tally.
type htmlCount struct {
	Verdict verdict.Verdict
	Rules   int
}

// htmlRule is a rule with the scenarios that are shown as evidence.
type htmlRule struct {
	verdict.RuleResult
	Evidence []htmlScenario
}

// Shown counts the evidence: "2 of 5 scenarios, 1 violation that no step checks".
func (r htmlRule) Shown() string {
	all, shown, violations := 0, 0, 0
	for _, s := range r.Scenarios {
		if s.Via == "" {
			all++
		}
	}
	for _, s := range r.Evidence {
		if s.Via == "" {
			shown++
		} else {
			violations++
		}
	}
	var parts []string
	switch {
	case all == 0:
		parts = append(parts, "no scenario ran")
	case shown > 0:
		parts = append(parts, fmt.Sprintf("%d of %s", shown, wording.Count(all, "scenario")))
	}
	if violations > 0 {
		parts = append(parts, wording.Count(violations, "violation")+" that no step checks")
	}
	return strings.Join(parts, ", ")
}

type htmlScenario struct {
	verdict.Scenario
	Open      bool
	Exchanges []htmlExchange
	Pair      []htmlExchange // the wrong one, and the right one of another attempt; nil if it never passed
	Left      int            // exchanges that are only in verdict.json
	Archive   string         // file of the evidence; empty for none
	Script    string         // that re-sends its requests; empty for none
	Replay    string         // command; empty unless it failed
}

type htmlExchange struct {
	exchange.Exchange
	Path           string // the URL without the target's own
	Subject        bool   // the finding is about it
	Sent, Response readableBody
	Command        command
}

// Bounds that keep the page fast if everything fails: how many scenarios start open, how many
// show their exchanges, how many exchanges each, and how many bytes of each body. verdict.json
// has the rest.
const (
	htmlOpen      = 12
	htmlEvidence  = 150
	htmlExchanges = 24
	htmlBody      = 8 << 10
)

func pageOf(r *verdict.Run, dir string) htmlPage {
	results := r.Results()
	shown := &htmlBudget{target: r.Target, dir: UnlessDefault(dir), scripts: makesAccounts(r), open: htmlOpen, evidence: htmlEvidence}
	page := htmlPage{
		Run: r, Repeat: RepeatCommand(r), Failures: shown.failures(results, r.Causes()),
		Known:    shown.rules(results, func(s verdict.Scenario) bool { return s.Verdict == verdict.KnownFailure }),
		Broken:   shown.rules(results, func(s verdict.Scenario) bool { return s.Verdict.Normalized() == verdict.SuiteError }),
		Untested: shown.rules(results, func(s verdict.Scenario) bool { return s.Verdict == verdict.CouldNotTest && len(s.Missing) == 0 }),
		Warned:   shown.rules(results, func(s verdict.Scenario) bool { return s.Verdict == verdict.Warning || len(s.Warnings) > 0 }),
	}
	for _, f := range featuresOf(r) {
		switch {
		case f.Found:
			page.Found = append(page.Found, f)
		case f.Own:
			page.Owned = append(page.Owned, f)
		default:
			page.Features = append(page.Features, f)
		}
	}
	if len(page.Failures)+len(page.Known)+len(page.Warned)+len(page.Untested) > 0 {
		page.Preparation, page.Variables = exchange.Visible(preparation(r)), variablesOf(r)
	}
	for _, o := range r.Observations() {
		if len(o.Seen) == 0 {
			page.Unseen++
			continue
		}
		page.Points++
		feature := featureOf(r, o)
		i := slices.IndexFunc(page.Observations, func(p htmlPoints) bool { return p.Feature == feature })
		if i < 0 {
			i = len(page.Observations)
			page.Observations = append(page.Observations, htmlPoints{Feature: feature})
		}
		page.Observations[i].Observations = append(page.Observations[i].Observations, o)
	}
	return page
}

// featureOf returns the feature of the first scenario that observed an open point.
func featureOf(r *verdict.Run, o verdict.Observation) string {
	for _, rule := range r.Rules {
		for _, seen := range o.Seen {
			if slices.ContainsFunc(seen.Scenarios, func(id string) bool { return strings.HasPrefix(id, rule.Name+"/") }) {
				return rule.Feature
			}
		}
	}
	return "Others"
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

// htmlBudget counts what may still be shown open, and with its exchanges.
type htmlBudget struct {
	target         string
	dir            string // of the report, for commands; empty for the default
	scripts        bool   // write links to scripts, too
	open, evidence int
}

// failures are those of the rules of the API, then the findings of exploring and the user's own rules.
func (b *htmlBudget) failures(results []verdict.RuleResult, causes []verdict.Cause) []htmlFailures {
	all := []htmlFailures{
		{ID: "failed", Title: "Failures", About: "The target breaks these rules of the specification."},
		{ID: "failed-found", Title: "Findings of pixcert explore", About: "The target breaks the specification in these sequences of requests and events."},
		{ID: "failed-own", Title: "Failures of your own rules", About: "The specification does not state these rules: they are in your own features."},
	}
	of := func(rule verdict.Rule) *htmlFailures {
		switch {
		case rule.Found:
			return &all[1]
		case rule.Own:
			return &all[2]
		}
		return &all[0]
	}
	byName := map[string]verdict.RuleResult{}
	for _, result := range results {
		byName[result.Rule.Name] = result
	}
	for _, c := range causes {
		some := of(c.Rule)
		some.Causes = append(some.Causes, b.cause(byName, c))
	}
	return slices.DeleteFunc(all, func(f htmlFailures) bool { return len(f.Causes) == 0 })
}

// cause shows the scenario to blame first, then the others of its rule, and the other rules folded.
func (b *htmlBudget) cause(results map[string]verdict.RuleResult, c verdict.Cause) htmlCause {
	var rules []htmlRule
	of := map[string]int{}
	for _, s := range slices.Concat([]verdict.Scenario{c.Scenario}, c.Others) {
		i, known := of[s.Rule]
		if !known {
			i = len(rules)
			of[s.Rule] = i
			rules = append(rules, htmlRule{RuleResult: results[s.Rule]})
		}
		rules[i].Evidence = append(rules[i].Evidence, b.scenario(s))
	}
	return htmlCause{c, rules[0], rules[1:]}
}

// rules selects the wanted scenarios of each rule as evidence.
func (b *htmlBudget) rules(results []verdict.RuleResult, want func(verdict.Scenario) bool) []htmlRule {
	var rules []htmlRule
	for _, result := range results {
		rule := htmlRule{RuleResult: result}
		for _, s := range result.Scenarios {
			if want(s) {
				rule.Evidence = append(rule.Evidence, b.scenario(s))
			}
		}
		nothingRan := len(result.Scenarios) == 0 && want(verdict.Scenario{Verdict: verdict.CouldNotTest})
		if len(rule.Evidence) > 0 || nothingRan {
			rules = append(rules, rule)
		}
	}
	return rules
}

func (b *htmlBudget) scenario(s verdict.Scenario) htmlScenario {
	shown := htmlScenario{Scenario: s, Archive: archiveOf(s)}
	if b.scripts && shown.Archive != "" {
		shown.Script = scriptOf(shown.Archive)
	}
	commands := commandsOf(s)
	if s.Verdict.Failing() {
		shown.Replay = ReplayCommand(s, b.dir)
	}
	if s.Verdict == verdict.Fail {
		shown.Open = b.open > 0
		b.open--
	}
	subject := -1
	if s.Finding != nil {
		subject = s.Finding.Exchange
	}
	for i, e := range s.Exchanges {
		if b.evidence == 0 || i >= htmlExchanges && i != subject {
			shown.Left++
			continue
		}
		shown.Exchanges = append(shown.Exchanges, b.exchange(e, commands[i], i == subject))
	}
	if wrong := s.Subject(); s.Right != nil && wrong != nil && b.evidence > 0 {
		shown.Pair = []htmlExchange{b.exchange(*wrong, command{}, true), b.exchange(*s.Right, command{}, true)}
	}
	if b.evidence > 0 {
		b.evidence--
	}
	return shown
}

func (b *htmlBudget) exchange(e exchange.Exchange, c command, subject bool) htmlExchange {
	sentCut, gotCut := e.LeftOutOf()
	return htmlExchange{
		Exchange: e, Subject: subject, Command: c, Path: strings.TrimPrefix(e.URL, strings.TrimSuffix(b.target, "/")),
		Sent: readable(e.Body, sentCut, htmlBody), Response: readable(e.ResponseBody, gotCut, htmlBody),
	}
}

func headerLines(h http.Header) []string {
	var lines []string
	for name, values := range h {
		for _, value := range values {
			lines = append(lines, exchange.Line(name+": "+value))
		}
	}
	slices.Sort(lines)
	return lines
}

// classOf returns a verdict as a CSS class and filter value.
func classOf(v verdict.Verdict) string { return strings.ReplaceAll(string(v), " ", "-") }
