package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Shrunk is the smallest scenario found that fails as a scenario of the features does.
type Shrunk struct {
	Feature       catalogue.Source // that certify --features runs
	Rule          string           // in that
	Steps, Of     int              // how many steps it has, and the scenario had
	Failed, Times int              // how often it failed, and was tried
}

// ErrPasses is returned for a scenario that no longer fails.
var ErrPasses = errors.New("the scenario passes now")

// ShrinkScenario drops steps and rows of tables from a scenario as long as it fails in the same way. progress gets the
// number of steps that are left; it may be nil.
func ShrinkScenario(ctx context.Context, options run.Options, s *catalogue.Scenario, failed verdict.Scenario, progress func(left int)) (Shrunk, error) {
	cut := cutter{options: patient(options, Patience), like: failed, tags: tagsOf(s)}
	all := judgeable(s.Steps)
	results, err := cut.try(ctx, slices.Repeat([][]catalogue.Step{all}, sample))
	if err == nil && len(results) == 0 { // perhaps for want of patience
		cut.options = options
		results, err = cut.try(ctx, slices.Repeat([][]catalogue.Step{all}, sample))
	}
	switch {
	case err != nil:
		return Shrunk{}, err
	case len(results) == 0:
		return Shrunk{}, ErrPasses
	}
	left, times := all, timesFor(len(results))
	for {
		if progress != nil {
			progress(len(left))
		}
		smaller, err := cut.firstToFail(ctx, smallerThan(left), times)
		if err != nil {
			return Shrunk{}, err
		}
		if smaller == nil {
			break
		}
		left = smaller
	}
	cut.options = options
	if results, err = cut.try(ctx, slices.Repeat([][]catalogue.Step{left}, sample)); err != nil {
		return Shrunk{}, err
	}
	if len(results) == 0 { // it failed for want of patience, or seldom does
		left, results = all, []attempted{{all, failed}}
	}
	return cut.shrunk(s, left, results), nil
}

// cutter tries smaller scenarios.
type cutter struct {
	options run.Options
	like    verdict.Scenario // the failure to look for
	tags    string           // of the scenario's rule
}

// attempted is a scenario that failed in the way that was looked for.
type attempted struct {
	steps  []catalogue.Step
	result verdict.Scenario
}

// firstToFail is the first of some scenarios that fails in a number of tries; nil if all pass.
func (c *cutter) firstToFail(ctx context.Context, all [][]catalogue.Step, times int) ([]catalogue.Step, error) {
	for some := range slices.Chunk(all, atOnce) {
		results, err := c.try(ctx, slices.Repeat(some, times))
		if err != nil {
			return nil, err
		}
		if len(results) > 0 {
			return slices.MinFunc(results, func(a, b attempted) int { return cmp.Compare(catalogue.Size(a.steps), catalogue.Size(b.steps)) }).steps, nil
		}
	}
	return nil, nil
}

// try runs some scenarios, and returns those that fail in the same way.
func (c *cutter) try(ctx context.Context, some [][]catalogue.Step) ([]attempted, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "Feature: Smaller scenarios\n\n  @%s %s\n  Rule: Smaller scenarios\n", walksRule, c.tags)
	byID := map[string][]catalogue.Step{}
	for i, steps := range some {
		fmt.Fprintf(&text, "\n%s", catalogue.WriteScenario(walkName(i), steps))
		byID[walksRule+"/"+walkName(i)] = steps
	}
	options := c.options
	options.Own = catalogue.Own{Directory: "shrunk", Sources: slices.Concat(options.Own.Sources, []catalogue.Source{{File: "shrunk.feature", Text: text.String()}})}
	options.Rules, options.Once = []string{walksRule}, true
	if err := reportViolations(&options); err != nil {
		return nil, err
	}
	result, err := run.Certify(ctx, options)
	if err != nil {
		return nil, err
	}
	if ended := result.Ended; ended != nil {
		return nil, errors.New(ended.Reason)
	}
	var all []attempted
	for _, s := range result.Scenarios {
		steps := byID[cmp.Or(s.Via, s.ID())]
		if steps != nil && c.failsAlike(s) {
			all = append(all, attempted{steps, s})
		}
	}
	return all, nil
}

// failsAlike reports whether a scenario fails as the one to shrink did: in the same sentence, or the same rule of the
// wire contract, with the same finding except for its values.
func (c *cutter) failsAlike(s verdict.Scenario) bool {
	if s.Verdict != verdict.Fail || !s.Signature().Matches(c.like.Signature()) {
		return false
	}
	if c.like.Via != "" || s.Via != "" {
		return c.like.Via != "" && s.Via != "" && s.Rule == c.like.Rule
	}
	return s.FailedSentence() == c.like.FailedSentence()
}

// smallerThan are the scenarios that lack some steps of one, or some rows of its tables, and that a feature of the user's
// may have: the smallest first.
func smallerThan(steps []catalogue.Step) [][]catalogue.Step {
	return slices.DeleteFunc(catalogue.Smaller(steps), func(smaller []catalogue.Step) bool {
		_, err := run.Suite(catalogue.Own{Sources: []catalogue.Source{{File: "shrunk.feature", Text: "Feature: F\n\n  @" + walksRule + "\n  Rule: R\n\n" + catalogue.WriteScenario("S", smaller)}}})
		return err != nil
	})
}

// judgeable are the steps that a feature of the user's may have: which reading of an open point a gateway follows is
// for pixcert's own rules to judge.
func judgeable(steps []catalogue.Step) []catalogue.Step {
	return slices.DeleteFunc(slices.Clone(steps), func(s catalogue.Step) bool {
		read, _ := language.Read(s)
		switch read.Meaning.(type) {
		case language.Noted, language.WhetherNoted:
			return true
		}
		return false
	})
}

// tagsOf are the tags that a smaller scenario keeps: the statements that it shows, and the open points that it is about.
func tagsOf(s *catalogue.Scenario) string {
	var tags []string
	for _, id := range s.Rule.Statements {
		tags = append(tags, "@"+id)
	}
	for _, tag := range s.Tags {
		if strings.HasPrefix(tag, catalogue.OpenTag) {
			tags = append(tags, tag)
		}
	}
	return strings.Join(tags, " ")
}

// shrunk writes the smallest scenario as a feature of the user's.
func (c *cutter) shrunk(s *catalogue.Scenario, steps []catalogue.Step, failed []attempted) Shrunk {
	text, result := catalogue.WriteScenario(s.Name, steps), failed[len(failed)-1].result
	name := foundName(text, result.FailedSentence())
	var b strings.Builder
	fmt.Fprintf(&b, "# The smallest scenario that fails as %s does\n", s.ID())
	if f := result.Finding; f != nil {
		fmt.Fprintf(&b, "# expected: %s\n# got:      %s\n", oneLine(f.Expected), oneLine(f.Got))
	}
	fmt.Fprintf(&b, "Feature: Found by pixcert certify --shrink\n\n  @%s %s\n", name, catalogue.FoundTag)
	if c.tags != "" {
		fmt.Fprintf(&b, "  %s\n", c.tags)
	}
	fmt.Fprintf(&b, "  Rule: %s\n\n%s", s.Rule.Title, text)
	feature := catalogue.Source{File: fileOf(name), Text: b.String()}
	return Shrunk{feature, name, len(steps), len(s.Steps), len(failed), sample}
}
