package explore

import (
	"context"
	"slices"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/verdict"
)

// confirm repeats the findings, and those of the corpus, to learn how often they fail: with the patience
// of the profile. What failed once is a finding, even if it passes each time now.
func (r *Report) confirm(ctx context.Context, options Options) (err error) {
	again := options.Run
	r.Include(&again)
	if len(again.Own.Sources) == 0 {
		return nil
	}
	if err := reportViolations(&again); err != nil {
		return err
	}
	again.Tags, again.Once = catalogue.OwnTag, r.Interrupted
	if r.Run, err = run.Certify(ctx, again); err == nil {
		r.Settle()
	}
	return err
}

// Include adds the findings, and those of the corpus, to a run.
func (r *Report) Include(options *run.Options) {
	options.Own, options.Earlier, options.Seed = r.own(), r.earlier(), r.Seed
	options.Explored = &verdict.Explored{Walks: r.Walks, Requests: r.Calls, Transitions: r.Transitions.Reached, Of: r.Transitions.Of}
}

// earlier are the failures of the findings while exploring that count: those that no lack of patience can
// explain.
func (r *Report) earlier() (all []verdict.Scenario) {
	for _, f := range r.Findings {
		if f.Result.Verdict == verdict.Fail && f.Result.Took < Patience && !f.knownTo(r.Corpus) {
			all = append(all, f.attempt())
		}
	}
	return all
}

// attempt is the result of the finding as one of its own scenario, which the walk was.
func (f Finding) attempt() verdict.Scenario {
	s := f.Result
	if f.kind.ofContract {
		s.Via = f.id()
		return s
	}
	s.Rule, s.Name = f.Name(), f.title()
	s.Steps = slices.Clone(s.Steps[:min(len(s.Steps), len(f.Walk.Lines))])
	return s
}

// Settle takes the results of the findings from the run. One that passed each time, and had failed for want
// of patience, is none. One that could not be tested again is kept.
func (r *Report) Settle() {
	if r.Run.Ended != nil { // how often they fail is not known
		r.New = r.Unsettled()
		return
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		failed, passed := false, false
		for _, s := range r.Run.Scenarios {
			switch {
			case s.Verdict.Failing() && (s.Rule == f.Name() || s.Via == f.id()):
				f.Result, failed = s, true
			case s.Rule == f.Name() && (s.Verdict == verdict.Pass || s.Verdict == verdict.Warning):
				passed = true
			}
		}
		f.Slow, f.Unproven = !failed && passed, !failed && !passed
		if !f.Slow && !f.knownTo(r.Corpus) {
			r.New = append(r.New, r.source(*f))
		}
	}
}

// Unsettled are the findings that the corpus does not have yet, before a run has repeated them.
func (r *Report) Unsettled() (all []catalogue.Source) {
	for _, f := range r.Findings {
		if !f.knownTo(r.Corpus) {
			all = append(all, r.source(f))
		}
	}
	return all
}
