// Package baseline knows failures that people know about: it lists those of a run, and tells those
// of a later run from new ones.
package baseline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Baseline is a list of known failures.
type Baseline struct {
	File    string // as it was given
	entries []entry
}

// entry is one way in which scenarios of a rule fail.
type entry struct {
	line         int
	rule         string
	scenarios    []string // names
	foundBy      []string // of a violation of the wire contract instead: ids of scenarios that found it
	intermittent bool     // they pass now and then
	operation    string
	expected     string
	got          string
	known        verdict.Known
}

// is says whether a failure is of that kind.
func (e entry) is(s verdict.Scenario) bool {
	if e.rule != s.Rule || !s.Signature().Matches(verdict.SignatureOf(e.operation, e.expected, e.got)) {
		return false
	}
	if s.Via != "" { // whoever found it
		return len(e.foundBy) > 0
	}
	return slices.Contains(e.scenarios, s.Name)
}

// expired: today is after its last day.
func (e entry) expired(today string) bool { return e.known.Expires != "" && e.known.Expires < today }

// Mark makes a failure that the baseline lists a known one. If the entry has expired, the failure
// stays one, and its hint says so. today is a date, 2026-12-31.
func (b *Baseline) Mark(s verdict.Scenario, today string) verdict.Scenario {
	if !s.Verdict.Failing() {
		return s
	}
	s.Verdict, s.Known = verdict.Fail, nil
	for _, e := range b.entries {
		switch {
		case !e.is(s):
		case !e.expired(today):
			s.Verdict, s.Known = verdict.KnownFailure, &e.known
			return s
		default:
			note := fmt.Sprintf("a known failure, whose entry at %s:%d has expired: %s", b.File, e.line, e.known)
			if f := s.Finding; f != nil && !strings.HasSuffix(f.Hint, note) {
				s.Finding = f.At(f.Exchange)
				s.Finding.Hint = strings.TrimPrefix(f.Hint+"; "+note, "; ")
			}
		}
	}
	return s
}

// Apply marks the failures of a run, and adds to it what became of the others that the baseline
// lists.
func (b *Baseline) Apply(run *verdict.Run, today string) {
	run.Scenarios = slices.Clone(run.Scenarios)
	for i, s := range run.Scenarios {
		run.Scenarios[i] = b.Mark(s, today)
	}
	run.Baseline = &verdict.Baseline{File: b.File, Fixed: []string{}, Changed: []string{}, Untested: []string{}}
	found := map[string]verdict.Scenario{}
	for _, s := range run.Scenarios {
		if s.Via == "" {
			found[s.ID()] = s
		}
	}
	for _, e := range b.entries {
		for _, name := range e.scenarios {
			e.settle(run.Baseline, e.rule+"/"+name, found[e.rule+"/"+name])
		}
		if slices.ContainsFunc(run.Scenarios, e.is) {
			continue // a violation of the contract, if it is one, is there whoever found it
		}
		for _, id := range e.foundBy {
			s := found[id]
			if s.Verdict.Failing() { // in its own way
				s.Verdict = verdict.Pass
			}
			e.settle(run.Baseline, e.rule+" (found by "+id+")", s)
		}
	}
}

// settle lists what became of a failure. s is its scenario, zero if it was not selected.
func (e entry) settle(all *verdict.Baseline, name string, s verdict.Scenario) {
	switch v := s.Verdict.Normalized(); {
	case !v.Failing() && v != verdict.Pass && v != verdict.Warning:
		all.Untested = append(all.Untested, name)
	case e.is(s) && v.Failing(), e.intermittent:
	case v.Failing():
		all.Changed = append(all.Changed, name)
	default:
		all.Fixed = append(all.Fixed, name)
	}
}

// Check reports entries about scenarios that do not exist.
func (b *Baseline) Check(exists func(rule, scenario string) bool) error {
	problems := problems{file: b.File}
	for _, e := range b.entries {
		for _, name := range e.scenarios {
			if !exists(e.rule, name) {
				problems.add(e.line, "the rule %s has no scenario %q in this version of pixcert: remove it", e.rule, name)
			}
		}
		for _, id := range e.foundBy {
			if rule, name, _ := strings.Cut(id, "/"); !exists(rule, name) {
				problems.add(e.line, "foundBy: the rule %s has no scenario %q in this version of pixcert: remove it", rule, name)
			}
		}
	}
	return problems.err()
}
