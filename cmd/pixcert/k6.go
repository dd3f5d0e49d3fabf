package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// k6Cmd runs a program of its own: k6 is licensed under the AGPL, and pixcert does not link it.
type k6Cmd struct {
	Arguments []string `arg:"" optional:"" passthrough:"" help:"Arguments of k6, such as run script.js."`
}

func (*k6Cmd) Help() string {
	return `The container image has k6 with the extension k6/x/pix. Elsewhere, build it: see load/README.md.

Example:
  docker run --rm --volume .:/work pixcert k6 run script.js`
}

// Run replaces this process, so that k6 gets the signals and returns its own exit status.
func (c *k6Cmd) Run() error {
	path, err := exec.LookPath("k6")
	if err != nil {
		return fmt.Errorf("%w; build k6 with the extension: see load/README.md", err)
	}
	return fmt.Errorf("%s: %w", path, syscall.Exec(path, append([]string{"k6"}, c.Arguments...), os.Environ()))
}
