// Package steps carries the features out against a target, which it knows through
// HTTP alone, and says what each rule came to.
package steps

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	_ "time/tzdata" // the zone of the limits, on machines that have none

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/sink"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Options say what to run, against which target, and how.
type Options struct {
	Target      target.Profile
	Tags        string   // a tag expression; empty for all
	Rules       []string // names of rules; none for all
	Seed        int64    // of the order; 0 draws one
	Concurrency int      // scenarios at the same time; 0 for 16
	Version     string   // of pixcert, for reports and the User-Agent
	Progress    progress.Progress
	Sink        string   // host:port on which webhooks are received; that of the profile if empty
	Arguments   []string // of the command that name the target, for reports to repeat the run

	// Secrets, if set, is told every secret of the run, for the caller to take them out
	// of what it shows besides the report.
	Secrets *exchange.Redactor

	// Scenarios narrows what is run to those, by verdict.Scenario.ID; none for all.
	Scenarios []string

	// KeepAll keeps every exchange whole, and those of scenarios that pass too: replay
	// compares them.
	KeepAll bool

	// Ready, if set, is called when the run can be made and nothing has been carried out
	// yet. Its error ends the run.
	Ready func() error

	// Recorder, if set, is told every exchange, also of scenarios that pass. It is
	// called from several goroutines.
	Recorder func(scenario string, e exchange.Exchange)
}

// Run carries out the selected scenarios and returns what they came to. An error means
// that the run could not be made: it says what to do about it, without a secret.
func Run(ctx context.Context, options Options) (*verdict.Run, error) {
	r, err := prepare(ctx, options)
	defer r.close()
	if err != nil {
		return nil, r.secrets.Error(err)
	}
	if options.Ready != nil {
		if err := options.Ready(); err != nil {
			return nil, err
		}
	}
	r.options.Progress.Plan(r.show())
	started := time.Now()
	r.settleIn(ctx)
	defer r.leave(ctx)
	r.lag = r.measureLag(ctx)
	if err := r.execute(ctx); err != nil {
		return nil, r.secrets.Error(err)
	}
	return r.judged(started), nil
}

// run is one run of the suite.
type run struct {
	options    Options
	profile    target.Profile
	id         string
	zone       *time.Location
	catalogue  *catalogue.Catalogue
	openPoints map[string]bool
	points     []verdict.OpenPoint
	offered    offer
	planned    []*planned
	unlocks    []verdict.Unlock

	target    *target.Target
	client    *target.Client
	sink      *sink.Sink
	authority *certs.Authority
	secrets   *exchange.Redactor
	contract  *contractBook
	archive   archive
	counter   atomic.Int64
	lag       time.Duration // by how much balances and lists follow what happens

	fixed    []*fixedAccount // the profile's, where no new ones can be made
	accounts *leases[*fixedAccount]
	paths    *leases[string] // of the profile's sink, for new accounts; nil for any
	sharing  bool            // what is carried out now changes nothing, so that accounts are shared
	unlock   func()          // lets another run have the accounts

	wanted  map[string]*planned // by id: what godog is carrying out
	lastTry bool                // what is undecided stays so

	interrupted func() bool

	mu        sync.Mutex
	results   []verdict.Scenario
	undecided []*planned
	doubts    int // failures that earlier payments of a fixed account may have brought about
}

// prepare finds out everything that can be known before a scenario runs. What it
// returns is to be closed, also beside an error.
func prepare(ctx context.Context, options Options) (*run, error) {
	if options.Concurrency == 0 {
		options.Concurrency = 16
	}
	if pace := options.Target.RequestsPerSecond; pace > 0 {
		// More scenarios would only wait for each other, and their deadlines would pass.
		options.Concurrency = min(options.Concurrency, max(1, int(pace)))
	}
	for options.Seed == 0 {
		options.Seed = mathrand.Int64N(1_000_000)
	}
	if options.Progress == nil {
		options.Progress = progress.New(io.Discard, progress.Options{})
	}
	options.Rules = slices.Clone(options.Rules)
	for i, name := range options.Rules {
		options.Rules[i] = strings.TrimPrefix(name, "@")
	}
	r := &run{options: options, id: strings.ToLower(rand.Text()[:8]), secrets: cmp.Or(options.Secrets, &exchange.Redactor{})}
	options.Target.Hide(r.secrets) // also from what is said before the run begins
	selected, err := r.selectScenarios()
	if err != nil {
		return r, err
	}
	if r.target, err = target.Open(ctx, options.Target, target.Identity{Version: options.Version, RunID: r.id}); err != nil {
		return r, err
	}
	r.target.Profile.Sink.Listen = cmp.Or(options.Sink, r.target.Profile.Sink.Listen)
	r.profile = r.target.Profile
	r.client = r.target.Client
	if r.zone, err = time.LoadLocation(r.profile.Zone); err != nil {
		return r, err
	}
	if err := r.openFixed(); err != nil {
		return r, err
	}
	r.offered = offerOf(r.profile, r.target.Has)
	if r.planned, err = plan(selected, r.offered); err != nil {
		return r, err
	}
	r.unlocks = unlocks(r.planned, holdings{r.profile, r.target.Has})
	if err := r.lockAccounts(ctx); err != nil { // before the sink, whose address another run may have
		return r, err
	}
	if err := r.openSink(); err != nil {
		return r, err
	}
	r.contract, err = newContractBook()
	return r, err
}

// What is embedded is read once in a process, which may run thousands of faulty gateways:
// runs share it, and none changes it.
var (
	embeddedFeatures = sync.OnceValues(func() (*catalogue.Catalogue, error) { return catalogue.Load(features.FS) })
	embeddedPoints   = sync.OnceValues(func() ([]catalogue.OpenPoint, error) { return catalogue.OpenPoints(features.FS) })
)

func (r *run) selectScenarios() (_ []*catalogue.Scenario, err error) {
	if r.catalogue, err = embeddedFeatures(); err != nil {
		return nil, err
	}
	points, err := embeddedPoints()
	if err != nil {
		return nil, err
	}
	r.openPoints = map[string]bool{}
	for _, p := range points {
		r.openPoints[p.Name] = true
		r.points = append(r.points, verdict.OpenPoint(p))
	}
	selected, err := r.catalogue.Select(catalogue.Filter{Tags: r.options.Tags, Rules: r.options.Rules})
	if err != nil || len(r.options.Scenarios) == 0 {
		return selected, err
	}
	return only(selected, r.options.Scenarios)
}

// only are the scenarios of those ids, each of which must be among them.
func only(selected []*catalogue.Scenario, ids []string) ([]*catalogue.Scenario, error) {
	byID := map[string]*catalogue.Scenario{}
	for _, scenario := range selected {
		byID[scenario.ID()] = scenario
	}
	for _, id := range ids {
		if byID[id] == nil {
			return nil, fmt.Errorf("the features have no scenario %q: it may be of another version; certify anew", id)
		}
	}
	return slices.DeleteFunc(selected, func(s *catalogue.Scenario) bool { return !slices.Contains(ids, s.ID()) }), nil
}

func (r *run) openSink() (err error) {
	if r.authority, err = certs.NewAuthority(); err != nil {
		return err
	}
	wanted := r.profile.Sink
	certificate, err := r.sinkCertificate(wanted)
	if err != nil {
		return err
	}
	if r.sink, err = sink.Listen(wanted.Listen, wanted.URL, certificate); err != nil {
		return err
	}
	if len(wanted.Paths) > 0 {
		r.sink.Acknowledge(wanted.Paths...)
		r.paths = newLeases(wanted.Paths)
		return nil
	}
	for _, a := range r.fixed {
		for _, place := range places {
			r.sink.Acknowledge(r.pathOf(a, place))
		}
	}
	return nil
}

// sinkCertificate is the profile's, or one of the run's authority for the names by which
// the sink may be reached.
func (r *run) sinkCertificate(wanted target.Sink) (tls.Certificate, error) {
	if wanted.Certificate != nil {
		certificate, err := tls.X509KeyPair(wanted.Certificate, wanted.Key)
		if err != nil {
			return certificate, fmt.Errorf("the certificate of the sink in the profile: %w", err)
		}
		return certificate, nil
	}
	hosts := []string{"127.0.0.1", "::1", "localhost"}
	if host, _, err := net.SplitHostPort(wanted.Listen); err == nil && host != "" {
		hosts = append(hosts, host)
	}
	if u, err := url.Parse(wanted.URL); err == nil && u.Hostname() != "" {
		hosts = append(hosts, u.Hostname())
	}
	return r.authority.IssueServer(hosts...)
}

func (r *run) close() {
	if r.sink != nil {
		r.sink.Close()
	}
	if r.client != nil {
		r.client.CloseIdleConnections()
	}
	if r.unlock != nil {
		r.unlock()
	}
}

// breaches are the breaches of the wire contract as results, of which the progress is
// told too.
func (r *run) breaches() []verdict.Scenario {
	found := r.contract.results(r.results)
	for _, breach := range found {
		r.options.Progress.Finished(breach.Redacted(r.secrets))
	}
	return found
}

// selection is what was asked for: a tag expression, or names of rules.
func (r *run) selection() string {
	switch {
	case len(r.options.Scenarios) > 0:
		return strings.Join(rulesOf(r.options.Scenarios), ", ")
	case r.options.Tags == "":
		return strings.Join(r.options.Rules, ", ")
	case len(r.options.Rules) == 0:
		return r.options.Tags
	default:
		return fmt.Sprintf("(%s) and (@%s)", r.options.Tags, strings.Join(r.options.Rules, " or @"))
	}
}

// rulesOf are the rules of scenarios that are named by their ids.
func rulesOf(ids []string) []string {
	var rules []string
	for _, id := range ids {
		if rule, _, _ := strings.Cut(id, "/"); !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// judged puts the results together in the order of the features.
func (r *run) judged(started time.Time) *verdict.Run {
	result := &verdict.Run{
		ID: r.id, Version: r.options.Version, Target: r.profile.Name, Seed: r.options.Seed, Concurrency: r.options.Concurrency,
		Selection: r.selection(), Controls: r.target.ControlNames(), Families: r.claimedOnly(), Unlocks: r.unlocks,
		Arguments: r.options.Arguments, OpenPoints: r.points,
		Started: started, Took: time.Since(started),
	}
	of := map[string][]verdict.Scenario{}
	for _, scenario := range append(r.results, r.breaches()...) {
		of[scenario.Rule] = append(of[scenario.Rule], scenario)
	}
	for _, feature := range r.catalogue.Features {
		for _, rule := range feature.Rules {
			scenarios := of[rule.Name]
			if len(scenarios) == 0 {
				continue // not selected
			}
			slices.SortFunc(scenarios, func(a, b verdict.Scenario) int {
				return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
			})
			result.Rules = append(result.Rules, verdict.Rule{Name: rule.Name, Title: rule.Title, Feature: feature.Name, File: feature.File})
			result.Scenarios = append(result.Scenarios, scenarios...)
		}
	}
	return result.Redacted(r.secrets)
}
