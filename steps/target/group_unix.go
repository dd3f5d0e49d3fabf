//go:build unix

package target

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// runGroup runs a program in a process group of its own, which ends when the program
// or its context does: whatever it has started and not put into another group.
func runGroup(process *exec.Cmd) error {
	end := func() error {
		err := syscall.Kill(-process.Process.Pid, syscall.SIGKILL)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	process.Cancel = end
	if err := process.Start(); err != nil {
		return err
	}
	defer func() { _ = end() }() // there is nothing left, mostly
	return process.Wait()
}
