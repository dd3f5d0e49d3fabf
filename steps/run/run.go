// Package run carries out a plan: it schedules the scenarios, leases accounts to them, repeats those
// that failed or were spoiled, and collects the results.
package run

import (
	"cmp"
	"context"
	"crypto/rand"
	"io"
	mathrand "math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	_ "time/tzdata" // the zone of the limits, on machines that have none

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/record"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
	"github.com/pixcert/pixcert/steps/world"
)

// Options say what to run, against which target, and how. Most callers set a few.
type Options struct {
	Target  target.Profile
	Subject verdict.Subject // how reports name the target, except for Target; URL is set if it stays from run to run

	// What to run.
	Tags      string             // a tag expression; empty for all
	Rules     []string           // names of rules; none for all
	Scenarios []string           // ids of scenarios among those; none for all
	Own       catalogue.Own      // the user's own features, besides pixcert's
	Elsewhere []string           // names of rules that other shards test, and whose violations are reported too
	Shard     verdict.Shard      // the part of those to run; its zero value for all
	Explored  *verdict.Explored  // how the target was explored before; nil if it was not
	Earlier   []verdict.Scenario // results of findings before this run, each of which counts as the first attempt at its scenario

	// How to run it.
	Seed        int64                                   // of the order; 0 draws one
	Concurrency int                                     // scenarios at the same time; 0 for 24
	First       []string                                // rules whose scenarios run before all others
	Once        bool                                    // a scenario that fails runs once, without learning how often it fails
	FailFast    bool                                    // no scenario begins after the first failure
	Depth       verdict.Depth                           // how much to try; empty for verdict.Standard
	Budget      time.Duration                           // after which no scenario begins, the cheapest of each rule first; 0 for no limit, except of a quick run
	Strict      bool                                    // warnings count as failures
	Known       func(verdict.Scenario) verdict.Scenario // marks a result that is a known failure; nil for none

	// Output and evidence.
	Version  string // of pixcert, for reports and the User-Agent
	Progress progress.Progress
	Secrets  *exchange.Redactor                         // learns every secret of the run, so that the caller can redact what it shows besides the report; nil for one of its own
	Whole    bool                                       // every exchange is kept whole, and those of scenarios that pass too
	Evidence *Evidence                                  // gets everything that is recorded, to be judged again; nil for nothing
	Recorder func(scenario string, e exchange.Exchange) // gets every exchange, also of scenarios that pass, from several goroutines; may be nil

	timeLimit time.Duration  // of a scenario, in tests; 0 for the usual one
	clocks    func() reading // of this machine, in tests; nil for the real ones
}

// Certify runs the selected scenarios and returns their results. If the run ends early, because ctx
// ends, a scenario fails or the target stops responding, the result says so. An error means that no
// scenario was judged; it says what to do, and contains no secret. If the target stopped responding before
// that, the run is returned, too.
func Certify(ctx context.Context, options Options) (*verdict.Run, error) {
	r, err := prepare(ctx, options)
	defer r.close()
	if err != nil {
		return nil, r.secrets.Error(err)
	}
	started := time.Now()
	defer r.leave(ctx)
	defer r.watchClocks(ctx)()
	if err := r.settleIn(ctx); err != nil {
		return nil, r.secrets.Error(err)
	}
	r.options.Progress.Plan(r.shownPlan())
	r.checkBalances(ctx)
	r.checkControls(ctx)
	r.stage.Lag, r.stage.Unseen = r.measureLag(ctx)
	r.execute(ctx)
	verified := verifyControls(ctx, r)
	r.noteUnanswered()
	r.breaches.noteLate(r.target.Client.DoubtfulExchanges())
	ended := r.endedEarly(ctx)
	if ended != nil && ended.Silent == "" && len(r.results) == len(r.planned) {
		ended = r.endedLate(ended, verified)
	}
	r.results = cutOff(r.results, ended)
	switch err := r.missed(ctx, ended); {
	case err == nil:
		return r.result(started, ended), nil
	case ended != nil && ended.Silent != "":
		return r.result(started, ended), r.secrets.Error(err)
	default:
		return nil, r.secrets.Error(err)
	}
}

// Foresee returns what can be tested of the target with the selected scenarios. It only asks the
// target for its controls; offline, it sends nothing.
func Foresee(ctx context.Context, options Options, offline bool) (*plan.Forecast, error) {
	secrets := cmp.Or(options.Secrets, &exchange.Redactor{})
	options.Target.Hide(secrets) // a target may echo the request
	s, err := selectionOf(options)
	if err != nil {
		return nil, err
	}
	t := target.Presume(options.Target)
	if !offline {
		if t, err = target.Discover(ctx, options.Target, target.Identity{Version: options.Version, RunID: "plan"}); err != nil {
			return nil, secrets.Error(err)
		}
	}
	all, err := plan.Make(s.scenarios, plan.OfferOf(t.Profile, t.Has))
	if err != nil {
		return nil, secrets.Error(err)
	}
	forecast := plan.Foresee(all, t)
	forecast.Target, forecast.Offline, forecast.Controls = secrets.Text(forecast.Target), offline, []string{}
	for _, name := range t.ControlNames() { // as the target spells them
		forecast.Controls = append(forecast.Controls, secrets.Text(exchange.Line(name)))
	}
	return forecast, nil
}

// run is a run as its scenarios are carried out.
//
// Many methods: each is one stage of a run, or one decision about an attempt.
type run struct {
	outcome
	budgetEnds time.Time
	first      map[*plan.Scenario]bool // one scenario of each rule, which a run with a budget always tests
	auditable  map[string][]*attempt   // that passed, by the list to audit

	repeated    map[string]*repeated // scenarios to be repeated, by id; mu guards it, too
	repeatUntil time.Time
	silences    silences            // mu guards it, too
	unanswered  []exchange.Exchange // requests without a response; mu guards them, too

	began     time.Time   // of the first scenario
	runnable  int         // scenarios that run
	saidPace  atomic.Bool // and how long they will take
	suspended suspensions
}

// outcome is what has come of a run so far.
type outcome struct {
	prepared
	archive archive
	failed  atomic.Bool // with FailFast: nothing new begins
	// What was cut off after every scenario had been judged; empty for nothing.
	unfinished string
	leftOut    *verdict.LeftOut // for lack of time; nil for nothing
	coverage   *coverage
	latencies  latencies

	broken []verdict.BrokenControl

	mu      sync.Mutex
	results []verdict.Scenario
}

// prepared is a run before its first scenario: the plan, the target, and what the scenarios share.
type prepared struct {
	options    Options
	id         string
	secrets    *exchange.Redactor
	selection  selection
	target     *target.Target
	offer      plan.Offer
	planned    []*plan.Scenario
	elsewhere  map[string]bool // rules that other shards test
	unlocks    []verdict.Unlock
	stage      *world.Stage
	fixed      []*world.FixedAccount // the profile's, if no new ones can be made
	accounts   *leases[*world.FixedAccount]
	paths      *leases[string] // of the profile's sink, for new accounts; nil for any
	unlock     func()          // releases the accounts for other runs
	breaches   breachLog
	proven     []target.Control          // that do what they say
	distrusted map[target.Control]string // those that do not, and why
	noting     sync.Mutex                // protects notes
	notes      []string                  // for the report
	unreached  sync.Once                 // it was said that no webhook arrives
}

// prepare does everything that comes before the first scenario. The caller closes the run, even if
// there is an error.
func prepare(ctx context.Context, options Options) (*run, error) {
	options.Concurrency = cmp.Or(options.Concurrency, 24)
	if within := target.ConcurrencyWithin(target.Connections()); within < options.Concurrency {
		options.Concurrency = within // more would fail for lack of open files
	}
	options.Depth = cmp.Or(options.Depth, verdict.Standard)
	if options.Depth == verdict.Quick {
		options.Budget = cmp.Or(options.Budget, quickBudget)
	}
	for options.Seed == 0 {
		options.Seed = mathrand.Int64N(1_000_000)
	}
	if options.Progress == nil {
		options.Progress = progress.New(io.Discard, progress.Options{})
	}
	r := &run{repeated: map[string]*repeated{}}
	r.coverage = newCoverage(options.Depth)
	r.distrusted = map[target.Control]string{}
	r.suspended.note, r.suspended.read = options.Progress.Note, options.clocks
	if options.clocks == nil {
		r.suspended.read = readClocks
	}
	r.options, r.id, r.secrets = options, strings.ToLower(rand.Text()[:8]), cmp.Or(options.Secrets, &exchange.Redactor{})
	options.Target.Hide(r.secrets) // before anything is printed
	var err error
	if r.selection, err = selectionOf(options); err != nil {
		return r, err
	}
	if r.target, err = target.Open(ctx, options.Target, target.Identity{Version: options.Version, RunID: r.id}); err != nil {
		return r, err
	}
	r.target.Client.Watch(r.note)
	r.breaches.isDoubtful = r.target.Client.Doubtful
	if note := r.target.ClockNote(); note != "" {
		r.note(note)
	}
	if err := r.openFixed(); err != nil {
		return r, err
	}
	r.offer = plan.OfferOf(r.target.Profile, r.target.Has)
	if r.planned, err = plan.Make(r.selection.scenarios, r.offer); err != nil {
		return r, err
	}
	r.unlocks = plan.Unlocks(r.planned, r.target) // of the whole selection, so that all shards agree
	whole := r.planned
	if r.planned, err = inShard(whole, options.Shard); err != nil {
		return r, err
	}
	r.elsewhere = rulesElsewhere(whole, r.planned)
	for _, rule := range options.Elsewhere {
		r.elsewhere[rule] = true
	}
	if err := r.lockAccounts(ctx); err != nil { // before the sink opens: another run may be using its address
		return r, err
	}
	return r, r.setStage()
}

// setStage creates what the scenarios share.
func (r *prepared) setStage() error {
	profile := r.target.Profile
	zone, err := time.LoadLocation("America/Sao_Paulo") // of days and nights
	if err != nil {
		return err
	}
	authority, err := certs.NewAuthority()
	if err != nil {
		return err
	}
	base, err := url.Parse(profile.BaseURL)
	if err != nil {
		return err
	}
	shapes, err := embeddedShapes()
	if err != nil {
		return err
	}
	r.stage = &world.Stage{
		Shapes: shapes, Strength: strengthOf(r.options.Depth), Load: world.NewLoad(r.options.Concurrency, func() bool { return r.target.Client.Queued() > 1 }),
		Target: r.target, Authority: authority, Secrets: r.secrets, Zone: zone, RunID: r.id, Seed: r.options.Seed,
		Usable: r.offer.Controls, Claims: r.offer.Claims,
		Listeners: world.Listeners{Recorder: r.options.Recorder, Waiting: r.options.Progress.Waiting, Unreached: r.noteUnreached, Note: r.note},
		Terms: &record.Terms{
			BasePath: base.EscapedPath(), TokenPath: profile.TokenPath, Handshake: profile.TLS.Handshake,
			Fixed: len(r.fixed) > 0, SharedURLs: len(r.fixed) > 0 || len(profile.Sink.Paths) > 0,
			Lacks:       r.offer.Lacks(),
			FeesControl: r.offer.Controls[target.FeesControl], LimitsControl: r.offer.Controls[target.LimitsControl],
			Fees: profile.Fees, RequestsPerSecond: profile.RequestsPerSecond, Deadlines: profile.Deadlines,
		},
		Behavior: world.Behavior{CatchUp: cmp.Or(r.options.Target.Deadlines.Balance, catchUp)},
	}
	return r.openSink()
}

// catchUp is after how long replicas have caught up, unless the profile says otherwise.
const catchUp = 2 * time.Second

func (r *prepared) close() {
	if r.stage != nil && r.stage.Sink != nil {
		r.stage.Sink.Close()
	}
	if r.target != nil {
		r.target.Client.Close()
	}
	if r.unlock != nil {
		r.unlock()
	}
}

// shownPlan is the plan as a person sees it before anything is sent.
func (r *prepared) shownPlan() progress.Plan {
	features, own, found := map[*catalogue.Feature]bool{}, map[*catalogue.Rule]bool{}, map[*catalogue.Rule]bool{}
	for _, p := range r.planned {
		features[p.Rule.Feature] = true
		switch {
		case p.Rule.Found():
			found[p.Rule] = true
		case p.Rule.Feature.Own:
			own[p.Rule] = true
		}
	}
	reach := plan.ReachOf(r.planned)
	return progress.Plan{
		RunID: r.id, Subject: r.subject(), Settings: r.settings(), Features: len(features), Rules: reach.Rules + reach.Inapplicable, Scenarios: len(r.planned),
		Accounts: len(r.fixed), Own: len(own), Found: len(found), OwnDirectory: r.options.Own.Directory,
		Families: r.claimedOnly(), Reach: reach, Unlocks: r.unlocks, Money: plan.EstimateOf(r.planned, r.offer).Money,
	}
}

// claimedOnly returns the names of the claimed families; nil if the profile claims all.
func (r *prepared) claimedOnly() []string {
	if len(r.target.Profile.Families) == 0 {
		return nil
	}
	return r.offer.Claimed()
}

func (r *prepared) subject() verdict.Subject {
	p, subject := r.target.Profile, r.options.Subject
	subject.Target = p.Name
	if subject.URL != "" {
		subject.URL = p.BaseURL // as it is called
	}
	if subject.URL == p.Name {
		subject.URL = ""
	}
	return subject
}

func (r *prepared) settings() verdict.Settings {
	o := r.options
	return verdict.Settings{Seed: o.Seed, Concurrency: o.Concurrency, Selection: r.selection.words, Strict: o.Strict, Shard: o.Shard, Depth: o.Depth, Budget: o.Budget}
}

// result puts the results together in the order of the features.
func (r *run) result(started time.Time, ended *verdict.Ended) *verdict.Run {
	result := &verdict.Run{
		ID: r.id, Version: r.options.Version, Subject: r.subject(), Settings: r.settings(), Controls: r.target.ControlNames(), Families: r.claimedOnly(),
		Started: started, Took: time.Since(started), Ended: ended, Course: verdict.Course{LeftOut: r.leftOut, Outages: r.outages()},
		Additions: verdict.Additions{Explored: r.options.Explored}, Webhooks: r.stage.Latencies.Summary(r.target.Profile.Deadlines.Quiet),
		Advice: verdict.Advice{Unlocks: r.unlocks, Notes: append(r.notes, r.suspended.notes()...)}, Broken: r.broken, OpenPoints: r.selection.points,
	}
	if own := r.options.Own; len(own.Sources) > 0 {
		result.Own = &verdict.Own{Directory: own.Directory, Digest: own.Digest()}
	}
	result.Coverage, result.Latencies = r.measured(), r.latencies.summaries()
	result.Webhooks.Strangers = int(r.stage.Strangers.Load()) + r.stage.Sink.Strays()
	r.results = append(r.results, r.notRun(ended)...)
	found := append(r.breaches.results(r.results, r.applicable(r.results), ended), verdict.Misfits(result.OpenPoints, r.results)...)
	found = append(found, r.earlierBreaches(found)...)
	found = withdraw(found, r.broken)
	for i := range found {
		r.archive.trim(&found[i])
		found[i] = r.known(found[i])
	}
	for _, fault := range found {
		r.options.Progress.Finished(fault)
	}
	result.Suspect = r.suspect()
	inOrder(r.selection.suite, result, append(r.results, found...))
	result = result.Redacted(r.secrets)
	if r.options.Evidence != nil {
		r.options.Evidence.Terms, r.options.Evidence.Run, r.options.Evidence.Own = *r.stage.Terms, *result, r.options.Own
	}
	return result
}

// suspect returns the control that the failing scenarios have in common; nil if there is none.
func (r *outcome) suspect() *verdict.Suspect {
	failing := map[string]bool{}
	for _, s := range r.results {
		failing[s.ID()] = s.Verdict.Failing()
	}
	return plan.Suspect(r.planned, r.proven, func(s *plan.Scenario) bool { return failing[s.ID()] })
}

// applicable returns the rules that can fail the run, including those that other shards test.
func (r *outcome) applicable(results []verdict.Scenario) map[string]bool {
	rules := applicable(results)
	for rule := range r.elsewhere {
		rules[rule] = true
	}
	return rules
}

// known returns a result as it is shown, marked if it is a known failure.
func (r *outcome) known(s verdict.Scenario) verdict.Scenario {
	if r.selection.own[s.Rule] {
		s = s.RedactedWords(r.secrets)
	}
	s = s.Redacted(r.secrets)
	if r.options.Known == nil {
		return s
	}
	return r.options.Known(s)
}

// isNew reports whether a failure makes the run fail: no baseline lists it. Only with a baseline it pays for being redacted.
func (r *outcome) isNew(s verdict.Scenario) bool {
	return s.Verdict == verdict.Fail && (r.options.Known == nil || r.known(s).Verdict == verdict.Fail)
}

// note tells of something that the whole run should know, at once and in the report.
func (r *prepared) note(text string) {
	r.noting.Lock()
	r.notes = append(r.notes, text)
	r.noting.Unlock()
	r.options.Progress.Note(text)
}

// inOrder sets the rules and scenarios of a run from the results, in the order of the features.
func inOrder(suite *catalogue.Catalogue, result *verdict.Run, results []verdict.Scenario) {
	of := map[string][]verdict.Scenario{}
	for _, scenario := range results {
		of[scenario.Rule] = append(of[scenario.Rule], scenario)
	}
	result.Rules, result.Scenarios, result.Statements = nil, nil, map[string][]verdict.Statement{}
	for rule := range suite.Rules() {
		scenarios := of[rule.Name]
		if len(scenarios) == 0 {
			continue // not selected
		}
		slices.SortFunc(scenarios, func(a, b verdict.Scenario) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
		})
		subject, statements := stated(suite, rule)
		result.Rules = append(result.Rules, verdict.Rule{
			Name: rule.Name, Title: rule.Title, Subject: subject, Feature: rule.Feature.Name, File: rule.Feature.File, Own: rule.Feature.Own, Found: rule.Found(),
		})
		if len(statements) > 0 {
			result.Statements[rule.Name] = statements
		}
		result.Scenarios = append(result.Scenarios, scenarios...)
	}
}

// stated returns the statements of the specification that a rule shows, and what most of them are about.
func stated(suite *catalogue.Catalogue, rule *catalogue.Rule) (subject string, all []verdict.Statement) {
	count := map[string]int{}
	var subjects []string
	for _, id := range rule.Statements {
		s, found := suite.Statement(id)
		if !found {
			continue
		}
		all = append(all, verdict.Statement{ID: s.ID, Text: s.Text})
		if count[s.Subject]++; count[s.Subject] == 1 {
			subjects = append(subjects, s.Subject)
		}
	}
	isGeneral := func(subject string) int {
		if subject == catalogue.AllEndpoints {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(subjects, func(a, b string) int {
		return cmp.Or(cmp.Compare(isGeneral(a), isGeneral(b)), cmp.Compare(count[b], count[a]))
	})
	if len(subjects) > 0 {
		subject = subjects[0]
	}
	return subject, all
}
