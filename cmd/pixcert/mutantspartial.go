package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/ci/mutants"
	"github.com/pixcert/pixcert/steps/proof"
)

// runPartial runs every rule against each partial mutant until one fails, and says how many of each kind were found.
func (c *mutantsCmd) runPartial(ctx context.Context, to *console, status *int, from []mutants.Mutant) error {
	p := c.proof(to)
	missed := &unfound{to: to.out}
	p.Out = missed
	var table strings.Builder
	for _, kind := range mutants.PartialKinds() {
		var ofKind []proof.Gateway
		for _, m := range from {
			if m.Partial == kind {
				ofKind = append(ofKind, c.counted(m))
			}
		}
		tally, err := p.Sample(ctx, ofKind)
		if err != nil {
			return err
		}
		if len(ofKind) > 0 {
			fmt.Fprintf(&table, "%-20s %3d of %3d found, %d survived, %d incomplete, %d where it may not matter, %d never shown\n",
				kind, tally.Failed, len(ofKind), tally.Conformed, tally.Incomplete, tally.Moot, tally.NeverShown)
		}
	}
	fmt.Fprintf(to.out, "\n%s", table.String())
	if len(missed.lines) > 0 {
		*status = exitSurvivor
		slices.Sort(missed.lines)
		fmt.Fprintf(to.out, "\nNot found:\n%s\n", strings.Join(missed.lines, "\n"))
	}
	return nil
}

// unfound passes on what is printed, and keeps the lines of gateways that did not fail.
type unfound struct {
	to    io.Writer
	lines []string
}

func (u *unfound) Write(b []byte) (int, error) {
	if line := string(bytes.TrimSpace(b)); !strings.HasPrefix(line, "failed ") {
		u.lines = append(u.lines, line)
	}
	return u.to.Write(b)
}
