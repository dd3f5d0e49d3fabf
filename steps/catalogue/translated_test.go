package catalogue

import (
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/features"
)

// verbatim are the parts of a text that every language has in common: codes, paths, fields, dates and figures.
var verbatim = regexp.MustCompile(`\b[A-Z]+(?:_[A-Z]+)+\b|/[a-z][\w/{}-]*\w|\b[a-z]+[A-Z]\w*\b|\b\d[\d.:]*\d\b|` + "`[^`]*`")

// Amounts as Portuguese writes them: R$ 1.000,00.
var (
	thousands = regexp.MustCompile(`(R\$ \d{1,3}(?:\.\d{3})*)\.(\d{3})`)
	comma     = regexp.MustCompile(`(\d),(\d\d)\b`)
)

func verbatimIn(text string) []string {
	for thousands.MatchString(text) {
		text = thousands.ReplaceAllString(text, "$1$2")
	}
	return verbatim.FindAllString(comma.ReplaceAllString(text, "$1.$2"), -1)
}

// Each rule, statement and open point has a Portuguese text, which names the same codes, paths and figures, and no text
// is of something that does not exist.
func TestThePortugueseFeaturesAreComplete(t *testing.T) {
	t.Parallel()
	c, err := Load(features.FS)
	require.NoError(t, err)
	points, err := OpenPoints(features.FS)
	require.NoError(t, err)
	pt, err := Translated(features.Portuguese())
	require.NoError(t, err)

	same := func(name, english, portuguese string) {
		assert.NotEmpty(t, portuguese, "%s has no Portuguese text", name)
		assert.Subset(t, verbatimIn(portuguese), verbatimIn(english), "%s has other names or figures:\n%s\n%s", name, english, portuguese)
	}
	files, titles, statements, asked := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, feature := range c.Features {
		files[feature.File] = true
		assert.NotEmpty(t, pt.Features[feature.File], "%s has no Portuguese name", feature.File)
	}
	for rule := range c.Rules() {
		titles[rule.Name] = true
		same(rule.Name, rule.Title, pt.Titles[rule.Name])
	}
	for _, s := range c.Statements {
		statements[s.ID] = true
		same(s.ID, s.Text, pt.Statements[s.ID].Text)
		assert.Equal(t, s.Note == "", pt.Statements[s.ID].Note == "", "the note of %s", s.ID)
	}
	for _, p := range points {
		asked[p.Name] = true
		same(p.Name, p.Question, pt.OpenPoints[p.Name].Question)
		assert.NotEmpty(t, pt.OpenPoints[p.Name].Permitted, p.Name)
		assert.Len(t, pt.OpenPoints[p.Name].Readings, len(p.Readings), p.Name)
	}
	for file := range pt.Features {
		assert.True(t, files[file], "features.tsv: there is no feature %s", file)
	}
	for name := range pt.Titles {
		assert.True(t, titles[name], "rules.tsv: there is no rule %s", name)
	}
	for id := range pt.Statements {
		assert.True(t, statements[id], "statements.tsv: there is no statement %s", id)
	}
	for name := range pt.OpenPoints {
		assert.True(t, asked[name], "open-points.tsv: there is no open point %s", name)
	}
}

func TestATranslationKeepsNamesAndOwnTitles(t *testing.T) {
	t.Parallel()
	c := &Catalogue{
		Features:   []*Feature{{Rules: []*Rule{{Name: "a.b", Title: "English"}}}, {Own: true, Rules: []*Rule{{Name: "own.rule", Title: "Mine"}}}},
		Statements: []Statement{{ID: "OUT-001", Subject: "balance", Text: "English", Note: "note"}, {ID: "OUT-002", Text: "Untranslated"}},
	}
	pt := c.In(Translation{
		Titles:     map[string]string{"a.b": "Português", "own.rule": "nunca"},
		Statements: map[string]Statement{"OUT-001": {Text: "Português", Note: "nota"}},
	})
	var titles []string
	for rule := range pt.Rules() {
		titles = append(titles, rule.Name+": "+rule.Title)
	}
	assert.Equal(t, []string{"a.b: Português", "own.rule: Mine"}, titles)
	assert.Equal(t, []Statement{{"OUT-001", "balance", "Português", "nota"}, {ID: "OUT-002", Text: "Untranslated"}}, pt.Statements)
	assert.Equal(t, "English", c.Features[0].Rules[0].Title, "the original stays as it is")
}

func TestMistakesInATranslation(t *testing.T) {
	t.Parallel()
	const names, rules, statements, points = "file\tname\n", "rule\ttitle\n", "id\tstatement\tnote\n", "name\tquestion\tpermitted\treadings\tmeans\n"
	for want, files := range map[string][3]string{
		`rules.tsv:1: expected the header`:                                    {"a\n", statements, points},
		`rules.tsv:2: expected 2 columns separated by tabs, got 1`:            {rules + "a.b\n", statements, points},
		`statements.tsv:3: expected another name than "OUT-001"`:              {rules, statements + "OUT-001\ta\t\nOUT-001\tb\t\n", points},
		`open-points.tsv:2: expected a meaning for each of 2 readings, got 1`: {rules, statements, points + "a\tb?\tc\td | e\tf\n"},
	} {
		_, err := Translated(fstest.MapFS{"features.tsv": {Data: []byte(names)}, "rules.tsv": {Data: []byte(files[0])}, "statements.tsv": {Data: []byte(files[1])}, "open-points.tsv": {Data: []byte(files[2])}})
		assert.ErrorContains(t, err, want)
	}
}
