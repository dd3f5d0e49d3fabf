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
	Rule         string            `yaml:"rule"`
	Scenarios    []string          `yaml:"scenarios,omitempty"`
	FoundBy      []string          `yaml:"foundBy,omitempty"`
	Intermittent bool              `yaml:"intermittent,omitempty"`
	Operation    string            `yaml:"operation,omitempty"`
	What         what              `yaml:",inline"`
	Expected     string            `yaml:"expected"`
	Got          string            `yaml:"got"`
	Amounts      map[string]string `yaml:"amounts,omitempty"` // got, by those expected, besides those of Expected and Got
	Reason       string            `yaml:"reason"`
	Owner        string            `yaml:"owner"`
	Expires      string            `yaml:"expires"`
}

func (w written) known() verdict.Known {
	return verdict.Known{Reason: w.Reason, Owner: w.Owner, Expires: w.Expires, Intermittent: w.Intermittent}
}

const head = `# Known failures of %s
# from %s, pixcert %s.
#
# "pixcert certify --baseline FILE" accepts these failures. The run fails if anything else
# fails, if a failure below is fixed (remove it), or if an entry has expired.
#
#   reason        why the failure is accepted for now
#   owner         who fixes it
#   expires       last day on which it is accepted, such as %s (São Paulo time); empty for never
#   intermittent  true if the failure comes and goes: a pass does not count as fixed
#
# operation, kind, the fields after it and amounts identify the failure; the words of expected and got may differ.
`

// Write prints the failures of runs of one gateway as a baseline, in the order of the features, and what could not be
// tested because of them. Known failures keep their reason, owner and expiry.
func Write(w io.Writer, runs ...*verdict.Run) error {
	all, from := *runs[0], []string{}
	all.Scenarios = nil
	for i, run := range runs {
		from = append(from, fmt.Sprintf("the run %s of %s", exchange.Line(run.ID), run.Started.Format(time.DateOnly)))
		if i > 0 {
			all.Rules = append(slices.Clip(all.Rules), run.Rules...)
		}
		all.Scenarios = append(all.Scenarios, listable(run)...)
	}
	expires := fmt.Sprintf("%d-12-31", all.Started.Year())
	if _, err := fmt.Fprintf(w, head, exchange.Line(all.Target), strings.Join(from, "\n# and "), exchange.Line(all.Version), expires); err != nil {
		return err
	}
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	var failures yaml.Node
	if err := failures.Encode(map[string][]written{"failures": failuresOf(&all, comesAndGoes(runs))}); err != nil {
		return err
	}
	quoteMarkers(&failures)
	if err := encoder.Encode(&failures); err != nil {
		return err
	}
	return errors.Join(encoder.Close(), writeUntested(w, untestedOf(runs)))
}

// quoteMarkers puts texts into double quotes that a log may have to show with an escape, because a CI system would take
// them for a command.
func quoteMarkers(node *yaml.Node) {
	if node.Kind == yaml.ScalarNode && (strings.Contains(node.Value, "##") || strings.Contains(node.Value, "section_")) {
		node.Style = yaml.DoubleQuotedStyle
	}
	for _, below := range node.Content {
		quoteMarkers(below)
	}
}

// listable are the scenarios of a run without those that were cut off when it ended.
func listable(run *verdict.Run) []verdict.Scenario {
	return slices.DeleteFunc(slices.Clone(run.Scenarios), func(s verdict.Scenario) bool { return run.Ended != nil && s.Blocked() })
}

// comesAndGoes tells of scenarios, and of violations found in passing, whether they both fail and do not: in the
// attempts of a run, or in several runs.
func comesAndGoes(runs []*verdict.Run) map[string]bool {
	fails, passes := map[string]bool{}, map[string]bool{}
	for _, run := range runs {
		for _, s := range listable(run) {
			fails[s.ID()] = fails[s.ID()] || s.Verdict.Failing() || s.Blocked()
			passes[s.ID()] = passes[s.ID()] || s.Via == "" && s.Intermittent() || s.Verdict == verdict.Pass || s.Verdict == verdict.Warning
		}
	}
	for _, run := range runs {
		for _, other := range runs {
			for _, s := range other.Scenarios {
				isFound := func(o verdict.Scenario) bool { return o.Rule == s.Rule && o.FailsLike(s) }
				ran := func(o verdict.Scenario) bool { return o.ID() == s.Via && o.Verdict != verdict.NotRun }
				if s.Via != "" && slices.ContainsFunc(run.Scenarios, ran) && !slices.ContainsFunc(run.Scenarios, isFound) {
					passes[s.ID()] = true
				}
			}
		}
	}
	maps.DeleteFunc(fails, func(id string, failed bool) bool { return !failed || !passes[id] })
	return fails
}

func failuresOf(run *verdict.Run, flaky map[string]bool) []written {
	type group struct {
		rule                 string
		is                   verdict.Identity
		reads                verdict.Signature // if nothing says what it is
		breach, intermittent bool
		known                verdict.Known
	}
	all, of := []written{}, map[group][]int{}
	for _, result := range run.Results() {
		for _, s := range result.Scenarios {
			if !s.Verdict.Failing() && !s.Blocked() {
				continue
			}
			w := writtenOf(s)
			w.Intermittent = w.Intermittent || flaky[s.ID()] || flaky[s.Via]
			g := group{rule: s.Rule, breach: s.Via != "", intermittent: w.Intermittent, known: w.known()}
			if s.IsTyped() {
				g.is = s.Identity()
			} else {
				g.reads = s.Signature()
			}
			same := slices.IndexFunc(of[g], func(i int) bool { return !all[i].contradicts(s) })
			if same < 0 {
				of[g] = append(of[g], len(all))
				all = append(all, w)
				continue
			}
			i := of[g][same]
			all[i].note(s.Amounts())
			all[i].Scenarios = union(all[i].Scenarios, w.Scenarios)
			all[i].FoundBy = union(all[i].FoundBy, w.FoundBy)
		}
	}
	return all
}

// union adds to a list what it lacks.
func union(list, more []string) []string {
	for _, name := range more {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// note adds amounts that the entry does not have.
func (w *written) note(a verdict.Amounts) {
	if a.Expected == "" || a == verdict.AmountsOf(w.Expected, w.Got) || w.Intermittent {
		return
	}
	if w.Amounts == nil {
		w.Amounts = map[string]string{}
	}
	w.Amounts[a.Expected] = a.Got
}

func writtenOf(s verdict.Scenario) written {
	w := written{Rule: s.Rule, Operation: s.Operation(), What: whatOf(s), Intermittent: s.Intermittent()}
	if s.Via == "" {
		w.Scenarios = []string{s.Name}
	} else {
		w.FoundBy = []string{s.Via}
	}
	if s.Finding != nil {
		w.Expected, w.Got = s.Finding.Expected, s.Finding.Got
	}
	if s.Known != nil {
		w.Intermittent = w.Intermittent || s.Known.Intermittent
		w.Reason, w.Owner, w.Expires = s.Known.Reason, s.Known.Owner, s.Known.Expires
	}
	return w
}

// Parse reads a baseline. All errors are reported at once, with line numbers; with them comes what could be read, if
// it is YAML.
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
	found.members(document.Content[0], "the file", []string{"failures", "untested"}, func(name string, value *yaml.Node) bool {
		switch {
		case name != "failures" && name != "untested":
			return false
		case value.Kind != yaml.SequenceNode:
			found.add(value.Line, "%s: expected a list; write [] for none", name)
			return true
		}
		for _, item := range value.Content {
			if name == "failures" {
				b.entries = append(b.entries, found.entry(item))
			} else {
				b.untested = append(b.untested, found.untested(item))
			}
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
	fields := slices.Concat(slices.Collect(maps.Keys(texts)), slices.Collect(maps.Keys(lists)), whatFields, []string{"intermittent", "amounts"})
	p.members(node, "an entry", fields, func(name string, value *yaml.Node) bool {
		text, list := texts[name], lists[name]
		switch {
		case p.what(&e.What, name, value):
		case text != nil:
			*text = p.text(name, value)
		case list != nil:
			*list = p.texts(name, value)
		case name == "amounts":
			if value.Decode(&e.Amounts) != nil {
				p.add(value.Line, "amounts: expected the amount got by each amount expected, as pixcert baseline prints it")
			}
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
	case e.What.Kind == "" && e.What != what{}:
		p.add(e.line, "kind: expected %s, got none; pixcert baseline prints it", oneOf(verdict.Kinds))
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

// members calls read for each member of a mapping; false for one that it does not know.
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
