package verdict

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Distinct returns what was expected and what was received so that they do not look equal. Values that differ only in
// their type get its name: expected "R$ 1234.56, a number", got "\"1234.56\", a string". Of strings that differ only
// in characters that cannot be told apart, those are escaped.
func Distinct(expected, got string) (string, string) {
	if got == "" || len(got) > 2*longestText || len(expected) > 2*longestText { // what is as long is cut first
		return expected, got
	}
	suffix := ""
	if before, found := strings.CutSuffix(expected, preferably); found {
		expected, suffix = before, preferably
	}
	_, value, named := strings.Cut(expected, toBe)
	if !named {
		value = expected
	}
	alternatives := strings.Split(value, " or ")
	seen := look(got)
	i := slices.IndexFunc(alternatives, func(one string) bool { return look(one) == seen })
	if i < 0 {
		return expected + suffix, got
	}
	one := alternatives[i]
	if typeOf(one) != typeOf(got) {
		one, got = one+typeOf(one), got+typeOf(got)
	} else {
		one, got = escaped(one), escaped(got)
	}
	if one == got {
		got += ", which only looks the same"
	}
	alternatives[i] = one
	return strings.TrimSuffix(expected, value) + strings.Join(alternatives, " or ") + suffix, got
}

const (
	preferably = ", preferably"
	toBe       = " to be "
)

// look is how a value looks to a person, without the quotes of a string and the sign of a currency.
func look(value string) string {
	value = strings.Trim(strings.TrimPrefix(value, "R$ "), `"`)
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.C, r) {
			return -1
		}
		return r
	}, norm.NFKC.String(value))
}

var number = regexp.MustCompile(`^-?\d+(\.\d+)?$`)

// typeOf names the JSON type of a value as findings spell it: ", a string"; empty for words such as absent.
func typeOf(value string) string {
	switch {
	case strings.HasPrefix(value, `"`):
		return ", a string"
	case strings.HasPrefix(value, "R$ "), number.MatchString(value):
		return ", a number"
	case value == "true", value == "false":
		return ", a boolean"
	case value == "null":
		return ", not a string"
	}
	return ""
}

func escaped(value string) string {
	quoted := strconv.QuoteToASCII(value)
	return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(quoted[1 : len(quoted)-1])
}
