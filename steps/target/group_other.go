//go:build !unix

package target

import "os/exec"

// runGroup runs a program until its context ends. There are no process groups on this platform:
// processes that it starts are not killed.
func runGroup(process *exec.Cmd) error { return process.Run() }
