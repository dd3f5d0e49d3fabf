package plan

import (
	"cmp"
	"slices"

	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Forecast is what can be tested of a target, before anything is sent to its API.
type Forecast struct {
	Target   string            `json:"target"`
	Offline  bool              `json:"offline"`  // assumes the controls of the profile; none was asked
	Controls []string          `json:"controls"` // that the target offers
	Families []string          `json:"families"` // in the profile
	Reach    verdict.Reach     `json:"reach"`
	Planned  int               `json:"scenarios"` // listed by certify, including those that cannot be tested
	Bulk     int               `json:"bulk"`      // of the testable ones, those that send dozens of requests
	Quiet    int               `json:"quiet"`     // and those that wait to see that nothing arrives
	Estimate Estimate          `json:"estimate"`
	Outside  []Outside         `json:"outside"` // why scenarios do not apply, the most frequent reason first
	Features []FeatureForecast `json:"features"`
	Unlocks  []verdict.Unlock  `json:"unlocks"` // what would unlock more, cheapest first, each in addition to those before it
}

// Outside is a reason why scenarios do not apply.
type Outside struct {
	Reason    string `json:"reason"`
	Scenarios int    `json:"scenarios"`
}

// FeatureForecast is the forecast of a feature, with its rules.
type FeatureForecast struct {
	Name  string         `json:"name"`
	File  string         `json:"file"`
	Own   bool           `json:"own,omitempty"` // the user's
	Reach verdict.Reach  `json:"reach"`
	Rules []RuleForecast `json:"rules"`
}

// RuleForecast is the forecast of a rule. Scenarios that do not apply are not counted.
type RuleForecast struct {
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	Applicable int      `json:"applicable"`        // scenarios
	Testable   int      `json:"testable"`          // of these, scenarios that can be tested
	Missing    []string `json:"missing,omitempty"` // controls that the others need
	Hints      []string `json:"hints,omitempty"`   // what to add to the profile for them
	Outside    []string `json:"outside,omitempty"` // why scenarios do not apply
}

// Foresee forecasts from a plan what can be tested of a target.
func Foresee(all []*Scenario, t *target.Target) *Forecast {
	f := &Forecast{
		Target: t.Profile.Name, Families: OfferOf(t.Profile, t.Has).Claimed(),
		Reach: ReachOf(all), Planned: len(all), Estimate: EstimateOf(all, OfferOf(t.Profile, t.Has)), Outside: outside(all), Features: forecasts(all), Unlocks: Unlocks(all, t),
	}
	for _, s := range all {
		switch {
		case !s.Runs():
		case s.Bulk():
			f.Bulk++
		case s.Quiet:
			f.Quiet++
		}
	}
	return f
}

func outside(all []*Scenario) []Outside {
	reasons := []Outside{}
	for _, s := range all {
		if s.Outside == "" {
			continue
		}
		i := slices.IndexFunc(reasons, func(o Outside) bool { return o.Reason == s.Outside })
		if i < 0 {
			i = len(reasons)
			reasons = append(reasons, Outside{Reason: s.Outside})
		}
		reasons[i].Scenarios++
	}
	slices.SortStableFunc(reasons, func(a, b Outside) int { return cmp.Compare(b.Scenarios, a.Scenarios) })
	return reasons
}

// ReachOf counts the rules of a plan that can be tested.
func ReachOf(all []*Scenario) verdict.Reach {
	var reach verdict.Reach
	for _, f := range forecasts(all) {
		for _, rule := range f.Rules {
			reach.Add(rule.Applicable, rule.Testable)
		}
	}
	return reach
}

func forecasts(all []*Scenario) []FeatureForecast {
	var features []FeatureForecast
	for _, p := range all {
		rule := p.Rule
		if n := len(features); n == 0 || features[n-1].File != rule.Feature.File {
			features = append(features, FeatureForecast{Name: rule.Feature.Name, File: rule.Feature.File, Own: rule.Feature.Own})
		}
		f := &features[len(features)-1]
		if n := len(f.Rules); n == 0 || f.Rules[n-1].Name != rule.Name {
			f.Rules = append(f.Rules, RuleForecast{Name: rule.Name, Title: rule.Title})
		}
		f.Rules[len(f.Rules)-1].add(p)
	}
	for i := range features {
		for _, rule := range features[i].Rules {
			features[i].Reach.Add(rule.Applicable, rule.Testable)
		}
	}
	return features
}

func (f *RuleForecast) add(p *Scenario) {
	if p.Outside != "" {
		f.Outside = including(f.Outside, p.Outside)
		return
	}
	f.Applicable++
	if p.Runs() {
		f.Testable++
		return
	}
	f.Missing = including(f.Missing, p.Missing...)
	if p.Hint != "" {
		f.Hints = including(f.Hints, p.Hint)
	}
}
