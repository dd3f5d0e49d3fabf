package verdict

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Past is what a report tells of its run, as far as a later run builds on it.
type Past struct {
	RunID     string
	Target    string
	Arguments []string // of the command, that name the target; none for the bundled reference
	Seed      int64
	Scenarios []PastScenario // in the order of the features
}

// PastScenario is one scenario of a report.
type PastScenario struct {
	Slug    string // see Scenario.Slug
	Rule    Rule
	Name    string
	Via     string // see Scenario.Via
	Verdict Verdict
	Finding *Finding // without its exchange
}

// ID is as Scenario.ID.
func (s PastScenario) ID() string { return s.Rule.Name + "/" + s.Name }

// Slug is a scenario as a person types it and as a file is called:
// cash-out.covers-fee/one-cent-short. It follows from the rule's name and the scenario's
// alone; where the letters that are left would not tell names apart, a short sum of the
// name does.
func (s Scenario) Slug() string {
	const longest = 60
	var slug strings.Builder
	plain := true // nothing but capitals and spaces is lost
	for _, c := range strings.ToLower(s.Name) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '.' && slug.Len() > 0:
			slug.WriteRune(c)
		default:
			plain = plain && c == ' '
			if slug.Len() > 0 && !strings.HasSuffix(slug.String(), "-") {
				slug.WriteByte('-')
			}
		}
	}
	short := strings.Trim(slug.String(), "-.")
	if len(short) > longest {
		short, plain = strings.Trim(short[:longest], "-."), false
	}
	if !plain || short == "" {
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(s.Name)) // never fails
		short = strings.TrimPrefix(fmt.Sprintf("%s-%06x", short, sum.Sum32()&0xffffff), "-")
	}
	return s.Rule + "/" + short
}

// ReadPast reads verdict.json of the report in dir.
func ReadPast(dir string) (Past, error) {
	path := filepath.Join(dir, JSONFile)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Past{}, fmt.Errorf("there is no report in %s: certify first, or name its directory with --report", dir)
	}
	if err != nil {
		return Past{}, fmt.Errorf("reading the report: %w", err)
	}
	var report jsonReport
	if err := json.Unmarshal(content, &report); err != nil {
		return Past{}, fmt.Errorf("reading the report %s: %w; certify anew", path, err)
	}
	if report.Schema != jsonSchema {
		return Past{}, fmt.Errorf("the report %s is of schema %d, and this version reads %d: certify anew", path, report.Schema, jsonSchema)
	}
	past := Past{RunID: report.RunID, Target: report.Target, Arguments: report.Arguments, Seed: report.Seed}
	for _, feature := range report.Features {
		for _, rule := range feature.Rules {
			of := Rule{Name: rule.Name, Title: rule.Title, Feature: feature.Name, File: feature.File}
			for _, s := range rule.Scenarios {
				past.Scenarios = append(past.Scenarios, s.past(of))
			}
		}
	}
	return past, nil
}

func (s jsonScenario) past(rule Rule) PastScenario {
	past := PastScenario{Slug: s.ID, Rule: rule, Name: s.Name, Via: s.Via, Verdict: s.Verdict}
	if s.Finding != nil {
		past.Finding = &Finding{Expected: s.Finding.Expected, Came: s.Finding.Came, Hint: s.Finding.Hint, Exchange: -1}
	}
	return past
}

// Find is the scenario that id names: its slug, the beginning of one that no other has,
// or a rule of which one scenario failed. The error lists those that it may mean.
func (p Past) Find(id string) (PastScenario, error) {
	id = strings.TrimPrefix(id, "@")
	var begin, failed []PastScenario
	for _, s := range p.Scenarios {
		if s.Slug == id {
			return s, nil
		}
		if strings.HasPrefix(s.Slug, id) {
			begin = append(begin, s)
			if s.Verdict == Fail {
				failed = append(failed, s)
			}
		}
	}
	switch {
	case id != "" && len(begin) == 1:
		return begin[0], nil
	case id != "" && len(failed) == 1:
		return failed[0], nil
	case len(failed) > 0:
		return PastScenario{}, fmt.Errorf("%q may mean several scenarios that failed: name one of %s", id, listed(failed))
	case len(begin) > 0:
		return PastScenario{}, fmt.Errorf("%q may mean several scenarios: name one of %s", id, listed(begin))
	}
	if all := p.Failed(); len(all) > 0 {
		return PastScenario{}, fmt.Errorf("the report has no scenario %q; those that failed are %s", id, listed(all))
	}
	return PastScenario{}, fmt.Errorf("the report has no scenario %q, and none that failed", id)
}

func listed(scenarios []PastScenario) string {
	const most = 8
	var slugs []string
	for _, s := range scenarios {
		slugs = append(slugs, s.Slug)
	}
	if len(slugs) > most {
		return strings.Join(slugs[:most], ", ") + fmt.Sprintf(" and %d more", len(slugs)-most)
	}
	return strings.Join(slugs, ", ")
}

// Failed are the scenarios that failed, in the order of the features.
func (p Past) Failed() []PastScenario {
	return slices.DeleteFunc(slices.Clone(p.Scenarios), func(s PastScenario) bool { return s.Verdict != Fail })
}

// Again are the ids of the scenarios to carry out to see those anew. A breach of the wire
// contract is seen by the scenario that met it, if a scenario of the breach's own rule
// runs too.
func (p Past) Again(scenarios []PastScenario) []string {
	var ids []string
	add := func(id string) {
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, s := range scenarios {
		if s.Via == "" {
			add(s.ID())
			continue
		}
		add(s.Via)
		for _, other := range p.Scenarios {
			if other.Rule.Name == s.Rule.Name && other.Via == "" {
				add(other.ID())
			}
		}
	}
	return ids
}
