package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/verdict"
)

// junit.xml follows the schema of Jenkins' xUnit plug-in (junit-10.xsd), the strictest in wide
// use: one test suite per feature, one test case per scenario. "Could not test", "not
// applicable" and "not run" are skipped, a suite error is an error, a warning passes and is
// reported in system-out. A run that ended early has a test suite of its own with an error, since
// what is skipped alarms nobody. The schema has no file attribute for a test case, so the test suite has it.
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

func writeJUnit(w io.Writer, run *verdict.Run) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(reportJUnit(run)); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func reportJUnit(r *verdict.Run) junitReport {
	report := junitReport{Name: xmlText("pixcert: " + r.Target), Time: seconds(r.Took)}
	if r.Ended != nil {
		report.Errors++
		report.Tests++
		report.Suites = append(report.Suites, endedSuite(r))
	}
	for _, feature := range featuresOf(r) {
		suite := suiteOf(r, feature)
		report.Tests += suite.Tests
		report.Failures += suite.Failures
		report.Errors += suite.Errors
		report.Suites = append(report.Suites, suite)
	}
	return report
}

// endedSuite says that the run ended early.
func endedSuite(r *verdict.Run) junitSuite {
	return junitSuite{
		Name: "The run", Tests: 1, Errors: 1, Time: seconds(0), Timestamp: junitTime(r.Ended.At), Properties: propertiesOf(r),
		Cases: []junitCase{{
			Name: "The run is complete", Classname: "pixcert", Time: seconds(0),
			Error: &junitReason{Type: string(verdict.EndedEarly), Message: xmlText(r.Ended.Reason)},
		}},
	}
}

func propertiesOf(r *verdict.Run) []junitProperty {
	return []junitProperty{
		{"target", xmlText(r.Target)},
		{"run", xmlText(r.ID)},
		{"pixcert", xmlText(r.Version)},
		{"seed", strconv.FormatInt(r.Seed, 10)},
		{"concurrency", strconv.Itoa(r.Concurrency)},
		{"selection", xmlText(r.Selection)},
		{"strict", strconv.FormatBool(r.Strict)},
	}
}

func suiteOf(r *verdict.Run, feature featureResult) junitSuite {
	suite := junitSuite{Name: xmlText(feature.Name), File: xmlText(feature.File), Properties: propertiesOf(r)}
	var took time.Duration
	began := r.Started.Add(r.Took)
	for _, rule := range feature.Rules {
		scenarios := rule.Scenarios
		if len(scenarios) == 0 {
			scenarios = []verdict.Scenario{{Rule: rule.Name, Name: "no scenario ran", Verdict: verdict.CouldNotTest}}
		}
		for _, s := range scenarios {
			took += s.Took
			if !s.Started.IsZero() && s.Started.Before(began) {
				began = s.Started
			}
			suite.add(s, rule.Rule)
		}
	}
	suite.Time = seconds(took)
	suite.Timestamp = junitTime(began)
	return suite
}

// add adds a scenario to the test suite and counts it.
func (suite *junitSuite) add(s verdict.Scenario, rule verdict.Rule) {
	c := junitCase{Name: exchange.Visible(s.Name), Classname: exchange.Visible(rule.Name), Time: seconds(s.Took)}
	reason := &junitReason{Type: string(s.Verdict), Message: exchange.Visible(reasonOf(s))}
	switch s.Verdict.Normalized() {
	case verdict.Pass, verdict.Warning:
		if s.Verdict == verdict.Warning || len(s.Warnings) > 0 {
			c.Output = evidenceText(s, rule)
		}
	case verdict.Fail:
		reason.Text = evidenceText(s, rule)
		c.Failure = reason
		suite.Failures++
	case verdict.CouldNotTest, verdict.NotApplicable, verdict.NotRun:
		c.Skipped = reason
		suite.Skipped++
	default:
		reason.Text = evidenceText(s, rule)
		c.Error = reason
		suite.Errors++
	}
	suite.Tests++
	suite.Cases = append(suite.Cases, c)
}

// xmlText escapes characters that XML 1.0 does not allow.
func xmlText(s string) string { return exchange.Visible(s) }

func junitTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05") }

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
