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
	"github.com/pixcert/pixcert/steps/plaintext"
)

// source reads the YAML of a profile, and what it refers to.
type source struct {
	fields
	getenv   func(string) (string, bool)
	outline  bool     // assume that what is not available here is correct
	absent   []string // what that needs: names of variables, paths as written
	replaced []string // fields whose values do not count
}

const (
	largest = 1 << 20 // bytes of a profile, and of each file in it
	deepest = 8       // levels of a profile
)

// read reads the only YAML document of a file. It returns false if its fields cannot be checked.
func (s *source) read() bool {
	text, err := contents(s.file)
	if err != nil {
		s.errs = append(s.errs, FieldError{File: s.file, Text: "cannot read the profile: " + err.Error()})
		return false
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF), err == nil && len(document.Content) == 0:
		s.add(1, "", "the profile is empty; run pixcert init to create one")
		return false
	case err != nil:
		s.broken(text, err)
		return false
	}
	top := document.Content[0]
	if _, isObject := s.take(top, "", 0, top.Line).(map[string]any); !isObject {
		s.add(top.Line, "", "expected fields such as url: https://gateway.example, got %s; run pixcert init to create a profile", kindOf(top))
		return false
	}
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		s.broken(text, err)
	default:
		s.add(second.Line, "", "expected one YAML document, got a second one after ---; move it to another file")
	}
	return true
}

// contents reads a file, up to a maximum size.
func contents(name string) ([]byte, error) {
	f, err := os.Open(name)
	switch {
	case err != nil && (strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")):
		return nil, errors.New("expected a file, got a URL; for the base URL of a gateway, use --url")
	case err != nil:
		return nil, fmt.Errorf("%w; create it or correct the path", reasonOf(err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, largest+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w; correct the path", reasonOf(err))
	case len(text) > largest:
		return nil, fmt.Errorf("larger than %d bytes; is this the right file?", largest)
	}
	return plaintext.Read(text)
}

// reasonOf returns why a file cannot be read, without its path, which may contain the value of a
// variable.
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

// broken reports invalid YAML. Three common causes have their own errors: tabs and no-break spaces look like
// spaces, and the braces of a variable end the braces around it.
func (s *source) broken(text []byte, err error) {
	number := 0
	for line := range bytes.Lines(text) {
		number++
		code, _, _ := bytes.Cut(line, []byte(" #"))
		if odd, found := plaintext.Find(string(code)); found {
			s.add(number, "", "%s", odd)
			return
		}
		if indent.Match(line) {
			s.add(number, "", "expected spaces before the field, got a tab; indent YAML with spaces")
			return
		}
	}
	line := 1
	if match := lineOf.FindStringSubmatch(err.Error()); match != nil && match[1] != "" {
		line, _ = strconv.Atoi(match[1])
	}
	advice := "check this line and the lines around it"
	if braced.Match(text) {
		advice += `; quote variables between { and }: "${NAME}"`
	}
	s.add(line, "", "invalid YAML: %s; %s",
		lineOf.ReplaceAllString(err.Error(), ""), advice)
}

// take returns the value of a node, and stores the positions of everything in it.
func (s *source) take(node *yaml.Node, field string, depth, keyLine int) any {
	at := place{line: node.Line, keyLine: keyLine, written: node.Value}
	s.places[field] = at
	switch {
	case depth > deepest:
		s.fieldError(field, "nested deeper than %d levels; no field is that deep", deepest)
	case node.Kind == yaml.MappingNode:
		at.value = s.object(node, field, depth)
	case node.Kind == yaml.SequenceNode:
		list := make([]any, len(node.Content))
		for i, item := range node.Content {
			list[i] = s.take(item, fmt.Sprintf("%s[%d]", field, i), depth+1, item.Line)
		}
		at.value = list
	case node.Kind == yaml.AliasNode:
		s.fieldError(field, "expected a value, got the alias *%s; repeat the value, aliases are not supported", node.Value)
	default:
		at.value, at.put = s.scalar(node, field)
		if s.assumed[field] && !s.outline {
			at.value, at.put = "", nil
		}
	}
	s.places[field] = at
	return at.value
}

func (s *source) object(node *yaml.Node, field string, depth int) map[string]any {
	object := map[string]any{}
	first := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i], node.Content[i+1]
		named := below(field, name.Value)
		switch line, twice := first[name.Value]; {
		case name.Kind != yaml.ScalarNode:
			s.add(name.Line, field, "expected a field name, got %s; write name: value", kindOf(name))
		case hasOdd(name.Value):
			odd, _ := plaintext.Find(name.Value)
			odd.Column += name.Column - 1
			s.add(name.Line, field, "%s", odd)
		case twice:
			s.add(name.Line, named, "duplicate of the field in line %d; remove one of the two", line)
		default:
			first[name.Value] = name.Line
			object[name.Value] = s.take(value, named, depth+1, name.Line)
		}
	}
	return object
}

// scalar returns the value of a scalar, and the values inserted from variables or a file.
func (s *source) scalar(node *yaml.Node, field string) (value any, put []string) {
	switch node.ShortTag() {
	case "!!str", "!!timestamp":
		return s.filledIn(node.Value, field)
	case "!!null":
		return nil, nil
	case "!!bool":
		var truth bool
		if node.Decode(&truth) == nil {
			return truth, nil
		}
	case "!!int", "!!float":
		var number float64
		if node.Decode(&number) == nil && !math.IsInf(number, 0) && !math.IsNaN(number) {
			return number, nil
		}
	default:
		s.fieldError(field, "expected a plain value, got the YAML tag %s; remove the tag", exchange.Line(node.Tag))
		return nil, nil
	}
	s.fieldError(field, "expected a finite number or a quoted string")
	return nil, nil
}

const fileScheme = "file:"

// filledIn inserts variables and a file into a string.
func (s *source) filledIn(written, field string) (text string, put []string) {
	text, put = s.withVariables(written, field)
	if !strings.HasPrefix(written, fileScheme) {
		s.refuseOdd(text, written, field)
		return text, put
	}
	content, err := contents(s.beside(strings.TrimPrefix(text, fileScheme)))
	if err != nil && s.assume(field, strings.TrimPrefix(written, fileScheme)) {
		return written, put
	}
	if err != nil {
		s.fieldError(field, "cannot read %s (relative to the profile): %v", shown(strings.TrimPrefix(written, fileScheme)), err)
		return "", nil
	}
	text = strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r")
	if odd, found := plaintext.Find(text); found && !isProse(field) {
		s.fieldError(field, "%s, line %d, %s", shown(strings.TrimPrefix(written, fileScheme)), odd.Line, odd)
	}
	return text, []string{text}
}

// refuseOdd reports a no-break space in a value: in a URL, a path or a credential it is a mistake that cannot be
// seen.
func (s *source) refuseOdd(text, written, field string) {
	odd, found := plaintext.Find(text)
	switch _, visible := plaintext.Find(written); {
	case !found || isProse(field):
	case visible:
		s.fieldError(field, "the value has in %s", odd)
	default:
		s.fieldError(field, "the value of %s has in %s", shown(written), odd)
	}
}

func hasOdd(text string) bool {
	_, found := plaintext.Find(text)
	return found
}

// isProse reports whether a field may have any text.
func isProse(field string) bool {
	return field == "name" || strings.HasPrefix(field, "accounts[") && strings.HasSuffix(field, ".name") ||
		strings.HasPrefix(field, "image.env.") || strings.Contains(field, "command[")
}

var variable = regexp.MustCompile(`\$\$\{|\$\{([^{}]*)\}|\$\{`)

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// withVariables replaces ${NAME} by environment variables, and returns their values.
func (s *source) withVariables(written, field string) (text string, put []string) {
	text = variable.ReplaceAllStringFunc(written, func(found string) string {
		if found == "$${" {
			return "${"
		}
		name := strings.TrimSuffix(strings.TrimPrefix(found, "${"), "}")
		if !variableName.MatchString(name) {
			s.fieldError(field, "expected the name of an environment variable between ${ and }; write ${NAME}, or $${ for a literal ${")
			return ""
		}
		value, set := s.getenv(name)
		if value == "" && s.assume(field, name) {
			return found
		}
		put = append(put, value)
		switch {
		case !set:
			s.fieldError(field, "environment variable %s is not set; run export %s=...", name, name)
		case value == "":
			s.fieldError(field, "environment variable %s is empty; run export %s=...", name, name)
		}
		return value
	})
	return text, put
}

// assume assumes that a field is correct although it cannot be checked here; false if that is not
// allowed.
func (s *source) assume(field, what string) bool {
	replaced := slices.ContainsFunc(s.replaced, func(r string) bool { return field == r || strings.HasPrefix(field, r+".") })
	if !s.outline && !replaced {
		return false
	}
	s.assumed[field] = true
	if what = shown(what); !replaced && !slices.Contains(s.absent, what) {
		s.absent = append(s.absent, what)
	}
	return true
}

func (s *source) directory() string { return filepath.Dir(s.file) }

// beside resolves a path relative to the profile.
func (s *source) beside(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.directory(), name)
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
