// Package untrusted reads files that somebody else may have written, such as those of a report from a
// colleague or a CI artifact: only regular files of one directory, and only within limits that their
// writer keeps.
package untrusted

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// Open opens a regular file below a directory. It follows no symbolic link to or out of it, so that a
// report cannot include other files of this machine. The error wraps fs.ErrNotExist if there is none.
func Open(dir, name string) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	path := filepath.Join(dir, name)
	info, err := root.Lstat(name)
	if err != nil {
		return nil, at(path, err)
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for its writer
		return nil, fmt.Errorf("%s: expected a regular file, got %s; replace it by a copy", path, kindOf(info.Mode()))
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, at(path, err)
	}
	if opened, err := file.Stat(); err != nil || !os.SameFile(info, opened) {
		_ = file.Close() // nothing was written
		return nil, fmt.Errorf("%s was replaced while it was opened; try again", path)
	}
	return file, nil
}

// at replaces the path of an error, which is relative to the root, by the one that the user knows.
func at(path string, err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeSymlink != 0:
		return "a symbolic link"
	case mode.IsDir():
		return "a directory"
	}
	return "a pipe or device"
}

// ReadFile reads a regular file below a directory, of at most so many bytes.
func ReadFile(dir, name string, most int64) ([]byte, error) {
	file, err := Open(dir, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil && info.Size() > most {
		err = tooLong(most, "file")
	}
	var content []byte
	if err == nil {
		content, err = ReadAll(file, most)
	}
	if err != nil {
		return nil, at(filepath.Join(dir, name), err)
	}
	return content, nil
}

// ReadAll reads at most so many bytes.
func ReadAll(r io.Reader, most int64) ([]byte, error) { return io.ReadAll(AtMost(r, most, "file")) }

// AtMost returns a reader that fails with a LimitError after so many bytes. of names what they are of.
func AtMost(r io.Reader, most int64, of string) io.Reader {
	return &capped{r: io.LimitReader(r, most+1), left: most, limit: tooLong(most, of)}
}

func tooLong(most int64, of string) *LimitError { return &LimitError{most, "bytes of the " + of} }

type capped struct {
	r     io.Reader
	left  int64
	limit *LimitError
}

func (c *capped) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.left -= int64(n); c.left < 0 {
		return n + int(c.left), c.limit
	}
	return n, err
}

// LimitError says which limit a file exceeds.
type LimitError struct {
	Most int64
	Of   string // what is limited, in the plural
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("expected at most %d %s, got more: pixcert writes no such file", e.Most, e.Of)
}

// Limits bound JSON before it is decoded, since a few bytes of it can take a hundred times as much memory. Zero
// is no limit.
type Limits struct {
	Depth   int // of nested objects and arrays
	String  int // bytes of a string, escaped as in the file
	Objects int
	Values  int // members of objects, items of arrays
}

// Check returns a reader of the same bytes that fails where they exceed the limits. It leaves other mistakes to
// the decoder.
func Check(r io.Reader, limits Limits) io.Reader {
	for _, limit := range []*int{&limits.Depth, &limits.String, &limits.Objects, &limits.Values} {
		if *limit == 0 {
			*limit = math.MaxInt
		}
	}
	return &checked{r: r, limits: limits}
}

type checked struct {
	r      io.Reader
	limits Limits
	err    error

	inString, escaped                     bool
	depth, length, gap, objects, elements int
}

// mostGap bounds white space, numbers and words between other characters, in bytes. A decoder reads white space again
// with each part of the input that it gets.
const mostGap = 4 << 10

func (c *checked) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.r.Read(p)
	for i, b := range p[:n] {
		if c.err = c.see(b); c.err != nil {
			return i, c.err
		}
	}
	return n, err
}

// see counts a byte. Values are counted by what begins or separates them.
func (c *checked) see(b byte) error {
	if c.inString {
		switch {
		case c.escaped:
			c.escaped = false
		case b == '\\':
			c.escaped = true
		case b == '"':
			c.inString = false
		}
		if c.length++; c.length > c.limits.String {
			return &LimitError{int64(c.limits.String), "bytes of a string"}
		}
		return nil
	}
	if c.gap++; c.gap > mostGap && strings.IndexByte(`"{}[],:`, b) < 0 {
		return &LimitError{mostGap, "bytes between values"}
	}
	switch b {
	case ':':
		c.gap = 0
	case '"':
		c.inString, c.length, c.gap = true, 0, 0
	case '{':
		if c.objects++; c.objects > c.limits.Objects {
			return &LimitError{int64(c.limits.Objects), "objects"}
		}
		return c.open()
	case '[':
		return c.open()
	case '}', ']':
		c.depth, c.gap = c.depth-1, 0
	case ',':
		return c.value()
	}
	return nil
}

func (c *checked) open() error {
	if c.depth++; c.depth > c.limits.Depth {
		return &LimitError{int64(c.limits.Depth), "levels of nesting"}
	}
	return c.value()
}

func (c *checked) value() error {
	c.gap = 0
	if c.elements++; c.elements > c.limits.Values {
		return &LimitError{int64(c.limits.Values), "values"}
	}
	return nil
}
