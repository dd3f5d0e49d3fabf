package result

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/gateway"
	"github.com/pixcert/pixcert/load/ledger"
)

// statistics that k6 receives as gauges.
var statistics = []string{"p50", "p90", "p95", "p99", "p999", "max"}

// tag of a metric, with its possible values.
type tag struct {
	name     string
	values   []string
	optional bool // the metric also has a total without the tag
}

var (
	operations = operationNames()
	operation  = tag{name: "operation", values: operations}
	stat       = tag{name: "stat", values: statistics}
)

// gauges are pixcert's own gauges with their tags.
var gauges = map[string][]tag{
	"pix_duration":             {operation, {name: "from", values: []string{"send", "intended"}}, stat},
	"pix_duration_now":         {operation, {name: "from", values: []string{"intended"}}, stat},
	"pix_webhook_delivery":     {{name: "from", values: []string{"acceptance", "intended"}}, stat},
	"pix_webhook_delivery_now": {{name: "from", values: []string{"acceptance"}}, stat},
	"pix_schedule_lag":         {stat},
	"pix_hiccup":               {stat},
	"pix_failed":               {{name: "operation", values: operations, optional: true}},
	"pix_backlog":              nil,
	"pix_invalid":              nil,
	"pix_iterations_thrown":    nil,
}

// CheckThreshold returns an error if a threshold's metric, as in options.thresholds, can
// never have a value: k6 passes a threshold on a combination of tags that does not exist.
// The error lists what exists. Own metrics have no other tags than their own and those of the
// whole test (options.tags). Other metrics are not checked.
func CheckThreshold(metric string, test map[string]string) error {
	metricName, tags := splitMetric(metric)
	count, own := strings.CutPrefix(metricName, "pix_")
	if !own {
		return nil
	}
	known, gauge := gauges[metricName]
	if _, counter := (ledger.Counts{}).Get(count); !gauge && !counter {
		return fmt.Errorf("threshold on %s: expected a metric of pixcert, got %s; see Metrics in the README", metric, metricName)
	}
	for _, t := range known {
		value, given := tags[t.name]
		switch {
		case given && !slices.Contains(t.values, value):
			return fmt.Errorf("threshold on %s: expected the tag %s to be one of %s, got %q", metric, t.name, strings.Join(t.values, ", "), value)
		case !given && !t.optional:
			return fmt.Errorf("threshold on %s: expected the tag %s, as in %s; without it, the threshold is compared with whichever value came last", metric, t.name, example(metricName, known))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		if of, set := test[name]; set && of == tags[name] || slices.ContainsFunc(known, func(t tag) bool { return t.name == name }) {
			continue
		}
		return fmt.Errorf("threshold on %s: expected %s: this metric has no tag %s:%s", metric, example(metricName, known), name, tags[name])
	}
	return nil
}

// example is a metric with the tags that a threshold has to set.
func example(name string, tags []tag) string {
	var pairs []string
	for _, t := range tags {
		if !t.optional {
			pairs = append(pairs, t.name+":…")
		}
	}
	if len(pairs) == 0 {
		return name
	}
	return name + "{" + strings.Join(pairs, ",") + "}"
}

func operationNames() []string {
	var names []string
	for _, o := range gateway.Operations() {
		names = append(names, string(o))
	}
	return names
}
