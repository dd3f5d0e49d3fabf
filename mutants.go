package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/reference/mutants"
	"github.com/pixcert/pixcert/steps/proof"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
)

// mutantsCmd is pixcert mutants.
type mutantsCmd struct {
	Rules       []string `name:"rule" placeholder:"NAME" help:"Run only the mutants of this rule. Repeatable."`
	All         bool     `help:"Run each mutant against every rule; print all that fail."`
	Every       string   `enum:"own,always,2nd,3rd,7th,1in10" default:"own" placeholder:"FREQUENCY" help:"Frequency of every fault: own, always, 2nd, 3rd, 7th, 1in10."`
	Concurrency int      `default:"16" placeholder:"N" help:"Number of scenarios to run at once."`
	Seed        int64    `default:"1" placeholder:"N" help:"Seed of the scenario order and of random faults."`
}

func (*mutantsCmd) Help() string {
	return `A mutant is the reference gateway with one deliberate fault. The suite must fail the rule that the fault breaks.

Exit status: 0 every mutant was killed, 1 a mutant survived or a permitted difference was refused, 2 could not run.

Examples:
  pixcert mutants
  pixcert mutants --rule cash-out.debit
  pixcert mutants --rule cash-out.debit --every 7th
  pixcert mutants --rule cash-out.debit --all`
}

// exitSurvivor: a mutant survived, or a permitted difference was refused.
const exitSurvivor = 1

func (c *mutantsCmd) Run(ctx context.Context, to *console, status *int) error {
	relaxGC()
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(1 << 30) // several whole runs are in memory at once
	}
	faulty, err := c.selected()
	if err != nil {
		return err
	}
	p := proof.Proof{
		Options:  run.Options{Seed: c.Seed, Concurrency: c.Concurrency, Version: version()},
		AllRules: c.All,
		Out:      to.out,
	}
	toKill := gateways(faulty)
	if c.Every != "own" { // the figure is that of one seed
		for i := range toKill {
			toKill[i].Sometimes = false
		}
	}
	killed, err := p.Kill(ctx, toKill)
	if err != nil {
		return err
	}
	var permitted []mutants.Mutant
	if len(c.Rules) == 0 && c.Every == "own" {
		permitted = mutants.Tolerated()
	}
	tolerated, err := p.Tolerate(ctx, gateways(permitted), func(indexes []int) proof.Gateway {
		var batch []mutants.Mutant
		for _, i := range indexes {
			batch = append(batch, permitted[i])
		}
		return gateway(mutants.Together(batch...))
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(to.out, "\n%d of %d mutants killed (%d %%)", killed, len(faulty), 100*killed/len(faulty))
	if c.Every != "own" {
		fmt.Fprintf(to.out, " with --every %s", c.Every)
	}
	if len(permitted) > 0 {
		fmt.Fprintf(to.out, "; %d of %d permitted differences tolerated", tolerated, len(permitted))
	}
	fmt.Fprintln(to.out)
	if killed < len(faulty) || tolerated < len(permitted) {
		*status = exitSurvivor
	}
	return nil
}

// selected returns the mutants to run, at the requested frequency. It fails if a requested
// rule has none.
func (c *mutantsCmd) selected() ([]mutants.Mutant, error) {
	found := map[string]bool{} // by requested rule
	for _, name := range c.Rules {
		found[strings.TrimPrefix(name, "@")] = false
	}
	var selected []mutants.Mutant
	known := map[string]bool{}
	for _, m := range mutants.All() {
		if _, requested := found[m.Rule]; !requested && len(c.Rules) > 0 {
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
		if !ok {
			return nil, fmt.Errorf("--rule %s: no mutant breaks it; run pixcert rules to list the rules", name)
		}
	}
	return selected, nil
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
	return proof.Gateway{Name: m.Name, Rule: m.Rule, Sometimes: m.Frequency != mutants.Always, Open: func(ctx context.Context) (target.Profile, func(), error) {
		return bundled(ctx, reference.Config{Wrap: m.API, WrapControls: m.Controls, WebhookTransport: m.Webhooks, Edge: m.Edge()})
	}}
}
