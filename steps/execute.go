package steps

import (
	"context"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/verdict"
)

// execute carries out what is planned, and once more what a broken connection left
// undecided.
func (r *run) execute(ctx context.Context) error {
	r.interrupted = func() bool { return ctx.Err() != nil }
	var carriedOut []*planned
	for _, p := range r.planned {
		if len(p.missing) > 0 {
			r.finished(p.untested())
		} else {
			carriedOut = append(carriedOut, p)
		}
	}
	r.carryOut(ctx, carriedOut)
	again := r.undecided
	r.lastTry = true
	r.carryOut(ctx, again)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("the run was interrupted: %w", err)
	}
	if len(r.results) < len(r.planned) {
		return fmt.Errorf("%d of %d scenarios were not carried out", len(r.planned)-len(r.results), len(r.planned))
	}
	return nil
}

// carryOut lets godog carry the scenarios out. It finds them by their rules' tags, and
// skips the rest.
func (r *run) carryOut(ctx context.Context, scenarios []*planned) {
	r.wanted = map[string]*planned{}
	var tags []string
	for _, p := range scenarios {
		r.wanted[p.scenario.ID()] = p
		if tag := "@" + p.scenario.Rule.Name; !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	if len(tags) == 0 {
		return
	}
	suite := godog.TestSuite{
		Name:                "pixcert",
		ScenarioInitializer: r.initialize,
		Options: &godog.Options{
			Format: "progress", Output: io.Discard, NoColors: true, Strict: true,
			FS: features.FS, Paths: r.files(scenarios), Tags: strings.Join(tags, ","),
			Concurrency: r.options.Concurrency, Randomize: r.options.Seed, DefaultContext: ctx,
		},
	}
	suite.Run() // its status says less than our own results
}

// files are those of the features that run, in an order that follows from the seed (as
// does godog's, of the scenarios of each). Those in which something must not come go
// first: else the run would end by waiting for nothing.
func (r *run) files(scenarios []*planned) []string {
	waits := map[string]bool{}
	var files []string
	for _, p := range scenarios {
		file := p.scenario.Rule.Feature.File
		if !slices.Contains(files, file) {
			files = append(files, file)
		}
		if slices.ContainsFunc(p.speaks, func(s *sentence) bool { return s.waits }) {
			waits[file] = true
		}
	}
	order := mathrand.New(mathrand.NewPCG(uint64(r.options.Seed), 0))
	order.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	slices.SortStableFunc(files, func(a, b string) int {
		switch {
		case waits[a] && !waits[b]:
			return -1
		case waits[b] && !waits[a]:
			return 1
		}
		return 0
	})
	return files
}

// longest is the time after which a scenario is given up, whatever it waits for.
const longest = 2 * time.Minute

// initialize prepares godog for one scenario.
func (r *run) initialize(sc *godog.ScenarioContext) {
	s := &scenario{run: r}
	cancel := func() {}
	sc.Before(func(ctx context.Context, pickle *godog.Scenario) (context.Context, error) {
		s.plan = r.wanted[r.idOf(pickle)]
		if s.plan == nil {
			return ctx, godog.ErrSkip
		}
		s.teach(sc)
		s.begin()
		ctx, cancel = context.WithTimeout(ctx, longest)
		r.options.Progress.Started(s.result.Rule, s.result.Name)
		return ctx, nil
	})
	sc.StepContext().Before(func(ctx context.Context, _ *godog.Step) (context.Context, error) {
		if s.plan == nil || s.result.Verdict != verdict.Pass {
			return ctx, nil
		}
		if s.plan.startsWhen(s.step) {
			s.since = time.Now()
		}
		if !s.plan.reads[s.step] {
			return ctx, nil
		}
		return ctx, s.readBefore(ctx)
	})
	sc.StepContext().After(func(ctx context.Context, _ *godog.Step, status godog.StepResultStatus, err error) (context.Context, error) {
		if s.plan != nil {
			if err != nil && ctx.Err() != nil && !r.interrupted() {
				err = &unable{reason: fmt.Sprintf("the scenario took longer than %v in all", longest)}
			}
			s.endStep(status, err)
		}
		return ctx, nil
	})
	sc.After(func(ctx context.Context, _ *godog.Scenario, _ error) (context.Context, error) {
		cancel()
		if s.plan != nil {
			s.close()
			r.ended(s)
		}
		return ctx, nil
	})
}

// idOf finds how the catalogue knows a scenario of godog's.
func (r *run) idOf(pickle *messages.Pickle) string {
	for _, tag := range pickle.Tags {
		if id := strings.TrimPrefix(tag.Name, "@") + "/" + pickle.Name; r.wanted[id] != nil {
			return id
		}
	}
	return ""
}

// ended takes the result of a scenario that was carried out, or sees to it that it is
// carried out anew.
func (r *run) ended(s *scenario) {
	if r.interrupted() {
		return // whatever it came to says nothing of the target
	}
	if !s.undecided || r.lastTry {
		r.finished(s.result)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.undecided = append(r.undecided, s.plan)
}

func (r *run) finished(result verdict.Scenario) {
	r.mu.Lock()
	r.results = append(r.results, result)
	r.mu.Unlock()
	r.options.Progress.Finished(result.Redacted(r.secrets))
}

// begin starts the result of a scenario.
func (s *scenario) begin() {
	s.result = verdict.Scenario{
		Rule: s.plan.scenario.Rule.Name, Name: s.plan.scenario.Name, Line: s.plan.scenario.Line,
		Verdict: verdict.Pass, Started: time.Now(),
	}
	s.holder = holder{s.freshEmail(), payee.document} // until a sentence puts one into the directory
	for _, step := range s.plan.scenario.Steps {
		s.result.Steps = append(s.result.Steps, verdict.Step{Keyword: step.Keyword, Text: step.Text, Table: step.Table})
	}
}

// endStep judges the step that has just been carried out.
func (s *scenario) endStep(status godog.StepResultStatus, err error) {
	i := s.step
	s.step++
	if s.result.Verdict != verdict.Pass {
		return // not reached
	}
	if err == nil && status != godog.StepPassed {
		err = errors.New("the step was not carried out: " + status.String())
	}
	v := s.ended(err, s.plan.scenario.Steps[i].Type == catalogue.Context)
	s.result.Steps[i].Verdict = v
	s.result.Verdict = v
}
