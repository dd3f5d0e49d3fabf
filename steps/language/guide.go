package language

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/api"
	"github.com/pixcert/pixcert/steps/catalogue"
)

// Entry describes a sentence of the vocabulary to people who write features.
type Entry struct {
	Form    string             `json:"form"`    // values in capitals, and what may be left out in brackets
	Type    catalogue.StepType `json:"type"`    // as features use it most
	Example string             `json:"example"` // as pixcert's features have it most
	Table   [][]string         `json:"table,omitempty"`
	Rules   int                `json:"rules"` // how many of pixcert's rules use it
}

// Guide returns an entry for each sentence that the features of c use, in the order of the vocabulary.
// With words, it returns only those that have all of them, in their form or in an example.
func Guide(c *catalogue.Catalogue, words ...string) ([]Entry, error) {
	uses := map[*Sentence][]Step{}
	rules := map[*Sentence]map[*catalogue.Rule]bool{}
	for scenario := range c.Scenarios() {
		steps, err := ReadAll(scenario)
		if err != nil {
			return nil, err
		}
		for _, step := range steps {
			if rules[step.Sentence] == nil {
				rules[step.Sentence] = map[*catalogue.Rule]bool{}
			}
			rules[step.Sentence][scenario.Rule] = true
			uses[step.Sentence] = append(uses[step.Sentence], step)
		}
	}
	var all []Entry
	for _, s := range vocabulary {
		examples := slices.DeleteFunc(slices.Clone(uses[s]), func(step Step) bool { return !containsAll(step.Words(), words) })
		if len(examples) == 0 && containsAll(s.Display(), words) {
			examples = uses[s]
		}
		if len(examples) == 0 {
			continue
		}
		example := mostCommon(examples, Step.Words)
		kind := mostCommon(uses[s], func(step Step) string { return string(step.Type) }).Type
		all = append(all, Entry{s.Display(), kind, example.Text, example.Table, len(rules[s])})
	}
	return all, nil
}

func containsAll(text string, words []string) bool {
	text = strings.ToLower(text)
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, strings.ToLower(word)) })
}

// mostCommon returns the first of the steps that have the most common key and, among these, the shortest.
func mostCommon(steps []Step, key func(Step) string) Step {
	counts := map[string]int{}
	for _, step := range steps {
		counts[key(step)]++
	}
	return slices.MinFunc(steps, func(a, b Step) int {
		return cmp.Or(cmp.Compare(counts[key(b)], counts[key(a)]), cmp.Compare(len(key(a)), len(key(b))))
	})
}

// Placeholder is what a word in capitals stands for in the forms of the guide.
type Placeholder struct {
	Name   string   `json:"name"`
	Means  string   `json:"means"`
	Values []string `json:"values,omitempty"`
}

// Placeholders explains those that are not obvious.
func Placeholders() []Placeholder {
	var operations, tokens, sent []string
	for _, op := range api.Operations {
		operations = append(operations, op.Noun)
	}
	for _, a := range authorizations {
		tokens = append(tokens, string(a))
	}
	for _, p := range valuePhrases {
		sent = append(sent, p.Display())
	}
	expected := slices.Sorted(maps.Keys(shapes))
	for _, p := range expectedPhrases {
		expected = append(expected, p.Display())
	}
	return []Placeholder{
		{"OPERATION", "a request", operations},
		{"OUTCOME", "what becomes of a request", []string{"accepted", "accepted with 201", "rejected with 400 CODE", "rejected with 400 HTTP_ERROR, naming FIELD", "accepted, or rejected with 400 or 422"}},
		{"ORDINAL", "which of several, as the gateway accepted them: first, second, third, 4th, 5th", nil},
		{"FIELD", "a field of the body (details.key, splits[0].name, splits[each].name), or header NAME, path NAME, query NAME", nil},
		{"VALUE", "in a request, also in a table below it: JSON, or", sent},
		{"EXPECTED", "in a table of a response, a list or an event: JSON, or (joined with or)", expected},
		{"TOKEN", "the token of a request; in a table of pairs, \"every wrong token\" stands for all that must be rejected", tokens},
		{"TYPE", "a type of event", api.EventTypes},
		{"EVENT", "an event, by its name or, if it has none, its type", events()},
	}
}
