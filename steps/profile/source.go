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

// reader reads a profile: what stands in its file, and what is wrong so far. It knows each
// value by its field, as people write it: "accounts[0].certificate"; "" is the whole profile.
type reader struct {
	*schema
	said   any // the whole profile
	file   string
	getenv func(string) (string, bool)

	outline bool            // what is not on this machine is assumed to be right
	assumed map[string]bool // fields of which something is
	absent  []string        // what that is: names of variables, paths as they are written

	places   map[string]place // by field
	wrong    map[string]bool  // likewise
	mistakes Mistakes
	notes    []string
}

// place is where a value stands, how it is written there, and what it is.
type place struct {
	line, keyLine int
	written       string   // the text of a scalar, before variables and files are put in
	value         any      // map, list, text, number or truth, with variables and files put in
	put           []string // what variables or a file put in
}

func below(field, name string) string { return strings.TrimPrefix(field+"."+name, ".") }

// value is what stands at a field; nil for nothing, and for what is wrong: one mistake must
// not hide others.
func (r *reader) value(field string) any {
	if r.wrong[field] {
		return nil
	}
	return r.places[field].value
}

func (r *reader) text(field string) string {
	text, _ := r.value(field).(string)
	return text
}

func (r *reader) number(field string) float64 {
	number, _ := r.value(field).(float64)
	return number
}

func (r *reader) items(field string) []any {
	items, _ := r.value(field).([]any)
	return items
}

// pairs are the texts of a map, by their names.
func (r *reader) pairs(field string) map[string]string {
	object, ok := r.value(field).(map[string]any)
	if !ok {
		return nil
	}
	pairs := map[string]string{}
	for name := range object {
		pairs[name] = r.text(below(field, name))
	}
	return pairs
}

// given says whether the profile has a value there, be it right or wrong.
func (r *reader) given(field string) bool {
	_, there := r.places[field]
	return there
}

// written is what was written at a field, for a sentence.
func (r *reader) written(field string) string { return shown(r.places[field].written) }

const (
	largest = 1 << 20 // bytes of a profile, and of each file that it names
	deepest = 8       // levels of a profile
)

// read reads the one YAML document of a file. It is false where nothing can be said of
// its fields.
func (r *reader) read() bool {
	text, err := contents(r.file)
	if err != nil {
		r.mistakes = append(r.mistakes, Mistake{File: r.file, Text: err.Error()})
		return false
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF), err == nil && len(document.Content) == 0:
		r.add(1, "", "expected a profile, found nothing; pixcert init writes one")
		return false
	case err != nil:
		r.broken(text, err)
		return false
	}
	top := document.Content[0]
	r.said = r.take(top, "", 0, top.Line)
	if _, isObject := r.said.(map[string]any); !isObject {
		r.add(top.Line, "", "expected fields such as url: https://gateway.example, found %s; pixcert init writes a profile", kindOf(top))
		return false
	}
	switch err := decoder.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		r.broken(text, err)
	default:
		r.add(second.Line, "", "expected one profile, found a second document after ---; put it into a file of its own")
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

// broken notes that the YAML cannot be read. Two traps have errors of their own: a tab
// looks like the spaces that should stand there, and the braces of a variable end those
// around it.
func (r *reader) broken(text []byte, err error) {
	number := 0
	for line := range bytes.Lines(text) {
		if number++; indent.Match(line) {
			r.add(number, "", "expected spaces before the field, found a tab; YAML is indented with spaces")
			return
		}
	}
	line := 1
	if match := lineOf.FindStringSubmatch(err.Error()); match != nil && match[1] != "" {
		line, _ = strconv.Atoi(match[1])
	}
	advice := "check this line and the lines around it"
	if braced.Match(text) {
		advice += `; between { and }, a variable needs quotes: "${NAME}"`
	}
	r.add(line, "", "expected YAML, but it cannot be read: %s; %s",
		lineOf.ReplaceAllString(err.Error(), ""), advice)
}

// take is what a node says, and notes the places of all that is in it.
func (r *reader) take(node *yaml.Node, field string, depth, keyLine int) any {
	at := place{line: node.Line, keyLine: keyLine, written: node.Value}
	r.places[field] = at
	switch {
	case depth > deepest:
		r.mistake(field, "expected no more than %d levels, found another; no field is that deep", deepest)
	case node.Kind == yaml.MappingNode:
		at.value = r.object(node, field, depth)
	case node.Kind == yaml.SequenceNode:
		list := make([]any, len(node.Content))
		for i, item := range node.Content {
			list[i] = r.take(item, fmt.Sprintf("%s[%d]", field, i), depth+1, item.Line)
		}
		at.value = list
	case node.Kind == yaml.AliasNode:
		r.mistake(field, "expected a value, found the alias *%s; write the value itself, aliases are not followed", node.Value)
	default:
		at.value, at.put = r.scalar(node, field)
	}
	r.places[field] = at
	return at.value
}

func (r *reader) object(node *yaml.Node, field string, depth int) map[string]any {
	object := map[string]any{}
	first := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		name, value := node.Content[i], node.Content[i+1]
		named := below(field, name.Value)
		switch line, twice := first[name.Value]; {
		case name.Kind != yaml.ScalarNode:
			r.add(name.Line, field, "expected the name of a field, found %s; write name: value", kindOf(name))
		case twice:
			r.add(name.Line, named, "expected each field once, found it in line %d already; remove one of the two", line)
		default:
			first[name.Value] = name.Line
			object[name.Value] = r.take(value, named, depth+1, name.Line)
		}
	}
	return object
}

// scalar is what a single value says, and what variables or a file put into it.
func (r *reader) scalar(node *yaml.Node, field string) (value any, put []string) {
	switch node.ShortTag() {
	case "!!str", "!!timestamp":
		return r.filledIn(node.Value, field)
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
		r.mistake(field, "expected a plain value, found the YAML tag %s; leave the tag out", exchange.Line(node.Tag))
		return nil, nil
	}
	r.mistake(field, "expected a number within reason or a text in quotes, found one that is neither; correct it")
	return nil, nil
}

const fileScheme = "file:"

// filledIn is a text of the profile with variables and a file put into it.
func (r *reader) filledIn(written, field string) (text string, put []string) {
	text, put = r.withVariables(written, field)
	if !strings.HasPrefix(written, fileScheme) {
		return text, put
	}
	content, err := contents(r.beside(strings.TrimPrefix(text, fileScheme)))
	if err != nil && r.assume(field, strings.TrimPrefix(written, fileScheme)) {
		return written, put
	}
	if err != nil {
		r.mistake(field, "%v (%s is relative to the profile)", err, shown(strings.TrimPrefix(written, fileScheme)))
		return "", nil
	}
	text = strings.TrimSuffix(strings.TrimSuffix(string(content), "\n"), "\r")
	return text, []string{text}
}

var variable = regexp.MustCompile(`\$\$\{|\$\{([^{}]*)\}|\$\{`)

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// withVariables puts the environment's variables in the place of ${VAR}, and says what
// they held.
func (r *reader) withVariables(written, field string) (text string, put []string) {
	text = variable.ReplaceAllStringFunc(written, func(found string) string {
		if found == "$${" {
			return "${"
		}
		name := strings.TrimSuffix(strings.TrimPrefix(found, "${"), "}")
		if !variableName.MatchString(name) {
			r.mistake(field, "expected the name of an environment variable between ${ and }, found none; write ${NAME}, or $${ for a ${ that is no variable")
			return ""
		}
		value, set := r.getenv(name)
		if value == "" && r.assume(field, name) {
			return found
		}
		put = append(put, value)
		switch {
		case !set:
			r.mistake(field, "expected the environment variable %s, but it is not set; set it (export %s=...)", name, name)
		case value == "":
			r.mistake(field, "expected the environment variable %s to hold something, but it is empty; set it (export %s=...)", name, name)
		}
		return value
	})
	return text, put
}

// assume takes the value of a field for right, although what it needs is not here. False: it must
// be.
func (r *reader) assume(field, what string) bool {
	if !r.outline {
		return false
	}
	r.assumed[field] = true
	if what = shown(what); !slices.Contains(r.absent, what) {
		r.absent = append(r.absent, what)
	}
	return true
}

func (r *reader) directory() string { return filepath.Dir(r.file) }

// beside is a path as it stands in the profile, seen from the current directory.
func (r *reader) beside(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.directory(), name)
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
