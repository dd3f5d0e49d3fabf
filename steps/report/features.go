package report

import "github.com/pixcert/pixcert/steps/verdict"

// featureResult is a feature with its rules, as a report shows them.
type featureResult struct {
	Name  string
	File  string
	Rules []verdict.RuleResult
}

// featuresOf groups the results by feature, in the order of the run's rules.
func featuresOf(r *verdict.Run) []featureResult {
	var features []featureResult
	place := map[[2]string]int{}
	for _, rule := range r.Results() {
		key := [2]string{rule.File, rule.Feature}
		i, known := place[key]
		if !known {
			i = len(features)
			place[key] = i
			features = append(features, featureResult{Name: rule.Feature, File: rule.File})
		}
		features[i].Rules = append(features[i].Rules, rule)
	}
	return features
}
