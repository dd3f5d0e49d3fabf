package baseline

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Updated is a baseline of an earlier version with the kinds of its failures.
type Updated struct {
	Content []byte
	Added   int   // entries that got a kind
	Unseen  []int // lines of entries without one, because no report shows their failure
	Unclear []int // the same, because what they list is of several kinds
}

// Update adds to the entries of a baseline that have texts only what these failures are, which reports show. Everything
// else stays as it is: order, comments, reasons, owners and expiry dates.
func Update(file string, content []byte, runs ...*verdict.Run) (Updated, error) {
	before, err := Parse(file, content)
	if err != nil {
		return Updated{}, err
	}
	u, want, text := Updated{}, slices.Clone(before.entries), newLines(content)
	nodes, err := entryNodes(content)
	if err != nil {
		return Updated{}, err
	}
	for i, e := range slices.Backward(before.entries) { // so that the lines of those before stay the same
		if e.What.Kind != "" {
			continue
		}
		switch seen := e.seenIn(runs); len(seen) {
		case 0:
			u.Unseen = append(u.Unseen, e.line)
		case 1:
			want[i].What = seen[0]
			if err := text.insert(nodes[i], seen[0]); err != nil {
				return Updated{}, fmt.Errorf("%s:%d: %w", file, e.line, err)
			}
			u.Added++
		default:
			u.Unclear = append(u.Unclear, e.line)
		}
	}
	slices.Reverse(u.Unseen)
	slices.Reverse(u.Unclear)
	u.Content = text.bytes()
	after, err := Parse(file, u.Content)
	if err != nil || !slices.EqualFunc(after.entries, want, func(a, b entry) bool { return reflect.DeepEqual(a.written, b.written) }) {
		return Updated{}, errors.Join(fmt.Errorf("%s: cannot add kinds to this layout; print the file anew with pixcert baseline", file), err)
	}
	return u, nil
}

// seenIn returns what the failures of runs are that the entry lists.
func (e entry) seenIn(runs []*verdict.Run) (all []what) {
	for _, run := range runs {
		for _, s := range run.Scenarios {
			isKept := s.Operation() != "" || e.Operation == "" // without the exchange, less is known of a failure than of the entry
			if (s.Verdict.Failing() || s.Blocked()) && s.IsTyped() && isKept && e.is(s) && !slices.Contains(all, whatOf(s)) {
				all = append(all, whatOf(s))
			}
		}
	}
	return all
}

// entryNodes are the entries of a file that Parse accepts.
func entryNodes(content []byte) ([]*yaml.Node, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(content, &document); err != nil {
		return nil, err
	}
	members := document.Content[0].Content
	for i := 0; i+1 < len(members); i += 2 {
		if members[i].Value == "failures" {
			return members[i+1].Content, nil
		}
	}
	return nil, nil
}

// lines are a text by line, with the ends of the lines.
type lines struct {
	all []string
	end string
}

func newLines(content []byte) lines {
	text := string(content)
	end := "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	return lines{strings.SplitAfter(text, "\n"), end}
}

func (l lines) bytes() []byte { return []byte(strings.Join(l.all, "")) }

// insert adds fields to an entry: before its texts, as Write does, or else before its second field.
func (l lines) insert(entry *yaml.Node, more what) error {
	var fields yaml.Node
	if err := fields.Encode(more); err != nil {
		return err
	}
	quoteMarkers(&fields)
	isFlow := entry.Style&yaml.FlowStyle != 0
	if isFlow {
		fields.Style = yaml.FlowStyle
	}
	text, err := yaml.Marshal(&fields)
	if err != nil {
		return err
	}
	before := entry.Content[2]
	for i := 2; i < len(entry.Content); i += 2 {
		if entry.Content[i].Value == "expected" {
			before = entry.Content[i]
		}
	}
	line := &l.all[before.Line-1]
	runes := []rune(*line)
	indent := string(runes[:before.Column-1])
	if isFlow {
		*line = indent + strings.Trim(string(text), "{}\n") + ", " + string(runes[before.Column-1:])
		return nil
	}
	added := ""
	for field := range strings.Lines(string(text)) {
		added += indent + strings.TrimSuffix(field, "\n") + l.end
	}
	*line = added + *line
	return nil
}
