package catalogue

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Filter says which scenarios a run is to carry out; its zero value means all.
type Filter struct {
	Tags  string   // a tag expression, see parseTags; @OUT-067 means the rules that show that statement
	Rules []string // names of rules, with or without their @
}

// Select gives the scenarios that both parts of f mean, in the order of the
// catalogue. A tag or a rule that the catalogue does not have is an error, which
// names those that are spelled nearly so; so is a statement that no rule shows, and a
// filter that nothing passes.
func (c *Catalogue) Select(f Filter) ([]*Scenario, error) {
	isMeant, tags := func([]string) bool { return true }, []string(nil)
	if strings.TrimSpace(f.Tags) != "" {
		var err error
		if isMeant, tags, err = parseTags(f.Tags); err != nil {
			return nil, err
		}
	}
	var rules []string
	for _, rule := range f.Rules {
		rules = append(rules, strings.TrimPrefix(rule, "@"))
	}
	if err := c.knows(tags, rules); err != nil {
		return nil, err
	}
	var selected []*Scenario
	for s := range c.scenarios() {
		if (len(rules) == 0 || slices.Contains(rules, s.Rule.Name)) && isMeant(s.Tags) {
			selected = append(selected, s)
		}
	}
	if len(selected) == 0 {
		return nil, errors.New(f.selectsNothing())
	}
	return selected, nil
}

func (f Filter) selectsNothing() string {
	tags, rules := fmt.Sprintf("the tag expression %q", f.Tags), strings.Join(f.Rules, ", ")
	switch {
	case f.Tags != "" && rules != "":
		return tags + " means none of the scenarios of " + rules + ": leave one of the two out"
	case f.Tags != "":
		return tags + " means none of the scenarios, although each of its tags exists: widen it"
	default:
		return "the features have no scenarios"
	}
}

// rules gives every rule in the order of the features.
func (c *Catalogue) rules() iter.Seq[*Rule] {
	return func(yield func(*Rule) bool) {
		for _, feature := range c.Features {
			for _, rule := range feature.Rules {
				if !yield(rule) {
					return
				}
			}
		}
	}
}

// scenarios gives every scenario in the order of the features.
func (c *Catalogue) scenarios() iter.Seq[*Scenario] {
	return func(yield func(*Scenario) bool) {
		for rule := range c.rules() {
			for _, s := range rule.Scenarios {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// knows refuses tags and rules that do not exist: a typing mistake must not pass
// for a run of fewer scenarios, or, after not, of more.
func (c *Catalogue) knows(tags, rules []string) error {
	knownTags, knownRules := map[string]bool{}, map[string]bool{}
	for s := range c.scenarios() {
		knownRules[s.Rule.Name] = true
		for _, tag := range s.Tags {
			if isStatementTag(tag) { // nobody who misspells another tag means one of a thousand ids
				continue
			}
			knownTags[tag] = true
			if area, _, named := strings.Cut(tag, "."); named {
				knownTags[area] = true
			}
		}
	}
	for _, tag := range tags {
		bare := strings.TrimSuffix(tag, ".*")
		if knownTags[bare] || len(c.RulesShowing(strings.TrimPrefix(bare, "@"))) > 0 {
			continue
		}
		if reason := c.noSuchStatement(bare); reason != "" {
			return errors.New(reason)
		}
		return fmt.Errorf("no scenario has the tag %s%s", tag, meant(bare, knownTags))
	}
	for _, rule := range rules {
		if _, isStatement := c.Statement(rule); isStatement {
			return fmt.Errorf("%s is a statement, not a rule; the tag @%s selects the rules that show it", rule, rule)
		}
		if !knownRules[rule] {
			return fmt.Errorf("there is no rule %s%s", rule, meant(rule, knownRules))
		}
	}
	return nil
}
