package run

import (
	"strings"
	"sync"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/dimensions"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/verdict"
)

// coverage collects what the judged scenarios have sent and shown.
type coverage struct {
	mu       sync.Mutex
	strength int
	requests int
	sent     map[string]dimensions.Set // by the noun of the operation
	rows     []bool                    // of the lifecycle in spec
}

func newCoverage(depth verdict.Depth) *coverage {
	return &coverage{strength: strengthOf(depth), sent: map[string]dimensions.Set{}}
}

// strengthOf is how many choices occur together in every way.
func strengthOf(depth verdict.Depth) int {
	if depth == verdict.Thorough {
		return dimensions.Triples
	}
	return dimensions.Pairs
}

// add counts what an attempt has sent and, if it was judged, what that covers.
func (c *coverage) add(result verdict.Scenario, j *judge.Scenario) {
	isJudged := (result.Holds() || result.Verdict.Failing()) && !result.Spoiled
	rows := judge.Rows(j)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests += len(j.Attempts) + len(j.Looks)
	if c.rows == nil {
		c.rows = make([]bool, len(rows))
	}
	if !isJudged {
		return
	}
	for i, row := range rows {
		c.rows[i] = c.rows[i] || row.WasObserved
	}
	for _, t := range j.Attempts {
		if len(t.Chosen) == 0 || t.NoResponse() {
			continue
		}
		if c.sent[t.Op.Noun] == nil {
			c.sent[t.Op.Noun] = dimensions.Set{}
		}
		for strength := dimensions.Pairs; strength <= c.strength; strength++ { // some steps combine no more than pairs
			c.sent[t.Op.Noun].Add(t.Chosen, strength)
		}
	}
}

// measured is the coverage of all that the selected scenarios combine, whether they could be tested or not. It names
// nothing of the user's own features, which may have secrets.
func (r *run) measured() *verdict.Coverage {
	return r.coverage.of(r.planned, r.results, r.stage.Shapes)
}

// of is what was covered of all that the planned scenarios combine.
func (c *coverage) of(planned []*plan.Scenario, results []verdict.Scenario, shapes language.Shapes) *verdict.Coverage {
	all := &verdict.Coverage{Strength: c.strength, Requests: c.requests, OfRows: len(c.rows)}
	for _, seen := range c.rows {
		if seen {
			all.Rows++
		}
	}
	verdicts := map[string]verdict.Scenario{}
	for _, s := range results {
		if s.Via == "" {
			verdicts[s.ID()] = s
		}
	}
	for _, op := range api.Operations {
		o := verdict.Operation{Name: op.Noun}
		counted := dimensions.Set{}
		for _, s := range planned {
			if s.Rule.Feature.Own {
				continue
			}
			unsent := verdict.Unsent{Scenario: s.ID(), Why: whyUnsent(s, verdicts[s.ID()])}
			eachTuple(s, op.Noun, shapes, c.strength, func(t dimensions.Tuple) {
				if !counted.Insert(t) {
					return
				}
				o.Of++
				if c.sent[op.Noun].Has(t) {
					o.Sent++
				} else {
					unsent.Add(t.String())
				}
			})
			if unsent.Count > 0 {
				o.Missing = append(o.Missing, unsent)
			}
		}
		if o.Of > 0 {
			all.Operations = append(all.Operations, o)
			all.Sent, all.Of = all.Sent+o.Sent, all.Of+o.Of
		}
	}
	return all
}

// ofRecorded is what recorded scenarios covered, without a plan: it does not say why something was not sent.
func (c *coverage) ofRecorded(all *catalogue.Catalogue, run *verdict.Run) (*verdict.Coverage, error) {
	if run.Coverage == nil {
		return nil, nil // as it was: the parts of a merged report do not say what they have in common
	}
	ran := map[string]bool{}
	for _, s := range run.Scenarios {
		ran[s.ID()] = true
	}
	var selected []*catalogue.Scenario
	for s := range all.Scenarios() {
		if ran[s.ID()] {
			selected = append(selected, s)
		}
	}
	planned, err := plan.Make(selected, plan.Offer{})
	if err != nil {
		return nil, err
	}
	for _, s := range planned {
		s.Outside = "" // nobody has the profile of a recorded run
	}
	shapes, err := embeddedShapes()
	if err != nil {
		return nil, err
	}
	return c.of(planned, run.Scenarios, shapes), nil
}

// eachTuple calls yield with what the steps of a scenario combine in the requests of an operation.
func eachTuple(s *plan.Scenario, noun string, shapes language.Shapes, strength int, yield func(dimensions.Tuple)) {
	for _, step := range s.Steps {
		m, is := step.Meaning.(language.Send)
		if !is || len(m.Dimensions) == 0 || m.Operation.Noun != noun {
			continue
		}
		of, err := dimensions.Of(m, shapes[noun])
		if err != nil {
			continue // the scenario has failed with it
		}
		dimensions.Tuples(of, dimensions.Strength(m, strength), yield)
	}
}

// whyUnsent says why a scenario has not sent all of its combinations.
func whyUnsent(s *plan.Scenario, result verdict.Scenario) string {
	switch {
	case s.Outside != "":
		return s.Outside
	case len(result.Missing) > 0:
		return "missing: " + strings.Join(result.Missing, ", ")
	case result.Verdict == "":
		return string(verdict.NotRun)
	case result.Holds(), result.Verdict.Failing():
		return "the target, or its profile, lacks what they need"
	}
	return string(result.Verdict)
}
