package main

import (
	"sync"

	"github.com/alecthomas/kong"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/report"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

// languageFlag is for commands that print what people read. What programs read (JSON, JUnit, baselines) and errors of
// usage are English.
type languageFlag struct {
	Language translation.Language `enum:"en,pt" default:"en" env:"PIXCERT_LANGUAGE" placeholder:"en|pt" help:"Print in English or Portuguese."`
}

func (f languageFlag) language() translation.Language { return f.Language }

// languageOf is the language of a parsed command; English if it has no flag.
func languageOf(command *kong.Context) translation.Language {
	if node := command.Selected(); node != nil && node.Target.CanInterface() {
		if has, ok := node.Target.Interface().(interface{ language() translation.Language }); ok {
			return has.language()
		}
	}
	return translation.English
}

// inPortuguese is what the features say, read once it is needed.
var inPortuguese = sync.OnceValue(func() catalogue.Translation {
	t, err := catalogue.Translated(features.Portuguese())
	if err != nil {
		panic(err) // it is a part of the program
	}
	return t
})

// featuresIn is what the features say in a language; empty for English, which they are written in.
func featuresIn(in translation.Language) catalogue.Translation {
	if in == translation.Portuguese {
		return inPortuguese()
	}
	return catalogue.Translation{}
}

// wordsIn are the words of a report's page in a language.
func wordsIn(in translation.Language) report.Words {
	said := featuresIn(in)
	words := report.Words{Language: in, Features: said.Features, Titles: said.Titles, Statements: map[string]string{}, OpenPoints: map[string]verdict.OpenPoint{}}
	for id, s := range said.Statements {
		words.Statements[id] = s.Text
	}
	for name, p := range said.OpenPoints {
		words.OpenPoints[name] = verdict.OpenPoint{Question: p.Question, Permitted: p.Permitted}
	}
	return words
}
