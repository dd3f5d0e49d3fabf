package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/target"
)

// planCmd: pixcert plan.
type planCmd struct {
	targetFlags

	Tags    string   `placeholder:"EXPR" help:"Only the scenarios that a tag expression selects."`
	Rules   []string `name:"rule" placeholder:"NAME" help:"Only one rule, by its name. May be repeated."`
	Offline bool     `help:"Send nothing, run no image, and take it that the gateway has every control that the profile does not do without."`
	All     bool     `help:"Name the rules that can be tested wholly too."`
	JSON    bool     `name:"json" help:"Write the plan for programs."`
}

func (c *planCmd) Run(ctx context.Context, to *console) error {
	if err := c.valid(); err != nil {
		return err
	}
	gateway, stop, err := c.target(ctx, to)
	if err != nil {
		return err
	}
	defer stop()
	forecast, err := steps.Foresee(ctx, steps.Options{Target: gateway, Tags: c.Tags, Rules: c.Rules, Version: version()}, c.Offline)
	if err != nil {
		return err
	}
	if c.JSON {
		encoder := json.NewEncoder(to.out)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(forecast)
	}
	c.show(to.out, forecast)
	return nil
}

// target is the gateway that the flags name, or the bundled one. An image is run for the
// time of the question which controls it has.
func (c *planCmd) target(ctx context.Context, to *console) (target.Profile, func(), error) {
	if !c.named() {
		c.noteProfile(to)
		return bundled(ctx, reference.Config{})
	}
	p, err := c.profile(to)
	if err != nil || p.Container == nil || c.Offline {
		return p, func() {}, err
	}
	return contained(ctx, to, p, &exchange.Redactor{}, func([]byte) error { return nil })
}

// show prints what can be tested, what cannot and why, and what would let more be.
func (c *planCmd) show(w io.Writer, f *steps.Forecast) {
	fmt.Fprintf(w, "What can be tested of %s\n", f.Target)
	switch {
	case f.Offline:
		fmt.Fprintln(w, "  Nothing was sent: its controls are taken to be all that the profile does not do without.")
	case len(f.Controls) > 0:
		fmt.Fprintln(w, "  Nothing was sent but the question which controls it has.")
	default:
		fmt.Fprintln(w, "  Nothing was sent.")
	}
	fmt.Fprintf(w, "  controls  %s\n", orNone(f.Controls))
	fmt.Fprintf(w, "  families  %s\n\n", orNone(f.Families))
	fmt.Fprintf(w, "%s\n\n", f.Reach.Said("can be tested"))
	for _, feature := range f.Features {
		c.showFeature(w, feature)
	}
	if len(f.Unlocks) == 0 {
		return
	}
	fmt.Fprintln(w, "\nMore could be tested with this, the cheapest first; each line counts on those above it.")
	width := 0
	for _, u := range f.Unlocks {
		width = max(width, len(u.Name()))
	}
	for _, u := range f.Unlocks {
		fmt.Fprintf(w, "  %-*s  + %-24s %s\n", width, u.Name(), u.Said(), u.Effort)
	}
	if !f.Reach.Complete() {
		fmt.Fprintln(w, "\nWhat the gateway does not offer at all can be left out of the families in the profile: it is not applicable then.")
	}
}

func (c *planCmd) showFeature(w io.Writer, f steps.FeatureForecast) {
	fmt.Fprintf(w, "%s: %s\n", f.Name, f.Reach.Said("can be tested"))
	for _, rule := range f.Rules {
		whole := rule.Testable == rule.Applicable
		if whole && !c.All {
			continue
		}
		fmt.Fprintf(w, "  %-9s %s\n", fmt.Sprintf("%d/%d", rule.Testable, rule.Applicable), rule.Name)
		if len(rule.Missing) > 0 {
			fmt.Fprintf(w, "            for want of the controls %s\n", strings.Join(rule.Missing, ", "))
		}
		for _, hint := range rule.Hints {
			fmt.Fprintf(w, "            %s\n", hint)
		}
		if rule.Applicable == 0 {
			fmt.Fprintf(w, "            does not apply: %s\n", strings.Join(rule.Outside, "; "))
		}
	}
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
