package exchange

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible is s with everything spelled out that a terminal or a browser would
// act on rather than show: control characters, characters without a width or
// that turn the direction of writing, spaces that only look like one, and
// bytes that are not UTF-8. Line feeds and tabs stay.
func Visible(s string) string {
	if !strings.ContainsFunc(s, acts) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, s[i])
		case acts(r):
			quoted := strconv.QuoteRuneToASCII(r)
			out.WriteString(quoted[1 : len(quoted)-1])
		default:
			out.WriteString(s[i : i+size])
		}
		i += size
	}
	return out.String()
}

// Line is Visible on a single line: runs of white space become one space.
func Line(s string) string { return Visible(strings.Join(strings.Fields(s), " ")) }

func acts(r rune) bool {
	return r == utf8.RuneError || r != '\n' && r != '\t' && !unicode.IsPrint(r)
}
