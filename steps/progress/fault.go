package progress

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

// fault is a scenario that failed, or hit a suite error, as the summary shows it.
type fault struct {
	verdict.Scenario
	Headline     string   // of its cause; empty for a suite error
	Title        string   // of its rule, in the language
	IsNamedAfter bool     // its name is the title of its rule
	Own          string   // where the user has it: "rules/refund.feature:12"; empty for a rule of the API
	Found        bool     // by exploring
	Steps        []string // of the scenario that exploring found, unless another fault shows them
	When         string   // the last thing that was done before it failed; empty if another scenario found it
	About        string   // the request or the webhook that the finding is about: "GET /accounts/balances"; empty for none
	More         string   // how many other failures it explains; empty for none
	Alike        string   // the same, and of which rules
	Replay       string   // command; empty unless it failed
}

// faultsShown bounds the faults that the summary shows: if everything fails, the first ones say as
// much as all of them.
const faultsShown = 8

// faultsOf returns the likely causes of the failures of a run, then the suite errors.
func (p paint) faultsOf(run *verdict.Run, reportDir string) (all []fault) {
	found, causes := p.foundIn(run), run.Causes()
	for _, c := range causes {
		found.shown[c.Scenario.ID()] = true // by itself
	}
	for _, c := range causes {
		f := p.faultOf(c.Scenario, c.Rule)
		f.Headline, f.When, f.About, f.Replay = c.HeadlineIn(p.in), c.Scenario.LastAction(), about(c.Scenario), p.command(report.ReplayCommand(c.Scenario, reportDir))
		if n := len(c.Others); n > 0 {
			f.More = p.in.SayCount(n, "more failure")
			f.Alike = f.More
			switch others := c.OtherRules(); {
			case len(others) == n:
				f.Alike = p.in.Sayf("%s of %s", f.More, p.few(others))
			case len(others) > 0:
				f.Alike = p.in.Sayf("%s, including %s", f.More, p.few(others))
			}
		}
		f.Steps = found.steps(c.Scenario)
		all = append(all, f)
	}
	for _, rule := range run.Results() {
		for _, s := range rule.Scenarios {
			if s.Verdict.Normalized() == verdict.SuiteError {
				all = append(all, p.faultOf(s, rule.Rule))
			}
		}
	}
	return all
}

func (p paint) faultOf(s verdict.Scenario, rule verdict.Rule) fault {
	return fault{Scenario: s, Title: p.title(rule), IsNamedAfter: s.Name == rule.Title, Own: placeOfOwn(rule, s), Found: rule.Found}
}

// command is a command that prints in the same language.
func (p paint) command(line string) string {
	if line == "" || p.in == "" || p.in == translation.English {
		return line
	}
	return line + " --language " + string(p.in)
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
