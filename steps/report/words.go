package report

import (
	"maps"
	"slices"

	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/translation"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Words are those of the page for people. The zero value is English, as the features are; what a translation lacks, such
// as the user's own rules, stays English.
type Words struct {
	Language   translation.Language
	Features   map[string]string            // their names, by file
	Titles     map[string]string            // of rules, by name
	Statements map[string]string            // by id
	OpenPoints map[string]verdict.OpenPoint // by name: question and what is permitted
}

// recorded is a recorded text in the language.
func (words Words) recorded(english string) string {
	return exchange.Visible(words.Language.Recorded(english))
}

// command is a command that prints in the same language.
func (words Words) command(line string) string {
	if words.Language == "" || words.Language == translation.English {
		return line
	}
	return line + " --language " + string(words.Language)
}

// Translated is a run with what the features say in the language. Its results stay as they are.
func (words Words) Translated(run *verdict.Run) *verdict.Run {
	shown := *run
	shown.Rules = slices.Clone(run.Rules)
	for i := range shown.Rules {
		rule := &shown.Rules[i]
		if title, known := words.Titles[rule.Name]; known && !rule.Own {
			rule.Title = title
		}
		if name, known := words.Features[rule.File]; known && !rule.Own {
			rule.Feature = name
		}
	}
	shown.Statements = maps.Clone(run.Statements)
	for rule, all := range shown.Statements {
		all = slices.Clone(all)
		for i, s := range all {
			if text, known := words.Statements[s.ID]; known {
				all[i].Text = text
			}
		}
		shown.Statements[rule] = all
	}
	shown.OpenPoints = slices.Clone(run.OpenPoints)
	for i := range shown.OpenPoints {
		point := &shown.OpenPoints[i]
		if known, is := words.OpenPoints[point.Name]; is {
			point.Question, point.Permitted = known.Question, known.Permitted
		}
	}
	return &shown
}
