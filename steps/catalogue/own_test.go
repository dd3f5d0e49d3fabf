package catalogue

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ownFeature = `Feature: F
@a.b @A-001
Rule: R
Scenario: S
When it is
Then it was
`

// ownDir is a directory with files; an empty text makes a directory.
func ownDir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		if text == "" {
			require.NoError(t, os.Mkdir(path, 0o755))
			continue
		}
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

func TestReadOwn(t *testing.T) {
	t.Parallel()
	dir := ownDir(t, map[string]string{
		"b.feature": ownFeature, "notes.md": "x", ".hidden.feature": "x", ".git/c.feature": "x", "elsewhere/text": ownFeature,
	})
	require.NoError(t, os.Symlink(filepath.Join(dir, "elsewhere", "text"), filepath.Join(dir, "a.feature")))
	own, err := ReadOwn(dir)
	require.NoError(t, err)
	require.Equal(t, Own{dir, []Source{{dir + "/a.feature", ownFeature}, {dir + "/b.feature", ownFeature}}}, own)

	elsewhere, err := ReadOwn(ownDir(t, map[string]string{"a.feature": ownFeature, "b.feature": ownFeature}))
	require.NoError(t, err)
	assert.Equal(t, own.Digest(), elsewhere.Digest())
	elsewhere.Sources[1].Text += "#"
	assert.NotEqual(t, own.Digest(), elsewhere.Digest())
	assert.Empty(t, Own{}.Digest())
}

// Some editors write a byte order mark.
func TestReadOwnWithAByteOrderMark(t *testing.T) {
	t.Parallel()
	own, err := ReadOwn(ownDir(t, map[string]string{"a.feature": "\ufeffFeature: R$\u00a01\n"}))
	require.NoError(t, err)
	assert.Equal(t, "Feature: R$\u00a01\n", own.Sources[0].Text)
}

func TestReadOwnRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		err   string
	}{
		"no features":    {map[string]string{"a.txt": "x"}, "expected .feature files in DIR, got none"},
		"a subdirectory": {map[string]string{"a.feature": ownFeature, "more/b.feature": "x"}, "DIR/more/b.feature: subdirectories are not read; move the file to DIR"},
		"a directory":    {map[string]string{"a.feature": ""}, "DIR/a.feature: expected a file, got a directory"},
		"a huge file":    {map[string]string{"a.feature": strings.Repeat("#", 2<<20)}, "DIR/a.feature: expected at most 1024 KiB, got 2048 KiB"},
		"UTF-16":         {map[string]string{"a.feature": "\xff\xfeF\x00"}, "DIR/a.feature: the file is in UTF-16; save it in UTF-8"},
		"a no-break space": {map[string]string{"a.feature": "Feature: R$\u00a01\n  Rule: R$\u00a01\n    Scenario: a\n      Given \"R$\u00a01\" the\u00a0account\n"},
			"DIR/a.feature:4: column 23: a no-break space (U+00A0), which only looks like a space or like nothing; delete it, or type a space"},
		"a no-break indent": {map[string]string{"a.feature": "Feature: a\n\u202fRule: b\n"}, "DIR/a.feature:2: column 1: a narrow no-break space (U+202F)"},
		"another charset":   {map[string]string{"a.feature": "Feature: \xe9"}, "DIR/a.feature: expected text in UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := ownDir(t, c.files)
			_, err := ReadOwn(dir)
			require.ErrorContains(t, err, strings.ReplaceAll(c.err, "DIR", dir))
		})
	}
	dir := ownDir(t, map[string]string{"a.txt": "x"})
	_, err := ReadOwn(filepath.Join(dir, "none"))
	require.ErrorContains(t, err, "no such file or directory")
	_, err = ReadOwn(filepath.Join(dir, "a.txt"))
	require.ErrorContains(t, err, "is not a directory; pass the directory of the file")
	require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, "b.feature")))
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "c.feature"), 0o600))
	_, err = ReadOwn(dir)
	require.ErrorContains(t, err, "b.feature: no such file")
	require.ErrorContains(t, err, "c.feature: expected a file, got a pipe or device")
}

func suite(t *testing.T) *Catalogue {
	t.Helper()
	c, err := Load(withStatements(feature(ruleLine + scenario)))
	require.NoError(t, err)
	return c
}

func TestWith(t *testing.T) {
	t.Parallel()
	text := "@team\n" + strings.Replace(ownFeature, "@a.b", "@mine.b @slow", 1)
	c, err := suite(t).With(Own{Sources: []Source{{"rules/x.feature", text}}})
	require.NoError(t, err)
	require.Len(t, c.Features, 2)
	own := c.Features[1]
	assert.True(t, own.Own)
	assert.False(t, c.Features[0].Own)
	assert.Equal(t, []string{"@mine.b", "@slow", "@A-001", OwnTag}, own.Rules[0].Tags)
	assert.Equal(t, []string{"@team", "@mine.b", "@slow", "@A-001", OwnTag}, own.Rules[0].Scenarios[0].Tags)
	assert.Equal(t, []string{"A-001"}, own.Rules[0].Statements)
	for tags, rules := range map[string]int{OwnTag: 1, "not @own": 1, "@team": 1, "@mine": 1, "@A-001": 1, "@own or @a": 2} {
		selected, err := c.Select(Filter{Tags: tags})
		require.NoError(t, err, tags)
		assert.Len(t, selected, rules, tags)
	}
	_, err = suite(t).Select(Filter{Tags: OwnTag})
	require.EqualError(t, err, "no scenario has the tag @own, which marks your own rules; pass their directory with --features")
}

func TestWithRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, err string }{
		"a name of pixcert's": {ownFeature, "x.feature:3: duplicate rule name @a.b, also at pixcert's a.feature:3; choose another one"},
		"no Then":             {strings.Replace(ownFeature, "Then it was", "And it was", 1), `x.feature:4: the scenario "S" has no Then, so it tests nothing`},
		"no rule":             {"Feature: F\n", `x.feature:1: the feature "F" has no rules`},
		"no scenario":         {"Feature: F\n@m.b\nRule: R\n", `x.feature:3: the rule "R" has no scenarios`},
		"no name":             {"Feature: F\nRule: R\n" + scenario, `x.feature:2: the rule "R": expected exactly one tag of the form @area.name, its name, got 0`},
		"unknown statement":   {strings.Replace(ownFeature, "@A-001", "@A-009", 1), "x.feature:2: statements.tsv has no statement A-009; correct the tag"},
		"no Gherkin":          {"nonsense", "x.feature:1: expected: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := suite(t).With(Own{Sources: []Source{{"x.feature", c.text}}})
			require.ErrorContains(t, err, c.err)
		})
	}
	mine := strings.Replace(ownFeature, "@a.b", "@m.b", 1)
	_, err := suite(t).With(Own{Sources: []Source{{"x.feature", mine}, {"y.feature", mine}}})
	require.EqualError(t, err, "y.feature:3: duplicate rule name @m.b, also at x.feature:3; choose another one")
}

// No rule of pixcert's has the tag of the user's.
func TestNoRuleOfPixcertIsOwn(t *testing.T) {
	t.Parallel()
	for s := range embedded(t).Scenarios() {
		assert.NotContains(t, s.Tags, OwnTag)
		assert.NotRegexp(t, `^own\.`, s.Rule.Name)
	}
}
