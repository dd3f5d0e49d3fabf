package verdict

import (
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/pixcert/pixcert/steps/exchange"
)

// junit.xml holds to the schema of Jenkins' xUnit plug-in (junit-10.xsd), the
// strictest that is in wide use: a suite per feature, a case per scenario.
// Could not test and not applicable are skips, an error of the suite is an
// error; a warning passes and says so in system-out. The schema knows no file
// at a case, so that stands at the suite.
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

func writeJUnit(w io.Writer, run *Run) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(run.junit()); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func (r *Run) junit() junitReport {
	report := junitReport{Name: xmlText("pixcert: " + r.Target), Time: seconds(r.Took)}
	for _, feature := range r.features() {
		suite := r.junitSuite(feature)
		report.Tests += suite.Tests
		report.Failures += suite.Failures
		report.Errors += suite.Errors
		report.Suites = append(report.Suites, suite)
	}
	return report
}

func (r *Run) junitSuite(feature featureResult) junitSuite {
	suite := junitSuite{
		Name: xmlText(feature.Name),
		File: xmlText(feature.File),
		Properties: []junitProperty{
			{"target", xmlText(r.Target)},
			{"run", xmlText(r.ID)},
			{"pixcert", xmlText(r.Version)},
			{"seed", strconv.FormatInt(r.Seed, 10)},
			{"concurrency", strconv.Itoa(r.Concurrency)},
			{"selection", xmlText(r.Selection)},
		},
	}
	var took time.Duration
	began := r.Started.Add(r.Took)
	for _, rule := range feature.Rules {
		scenarios := rule.Scenarios
		if len(scenarios) == 0 {
			scenarios = []Scenario{{Rule: rule.Name, Name: "no scenario ran", Verdict: CouldNotTest}}
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
	suite.Timestamp = began.UTC().Format("2006-01-02T15:04:05")
	return suite
}

// add puts a scenario into the suite and counts it.
func (suite *junitSuite) add(s Scenario, rule Rule) {
	c := junitCase{Name: xmlText(s.Name), Classname: xmlText(rule.Name), Time: seconds(s.Took)}
	reason := &junitReason{Type: string(s.Verdict), Message: xmlText(s.reason())}
	switch ByWeight[s.Verdict.weight()] {
	case Pass, Warning:
		if s.Verdict == Warning || len(s.Warnings) > 0 {
			c.Output = s.evidence(rule)
		}
	case Fail:
		reason.Text = s.evidence(rule)
		c.Failure = reason
		suite.Failures++
	case CouldNotTest, NotApplicable:
		c.Skipped = reason
		suite.Skipped++
	default:
		reason.Text = s.evidence(rule)
		c.Error = reason
		suite.Errors++
	}
	suite.Tests++
	suite.Cases = append(suite.Cases, c)
}

// xmlText spells out what XML 1.0 cannot hold.
func xmlText(s string) string { return exchange.Visible(s) }

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
