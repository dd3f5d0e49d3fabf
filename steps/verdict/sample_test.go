package verdict

import "fmt"

// runOf is a run of one rule for each list of verdicts.
func runOf(rules ...[]Verdict) *Run {
	run := &Run{}
	for i, verdicts := range rules {
		name := fmt.Sprintf("area.rule-%d", i)
		run.Rules = append(run.Rules, Rule{Name: name, Feature: "Area", File: "area.feature"})
		for j, v := range verdicts {
			run.Scenarios = append(run.Scenarios, Scenario{Rule: name, Name: fmt.Sprint(j), Line: j, Verdict: v})
		}
	}
	return run
}

// sampleRun has a rule of each verdict. Its scenarios are in the order in which they ended,
// not in that of the features.
func sampleRun() *Run {
	run := &Run{
		OpenPoints: []OpenPoint{
			{Name: "expired-cash-in", Question: "What becomes of a charge that nobody pays?", Permitted: "stays pending, or any final state"},
			{Name: "cash-out-dated", Question: "Does generateTime carry fractions of a second?", Permitted: "with or without"},
			{Name: "resend-unreachable", Question: "What is the response when the destination cannot be reached?", Permitted: "200 or 502"},
		},
	}
	for _, name := range []string{"balances.shape", "balances.total", "balances.standard", "cash-out.covers-fee", "cash-out.value-bounds",
		"cash-out.duplicate-external-id", "cash-out.night-limit", "cash-out.daily-limit", "cash-out.unknown",
		"delivery.all-urls", "delivery.headers", "delivery.med"} {
		run.Rules = append(run.Rules, Rule{Name: name})
	}
	dated := Observed{Point: "cash-out-dated", Value: "with three digits"}
	run.Scenarios = []Scenario{
		{Rule: "delivery.headers", Name: "One header", Verdict: Warning, Warnings: []Finding{{Expected: "application/json", Got: "text/plain", Exchange: -1}}},
		{Rule: "cash-out.value-bounds", Name: "0.01 is accepted", Line: 30, Verdict: Pass},
		{Rule: "cash-out.covers-fee", Name: "One cent short", Line: 14, Verdict: Fail, Observations: []Observed{dated},
			Finding: &Finding{Expected: "status 400", Got: "status 201", Exchange: -1}},
		{Rule: "balances.shape", Name: "Read", Verdict: Pass},
		{Rule: "balances.total", Name: "After a payment", Verdict: Pass},
		{Rule: "cash-out.value-bounds", Name: `"10" is refused`, Line: 34, Verdict: Fail},
		{Rule: "cash-out.covers-fee", Name: "To the cent", Line: 11, Verdict: Pass},
		{Rule: "cash-out.night-limit", Name: "Just before eight", Line: 80, Verdict: CouldNotTest, Missing: []string{"clock", "limits"}},
		{Rule: "cash-out.night-limit", Name: "At eight", Line: 84, Verdict: CouldNotTest, Missing: []string{"clock", "limits"}},
		{Rule: "cash-out.daily-limit", Name: "One cent above", Verdict: CouldNotTest, Missing: []string{"limits"}},
		{Rule: "cash-out.duplicate-external-id", Name: "Sixteen at the same time", Verdict: Pass, Observations: []Observed{dated, {Point: "unlisted", Value: "seen anyway"}}},
		{Rule: "delivery.all-urls", Name: "Three URLs", Verdict: SuiteError},
		{Rule: "delivery.med", Name: "Opened", Verdict: NotApplicable},
		{Rule: "balances.standard", Name: "Mapped", Verdict: CouldNotTest},
	}
	return run
}
