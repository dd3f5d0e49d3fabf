//go:build unix

package target

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// runGroup runs a program in its own process group, and kills the group when the program or its
// context ends.
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
	defer func() { _ = end() }() // usually nothing is left
	return process.Wait()
}
