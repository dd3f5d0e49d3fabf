//go:build !unix

package target

import "os/exec"

// runGroup runs a program, which ends with its context. There are no process groups
// here: what it starts itself is its own affair.
func runGroup(process *exec.Cmd) error { return process.Run() }
