package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	mathrand "math/rand/v2"
	"regexp"
	"slices"
	"strings"

	"github.com/cucumber/godog"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/judge"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/world"
)

// pass is one of the rounds in which scenarios run.
type pass struct {
	scenarios map[string]*plan.Scenario // by id
	sharing   bool                      // they change nothing, so that accounts are shared
	lastTry   bool                      // what is undecided stays so
}

// execute runs what is planned, and once more what a broken connection, or others on the same
// account, left undecided.
func (r *run) execute(ctx context.Context) error {
	together, others := &pass{sharing: true, scenarios: map[string]*plan.Scenario{}}, &pass{scenarios: map[string]*plan.Scenario{}}
	for _, s := range r.planned {
		switch {
		case !s.Runs():
			r.finished(s.Skipped())
		case s.Harmless && len(r.fixed) > 0:
			together.scenarios[s.ID()] = s
		default:
			others.scenarios[s.ID()] = s
		}
	}
	r.carryOut(ctx, together)
	r.carryOut(ctx, others)
	again := &pass{lastTry: true, scenarios: map[string]*plan.Scenario{}}
	for _, s := range r.undecided {
		again.scenarios[s.ID()] = s
	}
	r.carryOut(ctx, again)
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("the run was interrupted: %w", err)
	}
	if len(r.results) < len(r.planned) {
		return fmt.Errorf("%d of %d scenarios were not carried out", len(r.planned)-len(r.results), len(r.planned))
	}
	return nil
}

// everything is the one pattern that godog knows: the plan has read each step already.
var everything = regexp.MustCompile(``)

// carryOut lets godog run the scenarios, and skips the rest. If they are few it finds them by
// the tags of their rules; comparing tags of them all would cost more than skipping some.
func (r *run) carryOut(ctx context.Context, p *pass) {
	tags := map[string]bool{}
	for _, s := range p.scenarios {
		tags["@"+s.Rule.Name] = true
	}
	if len(tags) == 0 {
		return
	}
	wanted := strings.Join(slices.Sorted(maps.Keys(tags)), ",")
	if 2*len(p.scenarios) > len(r.planned) && len(r.options.Rules)+len(r.options.Scenarios) == 0 && r.options.Tags == "" {
		wanted = ""
	}
	suite := godog.TestSuite{
		Name:                "pixcert",
		ScenarioInitializer: func(sc *godog.ScenarioContext) { r.initialize(ctx, sc, p) },
		Options: &godog.Options{
			Format: "progress", Output: io.Discard, NoColors: true, Strict: true,
			FS: features.FS, Paths: r.files(p), Tags: wanted,
			Concurrency: r.options.Concurrency, Randomize: r.options.Seed, DefaultContext: ctx,
		},
	}
	suite.Run() // its status says less than our own results
}

// files are the features that run, in an order that follows from the seed (as does godog's, of
// the scenarios of each), but those of the earliest turn first.
func (r *run) files(p *pass) []string {
	turn := map[string]int{}
	for _, s := range p.scenarios {
		file := s.Rule.Feature.File
		if t, known := turn[file]; !known || s.Turn() < t {
			turn[file] = s.Turn()
		}
	}
	files := slices.Sorted(maps.Keys(turn))
	order := mathrand.New(mathrand.NewPCG(uint64(r.options.Seed), 0))
	order.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
	slices.SortStableFunc(files, func(a, b string) int { return cmp.Compare(turn[a], turn[b]) })
	return files
}

// errStop ends a scenario whose verdict is known.
var errStop = errors.New("the verdict is known")

// initialize prepares godog for one scenario.
func (r *run) initialize(run context.Context, sc *godog.ScenarioContext, p *pass) {
	var a *attempt
	cancel := func() {}
	sc.Before(func(ctx context.Context, pickle *godog.Scenario) (context.Context, error) {
		planned := scenarioOf(p, pickle)
		if planned == nil {
			return ctx, godog.ErrSkip
		}
		var err error
		if a, err = r.begin(ctx, p, planned); err != nil { // the run is interrupted
			return ctx, godog.ErrSkip
		}
		if a.result.Verdict != verdict.Pass {
			return ctx, godog.ErrSkip
		}
		r.options.Progress.Started(a.result.Rule, a.result.Name)
		ctx, cancel = context.WithTimeout(ctx, world.Longest)
		return ctx, nil
	})
	sc.Step(everything, func(ctx context.Context) error {
		if !a.do(ctx) {
			return errStop
		}
		return nil
	})
	sc.After(func(ctx context.Context, _ *godog.Scenario, _ error) (context.Context, error) {
		cancel()
		if a != nil {
			r.end(run, a) // ctx has ended with the scenario
			a = nil       // godog keeps this function until the run ends
		}
		return ctx, nil
	})
}

// scenarioOf finds how the plan knows a scenario of godog's.
func scenarioOf(p *pass, pickle *messages.Pickle) *plan.Scenario {
	for _, tag := range pickle.Tags {
		if s := p.scenarios[strings.TrimPrefix(tag.Name, "@")+"/"+pickle.Name]; s != nil {
			return s
		}
	}
	return nil
}

// attempt is one attempt at a scenario.
type attempt struct {
	planned  *plan.Scenario
	pass     *pass
	world    *world.World
	lease    lease
	step     int
	result   verdict.Scenario
	doubtful bool // chance may have brought the result about
}

// begin takes what the scenario needs, before its time begins.
func (r *run) begin(ctx context.Context, p *pass, planned *plan.Scenario) (*attempt, error) {
	a := &attempt{planned: planned, pass: p, result: begun(planned.Scenario)}
	err := ctx.Err()
	if err == nil {
		a.lease, err = r.take(ctx, p, planned)
	}
	if err != nil {
		return nil, err
	}
	a.world = world.New(r.stage, world.Script{
		Rule: planned.Rule.Name, Name: planned.Name, Steps: planned.Steps, Reads: planned.Reads,
		Staged: planned.Staged, Sandbox: planned.Sandbox(), JudgesMoney: planned.JudgesMoney, Throttled: planned.Throttled,
		SetsLimits: planned.Calls(target.LimitsControl), Touches: r.touches(planned),
		LastTry: p.lastTry, Sharing: p.sharing, Accounts: a.lease.accounts, Paths: a.lease.paths,
	})
	a.result.Started = a.world.Record.Started
	if reason := r.unreachable(planned); reason != "" {
		a.take(0, a.world.CutOff(reason))
	}
	return a, nil
}

// begun is the result of a scenario before its first step.
func begun(s *catalogue.Scenario) verdict.Scenario {
	result := verdict.Scenario{Rule: s.Rule.Name, Name: s.Name, Line: s.Line, Verdict: verdict.Pass}
	for _, step := range s.Steps {
		result.Steps = append(result.Steps, verdict.Step{Keyword: step.Keyword, Text: step.Text, Table: step.Table})
	}
	return result
}

// unreachable says why a scenario need not begin: a party of the target that it speaks to has
// been given up.
func (r *run) unreachable(s *plan.Scenario) string {
	if reason := r.target.Client.GivenUp(exchange.API); reason != "" {
		return reason
	}
	if len(s.Needs) > 0 || s.Accounts > 0 && r.target.Has[target.Accounts] {
		return r.target.Client.GivenUp(exchange.Control)
	}
	return ""
}

// do carries out the next step; false if the scenario ends with it.
func (a *attempt) do(ctx context.Context) bool {
	i := a.step
	a.step++
	a.take(i, a.world.Do(ctx, i))
	return a.result.Verdict == verdict.Pass
}

// take adds what a step came to.
func (a *attempt) take(i int, r judge.Result) {
	a.doubtful = a.doubtful || r.Doubtful
	addTo(&a.result, i, r)
}

// addTo adds what a step came to to the result of its scenario.
func addTo(s *verdict.Scenario, i int, r judge.Result) {
	if r.Verdict == "" { // what it would have had to look at was not recorded
		r = missing("evidence of this step")
	}
	s.Steps[i].Verdict = r.Verdict
	s.Verdict = r.Verdict
	s.Finding = r.Finding
	s.Warnings = append(s.Warnings, r.Warnings...)
	s.Observations = append(s.Observations, r.Observations...)
	if r.Missing != "" {
		s.Missing = append(s.Missing, r.Missing)
	}
}

// end takes the result of a scenario, or sees to it that it runs again.
func (r *run) end(ctx context.Context, a *attempt) {
	a.world.Leave(ctx)
	a.world.Close()
	r.giveBack(a)
	seal(&a.result, a.world.Judge)
	a.result.Took = a.world.Record.Took
	if r.options.Evidence != nil {
		a.world.Record.Doubtful = a.doubtful
		r.options.Evidence.add(a.world.Record)
	}
	r.breaches.add(a.result, a.world.Judge.Breaches())
	if ctx.Err() != nil {
		return // whatever it came to says nothing of the target
	}
	if a.pass.sharing && a.result.Verdict != verdict.Pass { // others may have brought it about
		a.doubtful = true
	}
	if a.doubtful && !a.pass.lastTry && r.triesAgain(a) {
		return
	}
	if a.result.Verdict == verdict.Pass && !r.options.Whole {
		a.result.Exchanges = nil
	}
	r.finished(a.result)
}

// seal completes a result with what was recorded.
func seal(s *verdict.Scenario, j *judge.Scenario) {
	for i, e := range j.Exchanges {
		kept := *e
		if kept.Party == exchange.Webhook {
			step, read := j.ReadIn(i)
			kept.Unread = !read
			if read { // it may have arrived before the step that waited for it
				kept.Step = step
			}
		}
		s.Exchanges = append(s.Exchanges, kept)
	}
	s.ExchangeCount = len(s.Exchanges)
	if s.Verdict == verdict.Pass && len(s.Warnings) > 0 {
		s.Verdict = verdict.Warning
	}
}

// mostDoubts bounds how many failures on an account that stays are put down to its earlier
// payments: if there are more of them, they are not.
const mostDoubts = 20

// triesAgain has a scenario run once more at the end.
func (r *run) triesAgain(a *attempt) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.fixed) > 0 && !a.pass.sharing && a.result.Verdict == verdict.Fail {
		if r.doubts++; r.doubts > mostDoubts {
			return false
		}
	}
	r.undecided = append(r.undecided, a.planned)
	return true
}

// finished keeps a result as it will be shown: the texts of a target have no bound before.
func (r *run) finished(result verdict.Scenario) {
	if !r.options.Whole {
		for i, e := range result.Exchanges {
			result.Exchanges[i] = e.Kept()
		}
	}
	r.archive.take(&result)
	result = result.Redacted(r.secrets)
	r.mu.Lock()
	r.results = append(r.results, result)
	r.mu.Unlock()
	r.options.Progress.Finished(result)
}
