package report

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// runFile is held by a run that will write its report into the directory.
const runFile = ".run"

// Claim marks a directory as one into which a run will write its report, until release is called. It reports whether
// another run has claimed it. That it cannot be marked is no error: writing the report says why.
func Claim(dir string) (release func(), shared bool) {
	lock := flock.New(filepath.Join(dir, runFile))
	free, err := lock.TryLock()
	if err != nil || !free {
		return func() { _ = lock.Close() }, err == nil
	}
	return func() {
		_ = os.Remove(lock.Path()) // while it is held, so that it is nobody else's; fails on Windows
		_ = lock.Close()
	}, false
}
