package exchange

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// part is a piece of a shell word: text as it is, or a variable.
type part struct{ text, variable string }

func literal(s string) []part { return []part{{text: s}} }

// StandIn is a value of a run for which a shell variable stands in a command.
type StandIn struct {
	Value    string
	After    string // what stands before the value where it counts; empty for anything
	Variable string // without its dollar sign
}

// in finds where the value stands by itself in a text.
func (i StandIn) in(s string) []secret {
	var found []secret
	sought := i.After + i.Value
	for at := 0; i.Value != ""; {
		next := strings.Index(s[at:], sought)
		if next < 0 {
			break
		}
		from := at + next + len(i.After)
		at = from + len(i.Value)
		if at == len(s) || special(rune(s[at])) {
			found = append(found, secret{from: from, to: at, variable: i.Variable})
		}
	}
	return found
}

// variable is the name of a variable that belongs to the account of e.
func (e Exchange) variable(name string) string {
	if e.Other && name != "CONTROL_TOKEN" {
		return "OTHER_" + name
	}
	return name
}

// parts cuts s at its secrets and at what has a stand-in.
func (e Exchange) parts(s string, secrets []secret, standIns []StandIn) []part {
	var cut []part
	kept := 0
	for i := range secrets {
		secrets[i].variable = e.variable(secrets[i].variable)
	}
	for _, standIn := range standIns {
		secrets = append(secrets, standIn.in(s)...)
	}
	slices.SortStableFunc(secrets, func(a, b secret) int { return cmp.Compare(a.from, b.from) })
	secrets = apart(secrets)
	for _, secret := range secrets {
		cut = append(cut, part{text: s[kept:secret.from]}, part{variable: secret.variable})
		kept = secret.to
	}
	return append(cut, part{text: s[kept:]})
}

// quote makes one shell word of the parts.
func quote(word []part) string {
	if len(word) == 1 && word[0].text != "" && !strings.ContainsFunc(word[0].text, special) {
		return word[0].text
	}
	if spelled, ok := doubleQuoted(word); ok {
		return spelled
	}
	var out strings.Builder
	for _, p := range word {
		switch {
		case p.variable != "":
			out.WriteString(`"$` + p.variable + `"`)
		case p.text == "":
		case needsEscapes(p.text):
			out.WriteString("$'" + octal(p.text, `\'`) + "'")
		default:
			out.WriteString("'" + strings.ReplaceAll(p.text, "'", `'\''`) + "'")
		}
	}
	if out.Len() == 0 {
		return "''"
	}
	return out.String()
}

// doubleQuoted is the spelling that reads best for a word with variables, when
// nothing in the word needs more: "Authorization: Bearer $TOKEN".
func doubleQuoted(word []part) (string, bool) {
	var out strings.Builder
	variables := 0
	for i, p := range word {
		joined := i > 0 && word[i-1].variable != "" && p.text != "" && !special(rune(p.text[0]))
		if strings.ContainsAny(p.text, "\"$`\\!") || needsEscapes(p.text) || joined {
			return "", false
		}
		out.WriteString(p.text)
		if p.variable != "" {
			variables++
			out.WriteString("$" + p.variable)
		}
	}
	return `"` + out.String() + `"`, variables > 0
}

// special says whether r may mean something to a shell outside quotes, or end
// the name of a variable.
func special(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// printf is a command that prints the parts, whatever bytes they hold.
func printf(word []part) string {
	var format, arguments strings.Builder
	for _, p := range word {
		if p.variable != "" {
			format.WriteString("%s")
			arguments.WriteString(` "$` + p.variable + `"`)
			continue
		}
		format.WriteString(strings.ReplaceAll(octal(p.text, `\-'`), "%", "%%"))
	}
	return "printf '" + format.String() + "'" + arguments.String()
}

// octal is s with control characters, bytes that are not text, and those of
// also as three octal digits, the one escape that all shells end in one place.
func octal(s, also string) string {
	var out strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		for _, b := range []byte(s[i : i+size]) {
			if r != '\n' && acts(r) || strings.ContainsRune(also, r) {
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
	return !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && acts(r) })
}
