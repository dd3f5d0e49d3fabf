package result

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Merge adds up the results of a run's instances, in any order. A threshold passes if it passes in every instance. Missing are
// those without a result. Results of different runs, duplicate instances and merged results are errors.
func Merge(results []Result) (Result, error) {
	parts, err := instances(results)
	if err != nil {
		return Result{}, fmt.Errorf("merge results: %w", err)
	}
	first := parts[0]
	m := Result{
		Schema: Schema, Run: first.Run, Name: first.Name, Instances: first.Instances,
		Part: Part{Started: first.Started, Ended: first.Ended, Environment: first.Environment},
	}
	present := make(map[int]bool, len(parts))
	for _, r := range parts {
		present[r.Instance] = true
		m.add(r)
	}
	for i := range m.Instances {
		if !present[i] {
			m.Missing = append(m.Missing, i)
		}
	}
	m.Script = joined(parts, func(r Result) string { return r.Script })
	m.Profile = joined(parts, func(r Result) string { return r.Profile })
	m.Target = joined(parts, func(r Result) string { return r.Target })
	m.Outcome = m.outcome()
	return m, nil
}

// instances sorts the results by instance, and checks that they are different instances of one run.
func instances(results []Result) ([]Result, error) {
	if len(results) == 0 {
		return nil, errors.New("expected the results of a run's instances, got none")
	}
	parts := slices.Clone(results)
	slices.SortStableFunc(parts, func(a, b Result) int { return a.Instance - b.Instance })
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
	}
	return parts, nil
}

// add adds an instance's figures.
func (m *Result) add(r Result) {
	m.Parts = append(m.Parts, r.Part)
	if r.Started.Before(m.Started) {
		m.Started = r.Started
	}
	if r.Ended.After(m.Ended) {
		m.Ended = r.Ended
	}
	m.Interrupted = m.Interrupted || r.Interrupted
	m.Complaint = cmp.Or(m.Complaint, r.Complaint)
	m.Reasons = append(m.Reasons, r.Reasons...)
	m.Iterations += r.Iterations
	m.Dropped += r.Dropped
	if r.Thrown != nil {
		thrown := m.Threw() + *r.Thrown
		m.Thrown = &thrown
	}
	m.Generator.CPU = max(m.Generator.CPU, r.Generator.CPU)
	m.Generator.Requests.Count += r.Generator.Requests.Count
	m.Generator.Webhooks.Count += r.Generator.Webhooks.Count
	m.Strays += r.Strays
	m.Failures = append(m.Failures, r.Failures...)
	m.Ledger.Add(r.Ledger)
	for _, p := range r.Presets {
		if !slices.Contains(m.Presets, p) {
			m.Presets = append(m.Presets, p)
		}
	}
	for _, t := range r.Thresholds {
		m.AddThreshold(t)
	}
	for _, c := range r.Checks {
		m.check(c)
	}
}

// AddThreshold adds a verdict on a threshold, of an instance or of another source, such as a preset. The value is the worst.
func (m *Result) AddThreshold(t Threshold) {
	i, found := slices.BinarySearchFunc(m.Thresholds, t, func(a, b Threshold) int {
		return cmp.Or(strings.Compare(a.Metric, b.Metric), strings.Compare(a.Expression, b.Expression))
	})
	if !found {
		m.Thresholds = slices.Insert(m.Thresholds, i, t)
		return
	}
	of := &m.Thresholds[i]
	number := Limit(t.Expression).number
	nearer := math.Abs(t.Value-number) < math.Abs(of.Value-number)
	if of.NoData || t.OK != of.OK && !t.OK || t.OK == of.OK && !t.NoData && nearer == t.OK {
		of.Value = t.Value
	}
	of.OK, of.NoData, of.Aborts = of.OK && t.OK, of.NoData && t.NoData, of.Aborts || t.Aborts
}

// check adds an instance's counts of a check.
func (m *Result) check(c Check) {
	i, found := slices.BinarySearchFunc(m.Checks, c.Name, func(c Check, name string) int { return strings.Compare(c.Name, name) })
	if !found {
		m.Checks = slices.Insert(m.Checks, i, Check{Name: c.Name})
	}
	m.Checks[i].Passes += c.Passes
	m.Checks[i].Fails += c.Fails
}

// joined lists the different values of a field.
func joined(parts []Result, field func(Result) string) string {
	var all []string
	for _, r := range parts {
		if value := field(r); value != "" && !slices.Contains(all, value) {
			all = append(all, value)
		}
	}
	return strings.Join(all, ", ")
}
