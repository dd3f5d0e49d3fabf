//go:build unix

package reftest

import (
	"fmt"
	"os"
	"syscall"
)

// lock blocks other test binaries until unlock.
func lock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot open the lock of the build: %w", err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return nil, fmt.Errorf("cannot lock the build: %w", err)
	}
	return func() { _ = f.Close() }, nil // closing unlocks
}
