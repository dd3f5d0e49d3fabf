package report

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Bounds that keep the page fast if everything fails: how many scenarios show their steps and exchanges, how many
// exchanges each, and how many bytes of each body. verdict.json has the rest.
const (
	htmlEvidence  = 150
	htmlExchanges = 24

	htmlStatements = 4 // of a rule, not folded
	htmlBody       = 8 << 10
)

// htmlRule is a rule with the scenarios that are shown as evidence.
type htmlRule struct {
	verdict.RuleResult
	Anchor   string // its id as the first place that shows why the rule fails; empty for another place
	Evidence []htmlScenario
}

// Search is what finds the rule.
func (r htmlRule) Search() string {
	words := []string{r.Name, r.Title, r.Subject}
	for _, s := range r.Evidence {
		words = append(words, s.Name)
	}
	return strings.ToLower(exchange.Visible(strings.Join(words, " ")))
}

// ShownIn counts the evidence: "2 of 5 scenarios, 1 violation that no step checks".
func (r htmlRule) ShownIn(in translation.Language) string {
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
		parts = append(parts, in.Say("no scenario ran"))
	case shown > 0:
		parts = append(parts, in.SayN(all, "%d of %d scenario", "%d of %d scenarios", shown, all))
	}
	if violations > 0 {
		parts = append(parts, in.SayN(violations, "%d violation that no step checks", "%d violations that no step checks", violations))
	}
	return strings.Join(parts, ", ")
}

type htmlScenario struct {
	verdict.Scenario
	Decisive  bool // its finding and its decisive exchange are shown above it
	Exchanges []htmlExchange
	Pair      []htmlExchange // the wrong one, and the right one of another attempt; nil if it never passed
	Left      int            // exchanges that are only in verdict.json
	Archive   string         // file of the evidence; empty for none
	Script    string         // that re-sends its requests; empty for none
	Replay    string         // command; empty unless it failed
}

// htmlExchange is an exchange, or several of the same request with the same status, of which it is the last.
type htmlExchange struct {
	exchange.Exchange
	Path           string // the URL without the target's own
	Times          int    // how many it stands for
	Open           bool   // because the finding is about it
	Sent, Response readableBody
	Command        command
}

// htmlBudget counts what may still be shown with its exchanges.
type htmlBudget struct {
	run      *verdict.Run
	dir      string // of the report, for commands; empty for the default
	scripts  bool   // write links to scripts, too
	evidence int
	words    Words
	anchored map[string]bool // rules of which a place is known that shows why they fail
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
	if s.Verdict.Failing() {
		shown.Replay = b.words.command(ReplayCommand(s, b.dir))
	}
	shown.Exchanges, shown.Left = b.exchanges(s)
	if wrong := s.Subject(); s.Right != nil && wrong != nil && b.evidence > 0 {
		shown.Pair = []htmlExchange{b.exchange(*wrong, command{}), b.exchange(*s.Right, command{})}
	}
	if b.evidence > 0 {
		b.evidence--
	} else {
		shown.Steps = nil
	}
	return shown
}

// exchanges are those of a scenario that are shown. Requests that only look are repeated until the response fits: one
// line stands for all that had the same status.
func (b *htmlBudget) exchanges(s verdict.Scenario) (shown []htmlExchange, left int) {
	if b.evidence == 0 {
		return nil, len(s.Exchanges)
	}
	commands := commandsOf(s)
	subject := -1
	if s.Finding != nil {
		subject = s.Finding.Exchange
	}
	for i := 0; i < len(s.Exchanges); {
		end := i + 1
		for end < len(s.Exchanges) && isRepeated(s.Exchanges[i], s.Exchanges[end]) {
			end++
		}
		one := end - 1
		if i <= subject && subject < end {
			one = subject
		}
		if len(shown) >= htmlExchanges && one != subject {
			left += end - i
		} else {
			e := b.exchange(s.Exchanges[one], commands[one])
			e.Times, e.Open = end-i, one == subject
			shown = append(shown, e)
		}
		i = end
	}
	return shown, left
}

func isRepeated(a, b exchange.Exchange) bool {
	return a.Method == http.MethodGet && a.Party == exchange.API && b.Party == a.Party && b.Method == a.Method && b.URL == a.URL &&
		b.Status == a.Status && b.Step == a.Step && b.Other == a.Other
}

func (b *htmlBudget) exchange(e exchange.Exchange, c command) htmlExchange {
	sentCut, gotCut := e.LeftOutOf()
	path := strings.TrimPrefix(e.URL, strings.TrimSuffix(b.run.Target, "/"))
	if path == e.URL && e.Party == exchange.API {
		path = e.Resource()
	}
	return htmlExchange{
		Exchange: e, Times: 1, Command: c, Path: path,
		Sent: readable(e.Body, sentCut, htmlBody), Response: readable(e.ResponseBody, gotCut, htmlBody),
	}
}

// shortReason says why a scenario did not pass, or why it warns; empty if it passed.
func (words Words) shortReason(s verdict.Scenario) string {
	const most = 140
	switch {
	case s.Finding == nil && len(s.Warnings) > 0:
		return exchange.Excerpt(words.findingLine(s.Warnings[0]), most)
	case s.Finding == nil && len(s.Missing) == 0:
		return ""
	}
	return exchange.Excerpt(words.reasonOf(s), most)
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
