package exchange

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pixcert/pixcert/steps/shell"
)

// Visible escapes everything in s that a terminal or a browser would act on instead of showing it:
// control characters, characters that have no width or change the direction of writing, characters
// that look like a space, and bytes that are not UTF-8. Line feeds and tabs are kept.
func Visible(s string) string {
	if !strings.ContainsFunc(s, shell.IsHidden) {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, s[i])
		case shell.IsHidden(r):
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

// Excerpt returns a text as a Line. Beyond so many characters, an ellipsis replaces the rest.
func Excerpt(s string, most int) string {
	runes := []rune(Line(s[:min(len(s), 4*most)]))
	if len(runes) > most || len(s) > 4*most {
		return string(runes[:min(len(runes), most)]) + "…"
	}
	return string(runes)
}
