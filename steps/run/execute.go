package run

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	mathrand "math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"time"

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
	attempt   int                       // from 0
}

// execute runs what is planned, and then repeats what failed or was spoiled.
func (r *run) execute(ctx context.Context) {
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
	began := time.Now()
	if len(together.scenarios) > 0 {
		r.rest(ctx)
	}
	r.carryOut(ctx, together)
	r.carryOut(ctx, others)
	r.repeatUntil = time.Now().Add(max(time.Since(began), leastRepeating))
	for attempt := 1; attempt < attempts && len(r.repeated) > 0; attempt++ {
		again := &pass{attempt: attempt, scenarios: map[string]*plan.Scenario{}}
		for _, s := range r.repeated {
			again.scenarios[s.planned.ID()] = s.planned
		}
		r.carryOut(ctx, again)
	}
	r.finishRepeated(r.endedEarly(ctx) != nil)
}

// everything is the one pattern that godog knows: the plan has read each step already.
var everything = regexp.MustCompile(``)

// silent is the name of a format in which godog says nothing: results are taken as they come.
const silent = "silent"

func init() {
	godog.Format(silent, "Says nothing", func(suite string, out io.Writer) godog.Formatter {
		return silence{godog.NewBaseFmt(suite, out)}
	})
}

type silence struct{ *godog.BaseFmt }

func (silence) Summary() {}

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
			Format: silent, Output: io.Discard, NoColors: true, Strict: true,
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
		forget(pickle)
		planned := scenarioOf(p, pickle)
		if planned == nil || !r.isDue(planned) {
			return ctx, godog.ErrSkip
		}
		var err error
		if a, err = r.begin(ctx, p, planned); err != nil { // the run ends early
			return ctx, godog.ErrSkip
		}
		r.options.Progress.Started(a.result.Rule, a.result.Name)
		ctx, cancel = context.WithTimeout(ctx, r.target.Profile.Deadlines.Scenario())
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

// forget lets godog keep one result instead of all: its database, which nobody reads, would cost
// more than judging the steps. It keeps results by the ids of steps.
func forget(pickle *messages.Pickle) {
	pickle.Id = "any"
	for _, step := range pickle.Steps {
		step.Id, step.AstNodeIds = "any", []string{"any"}
	}
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
	planned *plan.Scenario
	pass    *pass
	world   *world.World
	lease   lease
	step    int
	result  verdict.Scenario
}

// begin takes what the scenario needs, before its time begins.
func (r *run) begin(ctx context.Context, p *pass, planned *plan.Scenario) (*attempt, error) {
	a := &attempt{planned: planned, pass: p, result: begun(planned.Scenario)}
	err := cmp.Or(ctx.Err(), r.unreachable(planned))
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
		Attempt: p.attempt, Sharing: p.sharing, Accounts: a.lease.accounts, Paths: a.lease.paths,
	})
	a.result.Started = a.world.Record.Started
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

// unreachable is why a scenario need not begin: a party of the target that it speaks to has
// been given up.
func (r *run) unreachable(s *plan.Scenario) error {
	silence := r.target.Client.GivenUp(exchange.API)
	if silence == nil && (len(s.Needs) > 0 || s.Accounts > 0 && r.target.Has[target.Accounts]) {
		silence = r.target.Client.GivenUp(exchange.Control)
	}
	if silence == nil {
		return nil
	}
	return errors.New(silence.String())
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
	s.Spoiled = r.Spoiled
	s.Warnings = append(s.Warnings, r.Warnings...)
	s.Observations = append(s.Observations, r.Observations...)
	if r.Missing != "" {
		s.Missing = append(s.Missing, r.Missing)
	}
}

// end takes the result of an attempt.
func (r *run) end(ctx context.Context, a *attempt) {
	if a.result.Verdict == verdict.Pass {
		a.world.LookBack(ctx)
	}
	a.world.Leave(ctx)
	a.world.Close()
	r.giveBack(a)
	seal(&a.result, a.world.Judge, a.pass.sharing)
	a.result.Took = a.world.Record.Took
	if r.options.Evidence != nil {
		a.world.Record.Spoiled = a.result.Spoiled
		r.options.Evidence.add(a.world.Record)
	}
	r.breaches.take(a.result, a.world.Judge)
	if ctx.Err() != nil {
		return // whatever it came to says nothing of the target
	}
	if r.options.FailFast && r.fails(a) {
		r.failed.Store(true)
	}
	r.settled(a)
}

// seal completes a result with what was recorded. What sharing its accounts kept from being
// tested can be tested alone.
func seal(s *verdict.Scenario, j *judge.Scenario, sharing bool) {
	s.Spoiled = s.Spoiled || sharing && (s.Verdict == verdict.CouldNotTest || s.Verdict == verdict.NotApplicable)
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

// finished keeps a result as it will be shown: the texts of a target have no bound before.
func (r *run) finished(result verdict.Scenario) {
	if r.options.Strict {
		result = result.Strictly()
	}
	r.archive.take(&result)
	result = r.options.Known(result.Redacted(r.secrets))
	r.mu.Lock()
	r.results = append(r.results, result)
	r.mu.Unlock()
	r.options.Progress.Finished(result)
}
