package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/steps/proof"
	"github.com/pixcert/pixcert/steps/run"
)

type mutantsCmd struct {
	Rules       []string      `name:"rule" placeholder:"NAME" help:"Run only the mutants of this rule. Repeatable."`
	Mutant      string        `placeholder:"TEXT" help:"Run only the mutants whose name contains this."`
	Deep        bool          `help:"Run the deep mutants instead, which a first simple use does not show."`
	Combined    bool          `help:"Run the combinations instead, which no scenario covers; with --explore or --sample."`
	Partial     bool          `help:"Run the whole suite against the partial mutants instead, which are wrong in a corner; print how many of each kind it finds."`
	All         bool          `help:"Run each mutant against every rule; print all that fail."`
	Every       string        `enum:"own,always,2nd,3rd,7th,1in10" default:"own" placeholder:"FREQUENCY" help:"Set how often faults show: own, always, 2nd, 3rd, 7th, 1in10."`
	Permitted   string        `placeholder:"TEXT" help:"Run only the permitted differences whose name contains this; with --rule, only on that rule."`
	Shard       shard         `placeholder:"I/N" help:"Run one shard of the mutants and of the permitted differences, such as 2/10."`
	Sample      int           `placeholder:"N" help:"Run the suite against one mutant of N random rules; with --deep, --combined or --partial, against N random mutants."`
	Seeds       int           `default:"1" placeholder:"N" help:"With --sample: run each mutant with this many seeds."`
	Accounts    string        `enum:"fresh,fixed" default:"fresh" placeholder:"KIND" help:"With --sample: use fresh or fixed accounts."`
	Record      string        `type:"path" placeholder:"DIR" help:"Run the whole suite against each mutant to its end; write numbered reports below this directory."`
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
  pixcert mutants --shard 2/10
  pixcert mutants --deep --rule refund.sum
  pixcert mutants --deep --mutant "two splits"
  pixcert mutants --deep --sample 30
  pixcert mutants --partial --sample 30
  pixcert mutants --deep --sample 20 --record runs
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
	faulty = c.Shard.part(faulty)
	if c.Explore != 0 {
		return c.explore(ctx, to, status, faulty)
	}
	if c.Record != "" {
		return c.record(ctx, to, faulty)
	}
	if c.Sample > 0 {
		return c.runSample(ctx, to, status, faulty)
	}
	if c.Partial {
		return c.runPartial(ctx, to, status, faulty)
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
	permitted := c.Shard.part(c.permitted())
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
	if c.Deep || c.Combined || c.Partial {
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
