package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/steps/spelling"
)

// selected returns the mutants to run, at the requested frequency. It fails if a requested
// rule has none.
func (c *mutantsCmd) selected() ([]mutants.Mutant, error) {
	switch {
	case c.Deep && c.Combined:
		return nil, errors.New("--combined: expected either --combined or --deep, got both")
	case c.Partial && (c.Deep || c.Combined):
		return nil, errors.New("--partial: omit it with --deep and --combined")
	case c.Partial && (len(c.Rules) > 0 || c.All):
		return nil, errors.New("--partial: omit --rule and --all; no rule covers these mutants, and the whole suite runs until the first failure")
	case c.Combined && c.Explore == 0 && c.Sample == 0:
		return nil, errors.New("--combined: add --explore or --sample; no rule covers these mutants")
	case (c.Deep || c.Combined || c.Partial) && c.Every != "own": // faults of the store always show
		return nil, errors.New("--every: deep and partial mutants have no other frequency; omit it with --deep, --combined and --partial")
	}
	if c.Permitted != "" {
		if len(c.permitted()) == 0 {
			return nil, fmt.Errorf("--permitted %s: no permitted difference has such a name", c.Permitted)
		}
		return nil, nil
	}
	found := map[string]bool{} // by requested rule
	for _, name := range c.Rules {
		found[strings.TrimPrefix(name, "@")] = false
	}
	var selected []mutants.Mutant
	known := map[string]bool{}
	catalogue := mutants.All()
	switch {
	case c.Deep:
		catalogue = mutants.AllDeep()
	case c.Combined:
		catalogue = mutants.Combinations()
	case c.Partial:
		catalogue = mutants.AllPartial()
	}
	for _, m := range catalogue {
		if _, requested := found[m.Rule]; !requested && len(c.Rules) > 0 || !strings.Contains(m.Name, c.Mutant) {
			continue
		}
		found[m.Rule] = true
		if c.Every != "own" {
			every, err := mutants.ParseFrequency(c.Every)
			if err != nil {
				return nil, err
			}
			m = m.At(every)
		}
		if !known[m.Name] { // --every makes rows that differ only in frequency equal
			selected = append(selected, m.Seeded(c.Seed))
		}
		known[m.Name] = true
	}
	for name, ok := range found {
		if !ok && c.Mutant == "" {
			return nil, fmt.Errorf("--rule %s: no mutant breaks this rule; run pixcert rules to list all rules", name)
		}
	}
	if len(selected) == 0 {
		return nil, fmt.Errorf("--mutant %s: none of these mutants has such a name; deep mutants need --deep, combinations --combined, and partial mutants --partial", c.Mutant)
	}
	return selected, nil
}

func (c *mutantsCmd) permitted() []mutants.Mutant {
	all := mutants.Tolerated()
	switch {
	case c.Permitted != "":
		return slices.DeleteFunc(all, func(m mutants.Mutant) bool { return !strings.Contains(m.Name, c.Permitted) })
	case len(c.Rules) == 0 && c.Mutant == "" && c.Every == "own" && !c.Deep && !c.Combined && !c.Partial:
		return all
	}
	return nil
}

// mutantNamed finds the mutant with that name, or the only one whose name contains it.
func mutantNamed(name string) (mutants.Mutant, error) {
	var found []mutants.Mutant
	var known []string
	for _, m := range slices.Concat(mutants.All(), mutants.AllDeep(), mutants.Combinations(), mutants.AllPartial(), mutants.Tolerated()) {
		if m.Name == name {
			return m, nil
		}
		known = append(known, m.Name)
		if strings.Contains(m.Name, name) {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		hint := "pixcert explain RULE lists those of a rule"
		if near := spelling.Nearest(name, known, 1); len(near) > 0 {
			hint = fmt.Sprintf("did you mean %q? %s", near[0], hint)
		}
		return mutants.Mutant{}, fmt.Errorf("no mutant is named %q; %s", name, hint)
	case 1:
		return found[0], nil
	}
	var names []string
	for _, m := range found[:min(10, len(found))] {
		names = append(names, m.Name)
	}
	return mutants.Mutant{}, fmt.Errorf("%d mutants have %q in their name; name one, such as:\n  %s", len(found), name, strings.Join(names, "\n  "))
}

// part returns every n-th mutant: those of one rule, which stand next to each other, are in different shards.
func (s shard) part(of []mutants.Mutant) (part []mutants.Mutant) {
	if s.Of == 0 {
		return of
	}
	for i := s.Index - 1; i < len(of); i += s.Of {
		part = append(part, of[i])
	}
	return part
}

func draw(from []mutants.Mutant, n int, seed int64) []mutants.Mutant {
	drawn := slices.Clone(from)
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	random.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	return drawn[:min(n, len(drawn))]
}

// sample draws n rules, and a mutant of each.
func sample(from []mutants.Mutant, n int, seed int64) []mutants.Mutant {
	ofRule := map[string][]mutants.Mutant{}
	for _, m := range from {
		ofRule[m.Rule] = append(ofRule[m.Rule], m)
	}
	rules := slices.Sorted(maps.Keys(ofRule))
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	random.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
	var drawn []mutants.Mutant
	for _, rule := range rules[:min(n, len(rules))] {
		of := fnv.New64a()
		of.Write([]byte(rule)) // so that --rule does not change which mutant a rule has
		random := rand.New(rand.NewPCG(uint64(seed), of.Sum64()))
		drawn = append(drawn, ofRule[rule][random.IntN(len(ofRule[rule]))])
	}
	return drawn
}
