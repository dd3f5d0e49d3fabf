// Package shell writes words for a shell: sh, and bash, zsh or ksh for bytes that sh has
// no way to write.
package shell

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Part is a piece of a word: text as it is, or the value of a variable.
type Part struct {
	Text     string
	Variable string // without its dollar sign; Text is empty then
}

// Quote is s as one word, in quotes where it needs them.
func Quote(s string) string { return Word(Part{Text: s}) }

// Command is a command of these words.
func Command(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = Quote(word)
	}
	return strings.Join(quoted, " ")
}

// Word is the parts as one word.
func Word(parts ...Part) string {
	if len(parts) == 1 && isPlain(parts[0].Text) {
		return parts[0].Text
	}
	if spelled, ok := doubleQuoted(parts); ok {
		return spelled
	}
	var out strings.Builder
	for _, p := range parts {
		switch {
		case p.Variable != "":
			out.WriteString(`"$` + p.Variable + `"`)
		case p.Text == "":
		case needsEscapes(p.Text):
			out.WriteString("$'" + octal(p.Text, `\'`) + "'")
		default:
			out.WriteString("'" + strings.ReplaceAll(p.Text, "'", `'\''`) + "'")
		}
	}
	if out.Len() == 0 {
		return "''"
	}
	return out.String()
}

// Printf is a command that prints the parts. It can print a NUL, which no word can hold.
func Printf(parts ...Part) string {
	var format, arguments strings.Builder
	for _, p := range parts {
		if p.Variable != "" {
			format.WriteString("%s")
			arguments.WriteString(` "$` + p.Variable + `"`)
			continue
		}
		format.WriteString(strings.ReplaceAll(octal(p.Text, `\-'`), "%", "%%"))
	}
	return "printf '" + format.String() + "'" + arguments.String()
}

var (
	humps    = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	notNames = regexp.MustCompile(`[^A-Z0-9_]+`)
)

// VariableName is the name of a field or header as that of a variable: TRANSACTION_ID for
// transactionId, X_API_KEY for X-Api-Key.
func VariableName(name string) string {
	spelled := notNames.ReplaceAllString(strings.ToUpper(humps.ReplaceAllString(name, "${1}_$2")), "_")
	if spelled == "" || spelled[0] >= '0' && spelled[0] <= '9' {
		return "_" + spelled
	}
	return spelled
}

// InName says whether b can be part of the name of a variable.
func InName(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z'
}

// isPlain says whether s is one word without quotes.
func isPlain(s string) bool {
	for i := range len(s) {
		if !InName(s[i]) && strings.IndexByte("-./:", s[i]) < 0 {
			return false
		}
	}
	return s != ""
}

// doubleQuoted is the spelling that reads best for a word with variables, if nothing in
// the word needs more: "Authorization: Bearer $TOKEN".
func doubleQuoted(parts []Part) (string, bool) {
	var out strings.Builder
	variables := 0
	for i, p := range parts {
		joined := i > 0 && parts[i-1].Variable != "" && p.Text != "" && InName(p.Text[0])
		if strings.ContainsAny(p.Text, "\"$`\\!") || needsEscapes(p.Text) || joined {
			return "", false
		}
		out.WriteString(p.Text)
		if p.Variable != "" {
			variables++
			out.WriteString("$" + p.Variable)
		}
	}
	return `"` + out.String() + `"`, variables > 0
}

// octal writes control characters, bytes that are not UTF-8, and the characters of also as
// three octal digits: no shell reads a fourth.
func octal(s, also string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		for _, b := range []byte(s[i : i+size]) {
			if IsHidden(r) || strings.ContainsRune(also, r) {
				fmt.Fprintf(&out, `\%03o`, b)
			} else {
				out.WriteByte(b)
			}
		}
		i += size
	}
	return out.String()
}

func needsEscapes(s string) bool {
	return !utf8.ValidString(s) || strings.ContainsFunc(s, IsHidden)
}

// IsHidden: nobody could see r in a text, or copy it from there.
func IsHidden(r rune) bool {
	return r == utf8.RuneError || r != '\n' && r != '\t' && !unicode.IsPrint(r)
}
