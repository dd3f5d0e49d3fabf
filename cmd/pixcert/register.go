package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/pixcert/pixcert/steps/certificate"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/wording"
)

type registerCmd struct {
	Directory string `arg:"" placeholder:"DIR" help:"Read the reports in the directories below this one."`
	keyFlag

	Site string `name:"site" type:"path" default:"site" placeholder:"DIR" help:"Write the pages to this directory."`
}

func (*registerCmd) Help() string {
	return `Each directory below DIR is a report with its certificate.json. pixcert verifies each with the keys, and writes index.html, index.pt.html and a badge per target: who conforms to what, since when, and how targets differ on open points. What does not verify is listed with the reason. The pages need no server and no scripts.

Exit status: 0 every certificate is verified; 1 some are not; 2 nothing was written.

Examples:
  pixcert register certificates --key acme.pem --key other.pem
  pixcert register certificates --key acme.pem --site public`
}

func (c *registerCmd) Run(to *console, status *int) error {
	relaxGC()
	keys, err := c.keys()
	if err != nil {
		return err
	}
	register, err := certificate.ReadRegister(c.Directory, version(), time.Now(), keys...)
	if err != nil {
		return err
	}
	if err := register.WriteSite(c.Site); err != nil {
		return err
	}
	for _, u := range register.Unverified {
		fmt.Fprintf(to.err, "pixcert: not verified: %s: %s\n", u.Directory, u.Reason)
		*status = 1
	}
	for _, e := range register.Entries {
		fmt.Fprintf(to.out, "%s: %s, %s, since %s\n", exchange.Line(e.Target), e.Outcome, e.Depth, e.Since.UTC().Format(time.DateOnly))
	}
	fmt.Fprintf(to.out, "%s in %s\n", wording.Count(len(register.Entries), "target"), filepath.Join(c.Site, "index.html"))
	return nil
}
