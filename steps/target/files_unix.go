//go:build unix

package target

import "syscall"

// openFiles returns how many files this process may have open. The Go runtime has raised the soft limit
// to the hard one.
func openFiles() uint64 {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return mostDials * perConnection
	}
	return uint64(limit.Cur) //nolint:unconvert // its type differs between systems
}
