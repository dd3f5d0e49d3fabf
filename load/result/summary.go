package result

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// ReadSummary adds what k6 knows, from the data that it passes to handleSummary, as JSON: the
// thresholds with their verdicts and values, and the script's checks. The rest of the result
// has to be complete: it determines which thresholds had no data.
func (r *Result) ReadSummary(data []byte) error {
	var summary struct {
		Metrics map[string]metric `json:"metrics"`
		Root    group             `json:"root_group"`
	}
	if err := json.Unmarshal(data, &summary); err != nil {
		return fmt.Errorf("read k6's summary: %w", err)
	}
	var thresholds []Threshold
	for name, metric := range summary.Metrics {
		some, err := metric.judged(name)
		if err != nil {
			return fmt.Errorf("read k6's summary: %w", err)
		}
		thresholds = append(thresholds, some...)
	}
	for i := range thresholds {
		if err := r.correct(&thresholds[i]); err != nil {
			return fmt.Errorf("read k6's summary: %w", err)
		}
	}
	sortThresholds(thresholds)
	r.Thresholds, r.Checks = thresholds, nil
	r.check(summary.Root.all(""))
	return nil
}

// correct aligns a threshold that k6 judged with the result: k6 reads an empty gauge as 0, and
// judges pix_invalid before the number of dropped iterations is known.
func (r Result) correct(t *Threshold) error {
	values, own := r.values(t.Metric)
	switch name, _ := splitMetric(t.Metric); {
	case own && len(values) == 0:
		t.Value, t.Values = nil, nil
	case name == "pix_invalid":
		if err := t.judge(values); err != nil {
			return err
		}
	}
	t.NoData = t.OK && r.vacuous(*t)
	return nil
}

// metric in k6's summary.
type metric struct {
	Type       string              `json:"type"`
	Values     map[string]*float64 `json:"values"` // null: not a number
	Thresholds map[string]struct {
		OK bool `json:"ok"`
	} `json:"thresholds"`
}

func (m metric) judged(name string) ([]Threshold, error) {
	values := make(map[string]float64, len(m.Values))
	for key, value := range m.Values {
		if value != nil {
			values[key] = *value
		}
	}
	var thresholds []Threshold
	for expression, verdict := range m.Thresholds {
		t := Threshold{Metric: name, Expression: expression, Type: m.Type, Basis: ByK6}
		if err := t.judge(maps.Clone(values)); err != nil {
			return nil, err
		}
		t.OK = verdict.OK
		thresholds = append(thresholds, t)
	}
	return thresholds, nil
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

// Judge judges thresholds on pixcert's own metrics, as k6 would. The thresholds are listed by
// metric, as in options.thresholds. Those on k6's metrics are skipped, because only k6 has
// their values.
func (r Result) Judge(thresholds map[string][]string) ([]Threshold, error) {
	var judged []Threshold
	for metric, expressions := range thresholds {
		values, ok := r.values(metric)
		if !ok {
			continue
		}
		for _, expression := range expressions {
			t := Threshold{Metric: metric, Expression: expression, Basis: OnMerged}
			if err := t.judge(values); err != nil {
				return nil, err
			}
			t.NoData = t.OK && r.vacuous(t)
			judged = append(judged, t)
		}
	}
	sortThresholds(judged)
	return judged, nil
}

func sortThresholds(thresholds []Threshold) {
	slices.SortFunc(thresholds, func(a, b Threshold) int {
		return cmp.Or(cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.Expression, b.Expression))
	})
}
