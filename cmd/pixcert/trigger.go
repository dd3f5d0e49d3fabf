package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/pixcert/pixcert/reference/sandbox"
	"github.com/pixcert/pixcert/steps/shell"
)

type triggerCmd struct {
	Event  string `arg:"" optional:"" placeholder:"EVENT" help:"What happens, listed above."`
	ID     string `arg:"" optional:"" name:"id|amount|duration" help:"What to act on, by any of its ids (default: the newest), or the value of funds or time."`
	Amount string `placeholder:"BRL" help:"Pay or return this amount (default: all that is left)."`
	Code   string `placeholder:"CODE" help:"Reject with this errorCode, listed above (default: ORDER_REJECTED)."`
	Reason string `placeholder:"TEXT" help:"Give this reason for a rejection, a failed refund or a MED."`

	List    bool `help:"List the events."`
	Verbose bool `short:"v" help:"Print the response of the test control too."`

	Sandbox sandboxFlags `embed:""`
}

func (*triggerCmd) Help() string {
	return "Calls the test controls of the profile's gateway; without a profile, those of pixcert serve. Events:\n\n" + sandbox.TriggerHelp() + `
Examples:
  pixcert trigger paid
  pixcert trigger paid sale-1
  pixcert trigger hold
  pixcert trigger rejected --code ACCOUNT_CLOSED
  pixcert trigger time 31m
  pixcert trigger time 2w`
}

var negative = regexp.MustCompile(`^unknown flag -(\d)`)

// explainNegative explains the error for a negative duration, which looks like a flag.
func explainNegative(args []string, err error) error {
	if err != nil && len(args) > 0 && args[0] == "trigger" && negative.MatchString(err.Error()) {
		return errors.New("time: expected a duration that is not negative, such as 31m; to set the clock back, call the control clock with now")
	}
	return err
}

func (c *triggerCmd) Run(ctx context.Context, to *console) error {
	if c.List {
		fmt.Fprint(to.out, sandbox.TriggerList())
		return nil
	}
	controls, err := c.Sandbox.controls(to)
	if err != nil {
		return err
	}
	defer controls.Close()
	done, err := sandbox.Trigger{Event: c.Event, ID: c.ID, Amount: c.Amount, Code: c.Code, Reason: c.Reason}.Run(ctx, controls)
	if err != nil {
		return err
	}
	fmt.Fprintf(to.out, "%s: %s\n", c.Event, done.What)
	if c.Event == "hold" {
		fmt.Fprintf(to.out, "To end this, run: %s\n", shell.Command(append([]string{"pixcert", "trigger", "release"}, c.Sandbox.words()...)...))
	}
	if c.Verbose && len(done.Answer) > 0 {
		fmt.Fprintf(to.out, "%s\n", bytes.TrimSpace(done.Answer))
	}
	return nil
}
