package catalogue

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pixcert/pixcert/steps/plaintext"
)

// OwnTag is a tag of every rule and scenario of the user's own features, to select them with.
const OwnTag = "@own"

// FoundTag marks a rule as a finding of pixcert explore. Its scenarios are repeated even if they pass.
const FoundTag = "@found"

// Found reports whether the rule is a finding of pixcert explore.
func (r *Rule) Found() bool { return r.Feature.Own && slices.Contains(r.Tags, FoundTag) }

// Source is a feature file.
type Source struct {
	File string // as messages and reports name it
	Text string
}

// Own is the user's own feature files. The zero value has none.
type Own struct {
	Directory string // as it was given
	Sources   []Source
}

// Digest is equal for files with the same names and texts, whatever their directory; empty for none.
func (o Own) Digest() string {
	if len(o.Sources) == 0 {
		return ""
	}
	hash := sha256.New()
	for _, s := range o.Sources {
		fmt.Fprintf(hash, "%q %q\n", path.Base(s.File), s.Text)
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// mostText bounds a user's feature file, in bytes: beyond that, it is a mistake.
const mostText = 1 << 20

// ReadOwn reads the user's feature files, *.feature in dir. It follows links, and ignores hidden
// files. A file in a subdirectory is an error, because its rules would silently not run. All errors
// are joined, and each names the file.
func ReadOwn(dir string) (Own, error) {
	own := Own{Directory: dir}
	entries, err := os.ReadDir(dir)
	if err != nil {
		if info, _ := os.Stat(dir); info != nil && !info.IsDir() {
			err = fmt.Errorf("%s is not a directory; pass the directory of the file", dir)
		}
		return own, fmt.Errorf("reading the features: %w", err)
	}
	var problems []error
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") || !strings.HasSuffix(entry.Name(), ".feature") {
			continue
		}
		source, err := readOwn(filepath.Join(dir, entry.Name()))
		own.Sources, problems = append(own.Sources, source), append(problems, err)
	}
	below, _ := fs.Glob(os.DirFS(dir), "[^.]*/*.feature") // fails for a bad pattern only
	for _, name := range below {
		problems = append(problems, fmt.Errorf("%s: subdirectories are not read; move the file to %s", filepath.Join(dir, filepath.FromSlash(name)), dir))
	}
	if err := errors.Join(problems...); err != nil {
		return own, err
	}
	if len(own.Sources) == 0 {
		return own, fmt.Errorf("expected .feature files in %s, got none", dir)
	}
	return own, nil
}

func readOwn(file string) (Source, error) {
	info, err := os.Stat(file) // first: reading a pipe would never end
	switch {
	case err != nil:
		return Source{}, fmt.Errorf("reading a feature: %w", err)
	case !info.Mode().IsRegular():
		return Source{}, fmt.Errorf("%s: expected a file, got %s", file, kindOf(info.Mode()))
	case info.Size() > mostText:
		return Source{}, fmt.Errorf("%s: expected at most %d KiB, got %d KiB; split the file", file, mostText>>10, info.Size()>>10)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return Source{}, fmt.Errorf("reading a feature: %w", err)
	}
	text, err = plaintext.Read(text)
	switch {
	case err != nil:
		return Source{}, fmt.Errorf("%s: %w", file, err)
	case !utf8.Valid(text):
		return Source{}, fmt.Errorf("%s: expected text in UTF-8", file)
	}
	if odd, found := oddInSteps(string(text)); found {
		return Source{}, fmt.Errorf("%s:%d: %s", file, odd.Line, odd)
	}
	if file = filepath.ToSlash(file); !strings.Contains(file, "/") {
		file = "./" + file // pixcert's files are named without a directory
	}
	return Source{file, string(text)}, nil
}

var (
	step     = regexp.MustCompile(`^\s*(?:Given|When|Then|And|But|\*|@)`)
	inQuotes = regexp.MustCompile(`"[^"]*"`)
)

// oddInSteps finds a no-break space in the indentation of a line, and outside quotes in a step or a tag, of which it
// makes another one. Elsewhere it is a matter of typography.
func oddInSteps(text string) (plaintext.Odd, bool) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		code := line[:len(line)-len(strings.TrimLeftFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }))]
		if step.MatchString(line) {
			code = inQuotes.ReplaceAllStringFunc(line, func(q string) string { return strings.Repeat("x", utf8.RuneCountInString(q)) })
		}
		if odd, found := plaintext.Find(code); found {
			odd.Line = number
			return odd, true
		}
	}
	return plaintext.Odd{}, false
}

func kindOf(mode fs.FileMode) string {
	if mode.IsDir() {
		return "a directory"
	}
	return "a pipe or device"
}

// With returns c with the user's own features added after its features. They follow the same rules
// as those of Load; in addition, each scenario must have an outcome. Their rules need no statements. All
// errors are joined, and each names file:line.
func (c *Catalogue) With(own Own) (*Catalogue, error) {
	both := &Catalogue{Features: slices.Clone(c.Features), Statements: c.Statements}
	var problems []error
	for _, source := range own.Sources {
		feature, err := parse(source, c.knownStatements(), true)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		both.Features = append(both.Features, feature)
	}
	problems = append(problems, both.namedTwice()...)
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return both, nil
}

// own completes a feature of the user's.
func (r *reader) own() {
	for _, rule := range r.feature.Rules {
		rule.Tags = withOwnTag(rule.Tags)
		for _, s := range rule.Scenarios {
			s.Tags = withOwnTag(s.Tags)
			if !slices.ContainsFunc(s.Steps, func(step Step) bool { return step.Type == Outcome }) {
				r.refuse(s.Line, "the scenario %q has no Then, so it tests nothing; say what must hold", s.Name)
			}
		}
	}
}

func withOwnTag(tags []string) []string {
	if slices.Contains(tags, OwnTag) {
		return tags
	}
	return append(tags, OwnTag)
}
