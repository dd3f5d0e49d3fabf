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
func (e *explorer) confirm(ctx context.Context) error {
	own, earlier := e.found(), e.earlier()
	if len(own.Sources) == 0 {
		return nil
	}
	e.tell(true)
	options := e.options.Run
	options.Own, options.Tags, options.Earlier, options.Once = own, catalogue.OwnTag, earlier, e.report.Interrupted
	var err error
	if e.report.Run, err = run.Certify(ctx, options); err != nil {
		return err
	}
	e.settle()
	return nil
}

// earlier are the failures of the findings while exploring that count: those that no lack of patience can
// explain.
func (e *explorer) earlier() (all []verdict.Scenario) {
	for _, f := range e.report.Findings {
		if f.Result.Verdict == verdict.Fail && f.Result.Took < Patience && !f.knownTo(e.options.Corpus) {
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

// settle takes the results of the findings from the run. One that failed only for want of patience is
// taken out.
func (e *explorer) settle() {
	for i := range e.report.Findings {
		f := &e.report.Findings[i]
		f.Slow = true
		for _, s := range e.report.Run.Scenarios {
			if s.Verdict == verdict.Fail && (s.Rule == f.Name() || s.Via == f.id()) {
				f.Result, f.Slow = s, false
			}
		}
		if source := f.source(e.options); !f.Slow && !f.knownTo(e.options.Corpus) {
			e.report.New = append(e.report.New, source)
		}
	}
	slow := func(rule string) bool {
		return slices.ContainsFunc(e.report.Findings, func(f Finding) bool {
			return f.Slow && f.Name() == rule && !f.knownTo(e.options.Corpus)
		})
	}
	r := e.report.Run
	r.Scenarios = slices.DeleteFunc(r.Scenarios, func(s verdict.Scenario) bool { return slow(s.Rule) })
	r.Rules = slices.DeleteFunc(r.Rules, func(rule verdict.Rule) bool { return slow(rule.Name) })
}
