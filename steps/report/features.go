package report

import "github.com/pixcert/pixcert/steps/verdict"

// featureResult is a feature with its rules, as a report shows them.
type featureResult struct {
	Name  string
	File  string
	Own   bool // the user's
	Found bool // by exploring
	Rules []verdict.RuleResult
}

// featuresOf groups the results by feature, in the order of the run's rules.
func featuresOf(r *verdict.Run) []featureResult {
	var features []featureResult
	for _, rule := range r.Results() {
		if n := len(features); n == 0 || features[n-1].File != rule.File || features[n-1].Name != rule.Feature {
			features = append(features, featureResult{Name: rule.Feature, File: rule.File, Own: rule.Own, Found: rule.Found})
		}
		last := &features[len(features)-1]
		last.Rules = append(last.Rules, rule)
	}
	return features
}
