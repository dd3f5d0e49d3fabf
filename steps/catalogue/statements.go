package catalogue

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// Statement is one atomic requirement of the specification.
type Statement struct {
	ID      string // "OUT-067"
	Subject string // an endpoint, a payload or a theme: "POST /api/pix/cash-out"
	Text    string // one sentence
	Note    string // why no rule shows it, or why rules only warn; mostly empty
}

// AllEndpoints is the subject of statements about every endpoint.
const AllEndpoints = "All endpoints"

const (
	statementsFile   = "statements.tsv"
	statementsHeader = "id\tsubject\tstatement\tnote"
)

// statementID is the form of an id; as a tag, it follows an @.
var statementID = regexp.MustCompile(`^[A-Z]+-[0-9]{3}$`)

// Statements reads statements.tsv at the root of fsys: a header, then one statement a
// line with id, subject, statement and note, separated by tabs. Only the note may be
// empty. Ids are unique, and so is each text within its subject. All errors are joined,
// and each names file:line.
func Statements(fsys fs.FS) ([]Statement, error) {
	content, err := fs.ReadFile(fsys, statementsFile)
	if err != nil {
		return nil, fmt.Errorf("reading the statements: %w", err)
	}
	var (
		statements []Statement
		problems   []error
		number     int
	)
	refuse := func(format string, arguments ...any) {
		problems = append(problems, fmt.Errorf("%s:%d: %s", statementsFile, number, fmt.Sprintf(format, arguments...)))
	}
	ids, texts := map[string]int{}, map[[2]string]int{} // their lines
	for line := range strings.Lines(string(content)) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if number == 1 {
			if line != statementsHeader {
				refuse("expected the header %q, got %q", statementsHeader, line)
			}
			continue
		}
		s, problem := readStatement(line)
		if problem != "" {
			refuse("%s", problem)
			continue
		}
		text := [2]string{s.Subject, s.Text}
		switch {
		case ids[s.ID] > 0:
			refuse("duplicate id %s, also at line %d", s.ID, ids[s.ID])
		case texts[text] > 0:
			refuse("%s duplicates the statement at line %d", s.ID, texts[text])
		default:
			statements = append(statements, s)
		}
		ids[s.ID], texts[text] = number, number
	}
	if number == 0 {
		return nil, fmt.Errorf("%s:1: expected the header %q, got an empty file", statementsFile, statementsHeader)
	}
	return statements, errors.Join(problems...)
}

// readStatement reads a line, or says what is wrong with it.
func readStatement(line string) (_ Statement, problem string) {
	columns := strings.Split(line, "\t")
	if len(columns) != 4 {
		return Statement{}, fmt.Sprintf("expected 4 columns (id, subject, statement, note) separated by tabs, got %d", len(columns))
	}
	for i, column := range columns {
		if column != strings.TrimSpace(column) {
			return Statement{}, fmt.Sprintf("column %d begins or ends with white space: %q", i+1, column)
		}
	}
	s := Statement{ID: columns[0], Subject: columns[1], Text: columns[2], Note: columns[3]}
	switch {
	case !statementID.MatchString(s.ID):
		return Statement{}, fmt.Sprintf("expected an id such as OUT-067, got %q", s.ID)
	case s.Subject == "":
		return Statement{}, s.ID + " has no subject"
	case s.Text == "":
		return Statement{}, s.ID + " has no statement"
	}
	return s, ""
}

// Statement finds a statement by its id.
func (c *Catalogue) Statement(id string) (_ Statement, found bool) {
	i := slices.IndexFunc(c.Statements, func(s Statement) bool { return s.ID == id })
	if i < 0 {
		return Statement{}, false
	}
	return c.Statements[i], true
}

// TitleOf is the title of the rule with that name; empty if there is none.
func (c *Catalogue) TitleOf(name string) string {
	for rule := range c.Rules() {
		if rule.Name == name {
			return rule.Title
		}
	}
	return ""
}

// RulesShowing returns the rules that show the statement with that id, in the order of
// the features.
func (c *Catalogue) RulesShowing(id string) []*Rule {
	var rules []*Rule
	for rule := range c.Rules() {
		if slices.Contains(rule.Statements, id) {
			rules = append(rules, rule)
		}
	}
	return rules
}

// isStatementTag says whether a tag has the form of a statement's id.
func isStatementTag(tag string) bool {
	id, isTag := strings.CutPrefix(tag, "@")
	return isTag && statementID.MatchString(id)
}
