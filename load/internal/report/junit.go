package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/pixcert/pixcert/load/internal/result"
)

// JUnit writes each threshold, each rule of the ledger, the money of each account and each
// requirement on the generator as a test case. The file follows the schema of Jenkins' xUnit
// plug-in (junit-10.xsd). A case of the suites "ledger" and "money" fails on any fault,
// even if no threshold covers it. If the generator exceeds a limit or the run is
// interrupted, the case has an error, because the gateway did not fail. A threshold without
// data is skipped.
func JUnit(w io.Writer, r result.Result) error {
	doc := suites{Name: "pixcert load"}
	doc.Suites = []suite{
		newSuite(r, "thresholds", thresholdCases(r)),
		newSuite(r, "checks", checkCases(r)),
		newSuite(r, "ledger", ledgerCases(r)),
		newSuite(r, "money", moneyCases(r)),
		newSuite(r, "generator", generatorCases(r)),
	}
	for _, s := range doc.Suites {
		doc.Tests, doc.Failures, doc.Errors = doc.Tests+s.Tests, doc.Failures+s.Failures, doc.Errors+s.Errors
	}
	text, err := xml.MarshalIndent(doc, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	}
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suites   []suite  `xml:"testsuite"`
}

type suite struct {
	Name       string     `xml:"name,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       string     `xml:"time,attr"` // seconds
	Timestamp  string     `xml:"timestamp,attr"`
	Properties []property `xml:"properties>property"`
	Cases      []testCase `xml:"testcase"`
}

type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testCase struct {
	Class   string   `xml:"classname,attr"`
	Name    string   `xml:"name,attr"`
	Time    string   `xml:"time,attr"`
	Skipped *skipped `xml:"skipped"`
	Error   *problem `xml:"error"`
	Failure *problem `xml:"failure"`
	Output  string   `xml:"system-out,omitempty"`
}

type skipped struct {
	Message string `xml:"message,attr"`
}

type problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func newSuite(r result.Result, name string, cases []testCase) suite {
	s := suite{
		Name:       name,
		Tests:      len(cases),
		Time:       fmt.Sprintf("%.3f", r.Ended.Sub(r.Started).Seconds()),
		Timestamp:  r.Started.UTC().Format("2006-01-02T15:04:05"),
		Properties: []property{{"run", runName(r)}, {"target", visible(r.Target)}, {"outcome", string(r.Outcome())}},
		Cases:      cases,
	}
	for i := range cases {
		cases[i].Class = "pixcert.load." + name
		cases[i].Time = "0"
		if cases[i].Failure != nil {
			s.Failures++
		}
		if cases[i].Error != nil {
			s.Errors++
		}
		if cases[i].Skipped != nil {
			s.Skipped++
		}
	}
	return s
}

func thresholdCases(r result.Result) []testCase {
	var cases []testCase
	for _, t := range r.Thresholds {
		c := testCase{Name: t.Metric + ": " + t.Expression}
		switch statusOf(t) {
		case noData:
			c.Skipped = &skipped{"no data to compare with the limit"}
		case failed:
			c.Failure = &problem{"expected " + t.Expression + ", got " + thresholdValue(t), "threshold", "evaluated " + basis[t.Basis]}
		default:
			if t.TooFew != nil {
				c.Output = "got " + thresholdValue(t)
			}
		}
		cases = append(cases, c)
	}
	return cases
}

func checkCases(r result.Result) []testCase {
	var cases []testCase
	for _, c := range r.Checks {
		one := testCase{Name: c.Name}
		if c.Fails > 0 {
			one.Failure = &problem{fmt.Sprintf("failed %s of %s", count(c.Fails), count(c.Passes+c.Fails)), "check", ""}
		}
		cases = append(cases, one)
	}
	return cases
}

func ledgerCases(r result.Result) []testCase {
	var cases []testCase
	for _, f := range foundIn(r) {
		if f.Mark != bad {
			continue
		}
		c := testCase{Name: f.Label}
		if f.Count != 0 {
			c.Failure = &problem{fmt.Sprintf("expected none, got %s: %s", f.Value(), f.Meaning), f.Name, examplesOf(r, f.Name)}
		}
		cases = append(cases, c)
	}
	return cases
}

func moneyCases(r result.Result) []testCase {
	var cases []testCase
	for _, a := range r.Accounts {
		c := testCase{Name: fmt.Sprintf("account %d", a.Account)}
		if a.Drift != 0 {
			c.Failure = &problem{
				Message: fmt.Sprintf("expected %s, got %s: off by %s", between(a.Expected), reais(a.Actual), reais(a.Drift)),
				Type:    "drift",
				Text:    "opening balance " + reais(a.Opening),
			}
		}
		cases = append(cases, c)
	}
	return cases
}

// between is a range of amounts in words.
func between(r result.Range) string {
	if r.From == r.To {
		return reais(r.From)
	}
	return reais(r.From) + " to " + reais(r.To)
}

func generatorCases(r result.Result) []testCase {
	var own, unanswered []string
	for _, reason := range r.Validity.Reasons {
		to := &own
		if reason.Figure == result.Unanswered {
			to = &unanswered
		}
		*to = append(*to, invalidReason(r, reason))
	}
	unless := func(wrong bool, name, message, kind, text string) testCase {
		if !wrong {
			return testCase{Name: name}
		}
		return testCase{Name: name, Error: &problem{message, kind, text}}
	}
	ended := unless(r.Interrupted, "the run was not interrupted", "the run was interrupted", "interrupted", endedEarly(r)+"; what was still pending is unknown")
	if !r.Interrupted && r.Complaint != "" {
		ended.Error = &problem{"k6 ended with an error", "error", visible(r.Complaint)}
	}
	return []testCase{
		unless(r.Validity.Doubtful(), "the generator was not the bottleneck", "the run is invalid", "invalid", strings.Join(own, "\n")),
		unless(len(unanswered) > 0, "the gateway responded to the final look-ups", "the gateway did not respond to the final look-ups", "invalid", strings.Join(unanswered, "\n")),
		unless(len(r.Missing) > 0, "no instance is missing", "missing: instance "+join(r.Missing), "incomplete", "merge the results of all instances"),
		unless(!r.Measured(), "something was measured", "nothing was measured", "invalid", "no request scheduled after the warm-up completed"),
		ended,
	}
}
