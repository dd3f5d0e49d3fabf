package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Clear prepares a directory for the report of a new run: it creates the directory, checks
// that it is writable, and removes the files of an earlier run, so that nobody mistakes
// them for the report of a run that ended without one.
func Clear(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("report: expected a writable directory: %w", err)
	}
	for _, name := range []string{ResultFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("report: expected a writable directory: %w", err)
		}
	}
	probe, err := os.CreateTemp(dir, ".report-*")
	if err != nil {
		return fmt.Errorf("report: expected a writable directory: %w", err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}
