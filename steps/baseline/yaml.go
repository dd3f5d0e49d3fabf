package baseline

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/spelling"
	"github.com/pixcert/pixcert/steps/verdict"
)

// written is an entry as the file has it.
type written struct {
	Rule         string   `yaml:"rule"`
	Scenarios    []string `yaml:"scenarios,omitempty"`
	FoundBy      []string `yaml:"foundBy,omitempty"`
	Intermittent bool     `yaml:"intermittent,omitempty"`
	Operation    string   `yaml:"operation,omitempty"`
	Expected     string   `yaml:"expected"`
	Got          string   `yaml:"got"`
	Reason       string   `yaml:"reason"`
	Owner        string   `yaml:"owner"`
	Expires      string   `yaml:"expires"`
}

func (w written) known() verdict.Known {
	return verdict.Known{Reason: w.Reason, Owner: w.Owner, Expires: w.Expires}
}

const head = `# Known failures of %s
# from the run %s of %s, pixcert %s.
#
# "pixcert certify --baseline FILE" accepts these failures. The run fails if anything else
# fails, if a failure below is fixed (remove it), or if an entry has expired.
#
#   reason        why the failure is accepted for now
#   owner         who fixes it
#   expires       last day on which it is accepted, such as %s (São Paulo time); empty for never
#   intermittent  true if the failure comes and goes: a pass does not count as fixed
#
# expected and got identify the failure. Ids and times, and amounts if others are expected, may differ.
`

// Write prints the failures of a run as a baseline, in the order of the features. Known failures keep
// their reason, owner and expiry.
func Write(w io.Writer, run *verdict.Run) error {
	year := run.Started.Year()
	if _, err := fmt.Fprintf(w, head, exchange.Line(run.Target), exchange.Line(run.ID), run.Started.Format(time.DateOnly), exchange.Line(run.Version), fmt.Sprintf("%d-12-31", year)); err != nil {
		return err
	}
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	if err := encoder.Encode(map[string][]written{"failures": failuresOf(run)}); err != nil {
		return err
	}
	return encoder.Close()
}

func failuresOf(run *verdict.Run) []written {
	type kind struct {
		rule                 string
		cause                verdict.Signature
		breach, intermittent bool
		known                verdict.Known
	}
	comesAndGoes := map[string]bool{} // a scenario; what it finds in passing may do so, too
	for _, s := range run.Scenarios {
		comesAndGoes[s.ID()] = s.Via == "" && s.Intermittent()
	}
	all, of := []written{}, map[kind][]int{}
	for _, result := range run.Results() {
		for _, s := range result.Scenarios {
			if !s.Verdict.Failing() {
				continue
			}
			w := writtenOf(s)
			w.Intermittent = w.Intermittent || comesAndGoes[s.Via]
			k := kind{s.Rule, s.Signature(), s.Via != "", w.Intermittent, w.known()}
			same := slices.IndexFunc(of[k], func(i int) bool {
				return w.Intermittent || !verdict.OtherAmount(&verdict.Finding{Expected: all[i].Expected, Got: all[i].Got}, s.Finding)
			})
			if same < 0 {
				of[k] = append(of[k], len(all))
				all = append(all, w)
				continue
			}
			i := of[k][same]
			all[i].Scenarios = append(all[i].Scenarios, w.Scenarios...)
			all[i].FoundBy = append(all[i].FoundBy, w.FoundBy...)
		}
	}
	return all
}

func writtenOf(s verdict.Scenario) written {
	w := written{Rule: s.Rule, Operation: s.Operation(), Intermittent: s.Intermittent()}
	if s.Via == "" {
		w.Scenarios = []string{s.Name}
	} else {
		w.FoundBy = []string{s.Via}
	}
	if s.Finding != nil {
		w.Expected, w.Got = s.Finding.Expected, s.Finding.Got
	}
	if s.Known != nil {
		w.Reason, w.Owner, w.Expires = s.Known.Reason, s.Known.Owner, s.Known.Expires
	}
	return w
}

// Parse reads a baseline. All errors are reported at once, with line numbers.
func Parse(file string, content []byte) (*Baseline, error) {
	found := problems{file: file}
	var document yaml.Node
	if err := yaml.Unmarshal(content, &document); err != nil {
		return nil, fmt.Errorf("%s: expected YAML as pixcert baseline prints it: %w", file, err)
	}
	b := &Baseline{File: file}
	if len(document.Content) == 0 {
		return nil, fmt.Errorf("%s: expected a list of failures, got an empty file; print one with pixcert baseline", file)
	}
	found.members(document.Content[0], "the file", []string{"failures"}, func(name string, value *yaml.Node) bool {
		if name != "failures" {
			return false
		}
		if value.Kind != yaml.SequenceNode {
			found.add(value.Line, "failures: expected a list; write [] for none")
			return true
		}
		for _, item := range value.Content {
			b.entries = append(b.entries, found.entry(item))
		}
		return true
	})
	return b, found.err()
}

func (p *problems) entry(node *yaml.Node) entry {
	e, before := entry{line: node.Line}, len(p.all)
	texts := map[string]*string{
		"rule": &e.Rule, "operation": &e.Operation, "expected": &e.Expected, "got": &e.Got, "reason": &e.Reason, "owner": &e.Owner, "expires": &e.Expires,
	}
	lists := map[string]*[]string{"scenarios": &e.Scenarios, "foundBy": &e.FoundBy}
	fields := slices.Concat(slices.Collect(maps.Keys(texts)), slices.Collect(maps.Keys(lists)), []string{"intermittent"})
	p.members(node, "an entry", fields, func(name string, value *yaml.Node) bool {
		text, list := texts[name], lists[name]
		switch {
		case text != nil:
			*text = p.text(name, value)
		case list != nil:
			*list = p.texts(name, value)
		case name != "intermittent":
			return false
		case value.Decode(&e.Intermittent) != nil:
			p.add(value.Line, "intermittent: expected true or false, got %s", value.Value)
		}
		if _, err := time.Parse(time.DateOnly, e.Expires); name == "expires" && e.Expires != "" && err != nil {
			p.add(value.Line, "expires: expected a date such as 2026-12-31, got %s", value.Value)
		}
		return true
	})
	switch {
	case node.Kind != yaml.MappingNode || len(p.all) > before: // what is missing may be what is misspelt
	case e.Rule == "":
		p.add(e.line, "rule: expected the name of a rule, got none")
	case len(e.Scenarios) == 0 && len(e.FoundBy) == 0:
		p.add(e.line, "scenarios: expected the names of scenarios, got none; remove the entry if all are fixed")
	case len(e.Scenarios) > 0 && len(e.FoundBy) > 0:
		p.add(e.line, "expected scenarios or foundBy, got both; split the entry")
	}
	return e
}

type problems struct {
	file string
	all  []error
}

func (p *problems) add(line int, format string, args ...any) {
	p.all = append(p.all, fmt.Errorf("%s:%d: %s", p.file, line, fmt.Sprintf(format, args...)))
}

func (p *problems) err() error { return errors.Join(p.all...) }

// members calls read for each member of a mapping; false for one that is not among the known.
func (p *problems) members(node *yaml.Node, what string, known []string, read func(name string, value *yaml.Node) bool) {
	if node.Kind != yaml.MappingNode {
		p.add(node.Line, "expected %s to have fields, such as those printed by pixcert baseline", what)
		return
	}
	var seen []string
	for i := 0; i+1 < len(node.Content); i += 2 {
		name := node.Content[i]
		switch {
		case slices.Contains(seen, name.Value):
			p.add(name.Line, "%s: duplicate field; remove one", name.Value)
		case !read(name.Value, node.Content[i+1]):
			meant := "pixcert baseline prints all fields"
			if near := spelling.Nearest(name.Value, known, 1); len(near) > 0 {
				meant = "did you mean " + near[0] + "?"
			}
			p.add(name.Line, "%s: unknown field; %s", strings.TrimSpace(exchange.Line(name.Value)), meant)
		}
		seen = append(seen, name.Value)
	}
}

func (p *problems) text(name string, node *yaml.Node) string {
	if node.Kind != yaml.ScalarNode {
		p.add(node.Line, "%s: expected a string", name)
		return ""
	}
	if node.Tag == "!!null" {
		return ""
	}
	return node.Value
}

func (p *problems) texts(name string, node *yaml.Node) (all []string) {
	if node.Kind != yaml.SequenceNode {
		p.add(node.Line, "%s: expected a list", name)
		return nil
	}
	for _, item := range node.Content {
		all = append(all, p.text(name, item))
	}
	return all
}
