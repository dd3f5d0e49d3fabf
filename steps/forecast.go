package steps

import (
	"cmp"
	"context"
	"slices"

	"github.com/pixcert/pixcert/steps/exchange"
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
	Features []FeatureForecast `json:"features"`
	Unlocks  []verdict.Unlock  `json:"unlocks"` // what would let more be tested, the cheapest first, each beside those before it
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
	Hints      []string `json:"hints,omitempty"`   // what the profile should tell for them
	Outside    []string `json:"outside,omitempty"` // why scenarios do not apply
}

// Foresee says what can be tested of the options' target, by the scenarios that they
// select. It sends the question which controls there are, and offline nothing at all.
func Foresee(ctx context.Context, options Options, offline bool) (*Forecast, error) {
	r := &run{options: options, secrets: cmp.Or(options.Secrets, &exchange.Redactor{})}
	options.Target.Hide(r.secrets) // a target may repeat what it was asked with
	forecast, err := r.foresee(ctx, offline)
	if err != nil {
		return nil, r.secrets.Error(err)
	}
	return forecast, nil
}

func (r *run) foresee(ctx context.Context, offline bool) (*Forecast, error) {
	options := r.options
	selected, err := r.selectScenarios()
	if err != nil {
		return nil, err
	}
	t := target.Presume(options.Target)
	if !offline {
		if t, err = target.Discover(ctx, options.Target, target.Identity{Version: options.Version, RunID: "plan"}); err != nil {
			return nil, err
		}
	}
	offered := offerOf(t.Profile, t.Has)
	all, err := plan(selected, offered)
	if err != nil {
		return nil, err
	}
	controls := []string{}
	for _, name := range t.ControlNames() { // as the target gives them
		controls = append(controls, r.secrets.Text(exchange.Line(name)))
	}
	return &Forecast{
		Target: r.secrets.Text(t.Profile.Name), Offline: offline, Controls: controls, Families: offered.claimed(),
		Reach: reachOf(all), Features: forecasts(all), Unlocks: append([]verdict.Unlock{}, unlocks(all, holdings{t.Profile, t.Has})...),
	}, nil
}

// forecasts are those of the plan's features, in their order.
func forecasts(all []*planned) []FeatureForecast {
	var features []FeatureForecast
	for _, p := range all {
		rule := p.scenario.Rule
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

func (f *RuleForecast) add(p *planned) {
	if p.outside != "" {
		f.Outside = including(f.Outside, p.outside)
		return
	}
	f.Applicable++
	if p.runs() {
		f.Testable++
		return
	}
	f.Missing = including(f.Missing, p.missing...)
	if p.hint != "" {
		f.Hints = including(f.Hints, p.hint)
	}
}

func including(all []string, more ...string) []string {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all, one)
		}
	}
	return all
}
