// Package steps carries the features out against a target, which it knows through
// HTTP alone, and says what each rule came to.
package steps

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
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
	Sink        string // host:port on which webhooks are received; a free port of 127.0.0.1 if empty

	// Recorder, if set, is told every exchange, also of scenarios that pass. It is
	// called from several goroutines.
	Recorder func(scenario string, e exchange.Exchange)
}

// Run carries out the selected scenarios and returns what they came to. An error means
// that the run could not be made: it says what to do about it.
func Run(ctx context.Context, options Options) (*verdict.Run, error) {
	r, err := prepare(ctx, options)
	if r != nil {
		defer r.close()
	}
	if err != nil {
		return nil, err
	}
	r.options.Progress.Plan(r.show(r.planned))
	started := time.Now()
	r.lag = r.measureLag(ctx)
	if err := r.execute(ctx); err != nil {
		return nil, err
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
	planned    []*planned

	target    *target.Target
	client    *target.Client
	sink      *sink.Sink
	authority *certs.Authority
	secrets   *exchange.Redactor
	contract  *contractBook
	counter   atomic.Int64
	lag       time.Duration // by how much balances and lists follow what happens

	wanted  map[string]*planned // by id: what godog is carrying out
	lastTry bool                // what is undecided stays so

	interrupted func() bool

	mu        sync.Mutex
	results   []verdict.Scenario
	undecided []*planned
}

// prepare finds out everything that can be known before a scenario runs. What it
// returns is to be closed, also beside an error.
func prepare(ctx context.Context, options Options) (*run, error) {
	if options.Concurrency == 0 {
		options.Concurrency = 16
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
	r := &run{options: options, id: strings.ToLower(rand.Text()[:8]), secrets: &exchange.Redactor{}}
	selected, err := r.selectScenarios()
	if err != nil {
		return r, err
	}
	if r.target, err = target.Open(ctx, options.Target, target.Identity{Version: options.Version, RunID: r.id}); err != nil {
		return r, err
	}
	r.profile = r.target.Profile
	if r.profile.Control != nil {
		r.secrets.Add(r.profile.Control.Token)
	}
	r.client = r.target.Client
	if r.zone, err = time.LoadLocation(r.profile.Zone); err != nil {
		return r, err
	}
	if r.planned, err = plan(selected, r.target.Has); err != nil {
		return r, err
	}
	if err := r.openSink(); err != nil {
		return r, err
	}
	r.contract, err = newContractBook()
	return r, err
}

func (r *run) selectScenarios() (_ []*catalogue.Scenario, err error) {
	if r.catalogue, err = catalogue.Load(features.FS); err != nil {
		return nil, err
	}
	points, err := catalogue.OpenPoints(features.FS)
	if err != nil {
		return nil, err
	}
	r.openPoints = map[string]bool{}
	for _, p := range points {
		r.openPoints[p.Name] = true
		r.points = append(r.points, verdict.OpenPoint(p))
	}
	return r.catalogue.Select(catalogue.Filter{Tags: r.options.Tags, Rules: r.options.Rules})
}

func (r *run) openSink() (err error) {
	if r.authority, err = certs.NewAuthority(); err != nil {
		return err
	}
	hosts := []string{"127.0.0.1", "::1", "localhost"}
	if host, _, err := net.SplitHostPort(r.options.Sink); err == nil && host != "" {
		hosts = append(hosts, host)
	}
	certificate, err := r.authority.IssueServer(hosts...)
	if err != nil {
		return err
	}
	r.sink, err = sink.Listen(r.options.Sink, certificate)
	return err
}

func (r *run) close() {
	if r.sink != nil {
		r.sink.Close()
	}
	if r.client != nil {
		r.client.CloseIdleConnections()
	}
}

// selection is what was asked for: a tag expression, or names of rules.
func (r *run) selection() string {
	switch {
	case r.options.Tags == "":
		return strings.Join(r.options.Rules, ", ")
	case len(r.options.Rules) == 0:
		return r.options.Tags
	default:
		return fmt.Sprintf("(%s) and (@%s)", r.options.Tags, strings.Join(r.options.Rules, " or @"))
	}
}

// judged puts the results together in the order of the features.
func (r *run) judged(started time.Time) *verdict.Run {
	result := &verdict.Run{
		ID: r.id, Version: r.options.Version, Target: r.profile.Name, Seed: r.options.Seed, Concurrency: r.options.Concurrency,
		Selection: r.selection(), Controls: r.target.ControlNames(), OpenPoints: r.points,
		Started: started, Took: time.Since(started),
	}
	if r.profile.Control != nil {
		result.ControlURL = r.profile.Control.URL
	}
	of := map[string][]verdict.Scenario{}
	for _, scenario := range append(r.results, r.contract.results(r.results)...) {
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
