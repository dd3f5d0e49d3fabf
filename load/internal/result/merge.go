package result

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Merge adds up the results of a run's instances, in any order. A threshold passes if it passes in
// every instance. Missing lists the instances without a result. Results of different runs, duplicate
// instances, and results that are already merged are errors.
func Merge(results []Result) (Result, error) {
	parts, err := instances(results)
	if err != nil {
		return Result{}, fmt.Errorf("merge results: %w", err)
	}
	first := parts[0]
	m := Result{
		Schema: Schema, Run: first.Run, Name: first.Name, Instances: first.Instances,
		Started: first.Started, Ended: first.Ended, Environment: first.Environment, TagValues: first.TagValues,
		Validity: Validity{Valid: true},
	}
	present := make(map[int]bool, len(parts))
	for _, r := range parts {
		present[r.Instance] = true
		m.Ledger.Add(r.Ledger)
		m.Parts = append(m.Parts, Part{r.Instance, r.Segment, r.Started, r.Ended, r.Environment, r.CPU, r.Validity})
		m.add(r)
	}
	for i := range m.Instances {
		if !present[i] {
			m.Missing = append(m.Missing, i)
		}
	}
	m.Script, m.Profile, m.Target = joined(parts, script), joined(parts, profile), joined(parts, target)
	m.Accounts = Audited(m.Ledger)
	for i := range m.Origins {
		m.Origins[i].Counts = m.Ledger.ByOrigin[OriginName(m.Origins[i].Tags)]
	}
	if err := m.judge(parts); err != nil {
		return Result{}, fmt.Errorf("merge results: %w", err)
	}
	return m, nil
}

// instances sorts the results by instance, and checks that they are different instances of
// one run.
func instances(results []Result) ([]Result, error) {
	if len(results) == 0 {
		return nil, errors.New("expected the results of a run's instances, got none")
	}
	parts := slices.Clone(results)
	slices.SortStableFunc(parts, func(a, b Result) int { return a.Instance - b.Instance })
	segments := make(map[string]int, len(parts))
	for i, r := range parts {
		switch {
		case r.Run != parts[0].Run:
			return nil, fmt.Errorf("expected instances of one run, got runs %s and %s", parts[0].Run, r.Run)
		case len(r.Parts) > 0:
			return nil, fmt.Errorf("expected results of single instances, got a merged result of run %s", r.Run)
		case r.Instances != parts[0].Instances:
			return nil, fmt.Errorf("expected the same number of instances in all results, got %d from instance %d and %d from instance %d",
				parts[0].Instances, parts[0].Instance, r.Instances, r.Instance)
		case r.Instance < 0 || r.Instance >= r.Instances:
			return nil, fmt.Errorf("expected an instance number from 0 to %d, got %d", r.Instances-1, r.Instance)
		case i > 0 && r.Instance == parts[i-1].Instance:
			return nil, fmt.Errorf("expected every instance once, got instance %d twice", r.Instance)
		}
		if other, taken := segments[r.Segment]; taken && r.Segment != "" {
			return nil, fmt.Errorf("expected a different segment for every instance, got %s for instances %d and %d", r.Segment, other, r.Instance)
		}
		segments[r.Segment] = r.Instance
	}
	return parts, nil
}

// add adds an instance's figures, except its ledger and thresholds.
func (m *Result) add(r Result) {
	if r.Started.Before(m.Started) {
		m.Started = r.Started
	}
	if r.Ended.After(m.Ended) {
		m.Ended = r.Ended
	}
	m.Warmup = max(m.Warmup, r.Warmup)
	m.CPU = max(m.CPU, r.CPU)
	m.Iterations += r.Iterations
	m.Interrupted = m.Interrupted || r.Interrupted
	m.Complaint = cmp.Or(m.Complaint, r.Complaint)
	m.check(r.Checks)
	m.Dropped += r.Dropped
	if r.Thrown != nil {
		thrown := m.Threw() + *r.Thrown
		m.Thrown = &thrown
	}
	m.Strays += r.Strays
	m.Measurements.Merge(r.Measurements)
	for _, o := range r.Origins {
		m.origin(o)
	}

	for _, p := range r.Presets {
		if !slices.Contains(m.Presets, p) {
			m.Presets = append(m.Presets, p)
		}
	}
	m.Validity.Valid = m.Validity.Valid && r.Validity.Valid
	for _, reason := range r.Validity.Reasons {
		reason.Instance = r.Instance
		m.Validity.Reasons = append(m.Validity.Reasons, reason)
	}
}

// origin adds an instance's figures of an origin.
func (m *Result) origin(o Origin) {
	i := slices.IndexFunc(m.Origins, func(of Origin) bool { return maps.Equal(of.Tags, o.Tags) })
	if i < 0 {
		i = len(m.Origins)
		m.Origins = append(m.Origins, Origin{Tags: o.Tags})
	}
	m.Origins[i].Merge(o.Figures)
}

// check adds an instance's checks.
func (m *Result) check(checks []Check) {
	for _, c := range checks {
		i, found := slices.BinarySearchFunc(m.Checks, c.Name, func(c Check, name string) int { return strings.Compare(c.Name, name) })
		if !found {
			m.Checks = slices.Insert(m.Checks, i, Check{Name: c.Name})
		}
		m.Checks[i].Passes += c.Passes
		m.Checks[i].Fails += c.Fails
	}
}

// judge joins the thresholds of all parts, each once.
func (m *Result) judge(parts []Result) error {
	type key struct{ metric, expression string }
	all := make(map[key][]Threshold)
	for _, r := range parts {
		for _, t := range r.Thresholds {
			k := key{t.Metric, t.Expression}
			all[k] = append(all[k], t)
		}
	}
	judged := make([]Threshold, 0, len(all))
	for k, same := range all {
		e, err := parseExpression(k.expression)
		if err != nil {
			return err
		}
		judged = append(judged, everyPart(same, e))
	}
	sortThresholds(judged)
	m.Thresholds = judged
	return nil
}

// everyPart is the verdict of all parts: the threshold passes if it passes in each. The value reported is the worst.
func everyPart(same []Threshold, e expression) Threshold {
	worst := same[0]
	for _, t := range same[1:] {
		switch {
		case t.OK != worst.OK:
			if !t.OK {
				worst = t
			}
		case t.Value != nil && (worst.Value == nil || math.Abs(*t.Value-e.limit) < math.Abs(*worst.Value-e.limit) == t.OK):
			worst = t
		}
	}
	worst.Basis, worst.Values = EveryPart, maps.Clone(worst.Values)
	return worst
}

func script(r Result) string  { return r.Script }
func profile(r Result) string { return r.Profile }
func target(r Result) string  { return r.Target }

// joined lists the different values of a field, sorted.
func joined(parts []Result, field func(Result) string) string {
	said := map[string]bool{}
	for _, r := range parts {
		if text := field(r); text != "" {
			said[text] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(said)), ", ")
}
