// Package proof proves the suite: it runs it against gateways of which it is known what
// they do wrong. One that breaks a rule must fail it; one that differs where the
// specification allows it must conform.
package proof

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pixcert/pixcert/steps"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Gateway is one to run the suite against. What Open opens, its second result closes.
type Gateway struct {
	Name string // what it does: "refuses a page of 1"
	Rule string // that it breaks; empty when what it does is permitted
	Open func(ctx context.Context) (target.Profile, func(), error)
}

// Proof says how gateways are run. The target and the rules of Options are set for each.
type Proof struct {
	Options  steps.Options
	AllRules bool      // also those that a gateway does not break
	Out      io.Writer // a line for each gateway
}

// Deadlines of gateways that run beside the suite: what one does not do is waited for,
// but not for as long as with a real gateway.
const (
	webhookDeadline = 2 * time.Second
	balanceDeadline = 200 * time.Millisecond
)

// How many gateways run beside each other: with one rule each they mostly wait, with all of
// them they compute.
const (
	ofOneRuleAtOnce = 8
	ofAllAtOnce     = 4
)

// Kill runs gateways that break a rule, and counts those that fail it.
func (p Proof) Kill(ctx context.Context, faulty []Gateway) (killed int, err error) {
	return p.count(ctx, faulty, func(g Gateway, run *verdict.Run) bool {
		return slices.Contains(failingRules(run), g.Rule)
	}, "killed   ", "SURVIVED ")
}

// differencesAtOnce is how many permitted differences one gateway has.
const differencesAtOnce = 8

// Tolerate runs gateways that differ where it is permitted, and counts those that
// conform. Every rule is run, so together makes one gateway of several; where they do
// not conform together, each is tried alone.
func (p Proof) Tolerate(ctx context.Context, permitted []Gateway, together func(indexes []int) Gateway) (tolerated int, err error) {
	p.AllRules = true
	batches := make([][]int, (len(permitted)+differencesAtOnce-1)/differencesAtOnce)
	for i := range permitted { // neighbours of a table go apart: they may hide each other
		batches[i%len(batches)] = append(batches[i%len(batches)], i)
	}
	gateways := make([]Gateway, len(batches))
	for i, batch := range batches {
		gateways[i] = together(batch)
	}
	var alone []Gateway
	err = p.each(ctx, gateways, func(i int, run *verdict.Run) {
		for _, of := range batches[i] {
			if conforms(gateways[i], run) {
				p.print("tolerated", permitted[of], nil)
				tolerated++
			} else {
				alone = append(alone, permitted[of])
			}
		}
	})
	if err != nil {
		return tolerated, err
	}
	more, err := p.count(ctx, alone, conforms, "tolerated", "REFUSED  ")
	return tolerated + more, err
}

func conforms(_ Gateway, run *verdict.Run) bool { return run.Outcome() == verdict.Conforms }

// count runs gateways and counts those that the suite judges as it should. One that it
// does not is run once more, with nothing beside it that could keep it waiting.
func (p Proof) count(ctx context.Context, gateways []Gateway, right func(Gateway, *verdict.Run) bool, yes, no string) (n int, err error) {
	var doubtful []Gateway
	err = p.each(ctx, gateways, func(i int, run *verdict.Run) {
		if !right(gateways[i], run) {
			doubtful = append(doubtful, gateways[i])
			return
		}
		p.print(yes, gateways[i], run)
		n++
	})
	for _, g := range doubtful {
		if err != nil {
			return n, err
		}
		err = p.each(ctx, []Gateway{g}, func(_ int, run *verdict.Run) {
			mark := no
			if right(g, run) {
				mark = yes
				n++
			}
			p.print(mark, g, run)
		})
	}
	return n, err
}

// each runs gateways, some beside each other, and shows the results in their order.
func (p Proof) each(ctx context.Context, gateways []Gateway, show func(i int, run *verdict.Run)) error {
	ctx, cancel := context.WithCancel(ctx)
	type result struct {
		run *verdict.Run
		err error
	}
	results := make([]chan result, len(gateways))
	for i := range results {
		results[i] = make(chan result, 1)
	}
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() {
		atOnce := ofOneRuleAtOnce
		if p.AllRules {
			atOnce = ofAllAtOnce
		}
		room := make(chan struct{}, atOnce)
		for i, g := range gateways {
			room <- struct{}{}
			running.Go(func() {
				defer func() { <-room }()
				run, err := p.certify(ctx, g)
				results[i] <- result{run, err}
			})
		}
	})
	for i, g := range gateways {
		r := <-results[i]
		if r.err != nil {
			return fmt.Errorf("the gateway that %s: %w", g.Name, r.err)
		}
		show(i, r.run)
	}
	return nil
}

func (p Proof) certify(ctx context.Context, g Gateway) (*verdict.Run, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	profile, stop, err := g.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	profile.Deadlines.Webhook, profile.Deadlines.Balance = webhookDeadline, balanceDeadline
	options := p.Options
	options.Target = profile
	if !p.AllRules {
		options.Rules = []string{g.Rule}
	}
	return steps.Run(ctx, options)
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

// print writes the line of a gateway, with the rules that fail beside its own.
func (p Proof) print(mark string, g Gateway, run *verdict.Run) {
	line := fmt.Sprintf("%s %-34s %s", mark, g.Rule, g.Name)
	if run != nil {
		others := slices.DeleteFunc(failingRules(run), func(name string) bool { return name == g.Rule })
		if len(others) > 0 {
			line += "  [also: " + strings.Join(others, ", ") + "]"
		}
	}
	fmt.Fprintln(p.Out, strings.TrimRight(line, " "))
}
