package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// junit.xml follows the schema of Jenkins' xUnit plug-in (junit-10.xsd), the strictest in wide
// use: one test suite per feature, one test case per scenario, and one per violation that scenarios found
// in passing: the properties "scenarios" and "violations" say how many of each the run has. "Could not test", "not
// applicable", "not run" and known failures are skipped, a suite error is an error, a warning
// passes and is reported in system-out. What is wrong with the run as a whole has a test suite of
// its own, since what is skipped alarms nobody. The schema has no file attribute and no properties
// for a test case, so the test suite has them: a property "warning" for each warning. exchange.Visible
// escapes characters that XML 1.0 does not allow. What a quick run left out has a test suite of its own, of skipped tests. The suites of the user's own features come last, and
// say so in their names.
type junitReport struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr"`
	File       string          `xml:"file,attr,omitempty"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name      string       `xml:"name,attr"`
	Classname string       `xml:"classname,attr"`
	Time      string       `xml:"time,attr"`
	Skipped   *junitReason `xml:"skipped"`
	Error     *junitReason `xml:"error"`
	Failure   *junitReason `xml:"failure"`
	Output    string       `xml:"system-out,omitempty"`
}

type junitReason struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"` // one line
	Text    string `xml:",chardata"`
}

func writeJUnit(w io.Writer, run *verdict.Run, dir string) error {
	return encodeJUnit(w, reportJUnit(run, dir))
}

func encodeJUnit(w io.Writer, report junitReport) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(report); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func reportJUnit(r *verdict.Run, dir string) junitReport {
	report := junitReport{Name: exchange.Visible("pixcert: " + r.Target), Time: seconds(r.Took)}
	suites := wholeSuite(r)
	for _, feature := range featuresOf(r) {
		suites = append(suites, suiteOf(r, feature, dir))
	}
	suites = append(suites, skippedSuite(r)...)
	for _, suite := range suites {
		report.Tests += suite.Tests
		report.Failures += suite.Failures
		report.Errors += suite.Errors
		report.Suites = append(report.Suites, suite)
	}
	return report
}

// The test suite of the run as a whole, and its test case for a run that has no results, or not all.
const (
	wholeRun      = "The run"
	runIsComplete = "The run is complete"
)

// wholeSuite is a test suite of what is wrong with the run as a whole; none if nothing is.
func wholeSuite(r *verdict.Run) []junitSuite {
	suite := junitSuite{Name: wholeRun, Time: seconds(0), Timestamp: junitTime(r.Started), Properties: propertiesOf(r)}
	add := func(name string, outcome verdict.Outcome, reason string) {
		suite.Cases = append(suite.Cases, junitCase{
			Name: name, Classname: "pixcert", Time: seconds(0), Error: &junitReason{Type: string(outcome), Message: exchange.Visible(reason)},
		})
		suite.Tests, suite.Errors = suite.Tests+1, suite.Errors+1
	}
	if r.Ended != nil {
		add(runIsComplete, verdict.EndedEarly, r.Ended.Reason)
	}
	if b := r.Baseline; b != nil && len(b.Fixed) > 0 {
		add("The baseline is up to date", verdict.Outdated, "fixed, to be removed from "+b.File+": "+joined(b.Fixed))
	}
	if b := r.Baseline; b != nil && len(b.Expired) > 0 {
		add("The baseline has not expired", verdict.DoesNotConform, "expired in "+b.File+": "+joined(b.Expired))
	}
	if more := r.MoreUntested(); len(more) > 0 {
		add("Nothing is untested that the baseline does not list", verdict.Incomplete, "could not be tested, and not in "+r.Baseline.File+": "+joined(more))
	}
	for _, shard := range r.Lacks {
		add("Shard "+shard.String(), verdict.Incomplete, "shard "+shard.String()+" is missing")
	}
	if len(suite.Cases) == 0 {
		return nil
	}
	return []junitSuite{suite}
}

// skippedSuite is a test suite of what a quick run left out; none for nothing.
func skippedSuite(r *verdict.Run) []junitSuite {
	if r.LeftOut == nil || len(r.LeftOut.Skipped) == 0 {
		return nil
	}
	suite := junitSuite{Name: "Left out for lack of time", Time: seconds(0), Timestamp: junitTime(r.Started), Properties: propertiesOf(r)}
	for _, id := range r.LeftOut.Skipped {
		rule, name, _ := strings.Cut(id, "/")
		suite.Cases = append(suite.Cases, junitCase{
			Name: exchange.Visible(name), Classname: exchange.Visible(rule), Time: seconds(0),
			Skipped: &junitReason{Type: string(verdict.NotRun), Message: "left out for lack of time"},
		})
		suite.Tests, suite.Skipped = suite.Tests+1, suite.Skipped+1
	}
	return []junitSuite{suite}
}

func propertiesOf(r *verdict.Run) []junitProperty {
	summary := r.Summary()
	return []junitProperty{
		{"target", exchange.Visible(r.Target)},
		{"url", exchange.Visible(r.URL)},
		{"run", exchange.Visible(r.ID)},
		{"pixcert", exchange.Visible(r.Version)},
		{"seed", r.Order()},
		{"concurrency", strconv.Itoa(r.Concurrency)},
		{"selection", exchange.Visible(r.Selection)},
		{"strict", strconv.FormatBool(r.Strict)},
		{"scenarios", strconv.Itoa(summary.Scenarios.Total())},
		{"violations", strconv.Itoa(summary.Violations.Total())},
	}
}

func suiteOf(r *verdict.Run, feature featureResult, dir string) junitSuite {
	name := feature.Name
	if feature.Own && !feature.Found {
		name = "Your own rules: " + name
	}
	suite := junitSuite{Name: exchange.Visible(name), File: exchange.Visible(feature.File), Properties: propertiesOf(r)}
	var took time.Duration
	began := r.Started.Add(r.Took)
	for _, rule := range feature.Rules {
		for _, s := range scenariosOf(rule) {
			took += s.Took
			if !s.Started.IsZero() && s.Started.Before(began) {
				began = s.Started
			}
			suite.add(s, rule.Rule, dir)
		}
	}
	suite.Time = seconds(took)
	suite.Timestamp = junitTime(began)
	return suite
}

// scenariosOf returns the scenarios of a rule, or one that stands for those that did not run.
func scenariosOf(rule verdict.RuleResult) []verdict.Scenario {
	if len(rule.Scenarios) == 0 {
		return []verdict.Scenario{{Rule: rule.Name, Name: "no scenario ran", Verdict: verdict.CouldNotTest}}
	}
	return rule.Scenarios
}

// add adds a scenario to the test suite and counts it.
func (suite *junitSuite) add(s verdict.Scenario, rule verdict.Rule, dir string) {
	c := junitCase{Name: exchange.Visible(s.Name), Classname: exchange.Visible(rule.Name), Time: seconds(s.Took)}
	reason := &junitReason{Type: string(s.Verdict), Message: exchange.Visible(reasonOf(s))}
	switch s.Verdict.Normalized() {
	case verdict.Pass, verdict.Warning:
		if s.Verdict == verdict.Warning || len(s.Warnings) > 0 {
			c.Output = evidenceText(s, rule, dir)
		}
	case verdict.Fail:
		reason.Text = evidenceText(s, rule, dir)
		c.Failure = reason
		suite.Failures++
	case verdict.CouldNotTest, verdict.NotApplicable, verdict.KnownFailure, verdict.NotRun:
		c.Skipped = reason
		suite.Skipped++
	default:
		reason.Text = evidenceText(s, rule, dir)
		c.Error = reason
		suite.Errors++
	}
	for _, w := range s.Warnings {
		suite.Properties = append(suite.Properties, junitProperty{"warning", exchange.Visible(s.ID() + ": " + Words{}.findingLine(w))})
	}
	suite.Tests++
	suite.Cases = append(suite.Cases, c)
}

func junitTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05") }

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
