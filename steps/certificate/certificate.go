// Package certificate signs what a run found, so that others can rely on it: an in-toto statement in a DSSE envelope,
// about a target and the files of a report. Whoever receives both verifies them offline: the signature, every file, and
// the verdicts, which follow from the recorded evidence.
//
// Everything that is verified may be hostile, also if its signature is right: the holder of a key can lie.
package certificate

import (
	"crypto/ed25519"
	"slices"
	"time"

	"github.com/pixcert/pixcert/steps/baseline"
	"github.com/pixcert/pixcert/steps/verdict"
)

// The types of the statement.
const (
	payloadType   = "application/vnd.in-toto+json"
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://in-toto.io/attestation/test-result/v0.1"
)

// statement is an in-toto statement v1.
type statement struct {
	Type          string     `json:"_type"`
	Subject       []resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     predicate  `json:"predicate"`
}

// resource is an in-toto resource descriptor.
type resource struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// The results of a test-result.
const (
	passed = "PASSED"
	warned = "WARNED" // warnings or known failures
	failed = "FAILED" // any other outcome
)

// predicate is a test-result v0.1. Tests are rules.
type predicate struct {
	Result        string     `json:"result"`
	Configuration []resource `json:"configuration"` // the edition of the rules, the profile, the baseline
	URL           string     `json:"url,omitempty"` // of the target
	PassedTests   []string   `json:"passedTests"`
	WarnedTests   []string   `json:"warnedTests"`
	FailedTests   []string   `json:"failedTests"`
	Claims        Claims     `json:"https://github.com/pixcert/pixcert/certificate/v1"`
}

// Claims are what a certificate says besides what every test-result says. Findings follow from the recorded evidence.
type Claims struct {
	Target  string `json:"target"` // as the profile names it
	Pixcert string `json:"pixcert"`
	Edition string `json:"edition"` // of the rules: see EditionOf
	Profile string `json:"profile"` // SHA-256 of profile.json
	RunID   string `json:"runId"`
	Findings
	Families []string `json:"families"` // that the target claims
	Controls []string `json:"controls"`
	Own      string   `json:"ownRules,omitempty"` // digest of the user's own features; empty for none
	Explored string   `json:"explored,omitempty"` // how far the target was explored before; no evidence of it is kept
	Seed     int64    `json:"seed"`

	Baseline []baseline.Entry `json:"baseline,omitempty"`
	Expired  []string         `json:"expired,omitempty"` // known failures whose entry had expired

	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`
	Issued  time.Time `json:"issued"`

	Evidence []Evidence `json:"evidence"` // all files of the report
}

// Findings are the results of judging.
type Findings struct {
	Outcome       verdict.Outcome `json:"outcome"`
	Qualifier     string          `json:"qualifier,omitempty"`
	Strict        bool            `json:"strict,omitempty"` // warnings count as failures
	Depth         verdict.Depth   `json:"depth"`
	Coverage      Coverage        `json:"coverage"`
	Scenarios     map[string]int  `json:"scenarios"` // by verdict
	Untested      []string        `json:"untestedRules"`
	NotApplicable []string        `json:"notApplicableRules"`
}

// Coverage is how much of the input space was sent and judged.
type Coverage struct {
	Strength int `json:"strength"` // 2: pairs of choices are counted, 3: each three of them
	Sent     int `json:"sent"`
	Of       int `json:"of"`
	Requests int `json:"requests"`
	Rows     int `json:"rows"` // of the lifecycle that were observed
	OfRows   int `json:"ofRows"`
}

// String is "6120 of 6300 pairs of choices, 71 of 78 transitions".
func (c Coverage) String() string {
	return verdict.Coverage{Strength: c.Strength, Sent: c.Sent, Of: c.Of, Rows: c.Rows, OfRows: c.OfRows}.String()
}

// Evidence is a file of the report.
type Evidence struct {
	Name   string `json:"name"` // with slashes, relative to the report
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // in lower-case hex
}

// Certificate is one that was opened: its signature is right.
type Certificate struct {
	Claims
	URL                    string   // of the target
	Passed, Warned, Failed []string // rules
	Key                    ed25519.PublicKey
}

// statementOf is what a certificate with these claims states.
func statementOf(c Claims, r rules, url string) statement {
	s := statement{Type: statementType, PredicateType: predicateType, Predicate: predicate{
		Result: resultOf(c.Outcome, r), URL: url, PassedTests: r.passed, WarnedTests: r.warned, FailedTests: r.failed, Claims: c,
		Configuration: []resource{sha256Of("rules", c.Edition), sha256Of(profileFile, c.Profile)},
	}}
	s.Subject = append(s.Subject, sha256Of(c.Target, c.Profile))
	for _, e := range c.Evidence {
		s.Subject = append(s.Subject, sha256Of(e.Name, e.SHA256))
		if e.Name == baselineFile {
			s.Predicate.Configuration = append(s.Predicate.Configuration, sha256Of(e.Name, e.SHA256))
		}
	}
	return s
}

func sha256Of(name, digest string) resource {
	return resource{Name: name, Digest: map[string]string{"sha256": digest}}
}

// rules are those of a run by their verdict, in the order of the features.
type rules struct{ passed, warned, failed, untested, notApplicable []string }

func rulesOf(run *verdict.Run) rules {
	r := rules{[]string{}, []string{}, []string{}, []string{}, []string{}}
	for _, rule := range run.Results() {
		list := &r.untested
		switch rule.Verdict {
		case verdict.Pass:
			list = &r.passed
		case verdict.Warning, verdict.KnownFailure:
			list = &r.warned
		case verdict.Fail:
			list = &r.failed
		case verdict.NotApplicable:
			list = &r.notApplicable
		}
		*list = append(*list, rule.Name)
	}
	return r
}

func resultOf(outcome verdict.Outcome, r rules) string {
	switch {
	case outcome == verdict.Conforms && len(r.warned) == 0:
		return passed
	case outcome.ExitStatus() == 0:
		return warned
	}
	return failed
}

// findingsOf are the findings of a judged run.
func findingsOf(run *verdict.Run) Findings {
	r := rulesOf(run)
	f := Findings{
		Outcome: run.Outcome(), Qualifier: run.Qualifier(), Strict: run.Strict, Depth: run.Depth, Scenarios: map[string]int{},
		Untested: r.untested, NotApplicable: r.notApplicable,
	}
	if c := run.Coverage; c != nil {
		f.Coverage = Coverage{c.Strength, c.Sent, c.Of, c.Requests, c.Rows, c.OfRows}
	}
	for v, n := range run.Summary().Scenarios {
		if n > 0 {
			f.Scenarios[string(v)] = n
		}
	}
	return f
}

// Conforms reports whether the outcome is that the target conforms: not that its failures are known.
func (c *Certificate) Conforms() bool { return c.Outcome == verdict.Conforms }

// ExpiredSince are the entries of the baseline that no longer count on a day.
func (c *Certificate) ExpiredSince(today string) []baseline.Entry {
	return slices.DeleteFunc(slices.Clone(c.Baseline), func(e baseline.Entry) bool { return e.Expires == "" || e.Expires >= today })
}
