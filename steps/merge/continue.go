package merge

import (
	"cmp"

	"github.com/pixcert/pixcert/steps/verdict"
)

// Sources of a continued run.
const (
	Past = iota
	Rest
)

// Continue merges a run that ended early, or a shard, with the run of what it had left open. What was run
// again counts as it is now; everything else stays as it was judged, so that the whole can be merged with
// other shards.
func Continue(past, rest *verdict.Run) Merged {
	run := *past
	run.ID, run.Took, run.Ended, run.Baseline = past.ID+"+"+rest.ID, past.Took+rest.Took, rest.Ended, nil
	run.Own = cmp.Or(rest.Own, past.Own)
	run.Arguments, run.Directory, run.Log = rest.Arguments, rest.Directory, cmp.Or(rest.Log, past.Log)
	run.Controls, run.OpenPoints = including(past.Controls, rest.Controls), points(past.OpenPoints, rest.OpenPoints)
	run.Webhooks = together(past.Webhooks, rest.Webhooks)
	run.Scenarios = nil
	m := Merged{Run: &run}
	ran := map[string]bool{}
	for _, s := range rest.Scenarios {
		ran[s.ID()] = s.Via == ""
	}
	for source, scenarios := range [][]verdict.Scenario{Past: past.Scenarios, Rest: rest.Scenarios} {
		for _, s := range scenarios {
			again := ran[cmp.Or(s.Via, s.ID())]
			if source == Past && again || s.IsMisfit(run.OpenPoints) {
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
