package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/explore"
	"github.com/pixcert/pixcert/steps/proof"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/wording"
)

// explored is what exploring a gateway showed until the first finding.
type explored struct {
	Found      bool
	Walks      int
	Took       time.Duration // until the finding was shrunk
	Shortening time.Duration // of that
	Steps      int           // of its sequence
	Why        string
}

// explore explores each mutant and each permitted difference on its own: the mutants must be found, and
// the permitted differences must not. One at a time, so that none slows another one down.
func (c *mutantsCmd) explore(ctx context.Context, to *console, status *int, faulty []mutants.Mutant) error {
	switch {
	case c.Explore < 0:
		return fmt.Errorf("--explore: expected a duration above zero, such as 60s, got %v", c.Explore)
	case c.All || c.Accounts != "fresh" || c.Seeds != 1:
		return fmt.Errorf("--explore: omit it with --all, --accounts and --seeds")
	}
	permitted := c.permitted()
	if c.Sample > 0 {
		faulty, permitted = draw(faulty, c.Sample, c.Seed), draw(permitted, c.Sample, c.Seed)
	}
	missed, err := c.exploreEach(ctx, to.out, gateways(faulty), false)
	if err != nil {
		return err
	}
	refused, err := c.exploreEach(ctx, to.out, gateways(permitted), true)
	if err != nil {
		return err
	}
	if missed+refused > 0 {
		*status = exitSurvivor
	}
	return nil
}

// exploreEach prints a line for each gateway, and counts those of which exploring told the wrong thing.
func (c *mutantsCmd) exploreEach(ctx context.Context, w io.Writer, all []proof.Gateway, permitted bool) (wrong int, err error) {
	var found []explored
	for _, g := range all {
		e, err := c.exploreUntilFinding(ctx, g)
		if err != nil {
			return wrong, fmt.Errorf("gateway %q: %w", g.Name, err)
		}
		if e.Found == permitted {
			wrong++
		}
		if e.Found {
			found = append(found, e)
		}
		fmt.Fprintln(w, e.line(g, permitted))
	}
	switch {
	case len(all) == 0:
	case permitted:
		fmt.Fprintf(w, "\n%d of %s without a finding in %v each\n", len(all)-wrong, wording.Count(len(all), "permitted difference"), c.Explore)
	default:
		fmt.Fprintf(w, "\n%d of %s found in %v each (%d %%)", len(found), wording.Count(len(all), "mutant"), c.Explore, 100*len(found)/len(all))
		if len(found) > 0 {
			fmt.Fprintf(w, "; median %.1f s, of which %.1f s to shorten, %s and %s", median(found, func(e explored) time.Duration { return e.Took }).Seconds(),
				median(found, func(e explored) time.Duration { return e.Shortening }).Seconds(),
				wording.Count(median(found, func(e explored) int { return e.Walks }), "walk"),
				wording.Count(median(found, func(e explored) int { return e.Steps }), "step"))
		}
		fmt.Fprintln(w)
	}
	return wrong, nil
}

// exploreUntilFinding explores a gateway until something is found that shows again, or the time is over.
func (c *mutantsCmd) exploreUntilFinding(ctx context.Context, g proof.Gateway) (explored, error) {
	profile, stop, err := g.Open(ctx)
	if err != nil {
		return explored{}, err
	}
	defer stop()
	options := explore.Options{
		Run:  run.Options{Target: profile, Secrets: &exchange.Redactor{}, Concurrency: c.Concurrency, Version: version()},
		Seed: c.Seed, FirstFinding: true,
	}
	started, failed, found, walks := time.Now(), time.Duration(0), time.Duration(0), 0
	options.Progress = func(r explore.Report) {
		switch {
		case failed == 0 && r.Shrinking:
			failed = time.Since(started)
		case found == 0 && len(r.Findings) > 0:
			found = time.Since(started)
		}
	}
	for left := c.Explore; left > 0 && (c.Walks == 0 || walks < c.Walks); left = c.Explore - time.Since(started) {
		failed, found, options.For, options.Walks = 0, 0, left, max(0, c.Walks-walks)
		report, err := explore.Explore(ctx, options)
		walks += report.Walks
		if i := slices.IndexFunc(report.Findings, func(f explore.Finding) bool { return f.Suspect }); i >= 0 {
			return explored{Found: true, Walks: walks, Took: time.Since(started), Steps: report.Findings[i].Length(), Why: "a response, got none"}, nil
		}
		if err == nil {
			err = ctx.Err() // an interrupted exploration shows nothing
		}
		if err != nil {
			return explored{}, err
		}
		for _, f := range report.Findings {
			if !f.Slow && !f.Unproven {
				return explored{Found: true, Walks: walks, Took: found, Shortening: found - failed, Steps: f.Length(), Why: exchange.Line(f.Result.Finding.Expected) + ", got " + exchange.Line(f.Result.Finding.Got)}, nil
			}
		}
		options.Seed++ // what was found did not show again
	}
	return explored{Walks: walks, Took: time.Since(started)}, nil
}

// line is the gateway's row of the table.
func (e explored) line(g proof.Gateway, permitted bool) string {
	mark := "missed   "
	switch {
	case e.Found && permitted:
		mark = "REFUSED  "
	case e.Found:
		mark = "found    "
	case permitted:
		mark = "tolerated"
	}
	length := strings.Repeat(" ", len(" 4 steps, shortened in 12.3 s"))
	if e.Found {
		length = fmt.Sprintf("%8s, shortened in %4.1f s", wording.Count(e.Steps, "step"), e.Shortening.Seconds())
	}
	line := fmt.Sprintf("%s %5.1f s  %5d walks  %s  %-34s %s", mark, e.Took.Seconds(), e.Walks, length, g.Rule, g.Name)
	if e.Found && permitted {
		line += "\n          expected " + e.Why
	}
	return line
}

// median is the middle one of the values; of an even number, the lower of the two.
func median[T cmp.Ordered](all []explored, of func(explored) T) T {
	var values []T
	for _, e := range all {
		values = append(values, of(e))
	}
	slices.Sort(values)
	return values[(len(values)-1)/2]
}
