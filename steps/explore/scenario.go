package explore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Shrunk is the smallest scenario found that fails as a scenario of the features does.
type Shrunk struct {
	Feature       catalogue.Source // that certify --features runs
	Rules         []string         // that it breaks: its own, and the one that it breaks in passing
	Steps, Of     int              // how many steps it has, and the scenario had
	Failed, Times int              // how often it failed, and was tried
}

// ErrPasses is returned for a scenario that no longer fails.
var ErrPasses = errors.New("the scenario passes now")

// ShrinkScenario drops steps and rows of tables from a scenario as long as it fails in the same way. progress gets the
// number of steps that are left; it may be nil. If what is left does not fail with the profile's deadlines, shorter ones
// were why it did, and it shrinks the scenario again with those of the profile.
func ShrinkScenario(ctx context.Context, options run.Options, s *catalogue.Scenario, failed verdict.Scenario, progress func(left int)) (Shrunk, error) {
	cut := cutter{like: failed, tags: tagsOf(s), progress: progress}
	for _, cut.options = range []run.Options{patient(options, Patience), options} {
		left, err := cut.shrink(ctx, judgeable(s.Steps))
		if err != nil {
			return Shrunk{}, err
		}
		if left == nil {
			continue
		}
		cut.options = options
		results, err := cut.sample(ctx, left)
		switch {
		case err != nil:
			return Shrunk{}, err
		case len(results) > 0:
			return cut.shrunk(s, left, results), nil
		}
	}
	return Shrunk{}, ErrPasses
}

// cutter tries smaller scenarios.
type cutter struct {
	options  run.Options
	like     verdict.Scenario // the failure to look for
	tags     string           // of the scenario's rule
	progress func(left int)   // nil for none
}

// attempted is a scenario that failed in the way that was looked for.
type attempted struct {
	steps  []catalogue.Step
	result verdict.Scenario
}

// shrink is the smallest scenario found; nil if the whole one passes.
func (c *cutter) shrink(ctx context.Context, left []catalogue.Step) ([]catalogue.Step, error) {
	results, err := c.sample(ctx, left)
	if err != nil || len(results) == 0 {
		return nil, err
	}
	times := timesFor(len(results))
	for {
		if c.progress != nil {
			c.progress(len(left))
		}
		smaller, err := c.firstToFail(ctx, catalogue.Smaller(left), times)
		if err != nil || smaller == nil {
			return left, err
		}
		left = smaller
	}
}

// sample tries a scenario a few times. A run reports what violates the wire contract once.
func (c *cutter) sample(ctx context.Context, steps []catalogue.Step) (all []attempted, err error) {
	if !c.inPassing() {
		return c.try(ctx, slices.Repeat([][]catalogue.Step{steps}, sample))
	}
	for range sample {
		one, err := c.try(ctx, [][]catalogue.Step{steps})
		if err != nil {
			return nil, err
		}
		all = append(all, one...)
	}
	return all, nil
}

// firstToFail is the first of some scenarios that fails in a number of tries; nil if all pass.
func (c *cutter) firstToFail(ctx context.Context, all [][]catalogue.Step, times int) ([]catalogue.Step, error) {
	for some := range slices.Chunk(all, atOnce) {
		some = slices.DeleteFunc(slices.Clone(some), isInvalid)
		if len(some) == 0 {
			continue
		}
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

// inPassing reports whether runs find the failure in passing: scenarios of the user's have no steps about the contract.
func (c *cutter) inPassing() bool {
	return c.like.Via != "" || strings.HasPrefix(c.like.Rule, "contract.")
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
	if s.Via != "" || c.like.Via != "" {
		return s.Rule == c.like.Rule
	}
	return s.FailedSentence() == c.like.FailedSentence()
}

// isInvalid reports whether a feature of the user's may not have the scenario.
func isInvalid(steps []catalogue.Step) bool {
	_, err := run.Suite(catalogue.Own{Sources: []catalogue.Source{{File: "shrunk.feature", Text: "Feature: F\n\n  @" + walksRule + "\n  Rule: R\n\n" + catalogue.WriteScenario("S", steps)}}})
	return err != nil
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
	h := fnv.New32a()
	fmt.Fprintln(h, s.ID(), text) // never fails
	name := fmt.Sprintf("found.%08x", h.Sum32())
	var b strings.Builder
	fmt.Fprintf(&b, "# The smallest scenario that fails as %s does\n", s.ID())
	if f := result.Finding; f != nil {
		fmt.Fprintf(&b, "# expected: %s\n# got:      %s\n", exchange.Line(f.Expected), exchange.Line(f.Got))
	}
	fmt.Fprintf(&b, "Feature: Found by pixcert certify --shrink\n\n  @%s %s\n", name, catalogue.FoundTag)
	if c.tags != "" {
		fmt.Fprintf(&b, "  %s\n", c.tags)
	}
	fmt.Fprintf(&b, "  Rule: %s\n\n%s", s.Rule.Title, text)
	feature := catalogue.Source{File: fileOf(name), Text: b.String()}
	rules := []string{name}
	if result.Via != "" {
		rules = append(rules, result.Rule)
	}
	return Shrunk{feature, rules, len(steps), len(s.Steps), len(failed), sample}
}
