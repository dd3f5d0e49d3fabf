package report

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/translation"
)

// span is a part of a text.
type span struct {
	Text   string
	Marked bool // it is what differs
}

// values are the parts of a finding's text that may be what differs: quoted text, and words with a digit or of capitals.
// URLs are among them, but never differ in what matters.
var values = regexp.MustCompile(`"[^"]*"|\bhttps?://\S+|[^\s,;:()"]*\d[^\s,;()"]*|\b[A-Z][A-Z_]{3,}\b`)

// coded splits a sentence into words and, marked, the names of fields that it has in backticks.
func coded(sentence string) (all []span) {
	for i, part := range strings.Split(sentence, "`") {
		all = append(all, span{part, i%2 == 1})
	}
	return all
}

// compared marks what a finding expected and did not get, and what it got instead.
func compared(expected, got string, in translation.Language) (a, b []span) {
	wanted, came := values.FindAllString(expected, -1), values.FindAllString(got, -1)
	said, from, moved := strings.Cut(got, in.Say(", from ")) // of a balance, which says the same again
	a, b = marked(expected, came), marked(said, wanted)
	if moved {
		b = append(b, span{in.Say(", from ") + from, false})
	}
	if len(came) == 0 && len(strings.Fields(got)) <= 3 { // "none", "unchanged"
		b = []span{{got, got != ""}}
	}
	if got == in.Recorded("none") {
		a = []span{{expected, false}}
	}
	return a, b
}

// marked marks the values of a text that are not among others.
func marked(text string, others []string) (all []span) {
	end := 0
	for _, at := range values.FindAllStringIndex(text, -1) {
		if value := text[at[0]:at[1]]; slices.Contains(others, value) || strings.HasPrefix(value, "http") && strings.Contains(value, "://") {
			continue
		}
		all = append(all, span{text[end:at[0]], false}, span{text[at[0]:at[1]], true})
		end = at[1]
	}
	return slices.DeleteFunc(append(all, span{text[end:], false}), func(s span) bool { return s.Text == "" })
}

// mark marks a field of a body, if it is indented JSON that has it. A finding names a field of a list item, or of an
// event in an envelope, without the path to that item or event.
func (b *readableBody) mark(field string) {
	if field == "" {
		return
	}
	var at path
	var spans []span
	plain := ""
	for line := range strings.Lines(b.Text) {
		if name := at.next(line); name == "" || !strings.HasSuffix("."+name, "."+field) {
			plain += line
			continue
		}
		value := strings.TrimSpace(line)
		before, after, _ := strings.Cut(line, value)
		spans = append(spans, span{plain + before, false}, span{value, true})
		plain = after
	}
	const most = 6 // spans: of the items of a long list, it does not say which
	if len(spans) > 0 && len(spans) <= most {
		b.Spans = append(spans, span{plain, false})
	}
}

// path is where a line of indented JSON is.
type path []level

// level is an object or an array around a line.
type level struct {
	key   string // of the last member of an object
	index int    // of the last item of an array; -1 before the first
	array bool
}

// String is how findings name fields: "data.items[0].id".
func (p path) String() string {
	var name strings.Builder
	for _, l := range p {
		if l.array {
			fmt.Fprintf(&name, "[%d]", l.index)
		} else {
			name.WriteString("." + l.key)
		}
	}
	return strings.TrimPrefix(name.String(), ".")
}

var member = regexp.MustCompile(`^"(?:[^"\\]|\\.)*": `)

// next reads a line. It returns the name of the member or the item that begins there; empty for none.
func (p *path) next(line string) string {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "}") || strings.HasPrefix(line, "]") {
		if len(*p) > 0 {
			*p = (*p)[:len(*p)-1]
		}
		return ""
	}
	if len(*p) > 0 {
		last := &(*p)[len(*p)-1]
		if last.array {
			last.index++
		} else if key := member.FindString(line); key != "" {
			_ = json.Unmarshal([]byte(strings.TrimSuffix(key, ": ")), &last.key) // what cannot be read has no name
			line = line[len(key):]
		}
	}
	name := p.String()
	if line == "{" || line == "[" {
		*p = append(*p, level{index: -1, array: line == "["})
	}
	return name
}
