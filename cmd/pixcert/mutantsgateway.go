package main

import (
	"context"
	"sync/atomic"

	"github.com/pixcert/pixcert/certs"
	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/proof"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
)

// counted is a gateway that counts how often its fault shows once the run has begun.
func (c *mutantsCmd) counted(m mutants.Mutant) proof.Gateway {
	shown, moot := new(atomic.Int64), new(atomic.Int64)
	g := shownBy(m.Counted(shown).CountedInconclusive(moot), shown)
	g.Moot = moot.Load
	g.First = rulesAbout(m)
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

// fixedPerRun is how many accounts a run has that does without new ones.
const fixedPerRun = 4

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

// rulesAbout are the rules that most likely find a mutant: the one that it breaks, or those about the statement that it
// violates.
func rulesAbout(m mutants.Mutant) []string {
	if m.Rule != "" {
		return []string{m.Rule}
	}
	suite, err := run.Suite(catalogue.Own{})
	if err != nil { // the run says so
		return nil
	}
	var names []string
	for _, rule := range suite.RulesShowing(m.Deep.Statement) {
		names = append(names, rule.Name)
	}
	return names
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
	return reference.Config{Wrap: m.API, WrapControls: m.Controls, WebhookTransport: m.Webhooks, Edge: m.Edge(), Triggers: m.Triggers()}
}
