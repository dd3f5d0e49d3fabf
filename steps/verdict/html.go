package verdict

import (
	_ "embed"
	"html/template"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

//go:embed report.html.tmpl
var htmlSource string

var htmlTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"ago":      func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") },
	"class":    Verdict.class,
	"duration": duration,
	"join":     func(words []string) string { return strings.Join(words, ", ") },
	"lower":    strings.ToLower,
	"mark":     Verdict.Mark,
	"plural":   plural,
	"visible":  exchange.Visible,
}).Parse(htmlSource))

// writeHTML writes the report for people: one file that needs no network.
func writeHTML(w io.Writer, run *Run) error { return htmlTemplate.Execute(w, run.page()) }

// htmlPage is what the template shows.
type htmlPage struct {
	*Run
	Outcome      Outcome
	Repeat       string
	Summary      Summary
	Bar          []htmlCount
	Failed       []htmlRule // first, and open
	Broken       []htmlRule // errors of the suite
	Reach        Reach
	Missing      []htmlMissing
	Untested     []htmlRule // for another reason than a missing control
	Warned       []htmlRule
	Observations []htmlPoints
	Points       int // that were seen
	Unseen       int // open points that no scenario came to
	Features     []htmlFeature
	Preparation  string          // shell lines that set the variables of the curl lines
	Variables    []shellVariable // that occur in them
}

// htmlPoints are the open points that one feature came to.
type htmlPoints struct {
	Feature      string
	Observations []Observation
}

// htmlCount is one verdict of the bar, the filter or a feature's tally.
type htmlCount struct {
	Verdict Verdict
	Rules   int
}

type htmlMissing struct {
	Control string
	Rules   []RuleResult
}

type htmlFeature struct {
	Name, File string
	Tally      []htmlCount
	Rules      []RuleResult
}

// htmlRule is a rule with those of its scenarios that are shown as evidence.
type htmlRule struct {
	RuleResult
	Evidence []htmlScenario
}

type htmlScenario struct {
	Scenario
	Open      bool
	Exchanges []htmlExchange
	Left      int    // exchanges that only verdict.json holds
	Archive   string // file of the evidence, empty for none
	Script    string // likewise
}

type htmlExchange struct {
	exchange.Exchange
	Path         string // the URL without the target's own
	Subject      bool   // the finding speaks of it
	Sent, Answer readableBody
	SentHeaders  []string
	AnswerHeads  []string
	Command      string // curl; empty for a webhook
	Sets         []shellSetting
	IsNew        bool // it made an account
}

// Bounds that keep the page quick where everything fails: so many scenarios
// begin open, so many show their exchanges, so many exchanges each, so many
// bytes of each body. verdict.json has the rest.
const (
	htmlOpen      = 12
	htmlEvidence  = 150
	htmlExchanges = 24
	htmlBody      = 8 << 10
)

func (r *Run) page() htmlPage {
	results := r.Results()
	shown := &htmlBudget{target: r.Target, scripts: r.makesAccounts(), open: htmlOpen, evidence: htmlEvidence}
	page := htmlPage{
		Run: r, Outcome: r.Outcome(), Summary: r.Summary(), Reach: r.Reach(), Repeat: r.Repeat(),
		Failed:   shown.rules(results, func(s Scenario) bool { return s.Verdict == Fail }),
		Broken:   shown.rules(results, func(s Scenario) bool { return ByWeight[s.Verdict.weight()] == SuiteError }),
		Untested: shown.rules(results, func(s Scenario) bool { return s.Verdict == CouldNotTest && len(s.Missing) == 0 }),
		Warned:   shown.rules(results, func(s Scenario) bool { return s.Verdict == Warning || len(s.Warnings) > 0 }),
		Missing:  missingRules(results, r.MissingControls()),
	}
	page.Bar = tally(results)
	if len(page.Failed)+len(page.Warned)+len(page.Untested) > 0 {
		page.Preparation, page.Variables = exchange.Visible(r.preparation()), r.variables()
	}
	for _, o := range r.Observations() {
		if len(o.Seen) == 0 {
			page.Unseen++
			continue
		}
		page.Points++
		feature := r.featureOf(o)
		i := slices.IndexFunc(page.Observations, func(p htmlPoints) bool { return p.Feature == feature })
		if i < 0 {
			i = len(page.Observations)
			page.Observations = append(page.Observations, htmlPoints{Feature: feature})
		}
		page.Observations[i].Observations = append(page.Observations[i].Observations, o)
	}
	for _, f := range r.features() {
		page.Features = append(page.Features, htmlFeature{f.Name, f.File, tally(f.Rules), f.Rules})
	}
	return page
}

// featureOf is the feature of the first scenario that came to an open point.
func (r *Run) featureOf(o Observation) string {
	for _, rule := range r.Rules {
		for _, seen := range o.Seen {
			if slices.ContainsFunc(seen.Scenarios, func(id string) bool { return strings.HasPrefix(id, rule.Name+"/") }) {
				return rule.Feature
			}
		}
	}
	return "Others"
}

func tally(rules []RuleResult) []htmlCount {
	counts := Counts{}
	for _, rule := range rules {
		counts[rule.Verdict]++
	}
	var tally []htmlCount
	for _, v := range ByWeight {
		if counts[v] > 0 {
			tally = append(tally, htmlCount{v, counts[v]})
		}
	}
	return tally
}

func missingRules(results []RuleResult, missing map[string][]string) []htmlMissing {
	var controls []htmlMissing
	for control, names := range missing {
		m := htmlMissing{Control: control}
		for _, rule := range results {
			if slices.Contains(names, rule.Name) {
				m.Rules = append(m.Rules, rule)
			}
		}
		controls = append(controls, m)
	}
	// The control that most rules need first.
	slices.SortFunc(controls, func(a, b htmlMissing) int {
		if d := len(b.Rules) - len(a.Rules); d != 0 {
			return d
		}
		return strings.Compare(a.Control, b.Control)
	})
	return controls
}

// htmlBudget is what may still be shown open and with its exchanges.
type htmlBudget struct {
	target         string
	scripts        bool // there are scripts beside the archives
	open, evidence int
}

// rules picks the scenarios of each rule that want says, as evidence.
func (b *htmlBudget) rules(results []RuleResult, want func(Scenario) bool) []htmlRule {
	var rules []htmlRule
	for _, result := range results {
		rule := htmlRule{RuleResult: result}
		for _, s := range result.Scenarios {
			if want(s) {
				rule.Evidence = append(rule.Evidence, b.scenario(s))
			}
		}
		nothingRan := len(result.Scenarios) == 0 && want(Scenario{Verdict: CouldNotTest})
		if len(rule.Evidence) > 0 || nothingRan {
			rules = append(rules, rule)
		}
	}
	return rules
}

func (b *htmlBudget) scenario(s Scenario) htmlScenario {
	shown := htmlScenario{Scenario: s, Archive: s.archive()}
	if b.scripts && shown.Archive != "" {
		shown.Script = scriptOf(shown.Archive)
	}
	commands := s.commands()
	if s.Verdict == Fail && b.open > 0 {
		b.open--
		shown.Open = true
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
	if b.evidence > 0 {
		b.evidence--
	}
	return shown
}

func (b *htmlBudget) exchange(e exchange.Exchange, c command, subject bool) htmlExchange {
	sent, came := leftOut(e)
	return htmlExchange{
		Command: c.Line, Sets: c.Sets, IsNew: c.IsNew,
		Exchange: e, Subject: subject, Path: strings.TrimPrefix(e.URL, strings.TrimSuffix(b.target, "/")),
		Sent: readable(e.Body, sent, htmlBody), Answer: readable(e.ResponseBody, came, htmlBody),
		SentHeaders: headerLines(e.Header), AnswerHeads: headerLines(e.ResponseHeader),
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
