// Package history keeps a line about each run of a gateway in a file, and shows what changes from run to run: rules that
// fail in some runs and not in others, and operations that become slower.
package history

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/untrusted"
)

// The files of a history.
const (
	File     = "history.jsonl" // an Entry per line, the oldest first
	lockFile = "history.lock"  // held while a line is appended
)

const (
	mostRead = 8 << 20 // bytes, of about a thousand runs: a history may grow for years
	mostLine = 1 << 20

	// lockWait is more than other runs need to append their lines.
	lockWait = time.Minute
)

// lineLimits are far above those of an entry.
var lineLimits = untrusted.Limits{Depth: 8, String: 4 << 10, Objects: 100, Values: 50_000}

// Check creates the directory of a history if necessary, and reports why nothing can be appended to it.
func Check(dir string) error {
	err := locked(dir, func(root *os.Root) error {
		file, err := open(root)
		if err != nil {
			return err
		}
		return file.Close()
	})
	return wrapped(dir, err)
}

// Append adds an entry. Other runs may do so at the same time.
func Append(dir string, entry Entry) error {
	line, err := json.Marshal(entry)
	if err != nil {
		return wrapped(dir, err)
	}
	return wrapped(dir, locked(dir, func(root *os.Root) error {
		file, err := open(root)
		if err != nil {
			return err
		}
		err = appendLine(file, line)
		return errors.Join(err, file.Close())
	}))
}

func wrapped(dir string, err error) error {
	if err != nil {
		return fmt.Errorf("cannot write the history in %s: %w; choose another directory with --history", dir, err)
	}
	return nil
}

func open(root *os.Root) (*os.File, error) {
	if info, err := root.Lstat(File); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: remove it", File)
	}
	return root.OpenFile(File, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
}

// appendLine ends the last line first if a run that was killed, or a full disk, has left it without its end.
func appendLine(file *os.File, line []byte) error {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	line = append(line, '\n')
	if size > 0 {
		last := make([]byte, 1)
		if _, err := file.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = append([]byte{'\n'}, line...)
		}
	}
	_, err = file.Write(line)
	return err
}

// locked calls do while no other run appends to the history.
func locked(dir string, do func(*os.Root) error) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if info, err := root.Lstat(lockFile); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file: remove it", lockFile)
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	lock := flock.New(filepath.Join(dir, lockFile))
	if _, err := lock.TryLockContext(ctx, 10*time.Millisecond); err != nil {
		return fmt.Errorf("another run is writing: %w", err)
	}
	return errors.Join(do(root), lock.Close())
}

// Read returns the latest entries of a history, the oldest first, and what is wrong with lines that it skipped. There is
// none before the first run.
func Read(dir string) (entries []Entry, skipped []string, err error) {
	content, part, err := latest(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, nil
	case err != nil:
		return nil, nil, fmt.Errorf("reading the history: %w", err)
	}
	number := 0
	for line := range bytes.Lines(content) {
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		entry, err := parse(line)
		if err != nil {
			skipped = append(skipped, fmt.Sprintf("%s:%d%s: skipped a damaged line: %s", File, number, part, exchange.Excerpt(err.Error(), 200)))
			continue
		}
		entries = append(entries, entry)
	}
	return entries, skipped, nil
}

// latest returns the last whole lines of a history, and what line numbers count in; empty for the whole file.
func latest(dir string) (lines []byte, part string, err error) {
	file, err := untrusted.Open(dir, File)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, "", err
	}
	start := max(info.Size()-mostRead, 0)
	lines, err = io.ReadAll(io.NewSectionReader(file, start, mostRead))
	if start == 0 || err != nil {
		return lines, "", err
	}
	if _, whole, _ := bytes.Cut(lines, []byte("\n")); len(whole) > 0 {
		lines = whole
	}
	return lines, fmt.Sprintf(" of the last %d MiB", mostRead>>20), nil
}

func parse(line []byte) (entry Entry, err error) {
	if len(line) > mostLine {
		return entry, fmt.Errorf("expected at most %d bytes, got %d", mostLine, len(line))
	}
	if _, err := io.Copy(io.Discard, untrusted.Check(bytes.NewReader(line), lineLimits)); err != nil {
		return entry, err
	}
	if err := json.Unmarshal(line, &entry); err != nil {
		return entry, err
	}
	if entry.Schema != schema {
		return entry, fmt.Errorf("expected schema %d, got %d", schema, entry.Schema)
	}
	return entry, entry.possible()
}
