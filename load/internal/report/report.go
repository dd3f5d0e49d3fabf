// Package report renders the result of a run: as text for a terminal and as a self-contained
// HTML page. It makes no verdicts of its own: they come from package
// result.
package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/pixcert/pixcert/load/internal/result"
)

// The files that [Write] creates in its directory.
const (
	ResultFile = result.FileName
	PageFile   = "index.html"
)

// Write writes the result and the page to a directory, which it creates if
// needed. Existing files are replaced.
func Write(dir string, r result.Result) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if err := result.Write(filepath.Join(dir, ResultFile), r); err != nil {
		return err
	}
	for _, f := range []struct {
		name   string
		render func(io.Writer, result.Result) error
	}{{PageFile, HTML}} {
		if err := writeFile(filepath.Join(dir, f.name), func(w io.Writer) error { return f.render(w, r) }); err != nil {
			return err
		}
	}
	return nil
}

// writeFile renders in memory first, so that an error does not destroy an existing file.
func writeFile(path string, render func(io.Writer) error) error {
	var b bytes.Buffer
	if err := render(&b); err != nil {
		return err
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
