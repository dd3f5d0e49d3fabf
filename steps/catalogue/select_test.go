package catalogue

import (
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTagsMean(t *testing.T) {
	t.Parallel()
	tags := []string{"@money", "@cash-out.covers-fee", "@slow"}
	for expr, want := range map[string]bool{
		"@money":                              true,
		"@token.issued":                       false,
		"not @money":                          false,
		"not not @money":                      true,
		"@money and @slow":                    true,
		"@money and @quick":                   false,
		"@quick or @slow":                     true,
		"@slow or @quick and @quick":          true, // and binds closer
		"(@slow or @quick) and @quick":        false,
		"not @quick and @slow":                true, // not binds closest
		"not (@quick and @slow)":              true,
		"not @slow or @money":                 true,
		`"@slow" and '@money'`:                true,
		`not"@quick"`:                         true,
		"(((@slow)))":                         true,
		"@slow AND NOT @quick Or @quick":      true,
		" \t@slow\n":                          true,
		"@cash-out":                           true,
		"@cash-out.*":                         true,
		"@cash":                               false,
		"@cash-out.covers":                    false,
		"@cash-out.covers-fee":                true,
		"@cash-out.covers-fee.*":              false,
		"@mon":                                false,
		"@cash-out and not @token":            true,
		"@token.* or @bearer or(@cash-out.*)": true,
	} {
		t.Run(expr, func(t *testing.T) {
			t.Parallel()
			matches, _, err := parseTags(expr)
			require.NoError(t, err)
			assert.Equal(t, want, matches(tags))
		})
	}
}

func TestParseTagsPointsAtErrors(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"":                             "position 1: expected a tag such as @cash-out.accepted, not, or an opening parenthesis, got the end",
		"@a and":                       "position 7: expected a tag such as @cash-out.accepted, not, or an opening parenthesis, got the end",
		"@a or or @b":                  `position 7: expected a tag such as @cash-out.accepted, not, or an opening parenthesis, got "or"`,
		"@a @b":                        `position 4: expected and, or, or the end, got "@b"`,
		"@a)":                          `position 3: expected and, or, or the end, got ")"`,
		"(@a":                          "position 4: expected and, or, or a closing parenthesis, got the end",
		"()":                           `position 2: expected a tag`,
		"@a && @b":                     `position 4: expected and, or, or the end, got "&&"; write and, or, not`,
		"@a,@b":                        `position 1: expected a tag such as @cash-out.accepted, not, or an opening parenthesis, got "@a,@b"; write and, or, not`,
		"!@a":                          `position 1: expected a tag such as @cash-out.accepted, not, or an opening parenthesis, got "!@a"; write and, or, not`,
		"cash-out":                     `got "cash-out"; a tag begins with @`,
		"é and @a":                     `position 1: `,
		"@é or x":                      `position 7: `,
		`"@a`:                          `got "\"@a"; its closing quote is missing`,
		`"a"`:                          `position 1: expected a tag`,
		`"@a b"`:                       `position 1: expected a tag`,
		"@":                            `position 1: expected a tag`,
		"not":                          "position 4: expected a tag",
		"@a and not )":                 `position 12: expected a tag`,
		strings.Repeat("(", 1_000_000): "position 102: expected no more than 100 levels of not and parentheses",
	} {
		t.Run(expr[:min(20, len(expr))], func(t *testing.T) {
			t.Parallel()
			_, _, err := parseTags(expr)
			require.ErrorContains(t, err, want)
		})
	}
}

func FuzzParseTags(f *testing.F) {
	for _, seed := range []string{"@a and not (@b or '@c.*')", "((", "not not @x", `"@a`, "@\xff", "@a\u00a0or\u2003@b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, expr string) {
		matches, named, err := parseTags(expr)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		negated, _, err := parseTags("not (" + expr + ")")
		if err != nil {
			require.ErrorContains(t, err, "levels", "what is an expression is one in parentheses too")
			return
		}
		require.NotEmpty(t, named)
		for _, tags := range [][]string{nil, {"@a"}, {"@a.b", "@c"}, named} {
			require.NotEqual(t, matches(tags), negated(tags))
		}
		for _, tag := range named {
			require.True(t, strings.HasPrefix(tag, "@") && utf8.RuneCountInString(tag) > 1)
		}
	})
}

func selectable(t *testing.T) *Catalogue {
	c, err := Load(withStatements(fstest.MapFS{
		"cash-out.feature": {Data: []byte("Feature: C\n@cash-out.accepted\n@A-001 @A-002\nRule: A\n" + scenario + "@slow\nScenario: T\nWhen x\n@cash-out.night-limit\nRule: N\n" + scenario)},
		"token.feature":    {Data: []byte("@auth\nFeature: T\n@token.issued\n@A-002\nRule: I\n" + scenario)},
	}))
	require.NoError(t, err)
	return c
}

func TestSelect(t *testing.T) {
	t.Parallel()
	c := selectable(t)
	for name, s := range map[string]struct {
		filter Filter
		want   []string
	}{
		"all":         {Filter{}, []string{"cash-out.accepted/S", "cash-out.accepted/T", "cash-out.night-limit/S", "token.issued/S"}},
		"blank":       {Filter{Tags: "  "}, []string{"cash-out.accepted/S", "cash-out.accepted/T", "cash-out.night-limit/S", "token.issued/S"}},
		"area":        {Filter{Tags: "@cash-out"}, []string{"cash-out.accepted/S", "cash-out.accepted/T", "cash-out.night-limit/S"}},
		"wildcard":    {Filter{Tags: "@token.*"}, []string{"token.issued/S"}},
		"of scenario": {Filter{Tags: "@slow"}, []string{"cash-out.accepted/T"}},
		"of feature":  {Filter{Tags: "@auth"}, []string{"token.issued/S"}},
		"statement":   {Filter{Tags: "@A-001"}, []string{"cash-out.accepted/S", "cash-out.accepted/T"}},
		"statements":  {Filter{Tags: "@A-002 and not @cash-out"}, []string{"token.issued/S"}},
		"rules":       {Filter{Rules: []string{"token.issued", "@cash-out.night-limit"}}, []string{"cash-out.night-limit/S", "token.issued/S"}},
		"both":        {Filter{Tags: "not @slow", Rules: []string{"cash-out.accepted"}}, []string{"cash-out.accepted/S"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			selected, err := c.Select(s.filter)
			require.NoError(t, err)
			var ids []string
			for _, scenario := range selected {
				ids = append(ids, scenario.ID())
			}
			assert.Equal(t, s.want, ids)
		})
	}
}

func TestSelectRefuses(t *testing.T) {
	t.Parallel()
	c := selectable(t)
	for name, s := range map[string]struct {
		filter Filter
		want   string
	}{
		"a misspelled tag":         {Filter{Tags: "not @cash-out.nigth-limit"}, "no scenario has the tag @cash-out.nigth-limit; did you mean @cash-out.night-limit?"},
		"a tag's last word":        {Filter{Tags: "@issued"}, "no scenario has the tag @issued; did you mean @token.issued?"},
		"an unknown tag":           {Filter{Tags: "@zzzzzzzz"}, "no scenario has the tag @zzzzzzzz; the areas are @auth, @cash-out, @slow, @token"},
		"an unknown area":          {Filter{Tags: "@tokne.*"}, "no scenario has the tag @tokne.*; did you mean @token?"},
		"a misspelled rule":        {Filter{Rules: []string{"token.isued"}}, "there is no rule token.isued; did you mean token.issued?"},
		"an area as a rule":        {Filter{Rules: []string{"cash-out"}}, "there is no rule cash-out; did you mean cash-out.accepted, cash-out.night-limit?"},
		"an unknown statement":     {Filter{Tags: "@A-004"}, "there is no statement A-004; the last one of A is A-003"},
		"a statement in lowercase": {Filter{Tags: "@a-001"}, "no scenario has the tag @a-001; did you mean @A-001?"},
		"an unknown section":       {Filter{Tags: "@ZZZZ-001"}, "no scenario has the tag @ZZZZ-001; the areas are @auth, @cash-out, @slow, @token"},
		"a statement without rule": {Filter{Tags: "@A-003"}, "no rule covers the statement A-003: Advice to clients."},
		"a statement as a rule":    {Filter{Rules: []string{"A-001"}}, "A-001 is a statement, not a rule; use the tag @A-001 to select the rules that cover it"},
		"an unknown rule":          {Filter{Rules: []string{"zzzzzzzz"}}, "there is no rule zzzzzzzz; the areas are cash-out, token"},
		"no such tags":             {Filter{Tags: "@slow and @auth"}, `the tag expression "@slow and @auth" matches no scenario, although each of its tags exists: widen it`},
		"nothing of both":          {Filter{Tags: "@slow", Rules: []string{"token.issued"}}, `the tag expression "@slow" matches none of the scenarios of token.issued: remove one of the two`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := c.Select(s.filter)
			require.EqualError(t, err, s.want)
		})
	}
	_, err := (&Catalogue{}).Select(Filter{})
	require.EqualError(t, err, "the features have no scenarios")
}
