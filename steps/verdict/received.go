package verdict

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/pixcert/pixcert/steps/exchange"
)

// Bounds of a run that was read from a file, far above those of any real run. Merging and grouping failures
// compare rules, scenarios and the members of lists with each other.
const (
	mostRules     = 5_000
	mostScenarios = 20_000
	mostExchanges = 50_000
	mostListed    = 1_000 // controls, families, open points, shards, seeds
	mostUnlocks   = 10_000
	longestName   = 4 << 10 // bytes
)

// ruleName is that of features (without the @), which is also the name of a directory of evidence.
var ruleName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)?$`)

// Received checks a run that was read from a file, which anybody may have written: that it is of a possible size and
// that its names can be used as names of files. It drops references to exchanges that the run does not have. The
// error says which part of the file is wrong.
func (r *Run) Received() error {
	exchanges := 0
	for _, s := range r.Scenarios {
		exchanges += len(s.Exchanges)
	}
	for _, limit := range []struct {
		what      string
		has, most int
	}{
		{"rules", len(r.Rules), mostRules}, {"scenarios", len(r.Scenarios), mostScenarios}, {"exchanges", exchanges, mostExchanges},
		{"controls", len(r.Controls), mostListed}, {"families", len(r.Families), mostListed}, {"open points", len(r.OpenPoints), mostListed},
		{"missing shards", len(r.Lacks), mostListed}, {"shards", r.Shard.Of, mostListed}, {"seeds", len(r.Seeds), mostListed},
		{"unlocks", len(r.Unlocks), mostUnlocks}, {"latencies", len(r.Latencies), mostListed},
	} {
		if limit.has > limit.most {
			return fmt.Errorf("%s: expected at most %d, got %d", limit.what, limit.most, limit.has)
		}
	}
	if s := r.Shard; s != (Shard{}) && (s.Index < 1 || s.Index > s.Of) {
		return fmt.Errorf("shard: expected an index from 1 to the number of shards, got %s", s)
	}
	for _, l := range r.Latencies {
		if !l.isPossible() {
			return fmt.Errorf("latencies: %s: expected a histogram with ascending limits that counts as many", exchange.Excerpt(l.Operation, 80))
		}
	}
	for _, rule := range r.Rules {
		if err := receivedName(rule.Name); err != nil {
			return err
		}
	}
	for i := range r.Scenarios {
		if err := receivedScenario(&r.Scenarios[i]); err != nil {
			return err
		}
	}
	return nil
}

func receivedName(rule string) error {
	if len(rule) > 200 || !ruleName.MatchString(rule) {
		return fmt.Errorf("rule: expected the name of a rule, such as cash-out.value, got %q", exchange.Excerpt(rule, 80))
	}
	return nil
}

func receivedScenario(s *Scenario) error {
	if err := receivedName(s.Rule); err != nil {
		return err
	}
	for _, name := range []string{s.Name, s.Via} {
		if len(name) > longestName {
			return fmt.Errorf("a scenario of %s: expected a name of at most %d bytes, got %d", s.Rule, longestName, len(name))
		}
	}
	verdicts := []Verdict{s.Verdict}
	for i, a := range s.Attempts {
		verdicts = append(verdicts, a.Verdict)
		s.Attempts[i].Finding = about(s, a.Finding)
	}
	for _, step := range s.Steps {
		if step.Verdict != "" {
			verdicts = append(verdicts, step.Verdict)
		}
	}
	for _, v := range verdicts {
		if !slices.Contains(BySeverity[:], v) {
			return fmt.Errorf("a scenario of %s: expected a verdict, such as pass, got %q", s.Rule, exchange.Excerpt(string(v), 80))
		}
	}
	s.Finding = about(s, s.Finding)
	for i := range s.Warnings {
		s.Warnings[i] = *about(s, &s.Warnings[i])
	}
	for i := range s.Exchanges {
		s.Exchanges[i].Step = max(s.Exchanges[i].Step, 0)
	}
	s.ExchangeCount, s.LeftOut = max(s.ExchangeCount, 0), max(s.LeftOut, 0)
	return nil
}

// about returns a finding, about no exchange if the scenario does not have that one.
func about(s *Scenario, f *Finding) *Finding {
	if f == nil || f.Exchange >= 0 && f.Exchange < len(s.Exchanges) {
		return f
	}
	return f.At(-1)
}
