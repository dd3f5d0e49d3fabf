package catalogue

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"
)

// Load reads every *.feature at the root of fsys, and statements.tsv if there is one.
// All errors that are found are joined, and each names file:line: a file that is no
// Gherkin; a scenario outside a Rule or without steps; a Rule without exactly one tag of
// the form @area.name, or without scenarios; such a tag elsewhere; a rule's name used
// twice; two scenarios of one rule with one name; a tag of the form @OUT-067 that is not
// on a Rule, that the Rule has twice, or that names no statement.
func Load(fsys fs.FS) (*Catalogue, error) {
	files, err := fs.Glob(fsys, "*.feature")
	if err != nil {
		return nil, fmt.Errorf("listing the feature files: %w", err)
	}
	if len(files) == 0 {
		return nil, errors.New("expected .feature files, got none")
	}
	c := &Catalogue{}
	var problems []error
	if c.Statements, err = Statements(fsys); err != nil && !errors.Is(err, fs.ErrNotExist) {
		problems = append(problems, err)
	}
	known := c.knownStatements()
	for _, file := range files {
		text, err := fs.ReadFile(fsys, file)
		if err != nil {
			problems = append(problems, fmt.Errorf("reading a feature: %w", err))
			continue
		}
		feature, err := parse(Source{file, string(text)}, known, false)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		c.Features = append(c.Features, feature)
	}
	problems = append(problems, c.namedTwice()...)
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Catalogue) knownStatements() map[string]bool {
	known := map[string]bool{}
	for _, s := range c.Statements {
		known[s.ID] = true
	}
	return known
}

// namedTwice finds rules that share a name.
func (c *Catalogue) namedTwice() (problems []error) {
	first := map[string]*Rule{}
	for rule := range c.Rules() {
		if other := first[rule.Name]; other != nil {
			of := ""
			if rule.Feature.Own && !other.Feature.Own {
				of = "pixcert's "
			}
			problems = append(problems, fmt.Errorf("%s:%d: duplicate rule name @%s, also at %s%s:%d; choose another one",
				rule.Feature.File, rule.Line, rule.Name, of, other.Feature.File, other.Line))
			continue
		}
		first[rule.Name] = rule
	}
	return problems
}

// reader turns one Gherkin document into a feature.
type reader struct {
	feature    *Feature
	statements map[string]bool // that a rule may name, by id
	problems   []error

	rules    map[string]*Rule  // of a scenario, by the id of its node
	lines    map[string]int    // of scenarios, steps and example rows, by id
	keywords map[string]string // of steps, by id
}

// parse reads a feature file. statements are the ids that its rules may name.
func parse(source Source, statements map[string]bool, own bool) (*Feature, error) {
	file := source.File
	nodes := 0
	newID := func() string { nodes++; return strconv.Itoa(nodes) }
	document, err := gherkin.ParseGherkinDocument(strings.NewReader(source.Text), newID)
	if err != nil {
		return nil, located(file, err)
	}
	r := &reader{
		feature: &Feature{File: file, Own: own}, statements: statements,
		rules: map[string]*Rule{}, lines: map[string]int{}, keywords: map[string]string{},
	}
	if document.Feature == nil {
		return nil, fmt.Errorf("%s:1: expected a Feature, got none", file)
	}
	r.readFeature(document.Feature)
	for _, pickle := range gherkin.Pickles(*document, file, newID) {
		r.readPickle(pickle)
	}
	r.checkRules()
	if own {
		r.own()
	}
	return r.feature, errors.Join(r.problems...)
}

var parserError = regexp.MustCompile(`^\((\d+):\d+\): (.*)$`)

// located formats the positions of the parser's errors as file:line.
func located(file string, err error) error {
	var all []error
	for line := range strings.Lines(err.Error()) {
		if m := parserError.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			all = append(all, fmt.Errorf("%s:%s: %s", file, m[1], m[2]))
		}
	}
	return cmp.Or(errors.Join(all...), fmt.Errorf("%s:1: %w", file, err))
}

func (r *reader) refuse(line int, format string, arguments ...any) {
	r.problems = append(r.problems, fmt.Errorf("%s:%d: %s", r.feature.File, line, fmt.Sprintf(format, arguments...)))
}

func (r *reader) readFeature(f *messages.Feature) {
	r.feature.Name, r.feature.Description = f.Name, dedented(f.Description)
	r.refuseRuleTags(f.Tags)
	for _, child := range f.Children {
		switch {
		case child.Background != nil:
			r.noteSteps(child.Background.Steps)
		case child.Scenario != nil:
			r.refuse(int(child.Scenario.Location.Line), "the scenario %q is outside of any Rule; move it into the rule that it tests", child.Scenario.Name)
		case child.Rule != nil:
			r.readRule(child.Rule)
		}
	}
}

// ruleName is the form of the tag that names a rule.
var ruleName = regexp.MustCompile(`^@[a-z0-9]+(-[a-z0-9]+)*\.[a-z0-9]+(-[a-z0-9]+)*$`)

func (r *reader) readRule(from *messages.Rule) {
	rule := &Rule{
		Title: from.Name, Description: dedented(from.Description),
		Feature: r.feature, Line: int(from.Location.Line), Tags: tagNames(from.Tags),
	}
	var names []string
	for _, tag := range rule.Tags {
		if strings.Contains(tag, ".") {
			names = append(names, tag)
		}
	}
	switch {
	case len(names) != 1:
		r.refuse(rule.Line, "the rule %q: expected exactly one tag of the form @area.name, its name, got %d", rule.Title, len(names))
	case !ruleName.MatchString(names[0]):
		r.refuse(rule.Line, "expected a rule name such as @area.name, in lower-case words with hyphens, got %s", names[0])
	default:
		rule.Name = strings.TrimPrefix(names[0], "@")
	}
	r.readStatements(rule, from.Tags)
	r.feature.Rules = append(r.feature.Rules, rule)
	for _, child := range from.Children {
		switch {
		case child.Background != nil:
			r.noteSteps(child.Background.Steps)
		case child.Scenario != nil:
			r.noteScenario(rule, child.Scenario)
		}
	}
}

// statementLike matches a tag that was probably meant to name a statement.
var statementLike = regexp.MustCompile(`^@[A-Z]+-?[0-9]+$`)

// readStatements notes the statements that a rule's tags name.
func (r *reader) readStatements(rule *Rule, tags []*messages.Tag) {
	for _, tag := range tags {
		line, id := int(tag.Location.Line), strings.TrimPrefix(tag.Name, "@")
		switch {
		case !statementLike.MatchString(tag.Name):
		case !statementID.MatchString(id):
			r.refuse(line, "expected a statement id such as @OUT-067, got %s", tag.Name)
		case slices.Contains(rule.Statements, id):
			r.refuse(line, "the rule %q has the tag %s twice", rule.Title, tag.Name)
		case !r.statements[id]:
			r.refuse(line, "%s has no statement %s; correct the tag", statementsFile, id)
		default:
			rule.Statements = append(rule.Statements, id)
		}
	}
}

func (r *reader) noteScenario(rule *Rule, s *messages.Scenario) {
	line := int(s.Location.Line)
	r.rules[s.Id] = rule
	r.lines[s.Id] = line
	r.noteSteps(s.Steps)
	r.refuseRuleTags(s.Tags)
	rows := 0
	for _, examples := range s.Examples {
		r.refuseRuleTags(examples.Tags)
		for _, row := range examples.TableBody {
			r.lines[row.Id] = int(row.Location.Line)
			rows++
		}
	}
	switch {
	case strings.TrimSpace(s.Name) == "":
		r.refuse(line, "the scenario has no name")
	case len(s.Steps) == 0:
		r.refuse(line, "the scenario %q has no steps", s.Name)
	case len(s.Examples) > 0 && rows == 0:
		r.refuse(line, "the outline %q has no examples", s.Name)
	}
}

func (r *reader) noteSteps(steps []*messages.Step) {
	for _, step := range steps {
		r.lines[step.Id] = int(step.Location.Line)
		r.keywords[step.Id] = strings.TrimSpace(step.Keyword)
	}
}

// refuseRuleTags rejects tags of the forms that only a rule may have.
func (r *reader) refuseRuleTags(tags []*messages.Tag) {
	for _, tag := range tags {
		switch {
		case strings.Contains(tag.Name, "."):
			r.refuse(int(tag.Location.Line), "%s looks like a rule name, which only a Rule may have", tag.Name)
		case isStatementTag(tag.Name):
			r.refuse(int(tag.Location.Line), "%s looks like a statement id, which only a Rule may have", tag.Name)
		}
	}
}

// checkRules rejects rules without scenarios, and scenarios of a rule that share a name.
func (r *reader) checkRules() {
	if len(r.feature.Rules) == 0 && len(r.problems) == 0 {
		r.refuse(1, "the feature %q has no rules", r.feature.Name)
	}
	for _, rule := range r.feature.Rules {
		if len(rule.Scenarios) == 0 {
			r.refuse(rule.Line, "the rule %q has no scenarios", rule.Title)
		}
		lines := map[string]int{}
		for _, s := range rule.Scenarios {
			if first, used := lines[s.Name]; used {
				r.refuse(s.Line, "duplicate scenario name %q, also at line %d; rename one, or put a <placeholder> into the name of an outline", s.Name, first)
				continue
			}
			lines[s.Name] = s.Line
		}
	}
}

func tagNames(tags []*messages.Tag) []string {
	var names []string
	for _, tag := range tags {
		names = append(names, tag.Name)
	}
	return names
}

// dedented returns a description without the indentation of its lines.
func dedented(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
