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
	"strconv"
	"time"

	"github.com/cucumber/godog"

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
	single    bool                      // one at a time, because they send bursts
	alone     bool                      // one at a time, because a request got no response
}

// execute runs what is planned, and then repeats what failed or was spoiled.
func (r *run) execute(ctx context.Context) {
	var runnable []*plan.Scenario
	for _, s := range r.planned {
		if s.Runs() {
			runnable = append(runnable, s)
		} else {
			r.finished(s.Skipped())
		}
	}
	r.stage.Load.Begin(r.stage.Responses.Average())
	began := time.Now()
	r.began, r.runnable = began, len(runnable)
	r.budgetEnds = began.Add(r.options.Budget)
	for _, p := range r.passes(runnable) {
		if p.sharing {
			r.rest(ctx)
		}
		r.carryOut(ctx, p)
	}
	r.leaveOut()
	r.audit(ctx)
	r.repeatFound(ctx)
	r.runAlone(ctx)
	r.repeatUntil = time.Now().Add(max(time.Since(began), leastRepeating))
	for attempt := 1; attempt <= attempts && len(r.repeated) > 0; attempt++ {
		switch attempt {
		case 1:
			r.announceRepeating()
		case attempts: // for what came late
			r.awaitOverdue(ctx)
		}
		r.carryOut(ctx, r.repetition(min(attempt, attempts-1)))
		r.runAlone(ctx)
	}
	if len(r.repeated) > 0 && ctx.Err() != nil {
		r.unfinished = "what failed was being repeated"
	}
	r.finishRepeated(r.endedEarly(ctx) != nil)
}

// everything is the only pattern that godog needs, because the plan has parsed each step already.
var everything = regexp.MustCompile(``)

// silent is the name of a format in which godog prints nothing: the run collects the results itself.
const silent = "silent"

func init() {
	godog.Format(silent, "Says nothing", func(suite string, out io.Writer) godog.Formatter {
		return silence{godog.NewBaseFmt(suite, out)}
	})
}

type silence struct{ *godog.BaseFmt }

func (silence) Summary() {}

// TestRunStarted gives all scenarios and their steps the same id. godog keeps the result of each step in
// a database that nobody reads, and so it keeps only one.
func (s silence) TestRunStarted() {
	for _, feature := range s.Storage.MustGetFeatures() {
		for _, pickle := range feature.Pickles {
			pickle.Id = "any"
			for _, step := range pickle.Steps {
				step.Id, step.AstNodeIds = "any", []string{"any"}
			}
		}
	}
}

// scenariosPerPlace is how many times as many scenarios may have begun as act on the target at the same time: while some wait
// for what it does not show, others run in their places. world.Load limits those that act.
const scenariosPerPlace = 6

// carryOut makes godog run the scenarios of a pass.
func (r *run) carryOut(ctx context.Context, p *pass) {
	if len(p.scenarios) == 0 {
		return
	}
	concurrency := scenariosPerPlace * r.options.Concurrency
	if r.options.Concurrency == 1 || p.single || p.alone {
		concurrency = 1
	}
	if p.alone {
		r.target.Client.Alone(true)
		defer r.target.Client.Alone(false)
	}
	suite := godog.TestSuite{
		Name:                "pixcert",
		ScenarioInitializer: func(sc *godog.ScenarioContext) { r.initialize(ctx, sc, p) },
		Options: &godog.Options{
			Format: silent, Output: io.Discard, NoColors: true, Strict: true, FeatureContents: r.contents(p),
			Concurrency: concurrency, Randomize: r.options.Seed, DefaultContext: ctx,
		},
	}
	suite.Run() // its status says less than our own results
}

// files returns the feature files to run: the earliest turn first, otherwise in an order drawn from
// the seed. godog draws the order of the scenarios within a file from the same seed.
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

// contents returns a feature for each file to run. Its text is not that of the file, which has been parsed
// for the plan: each scenario is named by the number of a planned one, and has a single step, in which
// the run carries out all of its steps.
//
// godog would parse all files again in each pass, and visit every scenario to skip the others: 1.4 s for the 2,184
// scenarios, in a run of 15 s that has two passes, and eight if something fails. It also has no retries, no time limit of
// a scenario, and no selection of one row of an outline.
func (r *run) contents(p *pass) []godog.Feature {
	texts := map[string][]byte{}
	for i, s := range r.planned {
		if p.scenarios[s.ID()] == s {
			file := s.Rule.Feature.File
			texts[file] = fmt.Appendf(texts[file], "Scenario: %d\n* all steps\n", i)
		}
	}
	var all []godog.Feature
	for _, file := range r.files(p) {
		all = append(all, godog.Feature{Name: file, Contents: append([]byte("Feature:\n"), texts[file]...)})
	}
	return all
}

func (r *run) initialize(run context.Context, sc *godog.ScenarioContext, p *pass) {
	var a *attempt
	cancel := func() {}
	sc.Before(func(ctx context.Context, pickle *godog.Scenario) (context.Context, error) {
		number, err := strconv.Atoi(pickle.Name)
		if err != nil {
			return ctx, err
		}
		planned := r.planned[number]
		if !r.isDue(planned) {
			return ctx, godog.ErrSkip
		}
		if a, err = r.begin(ctx, p, planned); err != nil { // the run ends early
			return ctx, godog.ErrSkip
		}
		r.options.Progress.Started(a.result.Rule, a.result.Name)
		ctx, cancel = context.WithTimeout(ctx, a.world.TimeLimit)
		return ctx, nil
	})
	sc.Step(everything, func(ctx context.Context) error {
		a.do(ctx)
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

type attempt struct {
	planned *plan.Scenario
	pass    *pass
	world   *world.World
	lease   lease
	result  verdict.Scenario
	missed  int // the step that failed because an event has not arrived; -1 for none
}

var errNotDue = errors.New("the scenario is not to run any more")

// isStillDue: while a scenario waited for its turn, another may have failed, the time ended, or the target stopped responding.
func (r *run) isStillDue(ctx context.Context, s *plan.Scenario) error {
	if !r.isDue(s) {
		return errNotDue
	}
	return cmp.Or(r.target.Client.AwaitResponses(ctx), r.unreachable(s))
}

// begin waits for what the scenario needs, before its time starts to run.
func (r *run) begin(ctx context.Context, p *pass, planned *plan.Scenario) (*attempt, error) {
	a := &attempt{planned: planned, pass: p, result: newResult(planned.Scenario), missed: -1}
	err := cmp.Or(ctx.Err(), r.target.Client.AwaitResponses(ctx), r.unreachable(planned))
	if err == nil {
		a.lease, err = r.take(ctx, p, planned)
	}
	if err == nil {
		if err = r.stage.Load.Enter(ctx); err != nil {
			r.release(a)
		}
	}
	if err == nil {
		if err = r.isStillDue(ctx, planned); err != nil {
			r.stage.Load.Leave()
			r.release(a)
		}
	}
	if err != nil {
		return nil, err
	}
	a.world = world.New(r.stage, world.Script{
		Rule: planned.Rule.Name, Name: planned.Name, Steps: planned.Steps, Reads: planned.Reads,
		Staged: planned.Staged, Sandbox: planned.Sandbox(), JudgesMoney: planned.JudgesMoney, Throttled: planned.Throttled,
		SetsLimits: planned.Calls(target.LimitsControl), Touches: r.touches(planned),
		Attempt: p.attempt, Proven: r.hasProven(planned), RealTime: r.wasRefused(planned), Alone: r.aloneIn(p, planned), Sharing: p.sharing, Accounts: a.lease.accounts, Paths: a.lease.paths,
	})
	a.world.TimeLimit = cmp.Or(r.options.timeLimit, a.world.TimeLimit)
	a.result.Started = a.world.Record.Started
	return a, nil
}

func newResult(s *catalogue.Scenario) verdict.Scenario {
	result := verdict.Scenario{Rule: s.Rule.Name, Name: s.Name, Line: s.Line, Verdict: verdict.Pass}
	for _, step := range s.Steps {
		result.Steps = append(result.Steps, verdict.Step{Keyword: step.Keyword, Text: step.Text, Table: step.Table})
	}
	return result
}

// unreachable returns why a scenario cannot begin: a party of the target that it needs has stopped
// responding.
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

// do carries out the steps, until the verdict is known.
func (a *attempt) do(ctx context.Context) {
	for i := range a.planned.Steps {
		result := a.world.Do(ctx, i)
		addTo(&a.result, i, result)
		if a.result.Verdict != verdict.Pass {
			if a.missed = -1; world.Misses(result) {
				a.missed = i
				a.world.StayOpen()
			}
			return
		}
	}
}

func addTo(s *verdict.Scenario, i int, r judge.Result) {
	if r.Verdict == "" { // the evidence that it needs was not recorded
		r = missing("evidence of this step")
	}
	s.Steps[i].Verdict = r.Verdict
	s.Verdict = r.Verdict
	s.Finding = r.Finding
	s.Spoiled, s.Unproven = r.Spoiled, r.Unproven
	s.Warnings = append(s.Warnings, r.Warnings...)
	s.Observations = append(s.Observations, r.Observations...)
	if r.Missing != "" {
		s.Missing = append(s.Missing, r.Missing)
	}
}

// end completes an attempt: it quits and keeps the result.
func (r *run) end(ctx context.Context, a *attempt) {
	if a.result.Verdict == verdict.Pass {
		a.world.LookBack(ctx)
	}
	r.quit(ctx, a)
	complete(&a.result, a.world.Judge, a.pass.sharing)
	r.spoil(a)
	r.keepUnanswered(a)
	r.coverage.add(a.result, a.world.Judge)
	r.latencies.add(a.result.Exchanges)
	r.latencies.addWebhooks(a.world.Judge)
	namePoints(a.result.Warnings, a.planned.Tags)
	a.result.Took = a.world.Record.Took
	if r.options.Evidence != nil {
		a.world.Record.Spoiled = a.result.Spoiled
		r.options.Evidence.add(a.world.Record)
	}
	hasBroken := r.breaches.collect(a.result, a.world.Judge)
	if ctx.Err() != nil {
		return // the result says nothing about the target
	}
	r.keepForAudit(a)
	mayStillCome := a.missed >= 0 && time.Now().Before(a.world.Overdue())
	if r.options.FailFast && r.fails(a.result, hasBroken, mayStillCome) {
		r.failed.Store(true)
	}
	if a.missed >= 0 {
		r.noteUnreached()
	}
	r.settled(a)
}

// quit puts the accounts of an attempt back and releases what begin took.
func (r *run) quit(ctx context.Context, a *attempt) {
	a.world.Leave(ctx)
	a.world.Close()
	r.stage.Load.Leave()
	r.release(a)
}

// complete completes a result with what was recorded. A scenario that could not be tested on shared
// accounts counts as spoiled, because it may be testable on accounts of its own.
func complete(s *verdict.Scenario, j *judge.Scenario, sharing bool) {
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
	s.Warnings = append(s.Warnings, j.Delays()...) // shown, but no reason for --strict to fail what the specification allows
}

// namePoints has each warning say which open points its scenario recommends something about.
func namePoints(warnings []verdict.Finding, tags []string) {
	if len(warnings) == 0 {
		return
	}
	points, _ := embeddedPoints() // which selecting has read already
	for _, p := range points {
		if !slices.Contains(tags, p.Tag()) {
			continue
		}
		for i := range warnings {
			warnings[i].AddHint(fmt.Sprintf("open point %q: %s", p.Name, p.Question))
		}
	}
}

// finished keeps a result as it will be shown, with long texts of the target cut.
func (r *outcome) finished(result verdict.Scenario) {
	if r.options.Strict {
		result = result.Strictly()
	}
	r.archive.trim(&result)
	result = r.known(result)
	r.mu.Lock()
	r.results = append(r.results, result)
	r.mu.Unlock()
	r.options.Progress.Finished(result)
}
