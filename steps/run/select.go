package run

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/verdict"
)

// The embedded features are parsed once, because a process may run against thousands of faulty
// gateways. The runs share them, and none changes them.
var (
	embeddedFeatures = sync.OnceValues(func() (*catalogue.Catalogue, error) { return catalogue.Load(features.FS) })
	embeddedShapes   = sync.OnceValues(func() (language.Shapes, error) {
		all, err := embeddedFeatures()
		if err != nil {
			return nil, err
		}
		return language.ShapesOf(all)
	})
	embeddedPoints = sync.OnceValues(func() ([]catalogue.OpenPoint, error) { return catalogue.OpenPoints(features.FS) })
)

// Suite returns pixcert's features, followed by the user's own. It fails if those have mistakes or use
// sentences or open points that do not exist; the error says where, and sends nothing.
func Suite(own catalogue.Own) (*catalogue.Catalogue, error) {
	all, err := embeddedFeatures()
	if err != nil || len(own.Sources) == 0 {
		return all, err
	}
	if all, err = all.With(own); err != nil {
		return nil, err
	}
	points, err := embeddedPoints()
	if err != nil {
		return nil, err
	}
	return all, language.CheckOwn(all, points)
}

// selection is the scenarios to run, and how they were asked for.
type selection struct {
	suite     *catalogue.Catalogue
	scenarios []*catalogue.Scenario
	own       map[string]bool // rules of those that are the user's own
	words     string          // a tag expression, or names of rules
	points    []verdict.OpenPoint
}

func selectionOf(options Options) (selection, error) {
	rules := slices.Clone(options.Rules)
	for i, name := range rules {
		rules[i] = strings.TrimPrefix(name, "@")
	}
	s := selection{words: wordsFor(options.Tags, rules, options.Scenarios)}
	var err error
	if s.points, err = openPoints(); err != nil {
		return s, err
	}
	if s.suite, err = Suite(options.Own); err != nil {
		return s, err
	}
	if s.scenarios, err = s.suite.Select(catalogue.Filter{Tags: options.Tags, Rules: rules}); err != nil {
		return s, err
	}
	if err := s.only(options.Scenarios, options.Own.Directory); err != nil {
		return s, err
	}
	s.own = map[string]bool{}
	for _, scenario := range s.scenarios {
		if scenario.Rule.Feature.Own {
			s.own[scenario.Rule.Name] = true
		}
	}
	return s, nil
}

// only keeps the scenarios with those ids; all if there are none. directory has the user's own features.
func (s *selection) only(ids []string, directory string) error {
	if len(ids) == 0 {
		return nil
	}
	where := "in this version"
	if directory != "" {
		where += " or in " + directory
	}
	for _, id := range ids {
		if !slices.ContainsFunc(s.scenarios, func(s *catalogue.Scenario) bool { return s.ID() == id }) {
			return fmt.Errorf("there is no scenario %q %s; run pixcert certify again", id, where)
		}
	}
	s.scenarios = slices.DeleteFunc(s.scenarios, func(s *catalogue.Scenario) bool { return !slices.Contains(ids, s.ID()) })
	return nil
}

// inShard returns the scenarios of a shard. They are dealt out in turn, because neighbours often
// take the same time and should go to different shards.
func inShard(all []*plan.Scenario, shard verdict.Shard) ([]*plan.Scenario, error) {
	if shard.Of == 0 {
		return all, nil
	}
	var own []*plan.Scenario
	for i := shard.Index - 1; i < len(all); i += shard.Of {
		own = append(own, all[i])
	}
	if len(own) == 0 {
		return nil, fmt.Errorf("shard %s is empty: only %d scenarios are selected; use at most %d shards", shard, len(all), len(all))
	}
	return own, nil
}

// rulesElsewhere returns the rules with applicable scenarios if other shards run some of them; nil
// without shards.
func rulesElsewhere(whole, own []*plan.Scenario) map[string]bool {
	rules := map[string]bool{}
	for _, s := range whole {
		if s.Outside == "" && len(own) < len(whole) {
			rules[s.Rule.Name] = true
		}
	}
	return rules
}

func openPoints() ([]verdict.OpenPoint, error) {
	embedded, err := embeddedPoints()
	var all []verdict.OpenPoint
	for _, p := range embedded {
		point := verdict.OpenPoint{Name: p.Name, Question: p.Question, Permitted: p.Permitted}
		for _, r := range p.Readings {
			point.Readings = append(point.Readings, r.Name)
		}
		all = append(all, point)
	}
	return all, err
}

// wordsFor describes a selection as a tag expression or a list of rules.
func wordsFor(tags string, rules, scenarios []string) string {
	switch {
	case len(scenarios) > 0:
		var of []string
		for _, id := range scenarios {
			if rule, _, _ := strings.Cut(id, "/"); !slices.Contains(of, rule) {
				of = append(of, rule)
			}
		}
		return strings.Join(of, ", ")
	case tags == "":
		return strings.Join(rules, ", ")
	case len(rules) == 0:
		return tags
	default:
		return fmt.Sprintf("(%s) and (@%s)", tags, strings.Join(rules, " or @"))
	}
}
