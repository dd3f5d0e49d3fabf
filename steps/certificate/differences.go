package certificate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Differences lists the scenarios whose verdict differs between two runs, and violations that only one of them has.
func Differences(before, now *verdict.Run) []string {
	was, is := verdictsOf(before), verdictsOf(now)
	var lines []string
	for id, v := range is {
		if old, known := was[id]; !known {
			lines = append(lines, fmt.Sprintf("%s: not judged, judged again %s", shorten(id), v))
		} else if old != v {
			lines = append(lines, fmt.Sprintf("%s: %s, judged again %s", shorten(id), shorten(old), v))
		}
	}
	for id, v := range was {
		if _, known := is[id]; !known {
			lines = append(lines, fmt.Sprintf("%s: %s, judged again not at all", shorten(id), shorten(v)))
		}
	}
	slices.Sort(lines)
	return lines
}

// verdictsOf are the verdicts of scenarios, and the violations of each rule that were found in passing.
func verdictsOf(r *verdict.Run) map[string]string {
	all := map[string]string{}
	for _, s := range r.Scenarios {
		id := s.ID()
		if s.Via != "" {
			id = s.Rule + ", violations"
			all[id] = strings.TrimPrefix(all[id]+", "+string(s.Verdict), ", ")
			continue
		}
		all[id] = string(s.Verdict)
	}
	for id, v := range all {
		parts := strings.Split(v, ", ")
		slices.Sort(parts)
		all[id] = strings.Join(slices.Compact(parts), ", ")
	}
	return all
}

// differencesOf lists how the claims of a certificate differ from those that follow from its evidence.
func differencesOf(c *Certificate, again Claims, r rules) []string {
	var lines []string
	differ := func(what string, is, should any) {
		if !equal(is, should) {
			lines = append(lines, fmt.Sprintf("%s: the certificate says %s, the evidence %s", what, words(is), words(should)))
		}
	}
	differ("outcome", c.Outcome, again.Outcome)
	differ("qualifier", c.Qualifier, again.Qualifier)
	differ("depth", c.Depth, again.Depth)
	differ("strict", c.Strict, again.Strict)
	differ("coverage", c.Coverage, again.Coverage)
	differ("rules that pass", c.Passed, r.passed)
	differ("rules with warnings or known failures", c.Warned, r.warned)
	differ("rules that fail", c.Failed, r.failed)
	differ("rules that could not be tested", c.Untested, again.Untested)
	differ("rules that do not apply", c.NotApplicable, again.NotApplicable)
	differ("scenarios", c.Scenarios, again.Scenarios)
	return append(lines, differentFacts(c.Claims, again)...)
}

// differentFacts lists what no other edition of the rules explains.
func differentFacts(c, again Claims) []string {
	var lines []string
	for _, f := range []struct {
		what       string
		is, should any
	}{
		{"target", c.Target, again.Target}, {"run", c.RunID, again.RunID}, {"families", c.Families, again.Families},
		{"controls", c.Controls, again.Controls}, {"own rules", c.Own, again.Own}, {"exploring", c.Explored, again.Explored}, {"seed", c.Seed, again.Seed},
		{"baseline", c.Baseline, again.Baseline}, {"started", c.Started, again.Started}, {"ended", c.Ended, again.Ended},
		{"profile", c.Profile, again.Profile},
	} {
		if !equal(f.is, f.should) {
			lines = append(lines, fmt.Sprintf("%s: the certificate says %s, the evidence %s", f.what, words(f.is), words(f.should)))
		}
	}
	if !equal(c.Expired, again.Expired) {
		lines = append(lines, fmt.Sprintf("expired entries of the baseline: the certificate says %s, the evidence %s", words(c.Expired), words(again.Expired)))
	}
	return lines
}

// words shows a value; of two lists, people compare the lengths first.
func words(v any) string {
	switch v := v.(type) {
	case []string:
		return fmt.Sprintf("%d (%s)", len(v), shorten(strings.Join(v, ", ")))
	case Coverage:
		return fmt.Sprintf("%s with %d requests", v, v.Requests)
	default:
		return fmt.Sprintf("%q", shorten(fmt.Sprint(v)))
	}
}
