package run

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/pixcert/pixcert/steps/catalogue"
	"github.com/pixcert/pixcert/steps/language"
	"github.com/pixcert/pixcert/steps/plan"
	"github.com/pixcert/pixcert/steps/verdict"
)

// planned are scenarios as "rule/name"; those named "quiet" wait, those named "harmless" change nothing.
func planned(ids ...[2]string) (all []*plan.Scenario) {
	for _, id := range ids {
		all = append(all, &plan.Scenario{
			Scenario: &catalogue.Scenario{Name: id[1], Rule: &catalogue.Rule{Name: id[0]}},
			Demand:   plan.Demand{Quiet: id[1] == "quiet", Harmless: id[1] == "harmless"},
			Steps:    []language.Step{{Effects: language.Effects{Bulk: id[1] == "bulk"}}},
		})
	}
	return all
}

func TestAQuickRunTriesEachRuleFirst(t *testing.T) {
	t.Parallel()
	all := planned([2]string{"a.a", "quiet"}, [2]string{"a.a", "plain"}, [2]string{"a.a", "other"}, [2]string{"b.b", "bulk"}, [2]string{"b.b", "quiet"})
	inOrder := func(r *run) (order []int) {
		for _, p := range r.passes(all) {
			order = append(order, len(p.scenarios))
		}
		return order
	}
	quick := &run{outcome: outcome{prepared: prepared{options: Options{Depth: verdict.Quick, Budget: time.Hour}}}}
	assert.Equal(t, []int{2, 1, 2}, inOrder(quick), "one of each rule, then what is cheap, then the rest")
	assert.Contains(t, quick.passes(all)[0].scenarios, "a.a/plain")
	assert.Contains(t, quick.passes(all)[0].scenarios, "b.b/bulk", "a rule of which all is costly is tried, too")
	assert.Equal(t, []int{5}, inOrder(&run{}), "a whole run needs no order")

	one := (&run{outcome: outcome{prepared: prepared{options: Options{First: []string{"b.b"}}}}}).passes(all)
	assert.Len(t, one, 2)
	assert.Len(t, one[0].scenarios, 2, "the rule that was asked for goes first")
}

func TestAQuickRunSaysWhatItLeftOut(t *testing.T) {
	t.Parallel()
	all := planned([2]string{"a.a", "plain"}, [2]string{"a.a", "other"}, [2]string{"b.b", "plain"})
	r := &run{outcome: outcome{prepared: prepared{options: Options{Depth: verdict.Quick, Budget: time.Nanosecond}, planned: all}, results: []verdict.Scenario{{Rule: "a.a", Name: "plain"}}}}
	r.leaveOut()
	assert.Equal(t, &verdict.LeftOut{Scenarios: 2, Rules: []string{"b.b"}, Skipped: []string{"a.a/other", "b.b/plain"}}, r.leftOut)
	assert.Len(t, r.planned, 1, "the rest is not part of the run")

	whole := &run{outcome: outcome{prepared: prepared{options: Options{Depth: verdict.Quick, Budget: time.Nanosecond}, planned: all[:1]}, results: r.results}}
	whole.leaveOut()
	assert.Equal(t, &verdict.LeftOut{Rules: []string{}}, whole.leftOut, "a quick run says that it was one, even if it got to everything")
	r = &run{}
	r.leaveOut()
	assert.Nil(t, r.leftOut, "another run is whole")
}

// However little time there is, a quick run tests one scenario of each rule.
func TestAQuickRunTestsEachRule(t *testing.T) {
	t.Parallel()
	all := planned([2]string{"a.a", "quiet"}, [2]string{"a.a", "plain"}, [2]string{"b.b", "bulk"}, [2]string{"b.b", "quiet"})
	r := &run{budgetEnds: time.Now().Add(-time.Hour), repeated: map[string]*repeated{}, outcome: outcome{prepared: prepared{options: Options{Depth: verdict.Quick, Budget: time.Second}}}}
	r.passes(all)
	due := map[string]bool{}
	for _, s := range all {
		due[s.ID()] = r.isDue(s)
	}
	assert.Equal(t, map[string]bool{"a.a/quiet": false, "a.a/plain": true, "b.b/bulk": true, "b.b/quiet": false}, due)
}
