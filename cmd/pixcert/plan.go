package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pixcert/pixcert/reference"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/wording"
)

type planCmd struct {
	targetFlags
	featuresFlag
	languageFlag

	Tags    string   `placeholder:"EXPR" help:"Plan only the rules and scenarios that match a tag expression."`
	Rules   []string `name:"rule" placeholder:"NAME" help:"Plan only this rule. Repeatable."`
	Sink    string   `placeholder:"HOST:PORT" help:"Plan with this webhook address, as in certify."`
	Offline bool     `help:"Send nothing; assume every control not excluded by the profile."`
	All     bool     `help:"Also list fully testable rules."`
	JSON    bool     `name:"json" help:"Print JSON."`
}

func (*planCmd) Help() string {
	return `Asks the gateway which controls it offers, and sends nothing else. Starts the image, if the profile has one. --offline needs no gateway and no credentials.

Examples:
  pixcert plan pixcert.yaml
  pixcert plan pixcert.yaml --offline
  pixcert plan pixcert.yaml --tags @cash-out --all
  pixcert plan pixcert.yaml --features rules`
}

func (c *planCmd) Run(ctx context.Context, to *console) error {
	c.outline = c.Offline
	c.useStandardProfile(to)
	if err := c.valid(); err != nil {
		return err
	}
	own, err := c.own()
	if err != nil {
		return err
	}
	gateway, stop, err := c.target(ctx, to)
	if err != nil {
		return err
	}
	defer stop()
	forecast, err := run.Foresee(ctx, run.Options{Target: gateway, Tags: c.Tags, Rules: c.Rules, Own: own, Version: version()}, c.Offline)
	if err != nil {
		return err
	}
	if c.JSON {
		return wording.JSON(to.data, forecast)
	}
	c.show(to.out, forecast)
	return nil
}

// target returns the gateway to plan for, started if it is the bundled one or an image, and a
// function that stops it.
func (c *planCmd) target(ctx context.Context, to *console) (target.Profile, func(), error) {
	if !c.named() {
		return bundled(ctx, reference.Config{})
	}
	p, err := c.profile(to, c.Sink)
	if err != nil || p.Container == nil || c.Offline {
		return p, func() {}, err
	}
	return startImage(ctx, to, p, &exchange.Redactor{}, func([]byte) error { return nil })
}

// show prints what can be tested, what cannot and why, and what would unlock more.
func (c *planCmd) show(w io.Writer, f *plan.Forecast) {
	in := c.Language
	line := func(text string) { fmt.Fprintln(w, text) }
	line(in.Sayf("Test plan for %s", in.Recorded(f.Target)))
	line("  " + in.SayCount(len(f.Features), "feature") + ", " + in.SayCount(f.Reach.Rules+f.Reach.Inapplicable, "rule") + ", " + in.SayCount(f.Planned, "scenario"))
	line("  " + sent(in, f))
	line(in.Sayf("  controls  %s", orNone(in, f.Controls)))
	line(in.Sayf("  families  %s", orNone(in, f.Families)) + "\n")
	line(f.Reach.Testable(in))
	line(in.Sayf("%d of the scenarios send dozens of requests each, %d wait to see that nothing arrives", f.Bulk, f.Quiet))
	line(estimated(in, f.Estimate))
	if money := f.Estimate.Money(in); money != "" {
		line(money)
	}
	for _, o := range f.Outside {
		line(in.SayN(o.Scenarios, "%d scenario does not apply to %s", "%d scenarios do not apply to %s", o.Scenarios, in.Recorded(o.Reason)))
	}
	line("")
	for _, feature := range f.Features {
		c.showFeature(w, feature)
	}
	c.showUnlocks(w, f)
}

// sent says what was sent to find out what can be tested.
func sent(in translation.Language, f *plan.Forecast) string {
	switch {
	case f.Offline && len(f.Controls) == 0:
		return in.Say("Nothing was sent. The profile has no controls.")
	case f.Offline:
		return in.Say("Nothing was sent: assuming every control that the profile does not exclude.")
	case len(f.Controls) > 0:
		return in.Say("pixcert asked the gateway which controls it offers, and sent nothing else.")
	}
	return in.Say("Nothing was sent.")
}

func (c *planCmd) showUnlocks(w io.Writer, f *plan.Forecast) {
	if len(f.Unlocks) == 0 {
		return
	}
	in := c.Language
	fmt.Fprintln(w, "\n"+in.Say("To test more, add these, cheapest first. Gains add up: each one assumes that you have added the lines above it."))
	width := 0
	for _, u := range f.Unlocks {
		width = max(width, utf8.RuneCountInString(u.NameIn(in)))
	}
	for _, u := range f.Unlocks {
		fmt.Fprintf(w, "  %-*s  + %-24s %s\n", width, u.NameIn(in), u.GainIn(in), in.Recorded(u.Effort))
	}
	if !f.Reach.Complete() {
		fmt.Fprintln(w, "\n"+in.Say("If the gateway does not offer a family at all, remove it from families in the profile; its rules are then not applicable."))
	}
}

func (c *planCmd) showFeature(w io.Writer, f plan.FeatureForecast) {
	in, name := c.Language, f.Name
	if f.Own {
		name = in.Sayf("Your own, %s", f.File)
	} else if translated, known := featuresIn(in).Features[f.File]; known {
		name = translated
	}
	fmt.Fprintf(w, "%s: %s\n", name, f.Reach.Testable(in))
	const margin = "            "
	for _, rule := range f.Rules {
		complete := rule.Testable == rule.Applicable
		if complete && !c.All {
			continue
		}
		fmt.Fprintf(w, "  %-9s %s\n", fmt.Sprintf("%d/%d", rule.Testable, rule.Applicable), rule.Name)
		if len(rule.Missing) > 0 {
			fmt.Fprintln(w, margin+in.Sayf("missing controls: %s", strings.Join(rule.Missing, ", ")))
		}
		for _, hint := range rule.Hints {
			fmt.Fprintln(w, margin+in.Recorded(hint))
		}
		if rule.Applicable == 0 {
			fmt.Fprintln(w, margin+in.Sayf("not applicable: %s", in.Recorded(strings.Join(rule.Outside, "; "))))
		}
	}
}

func orNone(in translation.Language, names []string) string {
	if len(names) == 0 {
		return in.Say("none")
	}
	return strings.Join(names, ", ")
}

// estimated says what a run sends, and how long that takes at the rate of the profile, or at an example; then what the
// other depths take.
func estimated(in translation.Language, e plan.Estimate) string {
	const round, perSecond = 100, 100 // requests
	requests := max(round, (e.Requests+round/2)/round*round)
	deeper := "\n" + in.Sayf("--depth quick takes about 3 s; --depth thorough sends about %d requests, and explores for %v first", (e.Thorough+50)/100*100, exploredByDefault)
	if e.PerSec == 0 {
		d := time.Duration(e.Requests) * time.Second / perSecond
		return in.Sayf("A run sends about %d requests to the API; at %d per second, they take %s", requests, perSecond, wording.Duration(max(time.Second, d.Round(time.Second)))) + deeper
	}
	return in.Sayf("A run sends about %d requests to the API; at requestsPerSecond: %v, they take %s", requests, e.PerSec, wording.Duration(e.Duration)) + deeper
}
