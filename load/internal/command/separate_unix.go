//go:build unix

package command

import (
	"os"
	"os/exec"
	"syscall"
)

// separate keeps a terminal's Ctrl+C from a process, so that it gets only what interrupt sends: k6
// takes a second signal as the order to end at once.
func separate(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func interrupt(c *exec.Cmd) { _ = c.Process.Signal(os.Interrupt) } // it may have ended
