package certificate

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/baseline"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/untrusted"
	"github.com/pixcert/pixcert/steps/verdict"
)

// judged is the recorded evidence of a report, judged by the rules of this version.
type judged struct {
	evidence *run.Evidence
	profile  Profile
	known    *baseline.Baseline // nil for none
	run      *verdict.Run
	began    time.Time
	ended    time.Time // of the last exchange
}

// mostBaseline bounds a baseline, in bytes.
const mostBaseline = 4 << 20

// judgeReport judges a report whose files are those of the certificate.
func judgeReport(dir string, files []Evidence) (*judged, error) {
	j := &judged{}
	content, err := untrusted.ReadFile(dir, profileFile, mostCertificate)
	if err != nil {
		return nil, err
	}
	if j.profile, err = readProfile(content); err != nil {
		return nil, err
	}
	if err := j.readEvidence(dir); err != nil {
		return nil, fmt.Errorf("%s: %w", report.RecordsFile, err)
	}
	if slices.ContainsFunc(files, func(e Evidence) bool { return e.Name == baselineFile }) {
		if err := j.readBaseline(dir); err != nil {
			return nil, err
		}
	}
	j.run.Baseline = nil
	if j.run, err = j.evidence.Judge(); err != nil {
		return nil, err
	}
	j.applyBaseline()
	return j, nil
}

func (j *judged) readEvidence(dir string) error {
	file, err := untrusted.Open(dir, report.RecordsFile)
	if err != nil {
		return err
	}
	defer file.Close()
	if j.evidence, err = run.ReadEvidence(file); err != nil {
		return err
	}
	j.run = &j.evidence.Run
	j.began = j.run.Started
	for _, r := range j.evidence.Records {
		for _, e := range r.Entries {
			if e.Exchange != nil {
				j.ended = later(j.ended, e.Exchange.Sent.Add(e.Exchange.Took))
			}
		}
	}
	return nil
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

func (j *judged) readBaseline(dir string) error {
	content, err := untrusted.ReadFile(dir, baselineFile, mostBaseline)
	if err != nil {
		return err
	}
	j.known, err = baseline.Parse(baselineFile, content)
	return err
}

// applyBaseline marks what was known on the day of the run. Without a baseline, nothing is: what the records say about it
// does not count.
func (j *judged) applyBaseline() {
	if j.known != nil {
		j.known.Apply(j.run, Day(j.began))
		return
	}
	none := &baseline.Baseline{}
	none.Apply(j.run, Day(j.began))
	j.run.Baseline = nil
}

// zone is that of the days on which entries of a baseline expire.
var zone = func() *time.Location {
	zone, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		return time.FixedZone("São Paulo", -3*60*60) // as it has been since 2019
	}
	return zone
}()

// Day is a date as entries of a baseline name it: 2026-12-31, in São Paulo.
func Day(t time.Time) string { return t.In(zone).Format(time.DateOnly) }

// --- what the evidence must be ---

// earlier is how much earlier or later than the run its exchanges may be: clocks are set.
const earlier = time.Hour

// consistent checks that the evidence is that of one whole run of this target, which leaves nothing out.
func (j *judged) consistent(of scope, rulesAreThoseOfTheRun bool) error {
	r := &j.evidence.Run
	if err := of.whole(r); err != nil {
		return err
	}
	switch claimed := j.profile.offer(r.Controls).Claimed(); {
	case r.Target != j.profile.Name:
		return fmt.Errorf("%s is that of %q, but the records are of %q", profileFile, shorten(j.profile.Name), shorten(r.Target))
	case len(r.Families) > 0 && !slices.Equal(r.Families, claimed), len(r.Families) == 0 && len(j.profile.Families) > 0:
		return fmt.Errorf("%s claims the families %q, but the records are of %q", profileFile, claimed, shorten(fmt.Sprint(r.Families)))
	}
	if err := j.sameTerms(); err != nil {
		return err
	}
	if err := j.sameTarget(); err != nil {
		return err
	}
	if !rulesAreThoseOfTheRun {
		return nil
	}
	return j.complete(of)
}

// scope is what a certificate must be about: all rules. Tests have smaller ones.
type scope struct{ rules []string }

func (of scope) has(s *catalogue.Scenario) bool {
	return len(of.rules) == 0 || slices.Contains(of.rules, s.Rule.Name)
}

// whole checks that a run is about everything.
func (of scope) whole(r *verdict.Run) error {
	switch {
	case r.Selection != strings.Join(of.rules, ", "):
		return fmt.Errorf("the run is about some rules only (%s)", shorten(r.Selection))
	case r.Shard.Of > 0 || len(r.Lacks) > 0:
		return fmt.Errorf("the run is a shard, or lacks some")
	case r.Depth != verdict.Standard && r.Depth != verdict.Thorough:
		return fmt.Errorf("the depth of the run is %q, expected %s or %s", shorten(string(r.Depth)), verdict.Standard, verdict.Thorough)
	case r.LeftOut != nil:
		return fmt.Errorf("the run left out %d scenarios for lack of time", r.LeftOut.Scenarios)
	case r.Ended != nil:
		return fmt.Errorf("the run ended early: %s", shorten(r.Ended.Reason))
	case r.Reran > 0:
		return fmt.Errorf("%d scenarios passed only when run again", r.Reran)
	case r.Coverage == nil:
		return fmt.Errorf("the run does not say what it covered")
	}
	return nil
}

// sameTerms checks that the evidence was judged by what the profile says of the target.
func (j *judged) sameTerms() error {
	terms, p := j.evidence.Terms, j.profile
	offer := p.offer(j.evidence.Run.Controls)
	for _, t := range []struct {
		what         string
		is, expected any
	}{
		{"families that the target lacks", terms.Lacks, offer.Lacks()}, {"client certificates in handshakes", terms.Handshake, p.Handshake},
		{"path of tokens", terms.TokenPath, p.TokenPath}, {"fees", terms.Fees, p.Fees}, {"deadlines", terms.Deadlines, p.Deadlines},
		{"requests per second", terms.RequestsPerSecond, p.RequestsPerSecond}, {"accounts of the profile", terms.Fixed, offer.Fixed()},
	} {
		if !equal(t.is, t.expected) && !(isEmpty(t.is) && isEmpty(t.expected)) {
			return fmt.Errorf("%s: the records were judged with %s, but %s says %s", t.what, words(t.is), profileFile, words(t.expected))
		}
	}
	return nil
}

func isEmpty(v any) bool {
	families, is := v.([]target.Family)
	return is && len(families) == 0
}

// sameTarget checks that every request went to the target, during the run.
func (j *judged) sameTarget() error {
	for _, r := range j.evidence.Records {
		for _, e := range r.Entries {
			x := e.Exchange
			if x == nil {
				continue
			}
			if x.Party == exchange.API && !j.profile.sent(x) {
				return fmt.Errorf("the record of %s has a request to %s: the target is %s", shorten(r.ID()), shorten(x.URL), shorten(j.profile.URL))
			}
			if x.Sent.Before(j.began.Add(-earlier)) {
				return fmt.Errorf("the record of %s has a request of %s: the run started at %s", shorten(r.ID()), x.Sent.UTC().Format(time.RFC3339), j.began.UTC().Format(time.RFC3339))
			}
		}
	}
	return nil
}

// complete checks that the run has every scenario of the rules, each with a record unless the profile says why not.
func (j *judged) complete(of scope) error {
	all, err := run.Suite(j.evidence.Own)
	if err != nil {
		return err
	}
	selected := slices.DeleteFunc(slices.Collect(all.Scenarios()), func(s *catalogue.Scenario) bool { return !of.has(s) })
	planned, err := plan.Make(selected, j.profile.offer(j.evidence.Run.Controls))
	if err != nil {
		return err
	}
	results, recorded := map[string]verdict.Verdict{}, map[string]bool{}
	for _, s := range j.run.Scenarios {
		if s.Via == "" {
			results[s.ID()] = s.Verdict
		}
	}
	for _, r := range j.evidence.Records {
		recorded[r.ID()] = true
	}
	for _, s := range planned {
		v, has := results[s.ID()]
		if !has {
			return missingScenario(s.Scenario)
		}
		if isSettled := v != verdict.CouldNotTest && v != verdict.NotRun && v != verdict.SuiteError; isSettled && !recorded[s.ID()] && s.Outside == "" {
			return fmt.Errorf("the scenario %s is %q without a record, although it applies to the profile", s.ID(), v)
		}
	}
	return j.deepEnough()
}

func missingScenario(s *catalogue.Scenario) error {
	return fmt.Errorf("the scenario %s was omitted: the run has no result of it", s.ID())
}

// mostUnsent is which part of the combinations that tested scenarios make, in percent, a target may lack the means for. A
// standard run that claims to be thorough lacks more.
const mostUnsent = 20

// deepEnough checks that the scenarios that were tested sent what the depth requires.
func (j *judged) deepEnough() error {
	lacking := 0
	tested := map[string]bool{}
	for _, s := range j.run.Scenarios {
		tested[s.ID()] = tested[s.ID()] || s.Via == "" && (s.Holds() || s.Verdict.Failing())
	}
	for _, o := range j.run.Coverage.Operations {
		for _, m := range o.Missing {
			if tested[m.Scenario] {
				lacking += m.Count
			}
		}
	}
	if of := j.run.Coverage.Of; lacking*100 > of*mostUnsent {
		return fmt.Errorf("the run says that its depth is %s, but its scenarios did not send %d of %d combinations", j.run.Depth, lacking, of)
	}
	return nil
}

// entries are those of the baseline.
func (j *judged) entries() []baseline.Entry {
	if j.known == nil {
		return nil
	}
	return j.known.Entries()
}

func (j *judged) expired() []string {
	if j.run.Baseline == nil || len(j.run.Baseline.Expired) == 0 {
		return nil // as it is read back
	}
	return j.run.Baseline.Expired
}

// claims are what a certificate says of this run.
func (j *judged) claims(version, edition string, files []Evidence) Claims {
	r := j.run
	c := Claims{
		Target: r.Target, Pixcert: version, Edition: edition, RunID: r.ID, Findings: findingsOf(r), Families: j.profile.offer(r.Controls).Claimed(), Controls: r.Controls,
		Seed: r.Seed, Baseline: j.entries(), Expired: j.expired(), Started: j.began.UTC(), Ended: j.ended.UTC(), Evidence: files, Own: j.evidence.Own.Digest(),
	}
	if r.Explored != nil {
		c.Explored = r.Explored.String()
	}
	if c.Controls == nil {
		c.Controls = []string{}
	}
	for _, f := range files {
		if f.Name == profileFile {
			c.Profile = f.SHA256
		}
	}
	return c
}

// sameVerdicts lists where verdict.json does not have the verdicts that follow from the evidence.
func (j *judged) sameVerdicts(dir string) ([]string, error) {
	reported, err := report.Read(dir)
	if err != nil {
		return nil, err
	}
	differ := Differences(reported, j.run)
	if was, is := reported.Outcome(), j.run.Outcome(); was != is {
		differ = append(differ, fmt.Sprintf("the outcome is %q, judged again %q", was, is))
	}
	if reported.ID != j.run.ID {
		differ = append(differ, fmt.Sprintf("%s is of the run %s, the records are of %s", report.JSONFile, shorten(reported.ID), shorten(j.run.ID)))
	}
	return differ, nil
}
