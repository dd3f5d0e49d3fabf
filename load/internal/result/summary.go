package result

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Adopt adds the thresholds that k6 judged: each with its metric, expression, type, values,
// verdict, and in NoData whether k6 had no value at all. The rest of the result has to be
// complete: it determines which other thresholds had no data.
func (r *Result) Adopt(judged []Threshold) error {
	for i := range judged {
		if err := r.adopt(&judged[i]); err != nil {
			return err
		}
	}
	sortThresholds(judged)
	r.Thresholds = once(judged)
	return nil
}

// once merges the same threshold of two sources, such as a preset's and the script's with abortOnFail.
func once(sorted []Threshold) (all []Threshold) {
	for _, t := range sorted {
		if last := len(all) - 1; last >= 0 && all[last].Metric == t.Metric && all[last].Expression == t.Expression {
			all[last].OK, all[last].Aborts = all[last].OK && t.OK, all[last].Aborts || t.Aborts
			continue
		}
		all = append(all, t)
	}
	return all
}

// adopt aligns one threshold with the result: k6 reads an empty gauge as 0, and judges
// pix_invalid before the number of dropped iterations is known.
func (r *Result) adopt(t *Threshold) error {
	verdict := t.OK
	if err := t.judge(t.Values); err != nil {
		return err
	}
	t.OK, t.Basis = verdict, ByK6
	values, own := r.values(t.Metric)
	switch name, _ := splitMetric(t.Metric); {
	case own && len(values) == 0:
		t.Value, t.Values = nil, nil
	case name == "pix_invalid":
		if err := t.judge(values); err != nil {
			return err
		}
	}
	t.NoData = t.OK && (t.NoData || r.vacuous(*t))
	t.TooFew, t.Bounds = r.tooFew(*t), r.bounds(*t)
	return nil
}

// Declare adds thresholds that nobody has judged yet, as if they passed. The rest of the result has to
// be complete.
func (r *Result) Declare(thresholds []Threshold) {
	for i := range thresholds {
		thresholds[i].OK, thresholds[i].NoData = true, r.vacuous(thresholds[i])
	}
	sortThresholds(thresholds)
	r.Thresholds = once(thresholds)
}

// Summary is what k6 passes to handleSummary, as far as a result does not have it.
type Summary struct {
	Checks  []Check
	Metrics []Observed // by name
}

// Observed is a metric of k6 or the script, with its values as in k6's summary.
type Observed struct {
	Name     string             `json:"name"`
	Type     string             `json:"type"`
	Contains string             `json:"contains"`
	Values   map[string]float64 `json:"values"`
}

// ReadSummary reads the data of handleSummary as JSON, in either of its shapes: the usual one, and
// that of --new-machine-readable-summary.
func ReadSummary(data []byte) (Summary, error) {
	var given struct {
		Root    *group              `json:"root_group"`
		Metrics map[string]Observed `json:"metrics"`
		Results *struct {
			Checks struct {
				Results []Check `json:"results"`
			} `json:"checks"`
			Metrics []Observed `json:"metrics"`
		} `json:"results"`
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return Summary{}, fmt.Errorf("read k6's summary: %w", err)
	}
	var s Summary
	switch {
	case given.Root != nil:
		s.Checks = given.Root.all("")
		for name, m := range given.Metrics {
			m.Name = name
			s.Metrics = append(s.Metrics, m)
		}
	case given.Results != nil:
		s.Checks, s.Metrics = given.Results.Checks.Results, given.Results.Metrics
	default:
		return Summary{}, errors.New("read k6's summary: expected root_group or results; pass on the argument of handleSummary unchanged")
	}
	slices.SortFunc(s.Metrics, func(a, b Observed) int { return cmp.Compare(a.Name, b.Name) })
	return s, nil
}

// SetChecks sets the script's checks.
func (r *Result) SetChecks(checks []Check) {
	r.Checks = nil
	r.check(checks)
}

// group in k6's summary.
type group struct {
	Name   string  `json:"name"`
	Groups []group `json:"groups"`
	Checks []Check `json:"checks"`
}

// all are the checks of a group and its subgroups, prefixed with their path.
func (g group) all(path string) []Check {
	var checks []Check
	for _, c := range g.Checks {
		checks = append(checks, Check{path + c.Name, c.Passes, c.Fails})
	}
	for _, inner := range g.Groups {
		checks = append(checks, inner.all(path+inner.Name+"::")...)
	}
	return checks
}

func sortThresholds(thresholds []Threshold) {
	slices.SortFunc(thresholds, func(a, b Threshold) int {
		return cmp.Or(cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.Expression, b.Expression))
	})
}
