package steps

import (
	"cmp"
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
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// execute carries out what is planned, and once more what a broken connection, or others
// on the same account, left undecided.
func (r *run) execute(ctx context.Context) error {
	r.interrupted = func() bool { return ctx.Err() != nil }
	var together, others []*planned
	for _, p := range r.planned {
		switch {
		case p.outside != "":
			r.finished(p.inapplicable())
		case !p.runs():
			r.finished(p.untested())
		case p.shares && r.isFixed():
			together = append(together, p)
		default:
			others = append(others, p)
		}
	}
	r.sharing = true
	r.carryOut(ctx, together)
	r.sharing = false
	r.carryOut(ctx, others)
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
// does godog's, of the scenarios of each). Those with a long scenario go first, then those
// in which something must not come: else the run would end by waiting for one scenario,
// or for nothing.
func (r *run) files(scenarios []*planned) []string {
	turn := map[string]int{} // of a file: 0 goes first
	var files []string
	for _, p := range scenarios {
		file := p.scenario.Rule.Feature.File
		if !slices.Contains(files, file) {
			files = append(files, file)
			turn[file] = 2
		}
		switch {
		case p.isLong():
			turn[file] = 0
		case slices.ContainsFunc(p.speaks, func(s *sentence) bool { return s.waits }):
			turn[file] = min(turn[file], 1)
		}
	}
	order := mathrand.New(mathrand.NewPCG(uint64(r.options.Seed), 0))
	order.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(turn[a], turn[b]) })
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
		if err := s.lease(ctx); err != nil { // the run is interrupted
			s.plan = nil
			return ctx, godog.ErrSkip
		}
		s.teach(sc)
		s.begin()
		if reason := r.unreachable(s.plan); reason != "" {
			s.result.Verdict, s.result.Finding = verdict.CouldNotTest, givenUp(reason)
			return ctx, godog.ErrSkip
		}
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
			s.leaveAsFound(ctx)
			s.close()
			s.giveBack()
			r.ended(s)
		}
		return ctx, nil
	})
}

// unreachable says why a scenario need not begin: a party of the target that it speaks to
// has been given up.
func (r *run) unreachable(p *planned) string {
	if reason := r.client.GivenUp(exchange.API); reason != "" {
		return reason
	}
	if len(p.needs) > 0 || p.accounts > 0 && r.target.Has[target.Accounts] {
		return r.client.GivenUp(exchange.Control)
	}
	return ""
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
	if s.sharing && s.result.Verdict != verdict.Pass { // others may have brought it about
		s.undecided = true
	}
	if !s.undecided || r.lastTry || !r.triesAgain(s) {
		r.finished(s.result)
	}
}

// mostDoubts bounds how many failures on an account that stays are put down to its earlier
// payments: where there are more of them, they are none.
const mostDoubts = 20

// triesAgain has a scenario carried out once more at the end.
func (r *run) triesAgain(s *scenario) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isFixed() && !s.sharing && s.result.Verdict == verdict.Fail {
		if r.doubts++; r.doubts > mostDoubts {
			return false
		}
	}
	r.undecided = append(r.undecided, s.plan)
	return true
}

// finished keeps a result as it will be shown: the texts of a target have no bound before.
func (r *run) finished(result verdict.Scenario) {
	r.archive.take(&result)
	result = result.Redacted(r.secrets)
	r.mu.Lock()
	r.results = append(r.results, result)
	r.mu.Unlock()
	r.options.Progress.Finished(result)
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
