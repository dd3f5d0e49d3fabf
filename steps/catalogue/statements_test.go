package catalogue

import (
	"maps"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const statementsText = statementsHeader + `
A-001	Payments	The gateway accepts a payment.	
A-002	Payments	The gateway answers 201.	
A-003	Payments	Clients should wait.	Advice to clients.
`

// withStatements adds to files.
func withStatements(files fstest.MapFS) fstest.MapFS {
	all := maps.Clone(files)
	all[statementsFile] = &fstest.MapFile{Data: []byte(statementsText)}
	return all
}

func TestStatements(t *testing.T) {
	t.Parallel()
	const row = statementsHeader + "\nA-001\tPayments\tIt pays.\t\n"
	for name, c := range map[string]struct {
		text, err  string
		statements []Statement
	}{
		"two": {text: row + "B-001\tEvents\tIt tells.\tNot shown.\n", statements: []Statement{
			{"A-001", "Payments", "It pays.", ""}, {"B-001", "Events", "It tells.", "Not shown."}}},
		"no end of line":   {text: statementsHeader + "\nA-001\tPayments\tIt pays.\t", statements: []Statement{{"A-001", "Payments", "It pays.", ""}}},
		"end of line CRLF": {text: statementsHeader + "\r\nA-001\tPayments\tIt pays.\t\r\n", statements: []Statement{{"A-001", "Payments", "It pays.", ""}}},
		"the same text of another subject": {text: row + "A-002\tEvents\tIt pays.\t\n", statements: []Statement{
			{"A-001", "Payments", "It pays.", ""}, {"A-002", "Events", "It pays.", ""}}},
		"none":            {text: statementsHeader + "\n"},
		"empty":           {text: "", err: `statements.tsv:1: expected the header "id\tsubject\tstatement\tnote", got an empty file`},
		"no header":       {text: "A-001\tPayments\tIt pays.\t\n", err: `statements.tsv:1: expected the header "id\tsubject\tstatement\tnote", got "A-001\tPayments\tIt pays.\t"`},
		"three columns":   {text: row + "A-002\tPayments\tIt waits.\n", err: "statements.tsv:3: expected 4 columns (id, subject, statement, note) separated by tabs, got 3"},
		"an empty line":   {text: row + "\n", err: "statements.tsv:3: expected 4 columns (id, subject, statement, note) separated by tabs, got 1"},
		"lower-case id":   {text: row + "a-002\tPayments\tIt waits.\t\n", err: `statements.tsv:3: expected an id such as OUT-067, got "a-002"`},
		"id of two parts": {text: row + "A-1-002\tPayments\tIt waits.\t\n", err: `statements.tsv:3: expected an id such as OUT-067, got "A-1-002"`},
		"no subject":      {text: row + "A-002\t\tIt waits.\t\n", err: "statements.tsv:3: A-002 has no subject"},
		"no statement":    {text: row + "A-002\tPayments\t\t\n", err: "statements.tsv:3: A-002 has no statement"},
		"white space":     {text: row + "A-002\tPayments\tIt waits. \t\n", err: `statements.tsv:3: column 3 begins or ends with white space: "It waits. "`},
		"id twice":        {text: row + "A-001\tPayments\tIt waits.\t\n", err: "statements.tsv:3: duplicate id A-001, also at line 2"},
		"text twice":      {text: row + "A-002\tPayments\tIt pays.\t\n", err: "statements.tsv:3: A-002 duplicates the statement at line 2"},
		"two errors":      {text: row + "A-001\tPayments\tIt waits.\t\n\n", err: "line 2\nstatements.tsv:4: expected 4 columns"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			statements, err := Statements(fstest.MapFS{statementsFile: {Data: []byte(c.text)}})
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, c.statements, statements)
		})
	}
	_, err := Statements(fstest.MapFS{})
	require.ErrorContains(t, err, "reading the statements")
}

func TestLoadReadsStatements(t *testing.T) {
	t.Parallel()
	const rules = "Feature: F\n@a.b @slow\n@A-001\n@A-002\nRule: R\n" + scenario + "@a.c @A-002\nRule: Q\n" + scenario
	c, err := Load(withStatements(feature(rules)))
	require.NoError(t, err)
	r, q := c.Features[0].Rules[0], c.Features[0].Rules[1]
	assert.Equal(t, "a.b", r.Name)
	assert.Equal(t, []string{"A-001", "A-002"}, r.Statements)
	assert.Equal(t, []string{"@a.b", "@slow", "@A-001", "@A-002"}, r.Tags)
	assert.Equal(t, []string{"A-002"}, q.Statements)

	require.Len(t, c.Statements, 3)
	s, found := c.Statement("A-003")
	assert.True(t, found)
	assert.Equal(t, Statement{"A-003", "Payments", "Clients should wait.", "Advice to clients."}, s)
	_, found = c.Statement("A-004")
	assert.False(t, found)
	assert.Equal(t, []*Rule{r}, c.RulesShowing("A-001"))
	assert.Equal(t, []*Rule{r, q}, c.RulesShowing("A-002"))
	assert.Empty(t, c.RulesShowing("A-003"))
}

func TestLoadRefusesBrokenStatements(t *testing.T) {
	t.Parallel()
	files := feature("Feature: F\n@a.b @A-001\nRule: R\n" + scenario)
	_, err := Load(files)
	require.EqualError(t, err, "a.feature:2: statements.tsv has no statement A-001; correct the tag")
	files[statementsFile] = &fstest.MapFile{Data: []byte(statementsText + "?\n")}
	_, err = Load(files)
	require.EqualError(t, err, "statements.tsv:5: expected 4 columns (id, subject, statement, note) separated by tabs, got 1")
}
