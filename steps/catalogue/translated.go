package catalogue

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Translation is what the features tell people, in another language. Names, tags, ids, steps and the names of scenarios
// stay as they are.
type Translation struct {
	Features   map[string]string    // their names, by file
	Titles     map[string]string    // of rules, by name
	Statements map[string]Statement // by id; only with what is translated: text and note
	OpenPoints map[string]OpenPoint // by name
}

// Translated reads a translation: features.tsv, rules.tsv, statements.tsv and open-points.tsv at the root of fsys, each
// with a header.
// An open point with readings has their names in one column, and what they mean in the next.
func Translated(fsys fs.FS) (Translation, error) {
	t := Translation{map[string]string{}, map[string]string{}, map[string]Statement{}, map[string]OpenPoint{}}
	return t, errors.Join(
		table(fsys, "features.tsv", "file\tname", func(c []string) error {
			return once(t.Features, c[0], c[1])
		}),
		table(fsys, "rules.tsv", "rule\ttitle", func(c []string) error {
			return once(t.Titles, c[0], c[1])
		}),
		table(fsys, statementsFile, "id\tstatement\tnote", func(c []string) error {
			return once(t.Statements, c[0], Statement{ID: c[0], Text: c[1], Note: c[2]})
		}),
		table(fsys, "open-points.tsv", "name\tquestion\tpermitted\treadings\tmeans", t.addPoint),
	)
}

// table reads a file of columns that are separated by tabs.
func table(fsys fs.FS, file, header string, add func([]string) error) error {
	content, err := fs.ReadFile(fsys, file)
	if err != nil {
		return fmt.Errorf("reading a translation: %w", err)
	}
	number, columns := 0, strings.Count(header, "\t")+1
	for line := range strings.Lines(string(content)) {
		number++
		line = strings.TrimRight(line, "\r\n")
		cells := strings.Split(line, "\t")
		switch {
		case number == 1 && line != header:
			return fmt.Errorf("%s:1: expected the header %q, got %q", file, header, line)
		case number == 1:
			continue
		case len(cells) != columns:
			return fmt.Errorf("%s:%d: expected %d columns separated by tabs, got %d", file, number, columns, len(cells))
		}
		if err := add(cells); err != nil {
			return fmt.Errorf("%s:%d: %w", file, number, err)
		}
	}
	return nil
}

func once[T any](all map[string]T, key string, one T) error {
	if _, known := all[key]; known || key == "" {
		return fmt.Errorf("expected another name than %q, which is empty or already translated", key)
	}
	all[key] = one
	return nil
}

// between separates readings, and what they mean.
const between = " | "

func (t Translation) addPoint(c []string) error {
	p := OpenPoint{Name: c[0], Question: c[1], Permitted: c[2]}
	if c[3] != "" {
		names, means := strings.Split(c[3], between), strings.Split(c[4], between)
		if len(names) != len(means) {
			return fmt.Errorf("expected a meaning for each of %d readings, got %d", len(names), len(means))
		}
		for i, name := range names {
			p.Readings = append(p.Readings, Reading{name, means[i]})
		}
	}
	return once(t.OpenPoints, p.Name, p)
}

// In returns a catalogue with the names, titles and statements of a translation. What it lacks, such as the user's own rules,
// stays as it is.
func (c *Catalogue) In(t Translation) *Catalogue {
	translated := &Catalogue{}
	for _, feature := range c.Features {
		f := *feature
		if name, known := t.Features[f.File]; known && !f.Own {
			f.Name = name
		}
		f.Rules = nil
		for _, rule := range feature.Rules {
			r := *rule
			if title, known := t.Titles[r.Name]; known && !f.Own {
				r.Title = title
			}
			r.Feature = &f
			f.Rules = append(f.Rules, &r)
		}
		translated.Features = append(translated.Features, &f)
	}
	for _, s := range c.Statements {
		if known, is := t.Statements[s.ID]; is {
			s.Text, s.Note = known.Text, known.Note
		}
		translated.Statements = append(translated.Statements, s)
	}
	return translated
}
