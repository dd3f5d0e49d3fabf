package merge

import (
	"cmp"
	"slices"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Sources of a continued run.
const (
	Past = iota
	Rest
)

// Continue merges a run with the run of what failed in it, or of what it had left open. What was run again counts as it
// is now; everything else stays as it was judged, so that the whole can be merged with other shards.
func Continue(past, rest *verdict.Run) Merged {
	run := *past
	run.ID, run.Took, run.Ended, run.Baseline = past.ID+"+"+rest.ID, past.Took+rest.Took, rest.Ended, nil
	run.Own, run.Coverage = cmp.Or(rest.Own, past.Own), nil
	run.Arguments, run.Directory, run.Log, run.Suspect = rest.Arguments, rest.Directory, cmp.Or(rest.Log, past.Log), rest.Suspect
	run.Controls, run.OpenPoints = including(past.Controls, rest.Controls), points(past.OpenPoints, rest.OpenPoints)
	run.Webhooks, run.Latencies = together(past.Webhooks, rest.Webhooks), verdict.MergeLatencies(past.Latencies, rest.Latencies)
	run.Outages, run.Notes = slices.Concat(past.Outages, rest.Outages), slices.Concat(past.Notes, rest.Notes)
	run.Scenarios = nil
	m := Merged{Run: &run}
	ran := map[string]bool{}
	var broken []verdict.BrokenControl
	for _, s := range rest.Scenarios {
		ran[s.ID()] = s.Via == "" && s.Verdict != verdict.NotRun
	}
	for _, b := range past.Broken {
		b.Scenarios = slices.DeleteFunc(slices.Clone(b.Scenarios), func(id string) bool { return ran[id] })
		if len(b.Scenarios) > 0 {
			broken = append(broken, b)
		}
	}
	run.Broken = slices.Concat(broken, rest.Broken)
	for _, before := range past.Scenarios {
		passes := func(s verdict.Scenario) bool {
			return s.ID() == before.ID() && (s.Verdict == verdict.Pass || s.Verdict == verdict.Warning)
		}
		if before.Verdict == verdict.Fail && slices.ContainsFunc(rest.Scenarios, passes) {
			run.Reran++
		}
	}
	isListed := func(s verdict.Scenario) bool {
		return slices.ContainsFunc(past.Scenarios, func(before verdict.Scenario) bool { return before.ID() == s.ID() })
	}
	for source, scenarios := range [][]verdict.Scenario{Past: past.Scenarios, Rest: rest.Scenarios} {
		for _, s := range scenarios {
			again := ran[cmp.Or(s.Via, s.ID())]
			isOpen := source == Rest && s.Verdict == verdict.NotRun && isListed(s) // so that it stays as it was
			if source == Past && again || isOpen || s.IsMisfit(run.OpenPoints) {
				continue
			}
			m.Run.Scenarios, m.Sources = append(m.Run.Scenarios, s), append(m.Sources, source)
		}
	}
	for _, misfit := range verdict.Misfits(run.OpenPoints, run.Scenarios) {
		m.Run.Scenarios, m.Sources = append(m.Run.Scenarios, misfit), append(m.Sources, Rest)
	}
	m.rules([]verdict.Report{{Run: past}, {Run: rest}})
	return m
}
