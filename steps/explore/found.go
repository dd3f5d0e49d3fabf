package explore

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/exchange"
	"github.com/pixcert/pixcert/steps/model"
	"github.com/pixcert/pixcert/steps/run"
	"github.com/pixcert/pixcert/steps/untrusted"
)

// Name is the name of the finding's rule: the same sequence has the same, whatever its amounts are.
func (f Finding) Name() string {
	h := fnv.New32a()
	said := strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, f.Walk.Scenario(""))
	fmt.Fprint(h, said, f.kind.Judged) // never fails
	return fmt.Sprintf("found.%08x", h.Sum32())
}

// File is the name of its file.
func (f Finding) File() string { return fileOf(f.Name()) }

func fileOf(rule string) string { return strings.ReplaceAll(rule, ".", "-") + ".feature" }

// id is that of its scenario.
func (f Finding) id() string { return f.Name() + "/" + f.title() }

// title is the name of the finding's scenario: what happens last, and the look that shows what came of it.
func (f Finding) title() string {
	var last []string
	for i, step := range slices.Backward(f.Walk.Steps) {
		if len(last) > 0 && step.Move.Given {
			break
		}
		if len(last) > 0 && step.Move.Looks {
			continue
		}
		if last = append(last, string(f.Walk.Transitions[i])); !step.Move.Looks {
			break
		}
	}
	slices.Reverse(last)
	return strings.NewReplacer("<", "", ">", "").Replace(strings.Join(last, ", then "))
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
		fmt.Fprintf(&b, "# expected: %s\n# got:      %s\n", exchange.Line(found.Expected), exchange.Line(found.Got))
	}
	fmt.Fprintf(&b, "Feature: Found by pixcert explore\n\n  @%s %s\n", f.Name(), catalogue.FoundTag)
	if ids := f.Statements(); len(ids) > 0 {
		fmt.Fprintf(&b, "  @%s\n", strings.Join(ids, " @"))
	}
	fmt.Fprintf(&b, "  Rule: %s\n\n%s", f.title(), f.Walk.Scenario(f.title()))
	return catalogue.Source{File: f.File(), Text: b.String()}
}

// own is the features of the corpus, and those of the findings.
func (r *Report) own() catalogue.Own {
	own := catalogue.Own{Directory: r.Corpus.Directory, Sources: slices.Clone(r.Corpus.Sources)}
	for _, f := range r.Findings {
		if !f.knownTo(own) {
			own.Sources = append(own.Sources, r.source(f))
		}
	}
	return own
}

// source is a finding as a file of the corpus.
func (r *Report) source(f Finding) catalogue.Source {
	source := f.Feature(fmt.Sprintf("Found by pixcert explore --seed %d", r.Seed))
	if source.File = filepath.ToSlash(filepath.Join(r.Corpus.Directory, source.File)); !strings.Contains(source.File, "/") {
		source.File = "./" + source.File // pixcert's files are named without a directory
	}
	return source
}

// knownTo reports whether features have the finding already.
func (f Finding) knownTo(own catalogue.Own) bool {
	return slices.ContainsFunc(own.Sources, func(s catalogue.Source) bool { return filepath.Base(s.File) == f.File() })
}

// essence are the moves of a walk without those that prepare it.
func essence(w *model.Walk) []*model.Move {
	var all []*model.Move
	for _, step := range w.Steps {
		if !step.Move.Given {
			all = append(all, step.Move)
		}
	}
	return all
}

// Bounds of a corpus, far above what exploring finds.
const (
	mostFindings    = 1_000
	mostFindingsSum = 8 << 20 // bytes
)

// ReadCorpus reads the findings of earlier runs; none if there is no such directory yet. Another machine may have
// found them, so that links are refused: what they link to would become part of reports.
func ReadCorpus(dir string) (catalogue.Own, error) {
	none := catalogue.Own{Directory: dir}
	earlier, err := filepath.Glob(filepath.Join(dir, "*.feature"))
	if err != nil || len(earlier) == 0 {
		return none, err
	}
	if len(earlier) > mostFindings {
		return none, fmt.Errorf("expected at most %d files, got %d; remove some", mostFindings, len(earlier))
	}
	left := int64(mostFindingsSum)
	for _, path := range earlier {
		content, err := untrusted.ReadFile(dir, filepath.Base(path), left)
		if err != nil {
			return none, err
		}
		left -= int64(len(content))
	}
	own, err := catalogue.ReadOwn(dir)
	if err == nil {
		_, err = run.Suite(own)
	}
	return own, err
}

// WriteFindings writes new findings into the corpus in dir.
func WriteFindings(dir string, found []catalogue.Source) error {
	if len(found) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	var problems []error
	for _, source := range found {
		problems = append(problems, root.WriteFile(filepath.Base(source.File), []byte(source.Text), 0o644))
	}
	return errors.Join(problems...)
}
