//go:build unix

package run

import (
	"syscall"
	"time"
)

// cpuTime is what this process used so far, in user and in system mode.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
