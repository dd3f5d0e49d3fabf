// Package translation prints the texts of the program in the language of its user. The English text in the code is the
// key of its Portuguese one in pt.yaml, so that code reads as it prints. Names, ids, commands and flags are never
// translated, nor is what a program reads, such as verdict.json.
//
// Numbers print as the API writes them, in every language: 2232, R$ 10.00. A Brazilian would write 2.232 and R$ 10,00,
// but the same line quotes payloads, in which 10.000 is another amount than 10,000, and readers search reports for them.
package translation

import (
	_ "embed"
	"fmt"
	"sync"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/nicksnyder/go-i18n/v2/i18n/template"
	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"
)

// Language is that of the user. The zero value is English.
type Language string

// The languages.
const (
	English    Language = "en"
	Portuguese Language = "pt"
)

// Say is an English text in the language. The text is a literal, so that a test finds those that lack a translation.
func (in Language) Say(english string) string { return in.look(english, english, nil) }

// SayMarked is Say for a text that [Mark] marks, such as one in a table.
func (in Language) SayMarked(english string) string { return in.look(english, english, nil) }

// Mark returns a text that is to be translated where it is printed.
func Mark(english string) string { return english }

// Sayf is Say for a format. Translations may have the arguments in another order, as %[2]s.
func (in Language) Sayf(format string, args ...any) string {
	return fmt.Sprintf(in.look(format, format, nil), args...)
}

// SayN is Sayf with the format for one thing, or for several or none. The latter is the key.
func (in Language) SayN(n int, one, several string, args ...any) string {
	return fmt.Sprintf(in.look(one, several, n), args...)
}

// SayCount is a number with its noun: "1 rule", "2 rules". The key is "%d rules".
func (in Language) SayCount(n int, noun string) string {
	return in.SayN(n, "%d "+noun, "%d "+noun+"s", n)
}

func (in Language) isEnglish() bool { return in == "" || in == English }

// look returns the format to print; count is nil if it has no plural.
func (in Language) look(one, several string, count any) string {
	english := several
	switch count {
	case 0:
		count = 2 // none are several: "0 regras"
	case 1:
		english = one
	}
	if in.isEnglish() {
		return english
	}
	message := &i18n.Message{ID: several, Other: several}
	if count != nil {
		message.One = one
	}
	found, err := bundle().localizer(in).Localize(&i18n.LocalizeConfig{DefaultMessage: message, PluralCount: count, TemplateParser: verbatim})
	if err != nil && found == "" {
		return english
	}
	return found
}

// verbatim: texts are formats of fmt, not templates.
var verbatim = template.IdentityParser{}

//go:embed pt.yaml
var portuguese []byte

// catalogues are the texts of the program. The English one is the code.
type catalogues struct {
	*i18n.Bundle
	localizers map[Language]*i18n.Localizer
}

func (c catalogues) localizer(in Language) *i18n.Localizer {
	if known := c.localizers[in]; known != nil {
		return known
	}
	return c.localizers[English]
}

// bundle reads the catalogues, once they are needed. They never change.
var bundle = sync.OnceValue(func() catalogues {
	b := i18n.NewBundle(language.English)
	b.RegisterUnmarshalFunc("yaml", yaml.Unmarshal)
	b.MustParseMessageFileBytes(portuguese, "pt.yaml")
	c := catalogues{b, map[Language]*i18n.Localizer{}}
	for _, in := range []Language{English, Portuguese} {
		c.localizers[in] = i18n.NewLocalizer(b, string(in))
	}
	return c
})
