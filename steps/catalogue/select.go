package catalogue

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Filter selects the scenarios of a run; its zero value selects all.
type Filter struct {
	Tags  string   // a tag expression, see parseTags; @OUT-067 means the rules that show that statement
	Rules []string // names of rules, with or without their @
}

// Select returns the scenarios that match both parts of f, in the order of the catalogue. It fails if
// a tag or a rule does not exist (the error suggests similar ones), if no rule shows a statement, and
// if nothing matches.
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
	for s := range c.Scenarios() {
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
		return tags + " matches none of the scenarios of " + rules + ": remove one of the two"
	case f.Tags != "":
		return tags + " matches no scenario, although each of its tags exists: widen it"
	default:
		return "the features have no scenarios"
	}
}

// Rules iterates over all rules in the order of the features.
func (c *Catalogue) Rules() iter.Seq[*Rule] {
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

// Scenarios iterates over all scenarios in the order of the features.
func (c *Catalogue) Scenarios() iter.Seq[*Scenario] {
	return func(yield func(*Scenario) bool) {
		for rule := range c.Rules() {
			for _, s := range rule.Scenarios {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// knows rejects tags and rules that do not exist: a misspelling must not silently select fewer
// scenarios or, after not, more.
func (c *Catalogue) knows(tags, rules []string) error {
	knownTags := map[string]bool{}
	if len(tags) > 0 {
		knownTags = c.tags()
	}
	for _, tag := range tags {
		bare := strings.TrimSuffix(tag, ".*")
		if knownTags[bare] || len(c.RulesShowing(strings.TrimPrefix(bare, "@"))) > 0 {
			continue
		}
		if bare == OwnTag {
			return fmt.Errorf("no scenario has the tag %s, which marks your own rules; pass their directory with --features", tag)
		}
		if reason := c.noSuchStatement(bare); reason != "" {
			return errors.New(reason)
		}
		return fmt.Errorf("no scenario has the tag %s%s", tag, meant(bare, knownTags))
	}
	knownRules := map[string]bool{}
	for rule := range c.Rules() {
		knownRules[rule.Name] = true
	}
	for _, rule := range rules {
		if _, isStatement := c.Statement(rule); isStatement {
			return fmt.Errorf("%s is a statement, not a rule; use the tag @%s to select the rules that cover it", rule, rule)
		}
		if !knownRules[rule] {
			return fmt.Errorf("there is no rule %s%s", rule, meant(rule, knownRules))
		}
	}
	return nil
}

// tags are the tags of the scenarios and the areas of their rules. Those of statements are left out: there
// are a thousand of them, too many to suggest for a misspelled tag.
func (c *Catalogue) tags() map[string]bool {
	known := map[string]bool{}
	for s := range c.Scenarios() {
		for _, tag := range s.Tags {
			if isStatementTag(tag) {
				continue
			}
			known[tag] = true
			if area, _, named := strings.Cut(tag, "."); named {
				known[area] = true
			}
		}
	}
	return known
}
