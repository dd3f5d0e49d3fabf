package translation

import (
	"bytes"
	"cmp"
	_ "embed"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

// Results are recorded in English, whatever the language of their reader, so that reports of every language compare.
// What a recorded text says is read from it again: recorded.pt.yaml has its forms, as the code that makes the text has
// them. In a form, %s is a part that has a form of its own or a value, %n a name without spaces, %d a number, %q a
// quotation, and %v anything, in words that stay as they are.

// Recorded is a recorded English text in the language; so is each part between semicolons. A text of no known form stays
// English, as a whole, so that no sentence is in two languages.
func (in Language) Recorded(english string) string {
	if in.isEnglish() || len(english) > longest {
		return english
	}
	return recorded().Texts.translate(english)
}

// Request is a request as steps name it, "a cash-out of R$ 10.00", in the language.
func (in Language) Request(english string) string {
	if in.isEnglish() || len(english) > longest {
		return english
	}
	return recorded().Requests.translate(english)
}

const (
	longest = 4 << 10 // bytes of a text that is worth reading
	deepest = 5       // parts in parts

	// mostTried is how many forms are tried on a text, a form on a long part counting once per 256 bytes. Forms such as
	// "%s or %s" match in many ways, so that a text that a target chose could take a second otherwise. Those of pixcert
	// that have a translation take up to 15,000.
	mostTried = 50_000
)

// reading is one text that is translated.
type reading struct {
	forms
	tried int
}

func (all forms) translate(english string) string {
	r := &reading{forms: all}
	if text, _ := r.translate(english, deepest); r.tried <= mostTried {
		return text
	}
	return english
}

// translate returns the text in Portuguese, and whether nothing of it is English. It gives up once too much was tried.
func (r *reading) translate(english string, depth int) (_ string, whole bool) {
	if depth == 0 {
		return english, isValue(english)
	}
	for _, f := range r.forms {
		if r.tried += 1 + len(english)/256; r.tried > mostTried {
			return english, false
		}
		if m := f.english.FindStringSubmatch(english); m != nil {
			if text, whole := f.translate(m[1:], r, depth); whole {
				return text, true
			}
		}
	}
	parts := strings.Split(english, "; ")
	if len(parts) == 1 {
		return english, isValue(english)
	}
	whole = true
	for i, part := range parts {
		text, is := r.translate(part, depth-1)
		parts[i], whole = text, whole && is
	}
	return strings.Join(parts, "; "), whole
}

// isValue reports whether a text has no words but names and values, such as "400 PIX_INVALID_AMOUNT" or `R$ 10.00`.
func isValue(text string) bool {
	text = strings.TrimSpace(quotation.ReplaceAllString(text, ""))
	return !strings.Contains(text, " ") || !word.MatchString(text)
}

var (
	quotation = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`")
	word      = regexp.MustCompile(`(?:^|[ (])[a-z]{2,}(?:[ ,.:;)]|$)`)
)

// forms are those of recorded texts, the most specific first.
type forms []form

type form struct {
	english    *regexp.Regexp
	specific   int    // characters that do not vary
	verbs      []byte // of what varies
	portuguese string // with the same verbs, numbered if their order differs: %[2]s
}

// verb is what varies in a form.
var verb = regexp.MustCompile(`%(?:\[(\d+)\])?([sdnqv])`)

func formOf(english, portuguese string) form {
	var pattern strings.Builder
	end, f := 0, form{portuguese: portuguese}
	literal := func(text string) {
		pattern.WriteString(regexp.QuoteMeta(text))
		f.specific += len(text)
	}
	for _, at := range verb.FindAllStringIndex(english, -1) {
		literal(english[end:at[0]])
		end = at[1]
		f.verbs = append(f.verbs, english[end-1])
		pattern.WriteString(map[byte]string{'d': `(-?\d+)`, 'n': `(\S+)`, 'q': `("(?:[^"\\]|\\.)*")`, 's': `(.+?)`, 'v': `(.*?)`}[english[end-1]])
	}
	literal(english[end:])
	f.english = regexp.MustCompile(`(?s)^` + pattern.String() + `$`)
	return f
}

func (f form) count(verb byte) int { return bytes.Count(f.verbs, []byte{verb}) }

// translate puts what varies into the Portuguese form; whole reports whether all of it can be.
func (f form) translate(parts []string, r *reading, depth int) (_ string, whole bool) {
	for i, part := range parts {
		if f.verbs[i] == 's' {
			if parts[i], whole = r.translate(part, depth-1); !whole {
				return "", false
			}
		}
	}
	next := 0
	return verb.ReplaceAllStringFunc(f.portuguese, func(found string) string {
		if m := verb.FindStringSubmatch(found); m[1] != "" {
			next, _ = strconv.Atoi(m[1])
			next--
		}
		if next++; next > len(parts) {
			return found
		}
		return parts[next-1]
	}), true
}

//go:embed recorded.pt.yaml
var recordedSource []byte

// readings are the forms of texts, and those of requests, which have so few words of their own that they fit other texts.
type readings struct{ Texts, Requests forms }

// recorded reads the forms, once they are needed. They never change.
var recorded = sync.OnceValue(func() readings {
	var source struct{ Texts, Requests map[string]string }
	if err := yaml.Unmarshal(recordedSource, &source); err != nil {
		panic(err) // it is a part of the program
	}
	return readings{formsOf(source.Texts), formsOf(source.Requests)}
})

func formsOf(source map[string]string) (all forms) {
	for english, portuguese := range source {
		all = append(all, formOf(english, portuguese))
	}
	slices.SortFunc(all, func(a, b form) int {
		return cmp.Or(cmp.Compare(b.specific, a.specific), cmp.Compare(b.count('n'), a.count('n')), cmp.Compare(a.count('v'), b.count('v')), strings.Compare(a.english.String(), b.english.String()))
	})
	return all
}
