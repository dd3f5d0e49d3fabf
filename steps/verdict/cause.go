package verdict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/translation"
)

// Cause is one departure from the specification that probably explains several failures.
type Cause struct {
	Headline string     // what happened: "A cash-out of R$ 10.00 debited R$ 20.00"
	Scenario Scenario   // that shows it best
	Rule     Rule       // that of Scenario
	Others   []Scenario // the other failures that it explains

	best *symptom // of Scenario
}

// HeadlineIn is Headline in a language.
func (c Cause) HeadlineIn(in translation.Language) string { return c.best.headline(in) }

// Causes derives the likely causes from the failures of a run: the fewest departures that explain all of them, the one
// that explains most first. Causes that only the user's own rules show come last.
func (r *Run) Causes() []Cause {
	return r.CausesOf(func(s Scenario) bool { return s.Verdict == Fail })
}

// CausesOf explains the wanted failures of a run; Causes explains all new ones.
func (r *Run) CausesOf(some func(Scenario) bool) []Cause {
	all := symptomsOf(r, some)
	var causes []Cause
	for _, e := range explained(all) {
		causes = append(causes, e.cause())
	}
	slices.SortStableFunc(causes, func(a, b Cause) int {
		return cmp.Or(OwnLast(a.Rule, b.Rule), framingFirst(a.Scenario, b.Scenario), cmp.Compare(len(b.Others), len(a.Others)), bySimplicity(a.Scenario, b.Scenario))
	})
	return causes
}

// explanation is a chosen departure with the failures that it explains.
type explanation struct {
	shows   []*symptom // the departure itself
	follows []*symptom // what may be its consequences
}

// explained chooses departures until they explain all failures: each time the one that explains the most of what is
// left. Of equals, it chooses the one that more failures show themselves, then the more specific one.
func explained(all []*symptom) (chosen []*explanation) {
	explaining := make([][]*departure, len(all)+1) // by how many failures they explain, which only becomes fewer
	for _, d := range departuresOf(all) {
		explaining[d.left()] = append(explaining[d.left()], d)
	}
	for n := len(all); n > 0; n-- {
		slices.SortStableFunc(explaining[n], func(a, b *departure) int {
			return cmp.Or(cmp.Compare(len(b.shows), len(a.shows)), cmp.Compare(a.rank, b.rank))
		})
		for _, d := range explaining[n] {
			if left := d.left(); left < n {
				explaining[left] = append(explaining[left], d)
				continue
			}
			if e := d.explain(); !slices.Contains(chosen, e) {
				chosen = append(chosen, e)
			}
		}
	}
	return chosen
}

// cause makes the failure that shows the departure best that of the cause.
func (e *explanation) cause() Cause {
	slices.SortStableFunc(e.shows, bestFirst)
	best := e.shows[0]
	c := Cause{Scenario: best.Scenario, Rule: best.rule, Headline: best.headline(translation.English), best: best}
	for _, s := range slices.Concat(e.shows[1:], e.follows) {
		c.Others = append(c.Others, s.Scenario)
	}
	return c
}

// bestFirst sorts failures that show the same departure: rules of the API first, then right requests that are refused,
// most of all those of which it is known how they differ from others, then how money moved, then rules that fail in most of
// their scenarios, which are probably about it, those of the operation itself, ordinary requests, and what takes the fewest
// steps.
func bestFirst(a, b *symptom) int {
	return cmp.Or(OwnLast(a.rule, b.rule), compareBy(a, b, (*symptom).isRefusedOtherwise), compareBy(b, a, (*symptom).isNarrowed),
		compareBy(b, a, (*symptom).hasMoved), cmp.Compare(b.share, a.share),
		compareBy(b, a, (*symptom).isOfOwnRule), compareBy(a, b, (*symptom).isSpecial), bySimplicity(a.Scenario, b.Scenario))
}

// compareBy sorts what holds for last.
func compareBy(a, b *symptom, holds func(*symptom) bool) int {
	switch x, y := holds(a), holds(b); {
	case x == y:
		return 0
	case x:
		return 1
	}
	return -1
}

// isRefusedOtherwise: what must be rejected is, in another way.
func (s *symptom) isRefusedOtherwise() bool { return s.about.MustFail && s.about.Status >= 400 }

// isNarrowed: a right request is refused, and others that lack one value or two are not.
func (s *symptom) isNarrowed() bool {
	return !s.about.MustFail && strings.HasPrefix(s.about.Variant, "if ")
}

func (s *symptom) hasMoved() bool { return s.about.Kind == Movement && s.about.Expected != "" }

func (s *symptom) isOfOwnRule() bool {
	noun := strings.ReplaceAll(cmp.Or(s.order(), s.on), " ", "-")
	return noun != "" && strings.HasPrefix(s.Rule, strings.ToLower(noun)+".")
}

func (s *symptom) isSpecial() bool { return strings.Contains(s.LastAction(), " with ") }

// framingFirst: while responses may belong to other requests, whatever else fails may be a consequence.
func framingFirst(a, b Scenario) int {
	rank := func(s Scenario) int {
		if s.Finding != nil && s.Finding.About.Kind == Framing {
			return 0
		}
		return 1
	}
	return cmp.Compare(rank(a), rank(b))
}

// OwnLast sorts the API's rules before the user's.
func OwnLast(a, b Rule) int {
	switch {
	case a.Own == b.Own:
		return 0
	case b.Own:
		return -1
	}
	return 1
}

// OtherRules returns the names of the rules that fail for this cause, without the one to blame.
func (c Cause) OtherRules() []string {
	var rules []string
	for _, s := range c.Others {
		if s.Rule != c.Rule.Name && !slices.Contains(rules, s.Rule) {
			rules = append(rules, s.Rule)
		}
	}
	return rules
}
