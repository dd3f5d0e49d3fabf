package explore

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/steps/catalogue"
)

// Name is the name of the finding's rule: the same sequence has the same.
func (f Finding) Name() string {
	h := fnv.New32a()
	fmt.Fprint(h, f.Walk.Transitions, f.kind.Judged) // never fails
	return fmt.Sprintf("found.%08x", h.Sum32())
}

// title is the name of the finding's scenario: what happens last.
func (f Finding) title() string {
	last := f.Walk.Transitions[len(f.Walk.Transitions)-1]
	return strings.NewReplacer("<", "", ">", "").Replace(string(last))
}

// Length is how many steps the sequence has, besides those that prepare it.
func (f Finding) Length() int { return len(essence(f.Walk)) }

// Statements are the ids of the statements that the last step shows.
func (f Finding) Statements() []string {
	last := f.Walk.Steps[len(f.Walk.Steps)-1]
	for _, step := range slices.Backward(f.Walk.Steps) { // a look shows what came before
		if last = step; len(step.Move.Statements()) > 0 {
			break
		}
	}
	return last.Move.Statements()
}

// Feature writes the finding as a feature that certify --features runs.
func (f Finding) Feature(about string) catalogue.Source {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", about)
	if found := f.Result.Finding; found != nil {
		fmt.Fprintf(&b, "# expected: %s\n# got:      %s\n", oneLine(found.Expected), oneLine(found.Got))
	}
	fmt.Fprintf(&b, "Feature: Found by pixcert explore\n\n  @%s\n", f.Name())
	if ids := f.Statements(); len(ids) > 0 {
		fmt.Fprintf(&b, "  @%s\n", strings.Join(ids, " @"))
	}
	fmt.Fprintf(&b, "  Rule: %s\n\n%s", f.title(), f.Walk.Scenario(f.title()))
	return catalogue.Source{File: strings.ReplaceAll(f.Name(), ".", "-") + ".feature", Text: b.String()}
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// found is the features of the corpus, and those of the findings.
func (e *explorer) found() catalogue.Own {
	own := catalogue.Own{Directory: e.options.Corpus.Directory, Sources: slices.Clone(e.options.Corpus.Sources)}
	for i := range e.report.Findings {
		source := e.report.Findings[i].Feature(fmt.Sprintf("Found by pixcert explore --seed %d", e.options.Seed))
		source.File = filepath.Join(own.Directory, source.File)
		if !slices.ContainsFunc(own.Sources, func(s catalogue.Source) bool { return s.File == source.File }) {
			own.Sources = append(own.Sources, source)
		}
	}
	return own
}
