package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/proof"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/spelling"
	"github.com/pixcert/pixcert/steps/target"
)

type mutantsCmd struct {
	Rules       []string      `name:"rule" placeholder:"NAME" help:"Run only the mutants of this rule. Repeatable."`
	Mutant      string        `placeholder:"TEXT" help:"Run only the mutants whose name contains this."`
	Deep        bool          `help:"Run the deep mutants instead, which a first simple use does not show."`
	Combined    bool          `help:"Run the combinations instead, which no scenario covers; with --explore or --sample."`
	All         bool          `help:"Run each mutant against every rule; print all that fail."`
	Every       string        `enum:"own,always,2nd,3rd,7th,1in10" default:"own" placeholder:"FREQUENCY" help:"Set how often faults show: own, always, 2nd, 3rd, 7th, 1in10."`
	Permitted   string        `placeholder:"TEXT" help:"Run only the permitted differences whose name contains this; with --rule, only on that rule."`
	Sample      int           `placeholder:"N" help:"Run the suite against one mutant of N random rules; with --deep or --combined, against N random mutants."`
	Seeds       int           `default:"1" placeholder:"N" help:"With --sample: run each mutant with this many seeds."`
	Accounts    string        `enum:"fresh,fixed" default:"fresh" placeholder:"KIND" help:"With --sample: use fresh or fixed accounts."`
	Explore     time.Duration `placeholder:"DURATION" help:"Explore each mutant until the first finding, for at most this long."`
	Walks       int           `placeholder:"N" help:"With --explore: explore each mutant for at most this many walks."`
	Concurrency int           `default:"16" placeholder:"N" help:"Run this many scenarios at once."`
	Seed        int64         `default:"1" placeholder:"N" help:"Seed the scenario order and random faults."`
}

func (*mutantsCmd) Help() string {
	return `A mutant is the reference gateway with one deliberate fault. The suite must fail the rule that the fault breaks.

Exit status: 0 every mutant was killed; 1 a mutant survived, or a permitted difference was rejected; 2 could not run. With --explore: 1 a mutant was not found, or a permitted difference had a finding.

Examples:
  pixcert mutants
  pixcert mutants --rule cash-out.debit
  pixcert mutants --rule cash-out.debit --every 7th
  pixcert mutants --rule cash-out.debit --all
  pixcert mutants --permitted "any content type"
  pixcert mutants --deep --rule refund.sum
  pixcert mutants --deep --mutant "two splits"
  pixcert mutants --deep --sample 30
  pixcert mutants --sample 60 --every 7th --seeds 10 --accounts fixed
  pixcert mutants --explore 60s --deep --sample 30
  pixcert mutants --explore 60s --combined
  pixcert mutants --explore 60s --permitted "any content type"`
}

// exitSurvivor: a mutant survived, or a permitted difference was refused.
const exitSurvivor = 1

func (c *mutantsCmd) Run(ctx context.Context, to *console, status *int) error {
	relaxGC()
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(2 << 30) // several whole runs are in memory at once
	}
	faulty, err := c.selected()
	if err != nil {
		return err
	}
	if c.Explore != 0 {
		return c.explore(ctx, to, status, faulty)
	}
	if c.Sample > 0 {
		return c.runSample(ctx, to, status, faulty)
	}
	p := c.proof(to)
	toKill := gateways(faulty)
	if c.Every != "own" { // the figure is that of one seed
		for i, m := range faulty {
			shown := new(atomic.Int64)
			toKill[i] = shownBy(m.Counted(shown), shown)
			toKill[i].Sometimes = false
		}
	}
	killed, err := p.Kill(ctx, toKill)
	if err != nil {
		return err
	}
	permitted := c.permitted()
	tolerated, err := tolerate(ctx, p, permitted)
	if err != nil {
		return err
	}
	var said []string
	unseen := 0
	if len(faulty) > 0 {
		said = append(said, fmt.Sprintf("%d of %d mutants killed (%d %%)", killed, len(faulty), 100*killed/len(faulty)))
		if c.Every != "own" {
			for _, g := range toKill {
				if g.Shown() == 0 {
					unseen++
				}
			}
			said[0] += fmt.Sprintf(" with --every %s; the faults of %d never occurred", c.Every, unseen)
		}
	}
	if len(permitted) > 0 {
		said = append(said, fmt.Sprintf("%d of %d permitted differences tolerated", tolerated, len(permitted)))
	}
	fmt.Fprintf(to.out, "\n%s\n", strings.Join(said, "; "))
	if killed+unseen < len(faulty) || tolerated < len(permitted) {
		*status = exitSurvivor
	}
	return nil
}

// tolerate runs the suite against the permitted differences, and returns how many it does not reject.
func tolerate(ctx context.Context, p proof.Proof, permitted []mutants.Mutant) (int, error) {
	differences := make([]proof.Gateway, len(permitted))
	counters := make([]*atomic.Int64, len(permitted))
	for i, m := range permitted {
		counters[i] = new(atomic.Int64)
		permitted[i] = m.Noticed(counters[i])
		differences[i] = fromZero(shownBy(permitted[i], counters[i]), counters[i])
	}
	return p.Tolerate(ctx, differences, func(indexes []int) proof.Gateway {
		var batch []mutants.Mutant
		var shown []*atomic.Int64
		for _, i := range indexes {
			batch, shown = append(batch, permitted[i]), append(shown, counters[i])
		}
		return fromZero(gateway(mutants.Together(batch...)), shown...)
	})
}

func (c *mutantsCmd) permitted() []mutants.Mutant {
	all := mutants.Tolerated()
	switch {
	case c.Permitted != "":
		return slices.DeleteFunc(all, func(m mutants.Mutant) bool { return !strings.Contains(m.Name, c.Permitted) })
	case len(c.Rules) == 0 && c.Mutant == "" && c.Every == "own" && !c.Deep && !c.Combined:
		return all
	}
	return nil
}

func (c *mutantsCmd) proof(to *console) proof.Proof {
	p := proof.Proof{
		Options:  run.Options{Seed: c.Seed, Concurrency: c.Concurrency, Version: version()},
		AllRules: c.All,
		Out:      to.out,
	}
	if c.Permitted != "" {
		p.Options.Rules = c.Rules
	}
	return p
}

// runSample runs every rule against one mutant of each of some rules. A run that conforms
// although the fault showed is a survivor.
func (c *mutantsCmd) runSample(ctx context.Context, to *console, status *int, from []mutants.Mutant) error {
	sampled := sample(from, c.Sample, c.Seed)
	if c.Deep || c.Combined {
		sampled = draw(from, c.Sample, c.Seed)
	}
	p := c.proof(to)
	var all proof.Tally
	for i := range c.Seeds {
		p.Options.Seed = c.Seed + int64(i)
		var counted []proof.Gateway
		for _, m := range sampled {
			counted = append(counted, c.counted(m.Seeded(p.Options.Seed)))
		}
		tally, err := p.Sample(ctx, counted)
		if err != nil {
			return err
		}
		all.Add(tally)
	}
	fmt.Fprintf(to.out, "\n%d runs with --every %s on %s accounts: %d failed, %d incomplete, %d conformed although the fault occurred, %d with the fault only where it may not matter, %d without the fault\n",
		len(sampled)*c.Seeds, c.Every, c.Accounts, all.Failed, all.Incomplete, all.Conformed, all.Moot, all.NeverShown)
	if all.Conformed > 0 || c.Deep && all.NeverShown > 0 {
		*status = exitSurvivor
	}
	return nil
}

func draw(from []mutants.Mutant, n int, seed int64) []mutants.Mutant {
	drawn := slices.Clone(from)
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	random.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	return drawn[:min(n, len(drawn))]
}

// sample draws n rules, and a mutant of each.
func sample(from []mutants.Mutant, n int, seed int64) []mutants.Mutant {
	ofRule := map[string][]mutants.Mutant{}
	for _, m := range from {
		ofRule[m.Rule] = append(ofRule[m.Rule], m)
	}
	rules := slices.Sorted(maps.Keys(ofRule))
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	random.Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
	var drawn []mutants.Mutant
	for _, rule := range rules[:min(n, len(rules))] {
		of := fnv.New64a()
		of.Write([]byte(rule)) // so that --rule does not change which mutant a rule has
		random := rand.New(rand.NewPCG(uint64(seed), of.Sum64()))
		drawn = append(drawn, ofRule[rule][random.IntN(len(ofRule[rule]))])
	}
	return drawn
}

// counted is a gateway that counts how often its fault shows once the run has begun.
func (c *mutantsCmd) counted(m mutants.Mutant) proof.Gateway {
	shown, moot := new(atomic.Int64), new(atomic.Int64)
	g := shownBy(m.Counted(shown).CountedApart(moot), shown)
	g.Moot = moot.Load
	open := g.Open
	g.Open = func(ctx context.Context) (target.Profile, func(), error) {
		profile, stop, err := open(ctx)
		if err != nil || c.Accounts != "fixed" {
			return profile, stop, err
		}
		authority, err := certs.NewAuthority()
		if err == nil {
			profile, err = fixedAccounts(ctx, profile, authority, fixedPerRun)
		}
		if err == nil { // existing accounts register webhooks only at an address that stays
			profile.Sink.Listen, err = freeAddress()
		}
		if err != nil {
			stop()
		}
		shown.Store(0)
		moot.Store(0)
		return profile, stop, err
	}
	return g
}

// shownBy is the gateway of a mutant that counts how often its fault shows.
func shownBy(m mutants.Mutant, shown *atomic.Int64) proof.Gateway {
	g := gateway(m)
	g.Shown = shown.Load
	if !m.Countable() {
		g.Shown = func() int64 { return max(1, shown.Load()) }
	}
	return g
}

// fromZero is a gateway whose counters start anew each time that it opens.
func fromZero(g proof.Gateway, counters ...*atomic.Int64) proof.Gateway {
	open := g.Open
	g.Open = func(ctx context.Context) (target.Profile, func(), error) {
		for _, c := range counters {
			c.Store(0)
		}
		return open(ctx)
	}
	return g
}

// fixedPerRun is how many accounts a run has that does without new ones.
const fixedPerRun = 4

// selected returns the mutants to run, at the requested frequency. It fails if a requested
// rule has none.
func (c *mutantsCmd) selected() ([]mutants.Mutant, error) {
	switch {
	case c.Deep && c.Combined:
		return nil, errors.New("--combined: expected either --combined or --deep, got both")
	case c.Combined && c.Explore == 0 && c.Sample == 0:
		return nil, errors.New("--combined: add --explore or --sample; no rule covers these mutants")
	case (c.Deep || c.Combined) && c.Every != "own": // faults of the store always show
		return nil, errors.New("--every: deep mutants have no other frequency; omit it with --deep and --combined")
	}
	if c.Permitted != "" {
		if len(c.permitted()) == 0 {
			return nil, fmt.Errorf("--permitted %s: no permitted difference has such a name", c.Permitted)
		}
		return nil, nil
	}
	found := map[string]bool{} // by requested rule
	for _, name := range c.Rules {
		found[strings.TrimPrefix(name, "@")] = false
	}
	var selected []mutants.Mutant
	known := map[string]bool{}
	catalogue := mutants.All()
	switch {
	case c.Deep:
		catalogue = mutants.AllDeep()
	case c.Combined:
		catalogue = mutants.Combinations()
	}
	for _, m := range catalogue {
		if _, requested := found[m.Rule]; !requested && len(c.Rules) > 0 || !strings.Contains(m.Name, c.Mutant) {
			continue
		}
		found[m.Rule] = true
		if c.Every != "own" {
			every, err := mutants.ParseFrequency(c.Every)
			if err != nil {
				return nil, err
			}
			m = m.At(every)
		}
		if !known[m.Name] { // --every makes rows that differ only in frequency equal
			selected = append(selected, m.Seeded(c.Seed))
		}
		known[m.Name] = true
	}
	for name, ok := range found {
		if !ok && c.Mutant == "" {
			return nil, fmt.Errorf("--rule %s: no mutant breaks this rule; run pixcert rules to list all rules", name)
		}
	}
	if len(selected) == 0 {
		return nil, fmt.Errorf("--mutant %s: none of these mutants has such a name; deep mutants need --deep, and combinations --combined", c.Mutant)
	}
	return selected, nil
}

// mutantNamed finds the mutant with that name, or the only one whose name contains it.
func mutantNamed(name string) (mutants.Mutant, error) {
	var found []mutants.Mutant
	var known []string
	for _, m := range slices.Concat(mutants.All(), mutants.AllDeep(), mutants.Combinations(), mutants.Tolerated()) {
		if m.Name == name {
			return m, nil
		}
		known = append(known, m.Name)
		if strings.Contains(m.Name, name) {
			found = append(found, m)
		}
	}
	switch len(found) {
	case 0:
		hint := "pixcert explain RULE lists those of a rule"
		if near := spelling.Nearest(name, known, 1); len(near) > 0 {
			hint = fmt.Sprintf("did you mean %q? %s", near[0], hint)
		}
		return mutants.Mutant{}, fmt.Errorf("no mutant is named %q; %s", name, hint)
	case 1:
		return found[0], nil
	}
	var names []string
	for _, m := range found[:min(10, len(found))] {
		names = append(names, m.Name)
	}
	return mutants.Mutant{}, fmt.Errorf("%d mutants have %q in their name; name one, such as:\n  %s", len(found), name, strings.Join(names, "\n  "))
}

// gateways returns one faulty gateway for each mutant.
func gateways(all []mutants.Mutant) []proof.Gateway {
	var gateways []proof.Gateway
	for _, m := range all {
		gateways = append(gateways, gateway(m))
	}
	return gateways
}

// gateway is the reference with the faults of a mutant.
func gateway(m mutants.Mutant) proof.Gateway {
	name := m.Name
	if m.Deep.Statement != "" {
		name += " (" + m.Deep.Statement + ")"
	}
	return proof.Gateway{Name: name, Rule: m.Rule, Sometimes: m.Frequency != mutants.Always, Open: func(ctx context.Context) (target.Profile, func(), error) {
		return bundled(ctx, referenceWith(m))
	}}
}

func referenceWith(m mutants.Mutant) reference.Config {
	return reference.Config{Wrap: m.API, WrapControls: m.Controls, WebhookTransport: m.Webhooks, Edge: m.Edge(), Storage: m.Storage()}
}
