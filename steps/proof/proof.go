// Package proof tests the suite: it runs it against gateways with known faults. A gateway that
// breaks a rule must fail it; a gateway that differs where the specification allows it must
// conform.
package proof

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Gateway is a gateway to run the suite against. The second result of Open closes it.
type Gateway struct {
	Name string // what it does: "refuses a page of 1"
	Rule string // that it breaks; empty if the difference is permitted, or breaks no single rule

	// First are the rules that Sample runs first: they most likely find the fault.
	First []string
	Open  func(ctx context.Context) (target.Profile, func(), error)

	// Sometimes says that the fault shows now and then. The order decides whether a scenario
	// meets it, so that the gateway runs with other seeds too.
	Sometimes bool

	// Shown, if set, is how often the fault has shown since the gateway was opened.
	Shown func() int64

	// Moot, if set, is how often of these nothing may depend on the fault: it was in a setting or a registration,
	// or in a refusal of what may be wrong anyway.
	Moot func() int64
}

const moreSeeds = 4

// retries is how often a gateway runs again.
func (g Gateway) retries() int {
	if g.Sometimes {
		return moreSeeds
	}
	return 1
}

// Proof configures the runs. The target and the rules of Options are set for each gateway.
type Proof struct {
	Options  run.Options
	AllRules bool      // run all rules, not only the one that a gateway breaks
	Out      io.Writer // a line for each gateway

	patient bool // wait as long as for a real gateway
}

// Deadlines for gateways in the same process: shorter than for a real gateway, because a run
// waits in full for everything that a faulty gateway does not do.
const (
	webhookDeadline = 2 * time.Second
	balanceDeadline = 200 * time.Millisecond
)

// atOnceWithOneRule is how many gateways run at once with one rule each: they mostly wait.
const atOnceWithOneRule = 16

// atOnceWithAllRules is how many run at once with all rules. They compute: with more of them than the
// processor has cores, each would only take longer, and the garbage collector would have more to look through.
var atOnceWithAllRules = min(6, runtime.GOMAXPROCS(0)+1)

// atOnceUntilKilled is how many scenarios of a rule run at once, because the first that fails
// makes the others needless.
const atOnceUntilKilled = 4

// Kill runs gateways that break a rule and counts those that fail it. A survivor whose fault never
// occurred is marked as such.
func (p Proof) Kill(ctx context.Context, faulty []Gateway) (killed int, err error) {
	return p.count(ctx, faulty, func(g Gateway, run *verdict.Run) bool {
		return slices.Contains(failingRules(run), g.Rule)
	}, "killed", survivedMark)
}

// differencesAtOnce is how many permitted differences are combined in one gateway at most.
const differencesAtOnce = 32

// Tolerate runs gateways with permitted differences and counts those that conform. Because it
// runs every rule, it combines several differences into one gateway with together. Those of a
// gateway that does not conform, and those that others of it may have hidden, run again with a quarter
// as many, and at last each on its own. A difference that does not show even then proves nothing,
// and does not count. These runs have the default deadlines: a gateway that conforms rarely waits for them,
// and a false failure on a busy machine would cost many more runs.
func (p Proof) Tolerate(ctx context.Context, permitted []Gateway, together func(indexes []int) Gateway) (tolerated int, err error) {
	p.AllRules, p.patient = true, true
	left := make([]int, len(permitted))
	for i := range left {
		left[i] = i
	}
	for atOnce := min(differencesAtOnce, len(left)); atOnce > 1; atOnce = min(atOnce/4, len(left)) {
		batches := spread(left, atOnce)
		gateways := make([]Gateway, len(batches))
		for i, batch := range batches {
			gateways[i] = together(batch)
		}
		left = nil
		err = p.each(ctx, gateways, func(i int, run *verdict.Run) {
			if !conforms(run) {
				fmt.Fprintf(p.Out, "%d differences together: %s; they run again in smaller groups\n", len(batches[i]), run.Outcome())
				p.printCauses(run)
			}
			for _, of := range batches[i] {
				if !conforms(run) || !permitted[of].hasShown() {
					left = append(left, of)
					continue
				}
				p.print("tolerated", permitted[of], nil)
				tolerated++
			}
		})
		if err != nil {
			return tolerated, err
		}
	}
	var alone []Gateway
	for _, i := range left {
		alone = append(alone, permitted[i])
	}
	more, err := p.count(ctx, alone, func(g Gateway, run *verdict.Run) bool {
		return conforms(run) && g.hasShown()
	}, "tolerated", refusedMark)
	return tolerated + more, err
}

// spread deals things out in as few batches of at most n as possible. Neighbours, which may hide
// each other, end up in different ones.
func spread(things []int, n int) [][]int {
	batches := make([][]int, (len(things)+n-1)/n)
	for i, thing := range things {
		batches[i%len(batches)] = append(batches[i%len(batches)], thing)
	}
	return batches
}

// hasShown reports whether the difference has shown; a gateway that does not count it has.
func (g Gateway) hasShown() bool { return g.Shown == nil || g.Shown() > 0 }

func conforms(run *verdict.Run) bool { return run.Outcome() == verdict.Conforms }

// count runs gateways and counts those that the suite judges correctly. Any other gateway runs
// again, on its own, so that no other run can slow it down.
func (p Proof) count(ctx context.Context, gateways []Gateway, right func(Gateway, *verdict.Run) bool, yes, no string) (n int, err error) {
	var retries []Gateway
	err = p.each(ctx, gateways, func(i int, run *verdict.Run) {
		if !right(gateways[i], run) {
			retries = append(retries, gateways[i])
			return
		}
		p.print(yes, gateways[i], run)
		n++
	})
	for _, g := range retries {
		mark, again := no, p
		var last *verdict.Run
		for i := range g.retries() {
			again.patient = p.patient || i == g.retries()-1 // a busy machine must not be why the suite judges wrongly
			if again.Options.Seed++; mark == yes || err != nil {
				break
			}
			err = again.each(ctx, []Gateway{g}, func(_ int, run *verdict.Run) {
				last = run
				if right(g, run) {
					mark = yes
					n++
				}
			})
		}
		if err != nil {
			return n, err
		}
		p.print(mark, g, last)
	}
	return n, err
}

// each runs gateways concurrently, and shows the results in order.
func (p Proof) each(ctx context.Context, gateways []Gateway, show func(i int, run *verdict.Run)) error {
	atOnce := atOnceWithOneRule
	if p.AllRules {
		atOnce = atOnceWithAllRules
	}
	return each(ctx, gateways, atOnce, p.certify, show)
}

// each calls do for several gateways concurrently, and shows the results in order.
func each[T any](ctx context.Context, gateways []Gateway, atOnce int, do func(context.Context, Gateway) (T, error), show func(i int, value T)) error {
	ctx, cancel := context.WithCancel(ctx)
	type result struct {
		value T
		err   error
	}
	results := make([]chan result, len(gateways))
	for i := range results {
		results[i] = make(chan result, 1)
	}
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() {
		room := make(chan struct{}, atOnce)
		for i, g := range gateways {
			room <- struct{}{}
			running.Go(func() {
				defer func() { <-room }()
				value, err := do(ctx, g)
				results[i] <- result{value, err}
			})
		}
	})
	for i, g := range gateways {
		r := <-results[i]
		if r.err != nil {
			return fmt.Errorf("gateway %q: %w", g.Name, r.err)
		}
		show(i, r.value)
	}
	return nil
}

func (p Proof) certify(ctx context.Context, g Gateway) (*verdict.Run, error) {
	if p.AllRules {
		return p.run(ctx, g, nil)
	}
	p.Options.Concurrency = min(p.Options.Concurrency, atOnceUntilKilled)
	return p.run(ctx, g, &firstFailure{of: g.Rule}) // one failure of the rule is enough
}

// run runs the suite against a gateway, until the failure that ends it; nil for to its end.
func (p Proof) run(ctx context.Context, g Gateway, first *firstFailure) (*verdict.Run, error) {
	options, stop, err := p.open(ctx, g)
	if err != nil {
		return nil, err
	}
	defer stop()
	until, cancel := context.WithCancel(ctx)
	defer cancel()
	if first != nil {
		first.Progress, first.then = progress.New(io.Discard, progress.Options{}), cancel
		options.Progress = first
	}
	result, err := run.Certify(until, options)
	return result, cmp.Or(err, ctx.Err()) // an interrupted run shows nothing
}

// open opens a gateway, and says how to run the suite against it.
func (p Proof) open(ctx context.Context, g Gateway) (run.Options, func(), error) {
	options := p.Options
	if err := ctx.Err(); err != nil {
		return options, nil, err
	}
	profile, stop, err := g.Open(ctx)
	if !p.patient {
		profile.Deadlines.Webhook, profile.Deadlines.Balance = webhookDeadline, balanceDeadline
	}
	options.Target, options.Once = profile, true
	if !p.AllRules {
		options.Rules = []string{g.Rule}
	}
	return options, stop, err
}

func failingRules(run *verdict.Run) []string {
	var names []string
	for _, r := range run.Results() {
		if r.Verdict == verdict.Fail {
			names = append(names, r.Rule.Name)
		}
	}
	return names
}

// print prints the line of a gateway, with the other rules that fail.
func (p Proof) print(mark string, g Gateway, run *verdict.Run) {
	if mark == refusedMark && conforms(run) || mark == survivedMark && !g.hasShown() {
		mark = notTriggeredMark
	}
	line := fmt.Sprintf("%-13s %-34s %s", mark, g.Rule, g.Name)
	if run != nil {
		others := slices.DeleteFunc(failingRules(run), func(name string) bool { return name == g.Rule })
		if len(others) > 0 {
			line += "  [also: " + strings.Join(others, ", ") + "]"
		}
	}
	fmt.Fprintln(p.Out, strings.TrimRight(line, " "))
	if mark == refusedMark {
		p.printCauses(run)
	}
}

// printCauses prints why a gateway does not conform.
func (p Proof) printCauses(run *verdict.Run) {
	for _, c := range run.Causes() {
		fmt.Fprintf(p.Out, "              %s: expected %s, got %s\n", c.Scenario.ID(), c.Scenario.Finding.Expected, c.Scenario.Finding.Got)
	}
}

const (
	survivedMark     = "SURVIVED"
	notTriggeredMark = "NOT TRIGGERED" // a fault or a difference that never occurred
	refusedMark      = "REFUSED"       // a permitted difference that the suite fails, with what it fails it for
)
