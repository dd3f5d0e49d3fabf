package main

import (
	"sync"

	"github.com/alecthomas/kong"

	"github.com/pixcert/pixcert/features"
	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/translation"
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
