// Package report renders the result of a run: as text for a terminal. It makes no verdicts of its own: they come from package
// result.
package report

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/pixcert/pixcert/load/internal/result"
)

// ResultFile is the file that [Write] creates in its directory.
const ResultFile = result.FileName

// Write writes the result to a directory, which it creates if
// needed. An existing file is replaced.
func Write(dir string, r result.Result) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return result.Write(filepath.Join(dir, ResultFile), r)
}
