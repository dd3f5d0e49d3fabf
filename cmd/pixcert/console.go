package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/pixcert/pixcert/steps/progress"
	"github.com/pixcert/pixcert/steps/translation"
)

// console is the terminal of a command: results go to standard output, as out what people read, with commands that they
// can paste into their shell, and as data what programs read. Everything else goes to err.
type console struct {
	out         io.Writer
	data        io.Writer
	err         io.Writer
	in          io.Reader
	interactive bool // somebody can answer prompts
	getenv      func(string) string
	language    translation.Language // of what people read
}

// workflowCommand writes a line to out for the runner of a CI system to obey.
func (to *console) workflowCommand(line string) {
	if s, ok := to.data.(*stream); ok {
		s.raw(line + "\n")
		return
	}
	fmt.Fprintln(to.data, line)
}

// stream is standard output or standard error. Runners of CI systems take lines of a log for commands, and much of what
// pixcert prints comes from a target or from somebody else's report: stream writes their markers so that no runner obeys
// them. It escapes the last character of a marker as \u005b or \u003a, which does not change the meaning of JSON.
//
// It remembers the first error, so that results that were not written do not go unnoticed.
type stream struct {
	mu   sync.Mutex
	w    io.Writer
	err  error
	tail []byte // the end of what was written in this line, in lower case, as long as the longest marker

	// The beginning of the line.
	text  bool   // it has more than white space and a colon
	colon bool   // its first character other than white space is a colon
	part  []byte // of a character that was not written completely
}

// markers begin commands of Azure Pipelines and GitHub, TeamCity, and GitLab, anywhere in a line. Commands of GitHub may
// also begin with "::" at the beginning of a line.
var markers = []string{"##[", "##vso[", "##teamcity[", "section_start:", "section_end:"}

const longestMarker = len("section_start:")

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	out := make([]byte, 0, len(p))
	for _, b := range p {
		if s.completes(b) {
			out = fmt.Appendf(out, `\u%04x`, b)
			b = '\\' // ends the marker
		} else {
			out = append(out, b)
		}
		s.follow(b)
	}
	if _, s.err = s.w.Write(out); s.err != nil {
		return 0, s.err
	}
	return len(p), nil
}

// completes reports whether b is the last character of a marker.
func (s *stream) completes(b byte) bool {
	if b != '[' && b != ':' {
		return false
	}
	if b == ':' && s.colon && !s.text {
		return true
	}
	for _, m := range markers {
		if m[len(m)-1] == b && bytes.HasSuffix(s.tail, []byte(m[:len(m)-1])) {
			return true
		}
	}
	return false
}

// follow notes that b was written.
func (s *stream) follow(b byte) {
	switch {
	case b == '\n' || b == '\r':
		s.tail, s.text, s.colon, s.part = s.tail[:0], false, false, s.part[:0]
		return
	case !s.text:
		s.begin(b)
	}
	if 'A' <= b && b <= 'Z' {
		b += 'a' - 'A'
	}
	if len(s.tail) == longestMarker {
		s.tail = append(s.tail[:0], s.tail[1:]...)
	}
	s.tail = append(s.tail, b)
}

// begin notes that b was written at the beginning of a line, where runners ignore white space of any kind.
func (s *stream) begin(b byte) {
	switch s.part = append(s.part, b); {
	case s.colon:
		s.text = true
	case b == ':' && len(s.part) == 1:
		s.colon = true
	case !utf8.FullRune(s.part):
		return
	default:
		r, _ := utf8.DecodeRune(s.part)
		s.text = !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) // which has no width, such as a byte order mark
	}
	s.part = s.part[:0]
}

// raw writes what runners shall obey.
func (s *stream) raw(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		_, s.err = io.WriteString(s.w, text)
	}
}

// failure is why something was not written; nil if all was.
func (s *stream) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// note prints what is worth knowing, next to the results.
func (to *console) note(text string) {
	fmt.Fprintf(to.err, "pixcert: %s: %s\n", to.language.Say("note"), text)
}

// warn prints what is probably not as the user wants it.
func (to *console) warn(text string) {
	fmt.Fprintf(to.err, "pixcert: %s: %s\n", to.language.Say("warning"), text)
}

// display returns how to show a run on the terminal.
func (to *console) display() progress.Options {
	options := displayOf(to.out)
	options.Language, options.Titles = to.language, featuresIn(to.language).Titles
	return options
}

func displayOf(w io.Writer) progress.Options {
	if c, ok := w.(commandWriter); ok {
		w = c.Writer
	}
	if s, ok := w.(*stream); ok {
		w = s.w
	}
	if f, ok := w.(*os.File); ok {
		return progress.Detect(f, os.Getenv)
	}
	return progress.Options{}
}
