package profile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pixcert/pixcert/steps/exchange"
)

// source is a profile as it stands in its file: what it says, where each value stands,
// and what is wrong so far.
type source struct {
	file   string
	getenv func(string) (string, bool)

	outline bool            // what is not on this machine is assumed to be right
	assumed map[string]bool // values of which something is
	absent  []string        // what that is: names of variables, paths as they are written

	said     any // maps, lists, texts, numbers and truths, with variables and files put in
	places   map[string]place
	wrong    map[string]bool
	mistakes Mistakes
}

// path leads from the top of a profile to a value: names and indices.
type path []string

func at(steps ...any) path {
	p := make(path, len(steps))
	for i, step := range steps {
		p[i] = fmt.Sprint(step)
	}
	return p
}

func (p path) key() string {
	var key strings.Builder
	for _, step := range p {
		key.WriteString("\x00" + step)
	}
	return key.String()
}

func (p path) below(step string) path { return append(p[:len(p):len(p)], step) }

// place is where a value stands and how it is written there.
type place struct {
	line, keyLine int
	field         string   // "accounts[0].id"
	written       string   // the text of a scalar, before variables and files are put in
	put           []string // what variables or a file put in
}

const (
	largest = 1 << 20 // bytes of a profile, and of each file that it names
	deepest = 8       // levels of a profile
)

// read reads the one YAML document of a file. It is false where nothing can be said of
// its fields.
func (s *source) read() bool {
	text, err := contents(s.file)
	if err != nil {
		s.mistakes = append(s.mistakes, Mistake{File: s.file, Text: err.Error()})
		return false
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		s.general(1, "expected a profile, found nothing; pixcert init writes one")
		return false
	case err != nil:
		s.broken(text, err)
		return false
	}
	if len(document.Content) == 0 {
		s.general(1, "expected a profile, found nothing; pixcert init writes one")
		return false
	}
	top := document.Content[0]
	s.said = s.value(top, nil, "", top.Line)
	if _, isObject := s.said.(map[string]any); !isObject {
		s.general(top.Line, "expected fields such as url: https://gateway.example, found %s; pixcert init writes a profile", kindOf(top))
		return false
	}
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		s.broken(text, err)
	default:
		s.general(second.Line, "expected one profile, found a second document after ---; put it into a file of its own")
	}
	return true
}

// contents reads a file that is neither missing nor a directory nor without end.
func contents(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("expected a file, but it cannot be read: %w; create it, or correct its path", reasonOf(err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, largest+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("expected a file, but it cannot be read: %w; correct its path", reasonOf(err))
	case len(text) > largest:
		return nil, fmt.Errorf("expected at most %d bytes, found more; is that the right file?", largest)
	}
	return text, nil
}

// reasonOf is why a file cannot be read, without the path, which may be made of a
// variable that nobody may see.
func reasonOf(err error) error {
	var failed *os.PathError
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}

var (
	lineOf = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	indent = regexp.MustCompile(`^ *\t\s*\S`)
	braced = regexp.MustCompile(`[{,][^"'#\n]*[:,\s]\$\{`)
)

// broken notes that the YAML cannot be read. Two traps are told of by themselves: a tab
// looks like the spaces that should stand there, and the braces of a variable end those
// around it.
func (s *source) broken(text []byte, err error) {
	number := 0
	for line := range bytes.Lines(text) {
		if number++; indent.Match(line) {
			s.general(number, "expected spaces before the field, found a tab; YAML is indented with spaces")
			return
		}
	}
	match := lineOf.FindStringSubmatch(err.Error())
	line := 1
	if match != nil && match[1] != "" {
		line, _ = strconv.Atoi(match[1])
	}
	advice := "check this line and the lines around it"
	if braced.Match(text) {
		advice += `; between { and }, a variable needs quotes: "${NAME}"`
	}
	s.general(line, "expected YAML, but it cannot be read: %s; %s",
		lineOf.ReplaceAllString(err.Error(), ""), advice)
}

// value is what a node says, and notes the places of all that is in it.
func (s *source) value(node *yaml.Node, p path, field string, keyLine int) any {
	s.places[p.key()] = place{line: node.Line, keyLine: keyLine, field: field, written: node.Value}
	if len(p) > deepest {
		s.mistake(p, "expected no more than %d levels, found another; no field is that deep", deepest)
		return nil
	}
	switch node.Kind {
	case yaml.MappingNode:
		return s.object(node, p, field)
	case yaml.SequenceNode:
		list := make([]any, len(node.Content))
		for i, item := range node.Content {
			list[i] = s.value(item, p.below(strconv.Itoa(i)), fmt.Sprintf("%s[%d]", field, i), item.Line)
		}
		return list
	case yaml.AliasNode:
		s.mistake(p, "expected a value, found the alias *%s; write the value itself, aliases are not followed", node.Value)
		return nil
	default:
		return s.scalar(node, p)
	}
}

func (s *source) object(node *yaml.Node, p path, field string) map[string]any {
	object := map[string]any{}
	first := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i], node.Content[i+1]
		below := p.below(name.Value)
		named := strings.TrimPrefix(field+"."+exchange.Line(name.Value), ".")
		switch line, twice := first[name.Value]; {
		case name.Kind != yaml.ScalarNode:
			s.add(name.Line, field, "expected the name of a field, found %s; write name: value", kindOf(name))
		case twice:
			s.add(name.Line, named, "expected each field once, found it in line %d already; remove one of the two", line)
		default:
			first[name.Value] = name.Line
			object[name.Value] = s.value(value, below, named, name.Line)
		}
	}
	return object
}

// scalar is what a single value says. A number that cannot be held exactly is none.
func (s *source) scalar(node *yaml.Node, p path) any {
	switch node.ShortTag() {
	case "!!str", "!!timestamp":
		return s.text(node.Value, p)
	case "!!null":
		return nil
	case "!!bool":
		var truth bool
		if node.Decode(&truth) == nil {
			return truth
		}
	case "!!int":
		var number int64
		if node.Decode(&number) == nil {
			return number
		}
	case "!!float":
		var number float64
		if node.Decode(&number) == nil && !math.IsInf(number, 0) && !math.IsNaN(number) {
			return number
		}
	default:
		s.mistake(p, "expected a plain value, found the YAML tag %s; leave the tag out", exchange.Line(node.Tag))
		return nil
	}
	s.mistake(p, "expected a number within reason or a text in quotes, found one that is neither; correct it")
	return nil
}

const fileScheme = "file:"

// text puts variables and a file into a text that is written in the profile.
func (s *source) text(written string, p path) string {
	text, put := s.withVariables(written, p)
	if strings.HasPrefix(written, fileScheme) {
		content, err := contents(s.beside(strings.TrimPrefix(text, fileScheme)))
		if err != nil && s.assume(p, strings.TrimPrefix(written, fileScheme)) {
			return written
		}
		if err != nil {
			s.mistake(p, "%w (%s is relative to the profile)", err, shown(strings.TrimPrefix(written, fileScheme)))
			return ""
		}
		text = strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r")
		put = []string{text}
	}
	if put != nil {
		where := s.places[p.key()]
		where.put = put
		s.places[p.key()] = where
	}
	return text
}

var variable = regexp.MustCompile(`\$\$\{|\$\{([^{}]*)\}|\$\{`)

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// withVariables puts the environment's variables in the place of ${VAR}, and says what
// they held.
func (s *source) withVariables(written string, p path) (text string, put []string) {
	text = variable.ReplaceAllStringFunc(written, func(found string) string {
		if found == "$${" {
			return "${"
		}
		name := strings.TrimSuffix(strings.TrimPrefix(found, "${"), "}")
		if !variableName.MatchString(name) {
			s.mistake(p, "expected the name of an environment variable between ${ and }, found none; write ${NAME}, or $${ for a ${ that is no variable")
			return ""
		}
		value, set := s.getenv(name)
		if value == "" && s.assume(p, name) {
			return found
		}
		put = append(put, value)
		switch {
		case !set:
			s.mistake(p, "expected the environment variable %s, but it is not set; set it (export %s=...)", name, name)
		case value == "":
			s.mistake(p, "expected the environment variable %s to hold something, but it is empty; set it (export %s=...)", name, name)
		}
		return value
	})
	return text, put
}

// beside is a path as it stands in the profile, seen from the current directory.
func (s *source) beside(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(s.file), name)
}

// given says whether the profile has a value there, be it right or wrong.
func (s *source) given(p path) bool {
	_, there := s.places[p.key()]
	return there
}

// assume takes the value at p for right, although what it needs is not here. False: it must be.
func (s *source) assume(p path, what string) bool {
	if !s.outline {
		return false
	}
	s.assumed[p.key()] = true
	if what = shown(what); !slices.Contains(s.absent, what) {
		s.absent = append(s.absent, what)
	}
	return true
}

// mistake notes what is wrong with the value at p, unless something is known to be.
func (s *source) mistake(p path, format string, args ...any) {
	if s.wrong[p.key()] || s.assumed[p.key()] {
		return
	}
	s.wrong[p.key()] = true
	where := s.places[p.key()]
	s.add(where.line, where.field, format, args...)
}

// lacks notes that the value at p has no field of that name.
func (s *source) lacks(p path, name, format string, args ...any) {
	missing := p.below(name)
	if s.wrong[missing.key()] || s.wrong[p.key()] {
		return
	}
	s.wrong[missing.key()] = true
	where := s.places[p.key()]
	s.add(where.keyLine, strings.TrimPrefix(where.field+"."+name, "."), format, args...)
}

func (s *source) general(line int, format string, args ...any) { s.add(line, "", format, args...) }

func (s *source) add(line int, field, format string, args ...any) {
	s.mistakes = append(s.mistakes, Mistake{File: s.file, Line: line, Field: field, Text: fmt.Errorf(format, args...).Error()})
}

func kindOf(node *yaml.Node) string {
	switch {
	case node.Kind == yaml.MappingNode:
		return "fields"
	case node.Kind == yaml.SequenceNode:
		return "a list"
	case node.Kind == yaml.AliasNode:
		return "an alias"
	case node.ShortTag() == "!!null":
		return "nothing"
	default:
		return "a single value"
	}
}
