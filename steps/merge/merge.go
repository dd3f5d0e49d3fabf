// Package merge merges the reports of several runs into one run.
package merge

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Merged is a merged run. Sources has, for each of its scenarios, the index of the report that it
// comes from.
type Merged struct {
	Run     *verdict.Run
	Sources []int
}

// Merge merges reports: the shards of one run, or runs of parts of the features. If a scenario is in
// several of them, its most severe result counts. The reports must be of the same target and the
// same version of pixcert. Shards without a report are listed in Run.Lacks.
func Merge(reports []verdict.Report) (Merged, error) {
	if err := alike(reports); err != nil {
		return Merged{}, err
	}
	first := reports[0].Run
	run := *first
	run.ID, run.Shard, run.Lacks, run.Baseline = "", verdict.Shard{}, lacking(reports), nil
	run.Selection, run.Log, run.Explored, run.Coverage = selectionOf(reports), "", nil, nil
	run.Controls, run.Webhooks, run.Latencies, run.Outages, run.Reran, run.Started, run.Took = nil, verdict.Webhooks{}, nil, nil, 0, first.Started, 0
	run.Ended, run.Seeds = endOf(reports), seedsOf(reports)
	var ids []string
	ended := first.Started
	for _, r := range reports {
		ids = append(ids, r.Run.ID)
		run.Controls = including(run.Controls, r.Run.Controls)
		run.Webhooks, run.Latencies = together(run.Webhooks, r.Run.Webhooks), verdict.MergeLatencies(run.Latencies, r.Run.Latencies)
		run.Outages = append(run.Outages, r.Run.Outages...)
		run.Reran += r.Run.Reran
		run.LeftOut = cmp.Or(run.LeftOut, r.Run.LeftOut)
		run.Log = cmp.Or(run.Log, r.Run.Log)
		run.OpenPoints = points(run.OpenPoints, r.Run.OpenPoints)
		run.Explored = explored(run.Explored, r.Run.Explored)
		if r.Run.Started.Before(run.Started) {
			run.Started = r.Run.Started
		}
		if end := r.Run.Started.Add(r.Run.Took); end.After(ended) {
			ended = end
		}
	}
	if slices.ContainsFunc(reports, func(r verdict.Report) bool { return !reflect.DeepEqual(r.Run.Unlocks, first.Unlocks) }) {
		run.Unlocks = nil // each list is about a different part of the features
	}
	if len(reports) > 1 {
		run.Suspect = nil // other shards may fail without it
	}
	run.Own = ownOf(reports)
	run.ID, run.Took = strings.Join(ids, "+"), ended.Sub(run.Started)
	slices.Sort(run.Controls)
	m := Merged{Run: &run}
	m.scenarios(reports)
	for _, misfit := range verdict.Misfits(run.OpenPoints, run.Scenarios) { // some show only in all reports together
		m.Run.Scenarios, m.Sources = append(m.Run.Scenarios, misfit), append(m.Sources, 0)
	}
	m.rules(reports)
	return m, nil
}

// alike reports why reports cannot be merged.
func alike(reports []verdict.Report) error {
	if len(reports) == 0 {
		return errors.New("expected reports, got none")
	}
	first, of := reports[0], verdict.Shard{}
	for _, r := range reports {
		for _, p := range []struct{ what, a, b string }{
			{"versions of pixcert", first.Run.Version, r.Run.Version},
			{"targets", first.Run.Target, r.Run.Target},
			{"strictness", strict(first.Run), strict(r.Run)},
			{"families", strings.Join(first.Run.Families, ", "), strings.Join(r.Run.Families, ", ")},
		} {
			if p.a != p.b {
				return fmt.Errorf("%s and %s have different %s (%q and %q): merge reports of the same run", first.Name, r.Name, p.what, p.a, p.b)
			}
		}
		if len(r.Run.Lacks) > 0 {
			return fmt.Errorf("%s is a merged report with missing shards: merge the reports of the shards instead", r.Name)
		}
		switch shard := r.Run.Shard; {
		case shard.Of == 0:
		case of.Of != 0 && of.Of != shard.Of:
			return fmt.Errorf("%s is shard %s, but another report has %d shards: merge the shards of one run", r.Name, shard, of.Of)
		default:
			of = shard
		}
	}
	for _, r := range reports {
		if own := ownOf(reports); r.Run.Own != nil && r.Run.Own.Digest != own.Digest {
			return fmt.Errorf("the reports ran with different own features, in %s and %s: run them with the same files", own.Directory, r.Run.Own.Directory)
		}
	}
	if of.Of == 0 {
		return nil
	}
	if err := dealtOnce(reports); err != nil {
		return err
	}
	for _, r := range reports {
		if r.Run.Shard.Of == 0 {
			return fmt.Errorf("%s did not run with --shard, as others did: merge the shards of one run", r.Name)
		}
		if r.Run.Selection != first.Run.Selection {
			return fmt.Errorf("%s and %s have different selections (%q and %q): merge the shards of one run", first.Name, r.Name, first.Run.Selection, r.Run.Selection)
		}
		if digest(r.Run) != digest(first.Run) {
			return fmt.Errorf("%s and %s ran with different own features (--features): run all shards with the same files", first.Name, r.Name)
		}
	}
	return nil
}

// ownOf returns the user's own features of the reports; nil for none.
func ownOf(reports []verdict.Report) *verdict.Own {
	for _, r := range reports {
		if r.Run.Own != nil {
			return r.Run.Own
		}
	}
	return nil
}

func digest(run *verdict.Run) string {
	if run.Own == nil {
		return ""
	}
	return run.Own.Digest
}

// dealtOnce reports shards that overlap: a shard that was run twice, or shards of different features. A
// scenario that was added or removed shifts all that follow it.
func dealtOnce(reports []verdict.Report) error {
	of, in := map[int]verdict.Report{}, map[string]verdict.Report{}
	for _, r := range reports {
		if r.Run.Shard.Of == 0 {
			continue
		}
		if other, twice := of[r.Run.Shard.Index]; twice {
			return fmt.Errorf("%s and %s are both shard %s: merge one report of each shard", other.Name, r.Name, r.Run.Shard)
		}
		of[r.Run.Shard.Index] = r
		for _, s := range r.Run.Scenarios {
			if s.Via != "" {
				continue
			}
			if other, twice := in[s.ID()]; twice {
				return fmt.Errorf("%s and %s both have the scenario %s: they are shards of different features; run all shards again with the same pixcert", other.Name, r.Name, s.ID())
			}
			in[s.ID()] = r
		}
	}
	return nil
}

// mostApart is how long after all other shards one may begin before it seems to be of another run.
const mostApart = time.Hour

// Stale says which report seems to be left from an earlier run: all others began much later. It is
// empty if there is none.
func Stale(reports []verdict.Report) string {
	sorted := slices.SortedFunc(slices.Values(reports), func(a, b verdict.Report) int { return a.Run.Started.Compare(b.Run.Started) })
	var ended time.Time
	for i, r := range sorted {
		if apart := r.Run.Started.Sub(ended); i > 0 && apart > mostApart {
			last := sorted[i-1]
			const minute = "2006-01-02 15:04 UTC"
			return fmt.Sprintf("%s is from %s, but %s is from %s; if it is left from an earlier run, run that part again",
				last.Name, last.Run.Started.UTC().Format(minute), r.Name, r.Run.Started.UTC().Format(minute))
		}
		if end := r.Run.Started.Add(r.Run.Took); end.After(ended) {
			ended = end
		}
	}
	return ""
}

// seedsOf returns the seeds of the reports, if they differ.
func seedsOf(reports []verdict.Report) []int64 {
	var all []int64
	for _, r := range reports {
		if !slices.Contains(all, r.Run.Seed) {
			all = append(all, r.Run.Seed)
		}
	}
	if len(all) == 1 {
		return nil
	}
	return all
}

func strict(run *verdict.Run) string {
	if run.Strict {
		return "--strict"
	}
	return ""
}

// endOf returns why a run ended early; nil if none did. An end that leaves more open than a
// --fail-fast takes precedence.
func endOf(reports []verdict.Report) (end *verdict.Ended) {
	for _, r := range reports {
		if e := r.Run.Ended; e != nil && (end == nil || end.Decided && !e.Decided) {
			end = &verdict.Ended{Reason: r.Name + ": " + e.Reason, At: e.At, Decided: e.Decided, Silent: e.Silent}
		}
	}
	return end
}

func lacking(reports []verdict.Report) (missing []verdict.Shard) {
	of, there := 0, map[int]bool{}
	for _, r := range reports {
		of = max(of, r.Run.Shard.Of)
		there[r.Run.Shard.Index] = true
	}
	for i := range of {
		if !there[i+1] {
			missing = append(missing, verdict.Shard{Index: i + 1, Of: of})
		}
	}
	return missing
}

// selectionOf returns the combined selection of the reports: the common one, or a tag expression.
func selectionOf(reports []verdict.Report) string {
	var all []string
	for _, r := range reports {
		s := r.Run.Selection
		if s == "" {
			return ""
		}
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	for i, s := range all {
		if !strings.Contains(s, "@") { // names of rules
			s = "@" + strings.ReplaceAll(s, ", ", " or @")
		}
		all[i] = "(" + s + ")"
	}
	return strings.Join(all, " or ")
}

// scenarios keeps the most severe result of each scenario. A breach of the wire contract is the same
// whichever scenario met it, and is dropped if a scenario of its own rule fails for it.
func (m *Merged) scenarios(reports []verdict.Report) {
	type key struct {
		rule, name string
		breach     verdict.Signature
	}
	breachOf := func(s verdict.Scenario) key { // whatever the values and the operation that show it
		return key{rule: s.Rule, breach: verdict.SignatureOf("", s.Finding.Expected, s.Finding.Got)}
	}
	at := map[key]int{}
	failsBy := map[key]bool{}
	for _, r := range reports {
		for _, s := range r.Run.Scenarios {
			if s.Via == "" && s.Verdict.Failing() && s.Finding != nil {
				failsBy[breachOf(s)] = true
			}
		}
	}
	m.Run.Scenarios = nil
	for source, r := range reports {
		for _, s := range r.Run.Scenarios {
			k := key{rule: s.Rule, name: s.Name}
			if s.Via != "" {
				if s.Finding != nil {
					k = breachOf(s)
				}
				if failsBy[k] || s.IsMisfit(m.Run.OpenPoints) {
					continue
				}
			}
			i, twice := at[k]
			switch {
			case !twice:
				at[k] = len(m.Run.Scenarios)
				m.Run.Scenarios, m.Sources = append(m.Run.Scenarios, s), append(m.Sources, source)
			case worse(s, m.Run.Scenarios[i]):
				m.Run.Scenarios[i], m.Sources[i] = s, source
			}
		}
	}
}

// worse reports whether result a of a scenario replaces b. A breach is attributed as within a run: to
// a scenario of its own rule, or else to the first by name.
func worse(a, b verdict.Scenario) bool {
	if a.Via != "" {
		own := func(s verdict.Scenario) bool { return strings.HasPrefix(s.Via, s.Rule+"/") }
		return own(a) && !own(b) || own(a) == own(b) && a.Via < b.Via
	}
	return slices.Index(verdict.BySeverity[:], a.Verdict.Normalized()) < slices.Index(verdict.BySeverity[:], b.Verdict.Normalized())
}

// rules sorts rules and scenarios in the order of the features: by file, then by line, the user's own last.
func (m *Merged) rules(reports []verdict.Report) {
	lines := map[string]int{}
	for _, s := range m.Run.Scenarios {
		if line, known := lines[s.Rule]; s.Via == "" && (!known || s.Line < line) {
			lines[s.Rule] = s.Line
		}
	}
	var rules []verdict.Rule
	m.Run.Statements = map[string][]verdict.Statement{}
	for _, r := range reports {
		maps.Copy(m.Run.Statements, r.Run.Statements)
		for _, rule := range r.Run.Rules { // the user's own may be in different directories
			if !slices.ContainsFunc(rules, func(known verdict.Rule) bool { return known.Name == rule.Name }) {
				rules = append(rules, rule)
			}
		}
	}
	line := func(r verdict.Rule) int {
		if n, known := lines[r.Name]; known {
			return n
		}
		return math.MaxInt // it has only breaches, which have no line
	}
	slices.SortStableFunc(rules, func(a, b verdict.Rule) int {
		return cmp.Or(verdict.OwnLast(a, b), cmp.Compare(a.File, b.File), cmp.Compare(line(a), line(b)), cmp.Compare(a.Name, b.Name))
	})
	m.Run.Rules = rules
}

// together merges latencies. The p99 of all is unknown, but at most the greater one.
func together(a, b verdict.Webhooks) verdict.Webhooks {
	return verdict.Webhooks{
		Count: a.Count + b.Count, P99: max(a.P99, b.P99), Slowest: max(a.Slowest, b.Slowest), Silence: max(a.Silence, b.Silence),
		Strangers: a.Strangers + b.Strangers,
	}
}

// explored adds up how far exploring came. Which transitions several have reached is unknown, but not fewer
// than one of them.
func explored(a, b *verdict.Explored) *verdict.Explored {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	return &verdict.Explored{Walks: a.Walks + b.Walks, Requests: a.Requests + b.Requests, Transitions: max(a.Transitions, b.Transitions), Of: max(a.Of, b.Of)}
}

func points(all, more []verdict.OpenPoint) []verdict.OpenPoint {
	all = slices.Clone(all)
	for _, p := range more {
		if !slices.ContainsFunc(all, func(known verdict.OpenPoint) bool { return known.Name == p.Name }) {
			all = append(all, p)
		}
	}
	return all
}

func including[T comparable](all, more []T) []T {
	all = slices.Clone(all)
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
