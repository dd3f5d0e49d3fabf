package plan

import (
	"github.com/pixcert/pixcert/steps/target"
	"github.com/pixcert/pixcert/steps/verdict"
)

// Forecast is what can be tested of a target, known before anything of its API is called.
type Forecast struct {
	Target   string            `json:"target"`
	Offline  bool              `json:"offline"`  // the controls are those that the profile speaks of; none was asked
	Controls []string          `json:"controls"` // that the target has
	Families []string          `json:"families"` // that the profile claims
	Reach    verdict.Reach     `json:"reach"`
	Planned  int               `json:"scenarios"` // that certify lists, also those that cannot be tested
	Features []FeatureForecast `json:"features"`
	Unlocks  []verdict.Unlock  `json:"unlocks"` // what would let more be tested, the cheapest first, each on top of those before it
}

// FeatureForecast is that of one feature, with its rules.
type FeatureForecast struct {
	Name  string         `json:"name"`
	File  string         `json:"file"`
	Reach verdict.Reach  `json:"reach"`
	Rules []RuleForecast `json:"rules"`
}

// RuleForecast is that of one rule. A scenario that does not apply is neither.
type RuleForecast struct {
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	Applicable int      `json:"applicable"`        // scenarios
	Testable   int      `json:"testable"`          // scenarios of those
	Missing    []string `json:"missing,omitempty"` // controls that the others lack
	Hints      []string `json:"hints,omitempty"`   // what the profile should state for them
	Outside    []string `json:"outside,omitempty"` // why scenarios do not apply
}

// Foresee says what can be tested of a target by the scenarios of a plan.
func Foresee(all []*Scenario, t *target.Target) *Forecast {
	return &Forecast{
		Target: t.Profile.Name, Families: OfferOf(t.Profile, t.Has).Claimed(),
		Reach: ReachOf(all), Planned: len(all), Features: forecasts(all), Unlocks: Unlocks(all, t),
	}
}

// ReachOf counts how far the rules of a plan can be tested.
func ReachOf(all []*Scenario) verdict.Reach {
	var reach verdict.Reach
	for _, f := range forecasts(all) {
		for _, rule := range f.Rules {
			reach.Add(rule.Applicable, rule.Testable)
		}
	}
	return reach
}

// forecasts are those of the plan's features, in their order.
func forecasts(all []*Scenario) []FeatureForecast {
	var features []FeatureForecast
	for _, p := range all {
		rule := p.Rule
		if n := len(features); n == 0 || features[n-1].File != rule.Feature.File {
			features = append(features, FeatureForecast{Name: rule.Feature.Name, File: rule.Feature.File})
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
