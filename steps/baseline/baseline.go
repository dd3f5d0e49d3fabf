// Package baseline lists the known failures of a gateway, and marks them in later runs so that only
// new ones count.
package baseline

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/spelling"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Baseline is a list of known failures, and of what cannot be tested.
type Baseline struct {
	File     string // as it was given
	entries  []entry
	untested []untested
}

// entry is one way in which scenarios of a rule fail.
type entry struct {
	written
	line int
}

// is reports whether the entry lists a failure. A violation that a scenario found in passing is the
// same one whichever scenario that was: a shard sees it elsewhere than the whole run. A misfit is
// reported under whichever rule observes its point first. What comes and goes may show in another
// scenario of the rule the next time.
func (e entry) is(s verdict.Scenario) bool {
	isMisfit := verdict.Signature{Expected: e.Expected}.IsMisfit()
	return (e.Rule == s.Rule || isMisfit) && e.matches(s) && !e.contradicts(s) &&
		(s.Via != "" || e.anywhere() || e.Intermittent && s.Intermittent() || slices.Contains(e.Scenarios, s.Name))
}

// matches reports whether a failure is what an entry lists. An entry that an earlier version wrote has nothing but its
// texts to tell by.
func (w written) matches(s verdict.Scenario) bool {
	if w.What.Kind == "" {
		return s.Signature().Matches(verdict.SignatureOf(w.Operation, w.Expected, w.Got))
	}
	return s.Identity().Matches(w.identity())
}

// contradicts reports whether an entry lists other values than a failure of the same kind shows: another state that was
// received, or another amount where the same was expected. That is another fault, which must not pass as the known one.
func (w written) contradicts(s verdict.Scenario) bool {
	if w.What.Kind != "" && verdict.ValuesOf(w.What.Kind, w.Expected, w.Got).Contradicts(s.Values()) {
		return true
	}
	a := s.Amounts()
	got, listed := w.Amounts[a.Expected]
	return !w.Intermittent && (verdict.AmountsOf(w.Expected, w.Got).Contradicts(a) || listed && got != a.Got)
}

// resembles reports whether a violation that was found in passing is one of the same operation and rule.
func (e entry) resembles(s verdict.Scenario) bool {
	return s.Via != "" && s.Rule == e.Rule && s.Operation() == e.Operation && s.Verdict == verdict.Fail
}

// breaksToo reports whether a scenario of the entry's own rule fails.
func (e entry) breaksToo(s verdict.Scenario) bool {
	return s.Rule == e.Rule && s.Via == "" && s.Verdict.Failing()
}

// anywhere reports whether any scenario may show the failure, not only those that the entry names.
func (e entry) anywhere() bool { return len(e.FoundBy) > 0 || strings.HasPrefix(e.Rule, "contract.") }

// expired reports whether today is after the entry's last day.
func (e entry) expired(today string) bool { return e.Expires != "" && e.Expires < today }

// Mark marks a failure that the baseline lists as known, or what keeps a scenario from being tested. If the entry
// has expired, the scenario still fails, and the hint says why. today is a date, 2026-12-31.
func (b *Baseline) Mark(s verdict.Scenario, today string) verdict.Scenario {
	if !s.Verdict.Failing() && !s.Blocked() {
		return s
	}
	s.Known = nil
	if s.Verdict.Failing() {
		s.Verdict = verdict.Fail
	}
	for _, e := range b.entries {
		switch {
		case !e.is(s):
		case !e.expired(today):
			known := e.known()
			s.Known = &known
			if s.Verdict == verdict.Fail {
				s.Verdict = verdict.KnownFailure
			}
			return s
		default:
			note := fmt.Sprintf("a known failure, whose entry at %s:%d has expired: %s", b.File, e.line, e.known())
			if f := s.Finding; f != nil && !strings.HasSuffix(f.Hint, note) {
				s.Finding = f.At(f.Exchange)
				s.Finding.AddHint(note)
			}
		}
	}
	return s
}

// Apply marks the failures of a run, and lists in it which other failures of the baseline are fixed,
// changed, untested or expired.
func (b *Baseline) Apply(run *verdict.Run, today string) {
	run.Scenarios = slices.Clone(run.Scenarios)
	for i, s := range run.Scenarios {
		if s.Verdict == verdict.CouldNotTest {
			s.Known = nil
		}
		run.Scenarios[i] = b.Mark(s, today)
	}
	b.acceptUntested(run, today)
	run.Baseline = &verdict.Baseline{File: b.File, Fixed: []string{}, Changed: []string{}, Untested: []string{}, Expired: b.expired(run, today), WithoutReason: b.withoutReason()}
	found := map[string]verdict.Scenario{}
	for _, s := range run.Scenarios {
		if s.Via == "" {
			found[s.ID()] = s
		}
	}
	complete := run.Selection == "" && run.Shard.Of == 0 && len(run.Lacks) == 0 && run.Ended == nil && run.LeftOut == nil
	for _, e := range b.entries {
		if slices.ContainsFunc(run.Scenarios, func(s verdict.Scenario) bool { return (s.Via != "" || e.anywhere()) && e.is(s) }) {
			continue // whichever scenario found it
		}
		of := func(id string) verdict.Scenario {
			s := found[id]
			switch {
			case e.anywhere() && !complete: // what did not run may show it
				return verdict.Scenario{}
			case e.anywhere() && slices.ContainsFunc(run.Scenarios, e.resembles): // worded otherwise, since it shows otherwise
				s.Verdict = verdict.Fail
			case len(e.FoundBy) > 0 && slices.ContainsFunc(run.Scenarios, e.breaksToo): // what is found in passing does not show each time
				return verdict.Scenario{}
			case e.anywhere() && s.Verdict.Failing(): // for something else
				s.Verdict = verdict.Pass
			}
			return s
		}
		for _, name := range e.Scenarios {
			e.settle(run.Baseline, e.Rule+"/"+name, of(e.Rule+"/"+name))
		}
		for _, id := range e.FoundBy {
			e.settle(run.Baseline, fmt.Sprintf("%s (line %d, found by %s)", e.Rule, e.line, id), of(id))
		}
	}
}

// expired returns the entries that have expired while scenarios still fail as they say, each with the first of these.
func (b *Baseline) expired(run *verdict.Run, today string) []string {
	all := []string{}
	for _, e := range b.entries {
		if !e.expired(today) {
			continue
		}
		var left []string
		for _, s := range run.Scenarios {
			if (s.Verdict == verdict.Fail || s.Blocked()) && e.is(s) {
				left = append(left, s.ID())
			}
		}
		switch n := len(left); n {
		case 0:
		case 1:
			all = append(all, fmt.Sprintf("%s (line %d: %s)", left[0], e.line, e.known()))
		default:
			all = append(all, fmt.Sprintf("%s and %d more (line %d: %s)", left[0], n-1, e.line, e.known()))
		}
	}
	return all
}

// withoutReason returns the lines of the entries that nobody has given a reason.
func (b *Baseline) withoutReason() []int {
	lines := []int{}
	for _, e := range b.entries {
		if strings.TrimSpace(e.Reason) == "" {
			lines = append(lines, e.line)
		}
	}
	return lines
}

// settle lists a failure as fixed, changed or untested, if it is one of these. s is its scenario,
// zero if it was not selected.
func (e entry) settle(all *verdict.Baseline, name string, s verdict.Scenario) {
	switch v := s.Verdict.Normalized(); {
	case s.Blocked() && e.is(s):
	case !v.Failing() && v != verdict.Pass && v != verdict.Warning:
		all.Untested = append(all.Untested, name)
	case e.is(s) && v.Failing(), e.Intermittent:
	case v.Failing():
		all.Changed = append(all.Changed, name)
	default:
		all.Fixed = append(all.Fixed, name)
	}
}

// remedy is what to do about a name that does not exist.
func remedy[T any](name string, existing map[string]T) string {
	near := spelling.Nearest(name, slices.Collect(maps.Keys(existing)), 1)
	if len(near) == 0 {
		return ": remove it, or add --features if the rule is your own"
	}
	return fmt.Sprintf("; did you mean %s? If not, remove it, or add --features if the rule is your own", near[0])
}

// Check reports entries about scenarios that are not among those that exist, by rule.
func (b *Baseline) Check(exists map[string]map[string]bool) error {
	problems := problems{file: b.File}
	for _, e := range b.entries {
		check := func(where, rule, name string) {
			switch {
			case rule == "": // which is an error of the file
			case exists[rule] == nil:
				problems.add(e.line, "%sthere is no rule %s in this version of pixcert%s", where, rule, remedy(rule, exists))
			case !exists[rule][name]:
				problems.add(e.line, "%sthe rule %s has no scenario %q in this version of pixcert%s", where, rule, name, remedy(name, exists[rule]))
			}
		}
		for _, name := range e.Scenarios {
			check("", e.Rule, name)
		}
		for _, id := range e.FoundBy {
			rule, name, _ := strings.Cut(id, "/")
			check("foundBy: ", rule, name)
		}
	}
	for _, u := range b.untested {
		for _, rule := range slices.Sorted(maps.Keys(u.Rules)) {
			if exists[rule] == nil {
				problems.add(u.line, "untested: there is no rule %s in this version of pixcert%s", rule, remedy(rule, exists))
			}
		}
	}
	return problems.err()
}
