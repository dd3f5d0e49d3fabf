package result

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pixcert/pixcert/load/internal/gateway"
	"github.com/pixcert/pixcert/load/internal/ledger"
	"github.com/pixcert/pixcert/load/internal/measure"
)

// rules are the names of the rules that questions are about.
var rules = []string{"repeat", "repeat later", "balance", "token", "list", "refund", "transaction limit", "daily limit", "night limit"}

// tag of a metric, with its possible values.
type tag struct {
	name     string
	values   []string
	optional bool // the metric also has a total without the tag
}

var (
	operations = operationNames()
	operation  = tag{name: "operation", values: operations}
	rule       = tag{name: "rule", values: rules, optional: true}
	stat       = tag{name: "stat", values: statistics()}
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
	"pix_rules_asked":          {rule},
	"pix_rules_broken":         {rule},
}

// whole says whether a metric is about the whole run, and not about the calls of an origin.
func whole(metric string) bool {
	switch metric {
	case "pix_duration_now", "pix_webhook_delivery_now", "pix_hiccup", "pix_backlog", "pix_invalid", "pix_iterations_thrown", "pix_rules_asked", "pix_rules_broken":
		return true
	}
	return ledger.Unattributed(strings.TrimPrefix(metric, "pix_"))
}

// tagsOf separates a metric's own tags from those of the calls that it is about.
func tagsOf(metric string, tags map[string]string) (own, origin map[string]string) {
	own, origin = map[string]string{}, map[string]string{}
	for name, value := range tags {
		if slices.ContainsFunc(gauges[metric], func(t tag) bool { return t.name == name }) {
			own[name] = value
		} else {
			origin[name] = value
		}
	}
	return own, origin
}

// OriginTags are the tags of calls to which a threshold on one of pixcert's metrics is limited.
func OriginTags(threshold string) map[string]string {
	metric, tags := splitMetric(threshold)
	if !strings.HasPrefix(metric, "pix_") || whole(metric) {
		return nil
	}
	_, origin := tagsOf(metric, tags)
	return origin
}

// CheckThreshold returns an error if a threshold's metric, as in options.thresholds, can
// never have a value: k6 passes a threshold on a combination of tags that does not exist.
// The error lists what exists. Which tags calls will have is not known before, except the
// names of scenarios and the tags of the whole test (options.tags): see [Result.Unseen]. Other
// metrics than pixcert's are not checked.
func CheckThreshold(metric string, test map[string]string, scenarios []string) error {
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
	_, origin := tagsOf(metricName, tags)
	for _, name := range slices.Sorted(maps.Keys(origin)) {
		if of, set := test[name]; set && of == origin[name] {
			continue
		}
		switch {
		case whole(metricName):
			return fmt.Errorf("threshold on %s: expected %s: this metric is about the whole run and has no tag %s:%s", metric, example(metricName, known), name, tags[name])
		case name == "scenario" && !slices.Contains(scenarios, tags[name]):
			return fmt.Errorf("threshold on %s: expected the tag scenario to be one of %s, got %q", metric, strings.Join(scenarios, ", "), tags[name])
		}
	}
	return nil
}

// Unseen are the thresholds on tags that no call had.
func (r Result) Unseen() (unseen []string) {
	for _, t := range r.Thresholds {
		if _, seen := r.from(OriginTags(t.Metric)); !seen && !slices.Contains(unseen, t.Metric) {
			unseen = append(unseen, t.Metric)
		}
	}
	return unseen
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

func statistics() (names []string) {
	for _, q := range measure.Quantiles {
		names = append(names, q.Name)
	}
	return names
}

func operationNames() []string {
	var names []string
	for _, o := range gateway.Operations() {
		names = append(names, string(o))
	}
	return names
}
